"""Fingerprints: the documented bytes, golden values, what moves them and what does not (SPEC 6)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.fingerprint import canonical_bytes

GOLDEN = Path(__file__).parents[2] / "golden" / "fingerprints.json"
S = {"type": "string"}


def of(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **more}


def cases() -> list[dict[str, Any]]:
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_golden(case: dict[str, Any]):
    plan = compile_schema(case["schema"])
    assert {field.pointer: field.fingerprint for field in plan} == case["fields"]
    assert plan.fingerprint == case["plan"]


def test_the_bytes_of_a_leaf_are_the_documented_ones():
    plan = compile_schema(
        of(
            {
                "rows": {
                    "type": "array",
                    "minItems": 1,
                    "title": "Rows",
                    "items": of({"ž": {"type": ["number", "null"], "minimum": 0.5}}),
                }
            }
        )
    )
    text = (
        '["deg-field-1",["rows",0,"ž"],"extract.number","number",false,true,"null",null,null,'
        '[],[],[],[],false,null,[["minimum",0.5]],null,[[1,null,false,false,"Rows",null]]]'
    )
    assert plan.fields[0].fingerprint == hashlib.sha256(text.encode("utf-8")).hexdigest()
    lines = f"deg-plan-1\nparallel {plan.fields[0].fingerprint}\n"
    assert plan.fingerprint == hashlib.sha256(lines.encode("ascii")).hexdigest()


def test_canonical_bytes():
    value = {"b": [1.0, 0.1, 1e-7, 1e300, True, None], "a": "ž\n"}
    assert canonical_bytes(value) == '{"a":"ž\\n","b":[1,0.1,1e-07,1e+300,true,null]}'.encode()


def leaf(schema: dict[str, Any], required: bool = True) -> str:
    return compile_schema(of({"a": schema}, required=["a"] if required else [])).fields[0].fingerprint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 5}, {"maximum": 5.0, "type": "integer", "minimum": 1e0}),
        ({"enum": [1, 2.5]}, {"enum": [1.0, 2.5]}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "null"}, S]}),
        ({"enum": ["a", "b"]}, {"oneOf": [{"const": "a"}, {"const": "b"}]}),
        ({**S, "x-generate": False}, S),
        ({**S, "default": "x", "examples": ["y"], "$comment": "z", "readOnly": True}, S),
        (
            {"type": "integer", "minimum": 1, "maximum": 3},
            {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 4},
        ),
    ],
)
def test_same_meaning_same_fingerprint(one: dict[str, Any], other: dict[str, Any]):
    assert leaf(one) == leaf(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (S, {**S, "description": "d"}),
        ({**S, "description": "d"}, {**S, "title": "d"}),
        (S, {**S, "format": "email"}),
        (S, {**S, "maxLength": 5}),
        ({**S, "maxLength": 5}, {**S, "maxLength": 6}),
        (S, {"type": ["string", "null"]}),
        (S, {**S, "x-generate": True}),
        ({**S, "x-generate": True}, {**S, "x-generate": True, "x-max-tokens": 5}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}),
        ({"enum": [1, 2]}, {"enum": ["1", "2"]}),
        ({"enum": [1, "x"]}, {"enum": [True, "x"]}),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {"oneOf": [{"const": "a", "description": "d"}, {"const": "b"}]}),
        ({"type": "integer", "minimum": 1, "maximum": 3}, {"type": "integer", "minimum": 1, "maximum": 4}),
        (
            {"type": "integer", "minimum": 1, "maximum": 3},
            {"type": "integer", "minimum": 1, "maximum": 3, "x-levels": {"1": "low"}},
        ),
    ],
)
def test_other_meaning_other_fingerprint(one: dict[str, Any], other: dict[str, Any]):
    assert leaf(one) != leaf(other)


def test_being_required_is_part_of_a_leaf():
    assert leaf(S) != leaf(S, required=False)


def test_a_leaf_has_one_fingerprint_wherever_it_appears():
    inner = of({"x": S}, required=["x"])
    alone = compile_schema(of({"o": inner})).field("/o/x").fingerprint
    more = of({"first": S, "o": of({"y": S, "x": S}, required=["x"], description="other"), "last": S}, required=["o"])
    assert compile_schema(more).field("/o/x").fingerprint == alone


def test_a_place_is_part_of_a_leaf():
    star = compile_schema(of({"a": of({"*": S})})).fields[0].fingerprint
    item = compile_schema(of({"a": {"type": "array", "items": S}})).fields[0].fingerprint
    other = compile_schema(of({"b": of({"*": S})})).fields[0].fingerprint
    assert len({star, item, other}) == 3


def test_an_array_is_part_of_its_leaves():
    found = {
        compile_schema(of({"a": {"type": "array", "items": of({"x": S}), **more}})).fields[0].fingerprint
        for more in ({}, {"maxItems": 3}, {"minItems": 1}, {"uniqueItems": True}, {"description": "d"})
    }
    assert len(found) == 5


def test_order_in_a_plan():
    parallel = {"a": S, "b": {"type": "boolean"}, "c": {"type": "number"}}
    written = {"g": {**S, "x-generate": True}, "h": {**S, "x-generate": True}}
    first = compile_schema(of({**parallel, **written}))
    moved = compile_schema(of({"g": written["g"], "c": parallel["c"], "b": parallel["b"], "h": written["h"], "a": S}))
    swapped = compile_schema(of({**parallel, "h": written["h"], "g": written["g"]}))
    assert first.fingerprint == moved.fingerprint
    assert first.fingerprint != swapped.fingerprint
    assert {f.fingerprint for f in first} == {f.fingerprint for f in swapped}
