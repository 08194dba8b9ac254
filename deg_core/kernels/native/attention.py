"""Calls of the attention kernel: rows of queries, each against a prefix that is read in place and its own keys.

Shapes: N tokens laid end to end, H query heads, G key/value heads, K head dim, P tokens of a prefix.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

import torch
from torch import Tensor

from deg_core.kernels.native.library import functions
from deg_core.kernels.native.workers import in_tasks

_ALONE = 1 << 23  # multiplications; fewer are not worth a second thread

Keys = tuple[Tensor, Tensor]  # keys and values, each [G, tokens, K]
_Prefix = tuple[tuple[int, int], tuple[int, int, int, int], int]  # where it is, strides by token and head, its tokens


def fork_attention(
    q_NHK: Tensor,
    k_NGK: Tensor,
    v_NGK: Tensor,
    lengths: Sequence[int],
    prefixes: Sequence[Keys | None],
    *,
    rounded: bool,
    lse_NH: Tensor | None = None,
) -> Tensor:
    """As ``deg_core.kernels.attention.fork_attention``. The log-sum-exp of each query's scores goes to ``lse_NH``."""
    out, rows, work, at = torch.empty(q_NHK.shape), array("q"), 0, 0
    q, k, v, to = (x.data_ptr() for x in (q_NHK, k_NGK, v_NGK, out))
    (q_token, q_head, _), (k_token, k_head, _) = q_NHK.stride(), k_NGK.stride()
    (v_token, v_head, _), (to_token, to_head, _) = v_NGK.stride(), out.stride()
    sums, (sums_token, sums_head) = (0, (0, 0)) if lse_NH is None else (lse_NH.data_ptr(), lse_NH.stride())
    known: dict[int, _Prefix] = {}
    for length, prefix in zip(lengths, prefixes, strict=True):
        begin, strides, before = _described(prefix, known)
        rows.extend((q + 4 * at * q_token, k + 4 * at * k_token, v + 4 * at * v_token, *begin, to + 4 * at * to_token))
        rows.extend((length, length, before, q_token, q_head, k_token, k_head, v_token, v_head))
        rows.extend((*strides, to_token, to_head))
        rows.extend((sums + 4 * at * sums_token, sums_token, sums_head) if sums else (0, 0, 0))
        at += length
        work += length * (before + length)
    _run(rows, len(lengths), q_NHK, k_NGK.shape[1], work, rounded)
    return out


def decode_attention(q_NHK: Tensor, own: Sequence[Keys], prefixes: Sequence[Keys | None], *, rounded: bool) -> Tensor:
    """As ``deg_core.kernels.attention.decode_attention``."""
    out, rows, work = torch.empty(q_NHK.shape), array("q"), 0
    q, to = q_NHK.data_ptr(), out.data_ptr()
    (q_token, q_head, _), (to_token, to_head, _) = q_NHK.stride(), out.stride()
    known: dict[int, _Prefix] = {}
    for at, ((k, v), prefix) in enumerate(zip(own, prefixes, strict=True)):
        begin, strides, before = _described(prefix, known)
        (k_head, k_token, _), (v_head, v_token, _) = k.stride(), v.stride()
        rows.extend((q + 4 * at * q_token, k.data_ptr(), v.data_ptr(), *begin, to + 4 * at * to_token))
        rows.extend((1, k.shape[1], before, q_token, q_head, k_token, k_head, v_token, v_head))
        rows.extend((*strides, to_token, to_head, 0, 0, 0))
        work += before + k.shape[1]
    if own:
        _run(rows, len(own), q_NHK, own[0][0].shape[0], work, rounded)
    return out


def _described(prefix: Keys | None, known: dict[int, _Prefix]) -> _Prefix:
    if prefix is None:
        return (0, 0), (0, 0, 0, 0), 0
    k, v = prefix
    found = known.get(id(k))
    if found is None:
        (k_head, k_token, _), (v_head, v_token, _) = k.stride(), v.stride()
        found = known[id(k)] = ((k.data_ptr(), v.data_ptr()), (k_token, k_head, v_token, v_head), k.shape[1])
    return found


def _run(rows: array[int], count: int, q_NHK: Tensor, groups: int, work: int, rounded: bool) -> None:
    """``rows`` as deg_attention_row in native.h; ``work`` are pairs of queries and keys."""
    library = functions()
    assert library is not None
    heads, dim = q_NHK.shape[1:]
    counter = array("q", [0])
    arguments = (rows.buffer_info()[0], count, groups, heads // groups, dim, 1 / math.sqrt(dim), rounded)
    in_tasks(
        lambda: library.deg_attention(*arguments, counter.buffer_info()[0]), parallel=2 * work * heads * dim >= _ALONE
    )
