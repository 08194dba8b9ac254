"""The convolution in blocks of tokens and channels; an output is a sum over its own inputs from the first tap to the
last, so cutting a row in two changes nothing.

What stands before a row's first token is its tail, the last inputs of what it continues, read where it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two
from deg_core.kernels.gpu.tables import block_table, row_table, to_device

TOKENS: Final = 16  # of one program
_CHANNELS: Final = 128


@triton.jit
def inputs(
    x_ptr: tl.tensor,
    tail: tl.tensor,
    place: tl.tensor,
    length: tl.tensor,
    x_row: tl.tensor,
    channel: tl.tensor,
    is_channel: tl.tensor,
    CHANNELS: tl.constexpr,
    REACH: tl.constexpr,
) -> tl.tensor:
    """Inputs [places, channels] of a row; those before its first token are in its tail, at an address that is 0 where
    there is none."""
    own = (place >= 0) & (place < length)
    x = tl.load(
        x_ptr + place[:, None].to(tl.int64) * x_row + channel[None, :],
        mask=own[:, None] & is_channel[None, :],
        other=0.0,
    )
    before = (place < 0) & (place >= -REACH) & (place * 0 + tail != 0)
    tail_at = tail.to(x_ptr.dtype) + (place[:, None] + REACH) * CHANNELS + channel[None, :]
    return x + tl.load(tail_at, mask=before[:, None] & is_channel[None, :], other=0.0)


@triton.jit
def conv_kernel(
    x_ptr: tl.tensor,
    taps_ptr: tl.tensor,
    out_ptr: tl.tensor,
    rows_ptr: tl.tensor,
    blocks_ptr: tl.tensor,
    from_ptr: tl.tensor,
    to_ptr: tl.tensor,
    x_row: tl.tensor,
    CHANNELS: tl.constexpr,
    TAPS: tl.constexpr,
    BLOCK_TOKENS: tl.constexpr,
    BLOCK_CHANNELS: tl.constexpr,
    BLOCK_TAIL: tl.constexpr,
) -> None:
    """Program (block of a row's tokens, block of channels). The one that holds the row's end writes its new tail."""
    REACH: tl.constexpr = TAPS - 1
    block = tl.program_id(0)
    row = tl.load(blocks_ptr + 2 * block)
    first = tl.load(blocks_ptr + 2 * block + 1)
    start = tl.load(rows_ptr + 2 * row)
    length = tl.load(rows_ptr + 2 * row + 1)
    tail = tl.load(from_ptr + row)
    channel = tl.program_id(1) * BLOCK_CHANNELS + tl.arange(0, BLOCK_CHANNELS)
    is_channel = channel < CHANNELS
    token = first + tl.arange(0, BLOCK_TOKENS)
    x_at = x_ptr + start * x_row
    total = tl.zeros((BLOCK_TOKENS, BLOCK_CHANNELS), tl.float32)
    for tap in tl.static_range(TAPS):
        x = inputs(x_at, tail, token - REACH + tap, length, x_row, channel, is_channel, CHANNELS, REACH)
        weight = tl.load(taps_ptr + tap * CHANNELS + channel, mask=is_channel, other=0.0).to(tl.float32)
        total += x.to(tl.float32) * weight[None, :]
    to = out_ptr + (start + token)[:, None] * CHANNELS + channel[None, :]
    tl.store(to, total, mask=(token < length)[:, None] & is_channel[None, :])
    if first + BLOCK_TOKENS >= length:
        place = tl.arange(0, BLOCK_TAIL)
        kept = inputs(x_at, tail, length - REACH + place, length, x_row, channel, is_channel, CHANNELS, REACH)
        tl.debug_barrier()  # the tail may be written back to where other threads of this program read it
        tail_to = tl.load(to_ptr + row).to(x_ptr.dtype) + place[:, None] * CHANNELS + channel[None, :]
        tl.store(tail_to, kept, mask=(place < REACH)[:, None] & is_channel[None, :])


def causal_conv(
    x_NC: Tensor, taps_TC: Tensor, tails: Sequence[Tensor | None], lengths: Sequence[int]
) -> tuple[Tensor, list[Tensor]]:
    """``y[t] = sum_j taps[j] x[t - T + 1 + j]`` within each row -> fp32 [N, C], and each row's new tail [T - 1, C] in
    x's dtype. Row i has ``lengths[i]`` tokens and continues ``tails[i]`` (None: zeros)."""
    held = [None if tail is None else tail.to(x_NC.dtype).contiguous() for tail in tails]
    after = x_NC.new_empty(len(held), taps_TC.shape[0] - 1, x_NC.shape[1])
    begins = [0 if tail is None else tail.data_ptr() for tail in held]
    ends = [tail.data_ptr() for tail in after.unbind()]
    sizes = tuple(lengths)
    rows, blocks = row_table(sizes, x_NC.device), block_table(sizes, TOKENS, x_NC.device)
    addresses = to_device([*begins, *ends], len(held), x_NC.device)
    return run(x_NC, taps_TC, rows, blocks, (addresses[0], addresses[1])), list(after.unbind())


def run(x_NC: Tensor, taps_TC: Tensor, rows: Tensor, blocks: Tensor, addresses: tuple[Tensor, Tensor]) -> Tensor:
    """As ``causal_conv``, with the tables of rows and of their blocks of ``TOKENS``, and the addresses [R] of tails
    before and after. These may be the same where a row is one block."""
    x, taps = aligned(x_NC), aligned(taps_TC.contiguous())
    count, channels = x.shape
    out = torch.empty(count, channels, dtype=torch.float32, device=x.device)
    width = min(_CHANNELS, power_of_two(channels, 16))
    with on(x):
        conv_kernel[(blocks.shape[0], triton.cdiv(channels, width))](
            x,
            taps,
            out,
            rows,
            blocks,
            *addresses,
            x.stride(0),
            CHANNELS=channels,
            TAPS=taps.shape[0],
            BLOCK_TOKENS=TOKENS,
            BLOCK_CHANNELS=width,
            BLOCK_TAIL=power_of_two(taps.shape[0] - 1),
            num_warps=4,
            **STRICT,
        )
    return out
