"""Norms of rows, a row a program: mean square, scale, and where there is a gate its SiLU, all in fp32."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from deg_core.kernels.gpu.launch import STRICT, aligned, on, power_of_two


@triton.jit
def norm_kernel(
    x_ptr: tl.tensor,
    gate_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_outer: tl.tensor,
    x_inner: tl.tensor,
    gate_outer: tl.tensor,
    gate_inner: tl.tensor,
    eps: tl.tensor,
    INNER: tl.constexpr,
    WIDTH: tl.constexpr,
    BLOCK: tl.constexpr,
    GATED: tl.constexpr,
) -> None:
    """Program (row): row r is place r % INNER of token r // INNER."""
    row = tl.program_id(0).to(tl.int64)
    outer, inner = row // INNER, row % INNER
    column = tl.arange(0, BLOCK)
    inside = column < WIDTH
    x = tl.load(x_ptr + outer * x_outer + inner * x_inner + column, mask=inside, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
    normed = x / tl.sqrt(tl.sum(x * x, 0) / WIDTH + eps) * weight
    if GATED:
        gate = tl.load(gate_ptr + outer * gate_outer + inner * gate_inner + column, mask=inside, other=0.0)
        gate = gate.to(tl.float32)
        normed = normed * (gate / (1.0 + tl.exp(-gate)))
    tl.store(out_ptr + row * WIDTH + column, normed.to(out_ptr.dtype.element_ty), mask=inside)


def rms_norm(x: Tensor, weight_D: Tensor, eps: float, dtype: torch.dtype | None = None) -> Tensor:
    """``x / sqrt(mean(x^2) + eps) * weight`` over the last dimension of [N, D] or [N, H, D], in ``dtype`` or x's. A
    family whose norms are stored as their distance from one adds it when it reads them."""
    return _run(x, None, weight_D, eps, dtype)


def gated_rms_norm(
    x_NHV: Tensor, gate_NHV: Tensor, weight_V: Tensor, eps: float, dtype: torch.dtype | None = None
) -> Tensor:
    """``rms_norm(x) * silu(gate)``, each head by itself, in ``dtype`` or x's."""
    return _run(x_NHV, gate_NHV, weight_V, eps, dtype)


def _run(x: Tensor, gate: Tensor | None, weight: Tensor, eps: float, dtype: torch.dtype | None) -> Tensor:
    out = torch.empty(x.shape, dtype=dtype or x.dtype, device=x.device)
    x = aligned(x)
    gate = out if gate is None else aligned(gate)
    gated, width = gate is not out, x.shape[-1]
    x_outer, x_inner, inner = _steps(x)
    gate_outer, gate_inner, _ = _steps(gate)
    if out.numel():
        with on(x):
            norm_kernel[(out.numel() // width,)](
                x,
                gate,
                aligned(weight),
                out,
                x_outer,
                x_inner,
                gate_outer,
                gate_inner,
                eps,
                INNER=inner,
                WIDTH=width,
                BLOCK=power_of_two(width),
                GATED=gated,
                num_warps=1 if width <= 512 else 4 if width <= 2048 else 8,
                **STRICT,
            )
    return out


def _steps(x: Tensor) -> tuple[int, int, int]:
    """Steps from token to token and from place to place within one, and how many places there are."""
    return (x.stride(0), x.stride(1), x.shape[1]) if x.dim() == 3 else (x.stride(0), 0, 1)
