"""What the gated delta rule gives, token by token in float64.

Shapes: N tokens laid end to end, R rows, J key heads, H value heads, K and V their dims.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def fork_delta_rule(
    q_NJK: Tensor,
    k_NJK: Tensor,
    v_NHV: Tensor,
    g_NH: Tensor,
    beta_NH: Tensor,
    states: Sequence[Tensor | None],
    lengths: Sequence[int],
    eps: float,
) -> tuple[Tensor, list[Tensor]]:
    """As ``deg_core.kernels.gpu.delta_rule.triton.fork_delta_rule``."""
    repeat = v_NHV.shape[1] // q_NJK.shape[1]
    q, k = (_unit(x, eps).repeat_interleave(repeat, dim=1) for x in (q_NJK.double(), k_NJK.double()))
    streams = (q / q.shape[2] ** 0.5, k, v_NHV.double(), g_NH.double().exp(), beta_NH.double())
    outputs, after = [], []
    for state, *row in zip(states, *(x.split(list(lengths)) for x in streams), strict=True):
        matrix = k.new_zeros(*k.shape[1:], v_NHV.shape[2]) if state is None else state.double()
        for q_HK, k_HK, v_HV, decay_H, beta_H in zip(*row, strict=True):
            matrix = matrix * decay_H[:, None, None]
            expected = torch.einsum("hkv,hk->hv", matrix, k_HK)
            matrix = matrix + torch.einsum("hk,hv->hkv", k_HK, beta_H[:, None] * (v_HV - expected))
            outputs.append(torch.einsum("hkv,hk->hv", matrix, q_HK))
        after.append(matrix.float())
    return torch.stack(outputs).float(), after


def _unit(x: Tensor, eps: float) -> Tensor:
    return x / (x.square().sum(-1, keepdim=True) + eps).sqrt()
