"""Extract: the answer is decoded among what stands in the text, against the answer that it is not there.

Typed fields compare the spans that their finder gives; a plain string may be any words of the text that meet its
constraints. So nothing can come out that is not written there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import torch
from torch import Tensor

from deg_core.contract.parsers import violated
from deg_core.contract.plan import FieldPlan, Mode
from deg_core.protocols.head import HeadInit
from deg_core.protocols.language import Asking, Language, Open, Question, SpanScores
from deg_core.rendering.readout import NULL, QUOTE
from deg_heads.readout.base import ReadoutHead
from deg_heads.readout.search import Finished, search
from deg_heads.readout.sources import Copies, ListedSpans, Span, TextPlaces, Trie
from deg_heads.readout.spelling import follow, normalised

TYPED_WIDTH: Final = 8
PLAIN_WIDTH: Final = 4


class ExtractReadout(ReadoutHead):
    """``null_bias`` is added to the score of the answer that there is nothing; calibration fits it."""

    kind = "readout-extract"
    modes = frozenset({Mode.SPAN, Mode.NUMBER, Mode.DATE})
    width = TYPED_WIDTH + 1
    null_bias: Tensor

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.register_buffer("null_bias", torch.tensor(0.0))

    def bind(self, language: Language) -> None:
        super().bind(language)
        self._quote, self._null = tuple(language.tokenizer.encode(QUOTE)), tuple(language.tokenizer.encode(NULL))
        pieces = language.tokenizer.pieces()
        quotes = [token for token, piece in enumerate(pieces) if piece is not None and piece.startswith(b'"')]
        self._closing_E = torch.tensor([*quotes, language.end], dtype=torch.long)

    def ask(self, question: Question) -> Asking:
        """``SpanScores``: the finished answers of a beam search, equal words once, at their first place."""
        field = question.field
        assert field is not None
        found = question.spans.found(field)
        trie = self._copies(question, field) if found is None else self._listed(question, found)
        width = PLAIN_WIDTH if found is None else TYPED_WIDTH
        scores, present, null = yield from self._scored(question, trie, width)
        if found is not None and field.on_null == "forbid" and not _any_valid(scores, question, field):
            valid = [span for span in found if question.spans.read(field, *span).null_reason is None]
            more, _, _ = yield from self._scored(question, self._listed(question, valid), width)
            scores |= more
        values = [present + value for value in normalised(list(scores.values()))] if scores else []
        return SpanScores(tuple(scores), torch.tensor([*values, null + float(self.null_bias)], dtype=torch.float64))

    def _scored(self, question: Question, trie: Trie, width: int) -> Asking:
        """Scores by place of the answers in a trie, and the log-probabilities that there is an answer and that there is
        none, of these two."""
        (heard,) = yield [Open(question.layout.ids, goes_on=True)]
        present, null, heard = yield from follow(heard, self._quote, self._null)
        present, null = normalised([present, null])
        finished = yield from search(heard, trie, self._closing_E, width=width)
        return self._placed(finished, question), present, null

    def _listed(self, question: Question, spans: Iterable[Span]) -> Trie:
        return ListedSpans(question.trunk.text, spans, self.language.tokenizer)

    def _copies(self, question: Question, field: FieldPlan) -> Trie:
        """Tries are kept for the request: many fields have the same constraints, most have none."""
        scratch = question.spans.scratch
        places = scratch.get(TextPlaces)
        if places is None:
            places = scratch[TextPlaces] = TextPlaces(question.trunk, self.language.tokenizer)
        key = (Copies, field.constraints)
        if key not in scratch:
            text, limits = question.trunk.text, field.constraint

            def allows(span: Span) -> bool:
                return violated(field, text[slice(*span)]) is None

            scratch[key] = Copies(places, most=limits.get("maxLength"), allows=allows if limits else None)
        trie: Trie = scratch[key]
        return trie

    def _placed(self, finished: Sequence[Finished], question: Question) -> dict[Span, float]:
        """Each answer at its first place, inside the item's region if it is there; of equal words the better."""
        text, offsets = question.trunk.text, question.trunk.offsets
        scores: dict[str, tuple[Span, float]] = {}
        for one in finished:
            inside = one.places
            if question.region is not None:
                first, stop = question.region
                begin, end = offsets[first][0], offsets[stop - 1][1]
                inside = tuple(place for place in one.places if begin <= place[0] and place[1] <= end)
            place = (inside or one.places)[0]
            scores.setdefault(text[slice(*place)], (place, one.log_p))
        return dict(scores.values())


def _any_valid(scores: Iterable[Span], question: Question, field: FieldPlan) -> bool:
    return any(question.spans.read(field, *span).null_reason is None for span in scores)
