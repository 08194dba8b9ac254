"""Log-softmax over a vocabulary: right, and each row's bits its own."""

from __future__ import annotations

import pytest
import torch

from deg_core.kernels.softmax import log_softmax
from deg_core.kernels.testing import threads


@pytest.mark.parametrize("vocabulary", [1, 400, 16384, 49152, 49153])
def test_rows_are_normalised_by_themselves(vocabulary: int):
    rows = torch.randn(5, vocabulary, generator=torch.Generator().manual_seed(0)) * 8
    with threads(1):
        expected = torch.cat([log_softmax(row[None]) for row in rows])
    assert torch.allclose(expected, torch.log_softmax(rows.double(), dim=1).float(), atol=1e-5)
    for workers in (1, 2, 5):
        with threads(workers):
            assert torch.equal(log_softmax(rows), expected)
            assert torch.equal(log_softmax(rows.flip(0)).flip(0), expected)


def test_extreme_logits():
    log_p = log_softmax(torch.tensor([[1e4, -1e4, 0.0], [-3e38, -3e38, -3e38]]))
    assert log_p[0].tolist() == [0.0, -2e4, -1e4]
    assert log_p[1].exp().sum() == pytest.approx(1.0)
