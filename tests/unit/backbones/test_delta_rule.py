"""The chunked delta rule against the rule itself, token by token; the short convolution against its definition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import normalize

from deg_backbones.common.short_conv import causal_conv
from deg_backbones.qwen3_5.delta_rule import CHUNK, GRID, gated_delta_rule, padded_length
from deg_core.kernels.testing import THREADS, relative_error, threads

Row = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def token_by_token(q: Tensor, k: Tensor, v: Tensor, g: Tensor, beta: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """The recurrence as it is written down, in float64."""
    q, k, v, g, beta, state = (x.double() for x in (q, k, v, g, beta, state))
    out = []
    for t in range(q.shape[0]):
        state = state * g[t].exp()[:, None, None]
        written = (v[t] - torch.einsum("hkv,hk->hv", state, k[t])) * beta[t][:, None]
        state = state + torch.einsum("hk,hv->hkv", k[t], written)
        out.append(torch.einsum("hkv,hk->hv", state, q[t]))
    return torch.stack(out), state


def row(tokens: int, *, heads: int = 2, keys: int = 16, values: int = 8, seed: int = 0) -> Row:
    torch.manual_seed(seed)
    q, k = (normalize(torch.randn(tokens, heads, keys), dim=-1) for _ in range(2))
    v, state = torch.randn(tokens, heads, values), torch.randn(heads, keys, values)
    speed = torch.tensor([0.001, 3.0]).repeat(heads)[:heads]  # a head that remembers, a head that forgets
    return q * keys**-0.5, k, v, -torch.rand(tokens, heads) * speed, torch.rand(tokens, heads), state


@given(st.integers(1, 200), st.integers(1, 3), st.sampled_from([4, 16, 24]), st.sampled_from([4, 8, 20]))
def test_it_is_the_rule(tokens: int, heads: int, keys: int, values: int):
    made = row(tokens, heads=heads, keys=keys, values=values, seed=tokens)
    found, expected = gated_delta_rule(*made), token_by_token(*made)
    assert relative_error(found[0], expected[0]) < 1e-5
    assert relative_error(found[1], expected[1]) < 1e-5


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_the_same_key_over_and_over(noise: float):
    """Nothing forgotten, everything overwritten: the system to solve is as far from the identity as it gets."""
    q, k, v, g, beta, state = row(200)
    k = normalize(k[:1] + noise * torch.randn_like(k), dim=-1)
    made = (q, k, v, torch.zeros_like(g), torch.full_like(beta, 0.999), state)
    found, expected = gated_delta_rule(*made), token_by_token(*made)
    assert relative_error(found[0], expected[0]) < 1e-5
    assert relative_error(found[1], expected[1]) < 1e-5


def test_a_decay_that_underflows_is_forgetting():
    q, k, v, g, beta, state = row(70)
    made = (q, k, v, torch.full_like(g, -200.0), beta, state)
    found, expected = gated_delta_rule(*made), token_by_token(*made)
    assert relative_error(found[0], expected[0]) < 1e-5
    assert torch.isfinite(found[1]).all()


@given(st.integers(1, 3), st.integers(1, 130))
def test_a_row_cut_on_the_grid_has_the_bits_of_the_whole(chunks: int, rest: int):
    made = row(chunks * CHUNK + rest)
    whole, after = gated_delta_rule(*made)
    cut = chunks * CHUNK
    first, between = gated_delta_rule(*(x[:cut] for x in made[:5]), made[5])
    second, end = gated_delta_rule(*(x[cut:] for x in made[:5]), between)
    assert torch.equal(torch.cat([first, second]), whole)
    assert torch.equal(end, after)


@given(st.integers(1, 100), st.integers(1, 100))
def test_a_row_cut_anywhere_agrees(first: int, second: int):
    made = row(first + second)
    whole, after = gated_delta_rule(*made)
    part, between = gated_delta_rule(*(x[:first] for x in made[:5]), made[5])
    rest, end = gated_delta_rule(*(x[first:] for x in made[:5]), between)
    assert relative_error(torch.cat([part, rest]), whole) < 1e-5
    assert relative_error(end, after) < 1e-5


@pytest.mark.parametrize("sizes", [(16, 128, 128), (3, 12, 20), (1, 8, 8)])
def test_threads_change_no_bit(sizes: tuple[int, int, int]):
    heads, keys, values = sizes
    for tokens in (1, 5, 37, 64, 130):
        made = row(tokens, heads=heads, keys=keys, values=values)
        results = []
        for count in THREADS:
            with threads(count):
                results.append(gated_delta_rule(*made))
        assert all(torch.equal(out, results[0][0]) and torch.equal(end, results[0][1]) for out, end in results)


def test_where_the_operands_lie_changes_no_bit():
    """A row is a view into the tokens of all rows, at any offset."""
    made = row(37)
    expected = gated_delta_rule(*made)
    for offset in (1, 2, 3, 5):
        moved = [torch.cat([torch.randn(offset, *x.shape[1:]), x])[offset:] for x in made[:5]]
        found = gated_delta_rule(*moved, made[5])
        assert torch.equal(found[0], expected[0])
        assert torch.equal(found[1], expected[1])


def test_a_later_token_changes_no_earlier_one():
    made = row(50)
    other = row(50, seed=1)
    expected, _ = gated_delta_rule(*made)
    mixed = [torch.cat([x[:31], y[31:]]) for x, y in zip(made[:5], other[:5], strict=True)]
    found, _ = gated_delta_rule(*mixed, made[5])
    assert relative_error(found[:31], expected[:31]) < 1e-6
    assert relative_error(found[31:], expected[31:]) > 0.1


def test_states_are_only_read():
    made = row(20)
    before = [x.clone() for x in made]
    gated_delta_rule(*made)
    assert all(torch.equal(x, y) for x, y in zip(made, before, strict=True))


@pytest.mark.parametrize(("length", "padded"), [(1, 1), (2, GRID), (GRID, GRID), (GRID + 1, 2 * GRID), (CHUNK, CHUNK)])
def test_padding_follows_the_rows_own_length(length: int, padded: int):
    assert padded_length(length) == padded


# The short convolution


def convolved(x: Sequence[Tensor], taps: Tensor, tail: Tensor) -> Tensor:
    """One row by the definition."""
    line = torch.cat([tail, *x])
    return torch.stack([(line[t : t + len(taps)] * taps).sum(0) for t in range(len(line) - len(taps) + 1)])


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(2, 5), st.data())
def test_each_row_is_convolved_from_its_own_tail(lengths: list[int], taps_count: int, data: st.DataObject):
    taps = torch.randn(taps_count, 6)
    tails = [torch.randn(taps_count - 1, 6) if data.draw(st.booleans()) else None for _ in lengths]
    rows = [torch.randn(length, 6) for length in lengths]
    y, after = causal_conv(torch.cat(rows), taps, tails, lengths)
    zeros = torch.zeros(taps_count - 1, 6)
    for row_, tail, found, kept in zip(rows, tails, y.split(lengths), after, strict=True):
        before = zeros if tail is None else tail
        assert torch.allclose(found, convolved([row_], taps, before), atol=1e-5)
        assert torch.equal(kept, torch.cat([before, row_])[-len(before) :])


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5))
def test_pieces_of_a_row_have_the_bits_of_the_whole(lengths: list[int]):
    x, taps = torch.randn(sum(lengths), 7), torch.randn(4, 7)
    whole, (end,) = causal_conv(x, taps, [None], [len(x)])
    tail: Tensor | None = None
    parts = []
    for piece in x.split(lengths):
        y, (tail,) = causal_conv(piece, taps, [tail], [len(piece)])
        parts.append(y)
    assert torch.equal(torch.cat(parts), whole)
    assert torch.equal(tail, end)
