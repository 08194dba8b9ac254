"""Which digits of a written numeral are whole and which are fraction: separators and their conventions.

A *run* is a stretch of digits joined by single separator characters, such as ``1.234,56`` or ``14 920``. A separator
that may stand for both grouping and decimals (full stop, comma) is decided here; nothing else in the package does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from deg_core.contract.parsers.result import Span

SPACES = " \u00a0\u2007\u2008\u2009\u200a\u202f"
APOSTROPHES = "'\u2019\u02bc"
GROUP_ONLY = SPACES + APOSTROPHES + "_\u066c\uff0c"
DECIMAL_ONLY = "\u00b7\u066b"
DUAL = ".,\uff0e"
SEPARATORS = GROUP_ONLY + DECIMAL_ONLY + DUAL

_CLASS = re.escape(SEPARATORS)
_TIMES_TEN = "(?!\u00b710[\\^\u2070\u00b9\u00b2\u00b3\u2074-\u207b])"  # the dot of 2\u00b710\u00b3 multiplies
RUN = re.compile(rf"\d++(?:{_TIMES_TEN}[{_CLASS}]\d++)*+")
_PIECE = re.compile(r"\d++")
_SPACE = re.compile(rf"[{re.escape(SPACES)}]")
_FIRST_GROUP = re.compile(r"\d{1,3}")
_MIDDLE_GROUP = re.compile(r"\d{3}")
_LAST_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?")
MAX_GROUPS = 6
"""Longest space-grouped numeral looked for (up to 999 quadrillion)."""

MAX_DIGITS = 120
"""A longer run of digits is never a quantity; it is refused instead of being turned into a huge integer."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """ASCII digits of the whole and of the fraction (``None`` when there is no decimal mark)."""

    whole: str
    fraction: str | None = None
    ambiguous: bool = False
    rule: str | None = None
    evidence: str | None = None
    """The decimal mark this spelling proves (``.`` or ``,``), if any."""


def _ascii(digits: str) -> str:
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)


def _grouped(pieces: list[str], *, indian: bool) -> bool:
    """Whether the pieces are a correct grouping: by threes, or (South Asian) twos before a last three."""
    first, rest = pieces[0], pieces[1:]
    if not rest or not 1 <= len(first) <= 3:
        return False
    if all(len(piece) == 3 for piece in rest):
        return True
    return indian and len(first) <= 2 and len(rest[-1]) == 3 and all(len(piece) == 2 for piece in rest[:-1])


def _single_dual(whole: str, fraction: str, mark: str, decimal: str | None, integer: bool) -> Numeral:
    """One full stop or comma: ``1.234`` has two readings, ``1.23``, ``0.234`` and ``1234.5`` have one."""
    two_readings = len(fraction) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0"
    if not two_readings:
        return Numeral(whole, fraction, evidence=mark)
    if integer:
        return Numeral(whole + fraction, None, True, "integer_groups")
    if decimal is not None:
        if decimal == mark:
            return Numeral(whole, fraction, True, "document_decimal")
        return Numeral(whole + fraction, None, True, "document_groups")
    if mark == ",":
        return Numeral(whole + fraction, None, True, "comma_groups")
    return Numeral(whole, fraction, True, "point_decimal")


def interpret(run: str, *, decimal: str | None = None, integer: bool = False) -> Numeral | None:
    """Read a run of digits and separators; None when no convention reads the whole of it as one numeral.

    ``decimal`` is the decimal mark known from the document (``.`` or ``,``), used only where both readings are valid.
    ``integer`` says that the value must be whole, so that ``4.000`` is four thousand.
    Rules named in the result: ``comma_groups``, ``point_decimal``, ``document_decimal``, ``document_groups``,
    ``integer_groups``.
    """
    if len(run) > MAX_DIGITS * 2:
        return None
    leading = run[0] in DUAL + DECIMAL_ONLY
    pieces = [_ascii(piece) for piece in _PIECE.findall(run)]
    marks = ["." if char == "\uff0e" else char for char in run if char in SEPARATORS]
    if not pieces or sum(map(len, pieces)) > MAX_DIGITS:
        return None
    if leading:
        return Numeral("0", pieces[0], evidence=marks[0] if marks[0] in ".," else None) if len(pieces) == 1 else None
    if not marks:
        return Numeral(pieces[0])
    kinds = {"space" if mark in SPACES else "apostrophe" if mark in APOSTROPHES else mark for mark in marks}
    last = marks[-1]
    if len(kinds) == 1:
        return _one_kind(pieces, last, decimal, integer)
    body = {"space" if mark in SPACES else mark for mark in marks[:-1]}
    if len(kinds) > 2 or marks.count(last) > 1 or len(body) > 1 or last in GROUP_ONLY:
        return None
    if marks[0] in DECIMAL_ONLY or not _grouped(pieces[:-1], indian=marks[0] == ","):
        return None
    return Numeral("".join(pieces[:-1]), pieces[-1], evidence=last if last in ".," else None)


def _one_kind(pieces: list[str], mark: str, decimal: str | None, integer: bool) -> Numeral | None:
    """A run with one kind of separator."""
    if len(pieces) == 2 and mark in DUAL:
        return _single_dual(pieces[0], pieces[1], mark, decimal, integer)
    if mark in DECIMAL_ONLY:
        return Numeral(pieces[0], pieces[1]) if len(pieces) == 2 else None
    if not _grouped(pieces, indian=mark == ","):
        return None
    proves = {",": ".", ".": ","}.get(mark)
    return Numeral("".join(pieces), None, evidence=proves)


def _words_of(text: str, start: int, end: int) -> list[Span]:
    """The parts of a run between its spaces."""
    spans, begin = [], start
    for match in _SPACE.finditer(text, start, end):
        spans.append((begin, match.start()))
        begin = match.end()
    spans.append((begin, end))
    return spans


def _listed(text: str, start: int, end: int) -> bool:
    """Whether the run stands in a bracketed or comma-packed list, where ``120,240`` may be two numbers."""
    before, after = text[start - 1 : start], text[end : end + 2]
    return before in ("[", ",") or after[:1] == "]" or (after[:1] == "," and len(after) == 2 and not after[1].isspace())


def _unspaced(text: str, start: int, end: int) -> list[Span]:
    """Numerals of a run without spaces: the whole if it reads, else the parts that do."""
    run = text[start:end]
    if interpret(run) is not None:
        spans = [(start, end)]
        if "," in run and _listed(text, start, end):
            spans += [(m.start(), m.end()) for m in _PIECE.finditer(text, start, end)]
        return spans
    parts, begin = [], start
    for index in range(start, end + 1):
        if index == end or text[index] == ",":
            parts.append((begin, index))
            begin = index + 1
    spans = []
    for a, b in parts:
        if len(parts) > 1 and interpret(text[a:b]) is not None:
            spans.append((a, b))
        else:
            spans += [(m.start(), m.end()) for m in _PIECE.finditer(text, a, b)]
    return spans


def numerals(text: str, start: int, end: int) -> list[Span]:
    """Every numeral inside the run ``text[start:end]``: nested where a space may or may not group."""
    words = _words_of(text, start, end)
    spans: list[Span] = []
    for i, (a, b) in enumerate(words):
        spans += _unspaced(text, a, b)
        if len(words) == 1 or not _FIRST_GROUP.fullmatch(text, a, b):
            continue
        grouped: list[Span] = []
        for c, d in words[i + 1 : i + 1 + MAX_GROUPS]:
            if _LAST_GROUP.fullmatch(text, c, d):
                grouped.append((a, d))
            if not _MIDDLE_GROUP.fullmatch(text, c, d):
                break
        # A longer row of three-digit groups is a table or a code, where every window would be a candidate.
        if len(grouped) < MAX_GROUPS:
            spans += grouped
    return spans
