"""Filling the lines: a few at a time in the same passes, one output line for each, in input order."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from deg_core.contract.request import parse_options
from deg_core.contract.result import FillResult
from deg_core.errors import DegError, Problem, RequestError, SchemaError
from deg_serve.engine import Engine, Work
from deg_serve.errors import STATUS, InternalError, MemoryShortError
from deg_serve.jsonl.lines import Line, read_job
from deg_serve.jsonl.resume import Run, opening
from deg_serve.wire.fill import failure


@dataclass(frozen=True, slots=True)
class Defaults:
    """What lines are filled with that do not say otherwise. A line's options stand before these one by one."""

    schema: Mapping[str, Any] | None
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """What was done together: whole output lines, how many of them hold an error, and where in the input they end."""

    lines: tuple[bytes, ...]
    failed: int
    input_end: int


@dataclass(frozen=True, slots=True)
class _Asked:
    line: Line
    ident: str | int | None
    work: Work | DegError

    @property
    def tokens(self) -> int:
        return self.work.tokens if isinstance(self.work, Work) else 0


def fill_lines(
    engine: Engine, lines: Iterable[Line], run: Run, defaults: Defaults, *, size: int, value_only: bool = False
) -> Iterator[Batch]:
    """Fill ``lines``, at most ``size`` and about ``engine.batch_tokens`` tokens together.

    A line that cannot be filled gives its error, and costs the others nothing. Each result has the bits that it has
    alone, whatever it was batched with.
    """
    for batch in _together((_asked(engine, line, defaults) for line in lines), size, engine.batch_tokens):
        works = [asked.work for asked in batch if isinstance(asked.work, Work)]
        results = iter(attempt(engine.run, works))
        done = [next(results) if isinstance(asked.work, Work) else asked.work for asked in batch]
        written = tuple(
            _output(asked, run, result, value_only=value_only) for asked, result in zip(batch, done, strict=True)
        )
        yield Batch(written, sum(isinstance(result, DegError) for result in done), batch[-1].line.end)


def attempt(
    fill: Callable[[list[Work]], Sequence[FillResult | DegError]], works: Sequence[Work]
) -> list[FillResult | DegError]:
    """One result or error for each; when a batch raises, each of its works is tried alone."""
    if not works:
        return []
    try:
        return list(fill(list(works)))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is one line's, and the others are to be filled
        if len(works) > 1:
            return [result for work in works for result in attempt(fill, [work])]
        if isinstance(error, MemoryError):
            return [MemoryShortError("the memory that was free was not enough for this line")]
        place = traceback.extract_tb(error.__traceback__)[-1]
        said = f"unexpected {type(error).__name__} at {place.filename}:{place.lineno}: {' '.join(str(error).split())}"
        return [InternalError(f"{said}. This is a fault in deg; please report it")]


def _together(asked: Iterable[_Asked], size: int, most: int) -> Iterator[list[_Asked]]:
    batch: list[_Asked] = []
    tokens = 0
    for one in asked:
        if batch and (len(batch) == size or tokens + one.tokens > most):
            yield batch
            batch, tokens = [], 0
        batch.append(one)
        tokens += one.tokens
    if batch:
        yield batch


def _asked(engine: Engine, line: Line, defaults: Defaults) -> _Asked:
    ident, job = read_job(line)
    if isinstance(job, DegError):
        return _Asked(line, ident, job)
    schema = job.schema if job.schema is not None else defaults.schema
    try:
        if schema is None:
            raise RequestError([Problem(loc=["schema"], msg="the line has no schema, and neither has the command")])
        options = parse_options({**defaults.options, **job.options}, array_decoders=engine.array_decoders)
        return _Asked(line, ident, engine.prepare(job.context, schema, options))
    except SchemaError as error:
        located = [Problem(loc=["schema", *found["loc"]], msg=found["msg"]) for found in error.problems]
        return _Asked(line, ident, SchemaError(located))
    except DegError as error:
        return _Asked(line, ident, error)


def _output(asked: _Asked, run: Run, result: FillResult | DegError, *, value_only: bool) -> bytes:
    line = asked.line
    told: dict[str, Any] = {"id": asked.ident}
    if isinstance(result, DegError):
        _, body = failure(result, STATUS.get(result.code, 500))
        told |= msgspec.to_builtins(body)
    elif value_only:
        told["value"] = result.json
    else:
        told["result"] = result.as_dict()
    rest = json.dumps(told, ensure_ascii=False, allow_nan=False)
    return f"{opening(line.number, run.key(line))}, {rest[1:]}\n".encode()
