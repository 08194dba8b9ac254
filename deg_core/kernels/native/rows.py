"""Calls of the kernels that work row by row. None of them looks at what it is given: ``fits`` does.

Shapes: N rows, K and F columns, H heads, K head dim, R half of it.
"""

from __future__ import annotations

import ctypes

import torch
from torch import Tensor

from deg_core.kernels.native.library import functions
from deg_core.kernels.native.workers import in_rows

Norm = tuple[Tensor, float]  # weight and epsilon of an RMSNorm

_ALONE = 1 << 18  # values; fewer are not worth a second thread
_ALONE_COPIED = 1 << 22  # the same where they are only copied


def fits(*tensors: Tensor) -> bool:
    """Whether the kernels are there and take these tensors: fp32 on the CPU, columns side by side, no gradient."""
    if functions() is None:
        return False
    for x in tensors:
        if x.dtype is not torch.float32 or x.requires_grad or not x.is_cpu or x.dim() == 0:
            return False
        if x.stride(-1) != 1 and x.shape[-1] != 1:
            return False
    return True


def _library() -> ctypes.CDLL:
    library = functions()
    assert library is not None
    return library


def quantize_rows(x_NK: Tensor, codes: Tensor, scale: Tensor, norm: Norm | None = None) -> None:
    """Symmetric int8 codes and scales [N], of the rows' RMSNorm where ``norm`` is given. ``codes`` is [N, K], or the
    room [tiles, blocks, 16, 64] for rows in tiles."""
    rows, width = x_NK.shape
    call = _library().deg_quantize
    source, stride = x_NK.data_ptr(), x_NK.stride(0)
    weight, eps = (norm[0].data_ptr(), norm[1]) if norm is not None else (0, 0.0)
    to, tiled, scales = codes.data_ptr(), int(codes.dim() == 4), scale.data_ptr()
    in_rows(
        lambda a, b: call(source, stride, width, weight, eps, to, tiled, scales, a, b),
        rows,
        parallel=x_NK.numel() >= _ALONE,
    )


def rescale(sums_NM: Tensor, row_scale: Tensor, column_scale: Tensor) -> Tensor:
    """Int32 sums [N, M] by the scales of their rows and columns -> fp32."""
    rows, width = sums_NM.shape
    out = torch.empty(rows, width)
    call = _library().deg_rescale
    pointers = (sums_NM.data_ptr(), row_scale.data_ptr(), column_scale.data_ptr(), out.data_ptr())
    in_rows(lambda a, b: call(*pointers, width, a, b), rows, parallel=out.numel() >= _ALONE)
    return out


def _levels(x: Tensor) -> tuple[int, int, int]:
    """Strides of the outer and inner level of rows, and how many inner rows there are; x is [N, K] or [N, H, K]."""
    return (x.stride(0), x.stride(1), x.shape[1]) if x.dim() == 3 else (x.stride(0), 0, 1)


def rms_norm(x: Tensor, weight_D: Tensor, eps: float) -> Tensor:
    """As ``deg_core.kernels.norm.rms_norm``, of [N, D] or [N, H, D]."""
    out = torch.empty(x.shape)
    outer, inner_stride, inner = _levels(x)
    call, width = _library().deg_rms_norm, x.shape[-1]
    source, weight, to = x.data_ptr(), weight_D.data_ptr(), out.data_ptr()
    in_rows(
        lambda a, b: call(source, outer, inner_stride, inner, weight, width, eps, to, a, b),
        x.shape[0] * inner,
        parallel=x.numel() >= _ALONE,
    )
    return out


def silu_mul(gate_NF: Tensor, up_NF: Tensor) -> Tensor:
    """``silu(gate) * up``, both [N, F]."""
    rows, width = gate_NF.shape
    out = torch.empty(rows, width)
    call, to = _library().deg_silu_mul, out.data_ptr()
    source = (gate_NF.data_ptr(), gate_NF.stride(0), up_NF.data_ptr(), up_NF.stride(0))
    in_rows(lambda a, b: call(*source, to, width, a, b), rows, parallel=out.numel() >= _ALONE)
    return out


def rotate(x_NHK: Tensor, cos_NR: Tensor, sin_NR: Tensor) -> Tensor:
    """As ``deg_core.kernels.rotary.rotate``."""
    out = torch.empty(x_NHK.shape)
    outer, inner_stride, inner = _levels(x_NHK)
    call, width = _library().deg_rotate, x_NHK.shape[-1]
    source, cos, sin, to = x_NHK.data_ptr(), cos_NR.data_ptr(), sin_NR.data_ptr(), out.data_ptr()
    in_rows(
        lambda a, b: call(source, outer, inner_stride, inner, cos, sin, width, to, a, b),
        x_NHK.shape[0] * inner,
        parallel=x_NHK.numel() >= _ALONE,
    )
    return out


def copy(source_ABK: Tensor, target_ABK: Tensor) -> None:
    """Copy between two layouts of one shape."""
    outer, inner, width = source_ABK.shape
    call, x, out = _library().deg_copy, source_ABK.data_ptr(), target_ABK.data_ptr()
    strides, targets = source_ABK.stride(), target_ABK.stride()
    in_rows(
        lambda a, b: call(x, strides[0], strides[1], out, targets[0], targets[1], inner, width, a, b),
        outer * inner,
        parallel=source_ABK.numel() >= _ALONE_COPIED,
    )
