"""Writing what a command found: JSON for programs, tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

#: Width of a table that goes into a file or a pipe; rich would cut it to 80 columns there.
_PIPE_WIDTH = 160


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
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    Console(width=width, highlight=False).print(table)
