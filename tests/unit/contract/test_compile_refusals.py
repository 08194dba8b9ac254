"""What is outside the subset is refused with its place and its rule, all of it at once (SPEC 5)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema, schema_problems
from deg_core.contract.keywords import UNSUPPORTED
from deg_core.contract.rules import RULES
from deg_core.errors import SchemaError

S = {"type": "string"}
N = {"type": "null"}
A = ("properties", "a")


def of(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}}


# (schema of property a, rule, place below a, a part of the message)
LEAVES: list[tuple[Any, str, tuple[str | int, ...], str]] = [
    (True, "boolean-schema", (), "true says nothing"),
    (3, "not-a-schema", (), "found 3"),
    ({}, "type-missing", (), "add one of object"),
    ({"minLength": 3}, "type-missing", (), 'minLength goes with "type": "string"'),
    ({"type": "strin"}, "malformed", ("type",), "did you mean string?"),
    ({"type": "string", "maxLength": -1}, "malformed", ("maxLength",), "at least 0, found -1"),
    ({"type": "object", "required": True}, "malformed", ("required",), "required list of its object"),
    ({"type": "integer", "exclusiveMinimum": True}, "malformed", ("exclusiveMinimum",), "it holds the bound itself"),
    ({"type": "string", "title": 5}, "malformed", ("title",), "must be a string"),
    ({"type": ["string", "integer"]}, "union-type", ("type",), "choose one"),
    ({"type": ["integer", "number"]}, "union-type", ("type",), '"number", which covers'),
    ({"type": ["string", "integer", "null"]}, "union-type", ("type",), "is a union"),
    ({"type": ["string", "integer"], "enum": ["a", 1]}, "union-type", ("type",), "drop type"),
    ({"type": "null"}, "null-only", ("type",), "only null"),
    ({"type": ["null"]}, "null-only", ("type",), "only null"),
    ({"type": ["object", "null"], "properties": {}}, "nullable-container", ("type",), "nullable object"),
    ({"type": ["array", "null"], "items": S}, "nullable-container", ("type",), "empty array"),
    ({"anyOf": [{"type": "array", "items": S}, N]}, "nullable-container", ("anyOf",), "nullable array"),
    ({"anyOf": [{"type": "object"}, N]}, "nullable-container", ("anyOf",), "nullable object"),
    ({"type": "integer", "maxLength": 3}, "keyword-type", ("maxLength",), "applies to string"),
    ({"type": "string", "minimum": 3}, "keyword-type", ("minimum",), "applies to number and integer"),
    ({"type": "boolean", "format": "date"}, "keyword-type", ("format",), "not apply to boolean"),
    ({"type": "string", "items": S}, "keyword-type", ("items",), "applies to array"),
    ({"enum": [1, 2], "maxLength": 3}, "keyword-type", ("maxLength",), "applies to string"),
    ({"type": "string", "maxLenght": 3}, "unknown-keyword", ("maxLenght",), "did you mean maxLength?"),
    ({"type": "string", "nullable": True}, "unknown-keyword", ("nullable",), 'write "type": [X, "null"]'),
    ({"type": "string", "wibble": True}, "unknown-keyword", ("wibble",), 'unknown keyword "wibble"'),
    ({"type": "string", "x-genrate": True}, "unknown-extension", ("x-genrate",), "did you mean x-generate?"),
    ({"type": "string", "x-foo": True}, "unknown-extension", ("x-foo",), "the extensions are"),
    ({"enum": ["a", {}]}, "enum-scalar", ("enum", 1), "found an object"),
    ({"enum": ["a", [1]]}, "enum-scalar", ("enum", 1), "found [1]"),
    ({"type": "string", "enum": ["a", 1]}, "enum-type", ("enum", 1), "1 is not of type string"),
    ({"type": "integer", "enum": [1, True, 2]}, "enum-type", ("enum", 1), "true is not of type integer"),
    ({"type": "integer", "enum": [1, 2.5]}, "enum-type", ("enum", 1), "2.5"),
    ({"type": "string", "enum": ["a", "b", None]}, "enum-type", ("enum", 2), "null is not of type string"),
    ({"type": "string", "oneOf": [{"const": "a"}, {"const": 2}]}, "enum-type", ("oneOf", 1, "const"), "2 is not"),
    ({"oneOf": [{"const": "a"}, {"const": 2, "type": "string"}]}, "enum-type", ("oneOf", 1, "const"), "2 is not"),
    ({"enum": ["a", "b", "a"]}, "enum-duplicate", ("enum", 2), "already at properties/a/enum/0"),
    ({"enum": [1, 2, 1.0]}, "enum-duplicate", ("enum", 2), "1.0 is listed already"),
    ({"oneOf": [{"const": "a"}, {"enum": ["b", "a"]}]}, "enum-duplicate", ("oneOf", 1, "enum", 1), "already"),
    ({"enum": ["a"]}, "enum-count", ("enum",), "1 value to choose"),
    ({"enum": []}, "enum-count", ("enum",), "0 values"),
    ({"enum": list(range(256))}, "enum-count", ("enum",), "256 values to choose from; 2 to 255"),
    ({"oneOf": [{"const": "a"}]}, "enum-count", ("oneOf",), "1 value"),
    ({"anyOf": [{"enum": list(range(255))}, N]}, "enum-count", ("anyOf",), "256 values"),
    ({"type": "string", "enum": ["a", "bbb"], "maxLength": 2}, "enum-constraint", ("enum", 1), "maxLength 2"),
    ({"type": "string", "enum": ["a", "b"], "pattern": "^a"}, "enum-constraint", ("enum", 1), 'pattern "^a"'),
    ({"type": "string", "enum": ["a", "2026-01-01"], "format": "date"}, "enum-constraint", ("enum", 0), "format"),
    ({"type": "number", "enum": [0.3, 0.35], "multipleOf": 0.1}, "enum-constraint", ("enum", 1), "multipleOf 0.1"),
    ({"anyOf": [S, {"type": "integer"}]}, "union-form", ("anyOf",), "branches of string, integer"),
    ({"oneOf": [S]}, "union-form", ("oneOf",), "single branch"),
    ({"anyOf": [S, {"const": "a"}]}, "union-form", ("anyOf",), "string, values"),
    ({"anyOf": [{"type": "object"}, {"type": "object"}]}, "union-form", ("anyOf",), "alternatives of object"),
    ({"anyOf": [S, {"type": "integer"}, N]}, "union-form", ("anyOf",), "in two forms only"),
    ({"anyOf": [S, N], "oneOf": [S, N]}, "union-both", (), "use one of them"),
    ({"anyOf": [S, N], "enum": ["a", "b"]}, "union-enum", ("enum",), "beside anyOf"),
    ({"oneOf": [{"const": 1}, {"const": 2}], "minimum": 1}, "union-sibling", ("minimum",), "drop it"),
    ({"anyOf": [{"type": "string", "maxLength": 3}, N], "maxLength": 4}, "union-sibling", ("maxLength",), "keep one"),
    (
        {"oneOf": [{"const": "a", "minLength": 1}, {"const": "b"}]},
        "branch-keyword",
        ("oneOf", 0, "minLength"),
        "minLength is not",
    ),
    (
        {"oneOf": [{"const": "a", "enum": ["a"]}, {"const": "b"}]},
        "branch-keyword",
        ("oneOf", 0, "enum"),
        "beside const",
    ),
    ({"anyOf": [S, {"type": "null", "minLength": 1}]}, "branch-keyword", ("anyOf", 1, "minLength"), "minLength"),
    ({"oneOf": [{"type": ["string", "null"]}, N]}, "one-of-null", ("oneOf",), "use anyOf"),
    ({"oneOf": [{"enum": ["a", "b", None]}, N]}, "one-of-null", ("oneOf",), "both branches"),
    ({"$ref": "other.json"}, "ref-remote", ("$ref",), "points outside"),
    ({"$ref": "https://example.com/s#/a"}, "ref-remote", ("$ref",), "copy the target"),
    ({"$ref": "#name"}, "ref-anchor", ("$ref",), "JSON pointer"),
    ({"$ref": "#/$defs/x"}, "ref-missing", ("$ref",), 'no "$defs" at "#"'),
    ({"$ref": "#/properties/b"}, "ref-missing", ("$ref",), 'at "#/properties"'),
    ({"$ref": "#/properties/~2"}, "ref-pointer", ("$ref",), "0 or 1"),
    ({"$ref": "#/%zz"}, "ref-pointer", ("$ref",), "hexadecimal"),
    ({"$ref": "#/%ff"}, "ref-pointer", ("$ref",), "UTF-8"),
    ({"$ref": "#"}, "ref-cycle", ("$ref",), "# -> #"),
    ({"$ref": "#/properties/a"}, "ref-cycle", ("$ref",), "#/properties/a -> #/properties/a"),
    ({"$ref": "#", "minLength": 1}, "ref-sibling", ("minLength",), "beside $ref"),
    ({"$ref": "#", "x-generate": True}, "ref-sibling", ("x-generate",), "beside $ref"),
    ({"type": "integer", "minimum": 3, "maximum": 3}, "integer-levels", (), "only 3"),
    ({"type": "integer", "minimum": 4, "maximum": 3}, "integer-levels", (), "no integer"),
    ({"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 10}, "integer-levels", (), "no integer"),
    ({"type": "number", "minimum": 2, "maximum": 1}, "number-empty", (), "minimum 2, maximum 1"),
    ({"type": "number", "minimum": 1, "exclusiveMaximum": 1}, "number-empty", (), "no number"),
    ({"type": "number", "minimum": 0.1, "maximum": 0.2, "multipleOf": 1}, "number-empty", (), "multipleOf 1"),
    ({"type": "string", "minLength": 3, "maxLength": 2}, "length-empty", ("minLength",), "no text fits"),
    ({"type": "string", "format": "date", "maxLength": 9}, "format-length", ("maxLength",), "a date has 10 characters"),
    ({"type": "string", "format": "uuid", "minLength": 37}, "format-length", ("minLength",), "no text fits"),
    ({"type": "string", "format": "date-time", "maxLength": 19}, "format-length", ("maxLength",), "at least 20"),
    ({"enum": ["a", "b"], "format": "ipv4"}, "format", ("format",), "allowed: date"),
    ({"type": "string", "enum": ["a", "b"], "format": ""}, "format", ("format",), "not supported"),
    ({"type": "string", "pattern": "a("}, "pattern", ("pattern",), "not closed"),
    ({"type": "string", "pattern": "(?i)a"}, "pattern", ("pattern",), "not in ECMA-262"),
    ({"type": "string", "format": "dat"}, "format", ("format",), "did you mean date?"),
    ({"type": "string", "format": "ipv4"}, "format", ("format",), "allowed: date"),
    ({"type": "array"}, "items-missing", (), 'needs "items"'),
    ({"type": "array", "items": [S]}, "items-tuple", ("items",), "one property for each place"),
    ({"type": "array", "items": True}, "boolean-schema", ("items",), "says nothing"),
    *[
        (
            {"type": "array", "items": item, "minItems": low, "uniqueItems": True},
            "items-unique",
            ("minItems",),
            "no array",
        )
        for item, low in (
            ({"type": "boolean"}, 3),
            ({"enum": ["a", "b", None]}, 4),
            ({"type": "integer", "minimum": 1, "maximum": 3}, 4),
            ({"type": ["integer", "null"], "minimum": 1, "maximum": 3}, 5),
        )
    ],
    ({"type": "array", "items": S, "minItems": 3, "maxItems": 2}, "items-count", ("minItems",), "no array fits"),
    (
        {"type": "object", "properties": {"name": S}, "required": ["nmae"]},
        "required-unknown",
        ("required", 0),
        "did you mean name?",
    ),
    ({"type": "object", "additionalProperties": S}, "additional-schema", ("additionalProperties",), "true or false"),
    ({"type": "string", "x-generate": "yes"}, "generate-value", ("x-generate",), "true or false"),
    ({"type": "string", "x-generate": {"after": "/b"}}, "generate-after", ("x-generate",), '{"after": ...} is not'),
    *[
        (schema, "generate-place", ("x-generate",), "x-generate is allowed only")
        for schema in (
            {"enum": ["a", "b"], "x-generate": True},
            {"type": "boolean", "x-generate": True},
            {"type": "integer", "x-generate": True},
            {"type": "number", "x-generate": True},
            {"type": "object", "x-generate": True},
            {"type": "string", "format": "date", "x-generate": True},
            {"type": "string", "enum": ["a", "b"], "x-generate": True},
            {"type": ["string", "null"], "x-generate": True},
            {"anyOf": [S, N], "x-generate": True},
            {"oneOf": [{"const": "a"}, {"const": "b"}], "x-generate": True},
            {"type": "array", "items": {"type": "integer"}, "x-generate": True},
            {"type": "array", "items": {"enum": ["a", "b"]}, "x-generate": True},
            {"type": "array", "items": {"type": "string", "format": "email"}, "x-generate": True},
            {"type": "array", "items": {"type": ["string", "null"]}, "x-generate": True},
            {"type": "array", "items": {"type": "object"}, "x-generate": True},
            {"type": "array", "items": {"type": "array", "items": S}, "x-generate": True},
        )
    ],
    ({"type": "string", "x-max-tokens": 3}, "max-tokens-place", ("x-max-tokens",), "x-generate: true"),
    ({"type": "array", "items": S, "x-max-tokens": 3}, "max-tokens-place", ("x-max-tokens",), "x-generate: true"),
    ({"enum": [1, 2], "x-max-tokens": 3}, "max-tokens-place", ("x-max-tokens",), "x-generate: true"),
    ({"type": "string", "x-generate": True, "x-max-tokens": 0}, "max-tokens-value", ("x-max-tokens",), "found 0"),
    ({"type": "string", "x-generate": True, "x-max-tokens": True}, "max-tokens-value", ("x-max-tokens",), "found true"),
    ({"type": "integer", "x-levels": {"1": "a"}}, "levels-place", ("x-levels",), "other bounds"),
    ({"type": "number", "x-levels": {"1": "a"}}, "levels-place", ("x-levels",), "a number"),
    ({"type": "string", "x-levels": {"1": "a"}}, "levels-place", ("x-levels",), "a string"),
    ({"type": "array", "items": S, "x-levels": {"1": "a"}}, "levels-place", ("x-levels",), "an array"),
    ({"type": "integer", "minimum": 1, "maximum": 2, "x-levels": ["a"]}, "levels-value", ("x-levels",), "found"),
    ({"type": "integer", "minimum": 1, "maximum": 2, "x-levels": {"3": "a"}}, "levels-key", ("x-levels", "3"), "1, 2"),
    (
        {"type": "integer", "minimum": 1, "maximum": 2, "x-levels": {"01": "a"}},
        "levels-key",
        ("x-levels", "01"),
        "1, 2",
    ),
    (
        {"type": "integer", "minimum": 1, "maximum": 2, "x-levels": {"1": " "}},
        "levels-label",
        ("x-levels", "1"),
        "non-empty",
    ),
    (
        {"type": "integer", "minimum": 1, "maximum": 2, "x-levels": {"1": 1}},
        "levels-label",
        ("x-levels", "1"),
        "found 1",
    ),
    ({**S, "$schema": "http://json-schema.org/draft-04/schema#"}, "draft-nested", ("$schema",), "draft 2020-12"),
    ({**S, "default": float("nan")}, "not-finite", ("default",), "nan is not"),
    ({**S, "default": "\ud800"}, "lone-surrogate", ("default",), "U+D800 at position 0"),
    ({**S, "default": {1: 2}}, "key-not-string", ("default",), "found 1"),
    ({**S, "default": {1, 2}}, "not-json", ("default",), "Python set"),
    ({**S, "default": 10**400}, "integer-size", ("default",), "401 digits"),
]

DOCUMENTS: list[tuple[Any, str, tuple[str | int, ...], str]] = [
    ([], "not-a-schema", (), "found a list"),
    (None, "not-a-schema", (), "found null"),
    ({"type": "array", "items": S}, "root-object", (), 'found "array"'),
    ({"enum": ["a", "b"]}, "root-object", (), "another kind"),
    ({"type": "object", "$schema": "http://json-schema.org/draft-03/schema#"}, "draft", ("$schema",), "not a draft"),
    (
        {"$schema": "http://json-schema.org/draft-07/schema#", **of({"type": "array", "items": [S]})},
        "items-tuple",
        (*A, "items"),
        "one property for each place",
    ),
    ({"type": "object", "$id": "http://x/#frag"}, "malformed", ("$id",), "without a fragment"),
    ({"type": "object", "$defs": {"unused": {"type": 5}}}, "malformed", ("$defs", "unused", "type"), "found 5"),
]


@pytest.mark.parametrize(("schema", "rule", "place", "part"), LEAVES)
def test_leaf_is_refused(schema: Any, rule: str, place: tuple[str | int, ...], part: str):
    found = schema_problems(of(schema))
    assert (rule, (*A, *place)) in [(problem.rule, problem.loc) for problem in found]
    assert any(part in problem.msg for problem in found if problem.rule == rule)


@pytest.mark.parametrize(("document", "rule", "place", "part"), DOCUMENTS)
def test_document_is_refused(document: Any, rule: str, place: tuple[str | int, ...], part: str):
    found = schema_problems(document)
    assert (rule, place) in [(problem.rule, problem.loc) for problem in found]
    assert any(part in problem.msg for problem in found if problem.rule == rule)


@pytest.mark.parametrize("keyword", sorted(UNSUPPORTED))
@pytest.mark.parametrize("base", [S, {"enum": ["a", "b"]}, {"type": "object"}, {"type": "array", "items": S}, {}])
def test_unsupported_keywords_have_their_own_message(keyword: str, base: dict[str, Any]):
    found = [problem for problem in schema_problems(of({**base, keyword: {}})) if problem.rule == "unsupported"]
    assert [problem.loc for problem in found] == [(*A, keyword)]
    assert found[0].msg.startswith(f"{keyword} is not supported: ")
    assert "; instead, " in found[0].msg


def test_every_rule_is_covered_by_a_case_here_or_a_limit_test():
    limits = {"document-depth", "document-size", "nesting", "size", "reads", "listed", "pattern-text", "pattern-time"}
    covered = {case[1] for case in LEAVES + DOCUMENTS} | limits | {"unsupported"}
    assert {name for name, rule in RULES.items() if rule.title} == covered


def test_every_problem_is_reported_at_once():
    mistakes = [
        case for case in LEAVES if isinstance(case[0], dict) and "$ref" not in case[0] and "default" not in case[0]
    ]
    document = {"type": "object", "properties": {f"p{index}": case[0] for index, case in enumerate(mistakes)}}
    found = {(problem.rule, problem.loc) for problem in schema_problems(document)}
    for index, (_, rule, place, _) in enumerate(mistakes):
        assert (rule, ("properties", f"p{index}", *place)) in found


def test_the_error_carries_problems_as_loc_and_msg():
    with pytest.raises(SchemaError) as caught:
        compile_schema(of({"type": "strin", "x-foo": 1}))
    assert [problem["loc"] for problem in caught.value.problems] == [
        ["properties", "a", "type"],
        ["properties", "a", "x-foo"],
    ]
    assert all(set(problem) == {"loc", "msg"} for problem in caught.value.problems)
    assert "2 problems in the schema" in str(caught.value)


def test_refused_input_is_not_mutated_either():
    for case in LEAVES:
        document = of(case[0])
        if case[1] in ("not-finite", "not-json"):
            continue
        before = copy.deepcopy(document)
        schema_problems(document)
        assert document == before
