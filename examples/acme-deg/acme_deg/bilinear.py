"""A head for choices and scores: ``a' U' V o / sqrt(r) + w . o``, a bilinear form of rank r between the hidden state at
``ANSWER:`` and the one at the end of each outcome's line."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from deg_core.contract.plan import Mode
from deg_core.kernels.linear import tiled_linear
from deg_core.protocols.head import ForkHidden, HeadInit, Target

RANK = 32


class BilinearHead(nn.Module):
    """Starts as a look for likeness: U and V are equal."""

    protocol_version = (1, 0)
    kind = "acme-bilinear"  # its losses are weighed, and its temperature is fitted, under this name
    modes = frozenset({Mode.CHOICE, Mode.SCORE})
    optional: frozenset[str] = frozenset()

    def __init__(self, init: HeadInit) -> None:
        super().__init__()
        start = torch.randn(RANK, init.hidden_size, generator=init.generator) * (0.5 / math.sqrt(init.hidden_size))
        self.answer = nn.Parameter(start.clone())
        self.outcome = nn.Parameter(start.clone())
        self.prior = nn.Parameter(torch.zeros(1, init.hidden_size))

    def prepare(self, context_PD: Tensor) -> None:
        return None  # choices look at their own lines, not at the context

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        """Logits [O]. Tiles have one shape whatever there is to multiply, so an outcome's bits are its own."""
        outcomes = fork.outcomes_OD.float()
        answer_r = tiled_linear(fork.answer_D.float()[None], self.answer)[0]
        outcomes_Or = tiled_linear(outcomes, self.outcome)
        prior_O = tiled_linear(outcomes, self.prior)[:, 0] / math.sqrt(outcomes.shape[1])
        return (outcomes_Or * answer_r).sum(dim=1) / math.sqrt(RANK) + prior_O

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        """Cross-entropy against the target's distribution."""
        return -(target.probs * torch.log_softmax(logits, dim=0)).sum()
