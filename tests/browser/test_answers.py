"""Answers: what is said of each, marks that light up both ways, offsets beyond the basic plane, lists in lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.driving import Playground
from tests.fixtures.canned import EVERYTHING, HOSTILE, LIST_SCHEMA, LIST_TEXT, SCHEMA, TEXT


@pytest.fixture(scope="module")
def filled(open_shared_page: Callable[..., Any], site: str) -> Playground:
    """The playground with an answer of every kind. To be looked at and pointed at only."""
    playground = Playground(open_shared_page(site))
    playground.put(TEXT, SCHEMA)
    assert playground.fill().startswith("Filled 11 fields in ")
    return playground


@pytest.fixture
def lists(playground: Playground) -> Playground:
    """The playground with a list in a list."""
    playground.put(LIST_TEXT, LIST_SCHEMA)
    assert playground.fill().startswith("Filled 5 fields in ")
    return playground


def test_every_answer_says_how_it_came_about(filled: Playground):
    said = {name: filled.row(f"/{name}").inner_text() for name in SCHEMA["properties"]}
    assert ">99 %" in said["order"]
    assert "31 %" in said["middle"]
    assert "ambiguous" in said["amount"]
    assert "digits grouped as elsewhere in the text" in said["amount"]
    for words in ("null", "could not be read", "ambiguous", "guess: 2026-05-09, 20 %"):
        assert words in said["day"]
    assert "left out" in said["lost"]
    assert "what was found violates maxLength" in said["lost"]
    assert "4 cheerful" in said["mood"].replace("\n", " ")
    assert "expected level 3.5" in said["mood"]
    assert "written, 5 tokens" in said["reply"]
    assert "ended by its token budget" in said["reply"]
    # Written fields come last in a reply, and stand where the schema has them.
    assert filled.page.locator('[role="treeitem"]').first.get_attribute("data-pointer") == "/reply"


def test_decided_fields_have_a_bar_for_each_outcome(filled: Playground):
    bars = filled.row("/coin").locator(".outcome")
    assert [text.split("\n") for text in bars.all_inner_texts()] == [
        ["EUR", "25 %"],
        ["<b>CHF</b>", "70 %"],
        ["null", "5 %"],
    ]
    assert filled.row("/coin").locator(".outcome.on .bar-label").all_inner_texts() == ["<b>CHF</b>"]
    assert filled.row("/mood").locator(".bar-label").all_inner_texts() == ["0", "2", "4 cheerful"]
    assert filled.row("/urgent").locator(".bar-share").all_inner_texts() == ["<1 %", ">99 %"]
    widths = [bar.bounding_box()["width"] for bar in filled.row("/coin").locator(".bar-fill").all()]
    assert widths[1] > 2 * widths[0] > 4 * widths[2] > 0


def test_text_of_strangers_stays_text(filled: Playground):
    page = filled.page
    assert page.locator("img, b, main script").count() == 0
    assert filled.row("/payee").locator(".value").inner_text() == f"{HOSTILE} & Söhne"
    assert filled.row("/reply").locator(".value").inner_text() == "Dear <script>alert(2)</script>"
    assert page.locator("#marks").text_content() == TEXT


def test_questions_of_strangers_stay_text(playground: Playground):
    page = playground.page
    playground.put("x", {"type": "object", "properties": {HOSTILE: {"type": HOSTILE, HOSTILE: HOSTILE}}})
    playground.fill()
    page.click("#tab-fields")
    page.click("[data-key='/0/fold']")
    page.click("#tab-code")
    assert HOSTILE in page.inner_text("#panel-code")
    assert HOSTILE in page.locator("#problems").text_content()
    assert HOSTILE in page.inner_text(".field-name")
    assert page.locator("img").count() == 0


def test_marks_stand_where_the_api_says_in_code_points(filled: Playground):
    for name in SCHEMA["properties"]:
        meta = EVERYTHING.meta[f"/{name}"]
        place = meta.span or (meta.guess or {}).get("span")
        if place is None:
            continue
        filled.row(f"/{name}").hover()
        assert "".join(filled.lit_marks()) == TEXT[place[0] : place[1]], name
    assert filled.page.locator(".mark.guess").all_text_contents() == ["9 May 2026"]


def test_a_mark_lights_up_every_field_that_it_belongs_to(filled: Playground):
    pieces = filled.page.locator(".mark").all_text_contents()
    assert pieces[:4] == ["Order ", "NL-", "77120", " of 03/05"]
    wanted = [["/order"], ["/order", "/number"], ["/order", "/number", "/middle"], ["/middle"]]
    for index, pointers in enumerate(wanted):
        filled.page.locator(".mark").nth(index).hover()
        assert sorted(filled.lit_answers()) == sorted(pointers)
    filled.page.hover("#text-title")
    assert filled.lit_answers() == []
    assert filled.lit_marks() == []


def test_the_focus_goes_from_an_answer_to_the_text_and_back(filled: Playground):
    filled.page.locator('[role="treeitem"]').first.focus()
    filled.page.keyboard.press("ArrowDown")
    filled.page.keyboard.press("ArrowDown")
    assert filled.focused("data-pointer") == "/number"
    assert filled.lit_marks() == ["NL-", "77120"]
    filled.page.keyboard.press("Enter")
    assert filled.focused("aria-label") == "NL-: order, number"
    filled.page.keyboard.press("ArrowRight")
    assert filled.focused("aria-label") == "77120: order, number, middle"
    assert sorted(filled.lit_answers()) == ["/middle", "/number", "/order"]
    filled.page.keyboard.press("End")
    filled.page.keyboard.press("Enter")
    assert filled.focused("data-pointer") == "/day"


def test_pointing_scrolls_the_other_side_and_not_the_page(playground: Playground):
    text = "\n".join(f"line {number}" for number in range(150)) + "\n" + TEXT
    playground.put(text, {"type": "object", "properties": {"number": {"type": ["integer", "null"]}}})
    playground.page.click("#options summary")
    playground.page.fill("#null-margin", "-90")
    playground.fill()
    playground.row("/number").hover()
    playground.expect(playground.page.locator(".mark.lit").first).to_be_in_viewport()
    assert playground.page.evaluate("() => scrollY") == 0


def test_a_list_in_a_list_is_walked_with_the_arrow_keys(lists: Playground):
    assert "2 items" in lists.row("/boxes").inner_text()
    assert "1 dropped" in lists.row("/boxes").inner_text()
    page = lists.page
    lists.row("/boxes/0").hover()
    assert lists.lit_marks() == ["A", "red", "blue"]
    page.locator('[role="treeitem"]').first.focus()
    walk = [
        ("ArrowRight", "/boxes/0"),
        ("ArrowRight", "/boxes/0/name"),
        ("ArrowDown", "/boxes/0/colours"),
        ("ArrowRight", "/boxes/0/colours/0"),
        ("ArrowLeft", "/boxes/0/colours"),
        ("ArrowLeft", "/boxes/0/colours"),  # closes
        ("ArrowDown", "/boxes/1"),
        ("ArrowUp", "/boxes/0/colours"),
        ("ArrowRight", "/boxes/0/colours"),  # opens
        ("ArrowDown", "/boxes/0/colours/0"),
        ("End", "/boxes/1/colours/0"),
        ("Home", "/boxes"),
    ]
    for key, pointer in walk:
        page.keyboard.press(key)
        assert lists.focused("data-pointer") == pointer, key
    assert page.locator('[role="treeitem"][tabindex="0"]').count() == 1
    # What is hidden in a closed item is opened when its mark is chosen.
    page.keyboard.press("ArrowLeft")
    assert lists.answer("/boxes/1/colours/0").is_hidden()
    page.get_by_role("button", name="green: boxes 1 colours 0").click()
    assert lists.focused("data-pointer") == "/boxes/1/colours/0"
    assert lists.answer("/boxes/1/colours/0").is_visible()


def test_answers_of_another_request_say_so(lists: Playground):
    page = lists.page
    assert page.is_hidden("#stale")
    page.click("#tab-edit")
    page.fill("#context", LIST_TEXT + " ")
    page.click("#tab-marks")
    lists.expect(page.locator("#stale")).to_be_visible()
    page.click("#tab-edit")
    page.fill("#context", LIST_TEXT)
    page.click("#tab-marks")
    lists.expect(page.locator("#stale")).to_be_hidden()


def test_long_numbers_keep_their_digits(playground: Playground):
    body = (
        '{"model": "m", "value": {"n": 12345678901234567890, "x": 1.50}, "usage": {"prompt_tokens": 1}, "plan": "p",'
        ' "meta": {"/n": {"mode": "extract.number", "confidence": 1.0, "span": [0, 1]},'
        ' "/x": {"mode": "extract.number", "confidence": 1e-05, "span": null}}}'
    )
    playground.page.route(
        "**/v1/fill", lambda route: route.fulfill(status=200, content_type="application/json", body=body)
    )
    playground.put("1", {"type": "object", "properties": {"n": {"type": "integer"}, "x": {"type": "number"}}})
    playground.fill()
    assert playground.row("/n").locator(".value").inner_text() == "12345678901234567890"
    assert playground.row("/x").locator(".value").inner_text() == "1.50"
    assert "<1 %" in playground.row("/x").inner_text()
    playground.page.click("#tab-raw")
    assert "12345678901234567890" in playground.page.inner_text("#panel-raw pre")
