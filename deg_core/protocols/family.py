"""A family: one architecture of backbone, as pure functions over explicit weights and state (SPEC 12.8).

The runtime owns the loop over layers, the trunk, the forks and the attention arithmetic; a family says what a layer
does before and after attention. It never sees requests, fields or padding.

Shapes: N tokens of one or many rows laid end to end, D hidden size, H query heads, G key/value heads, K head dim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from deg_core.protocols.capabilities import Capabilities, Geometry, Projection
from deg_core.protocols.kernels import RowKernels, Site
from deg_core.protocols.state import Recurrent
from deg_core.protocols.tokenizer import Tokenizer

if TYPE_CHECKING:
    from torch import Tensor


class Weights(Protocol):
    """Weights bound to a form of arithmetic (fp32 reference, int8 serving, bf16 training with adapters).

    A family asks for results, not for matrices, so that the same family code trains and serves. What has a body here is
    made of the rest; an arithmetic may do it in one go.
    """

    rounded: bool = False
    """Whether the portable attention may round what it multiplies to bfloat16, as this arithmetic rounds elsewhere."""

    def at(self, site: Site) -> Weights:
        """The same weights for rows that are run from there."""
        return self

    def kernels(self) -> RowKernels | None:
        """Kernels over rows that take the place of the portable ones, where this arithmetic has them."""
        return None

    def linear(self, name: str, x: Tensor, onto: Tensor | None = None) -> Tensor:
        """``x @ W.T`` of the projection ``name``, added to ``onto`` [N, rows] if given; x is [N, columns]."""
        ...

    def norm_linear(self, name: str, x: Tensor, norm: Tensor, eps: float) -> Tensor:
        """``linear`` of the RMSNorm of x with the scale ``norm``."""
        return self.linear(name, self.rms_norm(x, norm, eps))

    def feed_forward(self, gate_up: str, down: str, x: Tensor, norm: Tensor, eps: float) -> Tensor:
        """``x + down(silu(gate) * up)``, gate and up of the RMSNorm of x [N, D]. ``gate_up`` is one projection: gates,
        then as many ups."""
        gate, up = self.norm_linear(gate_up, x, norm, eps).chunk(2, dim=-1)
        return self.linear(down, self.silu_mul(gate, up), x)

    def vector(self, name: str) -> Tensor:
        """A small weight that is never quantised, such as a norm's scale."""
        ...

    def embed(self, ids: Tensor) -> Tensor:
        """Embedding rows of ``ids`` [N] -> [N, D]."""
        ...

    def rms_norm(self, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        """``x / sqrt(mean(x^2) + eps) * weight`` over the last dimension, accumulated in fp32."""
        ...

    def gated_norm(self, x: Tensor, gate: Tensor, weight: Tensor, eps: float) -> Tensor:
        """RMSNorm of each head of x [N, H, V], times ``silu(gate)``, gate being [N, H * V] like the result."""
        return self.silu_mul(gate, self.rms_norm(x.to(gate.dtype), weight, eps).flatten(1))

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        """``silu(gate) * up`` elementwise."""
        ...

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Rotary embedding in half-split layout: x [N, heads, K]; cos and sin [N, K/2]."""
        ...


class Family(Protocol):
    """One architecture. Instances hold no weights; every method is a pure function of its arguments."""

    protocol_version: tuple[int, int]
    name: str
    capabilities: Capabilities
    config_type: type[Any]  # a dataclass of plain fields, so that it can be kept as JSON beside prepared weights

    def default_source(self) -> Path | None:
        """Where this backbone's own published weights are (fetched if need be), or None when it names no weights."""
        ...

    def read_config(self, source: Path) -> Any:
        """The configuration found at ``source`` (a snapshot folder or a GGUF file). Raises CheckpointError."""
        ...

    def geometry(self, config: Any) -> Geometry:
        """Sizes of this configuration."""
        ...

    def projections(self, config: Any) -> Mapping[str, Projection]:
        """Every matrix that ``linear`` is asked for, by name. LoRA targets are chosen among these."""
        ...

    def read_weights(self, source: Path, config: Any) -> dict[str, Tensor]:
        """All weights in fp32 (or the stored float type) under the family's own names: the projections, the vectors
        and ``embed``. Missing or unexpected tensors are named in a CheckpointError."""
        ...

    def read_tokenizer(self, source: Path) -> Tokenizer:
        """The tokenizer that belongs to ``source``."""
        ...

    def load_tokenizer(self, path: Path) -> Tokenizer:
        """The tokenizer that ``Tokenizer.save`` wrote to ``path``."""
        ...

    def chat_prefix(self, tokenizer: Tokenizer, system: str) -> list[int]:
        """Ids up to where the user's text begins: BOS if any, a system turn, and the opening of a user turn."""
        ...

    def chat_answer(self, tokenizer: Tokenizer) -> tuple[list[int], int]:
        """Ids that close the user's turn and open the assistant's (without thinking), and the id that ends that."""
        ...

    def positions(self, config: Any, positions: Tensor, reach: Tensor | None = None) -> Any:
        """Whatever ``attn_qkv`` needs for these absolute positions [N], computed once a pass (rotary tables). ``reach``
        [N] is the length of the text that each token belongs to, given where one exceeds ``Geometry.max_positions``;
        a family may stretch its positions for it, or leave them as they are."""
        ...

    def attn_qkv(
        self, weights: Weights, config: Any, layer: int, h_ND: Tensor, rotary: Any
    ) -> tuple[Tensor, Tensor, Tensor, Any]:
        """Queries [N, H, K], keys [N, G, K], values [N, G, K], and what ``attn_out`` needs besides (gates or None)."""
        ...

    def attn_out(
        self, weights: Weights, config: Any, layer: int, h_ND: Tensor, attended_NHK: Tensor, extra: Any
    ) -> Tensor:
        """The layer's output [N, D]: output projection, residual, feed-forward."""
        ...

    def rec_layer(
        self,
        weights: Weights,
        config: Any,
        layer: int,
        h_ND: Tensor,
        states: Sequence[Recurrent | None],
        lengths: tuple[int, ...],
    ) -> tuple[Tensor, tuple[Recurrent, ...]]:
        """A whole state layer over rows of ``lengths`` laid end to end, row i starting from ``states[i]`` (zero if
        None). Only families with state layers are asked."""
        ...

    def final_norm(self, weights: Weights, config: Any, h_ND: Tensor) -> Tensor:
        """The norm before the heads."""
        ...
