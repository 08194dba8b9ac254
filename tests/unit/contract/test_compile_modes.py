"""Which mode, outcomes and constraints each supported schema gives (SPEC 2 to 4)."""

from __future__ import annotations

from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import ITEM, FieldPlan, Mode

BOOLEAN_OPTIONS = (True, False, None)


def leaf(schema: dict[str, Any], *, required: bool = True) -> FieldPlan:
    """The one leaf of an object whose property ``a`` has this schema."""
    document = {"type": "object", "properties": {"a": schema}, "required": ["a"] if required else []}
    (field,) = compile_schema(document).fields
    return field


@pytest.mark.parametrize(
    ("schema", "mode"),
    [
        ({"enum": ["a", "b"]}, Mode.CHOICE),
        ({"enum": [1, "1"]}, Mode.CHOICE),
        ({"type": "string", "enum": ["a", "b"]}, Mode.CHOICE),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, Mode.CHOICE),
        ({"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]}, Mode.CHOICE),
        ({"oneOf": [{"enum": ["b", "c"]}]}, Mode.CHOICE),
        ({"type": "boolean", "enum": [True, False]}, Mode.CHOICE),
        ({"type": "boolean"}, Mode.NOUL),
        ({"type": ["boolean"]}, Mode.NOUL),
        ({"type": ["boolean", "null"]}, Mode.CHOICE),
        ({"type": "integer", "minimum": 0, "maximum": 10}, Mode.SCORE),
        ({"type": "integer", "minimum": 0, "maximum": 11}, Mode.NUMBER),
        ({"type": "integer", "minimum": 1, "maximum": 2}, Mode.SCORE),
        ({"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 25}, Mode.SCORE),
        ({"type": "integer", "minimum": 0}, Mode.NUMBER),
        ({"type": "integer", "maximum": 5}, Mode.NUMBER),
        ({"type": "integer"}, Mode.NUMBER),
        ({"type": "number", "minimum": 0, "maximum": 1}, Mode.NUMBER),
        ({"type": "number", "minimum": 1, "maximum": 5, "multipleOf": 1}, Mode.NUMBER),
        ({"type": "string", "format": "date"}, Mode.DATE),
        ({"type": "string", "format": "date-time"}, Mode.DATE),
        ({"type": "string", "format": "email"}, Mode.SPAN),
        ({"type": "string", "format": "uri"}, Mode.SPAN),
        ({"type": "string", "format": "uuid"}, Mode.SPAN),
        ({"type": "string"}, Mode.SPAN),
        ({"type": "string", "x-generate": False}, Mode.SPAN),
        ({"type": "string", "x-generate": True}, Mode.GENERATE),
    ],
)
def test_mode(schema: dict[str, Any], mode: Mode):
    field = leaf(schema)
    assert field.mode is mode
    assert field.json_type == (
        "enum" if mode is Mode.CHOICE else schema["type"] if "boolean" not in schema["type"] else "boolean"
    )


@pytest.mark.parametrize(
    ("bounds", "levels"),
    [
        ({"minimum": 1, "maximum": 5}, (1, 2, 3, 4, 5)),
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 4}, (1, 2, 3)),
        ({"minimum": 0.5, "maximum": 3.5}, (1, 2, 3)),
        ({"exclusiveMinimum": 0.5, "maximum": 3.0}, (1, 2, 3)),
        ({"minimum": 0, "exclusiveMinimum": 1, "maximum": 4}, (2, 3, 4)),
        ({"minimum": 2, "exclusiveMinimum": 1, "maximum": 4}, (2, 3, 4)),
        ({"minimum": -3, "maximum": 3, "multipleOf": 2}, (-2, 0, 2)),
        ({"minimum": 0, "maximum": 2, "multipleOf": 0.5}, (0, 1, 2)),
        ({"minimum": 0, "maximum": 9, "multipleOf": 1.5}, (0, 3, 6, 9)),
        ({"minimum": 0, "maximum": 1, "multipleOf": 0.1}, (0, 1)),
        ({"minimum": 10**300, "maximum": 10**300 + 2}, (10**300, 10**300 + 1, 10**300 + 2)),
    ],
)
def test_levels(bounds: dict[str, Any], levels: tuple[int, ...]):
    field = leaf({"type": "integer", **bounds})
    assert (field.mode, field.levels) == (Mode.SCORE, levels)
    assert all(type(level) is int for level in field.levels)
    assert field.constraints == ()


def test_draft_04_bounds_are_flags():
    document = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            "a": {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "maximum": 3, "exclusiveMaximum": False},
            "b": {"type": "number", "maximum": 1, "exclusiveMaximum": True},
        },
    }
    score, number = compile_schema(document).fields
    assert score.levels == (1, 2, 3)
    assert number.constraints == (("exclusiveMaximum", 1),)


def test_level_labels():
    field = leaf({"type": "integer", "minimum": 0, "maximum": 2, "x-levels": {"2": "good", "0": "bad"}})
    assert field.level_labels == ("bad", None, "good")
    assert leaf({"type": "integer", "minimum": -1, "maximum": 0, "x-levels": {"-1": "x"}}).level_labels == ("x", None)


@pytest.mark.parametrize(
    ("schema", "options", "descriptions"),
    [
        ({"enum": ["b", "a"]}, ("b", "a"), (None, None)),
        ({"enum": [1, True, "1", None]}, (1, True, "1", None), (None,) * 4),
        ({"enum": [1.0, 2.5]}, (1, 2.5), (None, None)),
        ({"type": ["string", "null"], "enum": ["a", None]}, ("a", None), (None, None)),
        # The enum refuses null whatever the type says.
        ({"type": ["string", "null"], "enum": ["a", "b"]}, ("a", "b"), (None, None)),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, ("a", "b", None), (None, None, None)),
        ({"anyOf": [{"type": "null"}, {"enum": ["a", "b"]}]}, (None, "a", "b"), (None, None, None)),
        ({"anyOf": [{"enum": ["a", None, "b"]}, {"type": "null"}]}, ("a", None, "b"), (None, None, None)),
        ({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}, ("a", None), (None, None)),
        ({"oneOf": [{"const": "a"}, {"const": None, "description": "none"}]}, ("a", None), (None, "none")),
        ({"oneOf": [{"const": "a"}, {"type": "null"}, {"const": "b"}]}, ("a", None, "b"), (None, None, None)),
        (
            {"oneOf": [{"const": 1, "description": "one", "title": "t"}, {"enum": [2, 3], "title": "more"}]},
            (1, 2, 3),
            ("one", "more", "more"),
        ),
        ({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]}, ("a", "b"), (None, None)),
        ({"anyOf": [{"oneOf": [{"const": "a"}, {"const": "b"}]}, {"type": "null"}]}, ("a", "b", None), (None,) * 3),
        (
            {"anyOf": [{"enum": ["a", "b"], "description": "of the field"}, {"type": "null"}]},
            ("a", "b", None),
            (None,) * 3,
        ),
        ({"type": ["boolean", "null"]}, BOOLEAN_OPTIONS, (None,) * 3),
        ({"type": ["null", "boolean"]}, BOOLEAN_OPTIONS, (None,) * 3),
        (
            {"anyOf": [{"type": "boolean"}, {"type": "null", "description": "unknown"}]},
            BOOLEAN_OPTIONS,
            (None, None, "unknown"),
        ),
        (
            {"type": "string", "enum": ["ab", "cd"], "minLength": 2, "maxLength": 2, "pattern": "^[a-d]+$"},
            ("ab", "cd"),
            (None, None),
        ),
        (
            {"type": "string", "enum": ["2026-01-02", "2026-02-01"], "format": "date"},
            ("2026-01-02", "2026-02-01"),
            (None, None),
        ),
    ],
)
def test_options(schema: dict[str, Any], options: tuple[Any, ...], descriptions: tuple[str | None, ...]):
    field = leaf(schema)
    assert field.mode is Mode.CHOICE
    assert repr(field.options) == repr(options)  # repr tells true from 1
    assert field.option_descriptions == descriptions
    assert field.nullable is (None in options)
    assert not field.null_outcome
    assert field.constraints == ()


@pytest.mark.parametrize(
    ("schema", "constraints"),
    [
        (
            {"type": "string", "pattern": "a", "maxLength": 5.0, "minLength": 1},
            (("minLength", 1), ("maxLength", 5), ("pattern", "a")),
        ),
        ({"type": "number", "multipleOf": 0.01, "minimum": 1.0}, (("minimum", 1), ("multipleOf", 0.01))),
        (
            {"type": "number", "exclusiveMaximum": 9, "exclusiveMinimum": -0.0, "maximum": 8, "minimum": 1},
            (("minimum", 1), ("maximum", 8), ("exclusiveMinimum", 0), ("exclusiveMaximum", 9)),
        ),
        ({"type": "string", "x-generate": True, "maxLength": 9}, (("maxLength", 9),)),
    ],
)
def test_constraints_are_in_keyword_order_and_one_spelling(schema: dict[str, Any], constraints: tuple[Any, ...]):
    assert repr(leaf(schema).constraints) == repr(constraints)


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "number"}, {"type": "string", "format": "date"}])
def test_on_null(schema: dict[str, Any]):
    assert leaf(schema).on_null == "forbid"
    assert leaf(schema, required=False).on_null == "omit"
    nullable = {**schema, "type": [schema["type"], "null"]}
    for form in (nullable, {"anyOf": [schema, {"type": "null"}]}, {"oneOf": [{"type": "null"}, schema]}):
        for required in (True, False):
            field = leaf(form, required=required)
            assert (field.on_null, field.nullable, field.required) == ("null", True, required)
            assert field.mode is leaf(schema).mode


def test_nullable_score_has_a_null_outcome():
    for schema in (
        {"type": ["integer", "null"], "minimum": 1, "maximum": 3},
        {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 3}, {"type": "null"}]},
    ):
        field = leaf(schema)
        assert (field.mode, field.levels, field.null_outcome, field.nullable) == (Mode.SCORE, (1, 2, 3), True, True)


def test_keywords_beside_a_nullable_union_count_as_in_the_branch():
    field = leaf(
        {"anyOf": [{"type": "string", "description": "inner"}, {"type": "null"}], "maxLength": 3, "title": "T"}
    )
    assert field.constraints == (("maxLength", 3),)
    assert (field.title, field.description) == ("T", "inner")
    field = leaf(
        {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 2}, {"type": "null"}], "x-levels": {"1": "low"}}
    )
    assert field.level_labels == ("low", None)


def test_containers():
    plan = compile_schema(
        {
            "type": "object",
            "required": ["rows"],
            "additionalProperties": False,
            "properties": {
                "rows": {
                    "type": "array",
                    "description": "all rows",
                    "minItems": 1,
                    "maxItems": 9,
                    "uniqueItems": True,
                    "items": {
                        "type": "object",
                        "required": ["name"],
                        "properties": {
                            "name": {"type": "string"},
                            "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
                        },
                    },
                },
                "grid": {"type": "array", "title": "Grid", "items": {"type": "array", "items": {"type": "number"}}},
                "inner": {"type": "object", "properties": {"*": {"type": "boolean"}, "a/b": {"type": "string"}}},
                "empty": {"type": "object"},
            },
        }
    )
    assert [field.pointer for field in plan] == [
        "/rows/*/name",
        "/rows/*/tags/*",
        "/grid/*/*",
        "/inner/*",
        "/inner/a~1b",
    ]
    assert [array.pointer for array in plan.arrays] == ["/rows", "/rows/*/tags", "/grid", "/grid/*"]
    rows, tags, grid, line = plan.arrays
    assert (rows.min_items, rows.max_items, rows.unique_items, rows.required, rows.description) == (
        1,
        9,
        True,
        True,
        "all rows",
    )
    assert (tags.required, grid.required, line.required) == (False, False, True)
    assert plan.objects == ((), ("rows", ITEM), ("inner",), ("empty",))
    assert plan.fields[3].path == ("inner", "*")
    assert plan.fields[1].required
    assert plan.fields[2].title == "Grid"  # scalar items have the annotations of the nearest array that has some
    assert plan.fields[0].description is None


def test_generated_arrays():
    plan = compile_schema(
        {
            "type": "object",
            "properties": {
                "a": {
                    "type": "array",
                    "x-generate": True,
                    "x-max-tokens": 7,
                    "items": {"type": "string", "maxLength": 4},
                },
                "b": {
                    "type": "array",
                    "x-generate": True,
                    "items": {"type": "string", "x-max-tokens": 5, "title": "own"},
                },
                "c": {"type": "array", "description": "C", "items": {"type": "string", "x-generate": True}},
                "d": {"type": "array", "x-generate": True, "x-max-tokens": 3, "items": {"$ref": "#/$defs/s"}},
            },
            "$defs": {"s": {"type": "string", "description": "shared", "pattern": "a"}},
        }
    )
    assert [(f.mode, f.max_tokens) for f in plan] == [(Mode.GENERATE, n) for n in (7, 5, None, 3)]
    assert [f.description for f in plan] == [None, None, "C", "shared"]
    assert plan.fields[1].title == "own"


def test_field_looks_up_by_template_pointer():
    plan = compile_schema({"type": "object", "properties": {"a~b": {"type": "string"}}})
    assert plan.field("/a~0b").path == ("a~b",)
    with pytest.raises(KeyError):
        plan.field("/x")


def test_python_spellings_of_json_are_taken():
    from enum import IntEnum, StrEnum
    from types import MappingProxyType

    class Kind(StrEnum):
        A = "a"
        B = "b"

    class Size(IntEnum):
        SMALL = 1
        LARGE = 2

    document = MappingProxyType(
        {"type": "object", "properties": MappingProxyType({"k": {"enum": (Kind.A, Kind.B)}, "s": {"enum": list(Size)}})}
    )
    kinds, sizes = compile_schema(document).fields
    assert (kinds.options, sizes.options) == (("a", "b"), (1, 2))
    assert {type(option) for option in kinds.options + sizes.options} == {str, int}
