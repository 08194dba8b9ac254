"""Records without arrays and written texts."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.validate import value_problems
from deg_core.evaluate.prune import prune, prune_record
from deg_core.records import Record

ROWS = {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "An order",
    "properties": {
        "name": {"type": "string", "description": "who"},
        "rows": ROWS,
        "sum/total": {
            "type": "object",
            "properties": {
                "amount": {"type": ["number", "null"]},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["amount", "tags"],
        },
        "reply": {"type": "string", "x-generate": True},
    },
    "required": ["name", "rows", "sum/total", "reply"],
    "additionalProperties": False,
}
VALUE: dict[str, Any] = {
    "name": "Ada",
    "rows": [{"n": 1}],
    "sum/total": {"amount": 3, "tags": ["x"]},
    "reply": "Dear Ada",
}
SPANS = {"/name": (0, 3), "/rows/0/n": (4, 5), "/sum~1total/amount": (6, 7), "/sum~1total/tags/0": (8, 9)}


def test_arrays_and_written_texts_go_and_the_rest_stays():
    before = copy.deepcopy((SCHEMA, VALUE, SPANS))
    schema, value, spans = prune(SCHEMA, VALUE, SPANS)
    assert before == (SCHEMA, VALUE, SPANS)
    expected = copy.deepcopy(SCHEMA)
    del expected["properties"]["rows"], expected["properties"]["reply"]
    expected["required"] = ["name", "sum/total"]
    inner = expected["properties"]["sum/total"]
    del inner["properties"]["tags"]
    inner["required"] = ["amount"]
    assert schema == expected
    assert list(schema["properties"]) == ["name", "sum/total"]
    assert value == {"name": "Ada", "sum/total": {"amount": 3}}
    assert spans == {"/name": (0, 3), "/sum~1total/amount": (6, 7)}
    assert not value_problems(compile_schema(schema).schema, value)


def test_a_schema_without_either_is_untouched():
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": []}
    assert prune(schema, {"a": "x"}, {"/a": (0, 1)}) == (schema, {"a": "x"}, {"/a": (0, 1)})


def test_an_object_may_end_up_empty():
    schema = {"type": "object", "properties": {"o": {"type": "object", "properties": {"rows": ROWS}}}}
    pruned, value, _ = prune(schema, {"o": {"rows": []}}, {})
    assert pruned == {"type": "object", "properties": {"o": {"type": "object", "properties": {}}}}
    assert value == {"o": {}}
    assert compile_schema(pruned).fields == ()


def test_definitions_are_pruned_where_they_stand():
    party = {"type": "object", "properties": {"name": {"type": "string"}, "rows": ROWS}, "required": ["name", "rows"]}
    schema = {
        "type": "object",
        "properties": {"buyer": {"$ref": "#/$defs/party"}, "seller": {"$ref": "#/$defs/party", "title": "who sells"}},
        "$defs": {"party": party},
    }
    pruned, value, _ = prune(schema, {"buyer": {"name": "A", "rows": []}, "seller": {"name": "B", "rows": []}}, {})
    assert pruned["properties"] == schema["properties"]
    assert pruned["$defs"]["party"] == {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    }
    assert value == {"buyer": {"name": "A"}, "seller": {"name": "B"}}


def test_a_reference_into_what_is_removed_is_written_out():
    item = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
    }
    schema = {
        "type": "object",
        "properties": {
            "all": {"type": "array", "items": item},
            "first": {"$ref": "#/properties/all/items", "description": "the first one"},
        },
    }
    pruned, value, _ = prune(schema, {"all": [], "first": {"name": "A", "tags": []}}, {})
    assert pruned["properties"] == {
        "first": {"type": "object", "properties": {"name": {"type": "string"}}, "description": "the first one"}
    }
    assert value == {"first": {"name": "A"}}
    assert [field.pointer for field in compile_schema(pruned).fields] == ["/first/name"]


def record(schema: dict[str, Any], value: dict[str, Any], **more: Any) -> Record:
    return Record(
        uid="1", source="made", split="test", domain="made", context="Ada 1 3 x", schema=schema, value=value, **more
    )


def test_a_whole_record():
    made = record(
        SCHEMA,
        VALUE,
        spans=SPANS,
        span_alternatives={"/rows/0/n": [(0, 1)], "/name": [(4, 5)]},
        span_probs={"/name": [0.5, 0.5], "/rows/0/n": [1.0]},
    )
    left = prune_record(made)
    assert left is not None
    assert set(left.spans) == {"/name", "/sum~1total/amount"}
    assert left.span_alternatives == {"/name": [(4, 5)]}
    assert left.span_probs == {"/name": [0.5, 0.5]}
    assert prune_record(left) is left


@pytest.mark.parametrize("properties", [{"rows": ROWS}, {"reply": {"type": "string", "x-generate": True}}, {}])
def test_nothing_left(properties: dict[str, Any]):
    assert prune_record(record({"type": "object", "properties": properties}, {})) is None


# Arrays kept


def test_only_written_texts_go_where_arrays_are_kept():
    schema, value, spans = prune(SCHEMA, VALUE, SPANS, arrays=True)
    expected = copy.deepcopy(SCHEMA)
    del expected["properties"]["reply"]
    expected["required"] = ["name", "rows", "sum/total"]
    assert schema == expected
    assert value == {key: entry for key, entry in VALUE.items() if key != "reply"}
    assert spans == SPANS


def test_written_texts_in_items_go_too():
    item = {
        "type": "object",
        "properties": {
            "n": {"type": "number"},
            "why": {"type": "string", "x-generate": True},
            "notes": {"type": "array", "items": {"type": "string", "x-generate": True}},
            "inner": {"type": "array", "items": {"type": "object", "properties": {"why": {"$ref": "#/$defs/why"}}}},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["n", "why", "notes"],
    }
    schema = {
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
        "$defs": {"item": item, "why": {"type": "string", "x-generate": True}},
    }
    value = {"rows": [{"n": 1, "why": "a", "notes": ["b"], "inner": [{"why": "c"}], "tags": ["x"]}, {"n": 2}]}
    spans = {"/rows/0/n": (0, 1), "/rows/0/why": (2, 3), "/rows/0/notes/0": (2, 3), "/rows/0/tags/0": (4, 5)}
    pruned, left, kept = prune(schema, value, spans, arrays=True)
    assert [field.pointer for field in compile_schema(pruned).fields] == ["/rows/*/n", "/rows/*/tags/*"]
    assert pruned["$defs"]["item"]["required"] == ["n"]
    assert left == {"rows": [{"n": 1, "tags": ["x"]}, {"n": 2}]}
    assert kept == {"/rows/0/n": (0, 1), "/rows/0/tags/0": (4, 5)}


def test_a_property_with_a_number_for_a_name_is_no_item():
    schema = {
        "type": "object",
        "properties": {
            "a": {
                "type": "object",
                "properties": {"0": {"type": "number"}, "t": {"type": "string", "x-generate": True}},
            }
        },
    }
    _, _, kept = prune(schema, {"a": {"0": 1, "t": "x"}}, {"/a/0": (0, 1), "/a/t": (1, 2)}, arrays=True)
    assert kept == {"/a/0": (0, 1)}


def test_a_record_of_arrays_alone():
    made = record({"type": "object", "properties": {"rows": ROWS}}, {"rows": [{"n": 1}]})
    assert prune_record(made) is None
    assert prune_record(made, arrays=True) is made
    notes = {"type": "array", "items": {"type": "string", "x-generate": True}}
    assert prune_record(record({"type": "object", "properties": {"notes": notes}}, {}), arrays=True) is None


def test_references_that_nobody_broke_stay_text_for_text():
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x"}, "rows": ROWS},
        "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"type": "string"}},
    }
    pruned, _, _ = prune(schema, {"a": "x", "rows": []}, {})
    del schema["properties"]["rows"]
    assert json.dumps(pruned) == json.dumps(schema)
