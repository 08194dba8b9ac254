"""Weights in plain differentiable arithmetic, with adapters beside them, that remember what they were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import linear, silu

from deg_core.protocols.family import Weights


class Pair(NamedTuple):
    """One LoRA adapter: A [r, columns], B [rows, r]."""

    a: Tensor
    b: Tensor


class TracedWeights(Weights):
    """``deg_core.protocols.family.Weights`` in fp32 as the formulas have it: the reference that serving is compared
    with, and what gradients are taken through. ``asked`` holds the projections that ``linear`` was asked for, ``read``
    the names that ``vector`` was."""

    def __init__(
        self, weights: Mapping[str, Tensor], adapters: Mapping[str, Pair] | None = None, scale: float = 1.0
    ) -> None:
        self._weights = weights
        self._adapters = adapters or {}
        self._scale = scale
        self.asked: set[str] = set()
        self.read: set[str] = set()

    def linear(self, name: str, x: Tensor, onto: Tensor | None = None) -> Tensor:
        self.asked.add(name)
        out = linear(x, self._weights[name])
        pair = self._adapters.get(name)
        if pair is not None:
            out = out + self._scale * linear(linear(x, pair.a), pair.b)
        return out if onto is None else onto + out

    def vector(self, name: str) -> Tensor:
        self.read.add(name)
        return self._weights[name]

    def embed(self, ids: Tensor) -> Tensor:
        return self._weights["embed"][ids]

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        return silu(gate) * up

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        a, b = x.chunk(2, dim=-1)
        cos, sin = cos[:, None], sin[:, None]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)
