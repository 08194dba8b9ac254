"""Attention of forks over a shared trunk, each fork in blocks whose shape the fork alone decides.

A fork's query attends to the trunk's keys (never copied per fork) and causally to its own; the two parts are merged by
their log-sum-exp in a fixed order (as in Dao et al. 2022, arXiv:2205.14135, over two blocks). Forks are padded to a
multiple of ``GRID`` tokens by their own length and forks of one padded length run as one batch: the kernel treats each
batch entry and head by itself, so neighbours cannot change a bit.

Shapes: B forks of one padded length L, H query heads, G key/value heads, K head dim, P trunk tokens, N tokens laid end
to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import torch
from torch import Tensor
from torch.nn.functional import pad

from deg_core.kernels.native import attention as native
from deg_core.kernels.native import rows as native_rows
from deg_core.kernels.pieces import in_pieces

GRID = 16


def _flash(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> tuple[Tensor, Tensor]:
    """Output and log-sum-exp of softmax(q k^T / sqrt(K)) v.

    The kernel hands out (entry, head, query block) tasks to threads. A lone task would run outside the pool, where the
    matrix library splits it over threads and rounds by their number; so one entry with one head runs as two.
    """
    lone = q.shape[0] * q.shape[1] == 1
    if lone:
        q, k, v = (x.expand(2, -1, -1, -1) for x in (q, k, v))
    out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, is_causal=causal)
    return (out[:1], lse[:1]) if lone else (out, lse)


def attend_block(q_BHLK: Tensor, own_k_BGLK: Tensor, own_v_BGLK: Tensor, trunk: tuple[Tensor, Tensor] | None) -> Tensor:
    """Forks of one padded length against a trunk ([G, P, K] keys and values, or None) and themselves -> [B, H, L, K].

    Padded rows come last, so causality hides them from the real ones.
    """
    forks, heads, length, dim = q_BHLK.shape
    groups = own_k_BGLK.shape[1]
    repeat = heads // groups
    own_k = own_k_BGLK.repeat_interleave(repeat, dim=1)
    own_v = own_v_BGLK.repeat_interleave(repeat, dim=1)
    own, own_lse = _flash(q_BHLK, own_k, own_v, causal=True)
    if trunk is None:
        return own
    k, v = (part.unsqueeze(0).expand(forks, -1, -1, -1) for part in trunk)
    folded = q_BHLK.reshape(forks, groups, repeat * length, dim)  # the heads of a group are rows over the same keys
    shared, shared_lse = _flash(folded, k, v, causal=False)
    shared, shared_lse = shared.reshape(own.shape), shared_lse.reshape(own_lse.shape)
    weight = in_pieces(torch.sigmoid, shared_lse - own_lse).unsqueeze(-1)
    return own + (shared - own) * weight


def padded_length(length: int) -> int:
    """The fork's length rounded up to the grid."""
    return -(-length // GRID) * GRID


def _distinct(pairs: Sequence[tuple[Tensor, Tensor] | None]) -> list[Tensor]:
    """The tensors of all pairs, those that many pairs share once."""
    return [part for pair in {id(pair[0]): pair for pair in pairs if pair is not None}.values() for part in pair]


def fork_attention(
    q_NHK: Tensor,
    k_NGK: Tensor,
    v_NGK: Tensor,
    lengths: Sequence[int],
    trunks: Sequence[tuple[Tensor, Tensor] | None],
    *,
    rounded: bool = False,
) -> Tensor:
    """Attention for forks laid end to end -> [N, H, K]. Fork i has ``lengths[i]`` tokens and continues ``trunks[i]``
    (keys and values [G, P, K], shared by reference between the forks that name the same one). With ``rounded``, what is
    multiplied may be rounded to bfloat16, where the processor is faster so."""
    if native_rows.fits(q_NHK, k_NGK, v_NGK, *_distinct(trunks)):
        return native.fork_attention(q_NHK, k_NGK, v_NGK, lengths, trunks, rounded=rounded)
    out = torch.empty_like(q_NHK)
    starts = list(accumulate(lengths, initial=0))
    groups: dict[tuple[int, int], list[int]] = {}
    for row, (length, trunk) in enumerate(zip(lengths, trunks, strict=True)):
        groups.setdefault((padded_length(length), id(trunk[0]) if trunk is not None else 0), []).append(row)
    for (width, _), rows in groups.items():

        def batch(x: Tensor, rows: list[int] = rows, width: int = width) -> Tensor:
            parts = [pad(x[starts[r] : starts[r + 1]], (0, 0, 0, 0, 0, width - lengths[r])) for r in rows]
            return torch.stack(parts).transpose(1, 2).contiguous()

        attended = attend_block(batch(q_NHK), batch(k_NGK), batch(v_NGK), trunks[rows[0]]).transpose(1, 2)
        for index, row in enumerate(rows):
            out[starts[row] : starts[row + 1]] = attended[index, : lengths[row]]
    return out


def decode_attention(
    q_NHK: Tensor,
    own: Sequence[tuple[Tensor, Tensor]],
    trunks: Sequence[tuple[Tensor, Tensor]],
    *,
    rounded: bool = False,
) -> Tensor:
    """Attention of one new token a row -> [N, H, K]. Row i sees all of ``trunks[i]`` ([G, P, K], shared by reference)
    and all of ``own[i]`` ([G, n, K] of any length n, the new token's keys and values last). ``rounded`` as above."""
    if native_rows.fits(q_NHK, *_distinct(own), *_distinct(trunks)):
        return native.decode_attention(q_NHK, own, trunks, rounded=rounded)
    rows, heads, dim = q_NHK.shape
    groups = own[0][0].shape[0]
    q = q_NHK.reshape(rows, groups, heads // groups, dim)  # the heads of a group are rows over the same keys
    parts = [_flash(row, k[None], v[None], causal=False) for row, (k, v) in zip(q.split(1), own, strict=True)]
    seen, seen_lse = (torch.cat(part) for part in zip(*parts, strict=True))
    shared, shared_lse = torch.empty_like(seen), torch.empty_like(seen_lse)
    by_trunk: dict[int, list[int]] = {}
    for row, trunk in enumerate(trunks):
        by_trunk.setdefault(id(trunk[0]), []).append(row)
    for members in by_trunk.values():
        k, v = (part.unsqueeze(0).expand(len(members), -1, -1, -1) for part in trunks[members[0]])
        shared[members], shared_lse[members] = _flash(q[members], k, v, causal=False)
    weight = in_pieces(torch.sigmoid, shared_lse - seen_lse).unsqueeze(-1)
    return (seen + (shared - seen) * weight).reshape(rows, heads, dim)
