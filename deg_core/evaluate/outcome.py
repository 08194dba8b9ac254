"""What came of one record: for each field whether it is right, and what the metrics need to know of it."""

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


class RecordOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record. ``record`` is the start of the SHA-256 of its content, so that a changed record is never taken for
    this one. ``valid`` says that a value came and satisfies the schema; ``error`` is the code of what came instead,
    ``message`` its text. ``seconds`` is the time of the prediction, ``tokens`` those read and written."""

    uid: str
    source: str
    split: str
    record: str
    valid: bool
    seconds: float
    fields: tuple[FieldOutcome, ...]
    error: str | None = None
    message: str | None = None
    tokens: tuple[int, int] | None = None

    @property
    def identity(self) -> tuple[str, str, str]:
        """Equal for the same record under two predictors."""
        return self.source, self.uid, self.record
