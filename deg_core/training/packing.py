"""Packing: trunks and forks of several records laid end to end in one batch of tokens.

A fork's positions start where its trunk ends; its queries attend to its trunk and to itself, and a state layer carries
on from the state that its trunk ends in. This equals running each fork as a continuation of its trunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from deg_core.training.gold import Example

GRID = 64  # forks of one record whose lengths round up to the same multiple share an attention call


@dataclass(frozen=True, slots=True)
class ForkGroup:
    """F forks of one record padded to L tokens. ``rows`` [F, L] are their tokens' places among the record's fork
    tokens; padding repeats the fork's last token. ``real`` [F, L] marks the places that are not padding: those are
    ``slots`` [M] of F * L, and hold the fork tokens ``tokens`` [M]."""

    rows: Tensor
    real: Tensor
    slots: Tensor
    tokens: Tensor

    def to(self, device: torch.device) -> ForkGroup:
        """The same on a device."""
        return ForkGroup(*(part.to(device) for part in (self.rows, self.real, self.slots, self.tokens)))


@dataclass(frozen=True, slots=True)
class PackedRecord:
    """One record in a pack: its trunk's places [start, stop), and where its forks behind it start."""

    start: int
    stop: int
    fork_starts: tuple[int, ...]
    fork_lengths: tuple[int, ...]
    groups: tuple[ForkGroup, ...]

    @property
    def fork_tokens(self) -> int:
        """Tokens of all forks."""
        return sum(self.fork_lengths)

    def to(self, device: torch.device) -> PackedRecord:
        """The same with its groups on a device."""
        return replace(self, groups=tuple(group.to(device) for group in self.groups))


@dataclass(frozen=True, slots=True)
class Pack:
    """``ids`` and ``positions`` [N] of all records' tokens, trunk before forks, record after record."""

    ids: Tensor
    positions: Tensor
    records: tuple[PackedRecord, ...]

    @property
    def sizes(self) -> list[int]:
        """Tokens of each record's trunk and of its forks, in turn."""
        return [size for record in self.records for size in (record.stop - record.start, record.fork_tokens)]

    def to(self, device: torch.device) -> Pack:
        """The same on a device. A pack is laid out on the host, so that nothing is asked of a GPU on the way."""
        return Pack(self.ids.to(device), self.positions.to(device), tuple(r.to(device) for r in self.records))


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
        lengths = tuple(len(fork.layout.ids) for fork in example.forks)
        groups = _groups([start - base - trunk for start in starts], lengths)
        records.append(PackedRecord(base, base + trunk, tuple(starts), lengths, groups))
    return Pack(torch.tensor(ids), torch.cat(positions), tuple(records))


def _groups(starts: list[int], lengths: Sequence[int]) -> tuple[ForkGroup, ...]:
    by_width: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        by_width.setdefault(-(-length // GRID), []).append(index)
    groups = []
    for members in by_width.values():
        width = max(lengths[i] for i in members)
        steps = torch.arange(width)
        size = torch.tensor([lengths[i] for i in members])[:, None]
        rows = torch.tensor([starts[i] for i in members])[:, None] + torch.minimum(steps, size - 1)
        real = steps < size
        groups.append(ForkGroup(rows, real, real.flatten().nonzero()[:, 0], rows[real]))
    return tuple(groups)
