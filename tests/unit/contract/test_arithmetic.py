"""Exact decimals: what bounds and steps admit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.arithmetic import Bounds, exact, is_multiple, is_number, plain

SMALL = st.integers(-40, 40)
STEPS = st.sampled_from([None, 1, 2, 3, 0.5, 1.5, 0.1, 0.25, 7])


@pytest.mark.parametrize(
    ("value", "step", "holds"),
    [
        (19.99, 0.01, True),
        (0.3, 0.1, True),
        (1.1, 0.1, True),
        (4.35, 0.01, True),
        (19.995, 0.01, False),
        (1e300, 1e-300, True),
        (10**300, 3, False),
        (0, 7, True),
        (-6, 3, True),
        (7, 0.5, True),
        (1e-7, 1e-8, True),
    ],
)
def test_multiples_count_in_decimals(value: float, step: float, holds: bool):
    assert is_multiple(value, step) is holds


def test_numbers_and_their_spelling():
    assert [is_number(v) for v in (1, 1.5, True, "1", None)] == [True, True, False, False, False]
    assert (
        repr([plain(v) for v in (1.0, -0.0, 1.5, 2**53 * 1.0, 1e300, 7)])
        == "[1, 0, 1.5, 9007199254740992.0, 1e+300, 7]"
    )
    assert exact(0.1) == Fraction(1, 10)
    assert exact(1e300) == 10**300


@given(SMALL, SMALL, st.booleans(), st.booleans(), STEPS)
def test_integers_are_those_that_a_count_finds(
    low: int, high: int, open_low: bool, open_high: bool, step: float | None
):
    keywords = {
        "exclusiveMinimum" if open_low else "minimum": low / 2,
        "exclusiveMaximum" if open_high else "maximum": high / 2,
    }
    bounds = Bounds.of({**keywords, **({"multipleOf": step} if step else {})})
    expected = [
        n
        for n in range(-50, 51)
        if (n > low / 2 if open_low else n >= low / 2)
        and (n < high / 2 if open_high else n <= high / 2)
        and (step is None or is_multiple(n, step))
    ]
    admitted = bounds.integers()
    assert admitted is not None
    assert list(admitted) == expected
    if bounds.empty():
        assert not expected


def test_a_missing_bound_admits_without_end():
    assert Bounds.of({"minimum": 3}).integers() is None
    assert not Bounds.of({"minimum": 3}).empty()


@pytest.mark.parametrize(
    ("keywords", "empty"),
    [
        ({"minimum": 1, "maximum": 1}, False),
        ({"exclusiveMinimum": 1, "maximum": 1}, True),
        ({"minimum": 2, "maximum": 1}, True),
        ({"minimum": 0.1, "maximum": 0.3, "multipleOf": 0.1}, False),
        ({"exclusiveMinimum": 0.1, "exclusiveMaximum": 0.2, "multipleOf": 0.1}, True),
        ({"minimum": 3, "exclusiveMinimum": 1, "maximum": 3}, False),
        ({"minimum": 3, "exclusiveMinimum": 3, "maximum": 3}, True),
    ],
)
def test_empty(keywords: dict[str, float], empty: bool):
    assert Bounds.of(keywords).empty() is empty
