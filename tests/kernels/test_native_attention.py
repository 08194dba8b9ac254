"""The compiled attention: softmax attention in value; a query's bits its own, however tokens are cut into readings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from deg_core.kernels.attention import decode_attention, fork_attention
from deg_core.kernels.native import LEVELS, at_most, attention, available
from deg_core.kernels.testing import poisoned_memory, relative_error, threads

pytestmark = pytest.mark.skipif(not available(), reason="the compiled kernels are not installed, or off")

HEADS = [(9, 3, 64), (4, 1, 16), (3, 3, 96), (8, 2, 128), (2, 1, 20), (1, 1, 7)]  # query heads, key/value heads, dim
TRUNKS = (0, 1, 64, 511, 513)
Trunk = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Form:
    """One of the kernel's forms: the instructions it is made of, and whether it rounds what it multiplies."""

    level: str

    @property
    def rounded(self) -> bool:
        return self.level == "amx"

    @property
    def tolerance(self) -> float:
        return 5e-3 if self.rounded else 1e-5

    def fork(self, *parts: Any) -> Tensor:
        return fork_attention(*parts, rounded=self.rounded)

    def decode(self, *parts: Any) -> Tensor:
        return decode_attention(*parts, rounded=self.rounded)


FORMS = [Form(name) for name in LEVELS if name != "vnni"]


@pytest.fixture(params=FORMS, ids=lambda form: form.level)
def form(request: pytest.FixtureRequest) -> Iterator[Form]:
    with at_most(request.param.level) as used:
        if used != request.param.level:
            pytest.skip(f"this processor has no {request.param.level}")
        yield request.param


@pytest.fixture
def split(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small work is divided over threads too."""
    monkeypatch.setattr(attention, "_ALONE", 0)


def text(heads: int, groups: int, dim: int, tokens: int) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values as a fused projection leaves them: three strided parts of one matrix."""
    fused = torch.randn(tokens, heads + 2 * groups, dim)
    return tuple(fused.split([heads, groups, groups], dim=1))


def trunk_of(k: Tensor, v: Tensor) -> Trunk:
    """Keys and values [G, P, K] in memory with room behind, as a state that may grow has them."""
    tokens, groups, dim = k.shape
    room = torch.full((2, groups, tokens + 5, dim), math.nan)
    room[0, :, :tokens], room[1, :, :tokens] = k.transpose(0, 1), v.transpose(0, 1)
    return room[0, :, :tokens], room[1, :, :tokens]


def in_parts(form: Form, q: Tensor, k: Tensor, v: Tensor, lengths: Sequence[int]) -> Tensor:
    """One text read in parts, each continuing what came before."""
    out, start = [], 0
    for length in lengths:
        part = slice(start, start + length)
        before = trunk_of(k[:start], v[:start]) if start else None
        out.append(form.fork(q[part], k[part], v[part], [length], [before]))
        start += length
    return torch.cat(out)


@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
def test_values_are_those_of_the_torch_form(form: Form, heads: int, groups: int, dim: int):
    lengths = (1, 63, 5, 130)
    for tokens in TRUNKS:
        q, k, v = text(heads, groups, dim, sum(lengths))
        trunk = trunk_of(*text(heads, groups, dim, tokens)[1:]) if tokens else None
        with poisoned_memory():
            found = form.fork(q, k, v, lengths, [trunk] * 4)
        with at_most("0"):
            expected = fork_attention(q, k, v, lengths, [trunk] * 4)
        assert relative_error(found, expected) < form.tolerance, tokens


def test_an_empty_trunk_is_no_trunk(form: Form):
    q, k, v = text(4, 2, 16, 20)
    assert torch.equal(form.fork(q, k, v, [20], [trunk_of(k[:0], v[:0])]), form.fork(q, k, v, [20], [None]))


def test_great_scores_do_not_overflow(form: Form):
    q, k, v = text(2, 1, 64, 200)
    found = form.fork(100 * q, 100 * k, v, [200], [None])
    with at_most("0"):
        q, k = (x.bfloat16().float() if form.rounded else x for x in (100 * q, 100 * k))  # scores of a million
        assert relative_error(found, fork_attention(q, k, v, [200], [None])) < max(form.tolerance, 1e-4)
    assert found.abs().max() <= v.abs().max() * (1 + form.tolerance)


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS[:3])
def test_forks_order_and_threads_change_no_bit(form: Form, heads: int, groups: int, dim: int):
    lengths = (1, 15, 64, 65, 200)
    q, k, v = text(heads, groups, dim, sum(lengths))
    trunk = trunk_of(*text(heads, groups, dim, 100)[1:])
    parts = [x.split(lengths) for x in (q, k, v)]
    with threads(1):
        expected = [form.fork(*(x[i] for x in parts), [lengths[i]], [trunk]) for i in range(5)]
    for workers in (1, 2, 5, 7, 8):
        with threads(workers):
            for order in ([4, 3, 2, 1, 0], [0, 0, 4], [1, 3], [2, 4, 1, 0, 3]):
                packed = (torch.cat([x[i] for i in order]) for x in parts)
                together = form.fork(*packed, [lengths[i] for i in order], [trunk] * len(order))
                for index, found in zip(order, together.split([lengths[i] for i in order])):
                    assert torch.equal(found, expected[index]), (workers, order, index)


@settings(max_examples=25)
@given(st.lists(st.integers(1, 150), min_size=1, max_size=6), st.sampled_from(HEADS), st.sampled_from(FORMS))
def test_reading_in_parts_gives_the_bits_of_reading_at_once(
    lengths: list[int], heads: tuple[int, int, int], form: Form
):
    with at_most(form.level):
        q, k, v = text(*heads, sum(lengths))
        whole = form.fork(q, k, v, [sum(lengths)], [None])
        assert torch.equal(in_parts(form, q, k, v, lengths), whole)
        alone = [form.fork(q[:end], k[:end], v[:end], [end], [None])[-1] for end in (1, len(q) // 2 + 1, len(q))]
        assert all(torch.equal(row, whole[end - 1]) for row, end in zip(alone, (1, len(q) // 2 + 1, len(q))))


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS[:4])
def test_writing_token_by_token_gives_the_bits_of_reading(form: Form, heads: int, groups: int, dim: int):
    """Steps of several rows, each with its own keys so far; the trunk ends within a block of keys."""
    trunk_text, rows = text(heads, groups, dim, 100), [text(heads, groups, dim, 70) for _ in range(3)]
    trunk = trunk_of(*trunk_text[1:])
    read = [form.fork(q, k, v, [70], [trunk]) for q, k, v in rows]
    for workers in (1, 2, 5):
        with threads(workers):
            for seen in (1, 27, 28, 29, 70):
                own = [trunk_of(k[:seen], v[:seen]) for _, k, v in rows]
                step = torch.stack([q[seen - 1] for q, _, _ in rows])
                found = form.decode(step, own, [trunk] * 3)
                for row in range(3):
                    assert torch.equal(found[row], read[row][seen - 1]), (workers, seen, row)


def test_no_later_key_touches_a_query(form: Form):
    """Not even one that is not a number, in the same tile of queries and block of keys."""
    for heads, groups, dim in HEADS:
        q, k, v = text(heads, groups, dim, 90)
        trunk = trunk_of(*text(heads, groups, dim, 10)[1:])
        expected = form.fork(q, k, v, [90], [trunk])
        for place in (1, 37, 64, 89):
            broken_k, broken_v = k.clone(), v.clone()
            broken_k[place], broken_v[place] = math.nan, math.inf
            found = form.fork(q, broken_k, broken_v, [90], [trunk])
            assert torch.equal(found[:place], expected[:place]), (heads, place)
            assert not found[place:].isfinite().any()


def test_a_value_beyond_bfloat16_is_kept():
    """One that rounds to infinity, seen by the queries from its own on."""
    q, k, v = text(3, 1, 64, 40)
    v[7, 0, 5] = 3.4e38
    plain, rounded = (fork_attention(q, k, v, [40], [None], rounded=choice) for choice in (False, True))
    assert plain.isfinite().all()
    assert relative_error(rounded, plain) < 0.1
    assert relative_error(rounded[:7], plain[:7]) < 5e-3


def test_the_sum_of_scores(form: Form):
    """Log-sum-exp of each query's scores, over trunk and fork."""
    q, k, v = text(4, 2, 16, 75)
    trunk = trunk_of(*text(4, 2, 16, 130)[1:])
    found = torch.full((4, 75), math.nan)
    lengths, prefixes = (70, 5), [trunk, None]
    attention.fork_attention(q, k, v, lengths, prefixes, rounded=form.rounded, lse_NH=found.t())
    keys = torch.cat([trunk[0], k[:70].transpose(0, 1)], dim=1).repeat_interleave(2, dim=0)
    scores = q[:70].transpose(0, 1) @ keys.mT / 4
    hidden = torch.ones(70, 200, dtype=torch.bool).triu(131)
    expected = scores.masked_fill(hidden, -math.inf).logsumexp(dim=-1)
    assert float((found[:, :70] - expected).abs().max()) < (2e-2 if form.rounded else 1e-5)
    own = (q[70:].transpose(0, 1) @ k[70:].transpose(0, 1).repeat_interleave(2, dim=0).mT / 4).tril()
    assert float((found[:, 70] - own[:, 0, 0]).abs().max()) < (2e-2 if form.rounded else 1e-5)
