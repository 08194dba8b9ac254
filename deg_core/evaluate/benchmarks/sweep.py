"""What one more field costs, and one more token of the text: straight lines through times of growing requests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from deg_core.evaluate.benchmarks.pairs import Pair
from deg_core.evaluate.benchmarks.workers import Engine

SAMPLE: Final = "loan-terms"
"""The pair that requests are cut from: its text has the most words and its schema the most fields."""
FIELDS: Final = (1, 5, 10, 20, 30, 40)
WORDS: Final = (100, 200, 300, 450, 600)
FIELDS_AT_WORDS: Final = 200  # words of the text while fields are added
WORDS_AT_FIELDS: Final = 5  # fields of the schema while words are added


@dataclass(frozen=True, slots=True)
class Line:
    """``seconds = base + slope * x``, by least squares over ``points`` of (x, seconds), and the share of the variance
    that it explains."""

    base: float
    slope: float
    r2: float
    points: tuple[tuple[float, float], ...]

    def as_dict(self) -> dict[str, Any]:
        return {"base": self.base, "slope": self.slope, "r2": self.r2, "points": [list(point) for point in self.points]}


def fit(points: Sequence[tuple[float, float]]) -> Line:
    """The line through at least two points with different x."""
    x, y = np.array(points, dtype=np.float64).T
    slope, base = np.polyfit(x, y, 1)
    spread = float(((y - y.mean()) ** 2).sum())
    left = float(((y - base - slope * x) ** 2).sum())
    return Line(float(base), float(slope), 1 - left / spread if spread > 0 else 1.0, tuple(points))


def first_fields(pair: Pair, number: int) -> dict[str, Any]:
    """The pair's schema with its first ``number`` properties."""
    schema = dict(pair.schema)
    kept = list(schema["properties"])[:number]
    schema["properties"] = {name: schema["properties"][name] for name in kept}
    schema["required"] = [name for name in schema["required"] if name in kept]
    return schema


def first_words(pair: Pair, number: int) -> str:
    """The text up to its word ``number``, line ends kept."""
    text, seen, inside = pair.record.context, 0, False
    for place, char in enumerate(text):
        if char.isspace():
            inside = False
        elif not inside:
            inside = True
            seen += 1
            if seen > number:
                return text[:place].rstrip()
    return text


def sweep(
    engines: Sequence[Engine],
    pair: Pair,
    *,
    fields: Sequence[int] = FIELDS,
    words: Sequence[int] = WORDS,
    rounds: int = 2,
    on_request: Callable[[], None] = lambda: None,
) -> dict[str, dict[str, Line]]:
    """By engine its lines ``per_field`` and ``per_token``; of the rounds of a request the least counts.

    Tokens are those that the engine itself read; of the peer also those of the prompt around the text, which stay the
    same.
    """
    found: dict[str, dict[str, Line]] = {engine.label: {} for engine in engines}
    text, schema = first_words(pair, FIELDS_AT_WORDS), first_fields(pair, WORDS_AT_FIELDS)
    by_field = [(text, first_fields(pair, number)) for number in fields]
    by_words = [(first_words(pair, number), schema) for number in words]
    for name, requests, counts in (("per_field", by_field, fields), ("per_token", by_words, None)):
        least = _least(engines, requests, rounds, on_request)
        for label, own in least.items():
            places = [tokens for tokens, _ in own] if counts is None else counts
            points = [(float(x), seconds) for x, (_, seconds) in zip(places, own, strict=True) if x]
            if len({x for x, _ in points}) >= 2:
                found[label][name] = fit(points)
    return found


def _least(
    engines: Sequence[Engine],
    requests: Sequence[tuple[str, dict[str, Any]]],
    rounds: int,
    on_request: Callable[[], None],
) -> dict[str, list[tuple[int, float]]]:
    """By engine, for each request the tokens that were read and the least seconds. Every text begins with a number of
    its own, so that no engine finds the beginning of one that it has read."""
    found = {engine.label: [(0, math.inf)] * len(requests) for engine in engines}
    number = 0
    for _ in range(rounds):
        for index, (text, schema) in enumerate(requests):
            number += 1
            for engine in engines:
                answer = engine.ask("fill", context=f"{number}\n{text}", schema=schema)
                on_request()
                tokens, seconds = found[engine.label][index]
                read = (answer.get("tokens") or [0])[0]
                found[engine.label][index] = (max(tokens, read), min(seconds, answer["seconds"]))
    return found


COLUMNS = ("engine", "ms a field", "ms before fields", "R2", "ms a token of text", "R2 ")


def rows(lines: dict[str, dict[str, Line]]) -> list[tuple[str, ...]]:
    """A row for each engine."""
    found: list[tuple[str, ...]] = []
    for label, own in lines.items():
        field, token = own.get("per_field"), own.get("per_token")
        cells = ("", "", "") if field is None else (_ms(field.slope), _ms(field.base), f"{field.r2:.3f}")
        more = ("", "") if token is None else (_ms(token.slope), f"{token.r2:.3f}")
        found.append((label, *cells, *more))
    return found


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.3g}"
