"""The elementwise parts of a training step, each one loop over its elements where torch can compile it.

Run one operation at a time, every operation is a pass over memory of its own, and on a CPU those passes take longer
than the matrix products between them. Compiled (``torch.compile``), a part reads its inputs once and writes its outputs
once.

Shapes: N tokens, D hidden size, H heads, K head dim; B any leading size, Q queries, T keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import torch
from torch import Tensor


def norm(x_ND: Tensor, weight_D: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """RMSNorm with a frozen scale, and the inverse root mean square fp32 [N, 1] that its backward pass needs."""
    x = x_ND.float()
    mean = torch.linalg.vecdot(x, x).div_(x.shape[-1])
    inverse_N1 = torch.rsqrt(mean.add_(eps)).unsqueeze(-1)
    return (x * inverse_N1).mul_(weight_D).to(x_ND.dtype), inverse_N1


def norm_gradient(grad_ND: Tensor, x_ND: Tensor, weight_D: Tensor, inverse_N1: Tensor) -> Tensor:
    """The gradient of ``norm``'s input."""
    x, scaled = x_ND.float(), grad_ND.float() * weight_D
    along_N1 = torch.linalg.vecdot(scaled, x).unsqueeze(-1) * inverse_N1**3 / x.shape[-1]
    return scaled.mul_(inverse_N1).addcmul_(x, along_N1, value=-1).to(x_ND.dtype)


def gate(gate_ND: Tensor, up_ND: Tensor) -> Tensor:
    """``silu(gate) * up``, rounded once."""
    x = gate_ND.float()
    return (x * torch.sigmoid(x) * up_ND.float()).to(gate_ND.dtype)


def gate_gradient(grad_ND: Tensor, gate_ND: Tensor, up_ND: Tensor) -> tuple[Tensor, Tensor]:
    """Gradients of gate and up."""
    x, grad = gate_ND.float(), grad_ND.float()
    open_ND = torch.sigmoid(x)
    to_gate = grad * up_ND.float() * open_ND * (1 + x * (1 - open_ND))
    return to_gate.to(gate_ND.dtype), (grad * x * open_ND).to(gate_ND.dtype)


def turn(x_NHK: Tensor, cos_NR: Tensor, sin_NR: Tensor) -> Tensor:
    """Rotary embedding; with the sine negated, its gradient."""
    cos, sin = cos_NR[:, None], sin_NR[:, None]
    a, b = x_NHK.float().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x_NHK.dtype)


def softmax_weights(products_BQT: Tensor, lse_BQ1: Tensor, scale: float, start: int, causal: bool) -> Tensor:
    """Softmax weights fp32 of products fp32, given the log-sum-exp of the scores. Queries begin at token ``start``, and
    ``causal`` gives later keys no weight."""
    weights = torch.exp(products_BQT * scale - lse_BQ1)
    if causal:
        queries, keys = (torch.arange(size, device=weights.device) for size in weights.shape[-2:])
        weights = weights.masked_fill(keys > start + queries.unsqueeze(-1), 0.0)
    return weights


def score_gradient(weights_BQT: Tensor, pull_BQT: Tensor, delta_BQ1: Tensor, scale: float) -> Tensor:
    """The gradient of the products, in the type of ``pull``: that of the weights."""
    return (weights_BQT * (pull_BQT.float() - delta_BQ1) * scale).to(pull_BQT.dtype)


@dataclass(frozen=True)
class Loops:
    """The parts as they stand above, or compiled."""

    compiled: bool = False
    norm: Callable[[Tensor, Tensor, float], tuple[Tensor, Tensor]] = norm
    norm_gradient: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor] = norm_gradient
    gate: Callable[[Tensor, Tensor], Tensor] = gate
    gate_gradient: Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]] = gate_gradient
    turn: Callable[[Tensor, Tensor, Tensor], Tensor] = turn
    softmax_weights: Callable[[Tensor, Tensor, float, int, bool], Tensor] = softmax_weights
    score_gradient: Callable[[Tensor, Tensor, Tensor, float], Tensor] = score_gradient


EAGER = Loops()


def compiled() -> Loops:
    """The parts compiled for sizes that vary. They are compiled when first called; what is tried here is whether there
    is a compiler. Raises what torch raises where there is none."""
    parts = [torch.compile(getattr(EAGER, part.name), dynamic=True) for part in fields(Loops)[1:]]
    loops = Loops(True, *parts)
    loops.score_gradient(torch.ones(2, 3, 5), torch.ones(2, 3, 5), torch.ones(2, 3, 1), 1.0)
    return loops
