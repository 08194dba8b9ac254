"""Weights bound to the serving forms of arithmetic: ``int8`` (exact, the default) and ``fp32`` (fixed tiles)."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor
from torch.nn.functional import silu

from deg_core.kernels.int8 import QuantizedWeight, int8_linear
from deg_core.kernels.linear import tiled_linear
from deg_core.kernels.norm import rms_norm
from deg_core.kernels.pieces import in_pieces
from deg_core.kernels.rotary import rotate


class ServingWeights:
    """``deg_core.protocols.family.Weights`` for inference; every result row depends on its input row alone.

    ``matrices`` holds each projection as fp32 [rows, columns] or as ``QuantizedWeight``; which one decides the
    arithmetic. ``vectors`` are fp32. ``embedding`` is [vocabulary, hidden] in any float type.
    """

    def __init__(
        self, matrices: Mapping[str, Tensor | QuantizedWeight], vectors: Mapping[str, Tensor], embedding: Tensor
    ) -> None:
        self._matrices = dict(matrices)
        self._vectors = {name: vector.float() for name, vector in vectors.items()}
        self.embedding = embedding

    def linear(self, name: str, x: Tensor) -> Tensor:
        weight = self._matrices[name]
        return int8_linear(x, weight) if isinstance(weight, QuantizedWeight) else tiled_linear(x, weight)

    def vector(self, name: str) -> Tensor:
        return self._vectors[name]

    def embed(self, ids: Tensor) -> Tensor:
        return self.embedding[ids].float()

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        return rms_norm(x, weight, eps)

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        return in_pieces(silu, gate).mul_(up)

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        return rotate(x, cos, sin)

    @property
    def bytes(self) -> int:
        """Memory held by the weights."""
        total = self.embedding.numel() * self.embedding.element_size()
        for weight in self._matrices.values():
            parts = (weight.codes_KM, weight.scale_M) if isinstance(weight, QuantizedWeight) else (weight,)
            total += sum(part.numel() * part.element_size() for part in parts)
        return total
