"""Numbers as people write them: candidate spans in a text, and the value of a span (SPEC 3, 12.3).

A candidate is the numeral with its sign; where a currency, a percent sign or a multiplier word stands next to it, the
longer spans are candidates too, so that both ``1,500.00`` and ``-£1,500.00`` can be pointed at. Digits inside a word
(``A7``, ``8f2``) are no candidates; digits between non-word characters are (``INV-2041`` offers 2041), and so are
digits directly followed by a unit (``4.2kg``) or after the letter of ``x4``, ``R16`` and ``v9``. ``1.5 million``
offers 1.5 and, as a longer span, 1500000; ``14 920`` offers the whole and both parts, since a space may also separate.
"""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from deg_core.contract.jsonvalue import MAX_DIGITS as _MOST_DIGITS
from deg_core.contract.parsers.money import GAP as _GAP
from deg_core.contract.parsers.money import MONEY_AFTER as _MONEY_AFTER
from deg_core.contract.parsers.money import MONEY_BEFORE as _MONEY_BEFORE
from deg_core.contract.parsers.money import MONEY_SIGNS as _SIGNS_OF_MONEY
from deg_core.contract.parsers.number_words import find_number_words, parse_number_words
from deg_core.contract.parsers.numeral import DECIMAL_ONLY, MAX_DIGITS, RUN, Numeral, interpret, numerals
from deg_core.contract.parsers.result import Parsed, Span, Unparsed

_MULTIPLIERS: dict[str, int] = {
    **dict.fromkeys(("k", "thousand", "tsd", "mille", "mil"), 10**3),
    **dict.fromkeys(("m", "mn", "mln", "mio", "million", "millions", "millionen", "milliones", "millones"), 10**6),
    **dict.fromkeys(("bn", "billion", "billions", "mrd", "milliarden", "milliard", "milliards"), 10**9),
    **dict.fromkeys(("tn", "trn", "trillion", "trillions"), 10**12),
    **dict.fromkeys(("lakh", "lakhs", "lac", "lacs"), 10**5),
    **dict.fromkeys(("crore", "crores"), 10**7),
    **dict.fromkeys(("hundred",), 100),
    **dict.fromkeys(("dozen",), 12),
}
_MONEY_ONLY = frozenset({"m", "mil", "mille", "tn", "mn"})
"""Multipliers that are something else without a currency: ``64m`` is a length, ``£64m`` an amount."""
_MULTIPLIER = (
    r"(?:(?:thousand|hundred|dozen|millions?|millionen|millones|milliones|billions?|trillions?|milliarden|milliards?|"
    r"mille|mil|lakhs?|lacs?|crores?|bn|trn|tn|mln|mio|mn|mrd|tsd)(?!\w)\.?|[km](?!\w))"
)

_VULGAR = "\u00bc-\u00be\u2150-\u215f\u2189"
_POWERS = "\u2070\u00b9\u00b2\u00b3\u2074-\u207b"
_LETTER = rf"[^\W\d_{_VULGAR}{_POWERS}]"
_NO_SPACE_SCRIPTS = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_MINUS = "-\u2212\ufe63\uff0d"
_MINUS_CLASS = re.escape(_MINUS)
_RANGE_DASH = "\u2013\u2014"

_LEFT_OK = re.compile(rf"[\W{_NO_SPACE_SCRIPTS}]")
_RIGHT_OK = re.compile(
    rf"(?![\w{_POWERS}])|[{_NO_SPACE_SCRIPTS}]|[xX\u00d7](?=\d)|[eE](?=[+-]?\d{{1,3}}(?!\w))|{_LETTER}{{1,14}}[\u00b2\u00b3]?(?!\w)"
)
_MONEY_SIGN = re.compile(rf"[{_SIGNS_OF_MONEY}]")
_MINUS_WORD = re.compile(r"(?<!\w)minus $", re.IGNORECASE)
_MINUS_LEAD = re.compile(rf"(?:minus\s|[{_MINUS_CLASS}])\s?", re.IGNORECASE)
_CENTS = re.compile(r"[.,]\d\d$")
_AMOUNT = re.compile(
    rf"\d{{1,3}}(?:[,.' ]\d{{3}})+(?!\d)|\d+[.,]\d\d(?!\d)|\d+(?:[.,]\d+)?{_GAP}{_MULTIPLIER}", re.IGNORECASE
)
_EXPONENT = (
    rf"(?:[eE][+{_MINUS_CLASS}]?\d{{1,3}}(?!\w)|{_GAP}[x\u00d7\u00b7*]{_GAP}10"
    rf"(?:\^[+{_MINUS_CLASS}]?\d{{1,3}}(?!\w)|[{_POWERS}]{{1,4}}))"
)
_EXPONENT_AT = re.compile(_EXPONENT)
_MONEY_LEFT_AT = re.compile(rf"{_MONEY_BEFORE}{_GAP}$")
_MONEY_LEFT_LAST = re.compile(rf"[\w.{_SIGNS_OF_MONEY}]$")
_RIGHT_AT = re.compile(
    rf"(?:(?P<percent>{_GAP}[%\u2030\u066a])|(?P<multiplier>{_GAP}{_MULTIPLIER})?(?P<money>{_GAP}{_MONEY_AFTER})?)",
    re.IGNORECASE,
)
_APART = "[ \u00a0\u2009\u202f-]"  # 1 1/2, 1-1/2; without it 10/2 would be 1 and 0/2
_SLASH = r"[/\u2044]"
_MIXED = re.compile(
    rf"(?<!\w)(?<!\d[.,])(?:\d{{1,4}}{_GAP})?[{_VULGAR}]"
    rf"|(?<!\w)(?<!\d[.,/\u2044])(?:\d{{1,4}}{_APART})?(?<![\w/\u2044])\d{{1,3}}{_SLASH}(?!0+(?!\d))\d{{1,3}}(?![/\u2044\d])(?![.,]\d)"
)


def find_numbers(text: str) -> list[Span]:
    """Candidate spans in document order (by start, then end), without repeats. Linear in the length of the text."""
    spans: set[Span] = set()
    for start, end in find_number_words(text):
        spans.add((start, end))
        if word := _MINUS_WORD.search(text, max(0, start - 7), start):
            spans.add((word.start(), end))
    for match in _MIXED.finditer(text):
        if _RIGHT_OK.match(text, match.end()):
            spans.update(_with_sign(text, match.start(), match.end()))
    for run in RUN.finditer(text):
        a, b = run.span()
        for start, end in numerals(text, a, b):
            if (start > a or _left_boundary(text, start)) and (end < b or _RIGHT_OK.match(text, end)):
                spans.update(_variants(text, start, end, first=start == a))
    return sorted(spans)


def _left_boundary(text: str, start: int) -> bool:
    """Whether a numeral may begin here: after a non-word character, a currency code, the x of ``3x4``, the R of a rim
    size (``R16``) or the v of a version (``v9``)."""
    if start == 0 or _LEFT_OK.match(text, start - 1):
        return True
    if text[start - 1] in "xX\u00d7":
        return start == 1 or text[start - 2].isdecimal() or bool(_LEFT_OK.match(text, start - 2))
    if text[start - 1] in "RvV" and (start == 1 or _LEFT_OK.match(text, start - 2)):
        return True
    money = _MONEY_LEFT_AT.search(text, max(0, start - 6), start) if text[start - 1].isalpha() else None
    # One letter may be a currency (N12 billion) or the head of a code (N64).
    return money is not None and (money.end() - money.start() > 1 or _AMOUNT.match(text, start) is not None)


def _sign_start(text: str, start: int) -> int:
    """Where the sign in front of ``start`` begins, or ``start`` when there is none."""
    if start == 0:
        return start
    sign, before = text[start - 1], text[start - 2 : start - 1] if start > 1 else ""
    if sign == " " and before in "sS" and (word := _MINUS_WORD.search(text, max(0, start - 7), start)):
        return word.start()
    if sign in "+" + _MINUS:
        return start if before.isalnum() or (before and before in "_).%+" + _MINUS) else start - 1
    if sign in _RANGE_DASH:
        opens = not before or (before in ' \t\n\u00a0(|;:"' and not _range(text, start))
        return start - 1 if opens else start
    return start


def _range(text: str, start: int) -> bool:
    """Whether a dash just before ``start`` follows a number (``10 \u201315``)."""
    before = text[max(0, start - 8) : start - 1].rstrip(" \u00a0")
    return before[-1:].isdecimal() or before[-1:] in "%)"


def _with_sign(text: str, start: int, end: int) -> list[Span]:
    signed = _sign_start(text, start)
    return [(start, end)] if signed == start else [(signed, end), (start, end)]


def _leading_mark(text: str, start: int, end: int) -> list[int]:
    """Starts of the numeral with and without a bare decimal mark (``.10``, ``,89``)."""
    if start == 0 or text[start - 1] not in ".," + DECIMAL_ONLY or not text[start:end].isdecimal():
        return [start]
    before = text[start - 2 : start - 1] if start > 1 else ""
    if before and not (
        before.isspace() or before in "([|;=~\"'+" + _MINUS or re.match(rf"[{_SIGNS_OF_MONEY}]", before)
    ):
        return [start]
    return [start - 1] if text[start - 1] != "," else [start - 1, start]


def _variants(text: str, start: int, end: int, *, first: bool) -> list[Span]:
    """The numeral alone, signed, with its currency, percent sign, exponent and multiplier."""
    begins = _leading_mark(text, start, end) if first else [start]
    power = _EXPONENT_AT.match(text, end)
    if power is not None:
        end = power.end()
    spans: list[Span] = []
    for begin in begins:
        lefts, monied = [begin], list[int]()
        signed = _sign_start(text, begin)
        if signed != begin:
            lefts.append(signed)
        near = text[signed - 1] if signed else ""
        if near in " \u00a0\u2009\u202f" and signed > 1:
            near = text[signed - 2]
        if near and _MONEY_LEFT_LAST.match(near):
            money = _MONEY_LEFT_AT.search(text, max(0, signed - 6), signed)
            if money is not None:
                monied = [money.start(), _sign_start(text, money.start())]
                lefts += monied
        rights, scaled_money = _rights(text, end)
        spans += [(left, right) for left in lefts for right in rights]
        if scaled_money is not None:
            spans += [(left, scaled_money) for left in monied]
    return spans + _accounting(text, spans)


def _rights(text: str, end: int) -> tuple[list[int], int | None]:
    """Ends of the numeral, alone and after each sign or word that belongs to it; and the end of a multiplier that
    is one only with a currency in front (``64m``)."""
    match = _RIGHT_AT.match(text, end)
    if match is None or match.end() == end:
        return [end], None
    ends = [end]
    multiplier = match["multiplier"]
    if multiplier is not None:
        word = multiplier.strip(" \u00a0\u2009\u202f.").lower()
        after = match.end("multiplier") - (multiplier[-1] == ".")
        if word in _MONEY_ONLY and not match["money"]:
            return ends, after
        if word == "k" and multiplier[0].isspace():
            return ends, None
        if word not in _MONEY_ONLY:
            ends.append(after)
    if match["percent"] or match["money"]:
        ends.append(match.end())
    return ends, None


def _accounting(text: str, spans: list[Span]) -> list[Span]:
    """Amounts in parentheses or with a minus behind, both negative: ``(1,234.50)``, ``1,234.50-``."""
    extra = []
    for a, b in spans:
        after = text[b : b + 1]
        if a and after == ")" and text[a - 1] == "(" and re.search(rf"\d[.,' ]\d|[{_SIGNS_OF_MONEY}]", text[a:b]):
            extra.append((a - 1, b + 1))
        elif after and after in _MINUS and _CENTS.search(text[a:b]) and not text[b + 1 : b + 2].strip():
            extra.append((a, b + 1))
    return extra


_SIGN = rf"(?:[+{_MINUS_CLASS}{_RANGE_DASH}]|[Mm](?:inus|INUS)\s)"
_NUMBER = re.compile(
    rf"[~\u2248<>\u2264\u2265#@]?\s?(?P<sign1>{_SIGN})?\s?(?P<money>{_MONEY_BEFORE})?\s?(?P<sign2>{_SIGN})?\s?"
    rf"(?:(?:(?P<mixed>\d{{1,4}}{_GAP})?(?P<vulgar>[{_VULGAR}])"
    rf"|(?P<whole>\d{{1,4}}{_APART})?(?P<top>\d{{1,3}}){_SLASH}(?P<bottom>\d{{1,3}}))"
    rf"|(?P<run>[.,{DECIMAL_ONLY}]?{RUN.pattern})(?P<exponent>{_EXPONENT})?)"
    rf"(?P<rest>[^\d]{{0,40}})"
)
_REST_MULTIPLIER = re.compile(rf"{_GAP}(?P<word>{_MULTIPLIER})(?P<after>.*)", re.IGNORECASE | re.DOTALL)
_TRAILING_MINUS = tuple(_MINUS)
_HAS_MONEY = re.compile(_MONEY_AFTER)
_BAD_REST = re.compile(rf"[^\W\d_]{{15}}|^[.,]?[{_POWERS}]")


def parse_number(text: str, *, decimal: str | None = None, integer: bool = False) -> Parsed | Unparsed:
    """The value of one written number, with its sign, currency, unit and multiplier read or set aside. Never raises.

    ``decimal`` is the decimal mark of the document (``decimals.decimal_mark``), ``integer`` says that only a whole
    value can be right; both only choose between readings that are valid. Rules: those of
    :func:`deg_core.contract.parsers.numeral.interpret`, and ``multiplier``, ``fraction``, ``words``, ``parentheses``.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > 400:
        return Unparsed()
    minus = _MINUS_LEAD.match(stripped)
    words = parse_number_words(stripped[minus.end() :] if minus else stripped)
    if words is not None:
        return Parsed(_plain(-words if minus else words), rule="words")
    wrapped = stripped[0] == "(" and stripped[-1] == ")"
    body = stripped[1:-1].strip() if wrapped else stripped
    match = _NUMBER.fullmatch(body)
    if match is None or _BAD_REST.search(match["rest"]):
        return Unparsed()
    read = _fraction(match) if match["run"] is None else _decimal(match, decimal, integer)
    return Unparsed() if read is None else _signed(read, match, wrapped, integer)


_Read = tuple[Fraction, bool, str | None, bool]
"""Value, whether it is written as an integer, the rule, and whether another convention reads it differently."""


def _fraction(match: re.Match[str]) -> _Read | None:
    before = (match["mixed"] or match["whole"] or "0").strip("-\u00a0 \u2009\u202f")
    whole = Fraction(int(before))
    if match["vulgar"]:
        part = Fraction(unicodedata.numeric(match["vulgar"])).limit_denominator(1000)
        return whole + part, False, "fraction", False
    top, bottom = int(match["top"]), int(match["bottom"])
    if bottom == 0 or (match["whole"] and top >= bottom):
        return None
    return whole + Fraction(top, bottom), False, "fraction", False


def _exponent(text: str) -> int:
    digits = unicodedata.normalize("NFKC", text.split("10", 1)[1] if "10" in text and text[0] not in "eE" else text[1:])
    return int(re.sub(rf"[{_MINUS_CLASS}]", "-", digits.lstrip("^")))


def _decimal(match: re.Match[str], mark: str | None, integer: bool) -> _Read | None:
    numeral: Numeral | None = interpret(match["run"], decimal=mark, integer=integer)
    if numeral is None:
        return None
    written = numeral.fraction is None
    value = Decimal(numeral.whole + ("" if written else f".{numeral.fraction}"))
    if match["exponent"]:
        power = _exponent(match["exponent"])
        try:
            value, written = value.scaleb(power), written and power >= 0
        except InvalidOperation:
            return None
    return Fraction(value), written, numeral.rule, numeral.ambiguous


def _signed(read: _Read, match: re.Match[str], wrapped: bool, integer: bool) -> Parsed | Unparsed:
    value, written, rule, ambiguous = read
    rest = match["rest"]
    scale = _REST_MULTIPLIER.match(rest)
    if scale is not None:
        word = scale["word"].strip(".").lower()
        money = match["money"] or _HAS_MONEY.match(scale["after"].strip())
        if (word not in _MONEY_ONLY or money) and not (word == "k" and rest[0].isspace()):
            value *= _MULTIPLIERS[word]
            written, rule = value.denominator == 1, "multiplier"
    signs = [sign for sign in (match["sign1"], match["sign2"]) if sign]
    trailing = not signs and rest in _TRAILING_MINUS and match["run"] is not None and _CENTS.search(match["run"])
    if len(signs) > 1:
        return Unparsed()
    if (signs and signs[0] != "+") or trailing or (wrapped and not signs):
        value = -value
        rule = rule or ("parentheses" if wrapped else None)
    return _as_json(value, written, integer, ambiguous, rule)


def _as_json(value: Fraction, written: bool, integer: bool, ambiguous: bool, rule: str | None) -> Parsed | Unparsed:
    if value.denominator == 1 and (integer or (written and abs(value) < 10**MAX_DIGITS)):
        # Not through a float, whose integer shows digits that nobody wrote (1.1e30).
        small = abs(value) < 10**_MOST_DIGITS
        return Parsed(int(value), ambiguous=ambiguous, rule=rule) if small else Unparsed()
    try:
        number = value.numerator / value.denominator
    except OverflowError:
        return Unparsed()
    # A number too small for a double would read as zero.
    readable = math.isfinite(number) and bool(number) == bool(value)
    return Parsed(number, ambiguous=ambiguous, rule=rule) if readable else Unparsed()


def _plain(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)
