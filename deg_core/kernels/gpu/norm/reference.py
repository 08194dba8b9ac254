"""What the norms give, in float64. Shapes: rows [N, D] or [N, H, D]."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import silu


def rms_norm(x: Tensor, weight_D: Tensor, eps: float, dtype: torch.dtype | None = None) -> Tensor:
    """``x / sqrt(mean(x^2) + eps) * weight`` over the last dimension, in ``dtype`` or x's."""
    wide = x.double()
    return (wide / (wide.square().mean(-1, keepdim=True) + eps).sqrt() * weight_D.double()).to(dtype or x.dtype)


def gated_rms_norm(
    x_NHV: Tensor, gate_NHV: Tensor, weight_V: Tensor, eps: float, dtype: torch.dtype | None = None
) -> Tensor:
    """``rms_norm(x) * silu(gate)``."""
    return (rms_norm(x_NHV.double(), weight_V, eps) * silu(gate_NHV.double())).to(dtype or x_NHV.dtype)
