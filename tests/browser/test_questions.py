"""The questions: the gallery, and fields and JSON Schema in step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deg_core.contract.compiler import compile_schema
from tests.browser.driving import Playground

GALLERY = Path(__file__).parents[2] / "deg_serve" / "page" / "gallery"
IDS = [entry["id"] for entry in json.loads((GALLERY / "index.json").read_text("utf-8"))]
REWRITE = """async (schema) => {
    const { readFields, writeFields } = await import("/page/fields.js");
    const { parse } = await import("/page/json.js");
    const read = parse(schema);
    return JSON.stringify(writeFields(read, readFields(read)));
}"""


def test_examples_are_shown_as_fields_that_write_the_same_schema(playground: Playground):
    page = playground.page
    names = page.locator("#panel-fields > .fields > .field-list > .field .field-name")
    for name in IDS:
        page.select_option("#gallery", name)
        text = (GALLERY / f"{name}.txt").read_text("utf-8")
        written = (GALLERY / f"{name}.schema.json").read_text("utf-8")
        playground.expect(page.locator("#context")).to_have_value(text)
        assert page.input_value("#schema") == written
        assert names.all_inner_texts() == list(json.loads(written)["properties"])
        again = json.loads(page.evaluate(REWRITE, written))
        assert again == json.loads(written)
        assert compile_schema(again).fingerprint == compile_schema(json.loads(written)).fingerprint


def leaves() -> st.SearchStrategy[dict[str, Any]]:
    """Schemas of one value, of every form that deg fills."""
    text = st.text("aé🍝 <\"'", min_size=1, max_size=6)
    types = st.sampled_from(["string", "number", "integer", "boolean"])
    options = st.lists(st.one_of(text, st.integers(-5, 5)), min_size=2, max_size=4, unique_by=str)
    bounds = st.tuples(st.integers(-3, 3), st.integers(1, 14)).map(lambda pair: (pair[0], pair[0] + pair[1]))
    forms = [
        types.map(lambda kind: {"type": kind}),
        types.map(lambda kind: {"type": [kind, "null"]}),
        st.sampled_from(["date", "date-time", "email", "uri", "uuid"]).map(
            lambda name: {"type": "string", "format": name}
        ),
        options.map(lambda values: {"enum": values}),
        options.map(lambda values: {"enum": [*values, None]}),
        options.map(lambda values: {"oneOf": [{"const": value, "description": f"is {value}"} for value in values]}),
        options.map(lambda values: {"anyOf": [*({"const": value} for value in values), {"type": "null"}]}),
        bounds.map(lambda pair: {"type": "integer", "minimum": pair[0], "maximum": pair[1]}),
        st.just({"type": "string", "x-generate": True, "x-max-tokens": 9, "maxLength": 40}),
        st.just({"type": "array", "items": {"type": "string"}, "x-generate": True, "maxItems": 3}),
        st.just({"type": "string", "pattern": "^[A-Z]+$", "minLength": 2}),
        st.just({"anyOf": [{"type": "number", "minimum": 0}, {"type": "null"}]}),
        st.just({"$ref": "#/$defs/shared", "description": "another"}),
    ]
    return st.tuples(st.one_of(forms), st.none() | text).map(
        lambda pair: pair[0] if pair[1] is None else {**pair[0], "description": pair[1]}
    )


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    objects = st.dictionaries(st.text("ab/~ é.", min_size=1, max_size=4), inner, min_size=1, max_size=3).flatmap(
        lambda properties: st.lists(st.sampled_from(sorted(properties)), unique=True).map(
            lambda names: {"type": "object", "properties": properties, **({"required": names} if names else {})}
        )
    )
    return objects | st.one_of(objects, leaves()).map(lambda items: {"type": "array", "items": items, "minItems": 0})


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    properties=st.dictionaries(
        st.text("xyz", min_size=1, max_size=3), st.recursive(leaves(), nested, max_leaves=6), min_size=1, max_size=4
    )
)
def test_fields_ask_what_the_schema_asked(playground: Playground, properties: dict[str, Any]):
    """Read as fields and written again, a schema compiles to the same plan."""
    schema = {"type": "object", "$defs": {"shared": {"enum": ["p", "q"]}}, "properties": properties}
    again = json.loads(playground.page.evaluate(REWRITE, json.dumps(schema)))
    assert compile_schema(again).fingerprint == compile_schema(schema).fingerprint
    assert again.get("required") == schema.get("required")


def test_a_schema_is_built_by_adding_fields(playground: Playground):
    page = playground.page
    playground.put("I am furious about the red one, and about the blue one.", {"type": "object", "properties": {}})
    page.click("#tab-fields")
    page.click("[data-key='/add']")
    assert playground.focused("data-key") == "/0/name"
    page.keyboard.press("Control+a")
    page.keyboard.type("tone")
    page.select_option("[data-key='/0/kind']", "choice")
    page.fill("[data-key='/0/option/0']", "angry")
    page.fill("[data-key='/0/option/1']", "calm")
    page.get_by_label("Meaning of option 1").fill("Complains")
    page.get_by_label("Description").fill("How it sounds")
    page.get_by_label("required").check()
    page.get_by_label("may be null").check()
    assert playground.schema() == {
        "type": "object",
        "properties": {
            "tone": {
                "description": "How it sounds",
                "oneOf": [{"const": "angry", "description": "Complains"}, {"const": "calm"}, {"const": None}],
            }
        },
        "required": ["tone"],
    }
    page.click("[data-key='/0/fold']")
    page.click("[data-key='/add']")
    page.select_option("[data-key='/1/kind']", "group")
    page.check("[data-key='/1/list']")
    page.fill("[data-key='/1/name']", "things")
    page.click("[data-key='/1/0/fold']")
    page.fill("[data-key='/1/0/name']", "colour")
    page.click("[data-key='/1/add']")
    page.select_option("[data-key='/1/1/kind']", "scale")
    page.fill("[data-key='/1/1/high']", "3")
    page.press("[data-key='/1/1/high']", "Tab")
    page.get_by_label("Meaning of level 3").fill("loud")
    built = playground.schema()["properties"]["things"]
    assert built == {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "colour": {"type": "string"},
                "field_2": {"type": "integer", "minimum": 1, "maximum": 3, "x-levels": {"3": "loud"}},
            },
        },
    }
    assert playground.fill().startswith("Filled")


def test_fields_are_moved_removed_and_not_given_the_same_name(playground: Playground):
    page = playground.page
    playground.put(
        "x", {"type": "object", "properties": {name: {"type": "string"} for name in "abc"}, "required": ["b"]}
    )
    names = page.locator(".field-name")
    playground.expect(names).to_have_count(3)
    page.click("#tab-fields")
    page.click("[data-key='/1/fold']")
    page.get_by_role("button", name="Move up b").click()
    assert list(playground.schema()["properties"]) == ["b", "a", "c"]
    assert playground.focused("data-key") == "/0/fold"
    assert page.is_visible("[data-key='/0/name']")
    page.fill("[data-key='/0/name']", "a")
    assert page.is_visible("text=Another field has this name.")
    assert list(playground.schema()["properties"]) == ["b", "a", "c"]
    page.fill("[data-key='/0/name']", "d")
    assert playground.schema()["required"] == ["d"]
    page.get_by_role("button", name="Remove a").click()
    assert list(playground.schema()["properties"]) == ["d", "c"]


def test_the_fields_follow_the_json_and_keep_what_they_do_not_know(playground: Playground):
    page = playground.page
    shared = {"$ref": "#/$defs/money", "description": "The price"}
    schema = {
        "type": "object",
        "$defs": {"money": {"type": "number"}},
        "properties": {"price": shared, "code": {"type": "string", "pattern": "^[A-Z]{2}$"}},
        "additionalProperties": False,
    }
    playground.put("x", schema)
    page.click("#tab-fields")
    playground.expect(page.locator(".field-name").nth(1)).to_have_text("code")
    page.click("[data-key='/0/fold']")
    assert page.is_visible("text=edited as JSON")
    page.locator("#field-body-0").get_by_label("required").check()
    page.click("[data-key='/1/fold']")
    assert page.is_visible("text=Also, as in the JSON: pattern")
    page.locator("#field-body-1").get_by_label("Description").fill("Two letters")
    written = playground.schema()
    assert written == {
        **schema,
        "properties": {"price": shared, "code": {**schema["properties"]["code"], "description": "Two letters"}},
        "required": ["price"],
    }
    page.click("#tab-schema")
    page.fill("#schema", '{"type": "object", "properties": {"only": ')
    page.click("#tab-fields")
    playground.expect(page.locator("#panel-fields")).to_contain_text("Line 1, column")
    page.click("#tab-schema")
    page.fill("#schema", '{"type": "object", "properties": {"only": {"type": "boolean"}}}')
    page.click("#tab-fields")
    playground.expect(page.locator(".field-kind")).to_have_text("yes or no · optional")
