"""Attention of a decode step: the plain softmax in value, and each row's bits its own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from deg_core.kernels.attention import decode_attention
from deg_core.kernels.testing import poisoned_memory, relative_error, threads

Pair = tuple[Tensor, Tensor]
HEADS = [(1, 1, 16), (4, 4, 16), (6, 2, 24), (8, 2, 32), (9, 3, 64)]  # query heads, key/value heads, head dim
OWN = (1, 16, 17, 90, 16, 300)  # tokens that each row has of its own
SHARED = (700, 37, 700, 700, 37, 1)  # tokens of what it continues


def rows(heads: int, groups: int, dim: int) -> tuple[Tensor, list[Pair], list[Pair]]:
    """Queries, own keys and values in room that is larger than they are, and trunks, equal lengths being one trunk."""
    trunks = {length: trunk(groups, length, dim) for length in sorted(set(SHARED))}
    own = [tuple(part[:, :length] for part in trunk(groups, length + 9, dim)) for length in OWN]
    return torch.randn(len(OWN), heads, dim), own, [trunks[length] for length in SHARED]


def trunk(groups: int, length: int, dim: int) -> Pair:
    k, v = torch.randn(2, groups, length, dim).unbind()
    return k, v


def run(given: tuple[Tensor, list[Pair], list[Pair]], picked: Sequence[int]) -> Tensor:
    q, own, trunks = given
    return decode_attention(q[list(picked)], [own[row] for row in picked], [trunks[row] for row in picked])


def plain(q_HK: Tensor, own: Pair, shared: Pair) -> Tensor:
    """Softmax attention of one query over everything, in float64."""
    repeat = q_HK.shape[0] // own[0].shape[0]
    k, v = (torch.cat(pair, dim=1).double().repeat_interleave(repeat, dim=0) for pair in zip(shared, own, strict=True))
    scores = torch.einsum("hk,hpk->hp", q_HK.double(), k) / math.sqrt(q_HK.shape[1])
    return torch.einsum("hp,hpk->hk", scores.softmax(-1), v)


@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
def test_it_is_softmax_attention(heads: int, groups: int, dim: int):
    given = rows(heads, groups, dim)
    with poisoned_memory():
        found = run(given, range(len(OWN)))
    for row, result in enumerate(found):
        assert relative_error(result, plain(given[0][row], given[1][row], given[2][row])) < 1e-5


@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
def test_a_rows_bits_are_its_own(heads: int, groups: int, dim: int):
    given = rows(heads, groups, dim)
    with threads(1):
        expected = run(given, range(len(OWN)))
    for workers in (1, 2, 5, 7, 8):
        with threads(workers):
            for picked in ([0], [1], [3], [5], [2, 0], [4, 5, 1], [5, 4, 3, 2, 1, 0], [3, 3, 3]):
                assert torch.equal(run(given, picked), expected[picked]), (workers, picked)


@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
def test_where_keys_and_values_lie_does_not_matter(heads: int, groups: int, dim: int):
    """Room behind them and steps between them are memory, not numbers."""
    q, own, trunks = rows(heads, groups, dim)
    expected = decode_attention(q, own, trunks)

    def moved(pair: Pair, spare: int) -> Pair:
        room = [torch.full((groups, part.shape[1] + spare, dim), math.nan) for part in pair]
        for kept, part in zip(room, pair, strict=True):
            kept[:, : part.shape[1]] = part
        k, v = (kept[:, : part.shape[1]] for kept, part in zip(room, pair, strict=True))
        return k, v

    for spare in (0, 1, 7, 64):
        for workers in (1, 2):
            with threads(workers):
                found = decode_attention(q, [moved(o, spare) for o in own], [moved(t, spare) for t in trunks])
                assert torch.equal(found, expected), (spare, workers)
