"""Questions to a head that speaks, and a model that answers them whose next token follows from a row's tokens alone."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast

import torch
from torch import Generator, Tensor

from deg_core.conformance.byte_tokenizer import ByteTokenizer
from deg_core.conformance.report import CheckFailed
from deg_core.contract.compiler import compile_schema
from deg_core.contract.request import Options
from deg_core.engine.spans import TextSpans
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery, Query
from deg_core.protocols.language import Asking, Heard, Language, LanguageHead, Open, Question, Request, Step
from deg_core.rendering.layout import TrunkLayout
from deg_core.rendering.readout import ReadoutRenderer

VOCABULARY: Final = 300
TEXT: Final = "Order 7731 of 3 May 2024 for Ann Lee, 12 cups at EUR 40.50; ann@example.org."
_SHARPNESS: Final = 3.0
_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["order", "refund", None]},
        "tone": {"enum": [f"tone {number}" for number in range(20)], "description": "how it sounds"},
        "mood": {"type": ["integer", "null"], "minimum": 0, "maximum": 4},
        "urgent": {"type": "boolean"},
        "paid": {"type": "boolean", "title": "Paid"},
        "who": {"type": ["string", "null"], "maxLength": 9},
        "thing": {"type": "string"},
        "mail": {"type": "string", "format": "email"},
        "count": {"type": ["integer", "null"]},
        "price": {"type": ["number", "null"], "description": "of one"},
        "day": {"type": ["string", "null"], "format": "date"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"what": {"type": "string"}}}},
        "notes": {"type": "array", "minItems": 1, "items": {"type": "string"}},
    },
}


class _Turns:
    """Turns of a chat, for a tokenizer of bytes."""

    def chat_prefix(self, tokenizer: ByteTokenizer, system: str) -> list[int]:
        return [tokenizer.control("<turn>"), *tokenizer.encode(system), tokenizer.control("<turn>")]

    def chat_answer(self, tokenizer: ByteTokenizer) -> tuple[list[int], int]:
        return [tokenizer.control("<end>"), tokenizer.control("<turn>")], tokenizer.control("<end>")


@dataclass(slots=True, eq=False)
class _Row:
    """What was read: the tokens of a row, and whether it may be read on."""

    ids: tuple[int, ...]
    blank: bool
    goes_on: bool


class Questions:
    """Questions about one text, of every kind that ``queries`` name. Each instance is a request of its own."""

    def __init__(self, queries: Sequence[Query]) -> None:
        self.tokenizer = ByteTokenizer(VOCABULARY)
        self.renderer = ReadoutRenderer(cast("Family", _Turns()), self.tokenizer, queries)
        self.trunk: TrunkLayout = self.renderer.trunk(TEXT)
        self._spans = TextSpans(self.trunk, Options())
        self._queries = frozenset(queries)

    def bind(self, head: LanguageHead) -> LanguageHead:
        """Give the head what it speaks with."""
        head.bind(Language(self.tokenizer, self.renderer, self.renderer.end))
        return head

    def all(self) -> list[Question]:
        """Every question, all about the same spans."""
        plan = compile_schema(_SCHEMA)
        made = [
            Question(field.mode, self.renderer.fork(field), self.trunk, self._spans, field)
            for field in plan.fields
            if field.mode in self._queries and len(field.path) == 1
        ]
        if ArrayQuery.COUNT in self._queries:
            layouts = [self.renderer.array(plan, array, ArrayQuery.COUNT) for array in plan.arrays]
            made += [Question(ArrayQuery.COUNT, layout, self.trunk, self._spans) for layout in layouts]
        return made


class Speaker:
    """Tells what is heard, and sees that what a question asks for is allowed. Raises CheckFailed where it is not."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._gone: set[int] = set()
        self._kept: list[object] = []  # so that no id is used twice

    def hear(self, requests: Sequence[Request]) -> list[Heard]:
        """What is heard in one round."""
        rows = [self._row(request) for request in requests]
        self._gone |= {id(request.row) for request in requests if isinstance(request, Step)}
        held = sum(row.goes_on for row in rows)
        if held > self._width:
            raise CheckFailed(f"at most width = {self._width} rows at a time", f"{held} rows")
        return [Heard(_log_p(row.ids, row.blank), row if row.goes_on else None) for row in rows]

    def _row(self, request: Request) -> _Row:
        if isinstance(request, Open):
            if not request.ids:
                raise CheckFailed("a fork of at least one token", "Open without ids")
            made = _Row(tuple(request.ids), request.blank, request.goes_on)
        elif isinstance(request, Step):
            row = request.row
            if not isinstance(row, _Row):
                raise CheckFailed("a Step of a row that was heard and goes on", f"one of {row!r}")
            if id(row) in self._gone:
                raise CheckFailed("a row to be stepped in one round only", "it is stepped again in a later one")
            self._kept.append(row)
            made = _Row((*row.ids, request.token), row.blank, True)
        else:
            raise CheckFailed("requests that are Open or Step", type(request).__name__)
        outside = [token for token in made.ids if not 0 <= token < VOCABULARY]
        if outside:
            raise CheckFailed(f"tokens of the vocabulary, 0 to {VOCABULARY - 1}", f"token {outside[0]}")
        return made


@cache
def _log_p(ids: tuple[int, ...], blank: bool) -> Tensor:
    """Log-probabilities [V] after a row. The same at every call: nobody may write to them."""
    seed = zlib.crc32(repr((ids, blank)).encode())
    drawn = torch.randn(VOCABULARY, generator=Generator().manual_seed(seed))
    return torch.log_softmax(drawn * _SHARPNESS, dim=0)


def answer(head: LanguageHead, questions: Sequence[Question], *, together: bool = False) -> list[Any]:
    """Raw outputs of the questions, one after another; or ``together``, a round of each in turn."""
    answers: list[Any] = [None] * len(questions)
    turns = [_turns(head, question, answers, place) for place, question in enumerate(questions)]
    while turns:
        rest = turns if together else turns[:1]
        done = [turn for turn in rest if not turn()]
        turns = [turn for turn in turns if turn not in done]
    return answers


def _turns(head: LanguageHead, question: Question, answers: list[Any], place: int) -> Callable[[], bool]:
    """What lets a question ask one round; False when it was answered by that."""
    asking: Asking = head.ask(question)
    speaker, heard = Speaker(head.width), list[Heard]()

    def turn() -> bool:
        nonlocal heard
        try:
            requests = asking.send(heard) if heard else next(asking)
        except StopIteration as stop:
            answers[place] = stop.value
            return False
        heard = speaker.hear(list(requests))
        return True

    return turn
