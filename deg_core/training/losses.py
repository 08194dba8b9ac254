"""The step's loss: each head's own loss, one mean per head kind (SPEC 12.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deg_core.contract.plan import Mode
from deg_core.protocols.head import ForkHidden, Head
from deg_core.training.examples import Example
from deg_core.training.packing import Pack


@dataclass(frozen=True, slots=True)
class ItemLoss:
    """The loss of one field. ``kind`` is its head's; ``absent`` marks an extract field whose gold is null."""

    kind: str
    source: str
    absent: bool
    loss: Tensor


def item_losses(
    hidden_ND: Tensor, batch: Pack, examples: Sequence[Example], heads: Mapping[Mode, Head]
) -> list[ItemLoss]:
    """The losses of every field of the step."""
    losses: list[ItemLoss] = []
    for example, record in zip(examples, batch.records, strict=True):
        first = record.start + example.trunk.first
        context = hidden_ND[first : first + len(example.trunk.offsets)].float()
        prepared: dict[str, object] = {}
        for fork, start in zip(example.forks, record.fork_starts, strict=True):
            head = heads[fork.field.mode]
            if head.kind not in prepared:
                prepared[head.kind] = head.prepare(context)
            answer = hidden_ND[start + len(fork.layout.ids) - 1]
            ends = torch.tensor([start + end for end in fork.layout.ends], dtype=torch.long)
            logits = head(ForkHidden(answer, hidden_ND[ends]), prepared[head.kind])
            absent = fork.field.mode.extracts and not fork.target.starts
            losses.append(ItemLoss(head.kind, example.source, absent, head.loss(logits, fork.target)))
    return losses


def total_loss(losses: Sequence[ItemLoss], typical: Mapping[str, float]) -> Tensor:
    """Sum over head kinds of the mean loss.

    A kind with fewer items than ``typical`` (its running mean per step) is divided by that mean instead, so that a
    lone item of a rare kind does not steer the whole step.
    """
    by_kind: dict[str, list[Tensor]] = defaultdict(list)
    for item in losses:
        by_kind[item.kind].append(item.loss)
    return torch.stack(
        [torch.stack(items).sum() / max(len(items), typical.get(kind, 0.0)) for kind, items in by_kind.items()]
    ).sum()
