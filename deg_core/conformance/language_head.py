"""What a head that answers with the language model must keep: its questions, the form of its answers, and that each is
its own."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from deg_core.conformance.head_case import EXTRACTS, HeadCase
from deg_core.conformance.language_case import Questions, answer
from deg_core.conformance.report import CheckFailed, NotApplicable
from deg_core.contract.plan import Mode
from deg_core.protocols.head import MAX_COUNT, ArrayQuery
from deg_core.protocols.language import LanguageHead, Question, SpanScores, speaks
from deg_core.rendering.template import outcome_count


def asks(case: HeadCase) -> None:
    """Every kind of question is asked as the protocol allows, and answered in the form of its mode."""
    head, questions = _fresh(case)
    for question in questions:
        (found,) = answer(head, [question])
        _form(question, found)


def answers_alone(case: HeadCase) -> None:
    """An answer has the same bits from a fresh head, after other questions of the request, and asked beside them."""
    head, questions = _fresh(case)
    shared = answer(head, questions)
    alone = []
    for place in range(len(questions)):
        another, own = _fresh(case)
        alone += answer(another, [own[place]])
    backwards, again = _fresh(case)
    orders = {
        "after the others": shared,
        "before the others": answer(backwards, again[::-1])[::-1],
        "beside the others": answer(*_fresh(case), together=True),
        "again": answer(head, questions),
    }
    for where, found in orders.items():
        for question, one, expected in zip(questions, found, alone, strict=True):
            if not _same(one, expected):
                raise CheckFailed(f"the bits of {_name(question)} asked alone", f"others when it is asked {where}")


def copies(case: HeadCase) -> None:
    """What is extracted stands in the text: spans of it, of a typed field among those that its finder gives."""
    head, questions = _fresh(case)
    extracting = [question for question in questions if question.query in EXTRACTS]
    if not extracting:
        raise NotApplicable("the head extracts nothing")
    for question in extracting:
        (found,) = answer(head, [question])
        _form(question, found)
        assert question.field is not None
        typed = question.spans.found(question.field)
        for start, end in found.spans:
            if not 0 <= start < end <= len(question.trunk.text):
                raise CheckFailed(f"spans in a text of {len(question.trunk.text)} characters", f"({start}, {end})")
            if typed is not None and (start, end) not in typed:
                raise CheckFailed(f"of {_name(question)} only spans that its finder gives", f"({start}, {end})")


def same_answers(case: HeadCase, one: LanguageHead, other: LanguageHead) -> bool:
    """Whether two heads answer every question to the same bits."""
    asked = [Questions(case.queries) for _ in range(2)]
    found = [answer(made.bind(head), made.all()) for made, head in zip(asked, (one, other), strict=True)]
    return all(map(_same, *found))


def _fresh(case: HeadCase) -> tuple[LanguageHead, list[Question]]:
    """A head as it starts, bound, and the questions of a request of its own."""
    head = case.make()
    if not speaks(head):
        raise NotApplicable("the head answers from hidden states, not with the language model")
    made = Questions(case.queries)
    return made.bind(head), made.all()


def _form(question: Question, found: Any) -> None:
    """Raise CheckFailed unless a raw output is of the form that its query needs."""
    wanted: tuple[int, ...]
    if question.query in EXTRACTS:
        if not isinstance(found, SpanScores):
            raise CheckFailed(f"SpanScores for {_name(question)}", type(found).__name__)
        wanted, scores, dtype = (len(found.spans) + 1,), found.scores, torch.float64
        if len(set(found.spans)) != len(found.spans):
            raise CheckFailed(f"each span of {_name(question)} once", "one stands there twice")
    else:
        if not isinstance(found, Tensor):
            raise CheckFailed(f"logits for {_name(question)}", type(found).__name__)
        wanted, scores, dtype = _shape(question), found, torch.float32
    if tuple(scores.shape) != wanted or scores.dtype is not dtype:
        raise CheckFailed(f"{dtype} {list(wanted)} for {_name(question)}", f"{scores.dtype} {list(scores.shape)}")
    if scores.isnan().any():
        raise CheckFailed(f"numbers for {_name(question)}", "NaN")


def _shape(question: Question) -> tuple[int, ...]:
    if question.query is ArrayQuery.COUNT:
        return (MAX_COUNT + 1,)
    assert question.field is not None
    return (2,) if question.query is Mode.NOUL else (outcome_count(question.field),)


def _name(question: Question) -> str:
    return question.query.value if question.field is None else f"{question.query.value} {question.field.pointer}"


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, SpanScores) and isinstance(b, SpanScores):
        return a.spans == b.spans and torch.equal(a.scores, b.scores)
    return isinstance(a, Tensor) and isinstance(b, Tensor) and torch.equal(a, b)
