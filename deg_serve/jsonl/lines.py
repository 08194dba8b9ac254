"""The input: one JSON document a line, a text or an object around one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from deg_core.contract.jsontext import load_json
from deg_core.contract.jsonvalue import show
from deg_core.contract.request import Context
from deg_core.errors import Problem, RequestError

MAX_LINE: Final = 64 * 2**20
"""Most bytes of one line: a longer one is usually a whole JSON array that was taken for JSON Lines."""
FIELDS: Final = ("context", "id", "schema", "options")
DIGITS: Final = 12
_PART: Final = 2**20


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank. ``number`` counts from 1, blank lines too; ``text`` is without the white space around
    it, or None when there is more than MAX_LINE; ``end`` is the offset behind it in the input."""

    number: int
    text: bytes | None
    digest: str
    end: int


@dataclass(frozen=True, slots=True)
class LineJob:
    """What a line asks for. ``schema`` and ``options`` are the line's own, None and empty where it has none."""

    context: Context
    schema: dict[str, Any] | None
    options: Mapping[str, Any]


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """The lines of an input, cut at line feeds only; blank ones are counted and left out."""
    end = number = 0
    while raw := stream.readline(MAX_LINE + 1):
        number += 1
        end += len(raw)
        if len(raw) <= MAX_LINE:
            if text := raw.strip():
                yield Line(number, text, digest_of(text), end)
            continue
        hashed = hashlib.sha256(raw)
        while not raw.endswith(b"\n") and (raw := stream.readline(_PART)):
            hashed.update(raw)
            end += len(raw)
        yield Line(number, None, hashed.hexdigest()[:DIGITS], end)


def read_job(line: Line) -> tuple[str | int | None, LineJob | RequestError]:
    """The line's id, where there is one, and what it asks for or every problem that it has."""
    if line.text is None:
        return None, _refused([], f"the line is longer than {MAX_LINE:,} bytes; JSON Lines has one document a line")
    try:
        value = load_json(line.text)
    except RequestError as error:
        return None, error
    if isinstance(value, str):
        return None, LineJob(value, None, {})
    if not isinstance(value, dict):
        return None, _refused([], f"a line is a text or an object with a context; found {show(value)}")
    ident = value.get("id")
    usable = ident is None or (isinstance(ident, (str, int)) and not isinstance(ident, bool))
    problems = list(_problems(value))
    if not usable:
        problems.append(Problem(loc=["id"], msg=f"id must be a string or an integer; found {show(ident)}"))
    if problems:
        return ident if usable else None, RequestError(problems)
    return ident, LineJob(value["context"], value.get("schema"), value.get("options") or {})


def digest_of(data: bytes) -> str:
    """What tells one text from another: the first digits of its SHA-256."""
    return hashlib.sha256(data).hexdigest()[:DIGITS]


def _problems(value: dict[str, Any]) -> Iterator[Problem]:
    for name in value:
        if name not in FIELDS:
            yield Problem(loc=[name], msg=f"unknown field {show(name)}; allowed: {', '.join(FIELDS)}")
    if not isinstance(value.get("context"), (str, dict, list)):
        found = show(value["context"]) if "context" in value else "nothing"
        yield Problem(loc=["context"], msg=f"context must be a string, an object or an array; found {found}")
    for name in ("schema", "options"):
        if value.get(name) is not None and not isinstance(value[name], dict):
            yield Problem(loc=[name], msg=f"{name} must be an object; found {show(value[name])}")


def _refused(loc: list[str | int], msg: str) -> RequestError:
    return RequestError([Problem(loc=loc, msg=msg)])
