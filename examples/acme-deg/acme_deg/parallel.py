"""A transformer whose layers do attention and feed-forward side by side (Wang and Komatsuzaki 2021, GPT-J; Chowdhery et
al. 2022, arXiv:2204.02311, section 2).

One norm and two matrices a layer: ``in`` gives queries, one group of keys and values, gates and ups; ``out`` takes what
was attended and what was gated. There are attention layers only, so deg can train it.

Shapes: N tokens, D hidden size, H query heads, K head dim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from acme_deg.base import ByteFamily
from acme_deg.bytes import VOCABULARY
from deg_core.protocols.capabilities import Capabilities, Geometry, Projection
from deg_core.protocols.family import Weights
from deg_core.protocols.state import Recurrent

ROPE_THETA = 10_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelConfig:
    """Multi-query attention: ``num_heads`` queries share one key and one value."""

    hidden_size: int = 96
    gated_size: int = 160
    num_layers: int = 3
    num_heads: int = 6
    head_dim: int = 16
    norm_eps: float = 1e-5
    max_positions: int = 8192
    vocab_size: int = VOCABULARY


class ParallelFamily(ByteFamily):
    """A layer is ``h + out([attention(norm h), silu(gate) * up])``."""

    name = "acme-parallel"
    capabilities = Capabilities(packed_training=True)
    config_type = ParallelConfig

    def tiny_config(self) -> ParallelConfig:
        return ParallelConfig(hidden_size=48, gated_size=64, num_heads=4)

    def geometry(self, config: ParallelConfig) -> Geometry:
        return Geometry(
            hidden_size=config.hidden_size,
            vocab_size=config.vocab_size,
            layers=("attention",) * config.num_layers,
            query_heads=config.num_heads,
            kv_heads=1,
            head_dim=config.head_dim,
            max_positions=config.max_positions,
        )

    def projections(self, config: ParallelConfig) -> Mapping[str, Projection]:
        d, f, q, k = config.hidden_size, config.gated_size, config.num_heads * config.head_dim, config.head_dim
        shapes = {"in": (q + 2 * k + 2 * f, d), "out": (d, q + f)}
        return {
            f"layers.{layer}.{part}": Projection(rows=rows, columns=columns, layer=layer)
            for layer in range(config.num_layers)
            for part, (rows, columns) in shapes.items()
        }

    def vectors(self, config: ParallelConfig) -> dict[str, int]:
        names = [*(f"layers.{layer}.norm" for layer in range(config.num_layers)), "final_norm"]
        return dict.fromkeys(names, config.hidden_size)

    def positions(
        self, config: ParallelConfig, positions: Tensor, reach: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """cos and sin [N, K/2] of the rotary embedding, angles in float64: fp32 loses digits far into a text."""
        half = torch.arange(0, config.head_dim, 2, dtype=torch.float64, device=positions.device) / config.head_dim
        angles = positions.to(torch.float64)[:, None] * ROPE_THETA**-half
        return angles.cos().float(), angles.sin().float()

    def attn_qkv(
        self, weights: Weights, config: ParallelConfig, layer: int, h_ND: Tensor, rotary: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Queries, keys, values; and the gated half of the layer, which is ready before attention is."""
        norm = weights.vector(f"layers.{layer}.norm")
        fused = weights.norm_linear(f"layers.{layer}.in", h_ND, norm, config.norm_eps)
        q, k = config.num_heads * config.head_dim, config.head_dim
        qkv, gate, up = fused.split([q + 2 * k, config.gated_size, config.gated_size], dim=1)
        heads = qkv.unflatten(1, (-1, k))
        queries, keys, values = heads.split([config.num_heads, 1, 1], dim=1)
        return weights.rotate(queries, *rotary), weights.rotate(keys, *rotary), values, weights.silu_mul(gate, up)

    def attn_out(
        self, weights: Weights, config: ParallelConfig, layer: int, h_ND: Tensor, attended_NHK: Tensor, extra: Tensor
    ) -> Tensor:
        both = torch.cat([attended_NHK.flatten(1), extra.to(attended_NHK.dtype)], dim=1)
        return weights.linear(f"layers.{layer}.out", both, h_ND)

    def rec_layer(
        self,
        weights: Weights,
        config: ParallelConfig,
        layer: int,
        h_ND: Tensor,
        states: Sequence[Recurrent | None],
        lengths: tuple[int, ...],
    ) -> tuple[Tensor, tuple[Recurrent, ...]]:
        raise TypeError("acme-parallel has no state layers")
