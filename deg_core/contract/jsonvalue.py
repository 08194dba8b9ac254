"""JSON values as they come from callers: a checked private copy, size limits, short texts for messages.

Everything downstream may rely on what `checked_copy` gives: plain dicts with string keys, lists, strings without lone
surrogates, finite floats, integers of bounded size, bounded depth. So no later step needs a guard of its own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from deg_core.contract.plan import JSONValue
    from deg_core.contract.problems import Problems

Loc: TypeAlias = tuple[str | int, ...]

MAX_DEPTH: Final = 128
"""Deepest nesting of a JSON document, in containers."""
MAX_VALUES: Final = 1_000_000
"""Most values (containers and scalars) in one document."""
MAX_DIGITS: Final = 308
"""Most decimal digits of an integer: what a double can hold too."""
_MAX_INTEGER: Final = 10**MAX_DIGITS - 1
_SHOWN: Final = 60


def surrogate_at(text: str) -> int | None:
    """Code-point index of the first lone surrogate, which no UTF-8 text can hold; None when there is none."""
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return error.start
    return None


def show(value: object) -> str:
    """A short, one-line text of a value for a message: JSON for scalars, kind and size for containers."""
    if isinstance(value, Mapping):
        return f"an object with {len(value)} keys"
    if isinstance(value, (list, tuple)):
        if len(value) <= 4 and all(isinstance(item, (str, int, float, bool, type(None))) for item in value):
            return "[" + ", ".join(show(item) for item in value) + "]"
        return f"an array of {len(value)} values"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _MAX_INTEGER:
        return f"an integer of {digits(value)} digits"
    if value is None or isinstance(value, (str, int, float)):
        text = json.dumps(value, ensure_ascii=False)
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return f"a Python {type(value).__name__}"


def digits(value: int) -> int:
    """About how many decimal digits an integer has, without writing it out (which Python refuses beyond 4,300)."""
    return max(1, math.ceil(abs(value).bit_length() * math.log10(2)))


def checked_copy(value: object, problems: Problems, *, loc: Loc = ()) -> JSONValue:
    """A private deep copy made of plain JSON types. Never mutates ``value``.

    Tuples count as arrays, any Mapping as an object, subclasses of str, int and float (enum members among them) as
    their plain form. What no JSON text can hold is reported to ``problems`` with its place, which starts at ``loc``,
    and stands as None.
    """
    return _Copier(problems, loc).copy(value)


class _Copier:
    """One run of `checked_copy`: the place where it stands, and how many values it has seen."""

    def __init__(self, problems: Problems, loc: Loc) -> None:
        self.problems = problems
        self.place: list[str | int] = list(loc)
        self.deepest = len(loc) + MAX_DEPTH
        self.seen = 0

    def report(self, rule: str, **values: object) -> None:
        self.problems.add(tuple(self.place), rule, **values)

    def copy(self, value: object) -> JSONValue:
        kind = type(value)
        if kind is str:
            return self.string(value)  # type: ignore[arg-type]
        if kind is bool or value is None:
            return value
        if kind is dict:
            return self.mapping(value)  # type: ignore[arg-type]
        if kind is list:
            return self.array(value)  # type: ignore[arg-type]
        return self.unusual(value)

    def string(self, value: str) -> str:
        at = surrogate_at(value)
        if at is None:
            return value
        self.report("lone-surrogate", found=f"U+{ord(value[at]):04X}", at=at)
        return value.encode("utf-8", "replace").decode("utf-8")

    def unusual(self, value: object) -> JSONValue:
        if isinstance(value, int):
            whole = int(value)
            if -_MAX_INTEGER <= whole <= _MAX_INTEGER:
                return whole
            self.report("integer-size", found=digits(whole), limit=MAX_DIGITS)
            return None
        if isinstance(value, float):
            number = float(value)
            if math.isfinite(number):
                return number
            self.report("not-finite", found=repr(number))
            return None
        if isinstance(value, str):
            return self.string(str.__str__(value))
        if isinstance(value, Mapping):
            return self.mapping(value)
        if isinstance(value, (list, tuple)):
            return self.array(value)
        self.report("not-json", found=show(value))
        return None

    def enter(self, size: int) -> bool:
        """Whether a container of ``size`` values at the current place is within the limits."""
        self.seen += size
        if len(self.place) >= self.deepest:
            self.report("document-depth", limit=MAX_DEPTH)
            return False
        if self.seen > MAX_VALUES:
            if self.seen - size <= MAX_VALUES:
                self.report("document-size", limit=MAX_VALUES)
            return False
        return True

    def mapping(self, value: Mapping[object, object]) -> dict[str, JSONValue]:
        out: dict[str, JSONValue] = {}
        if not self.enter(len(value)):
            return out
        for key, item in value.items():
            if not isinstance(key, str):
                self.report("key-not-string", found=show(key))
                continue
            plain = key if type(key) is str else str.__str__(key)
            self.place.append(plain)
            if not plain.isascii():
                self.place[-1] = plain = self.string(plain)
            out[plain] = self.copy(item)
            self.place.pop()
        return out

    def array(self, value: list[object] | tuple[object, ...]) -> list[JSONValue]:
        out: list[JSONValue] = []
        if not self.enter(len(value)):
            return out
        for index, item in enumerate(value):
            self.place.append(index)
            out.append(self.copy(item))
            self.place.pop()
        return out
