"""LFM2's layers as pure functions: double-gated short convolutions, and grouped attention with normed q and k.

Projections are fused where they share an input: ``qkv``, ``gate_up``, and ``in_bcx``, which the hub fuses already:
the gate before the convolution, the gate after it, and what is convolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Generator, Tensor

from deg_backbones.common import chatml
from deg_backbones.common.bpe import BPETokenizer
from deg_backbones.common.short_conv import causal_conv
from deg_backbones.common.tiny import byte_tokenizer
from deg_backbones.lfm2 import tiny
from deg_backbones.lfm2 import weights as files
from deg_backbones.lfm2.config import Lfm2Config, from_hub
from deg_core.protocols.capabilities import Capabilities, Geometry, Projection
from deg_core.protocols.family import Weights
from deg_core.protocols.state import Recurrent
from deg_core.protocols.tokenizer import Tokenizer

BOS, PAD = "<|startoftext|>", "<|pad|>"


class Lfm2Family:
    """LFM2 and LFM2.5 of any size. Forks go on from the states of their trunk, in training too."""

    protocol_version = (1, 1)
    name = "lfm2"
    capabilities = Capabilities(packed_training=False)
    config_type = Lfm2Config
    hub_id: str | None = None

    def default_source(self) -> Path | None:
        if self.hub_id is None:
            return None
        from deg_core.hub import BACKBONE, snapshot

        return snapshot(self.hub_id, BACKBONE)

    def read_config(self, source: Path) -> Lfm2Config:
        return from_hub(source)

    def read_weights(self, source: Path, config: Lfm2Config) -> dict[str, Tensor]:
        return files.read_weights(source, config)

    def read_tokenizer(self, source: Path) -> Tokenizer:
        return BPETokenizer.from_file(source / "tokenizer.json")

    def load_tokenizer(self, path: Path) -> Tokenizer:
        return BPETokenizer.load(path)

    def chat_prefix(self, tokenizer: Tokenizer, system: str) -> list[int]:
        """BOS, then ChatML: a system turn, then an open user turn."""
        turns = [*chatml.turn(tokenizer, "system", system), *chatml.opened(tokenizer, "user")]
        return [tokenizer.control(BOS), *turns]

    def chat_answer(self, tokenizer: Tokenizer) -> tuple[list[int], int]:
        """These models do not think aloud, so the turn begins at once."""
        ids = [*chatml.closed(tokenizer), *chatml.opened(tokenizer, "assistant")]
        return ids, tokenizer.control(chatml.END)

    def tiny_config(self) -> Lfm2Config:
        """A few small layers of both kinds, for the conformance kit."""
        return tiny.TINY

    def random_weights(self, config: Lfm2Config, generator: Generator) -> dict[str, Tensor]:
        """Weights that no training made, for the conformance kit."""
        return tiny.random_weights(config, generator)

    def tiny_tokenizer(self) -> Tokenizer:
        """Bytes and the control tokens, for the conformance kit."""
        return byte_tokenizer(tiny.CONTROLS)

    def geometry(self, config: Lfm2Config) -> Geometry:
        return Geometry(
            hidden_size=config.hidden_size,
            vocab_size=config.vocab_size,
            layers=config.layers,
            query_heads=config.num_heads,
            kv_heads=config.num_kv_heads,
            head_dim=config.head_dim,
            max_positions=config.max_positions,
            state_floats_per_row=(config.conv_taps - 1) * config.hidden_size * config.layers.count("state"),
        )

    def projections(self, config: Lfm2Config) -> Mapping[str, Projection]:
        d, f = config.hidden_size, config.intermediate_size
        q, kv = config.num_heads * config.head_dim, config.num_kv_heads * config.head_dim
        mixers = {
            "attention": {"qkv": (q + 2 * kv, d), "o": (d, q)},
            "state": {"in_bcx": (3 * d, d), "out": (d, d)},
        }
        return {
            f"layers.{i}.{part}": Projection(rows=rows, columns=columns, layer=i)
            for i, kind in enumerate(config.layers)
            for part, (rows, columns) in {**mixers[kind], "gate_up": (2 * f, d), "down": (d, f)}.items()
        }

    def positions(self, config: Lfm2Config, positions: Tensor, reach: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """cos and sin [N, K/2], angles in float64."""
        half = torch.arange(0, config.head_dim, 2, dtype=torch.float64, device=positions.device)
        angles = positions.to(torch.float64)[:, None] * config.rope_theta ** (-half / config.head_dim)
        return angles.cos().float(), angles.sin().float()

    def attn_qkv(
        self, weights: Weights, config: Lfm2Config, layer: int, h_ND: Tensor, rotary: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor, None]:
        norm = weights.vector(f"layers.{layer}.mixer_norm")
        qkv = weights.norm_linear(f"layers.{layer}.qkv", h_ND, norm, config.norm_eps)
        qkv = qkv.unflatten(-1, (-1, config.head_dim))
        q, k, v = qkv.split([config.num_heads, config.num_kv_heads, config.num_kv_heads], dim=1)
        q = weights.rms_norm(q, weights.vector(f"layers.{layer}.q_norm"), config.norm_eps)
        k = weights.rms_norm(k, weights.vector(f"layers.{layer}.k_norm"), config.norm_eps)
        return weights.rotate(q, *rotary), weights.rotate(k, *rotary), v, None

    def attn_out(
        self, weights: Weights, config: Lfm2Config, layer: int, h_ND: Tensor, attended_NHK: Tensor, extra: None
    ) -> Tensor:
        h_ND = weights.linear(f"layers.{layer}.o", attended_NHK.flatten(1), h_ND)
        return _feed_forward(weights, config, layer, h_ND)

    def rec_layer(
        self,
        weights: Weights,
        config: Lfm2Config,
        layer: int,
        h_ND: Tensor,
        states: Sequence[Recurrent | None],
        lengths: tuple[int, ...],
    ) -> tuple[Tensor, tuple[Recurrent, ...]]:
        """The state is the convolution's tail alone; cutting a row anywhere leaves its bits as they are."""
        prefix = f"layers.{layer}."
        norm = weights.vector(prefix + "mixer_norm")
        before, after, value = weights.norm_linear(prefix + "in_bcx", h_ND, norm, config.norm_eps).chunk(3, dim=1)
        kernels, taps = weights.kernels(), weights.vector(prefix + "conv")
        tails_after: Sequence[Tensor]
        if kernels is None:
            tails = [state.conv_tail if state is not None else None for state in states]
            mixed, tails_after = causal_conv(before * value, taps, tails, lengths)
        else:
            mixed, tails_after = kernels.causal_conv(before * value, taps, states, lengths)
        h_ND = weights.linear(prefix + "out", after * mixed.to(h_ND.dtype), h_ND)
        empty = h_ND.new_empty(0)
        return _feed_forward(weights, config, layer, h_ND), tuple(Recurrent(empty, tail) for tail in tails_after)

    def final_norm(self, weights: Weights, config: Lfm2Config, h_ND: Tensor) -> Tensor:
        return weights.rms_norm(h_ND, weights.vector("final_norm"), config.norm_eps)


class Lfm25Of1p2B(Lfm2Family):
    """LFM2.5-1.2B-Instruct: 10 convolution and 6 attention layers, hidden size 2048."""

    name = "lfm2.5-1.2b"
    hub_id = "LiquidAI/LFM2.5-1.2B-Instruct"

    def published_shape(self) -> dict[str, Any]:
        """The published ``config.json``: this shape is measured without its weights."""
        attention = (2, 5, 8, 10, 12, 14)
        return {
            "model_type": "lfm2",
            "vocab_size": 65_536,
            "hidden_size": 2048,
            "block_ff_dim": 12_288,
            "block_multiple_of": 256,
            "block_auto_adjust_ff_dim": True,
            "block_ffn_dim_multiplier": 1.0,
            "num_hidden_layers": 16,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "conv_L_cache": 3,
            "conv_bias": False,
            "layer_types": ["full_attention" if layer in attention else "conv" for layer in range(16)],
            "norm_eps": 1e-5,
            "max_position_embeddings": 128_000,
            "rope_theta": 1_000_000.0,
            "tie_embedding": True,
        }


def _feed_forward(weights: Weights, config: Lfm2Config, layer: int, h_ND: Tensor) -> Tensor:
    prefix = f"layers.{layer}."
    norm = weights.vector(prefix + "mlp_norm")
    return weights.feed_forward(prefix + "gate_up", prefix + "down", h_ND, norm, config.norm_eps)
