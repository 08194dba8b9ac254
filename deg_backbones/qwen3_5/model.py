"""Qwen3.5's layers as pure functions: gated delta-rule layers, and attention layers with an output gate.

The delta rule is Yang et al. 2024 (arXiv:2412.06464), the output gate of attention Qiu et al. 2025 (arXiv:2505.06708).
Projections are fused where they share an input: ``qkvg`` is q, k, v and the gates; ``in_qkvz`` is the state layer's q,
k, v and output gate; ``in_ba`` its writing strength and decay, which are never rounded to int8: an error there is
raised to the power of the distance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Generator, Tensor
from torch.nn.functional import silu, softplus

from deg_backbones.common import chatml
from deg_backbones.common.bpe import BPETokenizer
from deg_backbones.common.short_conv import causal_conv
from deg_backbones.common.tiny import byte_tokenizer
from deg_backbones.qwen3_5 import tiny
from deg_backbones.qwen3_5 import weights as files
from deg_backbones.qwen3_5.config import Qwen35Config, from_hub
from deg_backbones.qwen3_5.delta_rule import gated_delta_rule
from deg_core.kernels.gpu.delta_rule import fla
from deg_core.kernels.pieces import in_pieces
from deg_core.protocols.capabilities import Capabilities, Geometry, Projection
from deg_core.protocols.family import Weights
from deg_core.protocols.state import Recurrent
from deg_core.protocols.tokenizer import Tokenizer

_KEY_EPS = 1e-6  # in the normalisation of keys and queries; the published models fix it, whatever the norms' own is


class Qwen35Family:
    """Dense Qwen3.5 of any size. Forks go on from the states of their trunk, in training too."""

    protocol_version = (1, 1)
    name = "qwen3.5"
    capabilities = Capabilities(packed_training=False)
    config_type = Qwen35Config
    hub_id: str | None = None

    def default_source(self) -> Path | None:
        if self.hub_id is None:
            return None
        from deg_core.hub import BACKBONE, snapshot

        return snapshot(self.hub_id, BACKBONE)

    def read_config(self, source: Path) -> Qwen35Config:
        return from_hub(source)

    def read_weights(self, source: Path, config: Qwen35Config) -> dict[str, Tensor]:
        return files.read_weights(source, config)

    def read_tokenizer(self, source: Path) -> Tokenizer:
        return BPETokenizer.from_file(source / "tokenizer.json")

    def load_tokenizer(self, path: Path) -> Tokenizer:
        return BPETokenizer.load(path)

    def chat_prefix(self, tokenizer: Tokenizer, system: str) -> list[int]:
        """ChatML without BOS: a system turn, then an open user turn."""
        return [*chatml.turn(tokenizer, "system", system), *chatml.opened(tokenizer, "user")]

    def chat_answer(self, tokenizer: Tokenizer) -> tuple[list[int], int]:
        """The assistant's turn begins behind an empty block of thought: the published way to switch thinking off."""
        ids = [*chatml.closed(tokenizer), *chatml.opened(tokenizer, "assistant")]
        blank = tokenizer.encode("\n\n")
        ids += [tokenizer.control("<think>"), *blank, tokenizer.control("</think>"), *blank]
        return ids, tokenizer.control(chatml.END)

    def tiny_config(self) -> Qwen35Config:
        """A few small layers of both kinds, for the conformance kit."""
        return tiny.TINY

    def random_weights(self, config: Qwen35Config, generator: Generator) -> dict[str, Tensor]:
        """Weights that no training made, for the conformance kit."""
        return tiny.random_weights(config, generator)

    def tiny_tokenizer(self) -> Tokenizer:
        """Bytes and the control tokens, for the conformance kit."""
        return byte_tokenizer(tiny.CONTROLS)

    def geometry(self, config: Qwen35Config) -> Geometry:
        matrix = config.state_value_heads * config.state_key_dim * config.state_value_dim
        tail = (config.conv_taps - 1) * config.conv_width
        return Geometry(
            hidden_size=config.hidden_size,
            vocab_size=config.vocab_size,
            layers=config.layers,
            query_heads=config.num_heads,
            kv_heads=config.num_kv_heads,
            head_dim=config.head_dim,
            max_positions=config.max_positions,
            state_floats_per_row=(matrix + tail) * config.layers.count("state"),
        )

    def projections(self, config: Qwen35Config) -> Mapping[str, Projection]:
        d, f = config.hidden_size, config.intermediate_size
        q, kv = config.num_heads * config.head_dim, config.num_kv_heads * config.head_dim
        value = config.value_width
        mixers = {
            "attention": {"qkvg": (2 * q + 2 * kv, d), "o": (d, q)},
            "state": {
                "in_qkvz": (config.conv_width + value, d),
                "in_ba": (2 * config.state_value_heads, d),
                "out": (d, value),
            },
        }
        return {
            f"layers.{i}.{part}": Projection(rows=rows, columns=columns, layer=i, quantize=part != "in_ba")
            for i, kind in enumerate(config.layers)
            for part, (rows, columns) in {**mixers[kind], "gate_up": (2 * f, d), "down": (d, f)}.items()
        }

    def positions(self, config: Qwen35Config, positions: Tensor, reach: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """cos and sin [N, R/2] of the R rotated dimensions, angles in float64. Text has one position where pictures
        have three, so the interleaved sections of the published configuration are all the same here."""
        half = torch.arange(0, config.rotary_dim, 2, dtype=torch.float64, device=positions.device)
        angles = positions.to(torch.float64)[:, None] * config.rope_theta ** (-half / config.rotary_dim)
        return angles.cos().float(), angles.sin().float()

    def attn_qkv(
        self, weights: Weights, config: Qwen35Config, layer: int, h_ND: Tensor, rotary: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        norm = weights.vector(f"layers.{layer}.mixer_norm")
        fused = weights.norm_linear(f"layers.{layer}.qkvg", h_ND, norm, config.norm_eps)
        fused = fused.unflatten(-1, (-1, config.head_dim))
        q, k, v, gate = fused.split([config.num_heads, config.num_kv_heads, config.num_kv_heads, config.num_heads], 1)
        q = weights.rms_norm(q, weights.vector(f"layers.{layer}.q_norm"), config.norm_eps)
        k = weights.rms_norm(k, weights.vector(f"layers.{layer}.k_norm"), config.norm_eps)
        return _rotate(weights, config, q, rotary), _rotate(weights, config, k, rotary), v, gate

    def attn_out(
        self, weights: Weights, config: Qwen35Config, layer: int, h_ND: Tensor, attended_NHK: Tensor, extra: Tensor
    ) -> Tensor:
        gated = attended_NHK * in_pieces(torch.sigmoid, extra)
        h_ND = weights.linear(f"layers.{layer}.o", gated.flatten(1), h_ND)
        return _feed_forward(weights, config, layer, h_ND)

    def rec_layer(
        self,
        weights: Weights,
        config: Qwen35Config,
        layer: int,
        h_ND: Tensor,
        states: Sequence[Recurrent | None],
        lengths: tuple[int, ...],
    ) -> tuple[Tensor, tuple[Recurrent, ...]]:
        """The grid of ``delta_rule`` counts from each row's first token."""
        prefix = f"layers.{layer}."
        norm = weights.vector(prefix + "mixer_norm")
        qkvz, ba = (weights.norm_linear(prefix + part, h_ND, norm, config.norm_eps) for part in ("in_qkvz", "in_ba"))
        qkv, z = qkvz.split([config.conv_width, config.value_width], dim=1)
        kernels, taps = weights.kernels(), weights.vector(prefix + "conv")
        g, beta = _gates(weights, prefix, ba.float())
        tails_after: Sequence[Tensor]
        matrices: Sequence[Tensor]
        if kernels is None:
            tails = [state.conv_tail if state is not None else None for state in states]
            mixed, tails_after = causal_conv(qkv, taps, tails, lengths)
            activated = in_pieces(silu, mixed)
            if fla.trains(h_ND.dtype, h_ND.device, config.state_key_dim, _KEY_EPS):
                before = [state.matrix if state is not None else None for state in states]
                streams = (*_heads(config, activated), g, beta)
                out_NHV, matrices = fla.train(*streams, before, lengths, h_ND.dtype)
            else:
                out_NHV, matrices = _each_row((*_unit_heads(config, activated), g, beta), states, lengths)
        else:
            mixed, tails_after = kernels.causal_conv(qkv, taps, states, lengths)
            q, k, v = _heads(config, in_pieces(silu, mixed))
            out_NHV, matrices = kernels.delta_rule(q, k, v, g, beta, states, lengths, _KEY_EPS)
        gated = weights.gated_norm(out_NHV, z, weights.vector(prefix + "gated_norm"), config.norm_eps)
        h_ND = weights.linear(prefix + "out", gated, h_ND)
        after = tuple(Recurrent(matrix, tail) for matrix, tail in zip(matrices, tails_after, strict=True))
        return _feed_forward(weights, config, layer, h_ND), after

    def final_norm(self, weights: Weights, config: Qwen35Config, h_ND: Tensor) -> Tensor:
        return weights.rms_norm(h_ND, weights.vector("final_norm"), config.norm_eps)


def _rotate(weights: Weights, config: Qwen35Config, x_NHK: Tensor, rotary: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary embedding of each head's first dimensions; the rest carries no position."""
    turned, still = x_NHK.split([config.rotary_dim, config.head_dim - config.rotary_dim], dim=-1)
    return torch.cat([weights.rotate(turned, *rotary), still], dim=-1)


def _heads(config: Qwen35Config, mixed_NC: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries and keys [N, J, K] of J key heads, and values [N, H, V]."""
    q, k, v = mixed_NC.split([config.key_width, config.key_width, config.value_width], dim=1)
    q, k = (x.unflatten(1, (config.state_key_heads, config.state_key_dim)) for x in (q, k))
    return q, k, v.unflatten(1, (config.state_value_heads, config.state_value_dim))


def _unit_heads(config: Qwen35Config, mixed_NC: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries and keys of unit length [N, H, K], queries scaled by 1 / sqrt(K), and values [N, H, V]. Each key head
    serves the value heads next to one another."""
    q, k, v = _heads(config, mixed_NC)
    repeat = config.state_value_heads // config.state_key_heads
    q, k = (_unit(x).repeat_interleave(repeat, dim=1) if repeat > 1 else _unit(x) for x in (q, k))
    return q * config.state_key_dim**-0.5, k, v


def _unit(x_NHK: Tensor) -> Tensor:
    return x_NHK / torch.sqrt(x_NHK.square().sum(dim=-1, keepdim=True) + _KEY_EPS)


def _gates(weights: Weights, prefix: str, ba_NG: Tensor) -> tuple[Tensor, Tensor]:
    """Logarithm of the decay and writing strength, each [N, H] in fp32."""
    b, a = ba_NG.chunk(2, dim=1)
    speed = in_pieces(softplus, a + weights.vector(prefix + "decay_bias").float())
    return -weights.vector(prefix + "decay_rate").float() * speed, in_pieces(torch.sigmoid, b)


def _each_row(
    streams: tuple[Tensor, Tensor, Tensor, Tensor, Tensor], states: Sequence[Recurrent | None], lengths: Sequence[int]
) -> tuple[Tensor, list[Tensor]]:
    """The delta rule over rows laid end to end, each by itself: outputs [N, H, V] and each row's matrix after it."""
    _, k, v, _, _ = streams
    outputs, matrices = [], []
    start = 0
    for state, length in zip(states, lengths, strict=True):
        q_THK, k_THK, v_THV, g_TH, beta_TH = (stream[start : start + length] for stream in streams)
        before = state.matrix if state is not None else k.new_zeros(*k.shape[1:], v.shape[2])
        out_THV, after = gated_delta_rule(q_THK, k_THK, v_THV, g_TH, beta_TH, before)
        outputs.append(out_THV)
        matrices.append(after)
        start += length
    return torch.cat(outputs), matrices


def _feed_forward(weights: Weights, config: Qwen35Config, layer: int, h_ND: Tensor) -> Tensor:
    prefix = f"layers.{layer}."
    norm = weights.vector(prefix + "mlp_norm")
    return weights.feed_forward(prefix + "gate_up", prefix + "down", h_ND, norm, config.norm_eps)
