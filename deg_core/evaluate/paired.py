"""Two predictors on the same records: differences of their figures, resampled in pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from deg_core.evaluate.bootstrap import Floats, Resampler, spread
from deg_core.evaluate.metrics import MODES
from deg_core.evaluate.outcome import ArrayOutcome, FieldOutcome, LeafCounts, RecordOutcome

_Side: TypeAlias = Callable[[FieldOutcome], float]
#: What is compared of fields: the modes that count, and what a field adds above and below. Higher is better in all.
_FIELDS: dict[str, tuple[frozenset[str], _Side, _Side]] = {
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
#: And of a record's arrays, by what they add above, below, and to the number of items.
_Sides: TypeAlias = Callable[[Sequence[ArrayOutcome]], tuple[float, float, float]]
_ARRAYS: dict[str, _Sides] = {
    "array count": lambda arrays: (sum(a.exact for a in arrays), *_both(sum(a.gold is not None for a in arrays))),
    "array leaves": lambda arrays: (_leaves(arrays).aligned, *_both(_leaves(arrays).gold)),
    "array leaf F1": lambda arrays: (
        2 * _leaves(arrays).aligned,
        _leaves(arrays).gold + _leaves(arrays).answer,
        _leaves(arrays).gold,
    ),
}
_NAMES = (*_FIELDS, *_ARRAYS)
_COLUMNS = 5  # of each: above for a and b, below for a and b, items

FEWEST = 10
"""With fewer records a percentile interval is too narrow for a verdict."""


def compare(
    a: Sequence[RecordOutcome], b: Sequence[RecordOutcome], *, resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """How much better ``a`` is than ``b`` on the records that both have, by mode and for arrays.

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
        "micro": _differences(list(sums.values()), macro=False),
        "macro": _differences(list(sums.values()), macro=True),
        "sources": {source: _differences([own], macro=False) for source, own in sums.items()},
    }


@dataclass(frozen=True, slots=True)
class _Sums:
    """Resampled sums of one figure of both sides, and how many records have any item of it."""

    over_a: Floats
    over_b: Floats
    under_a: Floats
    under_b: Floats
    items: Floats
    records: int

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(
            self.over_a + other.over_a,
            self.over_b + other.over_b,
            self.under_a + other.under_a,
            self.under_b + other.under_b,
            self.items + other.items,
            self.records + other.records,
        )

    @property
    def ratios(self) -> tuple[Floats, Floats]:
        """The figure of a and of b; not a number where nothing was counted."""
        return _ratio(self.over_a, self.under_a), _ratio(self.over_b, self.under_b)

    @property
    def counted(self) -> bool:
        return bool(self.under_a[0] > 0 and self.under_b[0] > 0)


def _ratio(over: Floats, under: Floats) -> Floats:
    return np.divide(over, under, out=np.full_like(over, np.nan), where=under > 0)


def _paired_sums(
    source: str, pairs: Sequence[tuple[RecordOutcome, RecordOutcome]], sampler: Resampler
) -> dict[str, _Sums]:
    table = np.zeros((len(pairs), len(_NAMES), _COLUMNS))
    for row, (of_a, of_b) in enumerate(pairs):
        second = {field.pointer: field for field in of_b.fields}
        for first in of_a.fields:
            other = second[first.pointer]
            for place, (modes, upper, lower) in enumerate(_FIELDS.values()):
                if MODES[first.mode] in modes:
                    table[row, place] += upper(first), upper(other), lower(first), lower(other), lower(first)
        for place, sides in enumerate(_ARRAYS.values(), start=len(_FIELDS)):
            (over_a, under_a, items), (over_b, under_b, _) = sides(of_a.arrays), sides(of_b.arrays)
            table[row, place] = over_a, over_b, under_a, under_b, items
    sums = sampler.sums(source, table.reshape(len(pairs), -1)).T.reshape(len(_NAMES), _COLUMNS, -1)
    found = {}
    for k, name in enumerate(_NAMES):
        over_a, over_b, under_a, under_b, items = sums[k]
        records = int(np.count_nonzero(table[:, k, -1]))
        found[name] = _Sums(over_a, over_b, under_a, under_b, items, records)
    return found


def _both(count: int) -> tuple[int, int]:
    return count, count


def _leaves(arrays: Sequence[ArrayOutcome]) -> LeafCounts:
    return sum((array.counts for array in arrays), LeafCounts())


def _differences(sources: Sequence[Mapping[str, _Sums]], *, macro: bool) -> dict[str, Any]:
    """Differences of all sources together, or the means of the sources' figures; ``n`` counts items or sources."""
    found: dict[str, Any] = {}
    for name in _NAMES:
        parts = [own[name] for own in sources]
        if not macro and parts:
            parts = [sum(parts[1:], parts[0])]
        parts = [part for part in parts if part.counted]
        if not parts:
            continue
        ratios = [part.ratios for part in parts]
        of_a, of_b = (_mean([pair[side] for pair in ratios]) for side in (0, 1))
        difference = _mean([first - second for first, second in ratios])
        shown = spread(difference, len(parts) if macro else float(parts[0].items[0]))
        records = sum(part.records for part in parts)
        found[name] = {
            "a": float(of_a[0]),
            "b": float(of_b[0]),
            "difference": shown.value,
            "low": shown.low,
            "high": shown.high,
            "n": int(shown.n),
            "records": records,
            "above_zero": records >= FEWEST and shown.low > 0,
            "below_zero": records >= FEWEST and shown.high < 0,
        }
    return found


def _mean(values: Sequence[Floats]) -> Floats:
    """The mean over sources of what is a number."""
    stacked = np.stack(values)
    known = ~np.isnan(stacked)
    counted = known.sum(axis=0)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    return np.divide(total, counted, out=np.full_like(total, np.nan), where=counted > 0)
