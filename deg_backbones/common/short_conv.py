"""Causal depthwise convolution over rows laid end to end, each continuing its own last inputs.

Shapes: N tokens of all rows, C channels, J taps. A row's *tail* is its last J - 1 inputs, oldest first.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

_BLOCK = 32  # tokens


def causal_conv(
    x_NC: Tensor, taps_JC: Tensor, tails: Sequence[Tensor | None], lengths: Sequence[int]
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """``y[t] = sum_j taps[j] * x[t - J + 1 + j]`` within each row -> fp32 [N, C], and each row's new tail [J - 1, C].

    Row i has ``lengths[i]`` tokens and continues ``tails[i]`` (None: zeros). Products and sums are separate elementwise
    ops in a fixed order of taps, so an element's bits depend on its own J inputs alone: cutting a row in two changes
    nothing.
    """
    reach = taps_JC.shape[0] - 1
    blank = x_NC.new_zeros(reach, x_NC.shape[1])
    rows = [
        torch.cat([blank if tail is None else tail.to(x_NC.dtype), row])
        for tail, row in zip(tails, x_NC.split(list(lengths)), strict=True)
    ]
    y = _convolve(torch.cat(rows).float(), taps_JC.float())
    return _own_outputs(y, lengths, reach), tuple(row[len(row) - reach :].clone() for row in rows)


def _convolve(line_MC: Tensor, taps_JC: Tensor) -> Tensor:
    """All full windows of one line [M - J + 1, C], in blocks that stay in a processor's cache."""
    count = line_MC.shape[0] - taps_JC.shape[0] + 1
    blocks = []
    for start in range(0, count, _BLOCK):
        stop = min(start + _BLOCK, count)
        y = line_MC[start:stop] * taps_JC[0]
        for tap in range(1, taps_JC.shape[0]):
            y += line_MC[start + tap : stop + tap] * taps_JC[tap]
        blocks.append(y)
    return torch.cat(blocks)


def _own_outputs(y_MC: Tensor, lengths: Sequence[int], reach: int) -> Tensor:
    """Without the ``reach`` outputs between rows, whose windows lie over a border."""
    parts, start = [], 0
    for length in lengths:
        parts.append(y_MC[start : start + length])
        start += length + reach
    return torch.cat(parts)
