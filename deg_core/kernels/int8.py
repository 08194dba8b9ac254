"""Exact int8 linear algebra: one scale per weight row and one per activation row, int32 accumulation.

Integer sums are exact, so a row's result has the same bits whatever the other rows are, and in every form. The fastest
is the native product; next is ``torch._int_mm``; on processors without VNNI some builds saturate in it, so
``exact_matmul`` tests it once and falls back to an fp32 product of the integers, which is exact while every partial sum
stays under 2**24.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from deg_core.kernels.gated import silu_mul
from deg_core.kernels.native import product, rows
from deg_core.kernels.native.library import has_product
from deg_core.kernels.native.rows import Norm
from deg_core.kernels.norm import rms_norm

_EXACT_K = 1040  # 127 * 127 * 1040 < 2**24
_ROWS = 128  # rows rescaled at once: the int32 block stays in the cache


class QuantizedWeight:
    """An int8 matrix: codes [K, M] (transposed, as the product wants it) and ``scale_M`` fp32 [M]."""

    __slots__ = ("_codes", "_packed", "_shape", "scale_M")

    def __init__(self, codes_KM: Tensor, scale_M: Tensor) -> None:
        self._codes: Tensor | None = codes_KM
        self._packed: Tensor | None = None
        self._shape = codes_KM.shape
        self.scale_M = scale_M

    @property
    def codes_KM(self) -> Tensor:
        """Int8 [K, M]; put together again where only the packed codes were kept."""
        if self._codes is not None:
            return self._codes
        assert self._packed is not None
        return product.unpack(self._packed, *self._shape)

    def packed(self) -> Tensor | None:
        """The codes in the order of the native product, arranged when first asked for; None where that is not there."""
        if not has_product():
            return None
        if self._packed is None:
            self._packed = product.pack(self.codes_KM)
        return self._packed

    def keep_packed(self) -> QuantizedWeight:
        """Let go of the codes as they came where the native product has its own. Returns itself."""
        if self.packed() is not None:
            self._codes = None
        return self

    @property
    def bytes(self) -> int:
        """Memory held."""
        parts = [part for part in (self._codes, self._packed, self.scale_M) if part is not None]
        return sum(part.numel() * part.element_size() for part in parts)


def quantize_weight(weight_MK: Tensor) -> QuantizedWeight:
    """Symmetric round-to-nearest per output row; an all-zero row gets scale 1."""
    weight = weight_MK.float()
    scale = weight.abs().amax(dim=1) / 127
    scale = torch.where(scale > 0, scale, torch.ones_like(scale))
    codes = torch.round(weight / scale[:, None]).to(torch.int8)
    return QuantizedWeight(codes.t().contiguous(), scale)


def quantize_rows(x_NK: Tensor) -> tuple[Tensor, Tensor]:
    """Int8 codes [N, K] and scale [N, 1] of activations, per row."""
    if rows.fits(x_NK):
        codes, steps = torch.empty(x_NK.shape, dtype=torch.int8), torch.empty(x_NK.shape[0], 1)
        rows.quantize_rows(x_NK, codes, steps)
        return codes, steps
    scale = x_NK.abs().amax(dim=1, keepdim=True).clamp_min(1e-12) / 127
    return torch.round(x_NK / scale).to(torch.int8), scale


def int8_linear(
    x_NK: Tensor, weight: QuantizedWeight, *, norm: Norm | None = None, onto: Tensor | None = None
) -> Tensor:
    """[N, K] fp32 -> [N, M] fp32: quantise, multiply exactly, rescale. ``norm``, weight and epsilon, takes the RMSNorm
    of x for x; ``onto`` [N, M] is what the result is added to."""
    if rows.fits(x_NK, *norm[:1] if norm else (), *(onto,) if onto is not None else ()):
        packed = weight.packed()
        if packed is not None:
            return product.linear(x_NK, packed, weight.scale_M, norm=norm, onto=onto)
    if norm is not None:
        x_NK = rms_norm(x_NK, *norm)
    out = _rescaled(x_NK, weight)
    return out if onto is None else onto + out


def int8_feed_forward(x_ND: Tensor, norm: Norm, gate_up: QuantizedWeight, down: QuantizedWeight) -> Tensor:
    """``x + down(silu(gate) * up)``, gate and up of the RMSNorm of x [N, D]; ``gate_up`` gives gates, then ups."""
    if rows.fits(x_ND, norm[0]) and x_ND.is_contiguous() and gate_up.scale_M.shape[0] % (2 * product.PANEL) == 0:
        first, second = gate_up.packed(), down.packed()
        if first is not None and second is not None:
            return product.feed_forward(x_ND, norm, (first, gate_up.scale_M), (second, down.scale_M))
    gate, up = int8_linear(x_ND, gate_up, norm=norm).chunk(2, dim=-1)
    return int8_linear(silu_mul(gate, up), down, onto=x_ND)


def _rescaled(x_NK: Tensor, weight: QuantizedWeight) -> Tensor:
    matmul = exact_matmul()
    if rows.fits(x_NK):
        codes, scale = quantize_rows(x_NK)
        return rows.rescale(matmul(codes, weight.codes_KM), scale, weight.scale_M)
    count, k = x_NK.shape
    codes = torch.empty(count, k, dtype=torch.int8)
    scale = torch.empty(count, 1)
    for start in range(0, count, _ROWS):
        stop = start + _ROWS
        codes[start:stop], scale[start:stop] = quantize_rows(x_NK[start:stop])
    sums = matmul(codes, weight.codes_KM)
    out = torch.empty(count, sums.shape[1])
    for start in range(0, count, _ROWS):
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
