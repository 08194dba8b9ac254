"""What the tests of the GPU kernels share: rows of odd lengths, and whether each one's bits are its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import torch
from torch import Tensor

COUNTS = (1, 17, 63, 130)
"""Numbers of rows below, at and over the edges of tiles."""

PICKED = ([0], [2], [3, 1], [2, 0, 2])
"""Choices among four rows: each alone, moved, next to others, twice."""

Run: TypeAlias = Callable[[Sequence[int]], Sequence[Tensor]]


def assert_each_alone(run: Run, rows: int = 4) -> None:
    """``run`` gives, for a choice of rows, one result or more for each. No choice changes a bit of any."""
    expected = run(range(rows))
    for picked in PICKED:
        found = run(picked)
        for place, row in enumerate(picked):
            assert torch.equal(found[place], expected[row]), (picked, row)


def assert_rows_alone(function: Callable[[Tensor], Tensor], x: Tensor, counts: Sequence[int] = COUNTS) -> None:
    """Rows of ``x`` give the same bits first, last, moved and in front of strangers."""
    expected, total = function(x), x.shape[0]
    for count in counts:
        order = torch.randperm(total)[:count]
        strangers = x.flip(0).clone()
        strangers[:count] = x[:count]
        assert torch.equal(function(x[:count]), expected[:count]), ("first", count)
        assert torch.equal(function(x[total - count :]), expected[total - count :]), ("last", count)
        assert torch.equal(function(x[order.to(x.device)]), expected[order.to(x.device)]), ("moved", count)
        assert torch.equal(function(strangers)[:count], expected[:count]), ("among others", count)


def cut(x: Tensor, lengths: Sequence[int], picked: Sequence[int]) -> Tensor:
    """The chosen rows of ``x``, rows of ``lengths`` laid end to end."""
    parts = x.split(list(lengths))
    return torch.cat([parts[row] for row in picked])
