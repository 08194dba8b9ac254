"""What one training or evaluation example is."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Split = Literal["train", "val", "test"]


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A text, a schema, and the filled value with its evidence.

    Pointers are concrete RFC 6901 pointers into ``value``; offsets are code points of ``context``, end exclusive.
    A leaf whose pointer is absent from ``spans`` and whose value is null or missing trains the null outcome.
    ``span_alternatives`` lists further places that are as right as the one in ``spans``. ``decide_probs`` are soft
    targets in option or level order, the null outcome last.
    """

    uid: str
    source: str
    split: Split
    domain: str
    context: str
    schema: dict[str, Any]
    value: dict[str, Any]
    spans: dict[str, tuple[int, int]] = {}
    span_alternatives: dict[str, list[tuple[int, int]]] = {}
    span_probs: dict[str, list[float]] = {}
    decide_probs: dict[str, list[float]] = {}
