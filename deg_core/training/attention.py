"""Attention of one record's trunk and forks, differentiable, without copying the trunk per fork.

Forward: trunk tokens attend causally to the trunk. Every fork token attends to the trunk's keys in one call and to its
own fork in another, and the two are merged by their log-sum-exp. Backward: each part is given the *merged* output and
log-sum-exp, which makes its probabilities those of the whole softmax, so the parts' gradients simply add up (as in ring
attention, Liu et al. 2023, arXiv:2310.01889). The backward pass is written out as matrix products: the parts are small,
and the fused kernel's own took ten times as long on them.

Shapes: H heads, M fork tokens of the record, P trunk tokens, K head dim; a group has F forks padded to L tokens; B any
leading sizes, Q queries, T keys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from deg_core.training.packing import ForkGroup

_forward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu


def attend_trunk(q_HPK: Tensor, k_HPK: Tensor, v_HPK: Tensor) -> Tensor:
    """Causal attention of a trunk over itself -> [H, P, K]."""
    out: Tensor = _TrunkAttention.apply(q_HPK, k_HPK, v_HPK)
    return out


def attend_forks(forks: Sequence[Tensor], trunk: Sequence[Tensor], groups: tuple[ForkGroup, ...]) -> Tensor:
    """``forks`` are queries, keys and values [H, M, K] of the fork tokens, ``trunk`` keys and values [H, P, K];
    ``groups`` say which tokens form a fork. Returns [H, M, K]."""
    out: Tensor = _ForkAttention.apply(*forks, *trunk, groups)
    return out


def _backward(
    grad_BQK: Tensor, q_BQK: Tensor, k_BTK: Tensor, v_BTK: Tensor, out_BQK: Tensor, lse_BQ: Tensor, *, causal: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of queries, keys and values, given the softmax's output and log-sum-exp (Dao et al. 2022,
    arXiv:2205.14135, appendix B). Scores and probabilities are fp32, products of them in the inputs' own type."""
    lead, dtype = q_BQK.shape[:-2], q_BQK.dtype
    grad, q, k, v, out = (x.flatten(0, -3) for x in (grad_BQK, q_BQK, k_BTK, v_BTK, out_BQK))
    scale = 1 / math.sqrt(q.shape[-1])
    p = torch.bmm(q.float(), k.float().mT).mul_(scale).sub_(lse_BQ.flatten(0, -2).unsqueeze(-1))
    if causal:
        p.masked_fill_(torch.ones(p.shape[-2:], dtype=torch.bool).triu_(1), -math.inf)
    p.exp_()
    dv = torch.bmm(p.to(dtype).mT, grad)
    delta = (grad.float() * out).sum(dim=-1, keepdim=True)
    ds = p.mul_(torch.bmm(grad, v.mT).sub(delta)).mul_(scale).to(dtype)
    return torch.bmm(ds, k).unflatten(0, lead), torch.bmm(ds.mT, q).unflatten(0, lead), dv.unflatten(0, lead)


class _TrunkAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        out, lse = _forward(q[None], k[None], v[None], is_causal=True)
        ctx.save_for_backward(q, k, v, out[0], lse[0])
        return out[0]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        q, k, v, out, lse = ctx.saved_tensors
        return _backward(grad, q, k, v, out, lse, causal=True)


def _padded(x_HMK: Tensor, group: ForkGroup) -> Tensor:
    """The group's forks as a batch [F, H, L, K]; padding repeats a fork's last token."""
    count, width = group.rows.shape
    return x_HMK.index_select(1, group.rows.flatten()).unflatten(1, (count, width)).transpose(0, 1)


class _ForkAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, q: Tensor, k: Tensor, v: Tensor, trunk_k: Tensor, trunk_v: Tensor, groups: tuple[ForkGroup, ...]
    ) -> Tensor:
        shared, shared_lse = _forward(q[None], trunk_k[None], trunk_v[None])
        own, own_lse = torch.empty_like(shared[0]), torch.empty_like(shared_lse[0])
        for group in groups:
            out, lse = _forward(*(_padded(x, group) for x in (q, k, v)), is_causal=True)
            real = group.rows[group.real]
            own[:, real] = out.transpose(0, 1)[:, group.real]
            own_lse[:, real] = lse.transpose(0, 1)[:, group.real]
        weight = torch.sigmoid(shared_lse[0] - own_lse).unsqueeze(-1)
        merged = (own + (shared[0] - own) * weight).to(q.dtype)
        merged_lse = torch.logaddexp(shared_lse[0], own_lse)
        ctx.save_for_backward(q, k, v, trunk_k, trunk_v, merged, merged_lse)
        ctx.groups = groups
        return merged

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, trunk_k, trunk_v, merged, lse = ctx.saved_tensors
        dq, dk_trunk, dv_trunk = _backward(grad, q, trunk_k, trunk_v, merged, lse, causal=False)
        dq = dq.float()
        dk, dv = torch.zeros_like(k, dtype=torch.float), torch.zeros_like(v, dtype=torch.float)
        for group in ctx.groups:
            real = group.rows[group.real]
            blank = (~group.real)[:, None, :, None]
            group_q, group_k, group_v, group_out = (_padded(x, group) for x in (q, k, v, merged))
            group_lse = lse.index_select(1, group.rows.flatten()).unflatten(1, group.rows.shape).transpose(0, 1)
            given = _padded(grad, group).masked_fill(blank, 0)  # padding gets no gradient and so gives none
            parts = _backward(given, group_q, group_k, group_v, group_out, group_lse, causal=True)
            for total, part in zip((dq, dk, dv), parts, strict=True):
                total.index_add_(1, real, part.transpose(0, 1)[:, group.real].float())
        own = (part.to(q.dtype) for part in (dq, dk, dv))
        return *own, dk_trunk, dv_trunk, None
