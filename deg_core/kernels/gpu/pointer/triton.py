"""Products of context rows with a vector, in blocks of rows, and with the keys' matrix, 8192 rows at a time
(SPEC 12.1).

A logit is the sum over columns in blocks from first to last, each lane of a block by itself, then over the lanes.
"""

from __future__ import annotations

from typing import Final

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two
from deg_core.kernels.gpu.linear.triton import bi_linear

HEAD_ROWS: Final = 8192  # context rows whose fp32 copy is held at once
_ROWS: Final = 16
_COLUMNS: Final = 256


@triton.jit(do_not_specialize=["rows"])
def dots_kernel(
    x_ptr: tl.tensor,
    vector_ptr: tl.tensor,
    out_ptr: tl.tensor,
    rows: tl.tensor,
    x_row: tl.tensor,
    COLUMNS: tl.constexpr,
    BLOCK_ROWS: tl.constexpr,
    BLOCK_COLUMNS: tl.constexpr,
) -> None:
    """Program (block of rows)."""
    row = tl.program_id(0).to(tl.int64) * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS)
    is_row = row < rows
    lanes = tl.zeros((BLOCK_ROWS, BLOCK_COLUMNS), tl.float32)
    for begin in range(0, COLUMNS, BLOCK_COLUMNS):
        column = begin + tl.arange(0, BLOCK_COLUMNS)
        inside = column < COLUMNS
        x = tl.load(x_ptr + row[:, None] * x_row + column[None, :], mask=is_row[:, None] & inside[None, :], other=0.0)
        vector = tl.load(vector_ptr + column, mask=inside, other=0.0)
        lanes += x.to(tl.float32) * vector.to(tl.float32)[None, :]
    tl.store(out_ptr + row, tl.sum(lanes, 1), mask=is_row)


def row_dots(rows_ND: Tensor, vector_D: Tensor) -> Tensor:
    """The product fp32 [N] of every row with one vector: the start, end and anchor logits of context tokens."""
    x, vector = aligned(rows_ND), aligned(vector_D.contiguous())
    count, columns = x.shape
    out = torch.empty(count, dtype=torch.float32, device=x.device)
    if count:
        with on(x):
            dots_kernel[(triton.cdiv(count, _ROWS),)](
                x,
                vector,
                out,
                count,
                x.stride(0),
                COLUMNS=columns,
                BLOCK_ROWS=_ROWS,
                BLOCK_COLUMNS=min(_COLUMNS, power_of_two(columns, 16)),
                num_warps=4,
                **STRICT,
            )
    return out


def project_keys(context_ND: Tensor, weight_MD: Tensor) -> Tensor:
    """Keys fp32 [N, M] of context rows in any float dtype, IEEE products. The bits are those of one product over all
    rows; only ``HEAD_ROWS`` of them are held in fp32 at a time."""
    out = torch.empty(context_ND.shape[0], weight_MD.shape[0], dtype=torch.float32, device=context_ND.device)
    weight = weight_MD.float()
    for start in range(0, context_ND.shape[0], HEAD_ROWS):
        out[start : start + HEAD_ROWS] = bi_linear(context_ND[start : start + HEAD_ROWS].float(), weight)
    return out
