"""Fork attention: the plain softmax in value, and each fork's bits its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from deg_core.kernels.attention import GRID, fork_attention, padded_length
from deg_core.kernels.testing import poisoned_memory, relative_error, threads

LENGTHS = (15, 16, 17, 33, 1, 40, 16, 100)
Trunk = tuple[Tensor, Tensor] | None
HEADS = [(1, 1, 16), (4, 4, 16), (6, 2, 16), (8, 2, 32), (3, 1, 64)]  # query heads, key/value heads, head dim


@dataclass
class Forks:
    """Random forks laid end to end."""

    q: Tensor
    k: Tensor
    v: Tensor
    lengths: tuple[int, ...]

    @classmethod
    def random(cls, heads: int, groups: int, dim: int, lengths: Sequence[int] = LENGTHS) -> Forks:
        total = sum(lengths)
        return cls(torch.randn(total, heads, dim), *torch.randn(2, total, groups, dim), tuple(lengths))

    def row(self, index: int) -> tuple[Tensor, Tensor, Tensor]:
        start = sum(self.lengths[:index])
        return tuple(x[start : start + self.lengths[index]] for x in (self.q, self.k, self.v))

    def pick(self, order: Sequence[int]) -> Forks:
        parts = zip(*(self.row(index) for index in order))
        return Forks(*(torch.cat(part) for part in parts), tuple(self.lengths[index] for index in order))

    def run(self, *trunks: Trunk) -> list[Tensor]:
        """Outputs by fork; one trunk is every fork's."""
        named = trunks * len(self.lengths) if len(trunks) == 1 else trunks
        return list(fork_attention(self.q, self.k, self.v, self.lengths, named).split(self.lengths))


def trunk_of(groups: int, dim: int, tokens: int) -> tuple[Tensor, Tensor]:
    return tuple(torch.randn(2, groups, tokens, dim).unbind())


def plain(q: Tensor, k: Tensor, v: Tensor, trunk: Trunk) -> Tensor:
    """Softmax attention of one fork over trunk and itself, in float64, one loop a query."""
    repeat = q.shape[1] // k.shape[1]
    if trunk is not None:
        k, v = (torch.cat([shared.transpose(0, 1), own]) for shared, own in zip(trunk, (k, v)))
    k, v = (x.double().repeat_interleave(repeat, dim=1) for x in (k, v))
    before = len(k) - len(q)
    rows = []
    for place, query in enumerate(q.double()):
        seen = before + place + 1
        scores = torch.einsum("hk,phk->hp", query, k[:seen]) / math.sqrt(q.shape[-1])
        rows.append(torch.einsum("hp,phk->hk", scores.softmax(-1), v[:seen]))
    return torch.stack(rows)


@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
@pytest.mark.parametrize("tokens", [None, 1, 37, 600])
def test_it_is_softmax_attention(heads: int, groups: int, dim: int, tokens: int | None):
    forks = Forks.random(heads, groups, dim, (15, 33, 1))
    trunk = trunk_of(groups, dim, tokens) if tokens else None
    with poisoned_memory():
        found = forks.run(trunk)
    for index, result in enumerate(found):
        assert relative_error(result, plain(*forks.row(index), trunk)) < 1e-5


@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
@pytest.mark.parametrize("tokens", [None, 37], ids=["no trunk", "trunk"])
def test_neighbours_order_and_threads_change_no_bit(heads: int, groups: int, dim: int, tokens: int | None):
    forks = Forks.random(heads, groups, dim)
    trunk = trunk_of(groups, dim, tokens) if tokens else None
    with threads(1):
        expected = forks.run(trunk)
    orders = [[index] for index in range(len(LENGTHS))]
    orders += [[7, 6, 5, 4, 3, 2, 1, 0], [1, 6], [6, 1, 0], [4, 7], [2, 2, 2]]
    for workers in (1, 2, 5, 8):
        with threads(workers):
            for order in orders:
                for index, result in zip(order, forks.pick(order).run(trunk)):
                    assert torch.equal(result, expected[index]), (workers, order, index)


def test_forks_of_several_trunks_run_together():
    trunks = [trunk_of(2, 16, 37), None, trunk_of(2, 16, 5)]
    own = [trunks[index % 3] for index in range(len(LENGTHS))]
    forks = Forks.random(6, 2, 16)
    found = forks.run(*own)
    for index, trunk in enumerate(own):
        (alone,) = forks.pick([index]).run(trunk)
        assert torch.equal(found[index], alone), index
        assert relative_error(alone, plain(*forks.row(index), trunk)) < 1e-5


def test_other_forks_content_cannot_leak():
    """Not even infinities: a fork never touches another one's rows."""
    forks, trunk = Forks.random(4, 2, 16, (16, 16, 5)), trunk_of(2, 16, 20)
    expected = forks.run(trunk)
    start = forks.lengths[0]
    for x in (forks.q, forks.k, forks.v):
        x[start : start + 16] = float("nan")
    found = forks.run(trunk)
    assert torch.equal(found[0], expected[0])
    assert torch.equal(found[2], expected[2])
    assert found[1].isnan().all()


def test_a_later_token_changes_no_earlier_one():
    forks, trunk = Forks.random(4, 2, 16, (33,)), trunk_of(2, 16, 20)
    (expected,) = forks.run(trunk)
    for x in (forks.q, forks.k, forks.v):
        x[20] += 1
    (found,) = forks.run(trunk)
    assert torch.equal(found[:20], expected[:20])
    assert not torch.equal(found[20:], expected[20:])


def test_the_trunk_is_only_read():
    trunk = trunk_of(2, 16, 20)
    kept = [part.clone() for part in trunk]
    Forks.random(4, 2, 16, (3, 18)).run(trunk)
    assert all(torch.equal(a, b) for a, b in zip(trunk, kept))


@pytest.mark.parametrize(("length", "padded"), [(1, 16), (15, 16), (16, 16), (17, 32), (32, 32), (33, 48)])
def test_padding_follows_the_forks_own_length(length: int, padded: int):
    assert padded_length(length) == padded
    assert padded % GRID == 0


def test_neighbours_across_the_kernels_block_sizes_change_no_bit():
    """The kernel takes other blocks of queries from 192 and 768 tokens on, so padding a fork to its longest neighbour
    would change its bits there and nowhere below."""
    lengths = (20, 200, 800, 37)
    forks = Forks.random(9, 3, 64, lengths)
    trunk = (torch.randn(3, 333, 64), torch.randn(3, 333, 64))
    together = fork_attention(forks.q, forks.k, forks.v, lengths, [trunk] * len(lengths)).split(lengths)
    for index, length in enumerate(lengths):
        assert torch.equal(fork_attention(*forks.row(index), (length,), [trunk]), together[index]), length
