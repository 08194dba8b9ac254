"""The distribution of a field's spans over pairs of first and last token (SPEC 12.3).

Shapes: T context tokens, N pairs, W tokens that a span may hold at most. All in fp64.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor

from deg_core.protocols.spans import MAX_SPAN_TOKENS, LinkedSpans


class Pairs(Protocol):
    """Log-probabilities of the spans of one field, and of there being none."""

    null: float

    def of(self, first_N: Tensor, last_N: Tensor) -> Tensor:
        """Log-probabilities [N] of the spans from token ``first`` to token ``last``."""
        ...

    def best(self, count: int) -> Iterator[tuple[float, int, int]]:
        """Score, first and last token of the ``count`` best spans of at most ``MAX_SPAN_TOKENS`` tokens, best first;
        ties in text order."""
        ...


class Independent:
    """Start and end are drawn apart: the log-probability of a span is the sum of theirs."""

    def __init__(self, log_p: Tensor) -> None:
        """``log_p`` [2, T + 1] of start and end, null last."""
        self._log_p = log_p
        self.null = float(log_p[0, -1] + log_p[1, -1])

    def of(self, first_N: Tensor, last_N: Tensor) -> Tensor:
        return self._log_p[0, first_N] + self._log_p[1, last_N]

    def best(self, count: int) -> Iterator[tuple[float, int, int]]:
        # A span among the best starts at one of the ``count`` tokens from which the best spans start.
        log_p = self._log_p
        tokens = log_p.shape[1] - 1
        width = min(MAX_SPAN_TOKENS, tokens)
        ends = torch.cat([log_p[1, :tokens], log_p.new_full((width - 1,), -math.inf)])
        starts = _greatest(log_p[0, :tokens] + _window_max(ends, width), count)
        band = log_p[0, starts, None] + ends[starts[:, None] + torch.arange(width)]  # [start, length - 1]
        flat = band.flatten()
        kept = _greatest(flat, count)
        rows = starts[kept // width]
        yield from _sorted(flat[kept], rows, rows + kept % width)


class Linked:
    """The start depends on the end: the log-probability of a span is that of its end and that of its start given it."""

    def __init__(self, spans: LinkedSpans, temperature: float) -> None:
        self._spans, self._temperature = spans, temperature
        self._log_end = torch.log_softmax(spans.logits.double() / temperature, dim=1)[1]
        self.null = float(self._log_end[-1])

    def of(self, first_N: Tensor, last_N: Tensor) -> Tensor:
        if not len(first_N):
            return self._log_end[:0]
        ends, row_N = torch.unique(last_N, return_inverse=True)
        length_N = last_N - first_N
        log_p = self._log_end[last_N] + self._starts(ends)[row_N, length_N.clamp(max=MAX_SPAN_TOKENS - 1)]
        return log_p.masked_fill(length_N >= MAX_SPAN_TOKENS, -math.inf)

    def best(self, count: int) -> Iterator[tuple[float, int, int]]:
        log_end = self._log_end[:-1]
        ends = _greatest(log_end, count)
        scores = self._ending(ends)
        if len(ends) < len(log_end):
            # No span is likelier than its end: the others are left that end where the least of these could still lose.
            least = scores.flatten().topk(min(count, scores.numel())).values[-1]
            rest = log_end >= least
            rest[ends] = False
            more = rest.nonzero()[:, 0]
            ends, scores = torch.cat([ends, more]), torch.cat([scores, self._ending(more)])
        last = ends[:, None].expand_as(scores).flatten()
        first = last - torch.arange(scores.shape[1]).repeat(len(ends))
        in_text = torch.argsort(first * MAX_SPAN_TOKENS + last - first, stable=True)
        flat, first, last = scores.flatten()[in_text], first[in_text], last[in_text]
        kept = _greatest(flat, count)
        yield from _sorted(flat[kept], first[kept], last[kept])

    def _ending(self, ends: Tensor) -> Tensor:
        return self._log_end[ends, None] + self._starts(ends)

    def _starts(self, ends: Tensor) -> Tensor:
        """Log-probabilities [len(ends), W] of the start given the end; column d is a span of d + 1 tokens."""
        if not len(ends):
            return self._log_end.new_empty(0, MAX_SPAN_TOKENS)
        return torch.log_softmax(self._spans.before(ends).double() / self._temperature, dim=1)


def _sorted(scores: Tensor, first: Tensor, last: Tensor) -> Iterator[tuple[float, int, int]]:
    """Best first, of equals the first given, as long as there is any probability."""
    scores, order = torch.sort(scores, descending=True, stable=True)
    for score, start, end in zip(scores.tolist(), first[order].tolist(), last[order].tolist(), strict=True):
        if score == -math.inf:
            return
        yield score, start, end


def _greatest(values: Tensor, count: int) -> Tensor:
    """Places of the ``count`` greatest values in ascending order; of equals the first."""
    if count >= len(values):
        return torch.arange(len(values))
    least = values.topk(count).values[-1]
    above, equal = (values > least).nonzero()[:, 0], (values == least).nonzero()[:, 0]
    return torch.cat([above, equal[: count - len(above)]]).sort().values


def _window_max(values: Tensor, width: int) -> Tensor:
    """The greatest of the ``width`` values from each place on; there are ``width - 1`` places fewer."""
    reach = 1
    while 2 * reach <= width:
        values = torch.maximum(values[:-reach], values[reach:])
        reach *= 2
    rest = width - reach
    return torch.maximum(values[: len(values) - rest], values[rest:]) if rest else values
