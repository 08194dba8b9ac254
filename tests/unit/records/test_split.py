"""Splits depend on the group alone, and never move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.records import split_of


@pytest.mark.parametrize(
    ("group", "split"),
    [("squad2:Warsaw", "train"), ("squad2:Force", "test"), ("a", "train"), ("", "train"), ("sgd:1_00000", "train")],
)
def test_known_groups_stay_where_they_are(group: str, split: str) -> None:
    assert split_of(group) == split


def test_shares() -> None:
    drawn = [split_of(f"document {number}", val=0.2, test=0.1) for number in range(4000)]
    assert abs(drawn.count("test") / 4000 - 0.1) < 0.02
    assert abs(drawn.count("val") / 4000 - 0.2) < 0.02


@given(st.text(), st.floats(0, 0.4), st.floats(0, 0.4))
def test_a_larger_test_share_only_grows_test(group: str, small: float, more: float) -> None:
    if split_of(group, val=0.1, test=small) == "test":
        assert split_of(group, val=0.1, test=min(0.9, small + more)) == "test"


def test_all_of_one_kind_and_bad_shares() -> None:
    assert split_of("x", val=0, test=0) == "train"
    assert split_of("x", val=0, test=1) == "test"
    assert split_of("x", val=1, test=0) == "val"
    with pytest.raises(ValueError, match="shares"):
        split_of("x", val=0.6, test=0.5)
    with pytest.raises(ValueError, match="shares"):
        split_of("x", val=-0.1)
