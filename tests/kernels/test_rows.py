"""Tiled products, pieces, norms and rotations: a row's bits are its own."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn.functional import silu

from deg_core.kernels.linear import TILE, tiled_linear
from deg_core.kernels.norm import rms_norm
from deg_core.kernels.pieces import PIECE, in_pieces
from deg_core.kernels.rotary import rotate
from deg_core.kernels.testing import (
    assert_row_independent,
    poisoned_memory,
    relative_error,
    row_mismatches,
    threads,
)


@pytest.mark.parametrize(("k", "m"), [(64, 112), (576, 40), (16, 16), (100, 7)])
def test_tiled_rows_are_independent(k: int, m: int):
    weight, rows = torch.randn(m, k), torch.randn(265, k)
    assert_row_independent(lambda x: tiled_linear(x, weight), rows)


@pytest.mark.parametrize("rows", [0, 1, TILE - 1, TILE, TILE + 1, 3 * TILE])
def test_tiles_are_the_plain_product(rows: int):
    x, weight = torch.randn(rows, 64), torch.randn(48, 64)
    with poisoned_memory():
        found = tiled_linear(x, weight)
    assert found.shape == (rows, 48)
    assert rows == 0 or relative_error(found, x.double() @ weight.double().t()) < 1e-6


@pytest.mark.parametrize("function", [torch.sigmoid, silu, torch.exp], ids=["sigmoid", "silu", "exp"])
def test_pieces_do_not_depend_on_size_or_threads(function: Callable[[Tensor], Tensor]):
    x = torch.randn(2 * PIECE + 333)
    with threads(1):
        expected = in_pieces(function, x)
    for workers in (1, 2, 5, 7, 8):
        with threads(workers):
            for size in (1, 3, 17, 1000, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 333):
                assert torch.equal(in_pieces(function, x[:size]), expected[:size]), (workers, size)
            assert torch.equal(in_pieces(function, x[77:1234]), expected[77:1234]), workers
    assert torch.allclose(expected, function(x), rtol=1e-6, atol=1e-7)


def test_pieces_take_any_layout_and_leave_it_alone():
    x = torch.randn(12, 40)
    kept = x.clone()
    with poisoned_memory():
        assert torch.equal(in_pieces(silu, x.t()), in_pieces(silu, x).t())
        assert torch.equal(in_pieces(silu, x.chunk(2, dim=1)[1]), in_pieces(silu, x)[:, 20:])
    assert torch.equal(x, kept)
    assert in_pieces(silu, torch.empty(0, 4)).shape == (0, 4)


def test_a_gradient_is_of_one_call():
    """A piece by itself would bring a copy of the whole gradient."""
    x = torch.randn(3 * PIECE, requires_grad=True)
    y = in_pieces(silu, x)
    assert y.grad_fn is not None
    assert y.grad_fn.name().startswith("Silu")
    with torch.no_grad():
        assert torch.allclose(in_pieces(silu, x), y, atol=1e-6)


@pytest.mark.parametrize("width", [64, 100, 576])
def test_norm_rows_are_independent(width: int):
    weight = torch.randn(width)
    assert_row_independent(lambda x: rms_norm(x, weight, 1e-5), torch.randn(265, width) * 3)


def test_norm_is_the_formula():
    x, weight = torch.randn(9, 48) * 5, torch.randn(48)
    wanted = x.double() / (x.double().square().mean(1, keepdim=True) + 1e-5).sqrt() * weight.double()
    assert relative_error(rms_norm(x, weight, 1e-5), wanted) < 1e-6
    low = rms_norm(x.bfloat16(), weight, 1e-5)
    assert low.dtype == torch.bfloat16
    assert relative_error(low, wanted) < 1e-2


def test_rotated_rows_are_independent():
    angles = torch.randn(265, 8)
    packed = torch.cat([torch.randn(265, 3 * 16), angles.cos(), angles.sin()], dim=1)

    def run(rows: Tensor) -> Tensor:
        x, cos, sin = rows.split([48, 8, 8], dim=1)
        return rotate(x.unflatten(1, (3, 16)), cos, sin).flatten(1)

    assert_row_independent(run, packed)


def test_rotation_turns_each_pair_and_keeps_its_length():
    angle = 0.7
    x = torch.tensor([[[1.0, 2.0, 3.0, 4.0]]])
    cos, sin = torch.tensor([[math.cos(angle), 1.0]]), torch.tensor([[math.sin(angle), 0.0]])
    turned = rotate(x, cos, sin)[0, 0]
    wanted = [math.cos(angle) - 3 * math.sin(angle), 2.0, 3 * math.cos(angle) + math.sin(angle), 4.0]
    assert torch.allclose(turned, torch.tensor(wanted))


def test_scores_depend_on_the_distance_alone():
    """Rotated queries and keys meet in the difference of their positions (the point of the embedding)."""
    q, k = torch.randn(1, 1, 8), torch.randn(1, 1, 8)
    steps = torch.tensor([1.0, 0.3, 0.1, 0.01])

    def at(x: Tensor, position: float) -> Tensor:
        return rotate(x, (steps * position).cos()[None], (steps * position).sin()[None]).flatten()

    assert torch.allclose(at(q, 9) @ at(k, 4), at(q, 105) @ at(k, 100), atol=1e-4)


@pytest.mark.parametrize(
    "broken",
    [
        lambda x: x - x.mean(dim=0),
        lambda x: x + x.shape[0],
        lambda x: x + torch.arange(len(x))[:, None],
        lambda x: x + torch.get_num_threads(),
    ],
    ids=["neighbours", "count", "place", "threads"],
)
def test_the_harness_sees_each_kind_of_dependence(broken: Callable[[Tensor], Tensor]):
    rows = torch.randn(20, 4)
    assert row_mismatches(broken, rows, counts=(1, 3), thread_counts=(1, 2))
    with pytest.raises(AssertionError, match="rows are not independent"):
        assert_row_independent(broken, rows, counts=(1, 3), thread_counts=(1, 2))


def test_the_harness_passes_what_is_independent_and_restores_the_threads():
    before = torch.get_num_threads()
    assert row_mismatches(lambda x: x * 2, torch.randn(20, 4)) == []
    assert torch.get_num_threads() == before


def test_poisoned_memory_shows_unwritten_values():
    with poisoned_memory():
        assert torch.empty(8).isnan().all()
    assert not torch.are_deterministic_algorithms_enabled()


@pytest.mark.parametrize("terms", [384, 700, 960, 1536])
def test_long_sums_do_not_depend_on_threads(terms: int):
    generator = torch.Generator().manual_seed(0)
    x, weight = torch.randn(70, terms, generator=generator), torch.randn(576, terms, generator=generator)
    with threads(1):
        expected = tiled_linear(x, weight)
    for workers in (2, 5, 7, 8):
        with threads(workers):
            assert torch.equal(tiled_linear(x, weight), expected), workers
