"""Weights bound to the serving forms of arithmetic: ``int8`` (exact, the default) and ``fp32`` (the reference)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from deg_core.kernels.gated import silu_mul
from deg_core.kernels.int8 import QuantizedWeight, int8_feed_forward, int8_linear, quantize_weight
from deg_core.kernels.linear import DenseWeight, dense_linear
from deg_core.kernels.norm import rms_norm
from deg_core.kernels.rotary import rotate
from deg_core.protocols.family import Weights

_VOCABULARY_BLOCK = 4096  # rows of the LM head that are quantised at once


@runtime_checkable
class WritingWeights(Protocol):
    """Weights that texts can be written with: those that have an LM head."""

    def logits(self, h_ND: Tensor) -> Tensor:
        """Next-token logits fp32 [N, V] of final hidden states."""
        ...


class ServingWeights(Weights):
    """``deg_core.protocols.family.Weights`` for inference; every result row depends on its input row alone.

    ``matrices`` holds each projection as fp32 [rows, columns] (or as ``DenseWeight``) or as ``QuantizedWeight``; which
    one decides the arithmetic. ``vectors`` are fp32. ``embedding`` is [vocabulary, hidden] in any float type, and so is
    ``lm_head``, None where it is the embedding (tied).
    """

    def __init__(
        self,
        matrices: Mapping[str, Tensor | DenseWeight | QuantizedWeight],
        vectors: Mapping[str, Tensor],
        embedding: Tensor,
        lm_head: Tensor | None = None,
    ) -> None:
        self._matrices = {name: DenseWeight(m) if isinstance(m, Tensor) else m for name, m in matrices.items()}
        self._vectors = {name: vector.float() for name, vector in vectors.items()}
        self.embedding = embedding
        self._lm_head = lm_head
        self._output: DenseWeight | QuantizedWeight | None = None
        self.rounded = any(isinstance(matrix, QuantizedWeight) for matrix in matrices.values())

    def linear(self, name: str, x: Tensor, onto: Tensor | None = None) -> Tensor:
        weight = self._matrices[name]
        if isinstance(weight, QuantizedWeight):
            return int8_linear(x, weight, onto=onto)
        out = dense_linear(x, weight)
        return out if onto is None else onto + out

    def norm_linear(self, name: str, x: Tensor, norm: Tensor, eps: float) -> Tensor:
        weight = self._matrices[name]
        if isinstance(weight, QuantizedWeight):
            return int8_linear(x, weight, norm=(norm, eps))
        return super().norm_linear(name, x, norm, eps)

    def feed_forward(self, gate_up: str, down: str, x: Tensor, norm: Tensor, eps: float) -> Tensor:
        first, second = self._matrices[gate_up], self._matrices[down]
        if isinstance(first, QuantizedWeight) and isinstance(second, QuantizedWeight):
            return int8_feed_forward(x, (norm, eps), first, second)
        return super().feed_forward(gate_up, down, x, norm, eps)

    def vector(self, name: str) -> Tensor:
        return self._vectors[name]

    def embed(self, ids: Tensor) -> Tensor:
        return self.embedding[ids].float()

    def logits(self, h_ND: Tensor) -> Tensor:
        """Next-token logits [N, V] of final hidden states, in the arithmetic of the other matrices. The LM head is put
        into it when it is first asked for, since few bodies ever write."""
        if self._output is None:
            source = self.embedding if self._lm_head is None else self._lm_head
            self._output = _quantize_in_blocks(source) if self.rounded else DenseWeight(source.float())
        output = self._output
        return int8_linear(h_ND, output) if isinstance(output, QuantizedWeight) else dense_linear(h_ND, output)

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        return rms_norm(x, weight, eps)

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        return silu_mul(gate, up)

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        return rotate(x, cos, sin)

    def share_embedding(self, other: ServingWeights) -> None:
        """Hold ``other``'s embedding instead of an equal one of one's own."""
        if torch.equal(self.embedding, other.embedding):
            self.embedding = other.embedding

    @property
    def bytes(self) -> int:
        """Memory held by the weights."""
        whole = [part for part in (self.embedding, self._lm_head) if part is not None]
        total = sum(part.numel() * part.element_size() for part in whole)
        return (
            total
            + sum(weight.bytes for weight in self._matrices.values())
            + (self._output.bytes if self._output else 0)
        )


def _quantize_in_blocks(weight_VD: Tensor) -> QuantizedWeight:
    """As ``quantize_weight``, without an fp32 copy of the whole. The codes lie row by row: faster for so many."""
    codes = torch.empty(weight_VD.shape, dtype=torch.int8)
    scale = torch.empty(weight_VD.shape[0])
    for start in range(0, weight_VD.shape[0], _VOCABULARY_BLOCK):
        part = quantize_weight(weight_VD[start : start + _VOCABULARY_BLOCK])
        codes[start : start + _VOCABULARY_BLOCK] = part.codes_KM.t()
        scale[start : start + _VOCABULARY_BLOCK] = part.scale_M
    return QuantizedWeight(codes.t(), scale).keep_packed()
