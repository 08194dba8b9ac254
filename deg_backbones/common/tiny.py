"""Parts of tiny random models, on which the conformance kit runs our families."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from tokenizers import pre_tokenizers
from torch import Generator, Tensor

from deg_backbones.common.bpe import BPETokenizer


def byte_tokenizer(controls: Sequence[str]) -> BPETokenizer:
    """Byte-level BPE without a single merge: 256 bytes, and the control tokens behind them."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    return BPETokenizer.from_vocabulary(tokens=[*letters, *controls], merges=[], controls=controls)


def draw_tensors(
    shapes: Mapping[str, tuple[int, ...]], generator: Generator, *, norm_centre: float
) -> dict[str, Tensor]:
    """Random tensors in the scales of trained ones, so that no layer is negligible. Matrices keep the size of what they
    multiply; convolutions [C, 1, J] have taps around a half; vectors are norms around ``norm_centre``."""

    def draw(shape: tuple[int, ...]) -> Tensor:
        noise = torch.randn(shape, generator=generator)
        if len(shape) == 1:
            return norm_centre + 0.3 * noise
        return noise * (0.5 if len(shape) == 3 else 1.5 / math.sqrt(shape[1]))

    return {name: draw(shape) for name, shape in shapes.items()}
