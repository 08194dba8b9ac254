"""A head: turns hidden states of one fork into the outcome of one field (SPEC 12.3).

A head is a ``torch.nn.Module`` in fp32. It sees one fork at a time, so nothing about other fields can reach it.

Shapes: D hidden size, O outcomes (options or levels), P context tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from deg_core.contract.plan import Mode

if TYPE_CHECKING:
    import torch
    from torch import Generator, Tensor


MAX_COUNT: Final = 64  # a count head tells 0 to this many items


class ArrayQuery(StrEnum):
    """What is asked of an array as a whole: how many items it has, and where each starts."""

    COUNT = "count"
    ANCHOR = "anchor"


Query: TypeAlias = Mode | ArrayQuery  # what a fork asks; deg.json names a head for each


@dataclass(frozen=True, slots=True)
class HeadInit:
    """What a head may start from. ``word_vector`` gives the embedding row [D] of a text's first token."""

    hidden_size: int
    generator: Generator
    word_vector: Callable[[str], Tensor]


@dataclass(frozen=True, slots=True)
class ForkHidden:
    """Final hidden states of one fork: at ``ANSWER:`` [D] and at the end of each outcome line [O, D].

    ``region`` [start, end) are the context tokens that the fork is about: where an anchor fork searches, or the item
    that an extract fork stands in, which starts at its anchor. None means the whole context.
    """

    answer_D: Tensor
    outcomes_OD: Tensor
    region: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Gold of one fork for training. ``probs`` [O] for decide heads; for extract, ``starts`` and ``ends`` list
    positive context-token pairs with ``probs`` over them, empty when the gold is null; for an anchor fork ``starts``
    are the tokens that items start at; for a count fork ``count`` is the number of items and ``bounds`` the least and
    the most that it could be."""

    probs: Tensor
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    count: int | None = None
    bounds: tuple[int, int] = (0, MAX_COUNT)

    def to(self, device: torch.device) -> Target:
        """The same with its tensor on a device."""
        return self if self.probs.device == device else replace(self, probs=self.probs.to(device))


class Head(Protocol):
    """A named head. ``kind`` groups its losses and its temperature; ``modes`` are what it answers: plan modes, or the
    queries of an array. ``optional`` names tensors that older checkpoints of this head lack; without them the head
    starts as if they were zero."""

    protocol_version: tuple[int, int]
    kind: str
    modes: frozenset[Query]
    optional: frozenset[str]

    def prepare(self, context_PD: Tensor) -> Any:
        """What the head needs of the context, computed once per trunk and shared by all its fields (or None)."""
        ...

    def __call__(self, fork: ForkHidden, prepared: Any) -> Any:
        """Raw logits of one fork: [O] for decide heads, [2, P + 1] (start, end; null last) for extract, alone or in
        ``LinkedSpans``, [P] for anchor (minus infinity outside the region), [``MAX_COUNT`` + 1] for count."""
        ...

    def loss(self, logits: Any, target: Target) -> Tensor:
        """Scalar loss of one fork, of what the call gave. ``target.probs`` is where the logits are; what else is made
        here must be, too."""
        ...

    def state_dict(self) -> Mapping[str, Tensor]: ...

    def load_state_dict(self, state_dict: Mapping[str, Tensor]) -> object: ...


def load_head(head: Head, tensors: Mapping[str, Tensor]) -> None:
    """Load a head's tensors; ``optional`` ones may be missing. Raises RuntimeError when they do not fit."""
    kept = {name: value for name, value in head.state_dict().items() if name in head.optional and name not in tensors}
    head.load_state_dict({**kept, **tensors})
