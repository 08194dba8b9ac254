"""Calls of the fp32 product, on weights in the order in which it reads them.

Shapes: N rows, K inputs, M outputs.
"""

from __future__ import annotations

from array import array

import torch
from torch import Tensor

from deg_core.kernels.native.library import functions
from deg_core.kernels.native.product import room
from deg_core.kernels.native.workers import in_tasks

COLUMNS = 32  # outputs of a panel: as in native.h
_ALONE = 1 << 24  # products; fewer are not worth a second thread


def pack(weight_MK: Tensor) -> Tensor | None:
    """An fp32 matrix in the order of the product, None where that is not there. Takes about as much memory."""
    library = functions()
    if library is None or not weight_MK.is_cpu:
        return None
    outputs, inputs = weight_MK.shape
    packed = room(-(-outputs // COLUMNS) * COLUMNS * inputs * weight_MK.element_size()).view(torch.float32)
    library.deg_pack_dense(weight_MK.data_ptr(), *weight_MK.stride(), inputs, outputs, packed.data_ptr())
    return packed


def unpack(packed: Tensor, outputs: int, inputs: int) -> Tensor:
    """The matrix [M, K] that was packed."""
    return packed.view(-1, inputs, COLUMNS).transpose(1, 2).reshape(-1, inputs)[:outputs].contiguous()


def linear(x_NK: Tensor, packed: Tensor, outputs: int) -> Tensor:
    """Rows by a packed matrix -> [N, M]. A sum runs over its inputs in order, in blocks of 256."""
    library = functions()
    assert library is not None
    rows, inputs = x_NK.shape
    out, counter = torch.empty(rows, outputs), array("q", [0])
    arguments = (
        *(x_NK.data_ptr(), x_NK.stride(0), rows, packed.data_ptr(), inputs, outputs),
        *(out.data_ptr(), counter.buffer_info()[0]),
    )
    in_tasks(lambda: library.deg_dense(*arguments), parallel=rows * inputs * outputs >= _ALONE)
    return out
