"""Forks: continuations of a trunk, many in one pass, none aware of the others (SPEC 12.2)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from deg_core.protocols.state import TrunkState
from deg_core.runtime.body import Body, advance

FORK_TOKENS = 4096  # tokens per pass; more forks go into further passes, which changes no bit


@torch.inference_mode()
def run_forks(
    body: Body, trunk: TrunkState, rows: Sequence[Sequence[int]], *, limit: int = FORK_TOKENS
) -> list[Tensor]:
    """Final hidden states [T, D] of each row of token ids, every row a continuation of ``trunk``."""
    out: list[Tensor] = []
    batch: list[Sequence[int]] = []
    size = 0
    for row in rows:
        if batch and size + len(row) > limit:
            out += _one_pass(body, trunk, batch)
            batch, size = [], 0
        batch.append(row)
        size += len(row)
    return out + (_one_pass(body, trunk, batch) if batch else [])


def _one_pass(body: Body, trunk: TrunkState, rows: Sequence[Sequence[int]]) -> list[Tensor]:
    lengths = tuple(len(row) for row in rows)
    ids = torch.as_tensor([token for row in rows for token in row], dtype=torch.long)
    hidden, _ = advance(body, ids, lengths, trunk)
    return list(hidden.split(lengths))
