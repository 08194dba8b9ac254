"""Forks: continuations of trunks, many in one pass, none aware of the others (SPEC 12.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from deg_core.protocols.state import LayerState, TrunkState
from deg_core.runtime.body import Body, advance

FORK_TOKENS = 4096  # tokens per pass; more forks go into further passes, which changes no bit

Pass = tuple[Sequence[tuple[TrunkState, Sequence[int]]], list[Tensor], list[tuple[LayerState, ...]]]


@torch.inference_mode()
def run_forks(
    body: Body, rows: Sequence[tuple[TrunkState, Sequence[int]]], *, limit: int = FORK_TOKENS
) -> list[Tensor]:
    """Final hidden states [T, D] of each row: token ids that continue a trunk. Rows of one pass may continue
    different trunks; a trunk is read in place, never copied."""
    out: list[Tensor] = []
    for _, hidden, _ in fork_passes(body, rows, limit=limit, keep=False):
        out += hidden
    return out


def fork_passes(
    body: Body, rows: Sequence[tuple[TrunkState, Sequence[int]]], *, limit: int = FORK_TOKENS, keep: bool = True
) -> Iterator[Pass]:
    """Rows in passes of at most ``limit`` tokens (or one row): the rows of a pass, the hidden states of each, and the
    state of each by layer (with ``keep``)."""
    batch: list[tuple[TrunkState, Sequence[int]]] = []
    size = 0
    for row in rows:
        length = len(row[1])
        if batch and size + length > limit:
            yield _one_pass(body, batch, keep)
            batch, size = [], 0
        batch.append(row)
        size += length
    if batch:
        yield _one_pass(body, batch, keep)


def _one_pass(body: Body, rows: Sequence[tuple[TrunkState, Sequence[int]]], keep: bool) -> Pass:
    lengths = tuple(len(ids) for _, ids in rows)
    ids = torch.as_tensor([token for _, row in rows for token in row], dtype=torch.long)
    hidden, layers = advance(body, ids, lengths, [trunk for trunk, _ in rows], keep=keep)
    return rows, list(hidden.split(lengths)), list(zip(*layers, strict=True))
