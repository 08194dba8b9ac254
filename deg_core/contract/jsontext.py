"""JSON text to a value, strictly: whatever would be lost or changed without a word is an error with its place."""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Iterable
from typing import Any, Final

from deg_core.contract.jsonvalue import MAX_DEPTH, MAX_DIGITS, Loc, checked_copy, show
from deg_core.contract.plan import JSONValue
from deg_core.contract.problems import Problems
from deg_core.errors import Problem, ProblemsError, RequestError

_OTHER_ENCODINGS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class _Repeated(dict[str, JSONValue]):
    """An object whose text holds keys twice; ``keys_twice`` names them."""

    keys_twice: tuple[str, ...] = ()


class _NotANumber:
    """What stands in the text where a number should: ``text`` and why it is not one."""

    def __init__(self, text: str, why: str) -> None:
        self.text = text
        self.why = why


def load_json(text: str | bytes, *, error: type[ProblemsError] = RequestError) -> JSONValue:
    """The value of a JSON text.

    Refused, each with its place: a key twice in one object, NaN and Infinity, a number beyond a double or of more than
    308 digits, a lone surrogate, nesting beyond 128 containers. A leading byte order mark is skipped; bytes must be
    UTF-8.

    Raises:
        RequestError: with every problem (or the ``error`` class given).
    """
    if isinstance(text, (bytes, bytearray, memoryview)):
        text = _decoded(bytes(text), error)
    text = text.removeprefix("\ufeff")
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_float
        )
    except json.JSONDecodeError as mistake:
        place = f"line {mistake.lineno}, column {mistake.colno}"
        raise error([Problem(loc=[], msg=f"not JSON: {mistake.msg} at {place}")]) from None
    except RecursionError:
        raise error([Problem(loc=[], msg=f"nested deeper than the limit of {MAX_DEPTH} containers")]) from None
    problems = Problems()
    holder = [value]
    _unmark(holder, (), problems, depth=-1)
    plain = checked_copy(holder[0], problems)
    if len(problems):
        raise error(problems.as_problems())
    return plain


def _decoded(data: bytes, error: type[ProblemsError]) -> str:
    data = data.removeprefix(codecs.BOM_UTF8)
    for mark, name in _OTHER_ENCODINGS:
        if data.startswith(mark):
            raise error([Problem(loc=[], msg=f"the text is {name}; JSON must be UTF-8")])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as mistake:
        found = f"byte 0x{data[mistake.start]:02X} at offset {mistake.start}"
        raise error([Problem(loc=[], msg=f"the text is not UTF-8: {found}")]) from None


def _object(pairs: list[tuple[str, JSONValue]]) -> dict[str, JSONValue]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for key, _ in pairs:
        if key in seen:
            twice[key] = None
        seen.add(key)
    marked = _Repeated(found)
    marked.keys_twice = tuple(twice)
    return marked


def _constant(text: str) -> _NotANumber:
    return _NotANumber(text, "not a JSON number")


def _integer(text: str) -> int | _NotANumber:
    if len(text) > MAX_DIGITS + 1 or len(text.lstrip("-")) > MAX_DIGITS:
        return _NotANumber(
            text, f"an integer of {len(text.lstrip('-'))} digits; at most {MAX_DIGITS} digits are allowed"
        )
    return int(text)


def _float(text: str) -> float | _NotANumber:
    number = float(text)
    return number if math.isfinite(number) else _NotANumber(text, "beyond the range of a double")


def _unmark(container: dict[str, JSONValue] | list[JSONValue], loc: Loc, problems: Problems, *, depth: int) -> None:
    """Report what the parser's hooks marked inside ``container``, with its place, and put null there.

    ``depth`` counts containers from the root, which itself stands in a holder of depth -1 that has no place.
    """
    if depth > MAX_DEPTH:
        return
    if isinstance(container, _Repeated):
        for key in container.keys_twice:
            problems.add((*loc, key), "key-twice", found=show(key))
    steps: Iterable[Any] = list(container) if isinstance(container, dict) else range(len(container))
    members: Any = container
    for step in steps:
        item = members[step]
        if not isinstance(item, (dict, list, _NotANumber)):
            continue
        here = loc if depth < 0 else (*loc, step)
        if isinstance(item, _NotANumber):
            problems.add(here, "number-text", found=show(item.text).strip('"'), why=item.why)
            members[step] = None
        else:
            _unmark(item, here, problems, depth=depth + 1)
