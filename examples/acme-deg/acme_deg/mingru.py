"""A backbone of minimal gated recurrent units (Feng et al. 2024, arXiv:2410.01201) with an attention layer among them.

A unit's state is one vector: ``h_t = (1 - z_t) h_{t-1} + z_t c_t``, with the gate z and the candidate c made of the
token alone. A fork starts from its trunk's vector, so reading a text costs the same memory whatever its length. The
attention layers have no positions: causality and the recurrence tell order enough (Kazemnejad et al. 2023,
arXiv:2305.19466).

Shapes: N tokens, D hidden size, E width of the recurrence, H query heads, K head dim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from acme_deg.base import ByteFamily
from acme_deg.bytes import VOCABULARY
from deg_core.kernels.pieces import in_pieces
from deg_core.protocols.capabilities import Capabilities, Geometry, LayerKind, Projection
from deg_core.protocols.family import Weights
from deg_core.protocols.state import Recurrent


@dataclass(frozen=True, slots=True, kw_only=True)
class MinGruConfig:
    """``layers`` names each layer's kind, first layer first."""

    layers: tuple[LayerKind, ...] = ("state", "state", "attention", "state")
    hidden_size: int = 96
    state_size: int = 128
    gated_size: int = 160
    num_heads: int = 6
    num_kv_heads: int = 2
    head_dim: int = 16
    norm_eps: float = 1e-5
    max_positions: int = 65_536
    vocab_size: int = VOCABULARY


class MinGruFamily(ByteFamily):
    """Recurrent layers, whose state no mask can hide: forks of several records cannot share a sequence, and deg's
    trainer runs these layers row by row."""

    name = "acme-mingru"
    capabilities = Capabilities(packed_training=False)
    config_type = MinGruConfig

    def tiny_config(self) -> MinGruConfig:
        return MinGruConfig(hidden_size=48, state_size=56, gated_size=64, num_heads=4)

    def geometry(self, config: MinGruConfig) -> Geometry:
        return Geometry(
            hidden_size=config.hidden_size,
            vocab_size=config.vocab_size,
            layers=config.layers,
            query_heads=config.num_heads,
            kv_heads=config.num_kv_heads,
            head_dim=config.head_dim,
            max_positions=config.max_positions,
            state_floats_per_row=config.state_size * config.layers.count("state"),
        )

    def projections(self, config: MinGruConfig) -> Mapping[str, Projection]:
        d, e, f = config.hidden_size, config.state_size, config.gated_size
        q, kv = config.num_heads * config.head_dim, config.num_kv_heads * config.head_dim
        mixers = {
            "attention": {"qkv": (q + 2 * kv, d), "mixed": (d, q)},
            "state": {"gate_candidate": (2 * e, d), "mixed": (d, e)},
        }
        return {
            f"layers.{layer}.{part}": Projection(rows=rows, columns=columns, layer=layer)
            for layer, kind in enumerate(config.layers)
            for part, (rows, columns) in {**mixers[kind], "gate_up": (2 * f, d), "down": (d, f)}.items()
        }

    def vectors(self, config: MinGruConfig) -> dict[str, int]:
        norms = [f"layers.{layer}.{part}" for layer in range(len(config.layers)) for part in ("mixer_norm", "mlp_norm")]
        return dict.fromkeys([*norms, "final_norm"], config.hidden_size)

    def positions(self, config: MinGruConfig, positions: Tensor, reach: Tensor | None = None) -> None:
        return None

    def attn_qkv(
        self, weights: Weights, config: MinGruConfig, layer: int, h_ND: Tensor, rotary: None
    ) -> tuple[Tensor, Tensor, Tensor, None]:
        norm = weights.vector(f"layers.{layer}.mixer_norm")
        fused = weights.norm_linear(f"layers.{layer}.qkv", h_ND, norm, config.norm_eps)
        groups = config.num_kv_heads
        q, k, v = fused.unflatten(1, (-1, config.head_dim)).split([config.num_heads, groups, groups], dim=1)
        return q, k, v, None

    def attn_out(
        self, weights: Weights, config: MinGruConfig, layer: int, h_ND: Tensor, attended_NHK: Tensor, extra: None
    ) -> Tensor:
        return self._mixed(weights, config, layer, h_ND, attended_NHK.flatten(1))

    def rec_layer(
        self,
        weights: Weights,
        config: MinGruConfig,
        layer: int,
        h_ND: Tensor,
        states: Sequence[Recurrent | None],
        lengths: tuple[int, ...],
    ) -> tuple[Tensor, tuple[Recurrent, ...]]:
        """Each row token by token from its own state; where it is cut changes no bit."""
        norm = weights.vector(f"layers.{layer}.mixer_norm")
        fused = weights.norm_linear(f"layers.{layer}.gate_candidate", h_ND, norm, config.norm_eps).float()
        gate, candidate = fused.chunk(2, dim=1)
        gate = in_pieces(torch.sigmoid, gate)  # in pieces, lest a value's bits depend on how many there are
        kept, added = (1 - gate).split(lengths), (gate * candidate).split(lengths)
        rows, after = [], []
        for state, keep, add in zip(states, kept, added, strict=True):
            h = state.matrix if state is not None else add.new_zeros(config.state_size)
            steps = []
            for keep_E, add_E in zip(keep, add, strict=True):
                h = keep_E * h + add_E
                steps.append(h)
            rows.append(torch.stack(steps))
            after.append(Recurrent(h, h.new_empty(0)))
        mixed = torch.cat(rows).to(h_ND.dtype)
        return self._mixed(weights, config, layer, h_ND, mixed), tuple(after)

    def _mixed(self, weights: Weights, config: MinGruConfig, layer: int, h_ND: Tensor, mixed: Tensor) -> Tensor:
        """The residual of the mixer, then the feed-forward with its own."""
        prefix = f"layers.{layer}."
        h_ND = weights.linear(prefix + "mixed", mixed, h_ND)
        norm = weights.vector(prefix + "mlp_norm")
        return weights.feed_forward(prefix + "gate_up", prefix + "down", h_ND, norm, config.norm_eps)
