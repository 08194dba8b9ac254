"""Is the document a valid JSON Schema of its draft? The meta-schemas of five drafts as one table of shapes.

A walk over a table is some hundred times faster than a general validator over the meta-schema documents, and can say
better what is wrong. It accepts exactly what those documents accept (the tests compare the two), but for a ``$ref``
that is not a string, which the meta-schema of draft-04 forgets. Left to later steps is that ``pattern`` must be a
regular expression and that ``$ref`` must resolve.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from deg_core.contract.arithmetic import is_number
from deg_core.contract.fingerprint import canonical_bytes
from deg_core.contract.jsonvalue import Loc, show
from deg_core.contract.plan import JSONValue
from deg_core.contract.problems import Problems

DEFAULT_DRAFT: Final = "2020-12"
_DRAFT_URIS: Final = {
    "http://json-schema.org/draft-04/schema": "draft-04",
    "http://json-schema.org/draft-06/schema": "draft-06",
    "http://json-schema.org/draft-07/schema": "draft-07",
    "https://json-schema.org/draft/2019-09/schema": "2019-09",
    "https://json-schema.org/draft/2020-12/schema": "2020-12",
}
SIMPLE_TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")


def draft_of(schema: JSONValue) -> str | None:
    """The draft named in ``$schema``: draft-04, draft-06, draft-07, 2019-09 or 2020-12 (also when there is none).

    None when it names something else. Both http and https are taken, with or without the empty fragment.
    """
    name = schema.get("$schema", None) if isinstance(schema, dict) else None
    if name is None:
        return DEFAULT_DRAFT
    if not isinstance(name, str):
        return None
    bare = name.removesuffix("#")
    http = bare.replace("https://", "http://", 1)
    return _DRAFT_URIS.get(http) or _DRAFT_URIS.get(http.replace("http://", "https://", 1))


def draft_names() -> str:
    """The ``$schema`` values that are read, as words."""
    return ", ".join(_DRAFT_URIS)


class _Shape(NamedTuple):
    """What a keyword's value must be: the test, and the words for it."""

    fits: Callable[[JSONValue], bool]
    wanted: str


def _is_count(value: JSONValue) -> bool:
    if isinstance(value, float):
        return value.is_integer() and value >= 0
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_count_draft4(value: JSONValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_names(value: JSONValue) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value) and len(set(value)) == len(value)


def _is_different(value: JSONValue) -> bool:
    return isinstance(value, list) and len(value) == len({canonical_bytes(item) for item in value}) > 0


def _is_type(value: JSONValue) -> bool:
    if isinstance(value, str):
        return value in SIMPLE_TYPES
    return _is_names(value) and len(value) > 0 and all(v in SIMPLE_TYPES for v in value)


_ANCHOR_2020: Final = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*\Z")
_ANCHOR_2019: Final = re.compile(r"[A-Za-z][-A-Za-z0-9.:_]*\Z")
_ID: Final = re.compile(r"[^#]*#?\Z")


def _matches(pattern: re.Pattern[str]) -> Callable[[JSONValue], bool]:
    return lambda value: isinstance(value, str) and pattern.match(value) is not None


_STRING = _Shape(lambda v: isinstance(v, str), "a string")
_BOOL = _Shape(lambda v: isinstance(v, bool), "true or false")
_NUMBER = _Shape(is_number, "a number")
_POSITIVE = _Shape(lambda v: is_number(v) and v > 0, "a number above 0")
_COUNT = _Shape(_is_count, "an integer of at least 0")
_COUNT4 = _Shape(_is_count_draft4, "an integer of at least 0")
_ARRAY = _Shape(lambda v: isinstance(v, list), "an array")
_DIFFERENT = _Shape(_is_different, "an array of at least one value, all different")
_NAMES = _Shape(_is_names, "an array of different names")
_NAMES4 = _Shape(lambda v: _is_names(v) and len(v) > 0, "an array of at least one name, all different")
_TYPE = _Shape(_is_type, "one of " + ", ".join(SIMPLE_TYPES) + ", or an array of them")
_VOCABULARY = _Shape(
    lambda v: isinstance(v, dict) and all(isinstance(x, bool) for x in v.values()), "an object of booleans"
)
_NAME_LISTS = _Shape(lambda v: isinstance(v, dict) and all(map(_is_names, v.values())), "an object of name lists")
_ID_SHAPE = _Shape(_matches(_ID), "a URI reference without a fragment")
_ANCHOR_SHAPE = _Shape(_matches(_ANCHOR_2020), "a name of letters, digits, _ . and -")
_ANCHOR_SHAPE_2019 = _Shape(_matches(_ANCHOR_2019), "a name of letters, digits, _ . : and -")

# Keywords whose values hold schemas, by how they hold them.
_ONE, _MANY, _MAP, _ONE_OR_MANY, _BOOL_OR_ONE, _DEPENDENCIES = (
    "one",
    "many",
    "map",
    "one-or-many",
    "bool-or-one",
    "deps",
)

_ValueShape = _Shape | str
_COUNTS: Final = ("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties")

_COMMON: Final[dict[str, _ValueShape]] = {
    **dict.fromkeys(("$schema", "$ref", "title", "description", "pattern", "format"), _STRING),
    **dict.fromkeys(_COUNTS, _COUNT),
    **dict.fromkeys(("minimum", "maximum"), _NUMBER),
    **dict.fromkeys(("definitions", "properties", "patternProperties"), _MAP),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), _MANY),
    **dict.fromkeys(("additionalItems", "additionalProperties", "not"), _ONE),
    "items": _ONE_OR_MANY,
    "multipleOf": _POSITIVE,
    "uniqueItems": _BOOL,
    "dependencies": _DEPENDENCIES,
    "enum": _ARRAY,
    "type": _TYPE,
    "required": _NAMES,
}
_DRAFT_04: Final[dict[str, _ValueShape]] = {
    **_COMMON,
    **dict.fromkeys(_COUNTS, _COUNT4),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _BOOL),
    **dict.fromkeys(("additionalItems", "additionalProperties"), _BOOL_OR_ONE),
    "id": _STRING,
    "required": _NAMES4,
    "enum": _DIFFERENT,
}
_DRAFT_06: Final[dict[str, _ValueShape]] = {
    **_COMMON,
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("contains", "propertyNames"), _ONE),
    "$id": _STRING,
    "examples": _ARRAY,
}
_DRAFT_07: Final[dict[str, _ValueShape]] = {
    **_DRAFT_06,
    **dict.fromkeys(("$comment", "contentMediaType", "contentEncoding"), _STRING),
    **dict.fromkeys(("if", "then", "else"), _ONE),
    "readOnly": _BOOL,
}
_DRAFT_2019: Final[dict[str, _ValueShape]] = {
    **_DRAFT_07,
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties", "contentSchema"), _ONE),
    **dict.fromkeys(("$defs", "dependentSchemas"), _MAP),
    **dict.fromkeys(("minContains", "maxContains"), _COUNT),
    **dict.fromkeys(("writeOnly", "deprecated", "$recursiveAnchor"), _BOOL),
    "$recursiveRef": _STRING,
    "$id": _ID_SHAPE,
    "$anchor": _ANCHOR_SHAPE_2019,
    "$vocabulary": _VOCABULARY,
    "dependentRequired": _NAME_LISTS,
}
_DRAFT_2020: Final[dict[str, _ValueShape]] = {
    **{keyword: shape for keyword, shape in _DRAFT_2019.items() if keyword != "additionalItems"},
    **dict.fromkeys(("$anchor", "$dynamicAnchor", "$recursiveAnchor"), _ANCHOR_SHAPE),
    "$dynamicRef": _STRING,
    "items": _ONE,
    "prefixItems": _MANY,
}
SHAPES: Final[dict[str, dict[str, _ValueShape]]] = {
    "draft-04": _DRAFT_04,
    "draft-06": _DRAFT_06,
    "draft-07": _DRAFT_07,
    "2019-09": _DRAFT_2019,
    "2020-12": _DRAFT_2020,
}


class MetaCheck:
    """The check of one document. ``check`` may be called again for places that only a ``$ref`` reaches.

    With ``enabled=False`` it does nothing.
    """

    def __init__(self, draft: str, problems: Problems, *, enabled: bool = True) -> None:
        self._enabled = enabled
        self._shapes = SHAPES[draft]
        self._booleans = draft != "draft-04"
        self._problems = problems
        self._visited: set[int] = set()

    def check(self, schema: JSONValue, loc: Loc) -> None:
        """Report every malformed keyword value of ``schema`` and of the schemas inside it."""
        if not self._enabled:
            return
        if not isinstance(schema, dict):
            if not (self._booleans and isinstance(schema, bool)):
                self._problems.add(loc, "not-a-schema", found=show(schema))
            return
        if id(schema) in self._visited:
            return
        self._visited.add(id(schema))
        shapes = self._shapes
        for keyword, value in schema.items():
            shape = shapes.get(keyword)
            if shape is None:
                continue
            if isinstance(shape, str):
                self._holder(shape, keyword, value, loc)
            elif not shape.fits(value):
                self._malformed(keyword, value, shape.wanted, loc)
        if not self._booleans:
            self._draft4_pairs(schema, loc)

    def _holder(self, shape: str, keyword: str, value: JSONValue, loc: Loc) -> None:
        here = (*loc, keyword)
        if shape is _MAP or shape is _DEPENDENCIES:
            if not isinstance(value, dict):
                self._malformed(keyword, value, "an object of schemas", loc)
                return
            for name, item in value.items():
                if shape is _DEPENDENCIES and isinstance(item, list):
                    if not (_NAMES if self._booleans else _NAMES4).fits(item):
                        self._malformed(keyword, item, "an object of schemas or name lists", loc)
                else:
                    self.check(item, (*here, name))
        elif shape is _MANY or (shape is _ONE_OR_MANY and isinstance(value, list)):
            if not isinstance(value, list) or not value:
                self._malformed(keyword, value, "an array of at least one schema", loc)
                return
            for index, item in enumerate(value):
                self.check(item, (*here, index))
        elif not (shape is _BOOL_OR_ONE and isinstance(value, bool)):
            self.check(value, here)

    def _draft4_pairs(self, schema: dict[str, JSONValue], loc: Loc) -> None:
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if exclusive in schema and bound not in schema:
                self._malformed(exclusive, schema[exclusive], f"beside {bound} in draft-04", loc)

    def _malformed(self, keyword: str, value: JSONValue, wanted: str, loc: Loc) -> None:
        advice = ""
        if keyword == "type" and isinstance(value, str):
            advice = self._problems.hint(value, SIMPLE_TYPES)
        elif keyword == "required" and isinstance(value, bool):
            advice = "; put the field's name in the required list of its object"
        elif keyword in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool) and self._booleans:
            advice = "; in this draft it holds the bound itself"
        self._problems.add(
            (*loc, keyword), "malformed", keyword=keyword, wanted=wanted, found=show(value), advice=advice
        )
