"""Attention of one record's trunk and forks, differentiable, without copying the trunk per fork.

Forward: trunk tokens attend causally to the trunk. Every fork token attends to the trunk's keys in one call and to its
own fork in another, and the two are merged by their log-sum-exp. Backward: each part is given the *merged* output and
log-sum-exp, which makes its probabilities those of the whole softmax, so the parts' gradients simply add up (as in ring
attention, Liu et al. 2023, arXiv:2310.01889). The backward pass is written out as matrix products: the parts are small,
and the fused kernel's own took ten times as long on them. On a CPU the forward pass is the kernel that serves (it reads
trunk and fork in one), or torch's fused one where that was not built; elsewhere it is matrix products too.

Shapes: H heads, M fork tokens of the record, P trunk tokens, K head dim; a group has F forks padded to L tokens; B any
leading sizes, Q queries, T keys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from deg_core.kernels.native import attention, available
from deg_core.training.loops import EAGER, Loops
from deg_core.training.packing import ForkGroup

BLOCK = 1024  # queries whose scores are held at once
_fused = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu


def attend_trunk(q_HPK: Tensor, k_HPK: Tensor, v_HPK: Tensor, loops: Loops = EAGER) -> Tensor:
    """Causal attention of a trunk over itself -> [H, P, K]."""
    out: Tensor = _TrunkAttention.apply(q_HPK, k_HPK, v_HPK, loops)
    return out


def attend_forks(
    forks: Sequence[Tensor],
    trunk: Sequence[Tensor],
    lengths: tuple[int, ...],
    groups: tuple[ForkGroup, ...],
    loops: Loops = EAGER,
) -> Tensor:
    """``forks`` are queries, keys and values [H, M, K] of the fork tokens, ``trunk`` keys and values [H, P, K];
    ``lengths`` and ``groups`` say which tokens form a fork. Returns [H, M, K]."""
    out: Tensor = _ForkAttention.apply(*forks, *trunk, lengths, groups, loops)
    return out


def _compiled_for(x: Tensor) -> bool:
    return x.is_cpu and x.dtype in (torch.float, torch.bfloat16) and available()


def _read(
    q_HNK: Tensor, k_HNK: Tensor, v_HNK: Tensor, lengths: tuple[int, ...], trunk: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, Tensor]:
    """Attention [H, N, K] of rows of these lengths, which continue the trunk, and its log-sum-exp [H, N], by the kernel
    that serves."""
    q, k, v = (x.float().transpose(0, 1) for x in (q_HNK, k_HNK, v_HNK))
    prefix = None if trunk is None else (trunk[0].float(), trunk[1].float())
    lse = torch.empty(q_HNK.shape[:2])
    rounded, prefixes = q_HNK.dtype is torch.bfloat16, [prefix] * len(lengths)
    out = attention.fork_attention(q, k, v, lengths, prefixes, rounded=rounded, lse_NH=lse.t())
    return out.to(q_HNK.dtype).transpose(0, 1), lse


def _merged(
    forks: tuple[Tensor, Tensor, Tensor], trunk: tuple[Tensor, Tensor], groups: tuple[ForkGroup, ...]
) -> tuple[Tensor, Tensor]:
    """The same of forks by torch alone: of what they see of the trunk and of themselves, merged."""
    q = forks[0]
    shared, shared_lse = _forward(q, *trunk)
    own, own_lse = torch.empty_like(shared), torch.empty_like(shared_lse)
    for group in groups:
        out, lse = _forward(*(_padded(x, group) for x in forks), causal=True)
        own.index_copy_(1, group.tokens, _real(out, group))
        own_lse.index_copy_(1, group.tokens, _real(lse, group))
    weight = torch.sigmoid(shared_lse - own_lse).unsqueeze(-1)
    return (own + (shared - own) * weight).to(q.dtype), torch.logaddexp(shared_lse, own_lse)


def _forward(q_BQK: Tensor, k_BTK: Tensor, v_BTK: Tensor, *, causal: bool = False) -> tuple[Tensor, Tensor]:
    """Softmax attention [B, Q, K], B being one or two sizes, and the log-sum-exp of its scores fp32 [B, Q]."""
    if q_BQK.device.type == "cpu":
        if q_BQK.dim() == 3:
            out, lse = _fused(q_BQK[None], k_BTK[None], v_BTK[None], is_causal=causal)
            return out[0], lse[0]
        out, lse = _fused(q_BQK, k_BTK, v_BTK, is_causal=causal)
        return out, lse
    return plain_forward(q_BQK, k_BTK, v_BTK, causal=causal)


def plain_forward(q_BQK: Tensor, k_BTK: Tensor, v_BTK: Tensor, *, causal: bool) -> tuple[Tensor, Tensor]:
    """As the fused kernel: scores in fp32, probabilities times values in the inputs' own type."""
    lead, dtype = q_BQK.shape[:-2], q_BQK.dtype
    q, k, v = (x.flatten(0, -3) for x in (q_BQK, k_BTK, v_BTK))
    outs, sums = [], []
    for rows, keys in _blocks(q.shape[1], k.shape[1], causal=causal):
        scores = _scores(q[:, rows], k[:, keys], rows.start, causal=causal)
        lse = torch.logsumexp(scores, dim=-1)
        outs.append(torch.bmm(scores.sub_(lse.unsqueeze(-1)).exp_().to(dtype), v[:, keys]))
        sums.append(lse)
    return torch.cat(outs, dim=1).unflatten(0, lead), torch.cat(sums, dim=1).unflatten(0, lead)


def _backward(
    grad_BQK: Tensor,
    q_BQK: Tensor,
    k_BTK: Tensor,
    v_BTK: Tensor,
    out_BQK: Tensor,
    lse_BQ: Tensor,
    loops: Loops,
    *,
    causal: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of queries, keys and values, given the softmax's output and log-sum-exp (Dao et al. 2022,
    arXiv:2205.14135, appendix B). Scores and probabilities are fp32, products of them in the inputs' own type."""
    lead = q_BQK.shape[:-2]
    grad, q, k, v, out = (x.flatten(0, -3) for x in (grad_BQK, q_BQK, k_BTK, v_BTK, out_BQK))
    lse = lse_BQ.flatten(0, -2).unsqueeze(-1)
    parts = []
    for rows, keys in _blocks(q.shape[1], k.shape[1], causal=causal):
        block = (grad[:, rows], q[:, rows], out[:, rows], lse[:, rows], k[:, keys], v[:, keys])
        parts.append(_block_backward(*block, rows.start, loops, causal=causal))
    dqs, dks, dvs = zip(*parts, strict=True)
    dq, dk, dv = torch.cat(dqs, dim=1), _summed(dks, k), _summed(dvs, v)
    return dq.unflatten(0, lead), dk.unflatten(0, lead), dv.unflatten(0, lead)


def _summed(parts: Sequence[Tensor], like_BTK: Tensor) -> Tensor:
    """The sum of gradients, each of the first keys."""
    if len(parts) == 1:
        return parts[0]
    total = torch.zeros_like(like_BTK, dtype=torch.float)
    for part in parts:
        total[:, : part.shape[1]] += part
    return total.to(like_BTK.dtype)


def _block_backward(
    grad: Tensor, q: Tensor, out: Tensor, lse: Tensor, k: Tensor, v: Tensor, start: int, loops: Loops, *, causal: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """One block of queries, which begin at token ``start``."""
    scale = 1 / math.sqrt(q.shape[-1])
    p = loops.softmax_weights(torch.bmm(q.float(), k.float().mT), lse, scale, start, causal)
    dv = torch.bmm(p.to(q.dtype).mT, grad)
    delta = torch.linalg.vecdot(grad.float(), out.float()).unsqueeze(-1)
    ds = loops.score_gradient(p, torch.bmm(grad, v.mT), delta, scale)
    return torch.bmm(ds, k), torch.bmm(ds.mT, q), dv


def _scores(q_BQK: Tensor, k_BTK: Tensor, start: int, *, causal: bool) -> Tensor:
    """Scaled scores fp32 [B, Q, T] of queries that begin at token ``start``, minus infinity for later keys."""
    scores = torch.bmm(q_BQK.float(), k_BTK.float().mT).mul_(1 / math.sqrt(q_BQK.shape[-1]))
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu_(1 + start)
        scores.masked_fill_(later, -math.inf)
    return scores


def _blocks(queries: int, keys: int, *, causal: bool) -> list[tuple[slice, slice]]:
    """Queries in blocks, each with the keys that it sees: so memory grows with a text's length, not with its square."""
    starts = range(0, queries, BLOCK)
    stops = [min(start + BLOCK, queries) for start in starts]
    return [(slice(a, b), slice(0, b if causal else keys)) for a, b in zip(starts, stops, strict=True)]


class _TrunkAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, loops: Loops) -> Tensor:
        out, lse = _read(q, k, v, (q.shape[1],)) if _compiled_for(q) else _forward(q, k, v, causal=True)
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.loops = loops
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, out, lse = ctx.saved_tensors
        return *_backward(grad, q, k, v, out, lse, ctx.loops, causal=True), None


def _padded(x_HMK: Tensor, group: ForkGroup) -> Tensor:
    """The group's forks as a batch [F, H, L, K]; padding repeats a fork's last token."""
    count, width = group.rows.shape
    return x_HMK.index_select(1, group.rows.flatten()).unflatten(1, (count, width)).transpose(0, 1)


def _real(x_FHL: Tensor, group: ForkGroup) -> Tensor:
    """What is not padding of [F, H, L, ...], as [H, M, ...]. By places that the host wrote down: to ask a GPU for them
    would wait for it in every layer."""
    return x_FHL.transpose(0, 1).flatten(1, 2).index_select(1, group.slots)


class _ForkAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        trunk_k: Tensor,
        trunk_v: Tensor,
        lengths: tuple[int, ...],
        groups: tuple[ForkGroup, ...],
        loops: Loops,
    ) -> Tensor:
        if _compiled_for(q):
            merged, lse = _read(q, k, v, lengths, (trunk_k, trunk_v))
        else:
            merged, lse = _merged((q, k, v), (trunk_k, trunk_v), groups)
        ctx.save_for_backward(q, k, v, trunk_k, trunk_v, merged, lse)
        ctx.groups, ctx.loops = groups, loops
        return merged

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, trunk_k, trunk_v, merged, lse = ctx.saved_tensors
        dq, dk_trunk, dv_trunk = _backward(grad, q, trunk_k, trunk_v, merged, lse, ctx.loops, causal=False)
        dq = dq.float()
        dk, dv = torch.zeros_like(k, dtype=torch.float), torch.zeros_like(v, dtype=torch.float)
        for group in ctx.groups:
            blank = (~group.real)[:, None, :, None]
            group_q, group_k, group_v, group_out = (_padded(x, group) for x in (q, k, v, merged))
            group_lse = lse.index_select(1, group.rows.flatten()).unflatten(1, group.rows.shape).transpose(0, 1)
            given = _padded(grad, group).masked_fill(blank, 0)  # padding gets no gradient and so gives none
            parts = _backward(given, group_q, group_k, group_v, group_out, group_lse, ctx.loops, causal=True)
            for total, part in zip((dq, dk, dv), parts, strict=True):
                total.index_add_(1, group.tokens, _real(part, group).float())
        own = (part.to(q.dtype) for part in (dq, dk, dv))
        return *own, dk_trunk, dv_trunk, None, None, None
