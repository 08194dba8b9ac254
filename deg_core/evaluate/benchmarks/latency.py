"""How long filling one schema from one text takes, end to end, beside a peer that writes the JSON (SPEC 11).

Every engine is a process of its own, pinned to the same cores; they take turns, pair by pair, so that what else the
machine does falls on all alike. A time is that of one request: schema and text in, JSON out. Nothing of the text, the
schema's plan or its patterns is kept from earlier rounds; llama.cpp keeps its last prompt, of which it can use what the
next one begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from deg_core.evaluate.benchmarks.pairs import Pair
from deg_core.evaluate.benchmarks.workers import Engine
from deg_core.evaluate.predictor import Prediction
from deg_core.evaluate.scoring import score_record

MANY_FIELDS: Final = 20


@dataclass(slots=True)
class Timed:
    """One pair under one engine: seconds by round, the leaves that were right in the first, tokens, and what came
    instead of a value. ``steady`` says that every round gave the same value."""

    seconds: list[float] = field(default_factory=list)
    right: int = 0
    tokens: tuple[int, int] | None = None
    error: str | None = None
    steady: bool = True
    _first: Any = field(default=None, repr=False)

    def add(self, answer: Mapping[str, Any], pair: Pair) -> None:
        """One more round."""
        outcome = answer.get("value"), answer.get("error")
        if not self.seconds:
            self._first, self.error = outcome, answer.get("error")
            self.tokens = tuple(answer["tokens"]) if answer.get("tokens") else None
            self.right = right_leaves(pair, answer)
        self.steady = self.steady and outcome == self._first
        self.seconds.append(answer["seconds"])

    @property
    def median(self) -> float:
        return median(self.seconds)


@dataclass(slots=True)
class Latency:
    """All pairs under all engines: ``times[label][pair name]``. The first label is deg's."""

    pairs: list[Pair]
    times: dict[str, dict[str, Timed]]

    def ratios(self, label: str, *, fields: int = 0) -> list[float]:
        """How many times as long as deg an engine takes, for each pair with at least so many fields."""
        first = next(iter(self.times))
        chosen = [pair.name for pair in self.pairs if pair.fields >= fields]
        return [self.times[label][name].median / self.times[first][name].median for name in chosen]

    def summary(self, label: str) -> dict[str, Any]:
        """One engine over all pairs."""
        own = [self.times[label][pair.name] for pair in self.pairs]
        total, right = sum(timed.median for timed in own), sum(timed.right for timed in own)
        fields = sum(pair.fields for pair in self.pairs)
        return {
            "seconds": total,
            "seconds_of_least": sum(min(timed.seconds) for timed in own),
            "first_round": sum(timed.seconds[0] for timed in own),
            "median_seconds": median(timed.median for timed in own),
            "fields": fields,
            "right": right,
            "right_per_second": right / total,
            "not_filled": sum(timed.error is not None for timed in own),
            "steady": all(timed.steady for timed in own),
            "ratio": _median(self.ratios(label)),
            "ratio_of_many_fields": _median(self.ratios(label, fields=MANY_FIELDS)),
            "ratio_range": [min(self.ratios(label)), max(self.ratios(label))],
        }

    def as_dict(self) -> dict[str, Any]:
        """Everything, as JSON."""
        return {
            "pairs": [
                {
                    "name": pair.name,
                    "domain": pair.record.domain,
                    "words": pair.words,
                    "fields": pair.fields,
                    "array": bool(pair.plan.arrays),
                    "engines": {label: _entry(own[pair.name]) for label, own in self.times.items()},
                }
                for pair in self.pairs
            ],
            "summary": {label: self.summary(label) for label in self.times},
        }


def _entry(timed: Timed) -> dict[str, Any]:
    return {
        "seconds": timed.seconds,
        "median": timed.median,
        "least": min(timed.seconds),
        "right": timed.right,
        "tokens": timed.tokens,
        "error": timed.error,
        "steady": timed.steady,
    }


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def right_leaves(pair: Pair, answer: Mapping[str, Any]) -> int:
    """How many leaves of an answer are right; those of array items after items were aligned."""
    if "value" not in answer:
        return 0
    spans = {pointer: (start, end) for pointer, (start, end) in answer.get("spans", {}).items()}
    outcome = score_record(pair.record, pair.plan, Prediction(answer["value"], spans=spans))
    return sum(field.right for field in outcome.fields) + sum(array.counts.aligned for array in outcome.arrays)


def measure(
    engines: Sequence[Engine], pairs: Sequence[Pair], *, rounds: int, on_request: Callable[[], None] = lambda: None
) -> Latency:
    """Every pair under every engine, ``rounds`` times: a round goes through all pairs, a pair through all engines, a
    different one first each time. ``on_request`` is called after each request."""
    times = {engine.label: {pair.name: Timed() for pair in pairs} for engine in engines}
    turn = 0
    for _ in range(rounds):
        for pair in pairs:
            for index in range(len(engines)):
                engine = engines[(turn + index) % len(engines)]
                answer = engine.ask("fill", context=pair.context, schema=pair.schema)
                times[engine.label][pair.name].add(answer, pair)
                on_request()
            turn += 1
    return Latency(list(pairs), times)


def peak_share(latency: Latency, label: str, int8_macs: int, peaks: Mapping[str, float]) -> dict[str, Any]:
    """What share of the int8 peak an engine reached: the multiply-adds that its tokens need in int8 projections,
    counted two each, over time and the highest of the peaks. By pair the median, and over all pairs together."""
    operations = max(peaks.values())
    by_pair, needed, spent = [], 0.0, 0.0
    for timed in latency.times[label].values():
        if timed.tokens is not None:
            work = 2.0 * int8_macs * sum(timed.tokens)
            by_pair.append(work / timed.median / operations)
            needed, spent = needed + work, spent + timed.median
    return {
        "peaks_operations_per_second": dict(peaks),
        "int8_multiply_adds_per_token": int8_macs,
        "median_share": _median(by_pair),
        "overall_share": needed / spent / operations if spent else None,
    }


# Tables

COLUMNS = ("pair", "words", "fields")


def columns(latency: Latency) -> tuple[str, ...]:
    """The columns of `rows`."""
    first, *others = latency.times
    found = [*COLUMNS, f"{first} s", "least s", "right"]
    for label in others:
        found += [f"{label} s", "least s", "right", "ratio"]
    return tuple(found)


def rows(latency: Latency) -> list[tuple[str, ...]]:
    """A row for each pair: median and least seconds, right fields, and how many times as long as deg."""
    first, *others = latency.times
    found = []
    for pair in sorted(latency.pairs, key=lambda pair: (pair.fields, pair.name)):
        base = latency.times[first][pair.name]
        mark = " (array)" if pair.plan.arrays else ""
        cells = [pair.name + mark, str(pair.words), str(pair.fields), *_cells(base)]
        for label in others:
            own = latency.times[label][pair.name]
            cells += [*_cells(own), f"{own.median / base.median:.1f}"]
        found.append(tuple(cells))
    return found


def _cells(timed: Timed) -> list[str]:
    return [f"{timed.median:.2f}", f"{min(timed.seconds):.2f}", "failed" if timed.error else str(timed.right)]


SUMMARY_COLUMNS = (
    "engine",
    "s for all",
    "median s",
    "right fields",
    "right fields a second",
    "median ratio",
    f"median ratio from {MANY_FIELDS} fields",
    "ratios from - to",
)


def summary_rows(latency: Latency) -> list[tuple[str, ...]]:
    """A row for each engine."""
    found: list[tuple[str, ...]] = []
    for label in latency.times:
        own = latency.summary(label)
        many = own["ratio_of_many_fields"]
        low, high = own["ratio_range"]
        found.append(
            (
                label,
                f"{own['seconds']:.1f}",
                f"{own['median_seconds']:.2f}",
                f"{own['right']} of {own['fields']}",
                f"{own['right_per_second']:.2f}",
                f"{own['ratio']:.1f}",
                "" if many is None else f"{many:.1f}",
                f"{low:.1f} - {high:.1f}",
            )
        )
    return found
