"""One record against its gold."""

from __future__ import annotations

from typing import Any

import pytest

from deg_core.evaluate.scoring import token_f1
from tests.unit.evaluate.making import record, scored

TEXT = "Order 17 of 3 March 2026 by Ada Lovelace. A. Lovelace pays 12.50 EUR."
NULLABLE = {"type": ["string", "null"]}
DATE = {"type": "string", "format": "date"}
NUMBER = {"type": ["number", "null"]}
SCALE = {"type": "integer", "minimum": 0, "maximum": 4}


def field(properties: dict[str, Any], value: Any, answer: Any, **more: Any) -> Any:
    (found,) = scored(record("1", TEXT, properties, {"a": value}, **more), {"a": answer}).fields
    return found


@pytest.mark.parametrize(
    ("answer", "right", "f1"),
    [
        ("Ada Lovelace", True, 1.0),
        ("A. Lovelace", True, 1.0),  # another place that is as right
        ("Ada  Lovelace", True, 1.0),
        ("ada lovelace", False, 1.0),
        ("Lovelace", False, 2 / 3),
        ("EUR", False, 0.0),
        (None, False, 0.0),
    ],
)
def test_a_span(answer: str | None, right: bool, f1: float):
    found = field({"a": NULLABLE}, "Ada Lovelace", answer, spans={"/a": (28, 40)}, span_alternatives={"/a": [(42, 53)]})
    assert (found.right, found.present, found.null) == (right, True, answer is None)
    assert found.f1 == pytest.approx(f1)
    assert found.loose == (f1 == 1.0)


def test_a_span_by_its_place_alone():
    made = record("1", TEXT, {"a": NULLABLE}, {"a": "Ada Lovelace"}, spans={"/a": (28, 40)})
    (found,) = scored(made, {"a": "other"}, spans={"/a": (28, 40)}).fields
    assert found.right


def test_the_absent():
    assert field({"a": NULLABLE}, None, None).right
    made_up = field({"a": NULLABLE}, None, "Ada")
    assert (made_up.right, made_up.present, made_up.null) == (False, False, False)
    left_out = scored(record("1", TEXT, {"a": {"type": "string"}}, {}, required=[]), {})
    assert left_out.valid
    assert left_out.fields[0].right


@pytest.mark.parametrize(
    ("properties", "value", "answer", "right"),
    [
        (NUMBER, 12.5, 12.50, True),
        (NUMBER, 12, 12.0, True),
        (NUMBER, 1, True, False),
        (NUMBER, 12.5, 12.51, False),
        (DATE, "2026-03-03", "2026-03-03", True),
        (DATE, "2026-03-03", "3 March 2026", True),
        (DATE, "2026-03-03", "2026-03-04", False),
        ({"type": "string", "format": "date-time"}, "2026-03-03T10:00:00Z", "2026-03-03T11:00:00+01:00", True),
        ({"type": "boolean"}, True, True, True),
        ({"type": "boolean"}, True, 1, False),
        ({"enum": ["x", 1, None]}, None, None, True),
        ({"enum": ["x", 1, True]}, 1, True, False),
        ({"enum": ["x", 1, True]}, 1, 1.0, True),
    ],
)
def test_values(properties: dict[str, Any], value: Any, answer: Any, right: bool):
    assert field({"a": properties}, value, answer).right is right


def test_a_scale_counts_levels():
    assert field({"a": SCALE}, 1, 3).off == 2
    assert field({"a": SCALE}, 1, 1).off == 0
    assert field({"a": {**SCALE, "type": ["integer", "null"]}}, 1, None).off == 3
    assert field({"a": {**SCALE, "type": ["integer", "null"]}}, None, 2).off is None
    (silent,) = scored(record("1", TEXT, {"a": SCALE}, {"a": 3}), None).fields
    assert (silent.right, silent.answered, silent.off) == (False, False, 3)


def test_no_answer_is_wrong_everywhere():
    made = record("1", TEXT, {"a": NULLABLE, "b": {"type": "boolean"}}, {"a": None, "b": False})
    found = scored(made, None)
    assert not found.valid
    assert [(f.right, f.answered, f.null) for f in found.fields] == [(False, False, False)] * 2


def test_an_invalid_answer_is_scored_by_field():
    made = record("1", TEXT, {"a": {"type": "number", "maximum": 10}, "b": {"type": "boolean"}}, {"a": 3, "b": True})
    found = scored(made, {"a": 17, "b": True})
    assert not found.valid
    assert [f.right for f in found.fields] == [False, True]


def test_options_are_known_by_what_they_mean():
    options = {"oneOf": [{"const": "A", "description": "Dim the lights!"}, {"const": "mid-price"}, {"const": 3}]}
    found = field({"a": options}, "mid-price", "A")
    assert found.offered == ("dim the lights", "mid price", "3")
    assert found.gold_index == 1


def test_decide_fields_without_gold_are_left_out():
    made = record("1", TEXT, {"a": {"enum": ["x", "y"]}, "b": {"type": "boolean"}}, {"b": True}, required=["b"])
    assert [f.pointer for f in scored(made, {"a": "x", "b": True}).fields] == ["/b"]


def test_token_f1():
    assert token_f1("the red, red car", "The red bus") == pytest.approx(2 * 2 / 7)
    assert token_f1("!", "!") == 1.0
    assert token_f1("", "") == 0.0
