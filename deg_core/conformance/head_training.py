"""What training needs of a head: a loss that means what it says, and gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from deg_core.conformance.head_case import Ask, HeadCase, all_logits, answers, golds, module, with_logits
from deg_core.conformance.report import CheckFailed
from deg_core.kernels.testing import relative_error
from deg_core.protocols.head import ForkHidden, Head

CLOSE = 1e-4  # relative error of fp32 in another order of additions


def loss(case: HeadCase) -> None:
    """For every target one finite number, also where it is quite wrong; less for logits that are right than for those
    that are right for another target of the same question."""
    head = case.make(trained=True)
    for ask in case.asks(context=9):
        cases = list(golds(ask))
        blank = torch.zeros(ask.shape)
        (like,) = answers(head, [ask])
        for name, target, right in cases:
            value = head.loss(with_logits(like, right(blank)), target)
            if not isinstance(value, Tensor) or value.dim() != 0 or not value.isfinite():
                raise CheckFailed("a loss that is one finite number", f"{value} for {name}, {ask}")
            for other, _, wrong in cases:
                if other == name or torch.equal(wrong(blank), right(blank)):
                    continue
                worse = head.loss(with_logits(like, wrong(blank)), target)
                if not (worse.isfinite() and worse > value):
                    raise CheckFailed(
                        "a loss that is lower for the gold than for another outcome",
                        f"{float(value):.4g} for logits of {name!r}, {float(worse):.4g} for those of {other!r}; {ask}",
                    )


def gradients(case: HeadCase) -> None:
    """The losses of all kinds of questions together give every parameter a finite gradient, and each question gives one
    to the hidden state at ``ANSWER:``, through which the adapters learn."""
    head = case.make(trained=True)
    for ask in case.asks(context=9):
        answer = ask.fork.answer_D.clone().requires_grad_()
        logits = _trained(head, ask, answer)
        total = torch.stack([head.loss(logits, target) for _, target, _ in golds(ask)])
        # Weighted, lest the gradients of targets that are each other's opposite cancel.
        (total * torch.arange(1, len(total) + 1)).sum().backward()
        if answer.grad is None or not answer.grad.any() or not answer.grad.isfinite().all():
            raise CheckFailed("a finite gradient for the hidden state at ANSWER:", f"none for {ask}")
    for name, parameter in module(head).named_parameters():
        if parameter.grad is None or not parameter.grad.any():
            raise CheckFailed("a gradient for every parameter", f"{name} gets none from any kind of question")
        if not parameter.grad.isfinite().all():
            raise CheckFailed("finite gradients", f"that of {name} is not")


def training_form(case: HeadCase) -> None:
    """A head may use quicker arithmetic where gradients are wanted; it must come to the same within rounding."""
    head = case.make(trained=True)
    asks = case.asks()
    for ask, answer in zip(asks, answers(head, asks), strict=True):
        served = all_logits(answer).detach()
        trained = all_logits(_trained(head, ask, ask.fork.answer_D)).detach()
        finite = served.isfinite()
        error = relative_error(trained[finite], served[finite]) if finite.any() else 0.0
        if not torch.equal(trained.isfinite(), finite) or not error < CLOSE:
            raise CheckFailed("the same logits in training as in serving", f"a relative error of {error:.2g} for {ask}")


def _trained(head: Head, ask: Ask, answer: Tensor) -> Any:
    """The raw output with gradients."""
    fork = ForkHidden(answer, ask.fork.outcomes_OD, ask.fork.region)
    return head(fork, head.prepare(ask.context_PD))
