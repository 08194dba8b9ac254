"""Where values may stand in one text and what they read as: found once, however many fields of a request ask (SPEC 4,
12.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor

from deg_core.contract.parsers import Reading, candidates, decimal_mark, read_span, trim_span, violated
from deg_core.contract.plan import FieldPlan, Mode
from deg_core.contract.request import Options
from deg_core.engine.pairs import Pairs
from deg_core.protocols.spans import MAX_SPAN_TOKENS
from deg_core.rendering.layout import TrunkLayout, cover

TOP_SPANS: Final = 32
_MORE_SPANS: Final = 2048  # tried one by one before all spans of the text are read


Kind: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A span of the text [start, end) in code points, with its log-probability."""

    score: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Places:
    """Spans in text order, and their first and last tokens."""

    spans: list[tuple[int, int]]
    first: Tensor
    last: Tensor

    @staticmethod
    def of(spans: list[tuple[int, int]], tokens: list[tuple[int, int]]) -> _Places:
        pairs = torch.tensor(tokens, dtype=torch.long).reshape(-1, 2)
        return _Places(spans, pairs[:, 0], pairs[:, 1])

    def ranked(self, pairs: Pairs) -> Iterator[Scored]:
        """Most probable first; ties in text order."""
        scores, order = torch.sort(pairs.of(self.first, self.last), descending=True, stable=True)
        for score, place in zip(scores.tolist(), order.tolist(), strict=True):
            yield Scored(score, *self.spans[place])


class TextSpans:
    """The spans of one text for the fields of one request. Not shared between threads."""

    def __init__(self, trunk: TrunkLayout, options: Options) -> None:
        self.trunk, self.options = trunk, options
        self._typed: dict[str, _Places | None] = {}
        self._valid: dict[Kind, _Places] = {}
        self._readings: dict[Kind, dict[tuple[int, int], Reading]] = {}
        self.scratch: dict[object, Any] = {}

    def found(self, field: FieldPlan) -> Sequence[tuple[int, int]] | None:
        """All spans that a typed field's finder gives, in text order; None for a plain string."""
        places = self._candidates(field)
        return None if places is None else places.spans

    def ranked(self, field: FieldPlan, pairs: Pairs) -> Iterator[Scored]:
        """Spans of the text, most probable first by ``pairs``; ties in text order.

        Of a typed field these are all that its finder gives. Of a plain string they are the ``TOP_SPANS`` token spans
        of at most ``MAX_SPAN_TOKENS``, trimmed; a field that must have a value goes on to all that it could take.
        """
        if not self.trunk.text.strip():
            return iter(())
        found = self._candidates(field)
        return self._plain(field, pairs) if found is None else found.ranked(pairs)

    def read(self, field: FieldPlan, start: int, end: int) -> Reading:
        """What the span says for the field."""
        known = self._readings.setdefault(_kind(field), {})
        reading = known.get((start, end))
        if reading is None:
            text, options = self.trunk.text, self.options
            reading = known[start, end] = read_span(
                field,
                text[start:end],
                date_order=options.date_order,
                default_offset=options.default_offset,
                decimal=decimal_mark(text, (start, end)) if field.mode is Mode.NUMBER else None,
            )
        return reading

    def _candidates(self, field: FieldPlan) -> _Places | None:
        kind = "number" if field.mode is Mode.NUMBER else field.format or ""
        if kind not in self._typed:
            spans = candidates(field, self.trunk.text)
            if spans is None:
                self._typed[kind] = None
            else:
                spans = sorted(spans)
                self._typed[kind] = _Places.of(spans, [cover(self.trunk.offsets, *span) for span in spans])
        return self._typed[kind]

    def _plain(self, field: FieldPlan, pairs: Pairs) -> Iterator[Scored]:
        seen: set[tuple[int, int]] = set()
        forbid = field.on_null == "forbid"
        for count in (TOP_SPANS, _MORE_SPANS) if forbid and _kind(field) not in self._valid else (TOP_SPANS,):
            for score, first, last in pairs.best(count):
                span = self._trimmed(first, last)
                if span not in seen and span[0] < span[1]:
                    seen.add(span)
                    yield Scored(score, *span)
        if forbid:
            yield from self._all_valid(field).ranked(pairs)

    def _trimmed(self, first: int, last: int) -> tuple[int, int]:
        begin, end = self._edges[first][0], self._edges[last][1]
        if begin >= 0 and end >= 0:
            return begin, end  # letters and digits at both ends: nothing to cut but the space around
        offsets = self.trunk.offsets
        return trim_span(self.trunk.text, offsets[first][0], offsets[last][1])

    @cached_property
    def _edges(self) -> list[tuple[int, int]]:
        """Of each token where its words begin and end; -1 where that is not at a letter or digit."""
        edges = []
        for start, stop in self.trunk.offsets:
            piece = self.trunk.text[start:stop]
            begin, end = stop - len(piece.lstrip()), start + len(piece.rstrip())
            words = piece.strip()
            edges.append((begin if words[:1].isalnum() else -1, end if words[-1:].isalnum() else -1))
        return edges

    def _all_valid(self, field: FieldPlan) -> _Places:
        """Every token span that the field could take: the same for all its forks, whatever they point at."""
        known = self._valid.get(_kind(field))
        if known is None:
            found: list[tuple[int, int]] = []
            tokens: list[tuple[int, int]] = []
            for first in range(len(self.trunk.offsets)):
                for last in range(first, min(first + MAX_SPAN_TOKENS, len(self.trunk.offsets))):
                    start, end = self._trimmed(first, last)
                    if start < end and violated(field, self.trunk.text[start:end]) is None:
                        found.append((start, end))
                        tokens.append((first, last))
            known = self._valid[_kind(field)] = _Places.of(found, tokens)
        return known


def _kind(field: FieldPlan) -> Kind:
    """All that a reading depends on besides the text: fields that agree in it share their readings."""
    return field.mode, field.json_type, field.format, field.constraints
