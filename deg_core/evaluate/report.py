"""Figures for programs (JSON) and people (Markdown), and the comparison of two predictors on the same records."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deg_core.evaluate.bootstrap import Floats, Interval, Resampler, interval
from deg_core.evaluate.metrics import MODES, macro_mean
from deg_core.evaluate.outcome import FieldOutcome, RecordOutcome
from deg_core.plugins.checkpoint import write_atomic

#: What is compared: the modes that count, and what a field adds above and below. Higher is better in all.
_Side = Callable[[FieldOutcome], float]
_COMPARED: dict[str, tuple[frozenset[str], _Side, _Side]] = {
    "choice": (frozenset({"choice"}), lambda f: f.right, lambda f: 1),
    "noul": (frozenset({"noul"}), lambda f: f.right, lambda f: 1),
    "score": (frozenset({"score"}), lambda f: f.right, lambda f: 1),
    "score_mae": (frozenset({"score"}), lambda f: -(f.off or 0.0), lambda f: f.off is not None),
    "span": (frozenset({"span"}), lambda f: f.right, lambda f: 1),
    "span_present": (frozenset({"span"}), lambda f: f.right and f.present, lambda f: f.present),
    "span_f1": (frozenset({"span"}), lambda f: f.f1, lambda f: f.present),
    "number+date": (frozenset({"number", "date"}), lambda f: f.right, lambda f: 1),
    "all": (frozenset(MODES.values()), lambda f: f.right, lambda f: 1),
}


FEWEST = 10
"""With fewer records a percentile interval is too narrow for a verdict."""


def compare(
    a: Sequence[RecordOutcome], b: Sequence[RecordOutcome], *, resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """How much better ``a`` is than ``b`` on the records that both have, by mode.

    Differences are paired: both are resampled by the same records, within sources. ``score_mae`` is the distance
    saved, so that above zero always means that ``a`` is better. ``macro`` is the mean of the sources' differences.
    There is a verdict from ``FEWEST`` records with a field of the mode up.
    """
    others = {outcome.identity: outcome for outcome in b}
    pairs = [(outcome, others[outcome.identity]) for outcome in a if outcome.identity in others]
    sampler = Resampler(resamples=resamples, seed=seed)
    grouped: dict[str, list[tuple[RecordOutcome, RecordOutcome]]] = {}
    for pair in pairs:
        grouped.setdefault(pair[0].source, []).append(pair)
    sums = {source: _paired_sums(source, own, sampler) for source, own in sorted(grouped.items())}
    shared = len(pairs)
    return {
        "records": shared,
        "left_out": {"a": len(a) - shared, "b": len(b) - shared},
        "micro": _differences(sums, _micro),
        "macro": _differences(sums, _macro),
        "sources": {source: _differences({source: own}, _micro) for source, own in sums.items()},
    }


#: By comparison: the resampled sums of a, of b and of the number of items; and how many records have any.
_Sums = Mapping[str, tuple[Floats, Floats, Floats, int]]


def _paired_sums(source: str, pairs: Sequence[tuple[RecordOutcome, RecordOutcome]], sampler: Resampler) -> _Sums:
    table = np.zeros((len(pairs), 3 * len(_COMPARED)))
    for row, (of_a, of_b) in enumerate(pairs):
        second = {field.pointer: field for field in of_b.fields}
        for first in of_a.fields:
            other = second[first.pointer]
            for place, (modes, upper, lower) in enumerate(_COMPARED.values()):
                if MODES[first.mode] in modes:
                    table[row, 3 * place : 3 * place + 3] += upper(first), upper(other), lower(first)
    sums = sampler.sums(source, table).T
    return {
        name: (sums[3 * k], sums[3 * k + 1], sums[3 * k + 2], int(np.count_nonzero(table[:, 3 * k + 2])))
        for k, name in enumerate(_COMPARED)
    }


def _differences(
    sums: Mapping[str, _Sums], combine: Callable[[Sequence[tuple[Floats, Floats]]], Interval | None]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _COMPARED:
        parts = [own[name] for own in sums.values()]
        difference = combine([(first - second, count) for first, second, count, _ in parts])
        if difference is None:
            continue
        of_a = combine([(first, count) for first, _, count, _ in parts])
        of_b = combine([(second, count) for _, second, count, _ in parts])
        records = sum(own for *_, own in parts)
        assert of_a is not None
        assert of_b is not None
        found[name] = {
            "a": of_a.value,
            "b": of_b.value,
            "difference": difference.value,
            "low": difference.low,
            "high": difference.high,
            "n": int(difference.n),
            "records": records,
            "above_zero": records >= FEWEST and difference.low > 0,
            "below_zero": records >= FEWEST and difference.high < 0,
        }
    return found


def _micro(ratios: Sequence[tuple[Floats, Floats]]) -> Interval | None:
    if not ratios:
        return None
    return interval(np.sum([over for over, _ in ratios], axis=0), np.sum([under for _, under in ratios], axis=0))


def _macro(ratios: Sequence[tuple[Floats, Floats]]) -> Interval | None:
    return macro_mean(ratios)


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
        f"{_number(accuracy)} [{_number(accuracy, 'low')}, {_number(accuracy, 'high')}]",
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
        interval_text = f"{entry['difference']:+.3f} [{entry['low']:+.3f}, {entry['high']:+.3f}]"
        found.append((name, str(entry["n"]), f"{entry['a']:.3f}", f"{entry['b']:.3f}", interval_text, verdict))
    return found


def markdown(columns: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in body]
    return "\n".join(lines) + "\n"


def _number(figure: Mapping[str, Any] | None, part: str = "value") -> str:
    if figure is None or figure.get(part) is None or not math.isfinite(figure[part]):
        return ""
    return f"{figure[part]:.3f}"
