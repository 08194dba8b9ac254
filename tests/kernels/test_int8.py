"""Int8 products: exact in both forms, independent of the other rows, and close to what they stand for."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from deg_core.kernels import int8
from deg_core.kernels.testing import assert_row_independent, poisoned_memory, relative_error

SHAPES = [(1, 1, 1), (2, 3, 5), (17, 64, 33), (64, 576, 96), (65, 1040, 16), (3, 1041, 7), (33, 2081, 40), (5, 4160, 9)]


def codes(rows: int, columns: int) -> Tensor:
    return torch.randint(-127, 128, (rows, columns), dtype=torch.int8)


@pytest.mark.parametrize(("n", "k", "m"), SHAPES)
@pytest.mark.parametrize("extreme", [False, True], ids=["random", "extreme"])
def test_the_portable_product_is_exact(n: int, k: int, m: int, extreme: bool):
    a, b = codes(n, k), codes(k, m)
    if extreme:  # every partial sum as large as codes allow, in both directions
        a[:], b[:] = 127, 127
        b[:, ::2] = -127
    assert torch.equal(int8.portable_matmul(a, b).long(), a.long() @ b.long())


@pytest.mark.parametrize(("n", "k", "m"), SHAPES)
def test_the_form_that_serves_here_is_exact(n: int, k: int, m: int):
    a, b = codes(n, k), codes(k, m)
    a[0], b[:, 0] = 127, -127
    product = int8.exact_matmul()(a, b)
    assert product.dtype == torch.int32
    assert torch.equal(product.long(), a.long() @ b.long())
    assert torch.equal(product, int8.portable_matmul(a, b))


def saturating(a: Tensor, b: Tensor) -> Tensor:
    """What ``vpmaddubsw`` does: one side is shifted to be unsigned, and pairs of products are summed in 16 bits."""
    products = (a.long() + 128)[:, :, None] * b.long()[None]
    if products.shape[1] % 2:
        products = torch.nn.functional.pad(products, (0, 0, 0, 1))
    pairs = products.unflatten(1, (-1, 2)).sum(2).clamp(-(2**15), 2**15 - 1)
    return (pairs.sum(1) - 128 * b.long().sum(0)).to(torch.int32)


def test_the_self_test_tells_right_from_wrong():
    assert int8.is_exact(int8.portable_matmul)
    assert int8.is_exact(lambda a, b: (a.long() @ b.long()).to(torch.int32))
    assert not int8.is_exact(saturating)
    assert not int8.is_exact(lambda a, b: (a.float() @ b.float()).bfloat16().to(torch.int32))

    def missing(a: Tensor, b: Tensor) -> Tensor:
        raise RuntimeError("not implemented for 'Char'")

    assert not int8.is_exact(missing)


def test_the_saturating_fake_is_right_on_half_range_weights():
    """So that it is the full range which the self-test catches, not some other fault of the fake."""
    a, b = codes(4, 65), torch.div(codes(65, 5), 2, rounding_mode="trunc")
    assert torch.equal(saturating(a, b).long(), a.long() @ b.long())


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_weights_round_to_within_half_a_step(scale: float):
    weight = torch.randn(33, 130) * scale
    weight[7] = 0
    quantized = int8.quantize_weight(weight)
    assert quantized.codes_KM.shape == (130, 33)
    assert quantized.codes_KM.dtype == torch.int8
    assert quantized.codes_KM.is_contiguous()
    assert int(quantized.codes_KM.int().abs().max()) == 127
    back = (quantized.codes_KM.float() * quantized.scale_M).t()
    step = quantized.scale_M[:, None]
    assert ((back - weight).abs() <= step * 0.5001).all()
    assert torch.equal(back[7], torch.zeros(130))
    assert float(quantized.scale_M[7]) == 1.0


def test_activations_round_per_row():
    x = torch.randn(9, 200) * torch.logspace(-3, 3, 9)[:, None]
    x[4] = 0
    rounded, scale = int8.quantize_rows(x)
    assert scale.shape == (9, 1)
    assert ((rounded.float() * scale - x).abs() <= scale * 0.5001).all()
    assert torch.equal(rounded[4], torch.zeros(200, dtype=torch.int8))
    peaks = rounded.int().abs().amax(dim=1)
    assert all(int(peak) == 127 for row, peak in enumerate(peaks) if row != 4)


@pytest.mark.parametrize("rows", [1, 127, 128, 129, 300])
def test_the_layer_is_the_exact_product_rescaled(rows: int):
    x, weight = torch.randn(rows, 64), int8.quantize_weight(torch.randn(48, 64))
    with poisoned_memory():
        found = int8.int8_linear(x, weight)
    rounded, scale = int8.quantize_rows(x)
    sums = rounded.long() @ weight.codes_KM.long()
    assert torch.equal(found, sums.float() * scale * weight.scale_M)


def test_the_layer_is_close_to_the_float_layer():
    x, weight = torch.randn(100, 576), torch.randn(96, 576)
    assert relative_error(int8.int8_linear(x, int8.quantize_weight(weight)), x @ weight.t()) < 0.02


def test_rows_are_independent():
    weight = int8.quantize_weight(torch.randn(80, 192))
    assert_row_independent(lambda x: int8.int8_linear(x, weight), torch.randn(265, 192), counts=(1, 3, 64, 129))


def test_rows_are_independent_in_the_portable_form(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(int8, "exact_matmul", lambda: int8.portable_matmul)
    weight = int8.quantize_weight(torch.randn(40, 1100))
    rows = torch.randn(70, 1100)
    assert_row_independent(lambda x: int8.int8_linear(x, weight), rows, counts=(1, 3, 64), thread_counts=(1, 2))
