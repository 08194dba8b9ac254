"""A filled schema for people: the text with its spans coloured, and a row per field."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from deg_core.contract.result import FieldMeta, FillResult
from deg_serve.cli.output import visible

_COLOURS = ("green", "cyan", "magenta", "yellow", "blue", "red")
_MISSING = object()


def print_evidence(text: str, result: FillResult) -> None:
    """Print the text with the chosen spans in colour, then fields, values and how sure the model is."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    colours = {
        pointer: _COLOURS[index % len(_COLOURS)]
        for index, pointer in enumerate(p for p, meta in result.meta.items() if meta.span is not None)
    }
    shown = Text(visible(text))
    for pointer, colour in colours.items():
        start, end = result.meta[pointer].span or (0, 0)
        shown.stylize(f"bold {colour}", start, end)
    console.print(shown)
    table = Table(show_edge=False, pad_edge=False)
    for column in ("field", "value", "sure", "how", "where"):
        table.add_column(column, overflow="fold", justify="right" if column == "sure" else "left")
    for pointer, meta in result.meta.items():
        table.add_row(
            Text(visible(pointer), style=colours.get(pointer, "")),
            Text(visible(_value(result.json, pointer))),
            Text("" if (sure := _sureness(meta)) is None else f"{sure:.0%}"),
            Text(visible(_how(meta))),
            Text("" if meta.span is None else f"{meta.span[0]}-{meta.span[1]}"),
        )
    console.print()
    console.print(table)


def _sureness(meta: FieldMeta) -> float | None:
    """Probability of the shown value: of the outcome for decide fields, of the span or of null for extract fields;
    None for arrays and written texts."""
    if meta.mode == "decide.noul":
        p_true = meta.probability or 0.0
        return max(p_true, 1 - p_true)
    return meta.probability if meta.probability is not None else meta.confidence


def _how(meta: FieldMeta) -> str:
    notes = [meta.mode]
    if meta.null_reason:
        notes.append(meta.null_reason)
    if meta.guess:
        notes.append(f"perhaps {json.dumps(meta.guess['value'], ensure_ascii=False)}")
    if meta.dropped:
        notes.append(f"{meta.dropped} dropped")
    if meta.finish == "length":
        notes.append("ended by its budget")
    notes += [note for note, on in (("ambiguous", meta.ambiguous), ("offset assumed", meta.assumed_offset)) if on]
    return ", ".join(notes)


def _value(root: Any, pointer: str) -> str:
    found = root
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            found = found[int(key)]
        else:
            found = found.get(key, _MISSING) if isinstance(found, dict) else _MISSING
    if isinstance(found, list):
        return f"{len(found)} item{'s' * (len(found) != 1)}"
    return "(left out)" if found is _MISSING else json.dumps(found, ensure_ascii=False)
