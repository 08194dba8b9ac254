"""RMSNorm (Zhang and Sennrich 2019, arXiv:1910.07467)."""

from __future__ import annotations

import torch
from torch import Tensor

from deg_core.kernels.native import rows


def rms_norm(x_ND: Tensor, weight_D: Tensor, eps: float) -> Tensor:
    """``x / sqrt(mean(x^2) + eps) * weight`` per row, accumulated in fp32, returned in ``x``'s dtype.

    Each step is a row reduction of fixed length or a correctly rounded elementwise op, so rows are independent.
    """
    if rows.fits(x_ND, weight_D) and x_ND.dim() in (2, 3):
        return rows.rms_norm(x_ND, weight_D, eps)
    x = x_ND.float()
    variance = x.square().sum(dim=-1, keepdim=True) / x.shape[-1]
    return (x / torch.sqrt(variance + eps)).to(x_ND.dtype) * weight_D.to(x_ND.dtype)
