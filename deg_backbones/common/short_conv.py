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
    parts, tails_after = [], []
    for tail, row in zip(tails, x_NC.split(list(lengths)), strict=True):
        before = blank if tail is None else tail.to(x_NC.dtype)
        parts += [before, row]
        last = row[-reach:] if len(row) >= reach else torch.cat([before, row])[-reach:]
        tails_after.append(last.clone())
    y = _convolve(torch.cat(parts).float(), taps_JC.float())
    return _own_outputs(y, lengths, reach), tuple(tails_after)


def _convolve(line_MC: Tensor, taps_JC: Tensor) -> Tensor:
    """All full windows of one line [M - J + 1, C], in blocks that stay in a processor's cache."""
    count, width = line_MC.shape[0] - taps_JC.shape[0] + 1, line_MC.shape[1]
    size = _BLOCK if line_MC.device.type == "cpu" else count  # a GPU is quicker with one block
    if torch.is_grad_enabled() and (line_MC.requires_grad or taps_JC.requires_grad):
        return torch.cat([_block(line_MC, taps_JC, start, size, count) for start in range(0, count, size)])
    y, product = line_MC.new_empty(count, width), line_MC.new_empty(size, width)
    for start in range(0, count, size):
        stop = min(start + size, count)
        into, scratch = y[start:stop], product[: stop - start]
        torch.mul(line_MC[start:stop], taps_JC[0], out=into)
        for tap in range(1, taps_JC.shape[0]):
            torch.mul(line_MC[start + tap : stop + tap], taps_JC[tap], out=scratch)
            into += scratch
    return y


def _block(line_MC: Tensor, taps_JC: Tensor, start: int, size: int, count: int) -> Tensor:
    """One block of windows, for gradients."""
    stop = min(start + size, count)
    y = line_MC[start:stop] * taps_JC[0]
    for tap in range(1, taps_JC.shape[0]):
        y = y + line_MC[start + tap : stop + tap] * taps_JC[tap]
    return y


def _own_outputs(y_MC: Tensor, lengths: Sequence[int], reach: int) -> Tensor:
    """Without the ``reach`` outputs between rows, whose windows lie over a border."""
    if len(lengths) == 1:
        return y_MC
    parts, start = [], 0
    for length in lengths:
        parts.append(y_MC[start : start + length])
        start += length + reach
    return torch.cat(parts)
