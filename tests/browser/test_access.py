"""For everybody: axe in light and dark, keys, the focus, colours, motion, and a narrow screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.driving import Playground
from tests.fixtures.canned import LIST_SCHEMA, LIST_TEXT, SCHEMA, TEXT

COLOURS = ["light", "dark"]


def findings(page: Any) -> list[str]:
    """What axe finds serious or critical."""
    base = pytest.importorskip(
        "axe_playwright_python.base", reason="the axe-playwright-python package is not installed"
    )
    page.evaluate(base.AXE_FILE_PATH.read_text("utf-8"))
    told = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    assert told["passes"], "axe did not run"
    return [
        f"{found['id']}: {found['help']}: {node['html'][:160]}"
        for found in told["violations"]
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


@pytest.mark.parametrize("colours", COLOURS)
def test_axe_finds_nothing_serious_in_any_state(open_page: Callable[..., Any], site: str, colours: str):
    playground = Playground(open_page(site, color_scheme=colours, reduced_motion="reduce"))
    page = playground.page
    assert findings(page) == []
    playground.put(TEXT, SCHEMA)
    playground.fill()
    page.locator('[role="treeitem"]').nth(2).focus()
    page.click("#options summary")
    page.click("#tab-fields")
    page.click("[data-key='/8/fold']")
    page.click("[data-key='/9/fold']")
    assert findings(page) == []
    page.click("#tab-code")
    playground.put("x", {"type": "object", "properties": {"a": {"type": "text"}}})
    playground.fill()
    assert findings(page) == []
    playground.put(LIST_TEXT, LIST_SCHEMA)
    playground.fill()
    page.click("#tab-code")
    assert findings(page) == []


@pytest.mark.parametrize("colours", COLOURS)
def test_axe_finds_nothing_serious_in_the_description_of_the_api(
    open_page: Callable[..., Any], site: str, colours: str
):
    page = open_page(f"{site}/docs", color_scheme=colours)
    assert page.locator("h3 code", has_text="/v1/fill").count() == 1
    assert findings(page) == []


def ground(page: Any) -> str:
    return page.evaluate("() => getComputedStyle(document.body).backgroundColor")


def test_colours_follow_the_system_until_they_are_chosen(open_page: Callable[..., Any], site: str):
    playground = Playground(open_page(site, color_scheme="dark"))
    page = playground.page
    dark = ground(page)
    page.emulate_media(color_scheme="light")
    light = ground(page)
    assert light != dark
    theme = page.locator("#theme")
    assert theme.inner_text() == "Theme: system"
    theme.click()
    theme.click()
    assert (theme.inner_text(), ground(page)) == ("Theme: dark", dark)
    page.reload()
    playground.expect(theme).to_have_text("Theme: dark")
    assert ground(page) == dark
    theme.click()
    assert (theme.inner_text(), ground(page)) == ("Theme: system", light)


def test_tabs_and_landmarks_work_without_a_mouse(playground: Playground):
    page = playground.page
    page.keyboard.press("Tab")
    assert playground.focused("class") == "skip"
    page.keyboard.press("Enter")
    assert playground.focused("id") == "answers"
    page.focus("#tab-tree")
    page.keyboard.press("ArrowLeft")
    assert playground.focused("id") == "tab-code"
    assert page.is_visible("#code-curl")
    page.keyboard.press("Home")
    assert page.is_visible("#empty")
    page.focus("#tab-edit")
    page.keyboard.press("ArrowRight")  # there is nothing found yet: the other tab cannot be chosen
    assert playground.focused("id") == "tab-edit"
    for role in ("banner", "main", "navigation", "status"):
        assert page.get_by_role(role).count() == 1, role


def test_the_focus_is_seen_everywhere(playground: Playground):
    page = playground.page
    playground.put("x", {"type": "object", "properties": {"a": {"type": "string"}}})
    page.click("#tab-fields")
    page.focus("#theme")
    seen = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        told = page.evaluate(
            """() => {
                const here = document.activeElement;
                if (here === document.body) return null;
                const styles = [here, here.parentElement].map((node) => getComputedStyle(node));
                const outlined = styles.some(({ outlineStyle, outlineWidth }) =>
                    outlineStyle !== "none" && parseFloat(outlineWidth) >= 1);
                return [here.id || here.className || here.tagName, outlined];
            }"""
        )
        if told is None:
            break
        seen.add(told[0])
        assert told[1], told[0]
    assert {"gallery", "key", "fill", "fold", "context", "tab-tree"} <= seen


def test_nothing_moves_for_those_who_want_it_so(open_page: Callable[..., Any], site: str):
    playground = Playground(open_page(site, reduced_motion="reduce"))
    playground.fill()
    duration = playground.page.evaluate(
        "() => getComputedStyle(document.querySelector('[role=treeitem] > .row')).transitionDuration"
    )
    assert duration in ("0s", "")


@pytest.mark.parametrize("width", [360, 800])
def test_a_narrow_screen_needs_no_scrolling_sideways(open_page: Callable[..., Any], site: str, width: int):
    playground = Playground(open_page(site))
    page = playground.page
    page.set_viewport_size({"width": width, "height": 700})

    def sideways() -> int:
        return page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert sideways() == 0
    playground.put(LIST_TEXT, LIST_SCHEMA)
    playground.fill()
    assert sideways() == 0
    playground.put(TEXT, SCHEMA)
    playground.fill()
    page.locator('[role="treeitem"]').first.focus()
    page.keyboard.press("End")
    playground.expect(playground.row("/urgent")).to_be_in_viewport()
    page.click("#options summary")
    assert sideways() == 0
    page.click("#options summary")
    playground.put("x", {"type": "object", "properties": {"a" * 80: {"type": "t" * 90}}})
    playground.fill()
    page.click("#tab-code")
    page.click("#tab-fields")
    page.click("[data-key='/0/fold']")
    assert sideways() == 0
    assert page.locator("#fill").is_visible()
    page.goto(f"{site}/docs")
    assert sideways() == 0
