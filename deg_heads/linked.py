"""Extract with the start found from the end: ``extract`` and a link between the two (beyond SPEC 12.3).

With independent pointers the likeliest start and the likeliest end often belong to two different values, and the span
runs from one to the other. Here the start is a distribution over the tokens that an end reaches back to. All that this
adds to a field is computed once per text.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from deg_core.protocols.head import ForkHidden, HeadInit, Target
from deg_core.protocols.spans import MAX_SPAN_TOKENS, LinkedSpans
from deg_heads.extract import ExtractHead
from deg_heads.pointer import WIDTH, dot, product

LINK_WIDTH = 32
Keys = tuple[Tensor, Tensor]


class LinkedExtractHead(ExtractHead):
    """An ``ExtractHead`` whose end also sees the token behind it (a name that goes on does not end here), and whose
    start is conditional on the end: start logit, plus a bilinear form of the two tokens, plus a bias per length."""

    protocol_version = (1, 3)
    optional = ExtractHead.optional | {"after", "after_u", "link_start", "link_end", "lengths"}

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        size, generator = init.hidden_size, init.generator
        self.after = nn.Parameter(torch.zeros(WIDTH, size))
        self.after_u = nn.Parameter(torch.zeros(size))
        self.link_start = nn.Parameter(torch.zeros(LINK_WIDTH, size))
        # Zero on one side leaves the link without a say at first; on both it would stay so.
        self.link_end = nn.Parameter(torch.randn(LINK_WIDTH, size, generator=generator) * (0.5 / math.sqrt(size)))
        self.lengths = nn.Parameter(torch.zeros(MAX_SPAN_TOKENS))

    def prepare(self, context_PD: Tensor) -> tuple[Keys, Keys, Keys]:  # type: ignore[override]
        """Keys of starts, of ends with what follows them, and of the link."""
        starts, (keys_PK, unary_P) = super().prepare(context_PD)
        rows = context_PD if context_PD.is_cuda else context_PD.float()
        follows_PK = product(rows, self.after)
        follows_P = dot(rows, self.after_u) / math.sqrt(rows.shape[-1])
        ends = keys_PK + _next(follows_PK), unary_P + _next(follows_P)
        link = product(rows, self.link_start) / math.sqrt(LINK_WIDTH), product(rows, self.link_end)
        return starts, ends, link

    def forward(self, fork: ForkHidden, prepared: tuple[Keys, Keys, Keys]) -> LinkedSpans:  # type: ignore[override]
        """Start and end logits [2, P + 1], and the link."""
        return LinkedSpans(super().forward(fork, prepared[:2]), *prepared[2], self.lengths)

    def loss(self, spans: LinkedSpans, target: Target) -> Tensor:  # type: ignore[override]
        """Cross-entropy of the end, plus that of the start given the end; every listed place is right, so the loss is
        -log of their summed probability (or the cross-entropy against ``probs`` when the places carry probabilities).
        A span that is longer than any that can be read teaches its end alone."""
        log_end = torch.log_softmax(spans.logits[1], dim=0)
        if not target.starts:
            return -log_end[-1]
        listed = list(zip(target.starts, target.ends, strict=True))
        pairs = torch.tensor(listed if target.probs.numel() else list(dict.fromkeys(listed)), device=log_end.device)
        ends, length = pairs[:, 1], pairs[:, 1] - pairs[:, 0]
        log_start = torch.log_softmax(spans.before(ends), dim=1)
        most = log_start.shape[1] - 1
        own = log_start.gather(1, length.clamp(max=most)[:, None])[:, 0]
        log_p = log_end[ends] + own.where(length <= most, own.new_zeros(()))
        return -(log_p * target.probs).sum() if target.probs.numel() else -torch.logsumexp(log_p, dim=0)


def _next(rows_P: Tensor) -> Tensor:
    """What the next token has, for each token; nothing for the last."""
    return torch.cat([rows_P[1:], rows_P.new_zeros(1, *rows_P.shape[1:])])
