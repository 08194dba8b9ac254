"""What training needs of a family: gradients everywhere, and adapters that can be merged."""

from __future__ import annotations

from typing import Final

import torch
from torch import Generator, Tensor

from deg_core.conformance.family_case import CLOSE, FamilyCase
from deg_core.conformance.plain import plain_continued, plain_hidden
from deg_core.conformance.report import CheckFailed
from deg_core.conformance.traced import Pair, TracedWeights
from deg_core.kernels.testing import relative_error
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks
from deg_core.runtime.lora import merge
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights

RANK: Final = 2
SCALE: Final = 0.5
SHOWN: Final = 5  # names in one message


def gradients(case: FamilyCase) -> None:
    """A loss on a fork's hidden states gives a finite gradient to every projection's adapter, to the embeddings of the
    fork's tokens, and through keys, values and states to those of its trunk."""
    trunk, fork = _distinct_ids(case)
    weights = dict(case.weights)
    weights["embed"] = weights["embed"].clone().requires_grad_()
    pairs = _adapters(case, started=False)
    body = Body(case.family, case.config, TracedWeights(weights, pairs, SCALE), case.geometry)
    hidden = plain_continued(body, trunk, fork)
    if not hidden.requires_grad:
        raise CheckFailed("hidden states with a gradient", "they have none: something detaches them on the way")
    wanted = torch.randn(hidden.shape, generator=Generator().manual_seed(1))
    (hidden * wanted).sum().backward()
    problems = [f"{name} gets {trouble}" for name, pair in pairs.items() if (trouble := _trouble(pair.b.grad))]
    if problems:
        count = f"{len(problems)} of {len(pairs)} projections: "
        raise CheckFailed("a gradient for the adapter of every projection", count + "; ".join(problems[:SHOWN]))
    grad = weights["embed"].grad
    for name, ids in (("the fork's", fork), ("the trunk's", trunk)):
        trouble = _trouble(grad[ids] if grad is not None else None)
        if trouble:
            raise CheckFailed(f"a gradient for {name} tokens", f"their embeddings get {trouble}")


def adapters(case: FamilyCase) -> None:
    """Adapters beside the weights in training, against the same adapters merged into them in fp32 serving."""
    pairs = _adapters(case, started=True)
    ids = case.ids(20)
    beside = Body(case.family, case.config, TracedWeights(case.weights, pairs, SCALE), case.geometry)
    with torch.no_grad():
        (expected,) = plain_hidden(beside, [ids])
        (without,) = plain_hidden(case.plain_body(), [ids])
    tensors = {f"{name}.{part}": value for name, pair in pairs.items() for part, value in _named(pair)}
    merged = merge(case.weights, tensors, SCALE)
    embedding, head = merged.pop("embed"), merged.pop("lm_head", None)
    matrices = {name: merged.pop(name) for name in case.projections}
    body = Body(case.family, case.config, ServingWeights(matrices, merged, embedding, head), case.geometry)
    trunk = prefill(body, ids[:12])
    found = torch.cat([trunk.hidden_PD, *run_forks(body, [(trunk, ids[12:])])])
    error = relative_error(found, expected)
    if not error < CLOSE:
        raise CheckFailed("merged adapters to do what they did beside the weights", f"a relative error of {error:.2g}")
    if not relative_error(expected, without) > 10 * CLOSE:
        raise CheckFailed("adapters on every projection to change the hidden states", "they change nothing")


def _adapters(case: FamilyCase, *, started: bool) -> dict[str, Pair]:
    """An adapter for every projection; B is zero until it has ``started`` to learn."""
    generator = Generator().manual_seed(0)
    pairs = {}
    for name, projection in case.projections.items():
        a = torch.randn(RANK, projection.columns, generator=generator) / projection.columns**0.5
        b = torch.zeros(projection.rows, RANK)
        if started:
            b = torch.randn(projection.rows, RANK, generator=generator) * 0.5
        pairs[name] = Pair(a, b.requires_grad_(not started))
    return pairs


def _named(pair: Pair) -> tuple[tuple[str, Tensor], tuple[str, Tensor]]:
    return ("lora_A", pair.a), ("lora_B", pair.b)


def _distinct_ids(case: FamilyCase) -> tuple[list[int], list[int]]:
    """Tokens of a trunk and of a fork, none in both, so that their embeddings' gradients are apart."""
    order = torch.randperm(case.geometry.vocab_size, generator=Generator().manual_seed(0)).tolist()
    return order[:9], order[9:14]


def _trouble(grad: Tensor | None) -> str | None:
    """What is wrong with a gradient, if anything."""
    if grad is None or not grad.any():
        return "no gradient"
    return None if grad.isfinite().all() else "a gradient that is not finite"
