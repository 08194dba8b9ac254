"""One pass of forks through the heads: raw outputs of every field, each from its own fork alone (SPEC 12.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deg_core.contract.plan import FieldPlan, Mode
from deg_core.protocols.head import ForkHidden, Head
from deg_core.protocols.state import TrunkState
from deg_core.rendering.layout import ForkLayout, TrunkLayout
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks


@dataclass(frozen=True, slots=True)
class ReadContext:
    """A text that was read: its layout, the trunk's state, and what each head prepared of it, by head kind."""

    layout: TrunkLayout
    state: TrunkState
    prepared: Mapping[str, object]


@torch.inference_mode()
def prepare_heads(heads: Mapping[Mode, Head], layout: TrunkLayout, state: TrunkState) -> dict[str, object]:
    """Each head's view of the context tokens, computed once per trunk."""
    context = state.hidden_PD[layout.first : layout.first + len(layout.offsets)]
    unique = {head.kind: head for head in heads.values()}
    return {kind: head.prepare(context) for kind, head in unique.items()}


@torch.inference_mode()
def field_logits(
    body: Body,
    heads: Mapping[Mode, Head],
    context: ReadContext,
    fields: Sequence[FieldPlan],
    layouts: Sequence[ForkLayout],
) -> list[Tensor]:
    """Raw head outputs of the fields, in order. The forks run together; each head call sees one field."""
    hidden = run_forks(body, context.state, [layout.ids for layout in layouts])
    logits = []
    for field, layout, rows in zip(fields, layouts, hidden, strict=True):
        head = heads[field.mode]
        fork = ForkHidden(rows[-1].clone(), rows[list(layout.ends)])
        logits.append(head(fork, context.prepared[head.kind]))
    return logits
