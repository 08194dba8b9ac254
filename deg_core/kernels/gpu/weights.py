"""Weights bound to a GPU's arithmetic: products in bf16 (or fp32), everything that adds up over layers in fp32.

What flows from layer to layer is fp32; a projection's input is rounded to the dtype of its matrix and its result is in
that dtype, or added to what flows on in fp32. Keys, values and hidden states for the heads are in the dtype of the
products.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn.functional import silu

from deg_core.kernels.gpu.linear.triton import bi_linear
from deg_core.kernels.gpu.linear_small.triton import bi_linear_small
from deg_core.kernels.gpu.norm.triton import gated_rms_norm, rms_norm
from deg_core.kernels.gpu.rows import GpuKernels
from deg_core.protocols.family import Weights
from deg_core.protocols.kernels import RowKernels, Site


class GpuWeights(Weights):
    """``deg_core.protocols.family.Weights`` through the kernels of ``deg_core.kernels.gpu``; every result row depends
    on its input row alone.

    ``matrices`` [rows, columns] are in ``dtype``, or in fp32 those that lose too much by it; ``vectors`` are fp32.
    ``embedding`` is [vocabulary, hidden] in any float type, and so is ``lm_head``, None where it is the embedding. All
    are taken to ``device``.
    """

    def __init__(
        self,
        matrices: Mapping[str, Tensor],
        vectors: Mapping[str, Tensor],
        embedding: Tensor,
        lm_head: Tensor | None = None,
        *,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self._matrices = {name: matrix.to(device) for name, matrix in matrices.items()}
        self._vectors = {name: vector.float().to(device) for name, vector in vectors.items()}
        self.embedding = embedding.to(device)
        self._lm_head = lm_head if lm_head is None else lm_head.to(device)
        self._dtype = dtype
        self._site: Site = "fork"

    def at(self, site: Site) -> GpuWeights:
        """The same weights where rows are run from elsewhere. Matrices are not copied."""
        if site == self._site:
            return self
        other = copy.copy(self)
        other._site = site
        return other

    def kernels(self) -> RowKernels:
        return GpuKernels(self._site, self._dtype)

    def linear(self, name: str, x: Tensor, onto: Tensor | None = None) -> Tensor:
        weight = self._matrices[name]
        product = bi_linear_small if self._site == "decode" else bi_linear
        return product(x.to(weight.dtype), weight, onto)

    def norm_linear(self, name: str, x: Tensor, norm: Tensor, eps: float) -> Tensor:
        return self.linear(name, rms_norm(x, norm, eps, self._matrices[name].dtype))

    def vector(self, name: str) -> Tensor:
        return self._vectors[name]

    def embed(self, ids: Tensor) -> Tensor:
        return self.embedding[ids].float()

    def logits(self, h_ND: Tensor) -> Tensor:
        """Next-token logits fp32 [N, V] of final hidden states."""
        head = self.embedding if self._lm_head is None else self._lm_head
        return bi_linear_small(h_ND.to(self._dtype), head, dtype=torch.float32)

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        return rms_norm(x, weight, eps, self._dtype)

    def gated_norm(self, x: Tensor, gate: Tensor, weight: Tensor, eps: float) -> Tensor:
        return gated_rms_norm(x, gate.unflatten(1, x.shape[1:]), weight, eps, self._dtype).flatten(1)

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        return silu(gate) * up

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        a, b = x.float().chunk(2, dim=-1)
        cos, sin = cos[:, None], sin[:, None]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)

    def share_embedding(self, other: GpuWeights) -> None:
        """Hold ``other``'s embedding instead of an equal one of one's own."""
        if torch.equal(self.embedding, other.embedding):
            self.embedding = other.embedding

    @property
    def bytes(self) -> int:
        """Memory held by the weights."""
        parts = [*self._matrices.values(), *self._vectors.values(), self.embedding, self._lm_head]
        return sum(part.numel() * part.element_size() for part in parts if part is not None)
