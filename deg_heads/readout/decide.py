"""Choices, scales and yes/no: the model's distribution over the possible answers at the beginning of its own.

A model prefers some answers whatever the text says. What it would answer about a text without content is therefore
divided out (contextual calibration; Zhao et al. 2021, arXiv:2102.09690), and the options of a choice may be turned, so
that each stands under several labels.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import torch
from torch import Tensor

from deg_core.contract.plan import FieldPlan, Mode
from deg_core.protocols.head import HeadInit
from deg_core.protocols.language import Asking, Heard, Open, Question
from deg_core.rendering.layout import ForkLayout
from deg_core.rendering.readout import MOST_WORDED, NO, YES, answer_texts
from deg_heads.readout.base import ReadoutHead
from deg_heads.readout.spelling import Ids, log_sum, normalised, one_token_each, spell

KEPT_PRIORS: Final = 4096
Spellings: TypeAlias = list[list[Ids]]  # of each outcome line, the ways in which its answer may be written


class DecideHead(ReadoutHead):
    """``prior`` is how much of what would be answered without a text is divided out: 1 all of it, 0 nothing."""

    prior: Tensor

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.register_buffer("prior", torch.tensor(1.0))
        self._priors: OrderedDict[Ids, list[float]] = OrderedDict()

    @abstractmethod
    def spellings(self, field: FieldPlan, layout: ForkLayout) -> Spellings:
        """The answers that stand for each outcome line of a fork."""

    def layouts(self, question: Question, field: FieldPlan) -> list[ForkLayout]:
        """The forks whose distributions are averaged; the first is the question's own."""
        return [question.layout]

    def ask(self, question: Question) -> Asking:
        """Logits [O] in the order of the fork's outcome lines (yes, no): log-probabilities among them, each divided by
        the answer's prior. Several turns are averaged as logarithms."""
        field = question.field
        assert field is not None
        layouts = self.layouts(question, field)
        prior = float(self.prior)
        known = {layout.ids: self._priors.get(layout.ids) for layout in layouts} if prior else {}
        unread = [layout for layout in layouts if layout.ids in known and known[layout.ids] is None]
        told = yield from self._told(field, layouts, unread)
        found = {layout.ids: log_p for layout, log_p in zip(unread, told[len(layouts) :], strict=True)}
        self._keep(found)
        total: dict[int, float] = {}
        for layout, log_p in zip(layouts, told, strict=False):
            liking = found.get(layout.ids) or known.get(layout.ids)
            if liking is not None:
                log_p = normalised([value - prior * before for value, before in zip(log_p, liking, strict=True)])
            for outcome, value in zip(layout.order or range(len(log_p)), log_p, strict=True):
                total[outcome] = total.get(outcome, 0.0) + value
        order = question.layout.order or range(len(total))
        return torch.tensor([total[outcome] / len(layouts) for outcome in order])

    def _told(self, field: FieldPlan, layouts: list[ForkLayout], unread: list[ForkLayout]) -> Asking:
        """Log-probabilities among the outcome lines of the forks: behind the context, then behind no content."""
        ways = [self.spellings(field, layout) for layout in (*layouts, *unread)]
        answers = list({ids: None for lines in ways for line in lines for ids in line})
        further = not one_token_each(answers)
        heard: Sequence[Heard] = yield [
            *(Open(layout.ids, goes_on=further) for layout in layouts),
            *(Open(layout.ids, blank=True, goes_on=further) for layout in unread),
        ]
        spelled = yield from spell(heard, answers)
        by_answer = [dict(zip(answers, log_p, strict=True)) for log_p in spelled]
        return [
            normalised([log_sum([values[ids] for ids in line]) for line in lines])
            for values, lines in zip(by_answer, ways, strict=True)
        ]

    def _keep(self, found: Mapping[Ids, list[float]]) -> None:
        """Remember what depends on the question alone."""
        self._priors.update(found)
        while len(self._priors) > KEPT_PRIORS:
            self._priors.popitem(last=False)


class ChoiceReadout(DecideHead):
    """decide.choice. At most ``worded`` options are answered with their own words, more with labels. ``rotations`` is
    over how many turns of the options it is averaged; each costs a fork, and one more for its prior when the field is
    first seen."""

    kind = "readout-choice"
    modes = frozenset({Mode.CHOICE})
    width = 2 * MOST_WORDED
    rotations: Tensor
    worded: Tensor

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.register_buffer("rotations", torch.tensor(1.0))
        self.register_buffer("worded", torch.tensor(float(MOST_WORDED)))

    def spellings(self, field: FieldPlan, layout: ForkLayout) -> Spellings:
        texts = self.language.renderer.labels(field) or answer_texts(field, layout.order)
        return [[tuple(self.language.tokenizer.encode(text))] for text in texts]

    def layouts(self, question: Question, field: FieldPlan) -> list[ForkLayout]:
        count = len(question.layout.order)
        turns = max(1, min(int(self.rotations), count))
        steps = sorted({turn * count // turns for turn in range(turns)})
        return [self.language.renderer.turned(field, question.places, step) for step in steps]


class ScoreReadout(DecideHead):
    """decide.score by the level's number, and null for the null outcome."""

    kind = "readout-score"
    modes = frozenset({Mode.SCORE})
    width = 2 * 12  # levels and null, with and without content

    def spellings(self, field: FieldPlan, layout: ForkLayout) -> Spellings:
        return [[tuple(self.language.tokenizer.encode(text))] for text in answer_texts(field, layout.order)]


class NoulReadout(DecideHead):
    """decide.noul by yes and no, in small letters or with a capital."""

    kind = "readout-noul"
    modes = frozenset({Mode.NOUL})
    width = 2 * 4

    def spellings(self, field: FieldPlan, layout: ForkLayout) -> Spellings:
        encode = self.language.tokenizer.encode
        return [[tuple(encode(word)), tuple(encode(word.capitalize()))] for word in (YES, NO)]
