"""The compiled kernels against what they stand for: values, unwritten memory, every row by itself, at every level."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import silu

from deg_core.kernels import int8
from deg_core.kernels.copying import copy_rows
from deg_core.kernels.gated import silu_mul
from deg_core.kernels.linear import DenseWeight, dense_linear
from deg_core.kernels.native import LEVELS, at_most, available, dense, product, rows
from deg_core.kernels.norm import rms_norm
from deg_core.kernels.rotary import rotate
from deg_core.kernels.testing import assert_row_independent, poisoned_memory, relative_error, threads

pytestmark = pytest.mark.skipif(not available(), reason="the compiled kernels are not installed, or off")

COUNTS = (1, 63, 265)
WIDTHS = (16, 64, 96, 100, 128, 7)
EDGES = (1, 31, 33, 193)


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    with at_most(request.param) as used:
        if used != request.param:
            pytest.skip(f"this processor has no {request.param}")
        yield used


@pytest.fixture
def split(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small work is divided over threads too."""
    monkeypatch.setattr(rows, "_ALONE", 0)
    monkeypatch.setattr(product, "_ALONE", 0)
    monkeypatch.setattr(dense, "_ALONE", 0)


def without(function, *arguments):
    with at_most("0"):
        return function(*arguments)


def test_codes_are_those_of_the_torch_form_to_the_bit(level: str):
    for count, width in itertools.product((0, *COUNTS), (*WIDTHS, 1536)):
        x = torch.randn(count, width) * torch.logspace(-20, 20, count)[:, None]
        x[: count // 9] = 0
        with poisoned_memory():
            codes, scale = int8.quantize_rows(x)
        expected, expected_scale = without(int8.quantize_rows, x)
        assert torch.equal(codes, expected), (count, width)
        assert torch.equal(scale, expected_scale), (count, width)


def test_codes_round_ties_to_even_and_no_quotient_is_off(level: str):
    """Rows of values at, just below and just above where rounding turns, with many different divisors."""
    peak = torch.rand(500, 1) * 3 + 0.1
    halves = (torch.arange(-127, 127) + 0.5) / 127 * peak
    x = torch.cat([peak, halves, torch.nextafter(halves, peak), torch.nextafter(halves, -peak)], dim=1)
    assert torch.equal(int8.quantize_rows(x)[0], without(int8.quantize_rows, x)[0])
    ties = torch.tensor([[127.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5]])
    assert int8.quantize_rows(ties)[0].tolist() == [[127, 0, 2, 2, 0, -2, -2]]


def test_a_row_that_is_not_a_number_stays_so(level: str):
    x = torch.randn(3, 80)
    x[1, 17], x[2, 79] = math.nan, math.inf
    weight = int8.quantize_weight(torch.randn(48, 80))
    found = int8.int8_linear(x, weight)
    assert torch.equal(found[0], int8.int8_linear(x[:1], weight)[0])
    assert not found[1:].isfinite().any()


def test_products_are_exact(level: str):
    for n, k, m in [(1, 64, 32), (63, 96, 33), (65, 100, 7), (40, 1040, 112), (300, 576, 16)]:
        x, weight = torch.randn(n, k), int8.quantize_weight(torch.randn(m, k))
        x[0] = x[0].sign() * 3  # codes as large as they go
        weight.codes_KM[:, 0] = 127
        with poisoned_memory():
            found = int8.int8_linear(x, weight)
        codes, scale = without(int8.quantize_rows, x)
        sums = codes.long() @ weight.codes_KM.long()
        assert torch.equal(found, sums.float() * scale * weight.scale_M), (n, k, m)


@settings(max_examples=20)
@given(st.integers(1, 200), st.integers(1, 70))
def test_packed_codes_come_back(k: int, m: int):
    codes = torch.randint(-127, 128, (m, k), dtype=torch.int8)
    for form in (codes.t().contiguous(), codes.t()):
        weight = int8.QuantizedWeight(form, torch.ones(m)).keep_packed()
        assert torch.equal(weight.codes_KM, form)
        assert weight.codes_KM.shape == (k, m)


def test_norm_and_residual_in_one_go_are_those_in_steps(level: str):
    for width in WIDTHS:
        x, onto, norm = torch.randn(65, width), torch.randn(65, 48), (torch.rand(width), 1e-5)
        weight = int8.quantize_weight(torch.randn(48, width))
        with poisoned_memory():
            found = int8.int8_linear(x, weight, norm=norm, onto=onto)
        assert torch.equal(found, onto + int8.int8_linear(rms_norm(x, *norm), weight)), width


@pytest.mark.parametrize(("width", "hidden"), [(64, 112), (96, 48), (100, 16), (24, 40)])
def test_feed_forward_in_one_go_is_that_in_steps(level: str, width: int, hidden: int):
    for count in (*COUNTS, 400):
        x, norm = torch.randn(count, width), (torch.rand(width), 1e-5)
        gate_up = int8.quantize_weight(torch.randn(2 * hidden, width))
        down = int8.quantize_weight(torch.randn(width, hidden))
        with poisoned_memory():
            found = int8.int8_feed_forward(x, norm, gate_up, down)
        gate, up = int8.int8_linear(rms_norm(x, *norm), gate_up).chunk(2, dim=1)
        assert torch.equal(found, x + int8.int8_linear(silu_mul(gate, up), down)), count


def test_values_are_those_of_the_torch_forms(level: str):
    for count, width in itertools.product(COUNTS, WIDTHS):
        x, weight = torch.randn(count, width) * 3, torch.randn(width)
        gate, up = torch.randn(count, 2 * width).mul_(8).chunk(2, dim=1)
        even = width + width % 2
        heads, angles = torch.randn(count, 5, 2 * even)[:, 1:4, :even], torch.randn(count, even // 2)
        cases = [
            (rms_norm, x, weight, 1e-5),
            (rms_norm, heads, torch.randn(even), 1e-5),
            (silu_mul, gate, up),
            (rotate, heads, angles.cos(), angles.sin()),
        ]
        for function, *arguments in cases:
            with poisoned_memory():
                found = function(*arguments)
            assert relative_error(found, without(function, *arguments)) < 1e-6, (function, count, width)


def test_silu_is_accurate_and_has_its_limits(level: str):
    gate = torch.cat([torch.linspace(-80, 90, 100_001), torch.randn(999)])[None]
    found = silu_mul(gate, torch.ones_like(gate))
    exact = silu(gate.double())
    assert ((found - exact).abs() <= 1e-6 * exact.abs()).all()
    gate = torch.tensor([[math.inf, -math.inf, 0.0, -0.0, 3e38, -3e38, -100.0, math.nan]])
    found = silu_mul(gate, torch.ones_like(gate))[0]
    assert found[:7].tolist() == pytest.approx([math.inf, 0, 0, 0, 3e38, 0, 0], abs=1e-37, rel=1e-6)
    assert found[7].isnan()


@pytest.mark.usefixtures("split")
def test_rows_are_independent(level: str):
    width = 96
    weight = int8.quantize_weight(torch.randn(80, width))
    gate_up, down = int8.quantize_weight(torch.randn(96, width)), int8.quantize_weight(torch.randn(width, 48))
    norm = (torch.rand(width), 1e-5)
    half = torch.randn(265, width // 6)

    def turned(x: Tensor) -> Tensor:
        angles = x[:, : width // 6]
        return rotate(x.unflatten(1, (3, -1)), angles.cos(), angles.sin()).flatten(1)

    functions = [
        lambda x: int8.int8_linear(x, weight),
        lambda x: int8.int8_feed_forward(x, norm, gate_up, down),
        lambda x: rms_norm(x, *norm),
        lambda x: rms_norm(x.unflatten(1, (3, -1)), norm[0][: width // 3], 1e-5).flatten(1),
        lambda x: silu_mul(*x.chunk(2, dim=1)),
        turned,
    ]
    stretched = torch.randn(265, width) * torch.cat([half.abs(), half.abs()], dim=1).repeat(1, 3)
    for function in functions:
        assert_row_independent(function, stretched, counts=EDGES)


def test_copies_go_from_layout_to_layout(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rows, "_ALONE_COPIED", 0)
    source = torch.randn(37, 5, 20)
    for workers in (1, 2, 5):
        room = torch.full((5, 50, 20), math.nan)
        with threads(workers):
            copy_rows(source[:, 1:4, :16].transpose(0, 1), room[1:4, 10:47, :16])
        assert torch.equal(room[1:4, 10:47, :16], source[:, 1:4, :16].transpose(0, 1))
        assert int(room.isfinite().sum()) == 37 * 3 * 16
    narrow = torch.zeros(4, 6, dtype=torch.float64)
    copy_rows(torch.ones(4, 6, dtype=torch.float64), narrow)
    assert narrow.all()


def test_what_needs_a_gradient_takes_the_torch_form(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rows, "rms_norm", lambda *_: pytest.fail("no gradient comes out of this"))
    x = torch.randn(4, 32, requires_grad=True)
    rms_norm(x, torch.ones(32), 1e-5).sum().backward()
    assert x.grad is not None
    assert rms_norm(x.detach().double(), torch.ones(32), 1e-5).dtype == torch.float64
    assert rms_norm(torch.randn(32, 4).t(), torch.ones(32), 1e-5).shape == (4, 32)


def test_memory_of_a_matrix_is_counted_once():
    weight = int8.quantize_weight(torch.randn(64, 128))
    before = weight.bytes
    assert before == 64 * 128 + 64 * 4
    assert weight.keep_packed().bytes - before in (0, 4 * 64)  # whole panels and blocks, and the sums of the columns


# The fp32 product


@pytest.mark.parametrize("shape", [(64, 112), (576, 40), (1, 1), (257, 7), (700, 33), (1536, 96)])
def test_dense_rows_are_the_product_and_independent(level: str, split: None, shape: tuple[int, int]):
    inputs, outputs = shape
    matrix, x = torch.randn(outputs, inputs), torch.randn(265, inputs)
    weight = DenseWeight(matrix)
    with poisoned_memory():
        found = dense_linear(x, weight)
    assert relative_error(found, x.double() @ matrix.double().t()) < 1e-6
    assert_row_independent(lambda rows: dense_linear(rows, weight), x, counts=(1, 3, 11, 13, 64))


@given(inputs=st.integers(1, 300), outputs=st.integers(1, 70))
@settings(max_examples=20, deadline=None)
def test_what_was_packed_comes_back(inputs: int, outputs: int):
    matrix = torch.randn(outputs, inputs)
    for given_matrix in (matrix, matrix.t().contiguous().t()):
        weight = DenseWeight(given_matrix)
        before = weight.bytes
        assert weight.packed() is not None
        assert torch.equal(weight.matrix_MK, matrix)
        assert weight.bytes < before + 32 * 4 * inputs + 1  # it is held once
        assert relative_error(without(dense_linear, matrix, weight), matrix @ matrix.t()) < 1e-5


def test_dense_rows_may_lie_apart(level: str):
    wide, weight = torch.randn(70, 200), DenseWeight(torch.randn(40, 96))
    assert torch.equal(dense_linear(wide[:, 50:146], weight), dense_linear(wide[:, 50:146].contiguous(), weight))
