"""Anchor: for every context token the logit that an item of the array starts there (SPEC 12.3, 12.6)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from deg_core.protocols.head import ArrayQuery, ForkHidden, HeadInit, Target
from deg_heads.pointer import Pointer

RARE = -6.0  # where the bias starts: one token in four hundred


class AnchorHead(nn.Module):
    """A pointer whose outcomes are independent of each other: ``sigmoid`` instead of ``softmax``."""

    protocol_version = (1, 1)
    kind = "anchor"
    modes = frozenset({ArrayQuery.ANCHOR})
    optional: frozenset[str] = frozenset()

    def __init__(self, init: HeadInit) -> None:
        super().__init__()
        self.pointer = Pointer(init.hidden_size, init.generator)
        nn.init.zeros_(self.pointer.q)  # likeness, where other pointers start, would call every token an item
        self.b = nn.Parameter(torch.tensor(RARE))

    def prepare(self, context_PD: Tensor) -> tuple[Tensor, Tensor]:
        """Keys of the context tokens."""
        return self.pointer.keys(context_PD)

    def forward(self, fork: ForkHidden, prepared: tuple[Tensor, Tensor]) -> Tensor:
        """Logits [P], minus infinity outside the fork's region."""
        logits: Tensor = self.pointer(fork.answer_D, prepared) + self.b
        if fork.region is None:
            return logits
        masked = torch.full_like(logits, -math.inf)
        start, stop = fork.region
        masked[start:stop] = logits[start:stop]
        return masked

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        """Binary cross-entropy of every token of the region, summed and divided by one plus the number of items."""
        starts = torch.tensor(target.starts, dtype=torch.long, device=logits.device)
        gold = torch.zeros_like(logits).index_fill_(0, starts, 1)
        inside = logits > -math.inf
        known = logits.masked_fill(~inside, 0)
        summed = binary_cross_entropy_with_logits(known, gold, weight=inside.float(), reduction="sum")
        return summed / (1 + len(target.starts))
