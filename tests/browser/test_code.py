"""The request as code: what is copied asks for exactly what the page asks for."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.driving import Playground

NASTY = 'It\'s "quoted" \\ $HOME `id` !x %s {y} \u2028 é 🎉\ttab\n\n\'\'\'"""\nlast line; rm -rf /'
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "it's": {"type": ["number", "null"], "description": NASTY, "maximum": 123456789012345678901234567890},
        "yes": {"enum": [True, False, None, "true", 1.5, -2]},
        "many": {"type": "array", "items": {"type": "string", "description": "x" * 120}, "maxItems": 2},
    },
    "required": ["yes"],
}


@pytest.fixture(scope="module")
def asked(open_shared_page: Callable[..., Any], site: str) -> Playground:
    """The playground with a text and questions that are hard to quote, and the code shown. To be looked at only."""
    playground = Playground(open_shared_page(site))
    playground.put(NASTY, SCHEMA)
    playground.page.click("#options summary")
    playground.page.select_option("#date-order", "DMY")
    playground.page.fill("#null-margin", "0.5")
    playground.page.click("#options summary")
    playground.page.click("#tab-code")
    return playground


def code(playground: Playground, name: str) -> str:
    return playground.page.locator(f"#code-{name}").text_content()


def filled(playground: Playground) -> dict[str, Any]:
    """The reply to the page's own request."""
    with playground.page.expect_response("**/v1/fill") as caught:
        playground.fill()
    assert caught.value.status == 200
    return caught.value.json()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_asks_what_the_page_asks(asked: Playground):
    done = subprocess.run(["sh", "-c", code(asked, "curl")], capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout) == filled(asked)


def test_python_with_the_client_asks_what_the_page_asks(asked: Playground):
    shown = code(asked, "client")
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(shown, "shown", "exec"), {})
    assert told.getvalue() == f"{filled(asked)['value']}\n"


def test_python_in_process_holds_the_same_text_schema_and_options(asked: Playground):
    tree = ast.parse(code(asked, "local"))
    held = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id in ("context", "schema")
    }
    assert held == {"context": NASTY, "schema": SCHEMA}
    assert list(held["schema"]["properties"]) == list(SCHEMA["properties"])
    calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert "load_model('deg-tiny-0.1')" in calls
    assert "model.fill(context, schema, date_order='DMY', null_margin=0.5)" in calls


def test_code_follows_the_request_and_is_copied(playground: Playground):
    page = playground.page
    page.click("#tab-code")
    page.fill("#context", "another text")
    playground.expect(page.locator("#code-client")).to_contain_text('context = "another text"')
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#panel-code").get_by_role("button", name="Copy").first.click()
    playground.expect(page.locator("#panel-code button").first).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == code(playground, "curl")
