"""The step's loss: each head's own loss, one mean per head kind (SPEC 12.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deg_core.protocols.head import ForkHidden, Head, Query
from deg_core.training.gold import Example
from deg_core.training.packing import Pack, PackedRecord


@dataclass(frozen=True, slots=True)
class ItemLoss:
    """The loss of one fork. ``kind`` is its head's; ``absent`` marks an extract field whose gold is null."""

    kind: str
    source: str
    absent: bool
    loss: Tensor


def item_losses(
    hidden_ND: Tensor, batch: Pack, examples: Sequence[Example], heads: Mapping[Query, Head]
) -> list[ItemLoss]:
    """The losses of every fork of the step."""
    places: list[Tensor] = []
    for example, record in zip(examples, batch.records, strict=True):
        places += _read(example, record)
    # One gather for all that the heads read: a slice per field would each bring a gradient of the whole pack.
    device = hidden_ND.device
    read = iter(hidden_ND.index_select(0, torch.cat(places).to(device)).float().split([len(p) for p in places]))
    losses: list[ItemLoss] = []
    for example in examples:
        context = next(read)
        prepared: dict[Head, object] = {}
        for fork in example.forks:
            head = heads[fork.query]
            if head not in prepared:
                prepared[head] = head.prepare(context)
            rows = next(read)
            logits = head(ForkHidden(rows[0], rows[1:], fork.region), prepared[head])
            losses.append(ItemLoss(head.kind, example.source, fork.absent, head.loss(logits, fork.target.to(device))))
    return losses


def _read(example: Example, record: PackedRecord) -> list[Tensor]:
    """Places in the pack that the heads read: the context's tokens, then each fork's answer and outcome ends."""
    first = record.start + example.trunk.first
    places = [torch.arange(first, first + len(example.trunk.offsets))]
    for fork, start in zip(example.forks, record.fork_starts, strict=True):
        at = [len(fork.layout.ids) - 1, *fork.layout.ends]
        places.append(torch.tensor([start + place for place in at]))
    return places


def total_loss(losses: Sequence[ItemLoss], typical: Mapping[str, float], weights: Mapping[str, float]) -> Tensor:
    """Sum over head kinds of the mean loss times the kind's weight (1 when absent).

    A kind with fewer items than ``typical`` (its running mean per step) is divided by that mean instead, so that a
    lone item of a rare kind does not steer the whole step.
    """
    by_kind: dict[str, list[Tensor]] = defaultdict(list)
    for item in losses:
        by_kind[item.kind].append(item.loss)
    return torch.stack(
        [
            weights.get(kind, 1.0) * torch.stack(items).sum() / max(len(items), typical.get(kind, 0.0))
            for kind, items in by_kind.items()
        ]
    ).sum()
