"""Questions to language heads, all of them together: each round, every open question's rows go through the model in the
same passes (SPEC 12.2).

A question is told the next-token log-probabilities behind its own rows and nothing else; how many run at a time is
decided by the memory that is free, which changes no bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor

from deg_core.engine.memory import FLOAT, FORK_FRACTION, fork_token_budget, free_bytes
from deg_core.kernels.softmax import log_softmax
from deg_core.protocols.language import Answer, Asking, Heard, LanguageHead, Open, Question, Request, Step
from deg_core.protocols.state import TrunkState
from deg_core.runtime.body import Body
from deg_core.runtime.decode import Row, begin, token_logits
from deg_core.runtime.decode import step as step_rows
from deg_core.runtime.fork import fork_passes

MOST_ROWS: Final = 96
FEWEST_ROWS: Final = 8
_ROW_TOKENS: Final = 192  # of a fork and its answer, for the estimate of a row's memory
_VOCABULARY_ROWS: Final = 32  # rows whose logits are there at a time


@dataclass(slots=True)
class _Open:
    """A question on its way: where its answer goes, the state behind which it is asked, and what it wants next."""

    place: int
    state: TrunkState
    asking: Asking
    width: int
    requests: Sequence[Request] = ()


def row_budget(body: Body) -> int:
    """Rows that may be open at once, from what is free now."""
    geometry = body.geometry
    size = geometry.kv_floats_per_token * _ROW_TOKENS + geometry.state_floats_per_row + geometry.vocab_size
    return max(FEWEST_ROWS, min(MOST_ROWS, int(free_bytes() * FORK_FRACTION) // (size * FLOAT)))


@torch.inference_mode()
def converse(
    body: Body,
    questions: Sequence[tuple[LanguageHead, Question, TrunkState]],
    blank: Callable[[], TrunkState],
) -> list[Answer]:
    """The raw outputs of the questions, in order. Each has its head and the state of the context that it is about;
    ``blank`` gives that of a text without content."""
    answers: list[Any] = [None] * len(questions)
    waiting = deque(enumerate(questions))
    live: list[_Open] = []
    limit = row_budget(body)
    while waiting or live:
        while waiting and (not live or sum(one.width for one in live) + waiting[0][1][0].width <= limit):
            place, (head, question, state) = waiting.popleft()
            opened = _Open(place, state, head.ask(question), head.width)
            if _goes_on(opened, None, answers):
                live.append(opened)
        heard = iter(_read(body, [(one.state, request) for one in live for request in one.requests], blank))
        live = [one for one in live if _goes_on(one, [next(heard) for _ in one.requests], answers)]
    return answers


def _goes_on(one: _Open, heard: list[Heard] | None, answers: list[Any]) -> bool:
    """Tell a question what was heard (None: begin); False when it was answered by that."""
    try:
        one.requests = next(one.asking) if heard is None else one.asking.send(heard)
    except StopIteration as stop:
        answers[one.place] = stop.value
        return False
    return True


def _read(body: Body, requests: Sequence[tuple[TrunkState, Request]], blank: Callable[[], TrunkState]) -> list[Heard]:
    """What is heard behind every row that was asked for."""
    hidden: dict[int, Tensor] = {}
    rows: dict[int, Row] = {}
    forks: dict[bool, dict[int, tuple[TrunkState, Sequence[int]]]] = {True: {}, False: {}}
    steps: dict[int, Step] = {}
    for place, (state, request) in enumerate(requests):
        if isinstance(request, Open):
            forks[request.goes_on][place] = (blank() if request.blank else state, request.ids)
        else:
            steps[place] = request
    limit = fork_token_budget(body)
    if forks[True]:
        made, ends_ND = begin(body, list(forks[True].values()), limit=limit)
        rows |= zip(forks[True], made, strict=True)
        hidden |= zip(forks[True], ends_ND, strict=True)
    passes = fork_passes(body, list(forks[False].values()), limit=limit, keep=False)
    hidden |= zip(forks[False], [states_TD[-1] for _, parts, _ in passes for states_TD in parts], strict=True)
    if steps:
        going = _parted([step.row for step in steps.values()])
        rows |= zip(steps, going, strict=True)
        hidden |= zip(steps, step_rows(body, going, [step.token for step in steps.values()]), strict=True)
    spoken = _log_p(body, [hidden[place] for place in range(len(requests))])
    return [Heard(log_p_V, rows.get(place)) for place, log_p_V in enumerate(spoken)]


def _parted(rows: Sequence[object]) -> list[Row]:
    """Rows that can go on each by itself: where one is there several times, the others are copies of it."""
    taken: set[int] = set()
    parted = []
    for row in rows:
        assert isinstance(row, Row)
        parted.append(row.copy() if id(row) in taken else row)
        taken.add(id(row))
    return parted


def _log_p(body: Body, hidden: Sequence[Tensor]) -> list[Tensor]:
    """Next-token log-probabilities [V] of each hidden state [D]."""
    spoken: list[Tensor] = []
    for start in range(0, len(hidden), _VOCABULARY_ROWS):
        spoken += log_softmax(token_logits(body, torch.stack(list(hidden[start : start + _VOCABULARY_ROWS])))).unbind()
    return spoken
