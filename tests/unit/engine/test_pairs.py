"""Distributions over spans against enumeration: they sum to one, and the best are the best of all."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deg_core.engine.pairs import Linked
from deg_core.protocols.spans import MAX_SPAN_TOKENS, LinkedSpans


def linked(tokens: int, seed: int, scale: float = 1.0, steps: float = 0.0) -> LinkedSpans:
    chance = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> torch.Tensor:
        values = torch.randn(*shape, generator=chance) * scale
        return (values / steps).round() * steps if steps else values

    return LinkedSpans(draw(2, tokens + 1), draw(tokens, 4), draw(tokens, 4), draw(MAX_SPAN_TOKENS))


def every(spans: LinkedSpans, temperature: float) -> dict[tuple[int, int], float]:
    """Log-probability of each span, by the definition."""
    tokens = spans.logits.shape[1] - 1
    log_end = torch.log_softmax(spans.logits[1].double() / temperature, dim=0)
    found = {}
    for last in range(tokens):
        reach = range(max(0, last - MAX_SPAN_TOKENS + 1), last + 1)
        logits = torch.stack(
            [
                spans.logits[0, first] + spans.starts_PL[first] @ spans.ends_PL[last] + spans.lengths_W[last - first]
                for first in reach
            ]
        )
        log_start = torch.log_softmax(logits.double() / temperature, dim=0)
        found |= {(first, last): float(log_end[last] + log_start[i]) for i, first in enumerate(reach)}
    return found


@given(st.integers(1, 150), st.integers(0, 2**31), st.sampled_from([0.1, 1.0, 5.0]), st.sampled_from([0.7, 1.0, 3.0]))
def test_it_is_a_distribution_and_the_best_are_the_best_of_all(
    tokens: int, seed: int, scale: float, temperature: float
):
    spans = linked(tokens, seed, scale)
    pairs = Linked(spans, temperature)
    tried = every(spans, temperature)
    assert math.fsum(map(math.exp, tried.values())) + math.exp(pairs.null) == pytest.approx(1.0)
    first, last = torch.tensor(list(tried)).T
    assert pairs.of(first, last).tolist() == pytest.approx(list(tried.values()), rel=1e-4, abs=1e-4)
    best = list(pairs.best(32))
    assert len(best) == min(32, len(tried))
    assert len({span[1:] for span in best}) == len(best)
    assert [score for score, *_ in best] == pytest.approx(sorted(tried.values(), reverse=True)[: len(best)], abs=1e-4)
    assert [float(pairs.of(torch.tensor([i]), torch.tensor([j]))[0]) for _, i, j in best] == [s for s, *_ in best]


@given(st.integers(1, 60), st.integers(0, 2**31))
def test_of_equals_the_first_in_the_text_come_first(tokens: int, seed: int):
    best = list(Linked(linked(tokens, seed, steps=1.0), 1.0).best(32))
    assert best == sorted(best, key=lambda span: (-span[0], span[1], span[2]))


def test_spans_that_are_too_long_have_no_probability():
    pairs = Linked(linked(300, 3), 1.0)
    log_p = pairs.of(torch.tensor([0, 1]), torch.tensor([MAX_SPAN_TOKENS, MAX_SPAN_TOKENS]))
    assert log_p[0] == -math.inf
    assert log_p[1] > -math.inf


def test_a_span_has_the_same_bits_whatever_else_is_asked():
    spans = linked(600, 5)
    pairs = Linked(spans, 1.3)
    first, last = torch.arange(600).clamp(max=590), torch.arange(600).clamp(max=590) + 3
    together = pairs.of(first, last.clamp(max=599))
    for place in (0, 1, 77, 255, 256, 590):
        alone = pairs.of(first[place : place + 1], last[place : place + 1])
        assert torch.equal(alone, together[place : place + 1])
