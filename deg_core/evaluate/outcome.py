"""What came of one record: for each field whether it is right, for each array how many of its leaves are, and what the
metrics need to know of them."""

from __future__ import annotations

from typing import Any

import msgspec


class FieldOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One field of one record.

    ``answered`` is false when the record got no value at all. ``gold`` and ``answer`` are as in the value; ``present``
    and ``null`` say, for extract fields, that the gold has a value and that the answer has none. ``f1`` and ``loose``
    compare the words of a present span. ``off`` is a scale's distance in levels, None where the gold is null.
    ``confidence`` is the probability that the predictor gave its answer. ``key`` is the property's name and
    ``offered`` what a decide field could be, ``gold_index`` among it (for majority baselines).
    """

    pointer: str
    mode: str
    right: bool
    answered: bool = True
    gold: Any = None
    answer: Any = None
    confidence: float | None = None
    present: bool = False
    null: bool = False
    f1: float = 0.0
    loose: bool = False
    off: float | None = None
    key: str = ""
    offered: tuple[str, ...] = ()
    gold_index: int = 0


class LeafCounts(msgspec.Struct, frozen=True, array_like=True):
    """Leaves of one mode in the items of one array: those of the gold, those of the answer, and how many of the gold's
    are right in the item at the same position, and in the item that theirs was aligned with."""

    gold: int = 0
    answer: int = 0
    by_position: int = 0
    aligned: int = 0

    def __add__(self, other: LeafCounts) -> LeafCounts:
        return LeafCounts(
            self.gold + other.gold,
            self.answer + other.answer,
            self.by_position + other.by_position,
            self.aligned + other.aligned,
        )


class ArrayOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One array of one record.

    ``pointer`` is its place in the gold, ``depth`` the number of arrays around it. ``gold`` and ``answer`` are numbers
    of items; ``answer`` is None where no list came, ``gold`` where the array stands in an item that the gold does not
    have (``pointer`` is then its place in the answer). ``leaves`` counts, by mode, the leaves that stand directly in
    its items, not those of arrays within.
    """

    pointer: str
    depth: int = 0
    gold: int | None = None
    answer: int | None = None
    leaves: dict[str, LeafCounts] = {}

    @property
    def exact(self) -> bool:
        """Whether there are as many items as there should be."""
        return self.gold is not None and self.gold == self.answer

    @property
    def near(self) -> bool:
        """Whether the number of items is off by one at most."""
        return self.gold is not None and self.answer is not None and abs(self.gold - self.answer) <= 1

    @property
    def counts(self) -> LeafCounts:
        """Leaves of all modes."""
        return sum(self.leaves.values(), LeafCounts())

    @property
    def right(self) -> bool:
        """Whether the array is as the gold: as many items, and every leaf right at its position."""
        return self.exact and self.counts.by_position == self.counts.gold


class RecordOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record. ``record`` is the start of the SHA-256 of its content, so that a changed record is never taken for
    this one. ``fields`` are those outside arrays. ``valid`` says that a value came and satisfies the schema; ``error``
    is the code of what came instead, ``message`` its text. ``seconds`` is the time of the prediction, ``tokens`` those
    read and written."""

    uid: str
    source: str
    split: str
    record: str
    valid: bool
    seconds: float
    fields: tuple[FieldOutcome, ...]
    arrays: tuple[ArrayOutcome, ...] = ()
    error: str | None = None
    message: str | None = None
    tokens: tuple[int, int] | None = None

    @property
    def identity(self) -> tuple[str, str, str]:
        """Equal for the same record under two predictors."""
        return self.source, self.uid, self.record
