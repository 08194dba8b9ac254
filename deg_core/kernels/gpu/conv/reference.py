"""What the convolution gives, in float64. Shapes: N tokens laid end to end, C channels, T taps."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def causal_conv(
    x_NC: Tensor, taps_TC: Tensor, tails: Sequence[Tensor | None], lengths: Sequence[int]
) -> tuple[Tensor, list[Tensor]]:
    """``y[t] = sum_j taps[j] x[t - T + 1 + j]`` within each row -> fp32 [N, C], and each row's last T - 1 inputs."""
    reach = taps_TC.shape[0] - 1
    outputs, after = [], []
    for row, tail in zip(x_NC.split(list(lengths)), tails, strict=True):
        line = torch.cat([x_NC.new_zeros(reach, x_NC.shape[1]) if tail is None else tail.to(x_NC.dtype), row])
        windows = line.double().unfold(0, reach + 1, 1)  # [tokens, C, T]
        outputs.append((windows * taps_TC.double().t()).sum(-1))
        after.append(line[len(line) - reach :])
    return torch.cat(outputs).float(), after
