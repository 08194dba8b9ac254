"""Figures of arrays: how often the number of items is right, and how many of the leaves in items are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

import numpy as np

from deg_core.evaluate.bootstrap import Floats, Interval, Resampler, interval, macro_mean
from deg_core.evaluate.outcome import ArrayOutcome, LeafCounts, RecordOutcome

DEPTHS: Final = ("top-level", "nested", "all")
#: Groups of leaves by the prefix of their modes.
GROUPS: Final = {
    "all": "",
    "decide": "decide.",
    "extract": "extract.",
    "choice": "decide.choice",
    "noul": "decide.noul",
    "score": "decide.score",
    "span": "extract.span",
    "number": "extract.number",
    "date": "extract.date",
}
_ARRAY_SIDES: Final = ("arrays", "exact", "near", "right")
_LEAF_SIDES: Final = ("gold", "answer", "by_position", "aligned")


@dataclass(frozen=True, slots=True)
class _Ratio:
    """A figure as sums of columns: ``over`` divided by ``under``, with the column that counts its items."""

    over: tuple[str, ...]
    under: tuple[str, ...]
    items: str


_COUNTS: Final = {
    "count_exact": _Ratio(("exact",), ("arrays",), "arrays"),
    "count_within_1": _Ratio(("near",), ("arrays",), "arrays"),
    "right": _Ratio(("right",), ("arrays",), "arrays"),
}
_LEAVES: Final = {
    "em": _Ratio(("by_position",), ("gold",), "gold"),
    "em_aligned": _Ratio(("aligned",), ("gold",), "gold"),
    "precision": _Ratio(("aligned",), ("answer",), "answer"),
    "f1": _Ratio(("aligned", "aligned"), ("gold", "answer"), "gold"),
}


def summarise_arrays(
    outcomes: Sequence[RecordOutcome], *, resamples: int = 1000, seed: int = 0
) -> dict[str, dict[str, Any]]:
    """Figures of the arrays of a set of outcomes: ``sources`` by source, ``micro`` over all arrays and leaves,
    ``macro`` the means over sources; empty where there is no array.

    Each is by depth, and holds figures of the arrays and, under ``leaves``, of the leaves in their items by group of
    modes. Intervals are as in `deg_core.evaluate.metrics`, over the records that have an array.
    """
    sampler = Resampler(resamples=resamples, seed=seed)
    grouped: dict[str, list[RecordOutcome]] = {}
    for outcome in outcomes:
        if outcome.arrays:
            grouped.setdefault(outcome.source, []).append(outcome)
    sums = {source: _sums(source, grouped[source], sampler) for source in sorted(grouped)}
    if not sums:
        return {"sources": {}, "micro": {}, "macro": {}}
    together = {name: np.sum([own[name] for own in sums.values()], axis=0) for name in _columns()}
    every = [outcome for own in grouped.values() for outcome in own]
    return {
        "sources": {source: {**_of_records(grouped[source]), **_by_depth([own])} for source, own in sums.items()},
        "micro": {**_of_records(every), **_by_depth([together])},
        "macro": _by_depth(list(sums.values()), macro=True),
    }


def _of_records(outcomes: Sequence[RecordOutcome]) -> dict[str, Any]:
    return {"records": len(outcomes), "seconds_median": median(outcome.seconds for outcome in outcomes)}


def _columns() -> list[str]:
    leaves = [f"{group}/{side}" for group in GROUPS for side in _LEAF_SIDES]
    return [f"{depth}/{name}" for depth in DEPTHS for name in (*_ARRAY_SIDES, *leaves)]


def _sums(source: str, outcomes: Sequence[RecordOutcome], sampler: Resampler) -> dict[str, Floats]:
    """Resampled sums of every column."""
    names = _columns()
    place = {name: index for index, name in enumerate(names)}
    table = np.zeros((len(outcomes), len(names)))
    for row, outcome in enumerate(outcomes):
        for array in outcome.arrays:
            for depth in (DEPTHS[min(array.depth, 1)], DEPTHS[2]):
                for name, value in _values(array).items():
                    table[row, place[f"{depth}/{name}"]] += value
    return dict(zip(names, sampler.sums(source, table).T, strict=True))


def _values(array: ArrayOutcome) -> dict[str, float]:
    """What one array adds to the columns of its depth. Arrays that the gold does not have count by their leaves."""
    found: dict[str, float] = {}
    if array.gold is not None:
        found |= {"arrays": 1, "exact": array.exact, "near": array.near, "right": array.right}
    for group, prefix in GROUPS.items():
        counts = sum((own for mode, own in array.leaves.items() if mode.startswith(prefix)), LeafCounts())
        found |= {f"{group}/{side}": getattr(counts, side) for side in _LEAF_SIDES}
    return found


def _by_depth(parts: Sequence[Mapping[str, Floats]], *, macro: bool = False) -> dict[str, Any]:
    """Figures of each depth that occurs."""
    found: dict[str, Any] = {}
    for depth in DEPTHS:
        if not any(part[f"{depth}/arrays"][0] for part in parts):
            continue
        figures = {name: _figure(parts, depth, ratio, macro) for name, ratio in _COUNTS.items()}
        leaves = {}
        for group in GROUPS:
            if any(part[f"{depth}/{group}/gold"][0] + part[f"{depth}/{group}/answer"][0] for part in parts):
                where = f"{depth}/{group}"
                leaves[group] = {name: _figure(parts, where, ratio, macro) for name, ratio in _LEAVES.items()}
        found[depth] = {**figures, "leaves": leaves}
    return found


def _figure(parts: Sequence[Mapping[str, Floats]], where: str, ratio: _Ratio, macro: bool) -> dict[str, Any] | None:
    sides = [
        (_total(part, where, ratio.over), _total(part, where, ratio.under), part[f"{where}/{ratio.items}"])
        for part in parts
    ]
    if macro:
        mean = macro_mean([(over, under) for over, under, _ in sides])
        return None if mean is None else mean.as_dict()
    over, under, items = sides[0]
    shown = interval(over, under)
    if shown is None:
        return None
    return Interval(shown.value, shown.low, shown.high, float(items[0])).as_dict()


def _total(part: Mapping[str, Floats], where: str, names: Sequence[str]) -> Floats:
    return np.asarray(np.sum([part[f"{where}/{name}"] for name in names], axis=0))
