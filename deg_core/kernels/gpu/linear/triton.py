"""The matrix product in tiles of one size, each summed over the columns from first to last by one program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two


@dataclass(frozen=True, slots=True)
class Tile:
    """What one program computes (``rows`` by ``outputs``) and reads at once (``columns``)."""

    rows: int
    outputs: int
    columns: int
    warps: int
    stages: int


_HALF: Final = Tile(rows=64, outputs=128, columns=64, warps=4, stages=3)
_FULL: Final = Tile(rows=32, outputs=64, columns=32, warps=4, stages=2)


def tile_of(dtype: torch.dtype, outputs: int) -> Tile:
    """By the dtype, and the weight's number of outputs where that is small; never by the number of rows."""
    tile = _FULL if dtype is torch.float32 else _HALF
    return Tile(tile.rows, min(tile.outputs, power_of_two(outputs, 16)), tile.columns, tile.warps, tile.stages)


@triton.jit(do_not_specialize=["rows"])
def linear_kernel(
    x_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    onto_ptr: tl.tensor,
    out_ptr: tl.tensor,
    rows: tl.tensor,
    x_row: tl.tensor,
    onto_row: tl.tensor,
    COLUMNS: tl.constexpr,
    OUTPUTS: tl.constexpr,
    HAS_ONTO: tl.constexpr,
    BLOCK_ROWS: tl.constexpr,
    BLOCK_OUTPUTS: tl.constexpr,
    BLOCK_COLUMNS: tl.constexpr,
) -> None:
    """Program (tile of rows, tile of outputs)."""
    row = tl.program_id(0).to(tl.int64) * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS)
    output = tl.program_id(1).to(tl.int64) * BLOCK_OUTPUTS + tl.arange(0, BLOCK_OUTPUTS)
    column = tl.arange(0, BLOCK_COLUMNS)
    is_row, is_output = (row < rows)[:, None], (output < OUTPUTS)[None, :]
    x_at = x_ptr + row[:, None] * x_row
    weight_at = weight_ptr + output[None, :] * COLUMNS
    total = tl.zeros((BLOCK_ROWS, BLOCK_OUTPUTS), tl.float32)
    for begin in range(0, COLUMNS, BLOCK_COLUMNS):
        place = begin + column
        if COLUMNS % BLOCK_COLUMNS == 0:
            x = tl.load(x_at + place[None, :], mask=is_row, other=0.0)
            weight = tl.load(weight_at + place[:, None], mask=is_output, other=0.0)
        else:
            x = tl.load(x_at + place[None, :], mask=is_row & (place < COLUMNS)[None, :], other=0.0)
            weight = tl.load(weight_at + place[:, None], mask=is_output & (place < COLUMNS)[:, None], other=0.0)
        total = tl.dot(x, weight.to(x.dtype), total, input_precision="ieee")
    if HAS_ONTO:
        onto = tl.load(onto_ptr + row[:, None] * onto_row + output[None, :], mask=is_row & is_output, other=0.0)
        total = onto.to(tl.float32) + total
    to = out_ptr + row[:, None] * OUTPUTS + output[None, :]
    tl.store(to, total.to(out_ptr.dtype.element_ty), mask=is_row & is_output)


def bi_linear(
    x_NK: Tensor, weight_MK: Tensor, onto_NM: Tensor | None = None, dtype: torch.dtype | None = None
) -> Tensor:
    """``onto + x @ weight.T`` -> [N, M] in ``dtype``, which is ``onto``'s or else x's.

    x's dtype is what is multiplied in: bf16 or fp16 with sums in fp32, or fp32 throughout (IEEE products); the weight
    is brought to it tile by tile. Raises ValueError when the shapes do not fit.
    """
    x, weight = aligned(x_NK), weight_MK.contiguous()
    (rows, columns), outputs = x.shape, weight.shape[0]
    if weight.shape[1] != columns or (onto_NM is not None and onto_NM.shape != (rows, outputs)):
        onto_shape = None if onto_NM is None else tuple(onto_NM.shape)
        raise ValueError(f"x {tuple(x.shape)}, weight {tuple(weight.shape)} and onto {onto_shape} do not fit")
    out = x.new_empty(rows, outputs, dtype=dtype or (x if onto_NM is None else onto_NM).dtype)
    onto = out if onto_NM is None else aligned(onto_NM)
    tile = tile_of(x.dtype, outputs)
    grid = (triton.cdiv(rows, tile.rows), triton.cdiv(outputs, tile.outputs))
    if rows:
        with on(x):
            linear_kernel[grid](
                x,
                weight,
                onto,
                out,
                rows,
                x.stride(0),
                onto.stride(0),
                COLUMNS=columns,
                OUTPUTS=outputs,
                HAS_ONTO=onto_NM is not None,
                BLOCK_ROWS=tile.rows,
                BLOCK_OUTPUTS=tile.outputs,
                BLOCK_COLUMNS=tile.columns,
                num_warps=tile.warps,
                num_stages=tile.stages,
                **STRICT,
            )
    return out
