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


@dataclass(frozen=True, slots=True)
class Fork:
    """One field to be answered on one context."""

    context: ReadContext
    field: FieldPlan
    layout: ForkLayout


@torch.inference_mode()
def prepare_heads(heads: Mapping[Mode, Head], layout: TrunkLayout, state: TrunkState) -> dict[str, object]:
    """Each head's view of the context tokens, computed once per trunk."""
    context = state.hidden_PD[layout.first : layout.first + len(layout.offsets)]
    unique = {head.kind: head for head in heads.values()}
    return {kind: head.prepare(context) for kind, head in unique.items()}


@torch.inference_mode()
def field_logits(body: Body, heads: Mapping[Mode, Head], forks: Sequence[Fork]) -> list[Tensor]:
    """Raw head outputs of the forks, in order. The forks run together; each head call sees one field."""
    hidden = run_forks(body, [(fork.context.state, fork.layout.ids) for fork in forks])
    logits = []
    for fork, rows in zip(forks, hidden, strict=True):
        head = heads[fork.field.mode]
        seen = ForkHidden(rows[-1].clone(), rows[list(fork.layout.ends)])
        logits.append(head(seen, fork.context.prepared[head.kind]))
    return logits
