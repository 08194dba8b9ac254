"""Values into one object of the schema's shape, checked before anyone sees it."""

from __future__ import annotations

from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.engine.assemble import assemble, check
from deg_core.engine.extract import MISSING
from deg_core.errors import FillError

LEAF = {"type": "string"}


def objects(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_flat():
    plan = compile_schema(objects(b=LEAF, a={"type": ["number", "null"]}))
    value = assemble(plan, {"/b": "x", "/a": None})
    assert value == {"b": "x", "a": None}
    assert list(value) == ["b", "a"]


def test_left_out_keys():
    plan = compile_schema(objects(a=LEAF, b=LEAF, c=LEAF))
    assert assemble(plan, {"/a": MISSING, "/b": "x", "/c": MISSING}) == {"b": "x"}


def test_nested_objects_in_schema_order():
    plan = compile_schema(objects(z=objects(y=objects(x=LEAF), w=LEAF), a=LEAF))
    value = assemble(plan, {"/z/y/x": 1, "/z/w": 2, "/a": 3})
    assert value == {"z": {"y": {"x": 1}, "w": 2}, "a": 3}
    assert list(value) == ["z", "a"]
    assert list(value["z"]) == ["y", "w"]


def test_objects_are_there_without_their_leaves():
    plan = compile_schema(objects(a=objects(b=LEAF, c=objects(d=LEAF)), e=objects(), f=objects(g=objects())))
    assert assemble(plan, {"/a/b": MISSING, "/a/c/d": MISSING}) == {"a": {"c": {}}, "e": {}, "f": {"g": {}}}


def test_nothing_at_all():
    assert assemble(compile_schema({"type": "object"}), {}) == {}


def test_names_that_look_like_pointers():
    plan = compile_schema({"type": "object", "properties": {"a/b": LEAF, "~": objects(**{"": LEAF}), "0": LEAF}})
    value = assemble(plan, {"/a~1b": "x", "/~0/": "y", "/0": "z"})
    assert value == {"a/b": "x", "~": {"": "y"}, "0": "z"}


def test_values_that_are_empty_stay():
    plan = compile_schema(objects(a=LEAF, b={"type": "boolean"}, c={"type": "number"}))
    assert assemble(plan, {"/a": "", "/b": False, "/c": 0}) == {"a": "", "b": False, "c": 0}


def test_a_valid_value_passes():
    plan = compile_schema(objects(a={"type": "string", "pattern": "^x"}, n={"type": "number", "multipleOf": 0.01}))
    check(plan, {"a": "xy", "n": 19.99})


def test_an_invalid_value_is_an_error_with_every_place():
    schema = objects(a={"type": "string", "pattern": "^x"}, b=objects(n={"type": "integer", "minimum": 20}))
    plan = compile_schema(schema | {"required": ["a", "c"]} | {"properties": {**schema["properties"], "c": LEAF}})
    with pytest.raises(FillError) as caught:
        check(plan, {"a": "y", "b": {"n": 3}})
    message = str(caught.value)
    assert "not valid against the schema" in message
    assert "a: " in message
    assert "b/n: " in message
    assert "(root): " in message
