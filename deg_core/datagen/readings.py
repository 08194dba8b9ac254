"""What a marked piece of text reads as when its field is typed: the contract's own finders and parsers decide."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from deg_core.contract.parsers import Parsed, find_dates, find_emails, find_numbers, find_uris, parse_date, parse_number

Span = tuple[int, int]
# A typed reading of a small part of the marked text ("the 3rd of" in a long phrase) would not be what was marked.
_LEAST_SHARE = {"date": 0.6, "email": 0.7, "uri": 0.8, "integer": 0.0, "number": 0.0}


def read_typed(context: str, span: Span, kind: str) -> tuple[Any, Span] | None:
    """``(value, span)`` of ``kind`` (integer, number, date, email, uri) inside ``span`` of ``context``.

    The span given back is one of the candidates that the extractor scores, so the value can be reached. None when
    nothing in the marked text reads as the kind, when two things in it do ("5 adults and 1 child"), or when a reading
    is a matter of convention.
    """
    readings: dict[Span, Any] = {}
    for start, end in candidates(context, kind):
        if span[0] <= start and end <= span[1]:
            value = _read(context[start:end], kind)
            if value is not None:
                readings[start, end] = value
    if not readings or len(set(readings.values())) != 1:
        return None
    place = max(readings, key=lambda item: (item[1] - item[0], -item[0]))
    if (place[1] - place[0]) < _LEAST_SHARE[kind] * (span[1] - span[0]):
        return None
    return readings[place], place


@lru_cache(maxsize=32)
def candidates(context: str, kind: str) -> tuple[Span, ...]:
    """The spans of ``context`` that the extractor scores for ``kind``; none for a kind that is copied as it stands."""
    match kind:
        case "integer" | "number":
            return tuple(find_numbers(context))
        case "date":
            return tuple(find_dates(context))
        case "email":
            return tuple(find_emails(context))
        case "uri":
            return tuple(find_uris(context))
        case _:
            return ()


def _read(text: str, kind: str) -> Any:
    if kind in ("email", "uri"):
        return text
    parsed = parse_date(text) if kind == "date" else parse_number(text, integer=kind == "integer")
    if not isinstance(parsed, Parsed) or parsed.ambiguous:
        return None
    value = parsed.value
    if kind == "integer" and isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value
