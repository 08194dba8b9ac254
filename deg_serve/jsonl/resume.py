"""How far an earlier run came, from its output alone.

Every output line carries the number and the digest of its input line, and digests of what it was filled with. Lines
are only ever appended, in input order. So what is there of an output is a beginning of it, whenever its writer was
stopped; whole lines of it are checked against the input, and a last line that was not finished is cut off.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final

import msgspec

from deg_core.errors import Problem, RequestError
from deg_serve.jsonl.lines import Line

_ANEW: Final = "--restart begins anew and overwrites it; or name another --out"


@dataclass(frozen=True, slots=True)
class Run:
    """What the lines of one output are filled with: digests of the schema, the options, and the checkpoint."""

    schema: str
    options: str
    model: str

    def key(self, line: Line) -> str:
        """What a line's output line carries to be known again."""
        return f"{line.digest}.{self.schema}.{self.options}.{self.model}"


@dataclass(frozen=True, slots=True)
class Done:
    """What earlier runs did, lines ``filled`` and ``failed``, where in the input they ended, and the lines that are
    left."""

    filled: int
    failed: int
    input_end: int
    rest: Iterator[Line]


class _Entry(msgspec.Struct, frozen=True, kw_only=True):
    line: int
    key: str
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def opening(number: int, key: str) -> str:
    """How the output line of input line ``number`` begins."""
    return f'{{"line": {number}, "key": {json.dumps(key)}'


def resume(output: BinaryIO, lines: Iterator[Line], run: Run, name: str) -> Done:
    """Which of ``lines`` the ``output`` has; cuts off a last line that was not finished, and stands at the end.

    ``output`` is open for reading and writing, at its beginning; ``name`` is for messages. It is changed only when all
    of it was made from these lines in this way.

    Raises:
        RequestError: when it was not: another input, schema, options or checkpoint, or a file that deg did not write.
    """
    filled = failed = end = input_end = 0
    rest = lines
    for place, raw in enumerate(output, 1):
        line = next(lines, None)
        if not raw.endswith(b"\n"):
            rest = chain([_torn(raw, line, run, name)], lines)
            break
        entry = _entry(raw, place, name)
        if line is None:
            raise _refused(name, f"has more lines than the input: line {place} of it was made from none of them")
        _check(entry, line, run, name, place)
        end += len(raw)
        input_end = line.end
        if entry.error is msgspec.UNSET:
            filled += 1
        else:
            failed += 1
    output.seek(end)
    output.truncate()
    return Done(filled, failed, input_end, rest)


def _entry(raw: bytes, place: int, name: str) -> _Entry:
    try:
        return msgspec.json.decode(raw, type=_Entry)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _refused(name, f"line {place} was not written by deg fill --jsonl") from None


def _check(entry: _Entry, line: Line, run: Run, name: str, place: int) -> None:
    if (entry.line, entry.key) == (line.number, run.key(line)):
        return
    parts = entry.key.split(".")
    if len(parts) != 4:
        raise _refused(name, f"line {place} was not written by deg fill --jsonl")
    for found, wanted, what in (
        (parts[1], run.schema, "with another schema"),
        (parts[2], run.options, "with other options"),
        (parts[3], run.model, "by another checkpoint, in another arithmetic, or on another device"),
    ):
        if found != wanted:
            raise _refused(name, f"line {place} was filled {what}")
    changed = f"line {line.number} of the input is not the one that line {place} was made from"
    raise _refused(name, f"the input has changed: {changed}")


def _torn(raw: bytes, line: Line | None, run: Run, name: str) -> Line:
    """The line whose output line was not finished. Bytes that cannot be its beginning are not cut off: the file may be
    somebody's."""
    if line is not None:
        begins = opening(line.number, run.key(line)).encode()
        if raw.startswith(begins) or begins.startswith(raw):
            return line
    raise _refused(name, "its last line is not finished, and is not the beginning of what comes next")


def _refused(name: str, msg: str) -> RequestError:
    return RequestError([Problem(loc=[name], msg=f"{msg}. {_ANEW}")])
