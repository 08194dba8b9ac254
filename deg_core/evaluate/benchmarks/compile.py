"""How long compiling a schema takes: ours whole, without its meta-schema check, from the cache, and others' work.

All are timed on the same schemas in one run, turn by turn, with caches emptied before each time that is taken. What is
given of a schema is the least of its rounds: what else a shared machine does only ever adds. The peer does another job
(a grammar instead of a plan), and the meta-schema check of ``jsonschema`` is a part of ours.

``python -m deg_core.evaluate.benchmarks.compile --refusals PATH`` prints which schemas are accepted and which rules
refuse the others.
"""

from __future__ import annotations

import gc
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Any, Final, Protocol

import jsonschema

from deg_core.contract.compiler import compile_schema, compile_valid, forget_plans
from deg_core.contract.patterns import forget_patterns
from deg_core.errors import SchemaError
from deg_core.evaluate.benchmarks.schemas import NamedSchema, read_schemas

COMPILE: Final = "compile_schema"
UNCHECKED: Final = "compile_schema without the meta-schema check"
CACHED: Final = "compile_schema again, from the cache"
CHECK_SCHEMA: Final = "jsonschema check_schema"


class GrammarPeer(Protocol):
    """Another compiler of schemas; ``job`` gives a function that raises ValueError where the schema is refused."""

    name: str
    version: str

    def job(self, schema: dict[str, Any]) -> Callable[[], None]: ...


@dataclass(frozen=True, slots=True)
class SchemaTimes:
    """Seconds of one accepted schema by what was timed; what refused the schema is not there."""

    schema: NamedSchema
    fields: int
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A schema that deg refuses, the number of problems, and the seconds that saying so took."""

    schema: NamedSchema
    problems: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Of ``schemas`` schemas: median and p99 milliseconds, and the median of each schema's time over the time of
    `compile_schema` on it."""

    what: str
    schemas: int
    median_ms: float
    p99_ms: float
    ratio: float | None = None


@dataclass(slots=True)
class Measured:
    """One run. ``not_by_others`` counts, by name, the schemas that deg accepts and another refuses."""

    rounds: int
    accepted: list[SchemaTimes] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    not_by_others: dict[str, int] = field(default_factory=dict)

    def groups(self) -> list[str]:
        """Names of the groups, in the order of the schemas."""
        return list(dict.fromkeys(times.schema.group for times in self.accepted))

    def figures(self, *, group: str | None = None) -> list[Figures]:
        """A row for each of what was timed, of all schemas or of one group."""
        chosen = [times.seconds for times in self.accepted if group in (None, times.schema.group)]
        names = dict.fromkeys(name for seconds in chosen for name in seconds)
        return [_figures(name, [seconds for seconds in chosen if name in seconds]) for name in names]

    def refusal_figures(self) -> Figures | None:
        """Time to refuse; None where nothing was refused."""
        seconds = [refusal.seconds for refusal in self.refused]
        if not seconds:
            return None
        return Figures("refusing a schema", len(seconds), 1000 * median(seconds), 1000 * percentile(seconds, 0.99))


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that at least ``share`` of all values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _figures(name: str, chosen: Sequence[dict[str, float]]) -> Figures:
    seconds = [times[name] for times in chosen]
    ratio = median(times[name] / times[COMPILE] for times in chosen)
    return Figures(name, len(seconds), 1000 * median(seconds), 1000 * percentile(seconds, 0.99), ratio)


def measure(schemas: Iterable[NamedSchema], *, rounds: int = 3, peer: GrammarPeer | None = None) -> Measured:
    """Time everything on every schema. ``rounds`` is how often each is timed; the least counts."""
    measured = Measured(rounds)
    for schema in schemas:
        problems, seconds = _refusal(schema.document, rounds)
        if problems:
            measured.refused.append(Refusal(schema, problems, seconds))
        else:
            measured.accepted.append(_times(schema, rounds, peer, measured.not_by_others))
    return measured


def _refusal(document: Any, rounds: int) -> tuple[int, float]:
    """Number of problems, and seconds until they were told; no problems where the schema is accepted."""
    least = math.inf
    for _ in range(rounds):
        _forget()
        with _steady():
            start = perf_counter()
            try:
                compile_schema(document)
            except SchemaError as error:
                least = min(least, perf_counter() - start)
                problems = len(error.problems)
            else:
                return 0, 0.0
    return problems, least


def _times(schema: NamedSchema, rounds: int, peer: GrammarPeer | None, refusals: dict[str, int]) -> SchemaTimes:
    document = schema.document
    judge = jsonschema.validators.validator_for(document, default=jsonschema.Draft202012Validator)
    jobs: dict[str, Callable[[], object]] = {
        COMPILE: lambda: compile_schema(document),
        UNCHECKED: lambda: compile_valid(document),
        CACHED: lambda: compile_schema(document),
        CHECK_SCHEMA: lambda: judge.check_schema(document),
    }
    if peer is not None:
        jobs[peer.name] = peer.job(document)
    least: dict[str, float] = {}
    for _ in range(rounds):
        for name in list(jobs):
            _forget()
            if name == CACHED:
                compile_schema(document)
            try:
                seconds = _timed(jobs[name])
            except (ValueError, jsonschema.SchemaError):
                # Refused in the first round already, so nothing of it was noted.
                refusals[name] = refusals.get(name, 0) + 1
                del jobs[name]
                continue
            least[name] = min(least.get(name, math.inf), seconds)
    return SchemaTimes(schema, len(compile_schema(document).fields), least)


def _timed(job: Callable[[], object]) -> float:
    with _steady():
        start = perf_counter()
        job()
        return perf_counter() - start


def _forget() -> None:
    """Empty every cache that a compile or a check could profit from."""
    forget_plans()
    forget_patterns()
    re.purge()


@contextmanager
def _steady() -> Iterator[None]:
    """No garbage collection while the clock runs."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the module: the page of refusals."""
    import argparse
    import sys
    from pathlib import Path

    from deg_core.evaluate.benchmarks.refusals import page, reach

    parser = argparse.ArgumentParser(description="Which schemas deg accepts, and which rules refuse the others.")
    parser.add_argument("--refusals", type=Path, nargs="+", required=True, metavar="PATH", help="Files or folders.")
    parser.add_argument("--examples", type=int, default=30, help="Refusals that are shown.")
    parser.add_argument("--seed", type=int, default=0, help="Of the choice of examples.")
    given = parser.parse_args(arguments)
    schemas, unreadable = read_schemas(given.refusals)
    sys.stdout.write(page(reach(schemas), examples=given.examples, seed=given.seed))
    if unreadable:
        sys.stdout.write(f"\n{len(unreadable)} files are not JSON.\n")


if __name__ == "__main__":
    main()
