"""Log-softmax over a vocabulary, each row by itself."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from deg_core.kernels.pieces import PIECE, in_pieces


def log_softmax(logits_NV: Tensor) -> Tensor:
    """Log-probabilities [N, V] of logits [N, V], in fp32.

    A whole row is long enough to be split over threads, whose number would then be in the sum. So a row's normaliser is
    summed in float64 piece by piece, each piece below that length, in a fixed order.
    """
    out = torch.empty_like(logits_NV, dtype=torch.float32)
    for row, into in zip(logits_NV.float(), out, strict=True):
        peak = float(row.max())  # a maximum is the same in any order
        lowered = row - peak
        weights = in_pieces(torch.exp, lowered).double()
        total = math.fsum(float(piece.sum()) for piece in weights.split(PIECE))
        into.copy_(lowered - math.log(total))
    return out
