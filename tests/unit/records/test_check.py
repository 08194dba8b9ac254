"""check_record finds what does not hold, and names the place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from deg_core.records import Record, check_record
from deg_core.records.check import resolve

CONTEXT = "Invoice 77 of 3 May 2024, total 12.50 EUR. Write to ann@example.com or to ann@example.com."
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": {"type": "integer"},
        "issued": {"type": "string", "format": "date"},
        "total": {"type": ["number", "null"], "minimum": 0},
        "mail": {"type": "string", "format": "email"},
        "paid": {"type": "boolean"},
        "tone": {"type": "integer", "minimum": 1, "maximum": 3},
        "kind": {"enum": ["invoice", "offer", None]},
        "note": {"type": "string"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"a/b": {"type": "string"}}}},
    },
    "required": ["number"],
}
GOOD = Record(
    uid="t/1",
    source="t",
    split="train",
    domain="invoice",
    context=CONTEXT,
    schema=SCHEMA,
    value={"number": 77, "issued": "2024-05-03", "total": 12.5, "mail": "ann@example.com", "paid": True, "tone": 2,
           "kind": "invoice", "lines": [{"a/b": "EUR"}]},
    spans={"/number": (8, 10), "/issued": (14, 24), "/total": (32, 37), "/mail": (52, 67), "/lines/0/a~1b": (38, 41)},
    span_alternatives={"/mail": [(74, 89)]},
    decide_probs={"/kind": [0.7, 0.2, 0.1], "/tone": [0.0, 1.0, 0.0], "/paid": [0.9, 0.1]},
)  # fmt: skip


def _changed(**changes: Any) -> list[str]:
    problems = check_record(msgspec.structs.replace(GOOD, **changes))
    return ["/".join(map(str, problem["loc"])) + ": " + problem["msg"] for problem in problems]


def test_a_good_record_has_no_problem() -> None:
    assert check_record(GOOD) == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"spans": {**GOOD.spans, "/number": (8, 900)}}, "spans//number: [8, 900) does not lie in the context"),
        ({"spans": {**GOOD.spans, "/number": (10, 10)}}, "spans//number: [10, 10) does not lie"),
        ({"spans": {**GOOD.spans, "/number": (10, 11)}}, "nothing but white space"),
        ({"spans": {**GOOD.spans, "/missing": (0, 2)}}, "spans//missing: the pointer names nothing"),
        ({"spans": {**GOOD.spans, "/lines/1/a~1b": (0, 2)}}, "names nothing in the value"),
        ({"spans": {**GOOD.spans, "/lines": (0, 2)}}, "a span belongs to a filled leaf"),
        ({"spans": {**GOOD.spans, "/number": (14, 15)}}, "'3' reads to 3, but the value is 77"),
        ({"spans": {**GOOD.spans, "/number": (0, 7)}}, "does not read as extract.number: unparsable"),
        ({"spans": {key: span for key, span in GOOD.spans.items() if key != "/total"}}, "12.5 has no span"),
        ({"span_alternatives": {"/mail": [(0, 7)]}}, "span_alternatives//mail"),
        ({"span_alternatives": {"/paid": [(0, 7)]}}, "alternatives without a span"),
        ({"value": {**GOOD.value, "paid": "yes"}}, "value/paid: 'yes' is not of type 'boolean'"),
        ({"value": {**GOOD.value, "kind": "bill"}}, "value/kind"),
        ({"value": {**GOOD.value, "tone": 4}}, "value/tone"),
        ({"value": {**GOOD.value, "total": -1}}, "value/total"),
        ({"value": {"paid": True}, "spans": {}, "span_alternatives": {}, "decide_probs": {}}, "'number' is a required"),
        ({"decide_probs": {"/kind": [0.5, 0.5]}}, "2 probabilities for 3 outcomes"),
        ({"decide_probs": {"/kind": [0.5, 0.5, 0.5]}}, "sum to 1"),
        ({"decide_probs": {"/total": [1.0]}}, "names no decided leaf"),
        ({"span_probs": {"/mail": [0.5]}}, "1 probabilities for 2 spans"),
        ({"span_probs": {"/paid": [0.5]}}, "probabilities without a span"),
        ({"schema": {"type": "object", "properties": {"a": {"type": "string", "x-genrate": True}}}}, "schema/"),
    ],
)
def test_what_does_not_hold_is_named(changes: dict[str, Any], says: str) -> None:
    found = _changed(**changes)
    assert any(says in line for line in found), found


def test_all_problems_come_at_once() -> None:
    found = _changed(
        spans={**GOOD.spans, "/number": (8, 900), "/issued": (0, 7)}, value={**GOOD.value, "paid": "yes", "tone": 9}
    )
    assert len(found) >= 4


def test_a_null_and_a_missing_leaf_need_no_span() -> None:
    value = {"number": 77, "total": None}
    assert _changed(value=value, spans={"/number": (8, 10)}, span_alternatives={}, decide_probs={}) == []


def test_generated_text_is_held_against_its_limits() -> None:
    schema = {"type": "object", "properties": {"s": {"type": "string", "x-generate": True, "pattern": "^[a-z]+$"}}}
    plain: dict[str, Any] = {"schema": schema, "spans": {}, "span_alternatives": {}, "decide_probs": {}}
    assert _changed(value={"s": "fine"}, **plain) == []
    assert "breaks pattern" in _changed(value={"s": "Not"}, **plain)[0]


@pytest.mark.parametrize("pointer", ["number", "/x", "/lines/x", "/lines/1", "/number/0"])
def test_resolve_refuses_what_is_not_there(pointer: str) -> None:
    with pytest.raises(KeyError):
        resolve(GOOD.value, pointer)


def test_resolve() -> None:
    assert resolve(GOOD.value, "") == GOOD.value
    assert resolve(GOOD.value, "/lines/0/a~1b") == "EUR"
    assert resolve({"": {"a~b": 1}}, "//a~0b") == 1
