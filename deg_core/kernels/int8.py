"""Exact int8 linear algebra: one scale per weight row and one per activation row, int32 accumulation.

Integer sums are exact, so a row's result has the same bits whatever the other rows are. The fast form is
``torch._int_mm``; on processors without VNNI some builds saturate in it, so ``exact_matmul`` tests it once and falls
back to an fp32 product of the integers, which is exact while every partial sum stays under 2**24.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

_EXACT_K = 1040  # 127 * 127 * 1040 < 2**24
_ROWS = 128  # rows rescaled at once: the int32 block stays in the cache


@dataclass(frozen=True, slots=True)
class QuantizedWeight:
    """``codes`` int8 [K, M] (transposed, as the product wants it) and ``scale`` fp32 [M]."""

    codes_KM: Tensor
    scale_M: Tensor


def quantize_weight(weight_MK: Tensor) -> QuantizedWeight:
    """Symmetric round-to-nearest per output row; an all-zero row gets scale 1."""
    weight = weight_MK.float()
    scale = weight.abs().amax(dim=1) / 127
    scale = torch.where(scale > 0, scale, torch.ones_like(scale))
    codes = torch.round(weight / scale[:, None]).to(torch.int8)
    return QuantizedWeight(codes.t().contiguous(), scale)


def quantize_rows(x_NK: Tensor) -> tuple[Tensor, Tensor]:
    """Int8 codes [N, K] and scale [N, 1] of activations, per row."""
    scale = x_NK.abs().amax(dim=1, keepdim=True).clamp_min(1e-12) / 127
    return torch.round(x_NK / scale).to(torch.int8), scale


def int8_linear(x_NK: Tensor, weight: QuantizedWeight) -> Tensor:
    """[N, K] fp32 -> [N, M] fp32: quantise, multiply exactly, rescale."""
    matmul = exact_matmul()
    rows, k = x_NK.shape
    codes = torch.empty(rows, k, dtype=torch.int8)
    scale = torch.empty(rows, 1)
    for start in range(0, rows, _ROWS):
        stop = start + _ROWS
        codes[start:stop], scale[start:stop] = quantize_rows(x_NK[start:stop])
    sums = matmul(codes, weight.codes_KM)
    out = torch.empty(rows, sums.shape[1])
    for start in range(0, rows, _ROWS):
        stop = start + _ROWS
        block = out[start:stop]
        block.copy_(sums[start:stop])
        block.mul_(scale[start:stop]).mul_(weight.scale_M)
    return out


def portable_matmul(a_NK: Tensor, b_KM: Tensor) -> Tensor:
    """Exact int8 product on any processor: fp32 blocks of at most 1040 terms, summed in int32."""
    total: Tensor | None = None
    for start in range(0, a_NK.shape[1], _EXACT_K):
        part = a_NK[:, start : start + _EXACT_K].float() @ b_KM[start : start + _EXACT_K].float()
        total = part.to(torch.int32) if total is None else total + part.to(torch.int32)
    assert total is not None
    return total


def is_exact(matmul: Callable[[Tensor, Tensor], Tensor]) -> bool:
    """Whether ``matmul`` is right on full-range codes, where saturating instructions fail."""
    generator = torch.Generator().manual_seed(0)
    for n, k, m in ((64, 576, 96), (33, 1536, 64), (1, 64, 64)):
        a = torch.randint(-127, 128, (n, k), dtype=torch.int8, generator=generator)
        b = torch.randint(-127, 128, (k, m), dtype=torch.int8, generator=generator)
        a[0], b[:, 0] = 127, 127
        try:
            if not torch.equal(matmul(a, b).long(), a.long() @ b.long()):
                return False
        except RuntimeError:
            return False
    return True


@cache
def exact_matmul() -> Callable[[Tensor, Tensor], Tensor]:
    """``torch._int_mm`` where it is exact on this processor, else the portable form."""
    fast: Callable[[Tensor, Tensor], Tensor] = torch._int_mm
    return fast if is_exact(fast) else portable_matmul
