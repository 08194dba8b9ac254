"""A tiny Llama for the conformance kit."""

from __future__ import annotations

from typing import Final

from deg_backbones.llama.config import LlamaConfig

CONTROLS: Final = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TINY: Final = LlamaConfig(
    vocab_size=272,
    hidden_size=48,
    intermediate_size=80,
    num_layers=3,
    num_heads=6,
    num_kv_heads=2,
    head_dim=16,
    rope_theta=10_000.0,
    norm_eps=1e-5,
    max_positions=2048,
)
