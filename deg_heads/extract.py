"""Extract: start and end pointers over the context tokens, with "not there" as one more outcome (SPEC 12.3).

Inside an anchored array item a learned bias tells the tokens of the item from those around it."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from deg_core.contract.plan import Mode
from deg_core.protocols.head import ForkHidden, HeadInit, Target
from deg_heads.pointer import Pointer

# Distances in tokens from the item's anchor at which a new bucket of the bias begins.
EDGES = (-256, -64, -16, -4, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256)


class ExtractHead(nn.Module):
    """Two pointers whose keys are computed once per trunk, a null logit from the answer position, and the bias of
    anchored items: ``bias`` [start or end, outside or inside the item, bucket of the distance], zero at first."""

    protocol_version = (1, 0)
    kind = "extract"
    modes = frozenset({Mode.SPAN, Mode.NUMBER, Mode.DATE})
    optional = frozenset({"bias"})

    def __init__(self, init: HeadInit) -> None:
        super().__init__()
        self.start = Pointer(init.hidden_size, init.generator)
        self.end = Pointer(init.hidden_size, init.generator)
        self.null_w = nn.Parameter(torch.zeros(init.hidden_size))
        self.null_b = nn.Parameter(torch.zeros(()))
        self.bias = nn.Parameter(torch.zeros(2, 2, len(EDGES) + 1))

    def prepare(self, context_PD: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        """Start and end keys of the context tokens."""
        return self.start.keys(context_PD), self.end.keys(context_PD)

    def forward(self, fork: ForkHidden, prepared: tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]) -> Tensor:
        """Logits [2, P + 1]: start and end over the context tokens, the null logit last in both."""
        answer = fork.answer_D.float()
        null = ((self.null_w * answer).sum() / math.sqrt(answer.shape[0]) + self.null_b).reshape(1)
        pointed = torch.stack([self.start(answer, prepared[0]), self.end(answer, prepared[1])])
        if fork.region is not None:
            pointed = pointed + self._near(fork.region, pointed.shape[1])
        return torch.cat([pointed, null.expand(2, 1)], dim=1)

    def _near(self, region: tuple[int, int], tokens: int) -> Tensor:
        """The bias [2, P] of each context token, from its distance to the anchor and whether the item holds it."""
        places = torch.arange(tokens, device=self.bias.device)
        bucket = torch.bucketize(places - region[0], torch.tensor(EDGES, device=self.bias.device), right=True)
        inside = ((places >= region[0]) & (places < region[1])).long()
        return self.bias[:, inside, bucket]

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        """Start plus end cross-entropy; every listed place is right, so the loss is -log of their summed
        probability (or the cross-entropy against ``probs`` when the places carry probabilities)."""
        log_p = torch.log_softmax(logits, dim=1)
        if not target.starts:
            return -log_p[:, -1].sum()
        if target.probs.numel():
            places = torch.tensor([target.starts, target.ends], device=log_p.device)
            return -(log_p.gather(1, places) * target.probs).sum()
        return -_marginal(log_p[0], target.starts) - _marginal(log_p[1], target.ends)


def _marginal(log_p: Tensor, places: tuple[int, ...]) -> Tensor:
    """log of the summed probability of distinct places."""
    distinct = torch.tensor(sorted(set(places)), device=log_p.device)
    return torch.logsumexp(log_p.index_select(0, distinct), dim=0)
