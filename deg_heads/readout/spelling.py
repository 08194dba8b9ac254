"""The probability that an answer is one of a few given texts, by the chain rule over their tokens."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from typing import TypeAlias

import torch

from deg_core.protocols.language import Heard, Step

Ids: TypeAlias = tuple[int, ...]
Spelling: TypeAlias = Generator[list[Step], Sequence[Heard], list[list[float]]]


def one_token_each(answers: Iterable[Ids]) -> bool:
    """Whether all answers can be read off without another step."""
    return all(len(answer) == 1 for answer in answers)


def spell(rows: Sequence[Heard], answers: Sequence[Ids]) -> Spelling:
    """For each of ``rows`` the log-probability (nats) of each of ``answers``, distinct and not empty.

    An answer that others begin with (1 of 10 and 12) gets the probability that it ends there, which is what the others'
    next tokens leave.
    """
    after = _continuations(answers)
    told: list[dict[Ids, float]] = [{(): 0.0} for _ in rows]
    ended: list[dict[Ids, float]] = [{} for _ in rows]
    frontier: list[tuple[int, Ids, Heard]] = [(row, (), heard) for row, heard in enumerate(rows)]
    while frontier:
        steps: list[tuple[int, Ids, Heard]] = []
        for row, prefix, heard in frontier:
            tokens = after[prefix]
            so_far, log_p = told[row][prefix], at(heard, tokens)
            for token, value in zip(tokens, log_p, strict=True):
                told[row][(*prefix, token)] = so_far + value
            if prefix:
                ended[row][prefix] = so_far + _rest(log_p)
            steps += [(row, (*prefix, token), heard) for token in tokens if (*prefix, token) in after]
        if not steps:
            break
        heard_next = yield [Step(heard.row, prefix[-1]) for _, prefix, heard in steps]
        frontier = [(row, prefix, heard) for (row, prefix, _), heard in zip(steps, heard_next, strict=True)]
    return [[ended[row].get(answer, told[row][answer]) for answer in answers] for row in range(len(rows))]


def follow(heard: Heard, way: Ids, beside: Ids) -> Generator[list[Step], Sequence[Heard], tuple[float, float, Heard]]:
    """The log-probabilities of two ways on from a row, and what is heard at the end of the first."""
    total, other, aside = 0.0, 0.0, heard
    for depth in range(max(len(way), len(beside))):
        steps = []
        if depth < len(way):
            total += at(heard, way[depth : depth + 1])[0]
            steps.append(Step(heard.row, way[depth]))
        if depth < len(beside):
            other += at(aside, beside[depth : depth + 1])[0]
        if depth + 1 < len(beside):
            steps.append(Step(aside.row, beside[depth]))
        told = (yield steps) if steps else []
        heard = told[0] if depth < len(way) else heard
        aside = told[-1] if depth + 1 < len(beside) else aside
    return total, other, heard


def at(heard: Heard, tokens: Sequence[int]) -> list[float]:
    """Log-probabilities of some tokens."""
    found: list[float] = heard.log_p_V[torch.tensor(tokens, dtype=torch.long)].tolist()
    return found


def normalised(log_p: Sequence[float]) -> list[float]:
    """Log-probabilities among the given outcomes alone."""
    total = log_sum(log_p)
    return [value - total for value in log_p]


def log_sum(log_p: Sequence[float]) -> float:
    """Log of the summed probabilities; fsum makes the order irrelevant."""
    peak = max(log_p)
    return peak + math.log(math.fsum(math.exp(value - peak) for value in log_p))


def _continuations(answers: Sequence[Ids]) -> dict[Ids, list[int]]:
    """The tokens that may follow each proper beginning of an answer, in the order of the answers."""
    after: dict[Ids, dict[int, None]] = {}
    for answer in answers:
        for length, token in enumerate(answer):
            after.setdefault(answer[:length], {})[token] = None
    return {prefix: list(tokens) for prefix, tokens in after.items()}


def _rest(log_p: Sequence[float]) -> float:
    """Log of what is left of one when these are taken away."""
    left = 1.0 - math.fsum(map(math.exp, log_p))
    return math.log(max(left, 1e-12))
