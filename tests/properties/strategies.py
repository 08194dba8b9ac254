"""Hypothesis strategies for the contract: JSON values, supported schemas, values of a schema, broken schemas.

Schemas are small; what matters is that every supported construct turns up beside every other.
"""

from __future__ import annotations

import string
from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
"""Short texts of any characters but lone surrogates."""
numbers = st.one_of(st.integers(-1000, 1000), st.floats(allow_nan=False, allow_infinity=False))
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
json_values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
"""Any JSON value."""
names = st.one_of(st.text(string.ascii_lowercase + "_", min_size=1, max_size=6), texts)

annotations = st.fixed_dictionaries(
    {},
    optional={"title": texts, "description": texts, "default": scalars, "$comment": texts, "deprecated": st.booleans()},
)


def _equality_key(value: Any) -> tuple[bool, Any]:
    return isinstance(value, bool), value


@st.composite
def enums(draw: st.DrawFn) -> Schema:
    """A choice by enum."""
    return {"enum": draw(st.lists(scalars, min_size=2, max_size=6, unique_by=_equality_key))}


@st.composite
def unions(draw: st.DrawFn) -> Schema:
    """A choice by const branches."""
    values = draw(st.lists(scalars, min_size=2, max_size=5, unique_by=_equality_key))
    branches = [{"const": value, **({"description": draw(texts)} if draw(st.booleans()) else {})} for value in values]
    return {draw(st.sampled_from(["oneOf", "anyOf"])): branches}


@st.composite
def integers(draw: st.DrawFn) -> Schema:
    """A score or an integer to copy."""
    low = draw(st.integers(-20, 20))
    schema: Schema = {"type": "integer", "minimum": low, "maximum": low + draw(st.integers(1, 20))}
    if schema["maximum"] - low <= 10 and draw(st.booleans()):
        schema["x-levels"] = {str(low): draw(texts.filter(str.strip))}
    return schema


@st.composite
def decimals(draw: st.DrawFn) -> Schema:
    """A number to copy."""
    schema: Schema = {"type": "number"}
    if draw(st.booleans()):
        schema["minimum"] = draw(st.floats(-100, 0))
    if draw(st.booleans()):
        schema["exclusiveMaximum"] = draw(st.floats(1, 100))
    return schema


@st.composite
def strings(draw: st.DrawFn) -> Schema:
    """A span, a date or a generated text."""
    schema: Schema = {"type": "string"}
    kind = draw(st.sampled_from(["plain", "format", "generate"]))
    if kind == "format":
        schema["format"] = draw(st.sampled_from(["date", "date-time", "email", "uri", "uuid"]))
    elif kind == "generate":
        schema["x-generate"] = True
        if draw(st.booleans()):
            schema["x-max-tokens"] = draw(st.integers(1, 500))
    if kind != "format" and draw(st.booleans()):
        schema["maxLength"] = draw(st.integers(5, 50))
    return schema


@st.composite
def nullables(draw: st.DrawFn) -> Schema:
    """A nullable form of a leaf."""
    schema = draw(
        st.one_of(
            integers(), decimals(), strings().filter(lambda s: "x-generate" not in s), st.just({"type": "boolean"})
        )
    )
    if draw(st.booleans()):
        return {**schema, "type": [schema["type"], "null"]}
    branches = [schema, {"type": "null"}]
    return {draw(st.sampled_from(["anyOf", "oneOf"])): draw(st.permutations(branches))}


leaves = st.builds(
    lambda schema, notes: {**schema, **notes},
    st.one_of(enums(), unions(), integers(), decimals(), strings(), st.just({"type": "boolean"}), nullables()),
    annotations,
)
"""Any supported leaf."""


def _objects(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    @st.composite
    def build(draw: st.DrawFn) -> Schema:
        properties = draw(st.dictionaries(names, inner, max_size=4))
        required = draw(st.lists(st.sampled_from(sorted(properties)), unique=True)) if properties else []
        schema: Schema = {"type": "object", "properties": properties, "required": required, **draw(annotations)}
        if draw(st.booleans()):
            schema["additionalProperties"] = draw(st.booleans())
        return schema

    return build()


def _arrays(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    @st.composite
    def build(draw: st.DrawFn) -> Schema:
        low = draw(st.integers(0, 2))
        schema: Schema = {"type": "array", "items": draw(inner), "minItems": low, **draw(annotations)}
        if draw(st.booleans()):
            schema["maxItems"] = low + draw(st.integers(0, 3))
        return schema

    return build()


nodes = st.recursive(leaves, lambda inner: st.one_of(_objects(inner), _arrays(inner)), max_leaves=8)
"""Any supported schema: leaves, objects, arrays."""
schemas = _objects(nodes)
"""Whole supported documents."""

_KEYWORDS = (
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "$ref",
    "$defs",
    "definitions",
    "$id",
    "$anchor",
    "$schema",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "title",
    "description",
    "examples",
    "deprecated",
    "readOnly",
    "dependencies",
    "dependentRequired",
    "if",
    "contains",
    "x-generate",
    "x-max-tokens",
    "x-levels",
    "x-other",
    "wibble",
)
_words = st.sampled_from(
    ["string", "integer", "object", "array", "null", "date", "#", "#/$defs/a", "#/properties/a", "^a+$", "(", "a"]
)
_pieces = st.one_of(_words, scalars, st.lists(_words, max_size=3), st.just(True), st.just({}))
wild_schemas = st.recursive(
    st.dictionaries(st.sampled_from(_KEYWORDS), _pieces, max_size=4),
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from(_KEYWORDS), st.one_of(inner, st.lists(inner, max_size=3), _pieces), max_size=4),
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2)}
        ),
    ),
    max_leaves=10,
)
"""Dictionaries of known keywords with values of any kind: mostly invalid, sometimes nearly valid."""

_constrained = st.one_of(
    st.builds(
        lambda kinds, low, step: {"type": kinds, "minimum": low, "multipleOf": step},
        st.sampled_from(["integer", "number", ["integer", "null"], ["number", "null"]]),
        st.integers(-10, 50),
        st.sampled_from([1, 3, 0.01, 0.25]),
    ),
    st.builds(
        lambda kinds, low, pattern: {"type": kinds, "minLength": low, "pattern": pattern},
        st.sampled_from(["string", ["string", "null"]]),
        st.integers(0, 12),
        st.sampled_from(["^[A-Z]", r"\d", "a.*e", r"^\p{L}+$"]),
    ),
)
fillable_leaves = st.one_of(leaves.filter(lambda schema: "x-generate" not in schema), _constrained)
"""Any supported leaf that is decided or extracted."""
fillable_schemas = _objects(st.recursive(fillable_leaves, _objects, max_leaves=6))
"""Whole supported documents of decided and extracted fields, without arrays."""


@st.composite
def _arrays(draw: st.DrawFn, items: st.SearchStrategy[Schema]) -> Schema:
    low = draw(st.integers(0, 2))
    schema: Schema = {"type": "array", "items": draw(items), "minItems": low, "maxItems": low + draw(st.integers(0, 3))}
    return schema | ({"uniqueItems": True} if draw(st.booleans()) else {})


def _containers(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    return st.one_of(_objects(inner), _arrays(inner))


nested_schemas = _objects(st.recursive(fillable_leaves, _containers, max_leaves=6))
"""Whole supported documents of decided and extracted fields, arrays of scalars, objects and arrays among them."""
