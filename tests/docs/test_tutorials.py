"""The tutorials, done as written: every file is saved, every command is run, and what is shown is what comes out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.plugins.scratch import ROOT, Scratch, require_installer

FOLDER = ROOT / "docs" / "tutorials"
# Each goes on where the one before it ended.
ORDER = ("your_first_backbone", "your_first_head", "your_first_array_decoder")
_FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block of code: a file to save, commands to run, or what they print."""

    language: str
    title: str | None
    text: str


def blocks(name: str) -> list[Block]:
    page = (FOLDER / f"{name}.md").read_text("utf-8")
    found = [Block(*match.groups()) for match in _FENCE.finditer(page)]
    assert page.count("```") == 2 * len(found), "a block is not understood"
    return found


def shows(printed: str, expected: str) -> None:
    """Every expected line comes out, in this order; ``...`` stands for anything."""
    lines = iter([re.sub(r"\s+", " ", line).strip() for line in printed.splitlines()])
    for line in expected.splitlines():
        words = re.sub(r"\s+", " ", line).strip()
        pattern = re.compile(".*".join(map(re.escape, words.split("..."))) + ("" if "..." in words else "$"))
        assert any(pattern.match(each) for each in lines), f"{line!r} is not in, or not at its place in:\n{printed}"


@pytest.mark.slow
def test_the_tutorials_work_as_written(tmp_path: Path):
    require_installer()
    scratch = Scratch(tmp_path)
    for name in ORDER:
        printed = ""
        for block in blocks(name):
            if block.title is not None:
                path = tmp_path / block.title
                path.parent.mkdir(exist_ok=True)
                path.write_text(block.text, "utf-8")
            elif block.language == "bash":
                printed = scratch.run(block.text).stdout
            else:
                assert block.language == "text"
                shows(printed, block.text)


def test_every_tutorial_is_done():
    assert {path.stem for path in FOLDER.glob("*.md")} >= set(ORDER)
    for name in ORDER:
        kinds = [block.language for block in blocks(name)]
        assert {"python", "bash", "text"} <= set(kinds)


@pytest.mark.parametrize(
    ("printed", "expected", "well"),
    [
        ("a\nb 1\nc", "a\nc", True),
        ("a\nb 1\nc", "b ...", True),
        ("a\nb 1\nc", "... 1\nc", True),
        ("a\nb 1\nc", "c\na", False),
        ("a\nb 1\nc", "b", False),
        ("a", "...b", False),
    ],
)
def test_what_is_shown_must_come_out(printed: str, expected: str, well: bool):
    if well:
        shows(printed, expected)
        return
    with pytest.raises(AssertionError, match="is not in"):
        shows(printed, expected)
