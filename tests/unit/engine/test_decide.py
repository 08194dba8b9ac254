"""Decide outcomes against values worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan
from deg_core.engine.decide import confidence, decide, softmax

LN2, LN3 = math.log(2), math.log(3)


def field_of(leaf: dict[str, Any]) -> FieldPlan:
    return compile_schema({"type": "object", "properties": {"f": leaf}}).fields[0]


def test_softmax():
    assert softmax([0.0, 0.0], 1.0) == [0.5, 0.5]
    assert softmax([LN3, 0.0], 1.0) == pytest.approx([0.75, 0.25])
    assert softmax([2 * LN3, 0.0], 2.0) == pytest.approx([0.75, 0.25])
    assert softmax([1e4, 0.0, -1e4], 1.0) == [1.0, 0.0, 0.0]
    assert softmax([-1e30, -1e30], 1.0) == [0.5, 0.5]


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=20), st.floats(0.1, 10))
def test_softmax_is_a_distribution_in_the_order_of_the_logits(logits: list[float], temperature: float):
    found = softmax(logits, temperature)
    assert math.fsum(found) == pytest.approx(1)
    places = range(len(logits))
    assert sorted(places, key=lambda k: (found[k], logits[k])) == sorted(places, key=logits.__getitem__)


@pytest.mark.parametrize(
    ("probabilities", "value"),
    [([0.5, 0.5], 0.0), ([1.0, 0.0], 1.0), ([0.75, 0.25], 0.5), ([0.8, 0.15, 0.05], 0.7), ([0.25] * 4, 0.0)],
)
def test_confidence(probabilities: list[float], value: float):
    assert confidence(probabilities) == pytest.approx(value)


def test_a_choice_in_the_callers_order():
    field = field_of({"enum": ["pear", "apple", None]})
    order = (1, 2, 0)  # apple, null, pear: the order in which they were read
    value, meta = decide(field, [0.0, LN2, math.log(5)], order, 1.0)
    assert value == "pear"
    assert meta.mode == "decide.choice"
    assert meta.probability == pytest.approx(5 / 8)
    assert meta.probabilities == pytest.approx([5 / 8, 1 / 8, 2 / 8])
    assert meta.confidence == pytest.approx((3 * 5 / 8 - 1) / 2)
    assert meta.expected is None
    value, meta = decide(field, [0.0, LN2, -9.0], order, 1.0)
    assert value is None
    assert meta.probability == pytest.approx(2 / (3 + math.exp(-9)))


def test_the_temperature_flattens():
    field = field_of({"enum": ["a", "b"]})
    assert decide(field, [2 * LN3, 0.0], (0, 1), 2.0)[1].probability == pytest.approx(0.75)
    assert decide(field, [LN3, 0.0], (0, 1), 0.5)[1].probability == pytest.approx(0.9)


def test_ties_go_to_the_first_that_was_read():
    field = field_of({"enum": ["pear", "apple", "fig"]})
    assert decide(field, [0.0, 0.0, 0.0], (1, 2, 0), 1.0)[0] == "apple"
    assert decide(field, [-1.0, 0.0, 0.0], (1, 2, 0), 1.0)[0] == "fig"
    turned = field_of({"enum": ["fig", "pear", "apple"]})
    assert decide(turned, [0.0, 0.0, 0.0], (2, 0, 1), 1.0)[0] == "apple"


def test_equal_probabilities_are_a_tie_even_if_the_logits_are_not():
    field = field_of({"enum": ["a", "b", "c"]})
    value, meta = decide(field, [0.0, 1e-17, -1.0], (0, 1, 2), 1.0)
    assert value == "a"
    assert meta.probabilities[0] == meta.probabilities[1]


@pytest.mark.parametrize(
    ("logit", "value"), [(0.0, True), (1e-9, True), (-1e-9, False), (LN3, True), (-LN3, False), (80.0, True)]
)
def test_yes_or_no(logit: float, value: bool):
    found, meta = decide(field_of({"type": "boolean"}), [logit, 0.0], (), 1.0)
    assert found is value
    assert meta.as_dict() == {"mode": "decide.noul", "probability": pytest.approx(1 / (1 + math.exp(-logit)))}


def test_a_scale():
    field = field_of({"type": "integer", "minimum": 0, "maximum": 4})
    value, meta = decide(field, [-99.0, 0.0, math.log(6), LN3, -99.0], (0, 1, 2, 3, 4), 1.0)
    assert value == 2
    assert meta.probabilities == pytest.approx([0, 0.1, 0.6, 0.3, 0])
    assert meta.probability == pytest.approx(0.6)
    assert meta.confidence == pytest.approx(0.5)
    assert meta.expected == pytest.approx(2.2)


def test_a_scale_counts_its_levels_not_its_places():
    field = field_of({"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 25})
    value, meta = decide(field, [0.0, 0.0, 0.0, 0.0, LN2], (0, 1, 2, 3, 4), 1.0)
    assert value == 100
    assert meta.expected == pytest.approx((0 + 25 + 50 + 75 + 2 * 100) / 6)


def test_null_is_no_level():
    """The expected level is that of the levels alone, whatever null weighs."""
    field = field_of({"type": ["integer", "null"], "minimum": 1, "maximum": 3})
    value, meta = decide(field, [0.0, 0.0, LN2, math.log(4)], (0, 1, 2, 3), 1.0)
    assert value is None
    assert meta.probabilities == pytest.approx([1 / 8, 1 / 8, 2 / 8, 4 / 8])
    assert meta.probability == pytest.approx(0.5)
    assert meta.confidence == pytest.approx((4 * 0.5 - 1) / 3)
    assert meta.expected == pytest.approx((1 + 2 + 2 * 3) / 4)
    value, meta = decide(field, [0.0, 0.0, 0.0, 1e4], (0, 1, 2, 3), 1.0)
    assert value is None
    assert meta.expected is None


def test_ties_on_a_scale_go_to_the_lowest_level():
    field = field_of({"type": ["integer", "null"], "minimum": 1, "maximum": 3})
    assert decide(field, [0.0, 0.0, -1.0, 0.0], (0, 1, 2, 3), 1.0)[0] == 1
    assert decide(field, [-1.0, -1.0, 0.0, 0.0], (0, 1, 2, 3), 1.0)[0] == 3
