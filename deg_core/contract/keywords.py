"""What each JSON-Schema keyword is to deg: an annotation, a constraint of some types, or unsupported (SPEC 5)."""

from __future__ import annotations

from typing import Final, NamedTuple

ANNOTATIONS: Final = frozenset(
    (
        "title", "description", "default", "examples", "$comment", "$schema", "$id", "$anchor",
        "$defs", "definitions", "readOnly", "writeOnly", "deprecated",
    )
)  # fmt: skip
FORMATS: Final = ("date", "date-time", "email", "uri", "uuid")
DATE_FORMATS: Final = frozenset(("date", "date-time"))
NUMBER_KEYWORDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
CONSTRAINT_ORDER: Final = ("minLength", "maxLength", "pattern", *NUMBER_KEYWORDS)
UNIONS: Final = ("anyOf", "oneOf")
TYPES: Final = ("object", "array", "string", "number", "integer", "boolean")

APPLIES: Final[dict[str, tuple[str, ...]]] = {
    "properties": ("object",),
    "required": ("object",),
    "additionalProperties": ("object",),
    "items": ("array",),
    "minItems": ("array",),
    "maxItems": ("array",),
    "uniqueItems": ("array",),
    "minLength": ("string",),
    "maxLength": ("string",),
    "pattern": ("string",),
    "format": ("string",),
    **dict.fromkeys(NUMBER_KEYWORDS, ("number", "integer")),
}
"""Keywords that constrain, and the types they constrain. ``type``, ``enum``, unions and ``$ref`` stand anywhere."""

EXTENSIONS: Final = frozenset(("x-generate", "x-max-tokens", "x-levels"))

# x-* stand in every set: where one does not apply, its own rule says so better than "does not apply".
ALLOWED: Final[dict[str, frozenset[str]]] = {
    kind: ANNOTATIONS | EXTENSIONS | {"type"} | {keyword for keyword, types in APPLIES.items() if kind in types}
    for kind in TYPES
}


class Unsupported(NamedTuple):
    """Why a keyword is refused, and the supported way to say the same, if there is one."""

    why: str
    instead: str = ""


_CONDITION = Unsupported(
    "a field's shape cannot depend on another value", "list the fields and make the conditional ones optional"
)
_DEPENDENT = Unsupported("a field cannot depend on the presence of another", "make the field optional or nullable")
_KEYS = Unsupported(
    "the key names would be unknown",
    "name each key under properties, or use an array of objects with a key and a value",
)
_KEY_COUNT = Unsupported("deg gives exactly the declared keys", "use required for the keys that must be there")
_CONTAINS = Unsupported(
    "items are filled from one item schema, not searched for", "use minItems and describe the items"
)
_TUPLE = Unsupported("items by position are not filled", "use an object with one property for each place")
_DYNAMIC = Unsupported("references are resolved before filling", "use $ref with a JSON pointer such as #/$defs/name")
_CONTENT = Unsupported("text is copied or written as plain text", "drop the keyword and decode the text yourself")

UNSUPPORTED: Final[dict[str, Unsupported]] = {
    "allOf": Unsupported(
        "schemas are not merged", "write the parts as one schema; beside a single $ref, title and description may stand"
    ),
    "not": Unsupported(
        "a schema must say what a value is, not what it is not", "list what is allowed with enum, bounds or pattern"
    ),
    "if": _CONDITION,
    "then": _CONDITION,
    "else": _CONDITION,
    "const": Unsupported("a single value has nothing to decide", "leave the field out and add the value yourself"),
    "dependentSchemas": _DEPENDENT,
    "dependentRequired": _DEPENDENT,
    "dependencies": _DEPENDENT,
    "patternProperties": _KEYS,
    "propertyNames": _KEYS,
    "unevaluatedProperties": Unsupported("deg gives exactly the declared keys", "use additionalProperties: false"),
    "minProperties": _KEY_COUNT,
    "maxProperties": _KEY_COUNT,
    "unevaluatedItems": Unsupported("every item has the one item schema", "drop the keyword"),
    "prefixItems": _TUPLE,
    "additionalItems": Unsupported("every item has the one item schema", "use items alone"),
    "contains": _CONTAINS,
    "minContains": _CONTAINS,
    "maxContains": _CONTAINS,
    "$dynamicRef": _DYNAMIC,
    "$dynamicAnchor": _DYNAMIC,
    "$recursiveRef": _DYNAMIC,
    "$recursiveAnchor": _DYNAMIC,
    "$vocabulary": Unsupported("it belongs into a meta-schema", "drop the keyword"),
    "contentEncoding": _CONTENT,
    "contentMediaType": _CONTENT,
    "contentSchema": _CONTENT,
}

# Keywords of neighbouring dialects that people bring along, with what they mean here.
FOREIGN: Final[dict[str, str]] = {
    "nullable": '; write "type": [X, "null"]',
    "example": "; write examples, an array",
    "optional": "; leave the name out of the object's required list",
    "values": "; write enum",
    "options": "; write enum",
    "choices": "; write enum",
    "min": "; write minimum",
    "max": "; write maximum",
    "regex": "; write pattern",
    "discriminator": "; unions of objects are not supported",
    "enumDescriptions": "; write oneOf with const and description in each branch",
    "enumNames": "; write oneOf with const and description in each branch",
    "divisibleBy": "; write multipleOf",
    "id": "; write $id",
}

KNOWN: Final = tuple(sorted(ANNOTATIONS | set(APPLIES) | {"type", "enum", "anyOf", "oneOf", "$ref"} | set(UNSUPPORTED)))
"""Every keyword that a mistyped one may have meant."""


def applies_to(keyword: str) -> str:
    """The types that a keyword applies to, as words."""
    return " and ".join(APPLIES[keyword])
