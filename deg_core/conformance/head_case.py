"""A head under test: instances of it, forks to ask it about, golds to train it on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

import torch
from torch import Generator, Tensor, nn

from deg_core.conformance.report import CheckFailed, NotApplicable
from deg_core.contract.plan import Mode
from deg_core.protocols.head import MAX_COUNT, ArrayQuery, ForkHidden, Head, HeadInit, Query, Target
from deg_core.protocols.language import speaks
from deg_core.protocols.spans import LinkedSpans

HIDDEN: Final = 48
EXTRACTS: Final = frozenset({Mode.SPAN, Mode.NUMBER, Mode.DATE})
OUTCOMES: Final[dict[Query, tuple[int, ...]]] = {Mode.CHOICE: (2, 3, 7, 255), Mode.SCORE: (2, 5, 12)}
CONTEXTS: Final = (40, 1, 200)  # context tokens
NOISE: Final = 0.3  # how far a trained parameter is from its start


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to a head: the query, the fork, and the context tokens [P, D]."""

    query: Query
    fork: ForkHidden
    context_PD: Tensor

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the logits."""
        tokens = len(self.context_PD)
        if self.query in EXTRACTS:
            return (2, tokens + 1)
        if self.query is ArrayQuery.ANCHOR:
            return (tokens,)
        if self.query is ArrayQuery.COUNT:
            return (MAX_COUNT + 1,)
        return (2,) if self.query is Mode.NOUL else (len(self.fork.outcomes_OD),)

    def __str__(self) -> str:
        region = f", region {self.fork.region}" if self.fork.region is not None else ""
        return f"{self.query.value} with {len(self.fork.outcomes_OD)} outcomes, {len(self.context_PD)} tokens{region}"


class HeadCase:
    """What the checks of a head share."""

    def __init__(self, head_class: type[Any], name: str) -> None:
        self.name = name
        self._class = head_class

    @cached_property
    def head(self) -> Head:
        """A head as it starts."""
        return self.make()

    def make(self, seed: int = 0, *, trained: bool = False) -> Head:
        """A head at its start, or with every parameter moved as training would."""
        head = self._class(HeadInit(HIDDEN, Generator().manual_seed(seed), word_vector))
        if trained:
            generator = Generator().manual_seed(seed + 1)
            with torch.no_grad():
                for parameter in module(head).parameters():
                    parameter.add_(torch.randn(parameter.shape, generator=generator) * NOISE)
        return cast("Head", head)

    @property
    def queries(self) -> list[Query]:
        """What the head answers, in a fixed order."""
        return sorted(self.head.modes, key=lambda query: query.value)

    def asks(self, *, context: int | None = None, dtype: torch.dtype = torch.float32) -> list[Ask]:
        """Every kind of question to the head: all outcome counts, contexts and regions (one context size if given).
        Raises NotApplicable for a head that is not called with hidden states."""
        if speaks(self.head):
            raise NotApplicable("the head answers with the language model, not from hidden states")
        generator = Generator().manual_seed(7)

        def draw(*shape: int) -> Tensor:
            return torch.randn(*shape, generator=generator).to(dtype)

        texts = {tokens: draw(tokens, HIDDEN) for tokens in ((context,) if context is not None else CONTEXTS)}
        made = []
        for query in self.queries:
            for outcomes in OUTCOMES.get(query, (0,)):
                for tokens, text in texts.items():
                    for region in regions(query, tokens):
                        fork = ForkHidden(draw(HIDDEN), draw(outcomes, HIDDEN), region)
                        made.append(Ask(query, fork, text))
        return made

    def close(self) -> None:
        """A head writes nothing."""


def module(head: object) -> nn.Module:
    """The head as the torch module that it is."""
    if not isinstance(head, nn.Module):
        raise CheckFailed("a torch.nn.Module", type(head).__name__)
    return head


def word_vector(text: str) -> Tensor:
    """A vector [D] that the text alone decides."""
    seed = sum((place + 1) * byte for place, byte in enumerate(text.encode()))
    return torch.randn(HIDDEN, generator=Generator().manual_seed(seed))


def regions(query: Query, tokens: int) -> Sequence[tuple[int, int] | None]:
    """No region; and for queries that have one: all tokens, the first, the last, a few in the middle."""
    if query is not ArrayQuery.ANCHOR and query not in EXTRACTS:
        return (None,)
    middle = tokens // 3, max(tokens // 3 + 1, tokens // 2)
    return tuple(dict.fromkeys((None, (0, tokens), (0, 1), (tokens - 1, tokens), middle)))


def answers(head: Head, asks: Sequence[Ask]) -> list[Tensor | LinkedSpans]:
    """Raw outputs as they are served, each context prepared once and shared."""
    with torch.inference_mode():
        prepared = {id(ask.context_PD): head.prepare(ask.context_PD) for ask in asks}
        return [head(ask.fork, prepared[id(ask.context_PD)]) for ask in asks]


def logits_of(answer: Tensor | LinkedSpans) -> Tensor:
    """The logits of a raw output."""
    return answer.logits if isinstance(answer, LinkedSpans) else answer


def all_logits(answer: Tensor | LinkedSpans) -> Tensor:
    """All that a raw output says, as one row: with a link also the starts that it gives for each end."""
    if not isinstance(answer, LinkedSpans):
        return answer
    ends = torch.arange(answer.logits.shape[1] - 1)
    return torch.cat([answer.logits.flatten(), answer.before(ends).flatten()])


def with_logits(answer: Tensor | LinkedSpans, logits: Tensor) -> Tensor | LinkedSpans:
    """A raw output of the same kind with other logits."""
    return answer.with_logits(logits) if isinstance(answer, LinkedSpans) else logits


def golds(ask: Ask) -> Iterator[tuple[str, Target, Callable[[Tensor], Tensor]]]:
    """Targets for a question, each with its name and a function from the shape of the logits to logits that are right
    for it: the gold far above everything else."""
    size = ask.shape[-1]
    if ask.query in EXTRACTS:
        last = size - 2
        yield "nothing there", Target(torch.empty(0)), _marks([(0, last + 1), (1, last + 1)])
        yield "a span", Target(torch.empty(0), (0,), (last,)), _marks([(0, 0), (1, last)])
        soft = Target(torch.tensor([0.5, 0.5]), (0, last), (last, last))
        yield "two spans with probabilities", soft, _marks([(0, 0), (0, last), (1, last)])
    elif ask.query is ArrayQuery.ANCHOR:
        start, stop = ask.fork.region or (0, size)
        yield "no item", Target(torch.empty(0)), _inside(start, stop, ())
        yield "an item", Target(torch.empty(0), (start,)), _inside(start, stop, (start,))
        both = tuple(dict.fromkeys((start, stop - 1)))
        yield "items at both ends", Target(torch.empty(0), both), _inside(start, stop, both)
    elif ask.query is ArrayQuery.COUNT:
        for count, bounds in ((0, (0, MAX_COUNT)), (3, (1, 5)), (MAX_COUNT + 9, (0, MAX_COUNT))):
            target = Target(torch.empty(0), count=count, bounds=bounds)
            yield f"{count} items", target, _marks([(min(count, MAX_COUNT),)])
    else:
        for index in (0, size - 1):
            probs = nn.functional.one_hot(torch.tensor(index), size).float()
            yield f"outcome {index}", Target(probs), _marks([(index,)])
        yield "all alike", Target(torch.full((size,), 1 / size)), lambda logits: torch.zeros_like(logits)


def _marks(places: Sequence[tuple[int, ...]]) -> Callable[[Tensor], Tensor]:
    def mark(logits: Tensor) -> Tensor:
        right = torch.full_like(logits, -10.0)
        for place in places:
            right[place] = 10.0
        return right

    return mark


def _inside(start: int, stop: int, items: Sequence[int]) -> Callable[[Tensor], Tensor]:
    def mark(logits: Tensor) -> Tensor:
        right = torch.full_like(logits, -torch.inf)
        right[start:stop] = -10.0
        right[list(items)] = 10.0
        return right

    return mark
