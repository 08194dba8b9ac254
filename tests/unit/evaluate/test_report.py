"""Comparisons of two predictors, and tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deg_core.evaluate.metrics import summarise
from deg_core.evaluate.paired import compare
from deg_core.evaluate.report import COLUMNS, COMPARED_COLUMNS, compared_rows, markdown, rows, write_report
from tests.unit.evaluate.making import noul, outcome, record, scored


def test_a_difference_is_paired():
    """Both are right on half of the records, on the same ones but for five: far surer than two separate intervals."""
    a = [outcome(str(k), noul(k % 2 == 0 or k < 10)) for k in range(100)]
    b = [outcome(str(k), noul(k % 2 == 0)) for k in range(100)]
    found = compare(a, b)["micro"]["noul"]
    assert found["a"] == pytest.approx(0.55)
    assert found["b"] == pytest.approx(0.5)
    assert found["difference"] == pytest.approx(0.05)
    assert found["above_zero"]
    assert 0 < found["low"] < 0.05 < found["high"] < 0.11
    back = compare(b, a)["micro"]["noul"]
    assert (back["low"], back["high"]) == pytest.approx((-found["high"], -found["low"]))
    assert back["below_zero"]


def test_equals_are_not_above_zero():
    a = [outcome(str(k), noul(k % 3 == 0)) for k in range(60)]
    found = compare(a, a)["micro"]
    assert found["noul"]["difference"] == found["noul"]["low"] == found["noul"]["high"] == 0
    assert not found["noul"]["above_zero"]
    assert set(found) == {"noul", "all"}


def test_only_the_same_records_count():
    a = [outcome(str(k), noul(True)) for k in range(10)]
    b = [outcome(str(k), noul(False), record="1" * 16 if k == 0 else "0" * 16) for k in range(5)]
    found = compare(a, b)
    assert found["records"] == 4
    assert found["left_out"] == {"a": 6, "b": 1}


def test_scales_texts_and_typed_values():
    properties = {
        "level": {"type": "integer", "minimum": 0, "maximum": 4},
        "name": {"type": "string"},
        "n": {"type": "number"},
        "on": {"type": "string", "format": "date"},
    }
    made = record("1", "text", properties, {"level": 0, "name": "the red car", "n": 1, "on": "2026-01-01"})
    good = scored(made, {"level": 1, "name": "red car", "n": 1, "on": "2026-01-01"})
    poor = scored(made, {"level": 4, "name": "bus", "n": 2, "on": "2026-01-01"})
    found = compare([good], [poor])["micro"]
    assert found["score_mae"]["difference"] == 3
    assert found["span_f1"]["difference"] == pytest.approx(0.8)
    assert found["span"]["difference"] == 0
    assert found["number+date"] == {**found["number+date"], "a": 1.0, "b": 0.5, "n": 2}
    assert found["all"]["difference"] == pytest.approx(0.25)


def test_the_mean_of_sources():
    a = [outcome(str(k), noul(True), source="big") for k in range(9)] + [outcome("x", noul(False), source="small")]
    b = [outcome(str(k), noul(False), source="big") for k in range(9)] + [outcome("x", noul(True), source="small")]
    found = compare(a, b)
    assert found["micro"]["noul"]["difference"] == pytest.approx(0.8)
    assert found["macro"]["noul"]["difference"] == pytest.approx(0.0)
    assert found["sources"]["small"]["noul"]["difference"] == -1


def test_nine_records_are_no_verdict():
    a = [outcome(str(k), noul(True)) for k in range(9)]
    b = [outcome(str(k), noul(False)) for k in range(9)]
    found = compare(a, b)["micro"]["noul"]
    assert found["low"] == 1
    assert not found["above_zero"]
    assert compared_rows({"noul": found})[0][-1] == "too few records"


def test_nothing_to_compare():
    found = compare([], [])
    assert found["records"] == 0
    assert found["micro"] == found["macro"] == {}
    assert summarise([])["records"] == 0
    assert rows(summarise([])) == []


def test_tables():
    outcomes = [outcome(str(k), noul(k > 0, confidence=0.9)) for k in range(4)]
    summary = summarise(outcomes, resamples=20)
    body = rows(summary)
    assert all(len(row) == len(COLUMNS) for row in body)
    assert [row[:3] for row in body] == [
        ("made", "noul", "4"),
        ("all fields", "noul", "4"),
        ("all fields", "all", "4"),
        ("mean of sources", "noul", "1"),
        ("mean of sources", "all", "1"),
    ]
    assert body[0][3].startswith("0.750 [")
    text = markdown(("a|b",), [("c|d",)])
    assert text == "| a|b |\n|---|\n| c\\|d |\n"
    compared = compared_rows(compare(outcomes, outcomes)["micro"])
    assert all(len(row) == len(COMPARED_COLUMNS) for row in compared)


def test_a_report_is_json_whatever_is_in_it(tmp_path: Path):
    path = tmp_path / "deep" / "report.json"
    write_report(path, {"a": float("nan"), "b": [float("inf"), 1.5], "c": {"d": "é"}})
    assert json.loads(path.read_text("utf-8")) == {"a": None, "b": [None, 1.5], "c": {"d": "é"}}
    assert "é" in path.read_text("utf-8")
