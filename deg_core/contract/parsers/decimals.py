"""Which decimal mark a document uses, for the numbers that read two ways (``1.234``, ``1,234``)."""

from __future__ import annotations

import re
from functools import lru_cache

from deg_core.contract.parsers.money import MONEY_AFTER, MONEY_BEFORE
from deg_core.contract.parsers.numeral import RUN, interpret
from deg_core.contract.parsers.result import Span

_TWO_READINGS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_TIME_OR_DAY = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d|(?:[0-2]?\d|3[01])\.(?:0[1-9]|1[0-2])")
_MONEY_LEFT = re.compile(rf"{MONEY_BEFORE}[^\S\n]?[-+\u2212]?$")
_MONEY_RIGHT = re.compile(rf"[^\S\n]?{MONEY_AFTER}", re.IGNORECASE)
_PER_UNIT = re.compile(
    r"[^\S\n]?(?:per|pro|je|/)[^\S\n]?(?:l|lit(?:re|er)s?|liter|gal(?:lon)?|kwh|mwh|unit|share|therm|km|mi(?:le)?)(?!\w)",
    re.IGNORECASE,
)
_THREE_DECIMALS = re.compile(r"(?:KWD|BHD|OMR|JOD|TND|IQD|LYD)")
_DOTTED_DATE = re.compile(r"(?<![\w.])(?:0?[1-9]|[12]\d|3[01])\.[ ]?(?:0?[1-9]|1[0-2])\.[ ]?(?:19|20)\d\d(?!\w)")
_MAX_RUN = 40


def _grouped_money(text: str, start: int, end: int) -> bool:
    """Whether a two-way numeral is an amount of money, which has two decimals and not three."""
    left = _MONEY_LEFT.search(text, max(0, start - 6), start)
    right = _MONEY_RIGHT.match(text, end, end + 12)
    if left is None and right is None:
        return False
    after = right.end() if right is not None else end
    if _THREE_DECIMALS.search(text, max(0, start - 6), min(len(text), end + 6)):
        return False
    return _PER_UNIT.match(text, after, after + 16) is None


def decimal_mark(text: str, span: Span | None = None) -> str | None:
    """The decimal mark of a document: ``.``, ``,`` or None when nothing shows it.

    A pure function, linear in the text, and constant for further spans of the same text.

    ``12,50`` and ``1.234,5`` speak for a comma, ``3.5`` and ``1,234.50`` for a point, ``EUR 3.600`` for a comma
    (money is not written with three decimals). Numbers that may be times of day or days (``7.30``, ``26.11``) do not
    speak. With ``span``, an amount of money there decides for itself, and where nothing else speaks, dotted dates in
    the document make a point in the span a grouping mark.
    """
    dotted = False
    if span is not None:
        start, end = _digits(text, span)
        dotted = "." in text[start:end]
        if _TWO_READINGS.fullmatch(text, start, end) and _grouped_money(text, start, end):
            return "," if dotted else "."
    point, comma, dotted_dates = _evidence(text)
    if comma > 2 * point:
        return ","
    if point > 2 * comma:
        return "."
    return "," if dotted and dotted_dates and not point else None


@lru_cache(maxsize=4)  # one document is asked about many spans
def _evidence(text: str) -> tuple[int, int, bool]:
    """How many numbers speak for a point and for a comma, and whether there are dotted dates."""
    votes = {".": 0, ",": 0}
    for run in RUN.finditer(text):
        a, b = run.span()
        if b - a < 3 or b - a > _MAX_RUN or (a and (text[a - 1].isalnum() or text[a - 1] in ".,/:_")):
            continue
        vote = _vote(text, a, b)
        if vote is not None:
            votes[vote] += 1
    return votes["."], votes[","], _DOTTED_DATE.search(text) is not None


def _vote(text: str, start: int, end: int) -> str | None:
    run = text[start:end]
    if _TWO_READINGS.fullmatch(run):
        if _grouped_money(text, start, end):
            return "," if "." in run else "."
        return None
    if _TIME_OR_DAY.fullmatch(run) and not _MONEY_LEFT.search(text, max(0, start - 6), start):
        return None
    numeral = interpret(run)
    return numeral.evidence if numeral is not None else None


def _digits(text: str, span: Span) -> Span:
    """The first run of digits inside a span."""
    run = RUN.search(text, *span)
    return run.span() if run is not None else span
