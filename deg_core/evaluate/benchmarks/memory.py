"""How much memory a fill takes, by the length of the text and the number of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any, Final

from deg_core.errors import RuntimeLimitError
from deg_core.evaluate.benchmarks.pairs import Pair
from deg_core.evaluate.benchmarks.sweep import first_fields
from deg_core.evaluate.benchmarks.workers import Engine

TOKENS: Final = (1024, 2048, 4096, 8192, 16384, 32768)
FIELDS: Final = (1, 10, 40)
FIELDS_AT_TOKENS: Final = 10  # fields of the schema while the text grows
TOKENS_AT_FIELDS: Final = 1024  # tokens of the text while the schema grows
FLOAT_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Taken:
    """One fill in a fresh process: bytes at its highest above what was resident before, and what arithmetic says.

    ``state`` are the keys, values and hidden states of the text, which a fill keeps to its end; ``reserved`` is what
    deg wants to be free before it begins, the largest moment of reading and decoding included. ``exact`` is false
    where the system cannot tell the fill's highest from the process's. ``error`` says what came instead.
    """

    tokens: int
    fields: int
    peak: int
    state: int
    reserved: int
    seconds: float
    exact: bool = True
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def points(tokens: Sequence[int], fields: Sequence[int]) -> list[tuple[int, int]]:
    """What is measured, as (tokens, fields): growing texts, then growing schemas, no point twice."""
    wanted = [(number, FIELDS_AT_TOKENS) for number in tokens]
    wanted += [(TOKENS_AT_FIELDS, number) for number in fields]
    return list(dict.fromkeys(wanted))


def measure(
    start: Callable[[], AbstractContextManager[Engine]],
    pair: Pair,
    wanted: Iterable[tuple[int, int]],
    *,
    on_point: Callable[[], None] = lambda: None,
) -> list[Taken]:
    """Every point in a process of its own, which ``start`` gives: what one fill leaves behind is not there for the
    next to use."""
    found = []
    for tokens, fields in wanted:
        with start() as engine:
            floats = engine.ask("sizes")["state_floats"]
            answer = engine.ask("memory", text=pair.record.context, tokens=tokens, schema=first_fields(pair, fields))
        if answer.get("error") == RuntimeLimitError.code:
            found.append(Taken(tokens, fields, 0, 0, 0, 0.0, error=answer["message"]))
        else:
            read = answer["text_tokens"]
            found.append(
                Taken(
                    tokens=read,
                    fields=fields,
                    peak=answer["peak"],
                    state=read * floats * FLOAT_BYTES,
                    reserved=answer["reserved"],
                    seconds=answer["seconds"],
                    exact=answer["exact"],
                    error=answer.get("message"),
                )
            )
        on_point()
    return found


COLUMNS = ("tokens of text", "fields", "peak MiB", "state MiB by formula", "peak / state", "reserved MiB", "s", "")


def rows(taken: Sequence[Taken]) -> list[tuple[str, ...]]:
    """A row for each fill."""
    found: list[tuple[str, ...]] = []
    for one in taken:
        note = one.error or ("" if one.exact else "the process's highest, not the fill's")
        if not one.peak:
            found.append((str(one.tokens), str(one.fields), "", "", "", "", "", note))
            continue
        sizes = (_mib(one.peak), _mib(one.state), f"{one.peak / one.state:.2f}", _mib(one.reserved))
        found.append((str(one.tokens), str(one.fields), *sizes, f"{one.seconds:.1f}", note))
    return found


def _mib(size: int) -> str:
    return f"{size / 2**20:.1f}"
