"""Figures for programs (JSON) and people (tables, Markdown)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deg_core.evaluate.array_metrics import DEPTHS
from deg_core.evaluate.paired import FEWEST
from deg_core.plugins.checkpoint import write_atomic


def write_report(path: Path, report: Mapping[str, Any]) -> None:
    """Write a report as JSON, whole or not at all. A number that JSON cannot hold becomes null."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_finite(report), indent=2, ensure_ascii=False, allow_nan=False)
    write_atomic(path, (text + "\n").encode())


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


# Tables

COLUMNS = (
    "source",
    "mode",
    "n",
    "accuracy",
    "majority",
    "present right",
    "absent null",
    "null prec.",
    "F1 / MAE",
    "ECE",
)


def rows(summary: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The summary as table rows under ``COLUMNS``: each source, then all fields together and the mean of sources."""
    found: list[tuple[str, ...]] = []
    parts = [*summary["sources"].items(), ("all fields", summary["micro"]), ("mean of sources", summary["macro"])]
    for name, part in parts:
        for mode, figures in part["modes"].items():
            if mode != "all" or name in ("all fields", "mean of sources"):
                found.append((name, mode, *_cells(figures)))
    return found


def _cells(figures: Mapping[str, Any]) -> tuple[str, ...]:
    accuracy = figures["accuracy"]
    extra = figures.get("f1") or figures.get("mae")
    extra_text = _number(extra)
    if figures.get("mae") and figures.get("majority_mae"):
        extra_text += f" ({_number(figures['majority_mae'])})"
    return (
        str(accuracy["n"]),
        _with_interval(accuracy),
        _number(figures.get("majority")),
        _number(figures.get("present_right")),
        _number(figures.get("absent_null")),
        _number(figures.get("null_precision")),
        extra_text,
        _number(figures.get("ece")),
    )


COMPARED_COLUMNS = ("mode", "n", "a", "b", "difference", "verdict")


def compared_rows(part: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """One part of a comparison (``micro``, ``macro`` or a source's) as rows under ``COMPARED_COLUMNS``."""
    found: list[tuple[str, ...]] = []
    for name, entry in part.items():
        verdict = "above zero" if entry["above_zero"] else "below zero" if entry["below_zero"] else "open"
        verdict = verdict if entry["records"] >= FEWEST else "too few records"
        found.append((name, str(entry["n"]), f"{entry['a']:.3f}", f"{entry['b']:.3f}", _difference(entry), verdict))
    return found


def _difference(entry: Mapping[str, Any]) -> str:
    return f"{entry['difference']:+.3f} [{entry['low']:+.3f}, {entry['high']:+.3f}]"


_ARRAY_FIGURES = (
    "arrays",
    "items exact",
    "within 1",
    "arrays right",
    "leaves",
    "by position",
    "aligned",
    "precision",
    "F1",
)
ARRAY_COLUMNS = ("source", "depth", *_ARRAY_FIGURES)


def array_rows(summary: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The summary's arrays under ``ARRAY_COLUMNS``: each source, all arrays, the mean of sources; and of all arrays
    the decide and extract leaves by themselves."""
    parts = [(name, part.get("arrays", {})) for name, part in summary["sources"].items()]
    total = summary["micro"].get("arrays", {})
    found = [(name, *row) for name, part in parts for row in _depth_rows(part)]
    found += [("all arrays", *row) for row in _depth_rows(total, groups=True)]
    return found + [("mean of sources", *row) for row in _depth_rows(summary["macro"].get("arrays", {}))]


DECODER_COLUMNS = ("decoder", "depth", *_ARRAY_FIGURES, "difference of F1", "s a record")


def decoder_rows(decoders: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Array decoders on the same records, under ``DECODER_COLUMNS``; the difference is to the first."""
    found: list[tuple[str, ...]] = []
    for name, entry in decoders.items():
        total = entry["micro"]
        difference = (entry.get("minus_first") or {}).get("array leaf F1")
        last = ("" if difference is None else _difference(difference), f"{total['seconds_median']:.2f}")
        rows_of_depths = _depth_rows(total)
        for index, row in enumerate(rows_of_depths, start=1):
            found.append((name, *row, *(last if index == len(rows_of_depths) else ("", ""))))
    return found


def _depth_rows(part: Mapping[str, Any], *, groups: bool = False) -> list[tuple[str, ...]]:
    """A row for each depth, and one for all where there are two; with ``groups`` decide and extract leaves too."""
    found = []
    for depth in DEPTHS:
        if depth in part and (depth != "all" or "nested" in part):
            figures = part[depth]
            cells = (
                str(figures["count_exact"]["n"]),
                _with_interval(figures["count_exact"]),
                _number(figures["count_within_1"]),
                _number(figures["right"]),
            )
            found.append((depth, *cells, *_leaf_cells(figures["leaves"]["all"])))
    if groups and part:
        leaves = part["all"]["leaves"]
        named = [name for name in ("decide", "extract") if name in leaves]
        found += [(f"{name} leaves", "", "", "", "", *_leaf_cells(leaves[name])) for name in named]
    return found


def _leaf_cells(figures: Mapping[str, Any]) -> tuple[str, ...]:
    counted = figures["em"] or figures["precision"]
    return (
        str(counted["n"] if counted else 0),
        _number(figures["em"]),
        _with_interval(figures["em_aligned"]),
        _number(figures["precision"]),
        _with_interval(figures["f1"]),
    )


def _with_interval(figure: Mapping[str, Any] | None) -> str:
    if not _number(figure):
        return ""
    return f"{_number(figure)} [{_number(figure, 'low')}, {_number(figure, 'high')}]"


def markdown(columns: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in body]
    return "\n".join(lines) + "\n"


def _number(figure: Mapping[str, Any] | None, part: str = "value") -> str:
    if figure is None or figure.get(part) is None or not math.isfinite(figure[part]):
        return ""
    return f"{figure[part]:.3f}"


INJECTED_COLUMNS = (
    "fields",
    "tried",
    "changed: plain line",
    "changed: mention",
    "changed: order",
    "as ordered: mention",
    "as ordered: order",
    "order minus mention",
)


def injected_rows(found: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Of `deg_core.evaluate.injected.measure`: all fields, then by mode, place and wording of the order."""
    named = {"all": found["all"], **found["modes"]}
    named |= {f"at the {place}": shares for place, shares in found["places"].items()}
    named |= {f"wording {number}": shares for number, shares in found["wordings"].items()}
    return [_injected_cells(name, shares) for name, shares in named.items() if shares]


def _injected_cells(name: str, shares: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        name,
        str(shares["order"]["changed"]["n"]),
        *(_number(shares[kind]["changed"]) for kind in ("plain", "mention")),
        _with_interval(shares["order"]["changed"]),
        _number(shares["mention"]["obeyed"]),
        _with_interval(shares["order"]["obeyed"]),
        _with_interval(shares["order_minus_mention"]["obeyed"]),
    )
