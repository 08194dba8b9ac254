"""What attention of one query a row gives, in float64."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from deg_core.kernels.gpu.attention.reference import attended
from deg_core.protocols.kernels import Keys


def decode_attention(q_NHK: Tensor, own: Sequence[Keys], prefixes: Sequence[Keys | None]) -> Tensor:
    """Row i, one query, attends to all of ``prefixes[i]`` and of ``own[i]``."""
    rows = zip(q_NHK.split(1), own, prefixes, strict=True)
    return torch.cat([attended(q, keys, prefix, causal=False) for q, keys, prefix in rows])
