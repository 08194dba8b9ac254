"""Choice: a pointer from the answer position to the option lines, so any enum works without training on it."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from deg_core.contract.plan import Mode
from deg_core.protocols.head import ForkHidden, HeadInit, Target
from deg_heads.pointer import Pointer


class PointerHead(nn.Module):
    """Softmax over the outcome lines of the fork; choice and score each have one of their own."""

    protocol_version = (1, 0)
    kind = ""
    modes: frozenset[Mode] = frozenset()
    optional: frozenset[str] = frozenset()

    def __init__(self, init: HeadInit) -> None:
        super().__init__()
        self.pointer = Pointer(init.hidden_size, init.generator)

    def prepare(self, context_PD: Tensor) -> None:
        return None

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        """Logits [O] in the order of the fork's outcome lines."""
        logits: Tensor = self.pointer(fork.answer_D, self.pointer.keys(fork.outcomes_OD))
        return logits

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        """Cross-entropy against the target distribution, which differs from KL(t || q) by a constant."""
        return -(target.probs * torch.log_softmax(logits, dim=0)).sum()


class ChoiceHead(PointerHead):
    """decide.choice."""

    kind = "choice"
    modes = frozenset({Mode.CHOICE})
