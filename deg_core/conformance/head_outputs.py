"""What a head gives: shapes, bits that are the fork's own, pure preparation, regions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor

from deg_core.conformance.head_case import EXTRACTS, Ask, HeadCase, all_logits, answers, logits_of
from deg_core.conformance.report import CheckFailed, NotApplicable
from deg_core.kernels.testing import threads
from deg_core.protocols.head import ForkHidden
from deg_core.protocols.spans import LinkedSpans

Answer: TypeAlias = Tensor | LinkedSpans
THREADS: Final = (1, 2, 5)
LONG: Final = 523  # context tokens: more than a matrix kernel takes at once, and an odd number


def shapes(case: HeadCase) -> None:
    """Logits [O] of a decision, [2] of yes/no, [2, P + 1] of an extraction, [P] of an anchor, [65] of a count: fp32,
    also from hidden states in bf16, as training has them; finite where there is no region, of a text without a token
    too."""
    head = case.make(trained=True)
    for dtype in (torch.float32, torch.bfloat16):
        asks = [*case.asks(dtype=dtype), *_empty_contexts(case, dtype)]
        for ask, answer in zip(asks, answers(head, asks), strict=True):
            logits = logits_of(answer)
            where = f"{ask}, hidden states in {str(dtype).removeprefix('torch.')}"
            if not isinstance(logits, Tensor) or tuple(logits.shape) != ask.shape or logits.dtype != torch.float32:
                found = f"{logits.dtype} {list(logits.shape)}" if isinstance(logits, Tensor) else type(logits).__name__
                raise CheckFailed(f"logits float32 {list(ask.shape)}", f"{where}: {found}")
            if ask.fork.region is None and not logits.isfinite().all():
                raise CheckFailed("finite logits", f"{where}: {int((~logits.isfinite()).sum())} are not")


def _empty_contexts(case: HeadCase, dtype: torch.dtype) -> list[Ask]:
    """Every query about a text without a token."""
    asks = {ask.query: ask for ask in case.asks(context=1, dtype=dtype) if ask.fork.region is None}
    return [dataclasses.replace(ask, context_PD=ask.context_PD[:0]) for ask in asks.values()]


def forks(case: HeadCase) -> None:
    """The same fork asked first and last, in another order, of another instance; and with its hidden states as slices
    of a batch, as training hands them over, instead of tensors of their own."""
    head = case.make(trained=True)
    asks = case.asks()
    expected = answers(head, asks)
    expectation = "the same bits for a fork whatever else was asked"
    _same(answers(head, asks[::-1])[::-1], expected, asks, expectation, "asked in another order")
    other = case.make(seed=5)
    other.load_state_dict(head.state_dict())
    _same(answers(other, asks), expected, asks, expectation, "another head with the same tensors")
    alone = [answers(other, [ask])[0] for ask in asks]
    _same(alone, expected, asks, expectation, "each with a context prepared for it alone")
    _same(answers(head, [_in_a_batch(ask) for ask in asks]), expected, asks, expectation, "as slices of a batch")


def _in_a_batch(ask: Ask) -> Ask:
    """The same question, its hidden states slices of one matrix with rows of others around them."""
    fork, text = ask.fork, ask.context_PD
    others = torch.full((3, text.shape[1]), 9.0)
    batch = torch.cat([others, fork.answer_D[None], fork.outcomes_OD, others, text, others])
    first = 4 + len(fork.outcomes_OD)
    seen = ForkHidden(batch[3], batch[4:first], fork.region)
    return Ask(ask.query, seen, batch[first + 3 : first + 3 + len(text)])


def same_bits_on_threads(case: HeadCase) -> None:
    """A long context and many outcomes on 1, 2 and 5 threads."""
    head = case.make(trained=True)
    asks = case.asks(context=LONG)
    with threads(1):
        expected = answers(head, asks)
    for count in THREADS:
        with threads(count):
            found = answers(head, asks)
        _same(found, expected, asks, "the same bits on any number of threads", f"{count} threads")


def prepare(case: HeadCase) -> None:
    """``prepare`` twice gives the same and leaves the context as it is; calls read what it gave and the fork."""
    head = case.make(trained=True)
    for ask in case.asks(context=40):
        text, fork = ask.context_PD.clone(), ask.fork
        with torch.inference_mode():
            prepared = head.prepare(ask.context_PD)
            before = [tensor.clone() for tensor in tensors_in(prepared)]
            again = tensors_in(head.prepare(ask.context_PD))
            answer, outcomes = fork.answer_D.clone(), fork.outcomes_OD.clone()
            head(fork, prepared)
            head(ForkHidden(fork.answer_D * 2, fork.outcomes_OD, fork.region), prepared)
        after = tensors_in(prepared)
        if len(again) != len(before) or not all(map(torch.equal, again, before)):
            raise CheckFailed("the same from prepare() at every call", f"{ask}: another result")
        if not all(map(torch.equal, after, before)):
            raise CheckFailed("calls that only read what prepare() gave", f"{ask}: a call changed it")
        pairs = ((ask.context_PD, text), (fork.answer_D, answer), (fork.outcomes_OD, outcomes))
        for name, (now, then) in zip(("context", "answer", "outcome"), pairs, strict=True):
            if not torch.equal(now, then):
                raise CheckFailed(
                    "hidden states as they were before the call", f"{ask}: the {name} states were changed"
                )


def region(case: HeadCase) -> None:
    """An anchor's logits are minus infinity outside the fork's region and numbers inside; an extraction's are numbers
    everywhere, since a span may lie outside its item."""
    asks = [ask for ask in case.asks() if ask.fork.region is not None]
    if not asks:
        raise NotApplicable("the head answers neither extractions nor anchors")
    for ask, answer in zip(asks, answers(case.make(trained=True), asks), strict=True):
        logits = logits_of(answer)
        if ask.query in EXTRACTS:
            if not logits.isfinite().all():
                raise CheckFailed("finite logits for every context token and for null", f"{ask}: some are not")
            continue
        start, stop = ask.fork.region or (0, len(logits))
        outside = torch.cat([logits[:start], logits[stop:]])
        if not logits[start:stop].isfinite().all() or not (outside == -torch.inf).all():
            wrong = int((outside != -torch.inf).sum()) + int((~logits[start:stop].isfinite()).sum())
            raise CheckFailed(
                "logits that are finite inside the region [start, end) and minus infinity outside",
                f"{ask}: {wrong} of {len(logits)} are not",
            )


def tensors_in(value: Any) -> list[Tensor]:
    """All tensors in nested tuples, lists, mappings and dataclasses."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    return [tensor for each in value for tensor in tensors_in(each)] if isinstance(value, (tuple, list)) else []


def _same(found: list[Answer], expected: list[Answer], asks: list[Ask], expectation: str, where: str) -> None:
    for ask, a, b in zip(asks, map(all_logits, found), map(all_logits, expected), strict=True):
        if not torch.equal(a, b):
            differing = int((a != b).sum()) if a.shape == b.shape else a.numel()
            raise CheckFailed(expectation, f"{where}: {differing} of {b.numel()} logits differ for {ask}")
