"""Spans whose start depends on their end: the raw output of extract heads that score the two together (since protocol
1.3).

A causal trunk knows at the last token of a name all of it, and at the first only that one token. So the end is found
first, and the start among the tokens before it: p(start, end) = p(end) p(start | end).

Shapes: P context tokens, W tokens that a span may hold at most, L width of the link, N ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import torch

if TYPE_CHECKING:
    from torch import Tensor

MAX_SPAN_TOKENS: Final = 128
_BLOCK: Final = 256  # ends at once: what they gather stays in the cache


@dataclass(frozen=True, slots=True)
class LinkedSpans:
    """``logits`` [2, P + 1] of start and end, null last in both. ``starts_PL`` and ``ends_PL`` are what a start and an
    end say of whether they belong together, the same for all fields of a text; ``lengths_W`` is what a span of one,
    two, ... tokens gets. Null is an outcome of the end alone."""

    logits: Tensor
    starts_PL: Tensor
    ends_PL: Tensor
    lengths_W: Tensor

    def before(self, ends_N: Tensor) -> Tensor:
        """Logits [N, W] of the start for each of these ends: column d is a span of d + 1 tokens, minus infinity where
        that would begin before the text."""
        return torch.cat([self._before(ends_N[at : at + _BLOCK]) for at in range(0, max(1, len(ends_N)), _BLOCK)])

    def _before(self, ends_N: Tensor) -> Tensor:
        places_NW = ends_N[:, None] - torch.arange(len(self.lengths_W), device=ends_N.device)
        inside = places_NW.clamp(min=0)
        linked_NW = (self.starts_PL[inside] * self.ends_PL[ends_N, None]).sum(dim=-1)
        return (self.logits[0, inside] + linked_NW + self.lengths_W).masked_fill(places_NW < 0, -torch.inf)

    def cpu(self) -> LinkedSpans:
        """The same in the host's memory."""
        return LinkedSpans(self.logits.cpu(), self.starts_PL.cpu(), self.ends_PL.cpu(), self.lengths_W.cpu())

    def with_logits(self, logits: Tensor) -> LinkedSpans:
        """Other start and end logits on the same text."""
        return replace(self, logits=logits)
