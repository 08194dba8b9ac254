"""Count: how many items an array has, 0 to 64, from the answer position (SPEC 12.3)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from deg_core.protocols.head import MAX_COUNT, ArrayQuery, ForkHidden, HeadInit, Target
from deg_heads.pointer import dot

TYPICAL = 6.0  # mean of the geometric prior that the bias starts from; a flat one takes a thousand steps to unlearn


class CountHead(nn.Module):
    """One row of weights per number of items. The top class stands for "this many or more"."""

    protocol_version = (1, 1)
    kind = "count"
    modes = frozenset({ArrayQuery.COUNT})
    optional: frozenset[str] = frozenset()

    def __init__(self, init: HeadInit) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.randn(MAX_COUNT + 1, init.hidden_size, generator=init.generator) * 0.02)
        self.b = nn.Parameter(-torch.arange(MAX_COUNT + 1) / TYPICAL)

    def prepare(self, context_PD: Tensor) -> None:
        return None

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        """Logits [65]."""
        answer = fork.answer_D.float()
        return dot(self.w, answer) / math.sqrt(answer.shape[0]) + self.b

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        """Cross-entropy of the number of items among those that the schema allows; more than the top class counts as
        the top class."""
        assert target.count is not None
        low, high = target.bounds
        return -torch.log_softmax(logits[low : high + 1], dim=0)[min(target.count, high) - low]
