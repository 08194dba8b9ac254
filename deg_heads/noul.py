"""Noul: one logit from the answer position, read as [p_true, p_false]."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from deg_core.contract.plan import Mode
from deg_core.protocols.head import ForkHidden, HeadInit, Target


class NoulHead(nn.Module):
    """``w . a / sqrt(D) + b``. ``w`` starts where the language model tells " yes" from " no": from zero the adapters
    would get no gradient through it."""

    protocol_version = (1, 0)
    kind = "noul"
    modes = frozenset({Mode.NOUL})
    optional: frozenset[str] = frozenset()

    def __init__(self, init: HeadInit) -> None:
        super().__init__()
        direction = normalize(init.word_vector(" yes").float() - init.word_vector(" no").float(), dim=0)
        self.w = nn.Parameter(direction * math.sqrt(init.hidden_size))
        self.b = nn.Parameter(torch.zeros(()))

    def prepare(self, context_PD: Tensor) -> None:
        return None

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        """Logits [2]: true, false."""
        logit = (self.w * fork.answer_D.float()).sum() / math.sqrt(self.w.shape[0]) + self.b
        return torch.stack([logit, torch.zeros_like(logit)])

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        """Cross-entropy against [p_true, p_false]."""
        return -(target.probs * torch.log_softmax(logits, dim=0)).sum()
