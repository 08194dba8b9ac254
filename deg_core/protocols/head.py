"""A head: turns hidden states of one fork into the outcome of one field (SPEC 12.3).

A head is a ``torch.nn.Module`` in fp32. It sees one field at a time, so nothing about other fields can reach it.

Shapes: D hidden size, O outcomes (options or levels), P context tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from deg_core.contract.plan import Mode

if TYPE_CHECKING:
    from torch import Generator, Tensor


@dataclass(frozen=True, slots=True)
class HeadInit:
    """What a head may start from. ``word_vector`` gives the embedding row [D] of a text's first token."""

    hidden_size: int
    generator: Generator
    word_vector: Callable[[str], Tensor]


@dataclass(frozen=True, slots=True)
class ForkHidden:
    """Final hidden states of one fork: at ``ANSWER:`` [D] and at the end of each outcome line [O, D]."""

    answer_D: Tensor
    outcomes_OD: Tensor


@dataclass(frozen=True, slots=True)
class Target:
    """Gold of one field for training. ``probs`` [O] for decide heads; for extract, ``starts`` and ``ends`` list
    positive context-token pairs with ``probs`` over them, empty when the gold is null."""

    probs: Tensor
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


class Head(Protocol):
    """A named head. ``kind`` groups its losses and its temperature; ``modes`` are the plan modes that it serves."""

    protocol_version: tuple[int, int]
    kind: str
    modes: frozenset[Mode]

    def prepare(self, context_PD: Tensor) -> Any:
        """What the head needs of the context, computed once per trunk and shared by all its fields (or None)."""
        ...

    def __call__(self, fork: ForkHidden, prepared: Any) -> Tensor:
        """Raw logits of one field: [O] for decide heads, [2, P + 1] (start, end; null last) for extract."""
        ...

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        """Scalar loss of one field."""
        ...

    def state_dict(self) -> Mapping[str, Tensor]: ...
