"""Figures on cases small enough to count by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from deg_core.evaluate.bootstrap import Resampler, interval
from deg_core.evaluate.majority import Majority, baselines, majority_of
from deg_core.evaluate.metrics import calibration_error, summarise
from deg_core.evaluate.outcome import FieldOutcome
from tests.unit.evaluate.making import noul, outcome, record, scored

NULLABLE = {"type": ["string", "null"]}


def extracted(right: bool, present: bool, null: bool, **more: Any) -> FieldOutcome:
    return FieldOutcome(pointer="/a", mode="extract.span", right=right, present=present, null=null, **more)


def value(figures: dict[str, Any], metric: str) -> float:
    return figures[metric]["value"]


def test_null_precision_and_recall():
    fields = [
        extracted(True, True, False, f1=1.0),
        extracted(False, True, True),
        extracted(False, True, False, f1=0.5),
        extracted(True, False, True),
        extracted(True, False, True),
        extracted(False, False, False),
    ]
    summary = summarise([outcome(str(k), field) for k, field in enumerate(fields)], resamples=50)
    figures = summary["sources"]["made"]["modes"]["span"]
    assert value(figures, "accuracy") == pytest.approx(3 / 6)
    assert value(figures, "present_right") == pytest.approx(1 / 3)
    assert value(figures, "absent_null") == pytest.approx(2 / 3)
    assert value(figures, "null_precision") == pytest.approx(2 / 3)
    assert value(figures, "f1") == pytest.approx(1.5 / 3)
    assert figures["null_precision"]["n"] == 3


def test_what_was_never_there_has_no_figure():
    figures = summarise([outcome("1", extracted(True, True, False))], resamples=10)["sources"]["made"]["modes"]["span"]
    assert figures["absent_null"] is None
    assert figures["null_precision"] is None
    assert figures["ece"] is None


def test_a_fill_error_counts_for_every_field():
    made = record("1", "text", {"a": NULLABLE, "b": {"type": "boolean"}}, {"a": None, "b": True})
    summary = summarise([scored(made, {"a": None, "b": True}), scored(made, None)], resamples=10)
    part = summary["sources"]["made"]
    assert part["valid"] == 0.5
    assert value(part["modes"]["span"], "absent_null") == 0.5
    assert value(part["modes"]["span"], "null_precision") == 1.0
    assert value(part["modes"]["noul"], "answered") == 0.5
    assert value(summary["micro"]["modes"]["all"], "records_right") == 0.5


def test_micro_and_macro():
    outcomes = [outcome(str(k), noul(True), source="big") for k in range(9)]
    outcomes += [outcome("x", noul(False), source="small")]
    summary = summarise(outcomes, resamples=50)
    assert value(summary["micro"]["modes"]["noul"], "accuracy") == pytest.approx(0.9)
    assert value(summary["macro"]["modes"]["noul"], "accuracy") == pytest.approx(0.5)
    assert summary["macro"]["modes"]["noul"]["accuracy"]["n"] == 2


def test_mean_absolute_error_and_its_baseline():
    train = majority_of(
        record(str(k), "text", {"a": {"type": "integer", "minimum": 0, "maximum": 4}}, {"a": level})
        for k, level in enumerate([0, 0, 0, 0, 0, 1, 1, 4, 4, 4, 4])
    )
    tested = record("t", "text", {"a": {"type": "integer", "minimum": 0, "maximum": 4}}, {"a": 3})
    figures = summarise([scored(tested, {"a": 4})], train, resamples=10)["sources"]["made"]["modes"]["score"]
    assert value(figures, "mae") == 1.0
    assert value(figures, "majority") == 0.0  # the most frequent level is 0
    assert value(figures, "majority_mae") == 2.0  # the median level is 1


def test_calibration_error_by_hand():
    sure = np.array([0.6, 0.6, 0.9, 0.9])
    right = np.array([1.0, 0.0, 1.0, 1.0])
    assert calibration_error(sure, right, bins=2) == pytest.approx((0.1 * 2 + 0.1 * 2) / 4)
    assert calibration_error(sure, right, bins=1) == pytest.approx(0.0)
    assert calibration_error(np.array([1.0]), np.array([0.0])) == 1.0


def test_perfect_confidence_has_no_error():
    generator = np.random.default_rng(3)
    sure = generator.uniform(0.2, 1.0, 20_000)
    right = (generator.uniform(size=20_000) < sure).astype(np.float64)
    assert calibration_error(sure, right) < 0.015
    assert calibration_error(np.sqrt(sure), right) > 0.1


# Bootstrap


def test_intervals_are_the_same_every_time_and_do_not_depend_on_other_sources():
    own = [outcome(str(k), noul(k % 3 > 0)) for k in range(30)]
    other = [outcome(str(k), noul(True), source="another") for k in range(7)]
    first, second = summarise(own), summarise([*other, *own])
    assert json.dumps(first["sources"]["made"]) == json.dumps(second["sources"]["made"])
    table = np.arange(30.0)[:, None]
    assert (Resampler(seed=0).sums("made", table) == Resampler(seed=0).sums("made", table)).all()
    assert (Resampler(seed=0).sums("made", table) != Resampler(seed=1).sums("made", table)).any()


def test_records_are_resampled_not_fields():
    """Ten fields that stand or fall together carry no more than one field does."""
    many = [outcome(str(k), *(noul(k % 2 == 0, pointer=f"/{i}") for i in range(10))) for k in range(40)]
    one = [outcome(str(k), noul(k % 2 == 0)) for k in range(40)]
    figures = [summarise(given)["sources"]["made"]["modes"]["noul"]["accuracy"] for given in (many, one)]
    assert figures[0]["low"] == pytest.approx(figures[1]["low"])
    assert figures[0]["high"] == pytest.approx(figures[1]["high"])
    assert figures[1]["low"] == pytest.approx(0.5 - 1.96 * (0.25 / 40) ** 0.5, abs=0.03)


def test_an_interval_of_nothing():
    sums = Resampler(resamples=20).sums("made", np.zeros((3, 2)))
    assert sums.shape == (21, 2)
    assert interval(sums[:, 0], sums[:, 1]) is None


# The majority baseline


def test_the_majority_is_taken_among_the_offered():
    train = Majority()
    for name, number in (("rain", 50), ("sun", 20), ("snow", 5)):
        for _ in range(number):
            train.add("made", choice(("rain", "sun", "snow"), name))
    assert train.baseline("made", choice(("snow", "sun"), "sun")).right == 1.0
    assert train.baseline("made", choice(("snow", "rain"), "snow")).right == 0.0


def test_a_field_is_known_by_its_name_first():
    train = Majority()
    for _ in range(30):
        train.add("made", noul(True, pointer="/spam", gold=False))
        train.add("made", noul(True, pointer="/urgent", gold=True))
        train.add("made", noul(True, pointer="/other", gold=True))
    assert train.baseline("made", noul(True, pointer="/spam", gold=False)).right == 1.0
    assert train.baseline("made", noul(True, pointer="/urgent", gold=True)).right == 1.0
    assert train.baseline("made", noul(True, pointer="/never seen", gold=True)).right == 1.0


def test_unknown_options_fall_back_to_their_place_and_then_to_chance():
    train = Majority()
    assert train.baseline("made", choice(("a", "b", "c", "d"), "c")).right == 0.25
    for k in range(10):
        train.add("made", choice((f"x{k}", f"y{k}", f"z{k}"), f"y{k}"))
    assert train.baseline("made", choice(("a", "b", "c"), "b")).right == 1.0
    assert train.baseline("made", choice(("a", "b", "c"), "a")).right == 0.0


def test_without_train_records_no_record_answers_itself():
    """Options that occur once each: counted naively, every one would be the majority of itself."""
    outcomes = [outcome(str(k), choice(tuple(f"{k}{letter}" for letter in "abcd"), f"{k}a")) for k in range(50)]
    shuffled = [
        outcome(str(k), choice(tuple(f"{k}{letter}" for letter in "abcd"), f"{k}{'abcd'[k % 4]}")) for k in range(400)
    ]
    by_place, origin = baselines(outcomes, None)
    assert origin == {"made": "folds"}
    assert all(found["/a"].right == 1.0 for found in by_place)  # always the first: that is a baseline
    chance, _ = baselines(shuffled, None)
    assert np.mean([found["/a"].right for found in chance]) < 0.35


def choice(offered: tuple[str, ...], gold: str) -> FieldOutcome:
    index = offered.index(gold)
    return FieldOutcome(
        pointer="/a", mode="decide.choice", right=False, gold=gold, key="a", offered=offered, gold_index=index
    )
