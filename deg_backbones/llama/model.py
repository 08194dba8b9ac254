"""The Llama family's layers as pure functions (Touvron et al. 2023, arXiv:2302.13971).

Projections are fused where they share an input: ``qkv`` is q, k, v stacked, ``gate_up`` is gate, up stacked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from deg_backbones.common.bpe import BPETokenizer
from deg_backbones.common.tiny import byte_tokenizer
from deg_backbones.llama import weights as files
from deg_backbones.llama.config import LlamaConfig
from deg_backbones.llama.tiny import CONTROLS, TINY
from deg_core.protocols.capabilities import Capabilities, Geometry, Projection
from deg_core.protocols.family import Weights
from deg_core.protocols.state import Recurrent
from deg_core.protocols.tokenizer import Tokenizer


class LlamaFamily:
    """Attention layers only, so trunk and forks can be packed into one training sequence."""

    protocol_version = (1, 0)
    name = "llama"
    capabilities = Capabilities(packed_training=True)
    config_type = LlamaConfig

    def default_source(self) -> Path | None:
        return None

    def read_config(self, source: Path) -> LlamaConfig:
        return files.read_config(source)

    def read_weights(self, source: Path, config: LlamaConfig) -> dict[str, Tensor]:
        return files.read_weights(source, config)

    def read_tokenizer(self, source: Path) -> Tokenizer:
        return files.read_tokenizer(source)

    def load_tokenizer(self, path: Path) -> Tokenizer:
        return BPETokenizer.load(path)

    def chat_prefix(self, tokenizer: Tokenizer, system: str) -> list[int]:
        """ChatML: a system turn, then an open user turn."""
        start, end = tokenizer.control("<|im_start|>"), tokenizer.control("<|im_end|>")
        newline = tokenizer.encode("\n")
        turn = [start, *tokenizer.encode("system\n" + system), end, *newline]
        return [*turn, start, *tokenizer.encode("user\n")]

    def chat_answer(self, tokenizer: Tokenizer) -> tuple[list[int], int]:
        start, end = tokenizer.control("<|im_start|>"), tokenizer.control("<|im_end|>")
        return [end, *tokenizer.encode("\n"), start, *tokenizer.encode("assistant\n")], end

    def tiny_config(self) -> LlamaConfig:
        """A few small layers, for the conformance kit."""
        return TINY

    def tiny_tokenizer(self) -> Tokenizer:
        """Bytes and the control tokens, for the conformance kit."""
        return byte_tokenizer(CONTROLS)

    def geometry(self, config: LlamaConfig) -> Geometry:
        return Geometry(
            hidden_size=config.hidden_size,
            vocab_size=config.vocab_size,
            layers=tuple("attention" for _ in range(config.num_layers)),
            query_heads=config.num_heads,
            kv_heads=config.num_kv_heads,
            head_dim=config.head_dim,
            max_positions=config.max_positions,
        )

    def projections(self, config: LlamaConfig) -> Mapping[str, Projection]:
        d, f = config.hidden_size, config.intermediate_size
        q, kv = config.num_heads * config.head_dim, config.num_kv_heads * config.head_dim
        shapes = {"qkv": (q + 2 * kv, d), "o": (d, q), "gate_up": (2 * f, d), "down": (d, f)}
        return {
            f"layers.{i}.{part}": Projection(rows=rows, columns=columns, layer=i)
            for i in range(config.num_layers)
            for part, (rows, columns) in shapes.items()
        }

    def positions(self, config: LlamaConfig, positions: Tensor, reach: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """cos and sin [N, K/2]. Angles in float64: a float32 product loses digits at large positions.

        Texts beyond the trained positions are read with a larger base, which spreads the slow rotations over the
        longer text and leaves the fast ones (NTK-aware scaling by the text's own length; Peng et al. 2023,
        arXiv:2309.00071, section 3.1).
        """
        half = torch.arange(0, config.head_dim, 2, dtype=torch.float64, device=positions.device) / config.head_dim

        def rates(length: int) -> Tensor:
            stretch = max(1.0, length / config.max_positions) ** (config.head_dim / (config.head_dim - 2))
            return (config.rope_theta * stretch) ** -half

        if reach is None:
            inverse = rates(0)
        else:
            lengths, which = reach.unique(return_inverse=True)
            inverse = torch.stack([rates(length) for length in lengths.tolist()])[which]
        angles = positions.to(torch.float64)[:, None] * inverse
        return angles.cos().float(), angles.sin().float()

    def attn_qkv(
        self, weights: Weights, config: LlamaConfig, layer: int, h_ND: Tensor, rotary: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor, None]:
        norm = weights.vector(f"layers.{layer}.attn_norm")
        qkv = weights.norm_linear(f"layers.{layer}.qkv", h_ND, norm, config.norm_eps)
        qkv = qkv.unflatten(-1, (-1, config.head_dim))
        q, k, v = qkv.split([config.num_heads, config.num_kv_heads, config.num_kv_heads], dim=1)
        return weights.rotate(q, *rotary), weights.rotate(k, *rotary), v, None

    def attn_out(
        self, weights: Weights, config: LlamaConfig, layer: int, h_ND: Tensor, attended_NHK: Tensor, extra: None
    ) -> Tensor:
        prefix = f"layers.{layer}."
        h_ND = weights.linear(prefix + "o", attended_NHK.flatten(1), h_ND)
        norm = weights.vector(prefix + "mlp_norm")
        return weights.feed_forward(prefix + "gate_up", prefix + "down", h_ND, norm, config.norm_eps)

    def rec_layer(
        self,
        weights: Weights,
        config: LlamaConfig,
        layer: int,
        h_ND: Tensor,
        states: Sequence[Recurrent | None],
        lengths: tuple[int, ...],
    ) -> tuple[Tensor, tuple[Recurrent, ...]]:
        raise TypeError("the llama family has no state layers")

    def final_norm(self, weights: Weights, config: LlamaConfig, h_ND: Tensor) -> Tensor:
        return weights.rms_norm(h_ND, weights.vector("final_norm"), config.norm_eps)
