"""What a person does on the playground, in words."""

from __future__ import annotations

import json
import re
from typing import Any

KEY = "a-key-of-this-test"
PATIENCE_MS = 60_000  # on a busy machine
DONE = re.compile(r"^(Filled|Cancelled|The |A |This |Too )")


class Playground:
    """A page with the playground. ``page`` is Playwright's."""

    def __init__(self, page: Any) -> None:
        from playwright.sync_api import expect

        expect.set_options(timeout=PATIENCE_MS)
        self.page = page
        self.expect = expect
        expect(page.locator("#model")).not_to_be_empty()

    def put(self, text: str, schema: Any) -> None:
        """Write a text and a schema, a string as it is, into the editors."""
        written = schema if isinstance(schema, str) else json.dumps(schema, indent=2, ensure_ascii=False)
        self.page.click("#tab-schema")
        self.page.fill("#schema", written)
        self.page.click("#tab-edit")
        self.page.fill("#context", text)

    def fill(self) -> str:
        """Press Fill and wait; gives the status line."""
        self.page.click("#fill")
        return self.settled()

    def settled(self) -> str:
        """The status line once the request is over."""
        self.expect(self.page.locator("#answers")).not_to_have_attribute("aria-busy", "true")
        self.expect(self.page.locator("#status")).to_have_text(DONE)
        return self.page.locator("#status").inner_text()

    def answer(self, pointer: str) -> Any:
        """The tree item of an answer."""
        return self.page.locator(f'[role="treeitem"][data-pointer="{pointer}"]')

    def row(self, pointer: str) -> Any:
        """The line of an answer, without those below it."""
        return self.answer(pointer).locator("> .row")

    def lit_marks(self) -> list[str]:
        """The pieces of the text that are lit up."""
        return self.page.locator(".mark.lit").all_text_contents()

    def lit_answers(self) -> list[str]:
        """The pointers of the answers that are lit up."""
        return [item.get_attribute("data-pointer") for item in self.page.locator('[role="treeitem"].lit').all()]

    def schema(self) -> Any:
        """The schema in the editor."""
        return json.loads(self.page.input_value("#schema"))

    def focused(self, attribute: str) -> str | None:
        """An attribute of what has the focus."""
        return self.page.locator("*:focus").last.get_attribute(attribute)
