"""Choices, scales and yes/no: the model's distribution over the options' labels at the beginning of its answer.

A model prefers some labels whatever the text says. What it would answer about a text without content is therefore
divided out (contextual calibration; Zhao et al. 2021, arXiv:2102.09690), and the options of a choice may be turned, so
that each stands under several labels.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import torch
from torch import Tensor

from deg_core.contract.plan import FieldPlan, Mode
from deg_core.protocols.head import HeadInit
from deg_core.protocols.language import Asking, Heard, Open, Question
from deg_core.rendering.layout import ForkLayout
from deg_core.rendering.readout import NO, NONE, YES, labels
from deg_heads.readout.base import ReadoutHead
from deg_heads.readout.spelling import Ids, log_sum, normalised, one_token_each, spell

KEPT_PRIORS: Final = 4096
_LEAST_WIDTH: Final = 16

Spellings: TypeAlias = list[list[Ids]]  # of each outcome line, the ways in which its answer may be written


class DecideHead(ReadoutHead):
    """``prior`` is how much of a text's absence is divided out: 1 all of it, 0 nothing."""

    width = _LEAST_WIDTH
    prior: Tensor

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.register_buffer("prior", torch.tensor(1.0))
        self._priors: OrderedDict[Ids, list[float]] = OrderedDict()

    def spellings(self, field: FieldPlan, lines: int) -> Spellings:
        """The answers that stand for each of the outcome lines."""
        raise NotImplementedError

    def layouts(self, question: Question, field: FieldPlan) -> list[ForkLayout]:
        """The forks whose distributions are averaged; the first is the question's own."""
        return [question.layout]

    def ask(self, question: Question) -> Asking:
        """Logits [O] in the order of the fork's outcome lines (yes, no): log-probabilities among them, each divided by
        the label's prior. Several turns are averaged as logarithms."""
        field = question.field
        assert field is not None
        layouts = self.layouts(question, field)
        ways = self.spellings(field, len(question.layout.order))
        flat = [ids for outcome in ways for ids in outcome]
        further = not one_token_each(flat)
        prior = float(self.prior)
        before = {layout.ids: self._priors.get(layout.ids) for layout in layouts} if prior else {}
        unknown = [ids for ids, known in before.items() if known is None]
        opens = [Open(layout.ids, goes_on=further) for layout in layouts]
        heard: Sequence[Heard] = yield [*opens, *(Open(ids, blank=True, goes_on=further) for ids in unknown)]
        spelled = yield from spell(heard, flat)
        told = [_by_outcome(log_p, ways) for log_p in spelled]
        found = dict(zip(unknown, told[len(layouts) :], strict=True))
        self._keep(found)
        total = [0.0] * len(ways)
        for layout, log_p in zip(layouts, told, strict=False):
            known = found.get(layout.ids) or before.get(layout.ids)
            if known is not None:
                log_p = normalised([value - prior * liking for value, liking in zip(log_p, known, strict=True)])
            for line, value in enumerate(log_p):
                total[layout.order[line] if layout.order else line] += value
        return torch.tensor([total[outcome] / len(layouts) for outcome in question.layout.order or range(len(total))])

    def _keep(self, found: Mapping[Ids, list[float]]) -> None:
        """Remember what depends on the question alone."""
        self._priors.update(found)
        while len(self._priors) > KEPT_PRIORS:
            self._priors.popitem(last=False)


def _by_outcome(log_p: Sequence[float], ways: Spellings) -> list[float]:
    """Among the outcomes, each with all its spellings."""
    values = iter(log_p)
    return normalised([log_sum([next(values) for _ in outcome]) for outcome in ways])


class ChoiceReadout(DecideHead):
    """decide.choice by letters. ``rotations`` is over how many turns of the options it is averaged; each costs a
    fork, and one more for its prior when the field is first seen."""

    kind = "readout-choice"
    modes = frozenset({Mode.CHOICE})
    width = 32
    rotations: Tensor

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.register_buffer("rotations", torch.tensor(1.0))

    def spellings(self, field: FieldPlan, lines: int) -> Spellings:
        tokenizer = self.language.tokenizer
        return [[tuple(tokenizer.encode(label))] for label in labels(lines, tokenizer)]

    def layouts(self, question: Question, field: FieldPlan) -> list[ForkLayout]:
        count = len(question.layout.order)
        turns = max(1, min(int(self.rotations), count))
        steps = sorted({turn * count // turns for turn in range(turns)})
        return [self.language.renderer.turned(field, question.places, step) for step in steps]


class ScoreReadout(DecideHead):
    """decide.score by the level's number, and ``none`` for the null outcome."""

    kind = "readout-score"
    modes = frozenset({Mode.SCORE})

    def spellings(self, field: FieldPlan, lines: int) -> Spellings:
        texts = [str(level) for level in field.levels] + [NONE] * (lines - len(field.levels))
        return [[tuple(self.language.tokenizer.encode(text))] for text in texts]


class NoulReadout(DecideHead):
    """decide.noul by yes and no, in small letters or with a capital."""

    kind = "readout-noul"
    modes = frozenset({Mode.NOUL})

    def spellings(self, field: FieldPlan, lines: int) -> Spellings:
        encode = self.language.tokenizer.encode
        return [[tuple(encode(word)), tuple(encode(word.capitalize()))] for word in (YES, NO)]
