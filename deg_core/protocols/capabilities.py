"""What a family can do and how big it is: frozen records that the core and the conformance kit both read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

LayerKind: TypeAlias = Literal["attention", "state"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """``packed_training``: trunk and forks of several records fit one sequence under a block mask (true only when no
    layer carries a recurrent state, which a mask cannot hide). deg's trainer takes families of either kind: its state
    layers are run row by row. ``compute``: forms of arithmetic that are supported."""

    packed_training: bool
    compute: frozenset[str] = frozenset({"fp32", "int8", "bf16"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Sizes of one configured backbone. ``layers`` names each layer's kind, first layer first;
    ``state_floats_per_row`` counts what one row keeps over all state layers, however long it is."""

    hidden_size: int
    vocab_size: int
    layers: tuple[LayerKind, ...]
    query_heads: int
    kv_heads: int
    head_dim: int
    max_positions: int
    state_floats_per_row: int = 0

    @property
    def kv_floats_per_token(self) -> int:
        """Floats of K and V that one trunk token keeps over all attention layers."""
        return 2 * self.kv_heads * self.head_dim * self.layers.count("attention")


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """One weight matrix that may carry a LoRA adapter: ``x @ W.T``, W is [rows, columns]. One that does not
    ``quantize`` is served in fp32 where the others are int8: small, and with effects that add up over the tokens."""

    rows: int
    columns: int
    layer: int
    quantize: bool = True
