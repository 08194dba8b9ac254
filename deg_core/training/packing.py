"""Packing: trunks and forks of several records laid end to end in one batch of tokens.

A fork's positions start where its trunk ends, and its queries attend to its trunk and to itself. This equals running
each fork as a continuation of its trunk for families whose layers are all attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deg_core.training.gold import Example

GRID = 64  # forks of one record whose lengths round up to the same multiple share an attention call


@dataclass(frozen=True, slots=True)
class ForkGroup:
    """Forks of one record padded to one width. ``rows`` [F, L] are their tokens' places among the record's fork
    tokens; padding repeats the fork's last token. ``real`` [F, L] marks the places that are not padding."""

    rows: Tensor
    real: Tensor


@dataclass(frozen=True, slots=True)
class PackedRecord:
    """One record in a pack: its trunk's places [start, stop), and its forks behind it, ``fork_tokens`` in all."""

    start: int
    stop: int
    fork_tokens: int
    fork_starts: tuple[int, ...]
    groups: tuple[ForkGroup, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """``ids`` and ``positions`` [N] of all records' tokens, trunk before forks, record after record."""

    ids: Tensor
    positions: Tensor
    records: tuple[PackedRecord, ...]


def pack(examples: Sequence[Example]) -> Pack:
    """Lay out the examples in the order given."""
    ids: list[int] = []
    positions: list[Tensor] = []
    records = []
    for example in examples:
        base, trunk = len(ids), len(example.trunk.ids)
        ids += example.trunk.ids
        positions.append(torch.arange(trunk))
        starts = []
        for fork in example.forks:
            starts.append(len(ids))
            ids += fork.layout.ids
            positions.append(torch.arange(trunk, trunk + len(fork.layout.ids)))
        lengths = [len(fork.layout.ids) for fork in example.forks]
        groups = _groups([start - base - trunk for start in starts], lengths)
        records.append(PackedRecord(base, base + trunk, sum(lengths), tuple(starts), groups))
    return Pack(torch.tensor(ids), torch.cat(positions), tuple(records))


def _groups(starts: list[int], lengths: list[int]) -> tuple[ForkGroup, ...]:
    by_width: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        by_width.setdefault(-(-length // GRID), []).append(index)
    groups = []
    for members in by_width.values():
        width = max(lengths[i] for i in members)
        steps = torch.arange(width)
        size = torch.tensor([lengths[i] for i in members])[:, None]
        rows = torch.tensor([starts[i] for i in members])[:, None] + torch.minimum(steps, size - 1)
        groups.append(ForkGroup(rows, steps < size))
    return tuple(groups)
