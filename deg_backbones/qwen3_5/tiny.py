"""A tiny Qwen3.5 for the conformance kit."""

from __future__ import annotations

from typing import Final

import torch
from torch import Generator, Tensor

from deg_backbones.common.tiny import draw_tensors
from deg_backbones.qwen3_5.config import Qwen35Config
from deg_backbones.qwen3_5.weights import assemble, expected_shapes

CONTROLS: Final = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>")
TINY: Final = Qwen35Config(
    vocab_size=272,
    hidden_size=48,
    intermediate_size=80,
    layers=("state", "state", "attention", "state"),
    num_heads=4,
    num_kv_heads=2,
    head_dim=32,
    rotary_dim=8,
    rope_theta=10_000_000.0,
    state_key_heads=2,
    state_value_heads=4,
    state_key_dim=16,
    state_value_dim=12,
    conv_taps=4,
    norm_eps=1e-6,
    max_positions=2048,
    tied_head=False,
)


def random_weights(config: Qwen35Config, generator: Generator) -> dict[str, Tensor]:
    """Random weights under the family's names. Norms are stored as their distance from one, all but that of a state
    layer's output; the decay as the logarithm of its rate."""
    raw = draw_tensors(expected_shapes(config), generator, norm_centre=0.0)
    for name, weight in raw.items():
        if name.endswith("A_log"):
            raw[name] = torch.empty(weight.shape).uniform_(0.02, 3, generator=generator).log()
        elif name.endswith("linear_attn.norm.weight"):
            raw[name] = 1 + weight
    return assemble(raw, config)
