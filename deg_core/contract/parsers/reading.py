"""From a field and a text to candidate spans, and from a span to a value that meets the field's constraints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from deg_core.contract.parsers.date import find_dates, parse_date
from deg_core.contract.parsers.format import check_format, find_emails, find_uris, find_uuids
from deg_core.contract.parsers.moment import find_datetimes, parse_datetime
from deg_core.contract.parsers.number import find_numbers, parse_number
from deg_core.contract.parsers.result import Parsed, Span, Unparsed
from deg_core.contract.plan import FieldPlan, JSONValue, Mode

_FINDERS = {
    "date": find_dates,
    "date-time": find_datetimes,
    "email": find_emails,
    "uri": find_uris,
    "uuid": find_uuids,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a span says for a field.

    ``value`` is None exactly when ``null_reason`` is set: ``unparsable``, or the name of the violated keyword.
    """

    value: object | None
    null_reason: str | None
    assumed_offset: bool = False
    ambiguous: bool = False
    rule: str | None = None


def candidates(field: FieldPlan, text: str) -> list[Span] | None:
    """Candidate spans of a typed extract field in document order; None for a plain string, where any span may be.

    ValueError for a field that is not extracted.
    """
    if not field.mode.extracts:
        raise ValueError(f"{field.pointer or '(root)'}: candidates are for extract fields, not {field.mode.value}")
    if field.mode is Mode.NUMBER:
        return find_numbers(text)
    return _FINDERS[field.format](text) if field.format is not None else None


def read_span(
    field: FieldPlan,
    text_of_span: str,
    *,
    date_order: str | None = None,
    default_offset: str = "Z",
    decimal: str | None = None,
) -> Reading:
    """The value of a span for a field: parsed by the field's type, then held against its constraints (SPEC 4).

    ``decimal`` is the document's decimal mark (:func:`deg_core.contract.parsers.decimals.decimal_mark`) or None.
    """
    integer = field.json_type == "integer"
    if field.mode is Mode.NUMBER:
        parsed = parse_number(text_of_span, decimal=decimal, integer=integer)
    elif field.format == "date":
        parsed = parse_date(text_of_span, date_order=date_order)
    elif field.format == "date-time":
        parsed = parse_datetime(text_of_span, date_order=date_order, default_offset=default_offset)
    else:
        parsed = Parsed(text_of_span)
    if isinstance(parsed, Unparsed):
        return Reading(None, parsed.reason, ambiguous=parsed.ambiguous)
    if integer and isinstance(parsed.value, float):
        if not parsed.value.is_integer():
            return Reading(None, "type", ambiguous=parsed.ambiguous, rule=parsed.rule)
        parsed = replace(parsed, value=int(parsed.value))
    reason = violated(field, parsed.value)
    value = parsed.value if reason is None else None
    return Reading(value, reason, parsed.assumed_offset and reason is None, parsed.ambiguous, parsed.rule)


def _number_breaks(keyword: str, limit: JSONValue, value: int | float) -> bool:
    if keyword == "minimum":
        return bool(value < limit)
    if keyword == "maximum":
        return bool(value > limit)
    if keyword == "exclusiveMinimum":
        return bool(value <= limit)
    if keyword == "exclusiveMaximum":
        return bool(value >= limit)
    if keyword == "multipleOf":
        return (Fraction(Decimal(str(value))) / Fraction(Decimal(str(limit)))).denominator != 1
    return False


def _string_breaks(keyword: str, limit: JSONValue, value: str) -> bool:
    if keyword == "minLength":
        return bool(len(value) < limit)
    if keyword == "maxLength":
        return bool(len(value) > limit)
    if keyword == "pattern":
        # The dialect and the time limit of the final check, so that a value taken here is never refused there; the
        # regex engine is loaded only for schemas that use it.
        from deg_core.contract.patterns import compile_pattern

        try:
            return not compile_pattern(limit).found_in(value)
        except TimeoutError:
            return True
    return False


def violated(field: FieldPlan, value: object) -> str | None:
    """The first constraint keyword that a value breaks, or None. ``format`` is checked first.

    Lengths count code points, multiples are exact in decimal. A pattern (`deg_core.contract.patterns`) is searched; one
    that takes too long on the value counts as violated.
    """
    if isinstance(value, str):
        if field.format is not None and not check_format(field.format, value):
            return "format"
        return next((name for name, limit in field.constraints if _string_breaks(name, limit, value)), None)
    if isinstance(value, int | float):
        return next((name for name, limit in field.constraints if _number_breaks(name, limit, value)), None)
    return None
