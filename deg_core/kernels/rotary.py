"""Rotary position embedding in half-split layout (Su et al. 2021, arXiv:2104.09864)."""

from __future__ import annotations

import torch
from torch import Tensor

from deg_core.kernels.native import rows


def rotate(x_NHK: Tensor, cos_NR: Tensor, sin_NR: Tensor) -> Tensor:
    """Rotate pairs (i, i + K/2) of each head by the row's angles; cos and sin are [N, K/2]. Separate products and
    sums: a fused multiply-add would round a vector's tail differently."""
    if rows.fits(x_NHK, cos_NR, sin_NR) and cos_NR.is_contiguous() and sin_NR.is_contiguous():
        return rows.rotate(x_NHK, cos_NR, sin_NR)
    cos, sin = cos_NR[:, None].to(x_NHK.dtype), sin_NR[:, None].to(x_NHK.dtype)
    a, b = x_NHK.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)
