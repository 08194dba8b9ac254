"""Matrix products: for many rows, for few rows, and of the pointer heads."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

pytest.importorskip("triton", reason="Triton is not installed: pip install triton")

from deg_core.kernels.gpu.linear import reference as many_reference
from deg_core.kernels.gpu.linear.triton import bi_linear
from deg_core.kernels.gpu.linear_small.triton import bi_linear_small, parts_of
from deg_core.kernels.gpu.pointer import reference as pointer_reference
from deg_core.kernels.gpu.pointer import triton as pointer
from deg_core.kernels.testing import poisoned_memory, relative_error
from tests.kernels.gpu.rows import COUNTS, assert_rows_alone

PRODUCTS = {"many rows": bi_linear, "few rows": bi_linear_small}
SHAPES = [(64, 17), (130, 63), (515, 130)]  # columns, outputs


def draw(*shape: int, device: torch.device, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(*shape).to(device, dtype)


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize(("columns", "outputs"), SHAPES)
def test_it_is_the_product(
    name: str, columns: int, outputs: int, device: torch.device, dtype: torch.dtype, tolerance: float
):
    for rows in COUNTS if columns == 64 else (17,):
        x, weight = draw(rows, columns, device=device, dtype=dtype), draw(outputs, columns, device=device, dtype=dtype)
        onto = draw(rows, outputs, device=device)
        with poisoned_memory():
            plain, added, wide = (
                PRODUCTS[name](x, weight),
                PRODUCTS[name](x, weight, onto),
                PRODUCTS[name](x, weight, dtype=torch.float32),
            )
        assert (plain.dtype, added.dtype, wide.dtype) == (dtype, torch.float32, torch.float32)
        assert relative_error(plain, many_reference.bi_linear(x, weight)) < tolerance
        assert relative_error(added, many_reference.bi_linear(x, weight, onto)) < 2e-6
        assert relative_error(wide, many_reference.bi_linear(x, weight, dtype=torch.float32)) < 2e-6


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_rows_bits_are_its_own(name: str, device: torch.device, served: torch.dtype):
    product = PRODUCTS[name]
    columns = 515 if product is bi_linear_small else 70
    x, weight = draw(67, columns, device=device, dtype=served), draw(24, columns, device=device, dtype=served)
    onto = draw(67, 24, device=device)
    assert_rows_alone(lambda rows: product(rows, weight), x, (1, 17, 63))
    paired = torch.cat([x.float(), onto], dim=1)
    assert_rows_alone(lambda rows: product(rows[:, :columns].to(served), weight, rows[:, columns:]), paired, (17,))


@pytest.mark.parametrize("name", PRODUCTS)
def test_where_rows_lie_does_not_matter(name: str, device: torch.device):
    whole, weight = draw(5, 96, device=device), draw(17, 64, device=device)
    expected = PRODUCTS[name](whole[:, 16:80].contiguous(), weight)
    assert torch.equal(PRODUCTS[name](whole[:, 16:80], weight), expected)
    assert torch.equal(PRODUCTS[name](whole.t().contiguous().t()[:, 16:80], weight), expected)


def test_a_half_precision_weight_serves_full_precision_rows(device: torch.device):
    half = torch.bfloat16 if device.type == "cuda" else torch.float16
    x, weight = draw(5, 70, device=device), draw(40, 70, device=device, dtype=half)
    for product in PRODUCTS.values():
        assert relative_error(product(x, weight), x.double() @ weight.double().t()) < 2e-6


def test_parts_follow_from_the_weights_shape():
    assert parts_of(151_936, 1024) == 1  # an LM head fills the device by itself
    assert parts_of(1024, 3584) == 8
    assert parts_of(1024, 1024) == 4
    assert parts_of(64, 100) == 1


@pytest.mark.parametrize("product", PRODUCTS.values())
def test_what_does_not_fit_is_named(product: object, device: torch.device):
    with pytest.raises(ValueError, match=r"x \(3, 8\), weight \(4, 9\)"):
        product(draw(3, 8, device=device), draw(4, 9, device=device))  # type: ignore[operator]
    assert bi_linear(draw(0, 8, device=device), draw(4, 8, device=device)).shape == (0, 4)


def test_pointer_products(device: torch.device, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch):
    for rows in COUNTS:
        x, vector = draw(rows, 300, device=device, dtype=dtype), draw(300, device=device)
        weight = draw(17, 300, device=device)
        with poisoned_memory():
            dots, keys = pointer.row_dots(x, vector), pointer.project_keys(x, weight)
        assert relative_error(dots, pointer_reference.row_dots(x, vector)) < 2e-6
        assert relative_error(keys, pointer_reference.project_keys(x, weight)) < 2e-6
    assert_rows_alone(lambda rows: pointer.row_dots(rows, vector), x, (17,))
    monkeypatch.setattr(pointer, "HEAD_ROWS", 48)
    assert torch.equal(pointer.project_keys(x, weight), keys)
