"""Heads that speak and break one promise each. Sound in everything else: deg's own with one change."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import torch

from deg_core.protocols.head import HeadInit
from deg_core.protocols.language import Asking, Open, Question, Step
from deg_heads.readout.decide import NoulReadout
from deg_heads.readout.extract import ExtractReadout
from tests.plugins.fakes.broken import broken

head = partial(broken, "head")


@head("asks", "answers-alone")
class StepsWhatEnded(NoulReadout):
    """Reads on behind a row that it did not ask to keep."""

    def ask(self, question: Question) -> Asking:
        (heard,) = yield [Open(question.layout.ids)]
        yield [Step(heard.row, 0)]
        return torch.zeros(2)


@head("asks")
class AnswersOneLogit(NoulReadout):
    """Leaves out "no"."""

    def ask(self, question: Question) -> Asking:
        return (yield from super().ask(question))[:1]


@head("answers-alone")
class RemembersQuestions(NoulReadout):
    """Likes what it said before."""

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.said = 0.0

    def ask(self, question: Question) -> Asking:
        logits = yield from super().ask(question)
        self.said += 0.5
        return logits + torch.tensor([self.said, 0.0])


@head("copies")
class InventsSpans(ExtractReadout):
    """Takes one more character than there are."""

    def ask(self, question: Question) -> Asking:
        found = yield from super().ask(question)
        return replace(found, spans=tuple((start, end + 1000) for start, end in found.spans))
