"""The matrix product in tiles of 16 rows, the columns split into parts so that few rows still fill the device.

The number of parts follows from the weight's shape; they are summed from first to last.
"""

from __future__ import annotations

from typing import Final

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two
from deg_core.kernels.gpu.linear.triton import Tile

_HALF: Final = Tile(rows=16, outputs=64, columns=128, warps=4, stages=4)
_FULL: Final = Tile(rows=16, outputs=64, columns=32, warps=4, stages=2)
_PROGRAMS: Final = 256  # enough to keep a device's memory busy
_LEAST: Final = 256  # columns of a part
_MOST: Final = 8  # parts
_SUMMED: Final = 1024  # values that one program sums


def tile_of(dtype: torch.dtype, outputs: int) -> Tile:
    """By the dtype, and the weight's number of outputs where that is small."""
    tile = _FULL if dtype is torch.float32 else _HALF
    return Tile(tile.rows, min(tile.outputs, power_of_two(outputs, 16)), tile.columns, tile.warps, tile.stages)


def parts_of(outputs: int, columns: int) -> int:
    """Into how many parts the columns of a weight of this shape are split: a power of two."""
    wanted = min(_PROGRAMS // max(1, triton.cdiv(outputs, _HALF.outputs)), columns // _LEAST, _MOST)
    return 1 << (max(1, wanted).bit_length() - 1)


@triton.jit(do_not_specialize=["rows"])
def part_kernel(
    x_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    onto_ptr: tl.tensor,
    out_ptr: tl.tensor,
    rows: tl.tensor,
    x_row: tl.tensor,
    onto_row: tl.tensor,
    COLUMNS: tl.constexpr,
    OUTPUTS: tl.constexpr,
    PART: tl.constexpr,
    HAS_ONTO: tl.constexpr,
    BLOCK_ROWS: tl.constexpr,
    BLOCK_OUTPUTS: tl.constexpr,
    BLOCK_COLUMNS: tl.constexpr,
) -> None:
    """Program (tile of outputs, tile of rows, part); ``out`` is [parts, rows, OUTPUTS], a part is PART columns."""
    output = tl.program_id(0).to(tl.int64) * BLOCK_OUTPUTS + tl.arange(0, BLOCK_OUTPUTS)
    row = tl.program_id(1).to(tl.int64) * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS)
    part = tl.program_id(2).to(tl.int64)
    column = part * PART + tl.arange(0, BLOCK_COLUMNS)
    is_row, is_output = (row < rows)[:, None], (output < OUTPUTS)[None, :]
    x_at = x_ptr + row[:, None] * x_row
    weight_at = weight_ptr + output[None, :] * COLUMNS
    total = tl.zeros((BLOCK_ROWS, BLOCK_OUTPUTS), tl.float32)
    for begin in range(0, PART, BLOCK_COLUMNS):
        place = begin + column
        inside = place < COLUMNS
        x = tl.load(x_at + place[None, :], mask=is_row & inside[None, :], other=0.0)
        weight = tl.load(weight_at + place[:, None], mask=is_output & inside[:, None], other=0.0)
        total = tl.dot(x, weight.to(x.dtype), total, input_precision="ieee")
    if HAS_ONTO:
        onto = tl.load(onto_ptr + row[:, None] * onto_row + output[None, :], mask=is_row & is_output, other=0.0)
        total = onto.to(tl.float32) + total
    to = out_ptr + (part * rows + row)[:, None] * OUTPUTS + output[None, :]
    tl.store(to, total.to(out_ptr.dtype.element_ty), mask=is_row & is_output)


@triton.jit(do_not_specialize=["values"])
def sum_kernel(
    parts_ptr: tl.tensor,
    onto_ptr: tl.tensor,
    out_ptr: tl.tensor,
    values: tl.tensor,
    PARTS: tl.constexpr,
    HAS_ONTO: tl.constexpr,
    BLOCK: tl.constexpr,
) -> None:
    """Program (block of values): ``parts`` [PARTS, values] from first to last, then ``onto``, which is contiguous."""
    place = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = place < values
    total = tl.load(parts_ptr + place, mask=inside, other=0.0)
    for part in range(1, PARTS):
        total += tl.load(parts_ptr + part * values.to(tl.int64) + place, mask=inside, other=0.0)
    if HAS_ONTO:
        total = tl.load(onto_ptr + place, mask=inside, other=0.0).to(tl.float32) + total
    tl.store(out_ptr + place, total.to(out_ptr.dtype.element_ty), mask=inside)


def bi_linear_small(
    x_NK: Tensor, weight_MK: Tensor, onto_NM: Tensor | None = None, dtype: torch.dtype | None = None
) -> Tensor:
    """As ``deg_core.kernels.gpu.linear.triton.bi_linear``, for few rows. The two differ in their last bits, so a call
    site always takes the same one."""
    x, weight = aligned(x_NK), weight_MK.contiguous()
    (rows, columns), outputs = x.shape, weight.shape[0]
    if weight.shape[1] != columns or (onto_NM is not None and onto_NM.shape != (rows, outputs)):
        onto_shape = None if onto_NM is None else tuple(onto_NM.shape)
        raise ValueError(f"x {tuple(x.shape)}, weight {tuple(weight.shape)} and onto {onto_shape} do not fit")
    out = x.new_empty(rows, outputs, dtype=dtype or (x if onto_NM is None else onto_NM).dtype)
    onto = out if onto_NM is None else aligned(onto_NM.contiguous())
    tile, parts = tile_of(x.dtype, outputs), parts_of(outputs, columns)
    part = triton.cdiv(triton.cdiv(columns, parts), tile.columns) * tile.columns
    summed = out if parts == 1 else x.new_empty(parts, rows, outputs, dtype=torch.float32)
    grid = (triton.cdiv(outputs, tile.outputs), triton.cdiv(rows, tile.rows), parts)
    if rows:
        with on(x):
            part_kernel[grid](
                x,
                weight,
                onto,
                summed,
                rows,
                x.stride(0),
                outputs,
                COLUMNS=columns,
                OUTPUTS=outputs,
                PART=part,
                HAS_ONTO=onto_NM is not None and parts == 1,
                BLOCK_ROWS=tile.rows,
                BLOCK_OUTPUTS=tile.outputs,
                BLOCK_COLUMNS=tile.columns,
                num_warps=tile.warps,
                num_stages=tile.stages,
                **STRICT,
            )
            if parts > 1:
                _sum(summed, onto, out, onto_NM is not None)
    return out


def _sum(parts: Tensor, onto: Tensor, out: Tensor, has_onto: bool) -> None:
    grid = (triton.cdiv(out.numel(), _SUMMED),)
    sum_kernel[grid](
        parts, onto, out, out.numel(), PARTS=parts.shape[0], HAS_ONTO=has_onto, BLOCK=_SUMMED, num_warps=4, **STRICT
    )
