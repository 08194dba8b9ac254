"""One pass of forks through the heads: the raw output of every query, each from its own fork alone (SPEC 12.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deg_core.engine.memory import fork_token_budget, kept_bytes
from deg_core.protocols.head import ForkHidden, Head, Query
from deg_core.protocols.state import TrunkState
from deg_core.rendering.layout import ForkLayout, TrunkLayout
from deg_core.runtime.body import Body
from deg_core.runtime.fork import fork_passes


@dataclass(frozen=True, slots=True)
class ReadContext:
    """A text that was read: its layout, the trunk's state, and what each head prepared of it, by head kind."""

    layout: TrunkLayout
    state: TrunkState
    prepared: Mapping[str, object]

    @property
    def bytes(self) -> int:
        """Memory held."""
        return self.state.bytes + kept_bytes(self.prepared)


@dataclass(frozen=True, slots=True)
class Ask:
    """One query to be answered on one context. ``region`` are the context tokens that it is about, if not all."""

    context: ReadContext
    query: Query
    layout: ForkLayout
    region: tuple[int, int] | None = None


@torch.inference_mode()
def prepare_heads(heads: Mapping[Query, Head], layout: TrunkLayout, state: TrunkState) -> dict[str, object]:
    """Each head's view of the context tokens, computed once per trunk."""
    context = state.hidden_PD[layout.first : layout.first + len(layout.offsets)]
    unique = {head.kind: head for head in heads.values()}
    return {kind: head.prepare(context) for kind, head in unique.items()}


@torch.inference_mode()
def query_logits(body: Body, heads: Mapping[Query, Head], asks: Sequence[Ask]) -> list[Tensor]:
    """Raw head outputs of the queries, in order. The forks run together; each head call sees one fork. Of a pass only
    the outputs are kept."""
    rows = [(ask.context.state, ask.layout.ids) for ask in asks]
    waiting = iter(asks)
    logits = []
    for _, hidden, _ in fork_passes(body, rows, limit=fork_token_budget(body)):
        for states, ask in zip(hidden, waiting, strict=False):
            head = heads[ask.query]
            seen = ForkHidden(states[-1].clone(), states[list(ask.layout.ends)], ask.region)
            logits.append(head(seen, ask.context.prepared[head.kind]))
    return logits
