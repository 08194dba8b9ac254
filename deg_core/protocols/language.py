"""An optional capability of heads: answering with the language model itself, without trained parameters.

A head that has ``ask`` is a *language head*. It is not called with hidden states; it puts a question to the model in
rounds. Each round it says which rows it wants read (``Open`` a fork, ``Step`` a row on by one token) and is told the
log-probabilities of the next token after each. The engine reads the rows of all questions together; a question sees
its own rows alone, so nothing about other fields can reach it.

Shapes: V vocabulary, S spans.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from deg_core.protocols.head import Head, Query

if TYPE_CHECKING:
    from torch import Tensor
    from typing_extensions import TypeIs

    from deg_core.contract.parsers import Reading
    from deg_core.contract.plan import FieldPlan
    from deg_core.protocols.spans import LinkedSpans
    from deg_core.protocols.tokenizer import Tokenizer
    from deg_core.rendering.layout import ForkLayout, TrunkLayout
    from deg_core.rendering.places import Place
    from deg_core.rendering.readout import ReadoutRenderer


@dataclass(frozen=True, slots=True)
class Language:
    """What a language head gets once, when it is loaded: the tokenizer, the renderer of its forks, and the id that ends
    an answer."""

    tokenizer: Tokenizer
    renderer: ReadoutRenderer
    end: int


class Spans(Protocol):
    """Where values of a field may stand in the text of one request. ``scratch`` keeps what a head has worked out about
    that text, for the other fields of the request."""

    scratch: dict[object, Any]

    def found(self, field: FieldPlan) -> Sequence[tuple[int, int]] | None:
        """Spans [start, end) in code points that the field's finder gives, in text order; None for a plain string,
        which may be any span."""
        ...

    def read(self, field: FieldPlan, start: int, end: int) -> Reading:
        """What a span says for the field."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """One query. ``layout`` is its fork behind ``trunk``; ``field`` is None when it is about an array as a whole.
    ``places`` are the array items around it, ``region`` the context tokens of the innermost one that was anchored."""

    query: Query
    layout: ForkLayout
    trunk: TrunkLayout
    spans: Spans
    field: FieldPlan | None = None
    places: tuple[Place, ...] = ()
    region: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """Read a fork: ``ids`` behind the context, or behind a text without content (``blank``). Only a row that
    ``goes_on`` can be stepped."""

    ids: tuple[int, ...]
    blank: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Read one more token behind a row. It may be stepped with several tokens in one round, and is gone after that."""

    row: object
    token: int


Request: TypeAlias = Open | Step


@dataclass(frozen=True, slots=True)
class Heard:
    """Log-probabilities of the token after a row, fp32 [V], and the row itself if it can be stepped."""

    log_p_V: Tensor
    row: object = None


@dataclass(frozen=True, slots=True)
class SpanScores:
    """The raw output of an extract field whose spans are scored as wholes: ``spans`` [start, end) in code points, and
    ``scores`` fp64 [S + 1], null last. Their softmax, at the head's temperature, is the distribution."""

    spans: tuple[tuple[int, int], ...]
    scores: Tensor


Answer: TypeAlias = "Tensor | LinkedSpans | SpanScores"
Asking: TypeAlias = Generator[Sequence[Request], Sequence[Heard], Any]


class LanguageHead(Head, Protocol):
    """A head with this capability. ``width`` is the most rows that one question holds at a time."""

    width: int

    def bind(self, language: Language) -> None:
        """Called once after loading, before anything is asked."""
        ...

    def ask(self, question: Question) -> Asking:
        """Yields the requests of a round and is sent what was heard, in order; returns the raw output: logits as
        ``Head.__call__`` gives them, or for extract fields ``SpanScores``."""
        ...


def speaks(head: object) -> TypeIs[LanguageHead]:
    """Whether a head has this capability."""
    return callable(getattr(head, "ask", None))
