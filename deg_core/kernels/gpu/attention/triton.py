"""Attention by online softmax (Dao et al. 2022, arXiv:2205.14135) over blocks of keys in one order: those of the prefix
from its first token on, then the row's own from its first token on.

A block that a query may not see leaves its sums as they are, bit for bit: the greatest score stays, so everything is
multiplied by exactly 1 and exactly 0 is added. Hence how many queries share a program's blocks does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two
from deg_core.kernels.gpu.tables import SEGMENT, block_table, index_table, row_table, segment, to_device
from deg_core.protocols.kernels import Keys

_SEGMENT = tl.constexpr(SEGMENT)
_LOG2E: Final = math.log2(math.e)


@dataclass(frozen=True, slots=True)
class Block:
    """Queries of one program and keys that it reads at once."""

    queries: int
    keys: int
    warps: int
    stages: int


def block_of(dtype: torch.dtype, head_dim: int) -> Block:
    """By the dtype and the head dim alone; what is summed stays in registers."""
    if dtype is torch.float32:
        wide = head_dim > 128
        return Block(queries=16 if wide else 32, keys=16 if wide else 32, warps=4 if head_dim <= 64 else 8, stages=1)
    if head_dim <= 128:
        return Block(queries=64, keys=64, warps=4, stages=2)
    return Block(queries=64, keys=32, warps=8, stages=2)


@triton.jit
def attend(
    q: tl.tensor,
    total: tl.tensor,
    peak: tl.tensor,
    mass: tl.tensor,
    k_ptr: tl.tensor,
    v_ptr: tl.tensor,
    k_token: tl.tensor,
    v_token: tl.tensor,
    begin: tl.tensor,
    end: tl.tensor,
    last: tl.tensor,
    scale: tl.tensor,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
    KEYS: tl.constexpr,
    CAUSAL: tl.constexpr,
) -> tl.tuple:
    """Go on with an online softmax over keys [begin, end) of a head; with CAUSAL a query sees those up to ``last``."""
    column = tl.arange(0, DIM)
    in_head = column < HEAD_DIM
    for first in range(begin, end, KEYS):
        key = (first + tl.arange(0, KEYS)).to(tl.int64)
        there = key < end
        k_at = k_ptr + key[None, :] * k_token + column[:, None]
        v_at = v_ptr + key[:, None] * v_token + column[None, :]
        if HEAD_DIM == DIM:
            k = tl.load(k_at, mask=there[None, :], other=0.0)
            v = tl.load(v_at, mask=there[:, None], other=0.0)
        else:
            k = tl.load(k_at, mask=there[None, :] & in_head[:, None], other=0.0)
            v = tl.load(v_at, mask=there[:, None] & in_head[None, :], other=0.0)
        score = tl.dot(q, k, input_precision="ieee") * scale
        if CAUSAL:
            score = tl.where(there[None, :] & (key[None, :] <= last[:, None]), score, float("-inf"))
        else:
            score = tl.where(there[None, :], score, float("-inf"))
        higher = tl.maximum(peak, tl.max(score, 1))
        shrink = tl.exp2(peak - higher)
        weight = tl.exp2(score - higher[:, None])
        mass = mass * shrink + tl.sum(weight, 1)
        total = tl.dot(weight.to(v.dtype), v, total * shrink[:, None], input_precision="ieee")
        peak = higher
    return total, peak, mass


@triton.jit
def fork_kernel(
    q_ptr: tl.tensor,
    k_ptr: tl.tensor,
    v_ptr: tl.tensor,
    out_ptr: tl.tensor,
    blocks_ptr: tl.tensor,
    rows_ptr: tl.tensor,
    which_ptr: tl.tensor,
    prefixes_ptr: tl.tensor,
    q_token: tl.tensor,
    q_head: tl.tensor,
    k_token: tl.tensor,
    k_head: tl.tensor,
    v_token: tl.tensor,
    v_head: tl.tensor,
    scale: tl.tensor,
    GROUP: tl.constexpr,
    HEADS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
    QUERIES: tl.constexpr,
    KEYS: tl.constexpr,
) -> None:
    """Program (block of a row's queries, head)."""
    place, head = tl.program_id(0), tl.program_id(1)
    row = tl.load(blocks_ptr + 2 * place)
    first = tl.load(blocks_ptr + 2 * place + 1)
    start = tl.load(rows_ptr + 2 * row)
    length = tl.load(rows_ptr + 2 * row + 1)
    query = first + tl.arange(0, QUERIES)
    column = tl.arange(0, DIM)
    real = (query < length)[:, None] & (column < HEAD_DIM)[None, :]
    group = (head // GROUP).to(tl.int64)
    q_at = q_ptr + (start + query)[:, None] * q_token + head.to(tl.int64) * q_head + column[None, :]
    q = tl.load(q_at, mask=real, other=0.0)
    total = tl.zeros((QUERIES, DIM), tl.float32)
    peak = tl.full((QUERIES,), float("-inf"), tl.float32)
    mass = tl.zeros((QUERIES,), tl.float32)

    prefix = prefixes_ptr + _SEGMENT * tl.load(which_ptr + row)
    element: tl.constexpr = k_ptr.dtype
    zero = first * 0
    total, peak, mass = attend(
        q,
        total,
        peak,
        mass,
        tl.multiple_of(tl.load(prefix), 16).to(element) + group * tl.load(prefix + 2),
        tl.multiple_of(tl.load(prefix + 1), 16).to(element) + group * tl.load(prefix + 4),
        tl.multiple_of(tl.load(prefix + 3), 8),
        tl.multiple_of(tl.load(prefix + 5), 8),
        zero,
        tl.load(prefix + 6),
        query,
        scale,
        HEAD_DIM,
        DIM,
        KEYS,
        False,
    )
    total, peak, mass = attend(
        q,
        total,
        peak,
        mass,
        k_ptr + start * k_token + group * k_head,
        v_ptr + start * v_token + group * v_head,
        k_token,
        v_token,
        zero,
        tl.minimum(first + QUERIES, length),
        query,
        scale,
        HEAD_DIM,
        DIM,
        KEYS,
        True,
    )
    to = out_ptr + ((start + query)[:, None] * HEADS + head) * HEAD_DIM + column[None, :]
    tl.store(to, (total / mass[:, None]).to(out_ptr.dtype.element_ty), mask=real)


def fork_attention(
    q_NHK: Tensor, k_NGK: Tensor, v_NGK: Tensor, lengths: Sequence[int], prefixes: Sequence[Keys | None]
) -> Tensor:
    """Rows laid end to end -> [N, H, K]. Row i has ``lengths[i]`` tokens, all at least one, and continues
    ``prefixes[i]`` (keys and values [G, P, K], read in place; rows may name the same). bf16, fp16 or fp32."""
    q, k, v = (aligned(x) for x in (q_NHK, k_NGK, v_NGK))
    heads, head_dim = q.shape[1:]
    block, sizes = block_of(q.dtype, head_dim), tuple(lengths)
    blocks = block_table(sizes, block.queries, q.device)
    which, segments = _distinct(prefixes, k.dtype)
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    if not q.shape[0]:
        return out
    with on(q):
        fork_kernel[(blocks.shape[0], heads)](
            q,
            k,
            v,
            out,
            blocks,
            row_table(sizes, q.device),
            index_table(which, q.device),
            to_device(segments, SEGMENT, q.device),
            q.stride(0),
            q.stride(1),
            k.stride(0),
            k.stride(1),
            v.stride(0),
            v.stride(1),
            _LOG2E / math.sqrt(head_dim),
            GROUP=heads // k.shape[1],
            HEADS=heads,
            HEAD_DIM=head_dim,
            DIM=power_of_two(head_dim, 16),
            QUERIES=block.queries,
            KEYS=block.keys,
            num_warps=block.warps,
            num_stages=block.stages,
            **STRICT,
        )
    return out


def _distinct(prefixes: Sequence[Keys | None], dtype: torch.dtype) -> tuple[tuple[int, ...], list[int]]:
    """Which of the distinct prefixes each row has, and these one after another as ``segment`` gives them."""
    places: dict[int, int] = {}
    segments: list[int] = []
    for keys in prefixes:
        name = 0 if keys is None else id(keys[0])
        if name not in places:
            if keys is not None and keys[0].dtype != dtype:
                raise ValueError(f"a prefix is {keys[0].dtype} where the row's own keys are {dtype}")
            places[name] = len(places)
            segments += segment(keys)
    return tuple(places[0 if keys is None else id(keys[0])] for keys in prefixes), segments
