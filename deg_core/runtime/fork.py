"""Forks: continuations of trunks, many in one pass, none aware of the others (SPEC 12.2)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from deg_core.protocols.state import TrunkState
from deg_core.runtime.body import Body, advance

FORK_TOKENS = 4096  # tokens per pass; more forks go into further passes, which changes no bit


@torch.inference_mode()
def run_forks(
    body: Body, rows: Sequence[tuple[TrunkState, Sequence[int]]], *, limit: int = FORK_TOKENS
) -> list[Tensor]:
    """Final hidden states [T, D] of each row: token ids that continue a trunk. Rows of one pass may continue
    different trunks; a trunk is read in place, never copied."""
    out: list[Tensor] = []
    batch: list[tuple[TrunkState, Sequence[int]]] = []
    size = 0
    for row in rows:
        length = len(row[1])
        if batch and size + length > limit:
            out += _one_pass(body, batch)
            batch, size = [], 0
        batch.append(row)
        size += length
    return out + (_one_pass(body, batch) if batch else [])


def _one_pass(body: Body, rows: Sequence[tuple[TrunkState, Sequence[int]]]) -> list[Tensor]:
    lengths = tuple(len(ids) for _, ids in rows)
    ids = torch.as_tensor([token for _, row in rows for token in row], dtype=torch.long)
    hidden, _ = advance(body, ids, lengths, [trunk for trunk, _ in rows])
    return list(hidden.split(lengths))
