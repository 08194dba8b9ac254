"""What every launch has in common."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Final

import torch
from torch import Tensor

STRICT: Final = {"enable_fp_fusion": False}
"""Products and sums are fused in matrix products and nowhere else, whatever the compiler's default is this year."""

ALIGNMENT: Final = 16  # bytes that one thread loads at once


def on(x: Tensor) -> AbstractContextManager[object]:
    """The device that ``x`` is on as the one to launch on."""
    return torch.cuda.device(x.device) if x.is_cuda else nullcontext()


def aligned(x: Tensor) -> Tensor:
    """``x``, or a copy of it that begins at a multiple of 16 bytes and has its last dimension side by side.

    The compiler lays out loads, and with them reductions, by what it knows of addresses; a row that is cut out of a
    larger tensor must not get another layout than it has alone.
    """
    if x.stride(-1) != 1 and x.shape[-1] != 1:
        x = x.contiguous()
    return x.clone(memory_format=torch.contiguous_format) if x.data_ptr() % ALIGNMENT else x


def power_of_two(number: int, least: int = 1) -> int:
    """The smallest power of two that is at least ``number`` and ``least``."""
    return max(least, 1 << max(0, number - 1).bit_length())
