"""Deterministic parsers: where typed values may stand in a text, and what a span says.

Pure functions of their arguments: no clock, no locale, no randomness, no model. They copy and normalise; a digit or a
date that is not written is never made up. ``find_*`` give candidate spans, ``parse_*`` read one span, ``candidates``
and ``read_span`` do both for a field of the plan.
"""

from deg_core.contract.parsers.date import find_dates, parse_date
from deg_core.contract.parsers.decimals import decimal_mark
from deg_core.contract.parsers.format import check_format, find_emails, find_uris, find_uuids
from deg_core.contract.parsers.moment import find_datetimes, parse_datetime
from deg_core.contract.parsers.number import find_numbers, parse_number
from deg_core.contract.parsers.reading import Reading, candidates, read_span, violated
from deg_core.contract.parsers.result import Parsed, Unparsed
from deg_core.contract.parsers.span import trim_span

__all__ = [
    "Parsed",
    "Reading",
    "Unparsed",
    "candidates",
    "check_format",
    "decimal_mark",
    "find_dates",
    "find_datetimes",
    "find_emails",
    "find_numbers",
    "find_uris",
    "find_uuids",
    "parse_date",
    "parse_datetime",
    "parse_number",
    "read_span",
    "trim_span",
    "violated",
]
