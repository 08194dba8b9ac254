"""Filling: by button and keys, cancelled, refused, with a key, and from a file that is dropped."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from tests.browser.driving import KEY, Playground
from tests.fixtures.canned import SCHEMA, TEXT, CannedEngine

OBJECT = {"type": "object"}
URGENT = {**OBJECT, "properties": {"urgent": {"type": "boolean"}}}


def test_an_example_is_filled_by_the_button_and_by_the_keys(playground: Playground):
    assert playground.fill().startswith("Filled 10 fields in ")
    assert playground.page.locator('[role="treeitem"]').count() == 10
    first = playground.page.inner_text("#panel-tree .tree")
    playground.page.focus("#schema" if playground.page.is_visible("#schema") else "#gallery")
    playground.page.keyboard.press("Control+Enter")
    assert playground.settled().startswith("Filled 10 fields in ")
    assert playground.page.inner_text("#panel-tree .tree") == first
    playground.page.click("#tab-raw")
    assert json.loads(playground.page.inner_text("#panel-raw pre"))["value"]["paid"] in (True, False)


def test_a_fill_is_cancelled_and_the_next_one_is_answered(playground: Playground, engine: CannedEngine):
    playground.put("Please hurry.", URGENT)
    engine.began.clear()
    engine.gate.clear()
    try:
        playground.page.click("#fill")
        playground.expect(playground.page.locator("#cancel")).to_be_visible()
        assert engine.began.wait(30)
        playground.page.click("#cancel")
        assert playground.settled() == "Cancelled."
        assert playground.page.is_hidden("#cancel")
    finally:
        engine.gate.set()
    assert playground.fill().startswith("Filled 1 field in ")


def test_every_problem_of_a_schema_is_shown_with_its_place(playground: Playground):
    properties = {"a/b": {"type": "text"}, "list": {"type": "array", "items": {"type": "string", "x-genrate": True}}}
    playground.put("x", {**OBJECT, "properties": properties, "required": ["zz"]})
    assert playground.fill() == "The request was refused: 3 problems."
    places = playground.page.locator("#problems button.place")
    assert places.all_inner_texts() == [
        "line 5: properties / a/b / type",
        "line 11: properties / list / items / x-genrate",
        "line 16: required / 0",
    ]
    assert "did you mean x-generate" in playground.page.inner_text("#problems li:nth-child(2)")
    playground.page.click("#tab-fields")
    places.nth(1).click()
    selected = playground.page.evaluate(
        "() => { const box = document.getElementById('schema');"
        " return box.value.slice(box.selectionStart, box.selectionEnd); }"
    )
    assert selected == '"x-genrate": true'
    assert playground.focused("id") == "schema"


def test_a_schema_that_is_no_json_is_refused_before_it_is_sent(playground: Playground):
    playground.put("x", '{"type": "object",\n "properties": {"a": {"type": "string"}\n "b": 1}}')
    sent: list[str] = []
    playground.page.on("request", lambda request: sent.append(request.url))
    assert playground.fill() == "The schema is not JSON."
    assert playground.page.inner_text("#schema-note") == "Line 3, column 2: a comma or } should stand here."
    assert not any("/v1/fill" in url for url in sent)


def test_a_required_value_that_is_missing_and_a_server_that_is_gone(playground: Playground):
    playground.put("A text without it.", {**OBJECT, "properties": {"total": {"type": "number"}}, "required": ["total"]})
    assert playground.fill() == "A required answer is not in the text."
    assert "/total" in playground.page.inner_text("#problems")
    assert "DEG-C003" in playground.page.inner_text("#problems")
    playground.page.route("**/v1/fill", lambda route: route.abort())
    assert playground.fill() == "The server did not answer."


def test_options_are_sent_and_their_problems_shown(playground: Playground):
    playground.put("Due 03/05/2026.", {**OBJECT, "properties": {"day": {"type": ["string", "null"], "format": "date"}}})
    playground.page.click("#options summary")
    playground.page.select_option("#date-order", "MDY")
    playground.page.fill("#null-margin", "-60")
    playground.page.fill("#max-new-tokens", "0")
    assert playground.fill() == "The request was refused."
    assert "options / max_new_tokens" in playground.page.inner_text("#problems")
    playground.page.fill("#max-new-tokens", "7")
    with playground.page.expect_request("**/v1/fill") as caught:
        assert playground.fill().startswith("Filled")
    sent = json.loads(caught.value.post_data)
    assert sent["options"] == {"date_order": "MDY", "null_margin": -60, "max_new_tokens": 7}
    assert playground.row("/day").locator(".value").inner_text() == "2026-03-05"


def test_a_server_with_keys_refuses_then_accepts(open_page: Callable[..., Any], locked_site: str):
    playground = Playground(open_page(locked_site))
    assert playground.fill() == "This server needs an API key."
    assert playground.focused("id") == "key"
    playground.page.keyboard.type("not-the-right-key")
    playground.page.keyboard.press("Enter")
    playground.expect(playground.page.locator("#problems")).to_contain_text("DEG-S005")
    playground.page.fill("#key", KEY)
    assert playground.fill().startswith("Filled 10 fields")
    playground.page.click("#tab-code")
    assert "$DEG_API_KEY" in playground.page.inner_text("#code-curl")
    assert KEY not in playground.page.content()
    kept = playground.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert KEY not in kept


def drop(page: Any, target: str, content: bytes) -> None:
    """Drop a file on a part of the page, as a file manager does."""
    page.evaluate(
        """([target, content]) => {
            const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], "dropped.txt"));
            for (const type of ["dragover", "drop"]) {
                document.querySelector(target).dispatchEvent(
                    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
            }
        }""",
        [target, base64.b64encode(content).decode()],
    )


def test_a_file_is_dropped_on_the_text_and_one_on_the_questions(playground: Playground):
    status = playground.page.locator("#status")
    drop(playground.page, "#text", TEXT.encode())
    playground.expect(status).to_have_text("dropped.txt is open.")
    assert playground.page.input_value("#context") == TEXT
    drop(playground.page, "#text", b"\xff\xfe\x00")
    playground.expect(status).to_have_text("dropped.txt is not a text file in UTF-8.")
    assert playground.page.input_value("#context") == TEXT
    drop(playground.page, "#questions", json.dumps(SCHEMA).encode())
    playground.expect(playground.page.locator(".field-name").first).to_have_text("reply")
    assert playground.fill().startswith("Filled 11 fields")
    assert "policy" not in playground.page.inner_text("#problems")
