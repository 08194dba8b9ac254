"""Local references: what they reach, what overrides what, and where a cycle is named (SPEC 5)."""

from __future__ import annotations

from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema, schema_problems
from deg_core.contract.plan import FillPlan, Mode

S = {"type": "string"}


def plan(properties: dict[str, Any], **more: Any) -> FillPlan:
    return compile_schema({"type": "object", "properties": properties, **more})


@pytest.mark.parametrize(
    ("ref", "more"),
    [
        ("#/$defs/x", {"$defs": {"x": S}}),
        ("#/definitions/x", {"definitions": {"x": S}}),
        ("#/properties/b", {}),
        ("#/$defs/a~1b", {"$defs": {"a/b": S}}),
        ("#/$defs/a~0b", {"$defs": {"a~b": S}}),
        ("#/$defs/a~01b", {"$defs": {"a~1b": S}}),
        ("#/$defs/a%20b", {"$defs": {"a b": S}}),
        ("#/$defs/a%25b", {"$defs": {"a%b": S}}),
        ("#/$defs/%C5%BE", {"$defs": {"ž": S}}),
        ("#/$defs/ž", {"$defs": {"ž": S}}),
        ("#/$defs/", {"$defs": {"": S}}),
        ("#/$defs/x/properties/y", {"$defs": {"x": {"type": "object", "properties": {"y": S}}}}),
        ("#/$defs/x/anyOf/0", {"$defs": {"x": {"anyOf": [S, {"type": "null"}]}}}),
        ("#/$defs/x/items", {"$defs": {"x": {"type": "array", "items": S}}}),
        ("#/$defs/one", {"$defs": {"one": {"$ref": "#/$defs/two"}, "two": {"$ref": "#/$defs/three"}, "three": S}}),
    ],
)
def test_targets(ref: str, more: dict[str, Any]):
    field = plan({"a": {"$ref": ref}, "b": S}, **more).field("/a")
    assert (field.mode, field.json_type) == (Mode.SPAN, "string")


def test_annotations_beside_a_reference_override_the_target():
    defs = {
        "inner": {"type": "string", "title": "inner title", "description": "inner"},
        "outer": {"$ref": "#/$defs/inner", "description": "outer"},
    }
    fields = plan(
        {
            "plain": {"$ref": "#/$defs/inner"},
            "one": {"$ref": "#/$defs/inner", "description": "mine", "default": 3, "examples": []},
            "two": {"$ref": "#/$defs/outer"},
            "three": {"$ref": "#/$defs/outer", "title": "mine"},
            "null": {"anyOf": [{"$ref": "#/$defs/outer"}, {"type": "null"}], "title": "mine"},
        },
        **{"$defs": defs},
    ).fields
    assert [(f.title, f.description) for f in fields] == [
        ("inner title", "inner"),
        ("inner title", "mine"),
        ("inner title", "outer"),
        ("mine", "outer"),
        ("mine", "outer"),
    ]


def test_the_two_refining_annotations_may_stand_beside_a_reference():
    fields = plan(
        {
            "a": {"$ref": "#/$defs/text", "x-max-tokens": 9},
            "b": {"$ref": "#/$defs/scale", "x-levels": {"1": "low"}, "description": "d"},
            "c": {"$ref": "#/$defs/scale"},
        },
        **{
            "$defs": {
                "text": {"type": "string", "x-generate": True, "x-max-tokens": 5},
                "scale": {"type": "integer", "minimum": 1, "maximum": 2, "x-levels": {"2": "high"}},
            }
        },
    ).fields
    assert fields[0].max_tokens == 9
    assert (fields[1].level_labels, fields[1].description) == (("low", None), "d")
    assert fields[2].level_labels == (None, "high")


def test_the_root_may_be_a_reference():
    document = {"$ref": "#/$defs/Root", "$defs": {"Root": {"type": "object", "properties": {"a": S}}}}
    assert [field.pointer for field in compile_schema(document)] == ["/a"]


def test_enum_branches_may_be_references():
    field = plan(
        {"a": {"oneOf": [{"$ref": "#/$defs/x", "description": "mine"}, {"$ref": "#/$defs/y"}]}},
        **{"$defs": {"x": {"const": "x", "description": "its"}, "y": {"enum": ["y", "z"]}}},
    ).fields[0]
    assert (field.options, field.option_descriptions) == (("x", "y", "z"), ("mine", None, None))


@pytest.mark.parametrize(
    ("properties", "defs", "cycle"),
    [
        ({"a": {"$ref": "#/$defs/x"}}, {"x": {"$ref": "#/$defs/x"}}, "#/$defs/x -> #/$defs/x"),
        (
            {"a": {"$ref": "#/$defs/x"}},
            {"x": {"$ref": "#/$defs/y"}, "y": {"$ref": "#/$defs/z"}, "z": {"$ref": "#/$defs/x"}},
            "#/$defs/x -> #/$defs/y -> #/$defs/z -> #/$defs/x",
        ),
        (
            {"a": {"$ref": "#/$defs/tree"}},
            {"tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}},
            "#/$defs/tree -> #/$defs/tree",
        ),
        (
            {"a": {"$ref": "#/$defs/list"}},
            {
                "list": {
                    "type": "object",
                    "properties": {"next": {"anyOf": [{"$ref": "#/$defs/list"}, {"type": "null"}]}},
                }
            },
            "#/$defs/list -> #/$defs/list",
        ),
        ({"a": {"type": "array", "items": {"$ref": "#"}}}, {}, "# -> #"),
        ({"a": {"type": "array", "items": {"$ref": "#/properties/a"}}}, {}, "#/properties/a -> #/properties/a"),
        (
            {"a": {"oneOf": [{"$ref": "#/$defs/x"}, {"const": 1}]}},
            {"x": {"$ref": "#/$defs/x"}},
            "#/$defs/x -> #/$defs/x",
        ),
    ],
)
def test_cycles_are_named(properties: dict[str, Any], defs: dict[str, Any], cycle: str):
    found = schema_problems({"type": "object", "properties": properties, "$defs": defs})
    assert [problem.rule for problem in found] == ["ref-cycle"]
    assert f": {cycle};" in found[0].msg


def test_the_same_definition_twice_is_no_cycle():
    point = {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}}
    fields = plan({"from": {"$ref": "#/$defs/p"}, "to": {"$ref": "#/$defs/p"}}, **{"$defs": {"p": point}}).fields
    assert [field.pointer for field in fields] == ["/from/x", "/from/y", "/to/x", "/to/y"]


def test_a_problem_in_a_target_is_reported_once_and_there():
    document = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#/$defs/x"}, "c": {"$ref": "#/examples/0"}},
        "$defs": {"x": {"type": "string", "minimum": 3}},
        "examples": [{"type": "string", "minLength": "3"}],
    }
    assert [(p.loc, p.rule) for p in schema_problems(document)] == [
        (("$defs", "x", "minimum"), "keyword-type"),
        (("examples", 0, "minLength"), "malformed"),  # reached by a reference only, and checked all the same
    ]


def test_an_identified_subschema_is_the_root_of_its_own_references():
    own = {
        "$id": "https://example.com/own",
        "type": "object",
        "properties": {"v": {"$ref": "#/$defs/t"}},
        "$defs": {"t": S},
    }
    document = {
        "type": "object",
        "properties": {"a": own, "b": {"$ref": "#/properties/a"}},
        "$defs": {"t": {"type": "number"}},
    }
    assert [field.json_type for field in compile_schema(document)] == ["string", "string"]
    document["$schema"] = "http://json-schema.org/draft-07/schema#"
    assert [field.json_type for field in compile_schema(document)] == ["string", "string"]


def test_definitions_that_nothing_refers_to_may_use_all_of_json_schema():
    assert len(plan({"a": S}, **{"$defs": {"b": {"allOf": [{"not": {}}], "x-other": 1}}}).fields) == 1
