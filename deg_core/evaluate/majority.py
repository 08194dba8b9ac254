"""The baseline of an accuracy: what one gets who knows the field and its options but reads no text."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deg_core.contract.compiler import compile_schema
from deg_core.evaluate.outcome import FieldOutcome, RecordOutcome
from deg_core.evaluate.scoring import score_field, stands_alone
from deg_core.records import Record

FOLDS = 5
_KNOWN = 10  # times that a field's own options must have been seen before its name is trusted
_PRIOR = 4.0  # an option seen once and right once is not yet a sure one


@dataclass(frozen=True, slots=True)
class Baseline:
    """Of one decide field: the expected accuracy of the constant answer, and its distance in levels."""

    right: float
    off: float


class Majority:
    """How often each outcome was right where it was offered: by field name, by source, and by place in the list.

    The constant answer is the outcome that was right most often of those offered, by the counts for the field's name
    when there are enough of them, else by the source's. Where no offered outcome was ever right, it is the place in
    the list that was right most often in lists of that length; where that is unknown too, any outcome is as good.
    """

    def __init__(self) -> None:
        self._right: Counter[tuple[str, ...]] = Counter()
        self._offered: Counter[tuple[str, ...]] = Counter()
        self._place: dict[tuple[str, str, int], Counter[int]] = {}

    def add(self, source: str, field: FieldOutcome) -> None:
        """Count one decide field with its gold."""
        for group in self._groups(source, field):
            for index, label in enumerate(field.offered):
                self._offered[*group, label] += 1
                self._right[*group, label] += index == field.gold_index
        places = self._place.setdefault((source, field.mode, len(field.offered)), Counter())
        places[field.gold_index] += 1

    def sources(self) -> set[str]:
        """Sources that were counted."""
        return {source for source, _, _ in self._place}

    def baseline(self, source: str, field: FieldOutcome) -> Baseline:
        """Of the constant answer to ``field``."""
        shares = self._shares(source, field)
        top = max(shares)
        best = [index for index, share in enumerate(shares) if share == top]
        right = (field.gold_index in best) / len(best)
        return Baseline(right, self._off(field, shares))

    def _shares(self, source: str, field: FieldOutcome) -> list[float]:
        for group, needed in zip(self._groups(source, field), (_KNOWN, 1), strict=True):
            right = [self._right[*group, label] for label in field.offered]
            if sum(right) >= needed:
                seen = [self._offered[*group, label] for label in field.offered]
                return [hits / (of + _PRIOR) for hits, of in zip(right, seen, strict=True)]
        places = self._place.get((source, field.mode, len(field.offered)), Counter())
        return [float(places[index]) for index in range(len(field.offered))]

    @staticmethod
    def _groups(source: str, field: FieldOutcome) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (source, field.mode, field.key.casefold()), (source, field.mode)

    @staticmethod
    def _off(field: FieldOutcome, shares: Sequence[float]) -> float:
        """Distance from the gold level to the median level, the constant with the least expected distance."""
        if field.off is None:
            return 0.0
        levels = [(float(label), share) for label, share in zip(field.offered, shares, strict=True) if label != "null"]
        if not any(share for _, share in levels):
            levels = [(level, 1.0) for level, _ in levels]
        half, passed = sum(share for _, share in levels) / 2, 0.0
        for level, share in levels:
            passed += share
            if passed >= half:
                return abs(level - float(field.gold))
        raise AssertionError("the median lies among the levels")


def majority_of(records: Iterable[Record]) -> Majority:
    """Counts over records, usually those of the train split. Raises SchemaError for a schema that does not compile."""
    found = Majority()
    for record in records:
        for field in compile_schema(record.schema).fields:
            if field.mode.decides and stands_alone(field):
                outcome = score_field(record, field, None)
                if outcome is not None:
                    found.add(record.source, outcome)
    return found


def baselines(
    outcomes: Sequence[RecordOutcome], train: Majority | None
) -> tuple[list[Mapping[str, Baseline]], dict[str, str]]:
    """For each record the baselines of its decide fields by pointer, and for each source where its counts are from.

    A source that ``train`` does not know is counted over the evaluated records themselves, a record never helping to
    answer itself: the counts for a fifth of the records are those of the other four.
    """
    known = train.sources() if train is not None else set()
    folds: dict[int, Majority] = {}
    for held_out in range(FOLDS):
        folds[held_out] = Majority()
    origin: dict[str, str] = {}
    for outcome in outcomes:
        origin[outcome.source] = "train" if outcome.source in known else "folds"
        if outcome.source not in known:
            own = _fold(outcome)
            for field in outcome.fields:
                if field.offered:
                    for held_out in folds.keys() - {own}:
                        folds[held_out].add(outcome.source, field)
    found: list[Mapping[str, Baseline]] = []
    for outcome in outcomes:
        counts = train if train is not None and outcome.source in known else folds[_fold(outcome)]
        found.append({f.pointer: counts.baseline(outcome.source, f) for f in outcome.fields if f.offered})
    return found, origin


def _fold(outcome: RecordOutcome) -> int:
    return zlib.crc32(outcome.uid.encode("utf-8", "surrogatepass")) % FOLDS
