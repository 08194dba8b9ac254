"""The extract head whose start depends on its end, against its formula."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Generator, Tensor

from deg_core.protocols.head import ForkHidden, HeadInit, Target, load_head
from deg_core.protocols.spans import MAX_SPAN_TOKENS, LinkedSpans
from deg_heads.extract import ExtractHead
from deg_heads.linked import LINK_WIDTH, LinkedExtractHead
from deg_heads.pointer import WIDTH

HIDDEN = 48


def make(seed: int = 3, *, trained: bool = True) -> LinkedExtractHead:
    head = LinkedExtractHead(HeadInit(HIDDEN, Generator().manual_seed(seed), lambda text: torch.zeros(HIDDEN)))
    generator = Generator().manual_seed(seed + 1)
    if trained:
        with torch.no_grad():
            for parameter in head.parameters():
                parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.2)
    return head


def answer(head: LinkedExtractHead, tokens: int, seed: int = 0) -> tuple[LinkedSpans, Tensor, Tensor]:
    generator = Generator().manual_seed(seed)
    text, at = torch.randn(tokens, HIDDEN, generator=generator), torch.randn(HIDDEN, generator=generator)
    return head(ForkHidden(at, torch.empty(0, HIDDEN)), head.prepare(text)), text, at


def places(*pairs: tuple[int, int], probs: tuple[float, ...] = ()) -> Target:
    return Target(torch.tensor(probs), tuple(start for start, _ in pairs), tuple(end for _, end in pairs))


@torch.no_grad()
def log_p(spans: LinkedSpans, start: int, end: int) -> float:
    log_end = torch.log_softmax(spans.logits[1].double(), dim=0)[end]
    log_start = torch.log_softmax(spans.before(torch.tensor([end]))[0].double(), dim=0)[end - start]
    return float(log_end + log_start)


@pytest.mark.parametrize("tokens", [1, 2, 40, 200])
@torch.no_grad()
def test_logits(tokens: int):
    head = make()
    spans, text, at = answer(head, tokens)
    q = head.end.q @ at
    for token in {0, tokens // 2, tokens - 1}:
        after = text[token + 1] if token + 1 < tokens else torch.zeros(HIDDEN)
        unary = (head.end.u @ text[token] + head.after_u @ after) / math.sqrt(HIDDEN)
        wanted = q @ (head.end.k @ text[token] + head.after @ after) / math.sqrt(WIDTH) + unary
        assert float(spans.logits[1, token]) == pytest.approx(float(wanted), rel=1e-4, abs=1e-4)
        before = spans.before(torch.tensor([token]))[0]
        assert before.shape == (MAX_SPAN_TOKENS,)
        for start in {max(0, token - 3), token}:
            link = (head.link_start @ text[start]) @ (head.link_end @ text[token]) / math.sqrt(LINK_WIDTH)
            wanted = spans.logits[0, start] + link + head.lengths[token - start]
            assert float(before[token - start]) == pytest.approx(float(wanted), rel=1e-4, abs=1e-4)
        assert bool((before[token + 1 :] == -math.inf).all())


def test_at_the_start_its_logits_are_those_of_extract():
    """So that an ``extract`` head's tensors are a good place to go on from."""
    linked = make(trained=False)
    plain = ExtractHead(HeadInit(HIDDEN, Generator().manual_seed(3), lambda text: torch.zeros(HIDDEN)))
    load_head(linked, plain.state_dict())
    spans, text, at = answer(linked, 30)
    assert torch.equal(spans.logits, plain(ForkHidden(at, torch.empty(0, HIDDEN)), plain.prepare(text)))
    assert torch.equal(spans.before(torch.tensor([9]))[0, :10], spans.logits[0, :10].flip(0))


@pytest.mark.parametrize("pairs", [[(0, 0)], [(1, 3)], [(1, 3), (6, 7)], [(1, 4), (2, 4), (1, 2)], [(5, 5), (5, 5)]])
def test_alternatives_share_their_probability(pairs: list[tuple[int, int]]):
    """-log of the summed probability of the spans; one that is listed twice counts once."""
    head = make()
    spans, _, _ = answer(head, 11)
    wanted = -math.log(sum(math.exp(log_p(spans, *pair)) for pair in set(pairs)))
    assert head.loss(spans, places(*pairs)).item() == pytest.approx(wanted, rel=1e-4)


def test_alternatives_with_probabilities_are_a_soft_target():
    head = make()
    spans, _, _ = answer(head, 11)
    wanted = -0.7 * log_p(spans, 1, 3) - 0.3 * log_p(spans, 6, 7)
    assert head.loss(spans, places((1, 3), (6, 7), probs=(0.7, 0.3))).item() == pytest.approx(wanted, rel=1e-4)


def test_null_is_an_outcome_of_the_end():
    head = make()
    spans, _, _ = answer(head, 11)
    wanted = -torch.log_softmax(spans.logits[1].double(), dim=0)[-1].item()
    assert head.loss(spans, places()).item() == pytest.approx(wanted, rel=1e-5)


def test_a_span_that_is_too_long_to_be_read_teaches_its_end():
    head = make()
    spans, _, _ = answer(head, 300)
    loss = head.loss(spans, places((0, 290)))
    wanted = -torch.log_softmax(spans.logits[1].double(), dim=0)[290].item()
    assert loss.item() == pytest.approx(wanted, rel=1e-4)
    loss.backward()
    assert all(p.grad is None or bool(p.grad.isfinite().all()) for p in head.parameters())
