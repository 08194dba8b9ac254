"""Reading what a command is given. ``-`` is standard input; whatever is wrong is one line that names the file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from deg_core.contract.jsontext import load_json
from deg_core.errors import RequestError

STDIN = "-"


def read_text(source: str | Path) -> str:
    """A UTF-8 text, as it is: line ends are kept, since offsets count them; a byte-order mark is dropped.

    Raises RequestError for a file that is missing, a folder, unreadable, or not UTF-8.
    """
    name = _name(source)
    try:
        data = sys.stdin.buffer.read() if str(source) == STDIN else Path(source).read_bytes()
    except FileNotFoundError:
        raise _problem(name, "there is no such file") from None
    except IsADirectoryError:
        raise _problem(name, "this is a folder, a file is needed") from None
    except OSError as error:
        raise _problem(name, f"cannot be read: {error.strerror or error}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _problem(
            name,
            f"is not UTF-8: byte 0x{data[error.start]:02x} in line {line} (offset {error.start}); convert it to UTF-8",
        ) from None


def read_json(source: str | Path) -> Any:
    """A JSON document. Raises RequestError as ``read_text`` does, and for broken JSON or a key that is there twice."""
    text = read_text(source)
    try:
        return load_json(text)
    except RequestError as error:
        name = _name(source)
        raise RequestError([{"loc": [name, *found["loc"]], "msg": found["msg"]} for found in error.problems]) from None


def _name(source: str | Path) -> str:
    return "standard input" if str(source) == STDIN else str(source)


def _problem(name: str, message: str) -> RequestError:
    return RequestError([{"loc": [name], "msg": message}])
