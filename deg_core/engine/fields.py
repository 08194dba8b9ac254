"""One pass of forks through the heads: the raw output of every query, each from its own fork alone (SPEC 12.2).

Heads that answer with the language model are asked beside them, in rounds of their own (``converse``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from deg_core.contract.plan import FieldPlan
from deg_core.engine.converse import converse
from deg_core.engine.memory import fork_token_budget, kept_bytes
from deg_core.protocols.head import ForkHidden, Head, Query
from deg_core.protocols.language import Answer, Question, Spans, speaks
from deg_core.protocols.state import TrunkState
from deg_core.rendering.layout import ForkLayout, TrunkLayout
from deg_core.rendering.places import Place
from deg_core.runtime.body import Body
from deg_core.runtime.fork import fork_passes


@dataclass(frozen=True, slots=True)
class ReadContext:
    """A text that was read: its layout, the trunk's state, and what each head prepared of it."""

    layout: TrunkLayout
    state: TrunkState
    prepared: Mapping[Head, object]

    @property
    def bytes(self) -> int:
        """Memory held."""
        return self.state.bytes + kept_bytes(self.prepared)


@dataclass(frozen=True, slots=True)
class Ask:
    """One query to be answered on one context, whose ``spans`` are those of the request. ``region`` are the context
    tokens that it is about, if not all; ``field`` is None for one about an array as a whole, and ``places`` are the
    items around it."""

    context: ReadContext
    query: Query
    layout: ForkLayout
    spans: Spans
    region: tuple[int, int] | None = None
    field: FieldPlan | None = None
    places: tuple[Place, ...] = ()


@torch.inference_mode()
def prepare_heads(heads: Mapping[Query, Head], layout: TrunkLayout, state: TrunkState) -> dict[Head, object]:
    """Each head's view of the context tokens, computed once per trunk."""
    context = state.hidden_PD[layout.first : layout.first + len(layout.offsets)]
    return {head: head.prepare(context) for head in dict.fromkeys(heads.values())}


def query_answers(
    body: Body, heads: Mapping[Query, Head], asks: Sequence[Ask], blank: Callable[[], TrunkState]
) -> list[Answer]:
    """Raw outputs of the queries, in order. ``blank`` gives the state of a text without content, which language heads
    may ask about."""
    spoken = []
    for ask in asks:
        head = heads[ask.query]
        if speaks(head):
            layout, state = ask.context.layout, ask.context.state
            question = Question(ask.query, ask.layout, layout, ask.spans, ask.field, ask.places, ask.region)
            spoken.append((head, question, state))
    said = iter(converse(body, spoken, blank))
    logits = iter(query_logits(body, heads, [ask for ask in asks if not speaks(heads[ask.query])]))
    return [next(said) if speaks(heads[ask.query]) else next(logits) for ask in asks]


@torch.inference_mode()
def query_logits(body: Body, heads: Mapping[Query, Head], asks: Sequence[Ask]) -> list[Answer]:
    """Raw outputs of heads that see hidden states. The forks run together; each head call sees one fork. Of a pass only
    the outputs are kept, in the host's memory, where they are decoded."""
    rows = [(ask.context.state, ask.layout.ids) for ask in asks]
    waiting = iter(asks)
    logits: list[Answer] = []
    for _, hidden, _ in fork_passes(body, rows, limit=fork_token_budget(body)):
        of_pass = []
        for states, ask in zip(hidden, waiting, strict=False):
            head = heads[ask.query]
            seen = ForkHidden(states[-1].clone(), states[list(ask.layout.ends)], ask.region)
            of_pass.append(head(seen, ask.context.prepared[head]))
        logits += [output.cpu() for output in of_pass]
    return logits
