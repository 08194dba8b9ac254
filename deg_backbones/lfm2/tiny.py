"""A tiny LFM2 for the conformance kit."""

from __future__ import annotations

from typing import Final

from torch import Generator, Tensor

from deg_backbones.common.tiny import draw_tensors
from deg_backbones.lfm2.config import Lfm2Config
from deg_backbones.lfm2.weights import assemble, expected_shapes

CONTROLS: Final = ("<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>")
TINY: Final = Lfm2Config(
    vocab_size=272,
    hidden_size=48,
    intermediate_size=80,
    layers=("state", "state", "attention", "state"),
    num_heads=4,
    num_kv_heads=2,
    head_dim=12,
    rope_theta=1_000_000.0,
    conv_taps=3,
    norm_eps=1e-5,
    max_positions=2048,
    tied_head=True,
)


def random_weights(config: Lfm2Config, generator: Generator) -> dict[str, Tensor]:
    """Random weights under the family's names."""
    return assemble(draw_tensors(expected_shapes(config), generator, norm_centre=1.0), config)
