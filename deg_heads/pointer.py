"""The pointer that choice, score and extract share: a scaled dot product plus a unary term (SPEC 12.3)."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import linear

from deg_core.kernels.linear import tiled_linear

WIDTH = 256
_BLOCK = 512  # rows multiplied at once: a long text's products would not fit the cache


class Pointer(nn.Module):
    """``q(a) . k(o_i) / sqrt(256) + u . o_i / sqrt(D)``.

    q and k start equal, so that a pointer first looks for likeness, and small, since hidden states resemble each other
    and would start every softmax saturated. The unary term is divided by sqrt(D): hidden
    states have an RMS well above one, and without it the term shakes at usual learning rates.
    """

    def __init__(self, hidden_size: int, generator: Generator) -> None:
        super().__init__()
        start = torch.randn(WIDTH, hidden_size, generator=generator) * (0.5 / math.sqrt(hidden_size))
        self.q = nn.Parameter(start.clone())
        self.k = nn.Parameter(start.clone())
        self.u = nn.Parameter(torch.zeros(hidden_size))

    def keys(self, candidates_OD: Tensor) -> tuple[Tensor, Tensor]:
        """Keys [O, 256] and unary logits [O] of the candidates."""
        candidates = candidates_OD if candidates_OD.is_cuda else candidates_OD.float()
        return product(candidates, self.k), dot(candidates, self.u) / math.sqrt(candidates.shape[-1])

    def forward(self, answer_D: Tensor, keys: tuple[Tensor, Tensor]) -> Tensor:
        """Logits [O]."""
        return dot(keys[0], dot(self.q, answer_D.float())) / math.sqrt(WIDTH) + keys[1]


# The bits of a plain matrix product depend on the number of rows, on a row's place and on the number of threads. What
# is served must not; training takes the quick form.


def product(rows: Tensor, weight: Tensor) -> Tensor:
    if torch.is_grad_enabled():
        return linear(rows.float(), weight)
    if rows.is_cuda:
        from deg_core.kernels.gpu.pointer.triton import project_keys  # needs Triton

        return project_keys(rows, weight)
    return tiled_linear(rows, weight)


def dot(rows: Tensor, vector: Tensor) -> Tensor:
    if torch.is_grad_enabled():
        return rows.float() @ vector
    if rows.is_cuda:
        from deg_core.kernels.gpu.pointer.triton import row_dots

        return row_dots(rows, vector)
    return torch.cat([(block * vector).sum(dim=-1) for block in rows.split(_BLOCK)])
