"""The order of candidates: by logit, or drawn from a stream that is the field's own."""

from __future__ import annotations

import math
from itertools import islice

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deg_core.engine.sampling import TOP, Sampler
from deg_core.kernels.testing import threads

GREEDY = Sampler()


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=700))
def test_greedy_goes_by_logit_and_ties_go_to_the_lower_id(values: list[int]):
    expected = sorted(range(len(values)), key=lambda token: (-values[token], token))
    assert list(GREEDY.order(torch.tensor(values).float(), 0)) == expected
    assert next(GREEDY.order(torch.tensor(values).float(), 3)) == expected[0]


@given(seed=st.integers(0, 2**63 - 1), size=st.sampled_from([1, 5, TOP, TOP + 1, 900]), place=st.integers(0, 999))
def test_a_draw_is_an_order_of_all_tokens(seed: int, size: int, place: int):
    logits = torch.randn(size, generator=torch.Generator().manual_seed(seed))
    drawn = list(Sampler(1.3, seed, "/a").order(logits, place))
    assert sorted(drawn) == list(range(size))
    by_logit = list(GREEDY.order(logits, place))
    assert set(drawn[:TOP]) == set(by_logit[:TOP])
    assert drawn[TOP:] == by_logit[TOP:]


def test_a_stream_is_named_by_seed_pointer_and_place():
    logits = torch.randn(500, generator=torch.Generator().manual_seed(0))
    base = list(islice(Sampler(1.0, 7, "/a/0").order(logits, 4), 20))
    assert base == list(islice(Sampler(1.0, 7, "/a/0").order(logits, 4), 20))
    for other, place in ((Sampler(1.0, 8, "/a/0"), 4), (Sampler(1.0, 7, "/a/1"), 4), (Sampler(1.0, 7, "/a/0"), 5)):
        assert base != list(islice(other.order(logits, place), 20))
    for workers in (2, 5, 8):
        with threads(workers):
            assert base == list(islice(Sampler(1.0, 7, "/a/0").order(logits, 4), 20))


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_draws_follow_the_probabilities(temperature: float):
    """First candidates as in softmax(logits / T); second ones as in drawing again without the first."""
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    weights = torch.softmax(logits.double() / temperature, 0).tolist()
    draws = [tuple(islice(Sampler(temperature, 1, "/x").order(logits, place), 2)) for place in range(2500)]
    for first in range(4):
        assert sum(d[0] == first for d in draws) / 2500 == pytest.approx(weights[first], abs=0.04)
        for second in set(range(4)) - {first}:
            p = weights[first] * weights[second] / (1 - weights[first])
            assert draws.count((first, second)) / 2500 == pytest.approx(p, abs=0.04)


@pytest.mark.parametrize("temperature", [1e-300, 1e-6, 1e6, 1e300])
def test_temperatures_at_the_ends_of_the_scale(temperature: float):
    logits = torch.tensor([3.0, -2.0, 7.0, 0.5])
    drawn = [next(Sampler(temperature, 5, "/x").order(logits, place)) for place in range(400)]
    if temperature < 1:
        assert set(drawn) == {2}
    else:
        assert min(drawn.count(token) for token in range(4)) > 60
        assert math.isfinite(sum(drawn))
