"""Writing generated fields: all texts of all requests together, each as if it were alone (SPEC 7 and 12.2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from torch import Tensor

from deg_core.contract.plan import FieldPlan
from deg_core.engine.constrain import vocabulary_of
from deg_core.engine.sampling import Sampler
from deg_core.engine.writer import Writer, Written
from deg_core.errors import FillError
from deg_core.protocols.family import Family
from deg_core.protocols.state import TrunkState
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.runtime.body import Body
from deg_core.runtime.decode import Row, Step, begin, stepper, token_logits
from deg_core.runtime.interrupt import give_up_if_unwanted

LIVE_ROWS: Final = 32
"""Most texts that are written at once; the next one begins when one ends. It bounds the memory of keys and values."""


@dataclass(frozen=True, slots=True)
class WriteTask:
    """One text to be written: behind ``prefix`` (context and known values, shared by reference) stands ``header``.

    ``pointer`` is the concrete one, ``budget`` the most tokens. ``temperature`` 0 is greedy.
    """

    prefix: TrunkState
    header: Sequence[int]
    field: FieldPlan
    pointer: str
    budget: int
    temperature: float = 0.0
    seed: int | None = None


Outcome: TypeAlias = Written | FillError


def write_many(
    body: Body, tokenizer: Tokenizer, family: Family, tasks: Sequence[WriteTask], step: Step | None = None
) -> list[Outcome]:
    """Write all texts; results in the order of the tasks. A task whose constraints cannot be met gives a FillError and
    costs the others nothing. ``step`` is the body's ``stepper``, where one is kept."""
    step = step or stepper(body)
    vocabulary = vocabulary_of(tokenizer)
    _, end = family.chat_answer(tokenizer)
    writers = [
        Writer(task.field, task.budget, Sampler(task.temperature, task.seed, task.pointer), vocabulary, end)
        for task in tasks
    ]
    waiting = deque((writer, task) for writer, task in zip(writers, tasks, strict=True) if writer.result is None)
    live: list[tuple[Writer, Row]] = []
    while waiting or live:
        give_up_if_unwanted()
        if live:
            live = _choose(body, live, step([row for _, row in live], [writer.token for writer, _ in live]))
        fresh = [waiting.popleft() for _ in range(min(len(waiting), LIVE_ROWS - len(live)))]
        if fresh:
            rows, hidden = begin(body, [(task.prefix, task.header) for _, task in fresh])
            live += _choose(body, [(writer, row) for (writer, _), row in zip(fresh, rows, strict=True)], hidden)
    return [writer.result for writer in writers if writer.result is not None]


def _choose(body: Body, live: list[tuple[Writer, Row]], hidden_ND: Tensor) -> list[tuple[Writer, Row]]:
    """Let each writer choose its next token; gives those that go on."""
    for (writer, _), logits in zip(live, token_logits(body, hidden_ND).cpu(), strict=True):
        writer.choose(logits)
    return [(writer, row) for writer, row in live if writer.result is None]
