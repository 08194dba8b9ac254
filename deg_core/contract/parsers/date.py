"""Calendar dates as people write them: candidate spans in a text, and the ISO 8601 date of a span (SPEC 3, 9).

Conventions. Slashed and dashed numeric dates follow ``date_order``; without it they read only when one order is valid.
Dotted numeric dates (``03.05.2026``) are day first unless ``date_order`` says otherwise. When ``date_order`` is given
and its reading is no calendar date, the other order is read if that is one. Two-digit years 00..68 are 2000..2068 and
69..99 are 1969..1999 (the POSIX rule), and the reading says so. A date without a year is never read; in a stretch of
days with one year (``6-10 June 2005``) the whole stretch is offered for its first day.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from deg_core.contract.parsers.clock import read_clock
from deg_core.contract.parsers.months import COMMON_WORDS, LONGEST_NAME, MONTHS, ROMAN_MONTHS, WEEKDAYS, fold
from deg_core.contract.parsers.result import Parsed, Span, Unparsed

_S = r"(?:[^\S\n]{0,3}\n?[^\S\n]{0,3})"
_S1 = r"(?:[^\S\n]{1,3}\n?[^\S\n]{0,3}|\n[^\S\n]{0,3})"
_ORDINAL = r"(?:st|nd|rd|th|er|ère|re|te|ter|ten|e|o|a|[ºª°])"
_YEAR = (
    r"(?P<year>[12]\d{3}|['\u2019]?\d{2})(?![\w\u2019])(?![.,]\d)(?![^\S\n]?(?:hrs?|h|Z|UTC|GMT)\b)"
    r"(?!(?<=\D\d\d)(?::\d|[.,]?[^\S\n][ap]\.?m\b|[^\S\n]?(?:h|Uhr|o'clock)\b|,?[^\S\n]{1,2}\d{4}(?!\d)))"
)
_TH = rf"(?:{_ORDINAL}(?![^\W_])\.?|[^\S\n](?:st|nd|rd|th)(?!\w))"  # "5 th" is how some documents copy out
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_OF = r"(?:de[ls]?|of|do|du|van|von)"
_DAY_BEFORE = re.compile(
    rf"(?<!\w)(?<!\d[.,:]){_DAY}(?:{_TH}|\.)?"
    rf"(?:{_S1}day)?(?:{_S1}{_OF}{_S1}|{_S}[-\u2013./]?{_S}|,{_S1})$",
    re.IGNORECASE,
)
_YEAR_AFTER = re.compile(rf"\.?(?:,?{_S1}{_OF}{_S1}|,?{_S}|[-\u2013./])" + _YEAR, re.IGNORECASE)
_DAY_YEAR_AFTER = re.compile(
    rf"\.?(?:,?{_S1}the{_S1}|,?{_S1}|{_S}|[-./]){_DAY}(?:{_TH})?(?:[^\S\n]?,?{_S1}|[-./]|,)" + _YEAR,
    re.IGNORECASE,
)
# Jan 28 13:26:14 UTC 2008, as programs print it
_CLOCK_YEAR_AFTER = re.compile(
    rf"[^\S\n]{{1,2}}{_DAY}[^\S\n](?P<clock>\d\d:\d\d:\d\d)(?:[^\S\n](?:[A-Z]{{1,5}}|[+-]\d{{4}}))?"
    r"[^\S\n](?P<year>[12]\d{3})(?!\w)"
)
_TO = r"(?:[^\S\n]?[-\u2013\u2014&/][^\S\n]?|[^\S\n](?:to|and|until|bis|und|au|et|al|y|a|e)[^\S\n])"
_MONTH = rf"(?P<month>[^\W\d_]{{3,{LONGEST_NAME}}})\.?"
_RANGE_BEFORE = re.compile(
    rf"(?<!\w)(?<!\d[.,:/-]){_DAY}(?:{_TH}|\.)?(?:[^\S\n](?:of )?{_MONTH})?{_TO}(?:the )?$",
    re.IGNORECASE,
)
_RANGE_YEAR_AFTER = re.compile(
    rf"\.?[^\S\n]{_DAY}(?:{_TH})?{_TO}(?:{_MONTH}[^\S\n])?"
    rf"{_DAY.replace('day', 'last')}(?:{_TH})?,?[^\S\n]" + _YEAR,
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(rf"(?<![\w.,])(?P<year>\d{{4}})(?:,?{_S1}|[-./])$")
_DAY_AFTER = re.compile(
    rf"\.?(?:{_S}|[-./]){_DAY}(?:{_TH})?(?!\w)(?!:\d)(?!{_TO}\d{{1,2}},?[^\S\n][12]\d{{3}})", re.IGNORECASE
)
_NAME = re.compile(r"[^\W\d_]+")

_NO_MORE = r"(?=\D|$)(?![^\W\d_](?<![Tt]))(?!_)"  # nothing but the T of a date-time may be joined on
_NUMERIC_FORMS = (
    # 2026-05-03, 2026/05/03
    rf"(?P<y1>\d{{4}})(?P<s1>[-/.\u2010\u2011])(?P<m1>\d{{1,2}})(?P=s1)(?P<d1>\d{{1,2}}){_NO_MORE}(?!(?P=s1)\d)",
    # 03/05/2026, 3.5.26, 3. 5. 2026
    r"(?P<a>\d{1,2})(?P<s2>[-/.\u2010\u2011]|\.[ \u00a0]|[ ]?/[ ]?)(?P<b>\d{1,2})(?P=s2)(?P<y2>[12]\d{3}|\d{2})"
    r"(?!\w)(?!(?:(?P=s2)|[.,])\d)",
    # 20260503
    rf"(?P<y3>(?:19|20)\d{{2}})(?P<m3>0[1-9]|1[0-2])(?P<d3>0[1-9]|[12]\d|3[01]){_NO_MORE}(?![.,]\d)",
    # 3.V.2026
    r"(?P<d4>\d{1,2})\.[ ]?(?P<roman>[IVX]{1,4})\.?[ ]?(?P<y4>[12]\d{3})(?!\w)",
)
_IDEOGRAPHS = (
    r"(?P<y5>\d{4})[ ]?[\u5e74\ub144][ ]?(?P<m5>\d{1,2})[ ]?[\u6708\uc6d4][ ]?(?P<d5>\d{1,2})[ ]?[\u65e5\uc77c]"
)
# Not inside a longer number or code; but a date may follow another one after a hyphen or slash (03.05.2026-07.05.2026).
_FREE = r"(?<!\w)(?<!\d[.,:])(?:(?<!\d[-/])|(?<=[-./]\d\d[-/])|(?<=[./][12]\d\d\d-))"
_NUMERIC = re.compile(
    rf"{_FREE}(?:{'|'.join(_NUMERIC_FORMS)})"
    rf"|(?<![\dA-Za-z_]){_IDEOGRAPHS}"  # in scripts without spaces a date may follow a word directly
)
_WEEKDAY_BEFORE = re.compile(
    rf"(?<![^\W_])(?P<name>[^\W\d_]{{2,{LONGEST_NAME}}}(?:-feira)?)(?P<dot>\.?),?{_S}(?:the )?$"
)
_LEAD = re.compile(r"(?:the|on|le|el|il|den|am|dem|on the|dated?:?)\s", re.IGNORECASE)
_JOIN = re.compile(
    r"\s{0,3}(?:,?\s{0,2}(?:at|um|\u00e0|a las|alle(?: ore)?|ore|om|from|kl\.?)\s|[,@|/\u2013\u2014-]?\s{0,3})",
    re.IGNORECASE,
)
_BEFORE_CHARS, _AFTER_CHARS = 40, 48
_MAX_CHARS = 160


@dataclass(frozen=True, slots=True)
class DateHit:
    """One date in a text. ``kind`` is ``iso``, ``text``, ``dotted`` or ``order`` (whose order is open).

    ``year`` is the full year and ``pivoted`` tells that only two digits were written. For ``dotted`` and ``order``
    ``first`` and ``second`` are the two numbers as written; else they are the day and the month.
    """

    start: int
    end: int
    kind: str
    year: int
    first: int
    second: int
    pivoted: bool = False
    clock: int | None = None
    """Where a time of day written inside the date begins (``Jan 28 13:26:14 2008``)."""
    ranged: bool = False
    """A stretch of days with one year, ``6-10 June 2005``: the day and month are those of its first day."""


def _year(written: str) -> tuple[int, bool]:
    digits = written.lstrip("'\u2019")
    value = int(digits)
    if len(digits) == 2:
        return (2000 if value <= 68 else 1900) + value, True
    return value, False


def _named(text: str, start: int, end: int, month: int) -> list[DateHit]:
    """Dates around a month name at ``text[start:end]``."""
    hits: list[DateHit] = []
    left, right = max(0, start - _BEFORE_CHARS), end + _AFTER_CHARS
    common = fold(text[start:end]) in COMMON_WORDS
    day_before = _DAY_BEFORE.search(text, left, start) if _near_digit(text, left, start) else None
    year_after = _YEAR_AFTER.match(text, end, right) if day_before is not None else None
    if day_before is not None and year_after is not None:
        year, pivoted = _year(year_after["year"])
        if not (pivoted and common):
            day = int(day_before["day"])
            hits.append(DateHit(day_before.start(), year_after.end(), "text", year, day, month, pivoted))
            hits += _range_before(text, hits[0])
    if start and text[start - 1].isalnum():
        return hits
    day_year = _DAY_YEAR_AFTER.match(text, end, right)
    if day_year is not None:
        year, pivoted = _year(day_year["year"])
        if not (pivoted and (common or hits)):
            hits.append(DateHit(start, day_year.end(), "text", year, int(day_year["day"]), month, pivoted))
        return hits
    hits += _month_first_forms(text, start, end, month)
    if day_before is None and not hits:
        year_before = _YEAR_BEFORE.search(text, left, start)
        day_after = _DAY_AFTER.match(text, end, right) if year_before is not None else None
        if year_before is not None and day_after is not None:
            year = int(year_before["year"])
            hits.append(DateHit(year_before.start(), day_after.end(), "text", year, int(day_after["day"]), month))
    return hits


def _month_of(name: str | None, default: int) -> int | None:
    return default if name is None else MONTHS.get(fold(name))


def _range_before(text: str, last: DateHit) -> list[DateHit]:
    """The stretch of days that ends with a day-first date: ``6-10 June 2005``, ``30 May to 2 June 2005``."""
    match = _RANGE_BEFORE.search(text, max(0, last.start - _BEFORE_CHARS), last.start)
    month = _month_of(match["month"], last.second) if match is not None else None
    if match is None or month is None or (month, int(match["day"])) >= (last.second, last.first):
        return []
    first = int(match["day"])
    return [DateHit(match.start(), last.end, "text", last.year, first, month, last.pivoted, ranged=True)]


def _month_first_forms(text: str, start: int, end: int, month: int) -> list[DateHit]:
    """``Jan 28 13:26:14 2008`` and ``June 26-29, 2005``."""
    printed = _CLOCK_YEAR_AFTER.match(text, end, end + _AFTER_CHARS)
    if printed is not None:
        year, day = int(printed["year"]), int(printed["day"])
        return [DateHit(start, printed.end(), "text", year, day, month, clock=printed.start("clock"))]
    match = _RANGE_YEAR_AFTER.match(text, end, end + _AFTER_CHARS)
    last_month = _month_of(match["month"], month) if match is not None else None
    if match is None or last_month is None or (month, int(match["day"])) >= (last_month, int(match["last"])):
        return []
    year, pivoted = _year(match["year"])
    return [DateHit(start, match.end(), "text", year, int(match["day"]), month, pivoted, ranged=True)]


def _near_digit(text: str, left: int, start: int) -> bool:
    return any(char.isdecimal() for char in text[left:start])


def _numeric(match: re.Match[str]) -> DateHit:
    a, b = match.span()
    for n in ("1", "3", "5"):
        if match[f"y{n}"]:
            return DateHit(a, b, "iso", int(match[f"y{n}"]), int(match[f"d{n}"]), int(match[f"m{n}"]))
    if match["roman"]:
        return DateHit(a, b, "text", int(match["y4"]), int(match["d4"]), ROMAN_MONTHS.get(match["roman"], 0))
    year, pivoted = _year(match["y2"])
    kind = "dotted" if match["s2"][0] == "." else "order"
    return DateHit(a, b, kind, year, int(match["a"]), int(match["b"]), pivoted)


def _plausible(hit: DateHit) -> bool:
    """Whether the numbers can be a day and a month at all; ``67.89.10`` is no date, ``31/02/2026`` is a wrong one."""
    low, high = sorted((hit.first, hit.second))
    if hit.kind in ("iso", "text"):
        return 1 <= hit.second <= 12 and 1 <= hit.first <= 31
    return 1 <= low <= 12 and high <= 31


def scan_dates(text: str) -> list[DateHit]:
    """Every date in document order, without weekday prefixes; dates that no calendar has included. Linear."""
    hits = [hit for match in _NUMERIC.finditer(text) if _plausible(hit := _numeric(match))]
    for match in _NAME.finditer(text):
        a, b = match.span()
        if b - a <= LONGEST_NAME:
            month = MONTHS.get(fold(match.group()))
            if month is not None:
                hits += _named(text, a, b, month)
    hits.sort(key=lambda hit: (hit.start, hit.end))
    return hits


def weekday_start(text: str, start: int) -> int:
    """Where a weekday written just before ``start`` begins, or ``start``."""
    match = _WEEKDAY_BEFORE.search(text, max(0, start - 28), start)
    if match is not None and fold(match["name"]) in WEEKDAYS and (match.end() > match.end("dot")):
        return match.start()
    return start


def _calendar(year: int, month: int, day: int) -> str | None:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return None


def resolve(hit: DateHit, date_order: str | None) -> Parsed | Unparsed:
    """The ISO date of a hit under a date order (``"MDY"``, ``"DMY"`` or None), or why there is none.

    Rules: ``date_order``, ``day_first`` (a dotted date that reads both ways), ``two_digit_year``, ``range_start``
    (``6-10 June 2005`` gives its first day).
    """
    if date_order not in (None, "MDY", "DMY"):
        raise ValueError(f"date_order: {date_order!r} is neither 'MDY' nor 'DMY' nor None")
    year_rule = "two_digit_year" if hit.pivoted else None
    day_first = _calendar(hit.year, hit.second, hit.first)
    if hit.kind in ("iso", "text"):
        rule = "range_start" if hit.ranged else year_rule
        return Unparsed() if day_first is None else Parsed(day_first, ambiguous=rule is not None, rule=rule)
    month_first = _calendar(hit.year, hit.first, hit.second)
    valid = {value for value in (day_first, month_first) if value is not None}
    if not valid:
        return Unparsed()
    if len(valid) == 1:
        return Parsed(valid.pop(), ambiguous=hit.pivoted, rule=year_rule)
    if date_order is not None:
        return Parsed(month_first if date_order == "MDY" else day_first, ambiguous=True, rule="date_order")
    return Parsed(day_first, ambiguous=True, rule="day_first") if hit.kind == "dotted" else Unparsed(ambiguous=True)


def find_dates(text: str) -> list[Span]:
    """Candidate spans of full dates in document order; a date after a weekday is offered with and without it."""
    spans: set[Span] = set()
    for hit in scan_dates(text):
        spans.add((hit.start, hit.end))
        spans.add((weekday_start(text, hit.start), hit.end))
    return sorted(spans)


def lead_end(text: str) -> int:
    """Length of the words that may stand before a date inside its span (``on``, ``the``, a weekday)."""
    match = _LEAD.match(text)
    return match.end() if match is not None else 0


def opens(text: str, start: int) -> bool:
    """Whether nothing but a weekday and small words stands before ``start``."""
    begin = weekday_start(text, start)
    lead = lead_end(text)
    return begin <= lead or start <= lead


def skip_join(text: str, end: int) -> int:
    """The place after the punctuation and words that join a date and its time."""
    match = _JOIN.match(text, end)
    return match.end() if match is not None else end


def parse_date(text: str, *, date_order: str | None = None) -> Parsed | Unparsed:
    """The ISO 8601 date of a text that is one date, perhaps with a weekday before and a time behind. Never raises
    on any text; ValueError for an unknown ``date_order``."""
    stripped = text.strip()
    if not stripped or len(stripped) > _MAX_CHARS:
        return Unparsed()
    for hit in scan_dates(stripped):
        if opens(stripped, hit.start) and _closes(stripped, hit):
            return resolve(hit, date_order)
    return Unparsed()


def _closes(text: str, hit: DateHit) -> bool:
    tail = text[hit.end :].strip(" .,;)")
    if not tail:
        return True
    if text[hit.end] in "Tt":
        clock = read_clock(text, hit.end + 1, glued_minus=True)
    else:
        clock = read_clock(text, skip_join(text, hit.end), glued_minus=True)
    return clock is not None and not text[clock.end :].strip(" .,;)")
