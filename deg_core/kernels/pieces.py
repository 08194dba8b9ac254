"""Transcendental elementwise functions in pieces of one fixed size.

A vectorised CPU loop computes ``exp`` in full vectors and its tail one by one, with other last bits; where tails fall
depends on the tensor's size and on the number of threads. A piece is below the size at which work is split over
threads and a multiple of every vector width, so each element always takes the same path.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

PIECE = 16384  # elements; under the parallel grain of 32768 and a multiple of 64


def in_pieces(function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """``function(x)`` elementwise, the same bits for an element whatever else is in ``x``. Returns a new tensor."""
    if x.is_cuda or (x.requires_grad and torch.is_grad_enabled()):
        return function(x)  # a GPU computes each element alike wherever it stands; training asks for no bits of its own
    flat = x.contiguous().view(-1)
    out = torch.empty_like(flat)
    whole = flat.numel() - flat.numel() % PIECE
    for start in range(0, whole, PIECE):
        out[start : start + PIECE] = function(flat[start : start + PIECE])
    rest = flat.numel() - whole
    if rest:
        last = flat.new_zeros(PIECE)
        last[:rest] = flat[whole:]
        out[whole:] = function(last)[:rest]
    return out.view(x.shape)
