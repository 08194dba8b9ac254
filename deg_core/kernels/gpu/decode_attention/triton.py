"""Attention of one query a row, as in a decode step: the heads that share keys are the rows of one matrix product, and
the keys are cut into parts of one size, so that a single long text still fills the device.

Parts are counted from the first token of the prefix, and then of the row's own tokens, and put together in that order;
a part that a row does not reach is not there for it. So neither other rows nor the greatest length that a launch was
made for can change a bit.

Rows are described by a table [R, 2 * SEGMENT], the prefix before the row's own keys and values. It may lie in memory
that is filled anew for every step, which is what a recorded step needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.attention.triton import Block, attend
from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two
from deg_core.kernels.gpu.tables import SEGMENT, segment, to_device
from deg_core.protocols.kernels import Keys

PART: Final = 256  # tokens
OWN_LENGTH: Final = 2 * SEGMENT - 1  # the column of the table that tells how many own keys there are
_SEGMENT = tl.constexpr(SEGMENT)
_LOG2E: Final = math.log2(math.e)


def block_of(dtype: torch.dtype, head_dim: int, group: int) -> Block:
    """By the dtype, the head dim and the number of heads that share keys."""
    keys = 32 if dtype is torch.float32 or head_dim > 64 else 64
    return Block(queries=power_of_two(group, 16), keys=keys, warps=4, stages=1 if dtype is torch.float32 else 2)


@triton.jit
def append_kernel(
    k_ptr: tl.tensor,
    v_ptr: tl.tensor,
    table_ptr: tl.tensor,
    k_row: tl.tensor,
    k_head: tl.tensor,
    v_row: tl.tensor,
    v_head: tl.tensor,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
) -> None:
    """Program (row, group): a token's keys and values become the last of the row's own."""
    row, group = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    column = tl.arange(0, DIM)
    in_head = column < HEAD_DIM
    own = table_ptr + (2 * row + 1) * _SEGMENT
    place = tl.load(own + 6) - 1
    element: tl.constexpr = k_ptr.dtype
    k_to = tl.multiple_of(tl.load(own), 16).to(element) + group * tl.load(own + 2) + place * tl.load(own + 3)
    v_to = tl.multiple_of(tl.load(own + 1), 16).to(element) + group * tl.load(own + 4) + place * tl.load(own + 5)
    k = tl.load(k_ptr + row * k_row + group * k_head + column, mask=in_head)
    v = tl.load(v_ptr + row * v_row + group * v_head + column, mask=in_head)
    tl.store(k_to + column, k, mask=in_head)
    tl.store(v_to + column, v, mask=in_head)


@triton.jit(do_not_specialize=["parts", "prefix_parts"])
def part_kernel(
    q_ptr: tl.tensor,
    table_ptr: tl.tensor,
    total_ptr: tl.tensor,
    sums_ptr: tl.tensor,
    parts: tl.tensor,
    prefix_parts: tl.tensor,
    q_row: tl.tensor,
    q_head: tl.tensor,
    scale: tl.tensor,
    GROUP: tl.constexpr,
    HEADS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
    QUERIES: tl.constexpr,
    KEYS: tl.constexpr,
    PART_KEYS: tl.constexpr,
) -> None:
    """Program (row, group, part): the part's sums, ``total`` [R, H, parts, DIM] and ``sums`` [R, H, parts, 2], the
    greatest score and the mass."""
    row, group, part = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64), tl.program_id(2)
    is_own = (part >= prefix_parts).to(tl.int64)
    keys = table_ptr + (2 * row + is_own) * _SEGMENT
    begin = (part.to(tl.int64) - is_own * prefix_parts) * PART_KEYS
    end = tl.minimum(begin + PART_KEYS, tl.load(keys + 6))
    if begin < end:
        query = tl.arange(0, QUERIES)
        head = group * GROUP + query
        column = tl.arange(0, DIM)
        real = (query < GROUP)[:, None] & (column < HEAD_DIM)[None, :]
        q_at = q_ptr + row * q_row + head[:, None] * q_head + column[None, :]
        q = tl.load(q_at, mask=real, other=0.0)
        element: tl.constexpr = q_ptr.dtype
        total, peak, mass = attend(
            q,
            tl.zeros((QUERIES, DIM), tl.float32),
            tl.full((QUERIES,), float("-inf"), tl.float32),
            tl.zeros((QUERIES,), tl.float32),
            tl.multiple_of(tl.load(keys), 16).to(element) + group * tl.load(keys + 2),
            tl.multiple_of(tl.load(keys + 1), 16).to(element) + group * tl.load(keys + 4),
            tl.multiple_of(tl.load(keys + 3), 8),
            tl.multiple_of(tl.load(keys + 5), 8),
            begin,
            end,
            query,
            scale,
            HEAD_DIM,
            DIM,
            KEYS,
            False,
        )
        to = (row * HEADS + head) * parts + part
        tl.store(total_ptr + to[:, None] * DIM + column[None, :], total, mask=real)
        tl.store(sums_ptr + 2 * to, peak, mask=query < GROUP)
        tl.store(sums_ptr + 2 * to + 1, mass, mask=query < GROUP)


@triton.jit
def merge(
    total: tl.tensor,
    peak: tl.tensor,
    mass: tl.tensor,
    total_ptr: tl.tensor,
    sums_ptr: tl.tensor,
    at: tl.tensor,
    count: tl.tensor,
    column: tl.tensor,
    in_head: tl.tensor,
    DIM: tl.constexpr,
) -> tl.tuple:
    """Put ``count`` parts from place ``at`` on behind what there is."""
    for part in range(0, count):
        place = at + part
        own_peak = tl.load(sums_ptr + 2 * place)
        own_mass = tl.load(sums_ptr + 2 * place + 1)
        own = tl.load(total_ptr + place * DIM + column, mask=in_head, other=0.0)
        higher = tl.maximum(peak, own_peak)
        shrink, own_shrink = tl.exp2(peak - higher), tl.exp2(own_peak - higher)
        total = total * shrink + own * own_shrink
        mass = mass * shrink + own_mass * own_shrink
        peak = higher
    return total, peak, mass


@triton.jit(do_not_specialize=["parts", "prefix_parts"])
def merge_kernel(
    total_ptr: tl.tensor,
    sums_ptr: tl.tensor,
    table_ptr: tl.tensor,
    out_ptr: tl.tensor,
    parts: tl.tensor,
    prefix_parts: tl.tensor,
    HEADS: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    DIM: tl.constexpr,
    PART_KEYS: tl.constexpr,
) -> None:
    """Program (row, head): the parts that the row reaches, those of the prefix first."""
    row, head = tl.program_id(0).to(tl.int64), tl.program_id(1)
    column = tl.arange(0, DIM)
    in_head = column < HEAD_DIM
    keys = table_ptr + 2 * row * _SEGMENT
    prefix_count = tl.cdiv(tl.load(keys + 6), PART_KEYS)
    own_count = tl.cdiv(tl.load(keys + _SEGMENT + 6), PART_KEYS)
    at = (row * HEADS + head) * parts
    total = tl.zeros((DIM,), tl.float32)
    peak = tl.full((), float("-inf"), tl.float32)
    mass = tl.zeros((), tl.float32)
    total, peak, mass = merge(total, peak, mass, total_ptr, sums_ptr, at, prefix_count, column, in_head, DIM)
    at += prefix_parts
    total, peak, mass = merge(total, peak, mass, total_ptr, sums_ptr, at, own_count, column, in_head, DIM)
    to = out_ptr + (row * HEADS + head) * HEAD_DIM + column
    tl.store(to, (total / mass).to(out_ptr.dtype.element_ty), mask=in_head)


def append_keys(k_NGK: Tensor, v_NGK: Tensor, table: Tensor) -> None:
    """Write one token's keys and values a row to where the table has the last of its own."""
    k, v = aligned(k_NGK), aligned(v_NGK)
    rows, groups, head_dim = k.shape
    with on(k):
        append_kernel[(rows, groups)](
            k,
            v,
            table,
            k.stride(0),
            k.stride(1),
            v.stride(0),
            v.stride(1),
            HEAD_DIM=head_dim,
            DIM=power_of_two(head_dim, 16),
            num_warps=1,
            **STRICT,
        )


def attend_rows(q_NHK: Tensor, table: Tensor, groups: int, prefix_parts: int, own_parts: int) -> Tensor:
    """One query a row -> [N, H, K]. ``table`` [N, 2 * SEGMENT] names keys and values of q's dtype; no prefix has more
    than ``prefix_parts * PART`` tokens and no row more than ``own_parts * PART`` own ones, and at least one."""
    q = aligned(q_NHK)
    rows, heads, head_dim = q.shape
    group, parts, dim = heads // groups, prefix_parts + own_parts, power_of_two(head_dim, 16)
    block = block_of(q.dtype, head_dim, group)
    total = torch.empty(rows, heads, parts, dim, dtype=torch.float32, device=q.device)
    sums = torch.empty(rows, heads, parts, 2, dtype=torch.float32, device=q.device)
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    sizes = {"HEADS": heads, "HEAD_DIM": head_dim, "DIM": dim, "PART_KEYS": PART}
    with on(q):
        part_kernel[(rows, groups, parts)](
            q,
            table,
            total,
            sums,
            parts,
            prefix_parts,
            q.stride(0),
            q.stride(1),
            _LOG2E / math.sqrt(head_dim),
            GROUP=group,
            QUERIES=block.queries,
            KEYS=block.keys,
            num_warps=block.warps,
            num_stages=block.stages,
            **sizes,
            **STRICT,
        )
        merge_kernel[(rows, heads)](total, sums, table, out, parts, prefix_parts, num_warps=1, **sizes, **STRICT)
    return out


def decode_attention(q_NHK: Tensor, own: Sequence[Keys], prefixes: Sequence[Keys | None]) -> Tensor:
    """One query a row -> [N, H, K]: row i sees all of ``prefixes[i]`` and all of ``own[i]``, each [G, tokens, K]."""
    pairs = list(zip(prefixes, own, strict=True))
    table = to_device([n for pair in pairs for keys in pair for n in segment(keys)], 2 * SEGMENT, q_NHK.device)
    prefix_parts = max(0 if prefix is None else parts_for(prefix[0].shape[1]) for prefix, _ in pairs)
    own_parts = max(parts_for(keys[0].shape[1]) for _, keys in pairs)
    return attend_rows(q_NHK, table, own[0][0].shape[0], prefix_parts, own_parts)


def parts_for(tokens: int) -> int:
    """Parts that so many tokens are cut into."""
    return -(-tokens // PART)
