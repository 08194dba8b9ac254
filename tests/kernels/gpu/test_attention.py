"""Attention of rows over prefixes in place, and of single queries in a decode step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

pytest.importorskip("triton", reason="Triton is not installed: pip install triton")

from deg_core.kernels.gpu.attention import reference
from deg_core.kernels.gpu.attention.triton import fork_attention
from deg_core.kernels.gpu.decode_attention import reference as decode_reference
from deg_core.kernels.gpu.decode_attention import triton as decode
from deg_core.kernels.gpu.tables import SEGMENT, segment, to_device
from deg_core.kernels.testing import poisoned_memory, relative_error
from tests.kernels.gpu.rows import assert_each_alone, cut

HEADS = [(3, 1, 64), (4, 1, 128), (8, 1, 256), (4, 2, 16), (2, 2, 24)]
"""Query heads, key/value heads and head dim: groups of 3, 4 and 8, the dims of real models, and odd ones."""

LENGTHS = (1, 35, 17, 5)  # of the rows' own tokens
PREFIXES = (33, 0, 70, 33)  # rows 0 and 3 continue the same prefix, row 1 none
Keys = tuple[Tensor, Tensor]


@dataclass
class Rows:
    """Four rows, prefixes in room that is NaN behind them, and where they run."""

    q: Tensor
    k: Tensor
    v: Tensor
    prefixes: list[Keys | None]
    lengths: tuple[int, ...]

    def picked(self, rows: Sequence[int]) -> Rows:
        q, k, v = (cut(x, self.lengths, rows) for x in (self.q, self.k, self.v))
        return Rows(q, k, v, [self.prefixes[row] for row in rows], tuple(self.lengths[row] for row in rows))


def in_room(groups: int, tokens: int, dim: int, device: torch.device, dtype: torch.dtype) -> Keys:
    """Keys and values at the start of memory that has more."""
    k, v = (torch.full((groups, tokens + 9, dim), math.nan, device=device, dtype=dtype) for _ in range(2))
    for room in (k, v):
        room[:, :tokens] = torch.randn(groups, tokens, dim).to(device, dtype)
    return k[:, :tokens], v[:, :tokens]


def draw(heads: int, groups: int, dim: int, device: torch.device, dtype: torch.dtype) -> Rows:
    """Queries, keys and values as parts of one matrix, the way a fused projection gives them."""
    fused = torch.randn(sum(LENGTHS), heads + 2 * groups, dim).to(device, dtype)
    q, k, v = fused.split([heads, groups, groups], dim=1)
    shared = {tokens: in_room(groups, tokens, dim, device, dtype) for tokens in set(PREFIXES) if tokens}
    return Rows(q, k, v, [shared.get(tokens) for tokens in PREFIXES], LENGTHS)


def run(rows: Rows) -> Tensor:
    return fork_attention(rows.q, rows.k, rows.v, rows.lengths, rows.prefixes)


@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
def test_it_is_softmax_attention(
    heads: int, groups: int, dim: int, device: torch.device, dtype: torch.dtype, tolerance: float
):
    rows = draw(heads, groups, dim, device, dtype)
    with poisoned_memory():
        found = run(rows)
    expected = reference.fork_attention(rows.q, rows.k, rows.v, rows.lengths, rows.prefixes)
    assert found.dtype == dtype
    assert relative_error(found, expected) < tolerance


@pytest.mark.parametrize(("heads", "groups", "dim"), [(3, 1, 64), (4, 2, 16)])
def test_a_rows_bits_are_its_own(heads: int, groups: int, dim: int, device: torch.device, served: torch.dtype):
    rows = draw(heads, groups, dim, device, served)
    assert_each_alone(lambda picked: run(rows.picked(picked)).split([LENGTHS[row] for row in picked]))


def test_what_comes_behind_a_token_is_nothing_to_it(device: torch.device, served: torch.dtype):
    """A row cut short has the bits of the whole one: blocks that a query may not see are exact no-ops."""
    rows = draw(3, 1, 64, device, served).picked([2])
    whole = run(rows)
    for length in (1, 16):
        q, k, v = (x[:length] for x in (rows.q, rows.k, rows.v))
        assert torch.equal(fork_attention(q, k, v, (length,), rows.prefixes), whole[:length]), length


def test_rows_may_be_as_long_as_several_blocks(device: torch.device):
    q, k, v = (torch.randn(130, heads, 16).to(device) for heads in (2, 1, 1))
    found = fork_attention(q, k, v, (130,), [None])
    assert relative_error(found, reference.fork_attention(q, k, v, (130,), [None])) < 2e-6


@dataclass
class Steps:
    """One query a row, what it has written itself, and its prefix."""

    q: Tensor
    own: list[Keys]
    prefixes: list[Keys | None]

    def run(self, rows: Sequence[int]) -> Tensor:
        q = self.q[list(rows)]
        return decode.decode_attention(q, [self.own[row] for row in rows], [self.prefixes[row] for row in rows])


@pytest.fixture
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few tokens, so that short rows have several."""
    monkeypatch.setattr(decode, "PART", 32)


def draw_steps(heads: int, groups: int, dim: int, device: torch.device, dtype: torch.dtype) -> Steps:
    rows = draw(heads, groups, dim, device, dtype)
    own = [in_room(groups, tokens, dim, device, dtype) for tokens in LENGTHS]
    return Steps(rows.q[: len(own)], own, rows.prefixes)


@pytest.mark.usefixtures("_small_parts")
@pytest.mark.parametrize(("heads", "groups", "dim"), HEADS)
def test_decode_is_softmax_attention(
    heads: int, groups: int, dim: int, device: torch.device, dtype: torch.dtype, tolerance: float
):
    steps = draw_steps(heads, groups, dim, device, dtype)
    with poisoned_memory():
        found = steps.run(range(4))
    assert relative_error(found, decode_reference.decode_attention(steps.q, steps.own, steps.prefixes)) < tolerance


@pytest.mark.usefixtures("_small_parts")
def test_decode_a_rows_bits_are_its_own(device: torch.device, served: torch.dtype):
    steps = draw_steps(3, 1, 64, device, served)
    assert_each_alone(lambda picked: list(steps.run(picked)))


@pytest.mark.usefixtures("_small_parts")
def test_decode_may_be_made_for_longer_rows(device: torch.device):
    """A recorded step is launched for the longest rows that it may see."""
    steps = draw_steps(4, 2, 16, device, torch.float32)
    pairs = zip(steps.prefixes, steps.own, strict=True)
    table = to_device([n for pair in pairs for keys in pair for n in segment(keys)], 2 * SEGMENT, device)
    expected = steps.run(range(4))
    with poisoned_memory():
        assert torch.equal(decode.attend_rows(steps.q, table, 2, prefix_parts=4, own_parts=3), expected)


def test_keys_are_appended_in_place(device: torch.device, dtype: torch.dtype):
    own = [in_room(2, tokens, 24, device, dtype) for tokens in LENGTHS]
    before = [[part.clone() for part in pair] for pair in own]
    k, v = torch.randn(4, 6, 24).to(device, dtype).split([2, 4], dim=1)
    table = to_device([n for pair in own for n in (*segment(None), *segment(pair))], 2 * SEGMENT, device)
    decode.append_keys(k, v[:, :2], table)
    for row, pair in enumerate(own):
        for part, old, new in zip(pair, before[row], (k[row], v[row, :2]), strict=True):
            assert torch.equal(part[:, -1], new)
            assert torch.equal(part[:, :-1], old[:, :-1])


def test_keys_that_cannot_be_read_in_place_are_refused(device: torch.device):
    good = torch.zeros(2, 3, 16, device=device)
    for k, v in ((good.transpose(1, 2), good), (good[:, :, 1:9], good[:, :, 1:9]), (good, good.double())):
        with pytest.raises(ValueError, match="cannot be read in place"):
            segment((k, v))
    q = torch.zeros(1, 2, 16, device=device)
    with pytest.raises(ValueError, match=r"a prefix is torch\.float64 where"):
        fork_attention(q, q, q, (1,), [(good.double(), good.double())])
