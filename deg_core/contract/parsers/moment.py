"""Dates with a time of day: candidate spans, and the RFC 3339 date-time of a span (SPEC 3, 9).

A date without a time is no date-time: the time would be made up. A time before its date (``14:05 on 3 May 2026``) is
read too. Without a written offset the caller's default is used and the reading says so. Zone names that fix an offset
(``UTC``, ``CET``, ``EST``) are read; names that several zones share (``IST``, ``CST``, ``BST``) are marked ambiguous.
"""

from __future__ import annotations

import re
from dataclasses import replace

from deg_core.contract.parsers.clock import Clock, read_clock
from deg_core.contract.parsers.date import DateHit, opens, resolve, scan_dates, skip_join, weekday_start
from deg_core.contract.parsers.result import Parsed, Span, Unparsed

_OFFSET = re.compile(r"Z|[+-](?:[01]\d|2[0-3]):[0-5]\d")
_TIME_START = re.compile(r"(?<![\w.,:/\u2013-])\d{1,2}")
_JOIN_BEFORE = re.compile(
    r"(?:[^\S\n](?:on|am|le|el|op)[^\S\n]|,[^\S\n](?:on[^\S\n])?|[^\S\n]{1,2}|[^\S\n]?[/|][^\S\n]?)(?:the[^\S\n])?",
    re.IGNORECASE,
)
_CLEARLY_TIME = re.compile(r":|[hm]|Uhr", re.IGNORECASE)
_SERVER_LOG = re.compile(r":\d\d:\d\d:\d\d(?!\d)")  # 27/Nov/2026:06:41:09 +0000
_MAX_CHARS = 200


def _after(text: str, hit: DateHit) -> Clock | None:
    if hit.clock is not None:
        inner = read_clock(text, hit.clock)
        return None if inner is None else replace(inner, end=hit.end)
    if text[hit.end : hit.end + 1] in ("T", "t"):
        return read_clock(text, hit.end + 1, glued_minus=True)
    if _SERVER_LOG.match(text, hit.end):
        return read_clock(text, hit.end + 1)
    start = skip_join(text, hit.end)
    return read_clock(text, start) if start > hit.end else None


def _before(text: str, start: int) -> tuple[int, Clock] | None:
    """A time of day that ends just before ``start`` and cannot be a plain number."""
    for match in _TIME_START.finditer(text, max(0, start - 40), start):
        clock = read_clock(text, match.start())
        if clock is None or not _JOIN_BEFORE.fullmatch(text, clock.end, start):
            continue
        if _CLEARLY_TIME.search(text, match.start(), clock.end):
            return match.start(), clock
    return None


def _moments(text: str) -> list[tuple[int, int, DateHit, Clock]]:
    """``(start, end, date, time)`` of every date-time; the start leaves out a weekday before the date."""
    found = []
    for hit in scan_dates(text):
        if hit.ranged:
            continue
        clock = _after(text, hit)
        if clock is not None:
            found.append((hit.start, clock.end, hit, clock))
            continue
        before = _before(text, weekday_start(text, hit.start))
        if before is not None:
            found.append((before[0], hit.end, hit, before[1]))
    return found


def find_datetimes(text: str) -> list[Span]:
    """Candidate spans of dates with a time, in document order; offered with and without a weekday before."""
    spans: set[Span] = set()
    for start, end, hit, _ in _moments(text):
        spans.add((start, end))
        if start == hit.start:
            spans.add((weekday_start(text, start), end))
    return sorted(spans)


def parse_datetime(text: str, *, date_order: str | None = None, default_offset: str = "Z") -> Parsed | Unparsed:
    """The RFC 3339 date-time of a text that is one date with a time. Never raises on any text; ValueError for an
    unknown ``date_order`` or a ``default_offset`` that is not ``Z`` or ``+HH:MM``. Rules: those of
    :func:`deg_core.contract.parsers.date.resolve`, and ``zone_name``."""
    if _OFFSET.fullmatch(default_offset) is None:
        raise ValueError(f"default_offset: {default_offset!r} is neither 'Z' nor an offset such as '+02:00'")
    stripped = text.strip()
    if not stripped or len(stripped) > _MAX_CHARS:
        return Unparsed()
    for start, end, hit, clock in _moments(stripped):
        if not opens(stripped, start) or stripped[end:].strip(" .,;"):
            continue
        date = resolve(hit, date_order)
        if isinstance(date, Unparsed):
            return date
        offset = clock.offset or default_offset
        return Parsed(
            f"{date.value}T{clock.text}{offset}",
            assumed_offset=clock.offset is None,
            ambiguous=date.ambiguous or clock.shared_zone,
            rule=date.rule or ("zone_name" if clock.shared_zone else None),
        )
    return Unparsed()
