"""Attention of one record's forks over its trunk and themselves, differentiable, without copying the trunk per fork.

Forward: every fork token attends to the trunk's keys in one call and to its own fork in another, and the two are merged
by their log-sum-exp. Backward: each part's flash backward is given the *merged* output and log-sum-exp, which makes its
probabilities those of the whole softmax, so the parts' gradients simply add up (as in ring attention, Liu et al. 2023,
arXiv:2310.01889).

Shapes: H heads, M fork tokens of the record, P trunk tokens, K head dim; a group has F forks padded to L tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from deg_core.training.packing import ForkGroup

_forward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
_backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward


def attend_forks(forks: Sequence[Tensor], trunk: Sequence[Tensor], groups: tuple[ForkGroup, ...]) -> Tensor:
    """``forks`` are queries, keys and values [H, M, K] of the fork tokens, ``trunk`` keys and values [H, P, K];
    ``groups`` say which tokens form a fork. Returns [H, M, K]."""
    out: Tensor = _ForkAttention.apply(*forks, *trunk, groups)
    return out


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
        grad = grad.contiguous()
        dq, dk_trunk, dv_trunk = _backward(
            grad[None], q[None], trunk_k[None], trunk_v[None], merged[None], lse[None], 0.0, False
        )
        dq = dq[0]
        dk, dv = torch.zeros_like(k), torch.zeros_like(v)
        for group in ctx.groups:
            real = group.rows[group.real]
            blank = (~group.real)[:, None, :, None]
            parts = _backward(
                _padded(grad, group).masked_fill(blank, 0),  # padding gets no gradient and so gives none
                *(_padded(x, group) for x in (q, k, v)),
                _padded(merged, group),
                lse.index_select(1, group.rows.flatten()).unflatten(1, group.rows.shape).transpose(0, 1),
                0.0,
                True,
            )
            for total, part in zip((dq, dk, dv), parts, strict=True):
                total.index_add_(1, real, part.transpose(0, 1)[:, group.real])
        return dq, dk, dv, dk_trunk[0], dv_trunk[0], None
