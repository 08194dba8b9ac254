"""Writing what a command found: JSON for programs, tables for people."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

#: Width of a table that goes into a file or a pipe; rich would cut it to 80 columns there.
_PIPE_WIDTH = 160


#: Characters that set the writing direction of what follows.
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """The text with every control and direction character but newline and tab as one visible character, so that what a
    document or a schema holds can neither colour a terminal nor turn its writing direction; places do not move."""
    return "".join(_shown(char) if char in _TURNS or unicodedata.category(char) == "Cc" else char for char in text)


def _shown(char: str) -> str:
    if char in "\n\t":
        return char
    return chr(0x2400 + ord(char)) if ord(char) < 0x20 else "\ufffd"


def print_json(value: Any) -> None:
    """One JSON document, indented, non-ASCII as it is."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
    """A table whose cells are shown in full: long ones are wrapped, never cut. ``None`` is an empty cell."""
    table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text, not markup: a value such as "[red]" is a value.
        table.add_row(*(Text("" if cell is None else visible(str(cell))) for cell in row))
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    Console(width=width, highlight=False).print(table)
