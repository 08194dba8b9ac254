"""Times of day and offsets from UTC, as written beside a date. Knows no dates."""

from __future__ import annotations

import re
from dataclasses import dataclass

ZONES: dict[str, int] = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 60, "BST": 60, "IST": 330, "CET": 60, "CEST": 120, "MEZ": 60,
    "MESZ": 120, "EET": 120, "EEST": 180, "MSK": 180, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300,
    "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540, "AKDT": -480, "HST": -600, "JST": 540,
    "KST": 540, "SGT": 480, "HKT": 480, "AWST": 480, "ACST": 570, "ACDT": 630, "AEST": 600, "AEDT": 660,
    "NZST": 720, "NZDT": 780, "SAST": 120, "PKT": 300, "WIB": 420, "BRT": -180, "NST": -210, "NDT": -150,
    "AST": -240, "ADT": -180, "EAT": 180, "WAT": 60, "CAT": 120, "GST": 240, "PHT": 480,
}  # fmt: skip
"""Minutes east of UTC of the zone names that fix an offset."""

SHARED_ZONES = frozenset({"IST", "BST", "CST", "AST", "GST", "PST", "WAT"})
"""Names that stand for more than one offset in use; the reading says that it chose one."""

_GAP = r"[ \u00a0\u202f]?"
_HOURS_EAST = r"[+\-\u2212](?:0?\d|1[0-4])(?::?[0-5]\d)?"
_LOCAL = r"(?:,?[ \u00a0](?:local time|Ortszeit|heure locale))?"
_OFFSET = (
    r"(?P<offset>"
    r"(?P<glued>[+\-\u2212](?:0\d|1[0-4])(?::?[0-5]\d)?)(?![\d:])"
    rf"|[ \u00a0]\(?(?:(?:UTC|GMT){_GAP})?(?P<apart>{_HOURS_EAST})(?![\d:.])\)?"
    rf"|{_LOCAL},?[ \u00a0]?\(?(?:(?:local|your|our) time,? )?(?:UTC|GMT)(?P<named>{_GAP}{_HOURS_EAST})(?![\d:.])\)?"
    rf"|[ \u00a0]?\(?(?P<zone>{'|'.join(sorted(ZONES, key=len, reverse=True))}|z)(?!\w)\)?"
    r")"
)
_HOUR = r"(?:[01]?\d|2[0-3])"
_MINUTE = r"[0-5]\d"
_FRACTION = r"(?:\.\d{1,9}|,\d{3}(?:\d{3})?(?!\d))"
_WORD = r"(?:Uhr|[Hh]rs?|[Hh]|o'clock)(?!\w)\.?"
_SPACE = r"[ \u00a0\u202f]?"


def _half(name: str) -> str:
    return rf"(?:{_SPACE}(?P<{name}>[AaPp])(?:\.[ ]?[Mm]\.|\.?[Mm](?!\w)))"


_FORMS = (
    # 14:05, 14:05:09.123, 2:05 pm, 14:05 Uhr
    rf"(?P<h_colon>{_HOUR}):(?P<m_colon>{_MINUTE})(?::(?P<second>{_MINUTE})(?P<fraction>{_FRACTION})?)?(?![\d:])"
    rf"{_half('half_colon')}?(?:[ \u00a0]{_WORD})?",
    # 17h30, 17 Uhr 30
    rf"(?P<h_letter>{_HOUR}){_GAP}(?:[hH]|Uhr){_GAP}(?P<m_letter>{_MINUTE})(?!\w)",
    # 2.30 pm
    rf"(?P<h_half>{_HOUR})\.(?P<m_half>{_MINUTE})(?![\d.]){_half('half_point')}",
    # 2 pm
    rf"(?P<h_bare>1[0-2]|0?[1-9]){_half('half_bare')}",
    # 1405, 140509, 0900 hrs
    rf"(?P<h_packed>[01]\d|2[0-3])(?P<m_packed>{_MINUTE})(?P<s_packed>{_MINUTE})?(?:{_SPACE}{_WORD})?"
    r"(?=$|[^\d.,]|[.,](?!\d))(?![^\W\d_Z])",
    # 17h, 17 Uhr, 5 o'clock
    rf"(?P<h_word>{_HOUR}){_GAP}(?:h|Uhr|o'clock)(?!\w)",
    # 14.05, 14.05 Uhr
    rf"(?P<h_point>{_HOUR})\.(?P<m_point>{_MINUTE})(?![\d.])(?:[ \u00a0]{_WORD})?",
    r"(?P<noon>(?:12 )?noon)(?!\w)",
)
TIME = re.compile(rf"(?:{'|'.join(f'(?:{form})' for form in _FORMS)})(?:{_OFFSET})?")
_HOUR_GROUPS = ("h_colon", "h_letter", "h_half", "h_bare", "h_packed", "h_word", "h_point")
_MINUTE_GROUPS = ("m_colon", "m_letter", "m_half", "m_packed", "m_point")
_HALF_GROUPS = ("half_colon", "half_point", "half_bare")


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. ``offset`` is RFC 3339 text (``Z``, ``+02:00``) or None when none is written."""

    text: str
    offset: str | None
    end: int
    shared_zone: bool = False


def offset_text(minutes: int) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _written_offset(raw: str) -> str | None:
    body = raw.strip(" \u00a0\u202f").replace("\u2212", "-")
    digits = body[1:].replace(":", "")
    digits = digits.zfill(2) if len(digits) <= 2 else digits.zfill(4)
    hour, minute = int(digits[:2]), int(digits[2:] or 0)
    if hour > 14 or (hour == 14 and minute):
        return None
    return f"{body[0]}{hour:02d}:{minute:02d}"


def _offset(match: re.Match[str], glued_minus: bool) -> tuple[str | None, int, bool]:
    """Offset text, end of the match without an offset that is none, and whether the zone name is shared."""
    if match["offset"] is None:
        return None, match.end(), False
    if match["zone"]:
        name = match["zone"].upper()
        return ("Z" if name in ("Z", "UTC", "GMT") else offset_text(ZONES[name])), match.end(), name in SHARED_ZONES
    raw = match["glued"] or match["apart"] or match["named"]
    is_range = match["glued"] is not None and raw[0] != "+" and not glued_minus and match["second"] is None
    text = None if is_range else _written_offset(raw)
    return (text, match.start("offset"), False) if text is None else (text, match.end(), False)


def _closed(source: str, end: int, start: int) -> int:
    """Take a closing parenthesis only with its opening one."""
    if source[end - 1 : end] == ")" and "(" not in source[start:end]:
        return end - 1
    return end


def _first(match: re.Match[str], names: tuple[str, ...]) -> str:
    return next((match[name] for name in names if match[name]), "")


def read_clock(text: str, start: int, *, glued_minus: bool = False) -> Clock | None:
    """The time of day that begins at ``start``, with its offset; None when there is none.

    ``glued_minus`` allows a minus offset straight after ``HH:MM`` (as in ISO 8601 ``T`` forms); elsewhere
    ``14:00-16:00`` is a stretch of time.
    """
    match = TIME.match(text, start)
    if match is None:
        return None
    offset, end, shared = _offset(match, glued_minus)
    if match["noon"]:
        return Clock("12:00:00", offset, _closed(text, end, start), shared)
    hour = int(_first(match, _HOUR_GROUPS))
    minute = int(_first(match, _MINUTE_GROUPS) or 0)
    second = int(match["second"] or match["s_packed"] or 0)
    half = _first(match, _HALF_GROUPS).lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    fraction = (match["fraction"] or "").replace(",", ".")
    return Clock(f"{hour:02d}:{minute:02d}:{second:02d}{fraction}", offset, _closed(text, end, start), shared)
