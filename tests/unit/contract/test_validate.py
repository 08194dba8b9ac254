"""The final check of a value: JSON Schema, with decimals, ECMA patterns and asserted formats (SPEC 4, 8)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from deg_core.contract.validate import ValueValidator, value_problems

SHARED = Path(os.environ.get("DEG_SHARED", Path(__file__).parents[4] / "shared"))
SUITE = SHARED / "schemas" / "JSON-Schema-Test-Suite" / "tests" / "draft2020-12"


def of(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}}


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"multipleOf": 0.01}, [19.99, 0.07, 4.35, 1e300, "x"], [19.995]),
        ({"pattern": r"^\p{L}+$"}, ["Žofie", 3], ["a1", "a\n"]),
        ({"pattern": r"^\d$"}, ["3"], ["٣"]),
        ({"format": "date"}, ["2026-02-28", 5], ["2026-02-30", "28.2.2026"]),
        ({"format": "date-time"}, ["2026-02-28T10:00:00Z"], ["2026-02-28"]),
        ({"format": "email"}, ["a@b.example"], ["a.b"]),
        ({"format": "uri"}, ["https://example.com/a"], ["example"]),
        ({"format": "uuid"}, ["123e4567-e89b-12d3-a456-426614174000"], ["123"]),
        ({"enum": [1, "a", None]}, [1, 1.0, "a", None], [True, "1", False]),
        ({"type": "integer"}, [1, 1.0], [1.5, True]),
        ({"maxLength": 2}, ["é😀"], ["abc"]),
    ],
)
def test_values(schema: dict[str, Any], valid: list[Any], invalid: list[Any]):
    assert [value for value in valid if value_problems(of(schema), {"a": value})] == []
    for value in invalid:
        (problem,) = value_problems(of(schema), {"a": value})
        assert problem["loc"] == ["a"]
        assert problem["msg"]


def test_the_draft_is_the_one_named():
    schema = {"type": "object", "properties": {"a": {"minimum": 1, "exclusiveMinimum": True}}}
    assert value_problems({"$schema": "http://json-schema.org/draft-04/schema#", **schema}, {"a": 1})
    items = {"type": "object", "properties": {"a": {"items": [{"type": "string"}]}}}
    assert value_problems({"$schema": "http://json-schema.org/draft-07/schema#", **items}, {"a": [1]})


def test_every_problem_is_listed_in_order():
    schema = {
        "type": "object",
        "required": ["x"],
        "additionalProperties": False,
        "properties": {"a": {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}},
    }
    found = value_problems(schema, {"a": ["1", 2, 2.0], "b": 1})
    assert [problem["loc"] for problem in found] == [[], [], ["a"], ["a", 0]]


def test_a_union_names_the_closest_branch():
    schema = of({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]})
    (problem,) = value_problems(schema, {"a": "abcd"})
    assert (problem["loc"], "long" in problem["msg"]) == (["a"], True)


def test_values_that_json_cannot_hold_are_refused():
    assert value_problems({}, {"a": float("nan")}) == [{"loc": ["a"], "msg": "nan is not a JSON number"}]
    assert value_problems({}, ["\ud800"])[0]["loc"] == [0]


def test_no_reference_is_fetched(monkeypatch: pytest.MonkeyPatch):
    import urllib.request

    def fetch(*_: object, **__: object) -> None:
        raise AssertionError("something was fetched")

    monkeypatch.setattr(urllib.request, "urlopen", fetch)
    (problem,) = value_problems(of({"$ref": "http://example.com/schema.json"}), {"a": 1})
    assert "which this document does not hold" in problem["msg"]


def test_a_pattern_that_is_none_is_said():
    (problem,) = value_problems(of({"pattern": "("}), {"a": "x"})
    assert "cannot be checked" in problem["msg"]


def test_formats_may_be_handed_in():
    even = {"even": lambda text: len(text) % 2 == 0, "date": lambda text: text == "today"}
    assert value_problems(of({"format": "even"}), {"a": "abc"}, formats=even)
    assert not value_problems(of({"format": "date"}), {"a": "today"}, formats=even)
    assert value_problems(of({"format": "date"}), {"a": "today"})
    assert not value_problems(of({"format": "even"}), {"a": "abc"})


def test_long_messages_are_cut():
    (problem,) = value_problems(of({"enum": list(range(500))}), {"a": "x" * 1000})
    assert len(problem["msg"]) < 300


def test_a_validator_is_not_changed_by_later_changes_to_the_schema():
    schema = of({"type": "string"})
    assert value_problems(schema, {"a": 1})
    schema["properties"]["a"]["type"] = "integer"
    assert not value_problems(schema, {"a": 1})


def test_below_a_nested_schema_keyword_the_same_rules_hold():
    """jsonschema itself would judge that part by a validator of its own."""
    name = "https://json-schema.org/draft/2020-12/schema"
    schema = of({"$schema": name, "type": ["string", "number"], "pattern": r"^\p{L}+$", "multipleOf": 0.01})
    assert not value_problems(schema, {"a": "été"})
    assert value_problems(schema, {"a": "1"})
    assert not value_problems(schema, {"a": 19.99})


# The files about what deg's schemas are made of.
KEYWORDS = (
    "type enum const items maxItems minItems uniqueItems maxLength minLength pattern minimum maximum exclusiveMinimum "
    "exclusiveMaximum multipleOf required properties anyOf oneOf default boolean_schema"
)


@pytest.mark.skipif(not SUITE.is_dir(), reason="the JSON-Schema-Test-Suite is not beside the checkout (DEG_SHARED)")
def test_the_official_suite():
    wrong = []
    for name in KEYWORDS.split():
        for group in json.loads((SUITE / f"{name}.json").read_text(encoding="utf-8")):
            schema = group["schema"] if isinstance(group["schema"], dict) else {"anyOf": [group["schema"]]}
            validator = ValueValidator(schema)
            for case in group["tests"]:
                if bool(validator.problems(case["data"])) == case["valid"]:
                    wrong.append(f"{name}: {group['description']}: {case['description']}")
    assert wrong == []
