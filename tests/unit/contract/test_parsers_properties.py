"""What holds for every text: parsers never raise, finders give real spans, rendering and reading are inverse, time is
linear in the length."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deg_core.contract import parsers as p

FINDERS: list[Callable[[str], list[tuple[int, int]]]] = [
    p.find_numbers,
    p.find_dates,
    p.find_datetimes,
    p.find_emails,
    p.find_uris,
    p.find_uuids,
]
PIECE_LIST = (
    "1 2 12 03 345 2026 26 0 000 . , ' / - \u2212 \u2013 + ( ) : % \u00a3 $ \u20ac EUR Rs. kr \u00bd 1/2 T Z UTC GMT+2 "
    "am p.m. May Mai 3rd of de Tuesday Dez. noon h Uhr million k bn a hundred and half two dozen e3 \u00d710^ x @ a.b "
    '.example https:// mailto: \u5e74 \u6708 \u65e5 \u0663 \u066b [ ] " \u201e \u201c \n \u00a0 z9 _ # &amp; Inc. '
    "9f1c04be-5d7e-4a60-b2c3-81e7f0d5a946"
)
PIECES = PIECE_LIST.split(" ")
hostile = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*PIECES, " ", " "]), max_size=25).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=15).map(" ".join),
)


@given(hostile)
def test_parsers_never_raise(text: str) -> None:
    p.parse_number(text)
    p.parse_number(text, decimal=",", integer=True)
    p.parse_date(text)
    p.parse_date(text, date_order="MDY")
    p.parse_datetime(text, date_order="DMY", default_offset="-03:30")
    p.decimal_mark(text)
    for name in ("date", "date-time", "email", "uri", "uuid"):
        p.check_format(name, text)


@given(hostile)
def test_finders_give_real_spans_in_document_order(text: str) -> None:
    for find in FINDERS:
        spans = find(text)
        assert spans == sorted(set(spans))
        assert all(0 <= a < b <= len(text) and not text[a].isspace() and not text[b - 1].isspace() for a, b in spans)


@given(hostile)
def test_every_number_that_is_offered_reads(text: str) -> None:
    for a, b in p.find_numbers(text):
        if b - a < 100 and "/0" not in text[a:b]:
            assert isinstance(p.parse_number(text[a:b]), p.Parsed), text[a:b]


@given(hostile)
def test_values_have_their_format(text: str) -> None:
    date, moment = p.parse_date(text, date_order="DMY"), p.parse_datetime(text, date_order="DMY")
    assert isinstance(date, p.Unparsed) or p.check_format("date", str(date.value))
    assert isinstance(moment, p.Unparsed) or p.check_format("date-time", str(moment.value))
    assert all(p.check_format("email", text[a:b]) for a, b in p.find_emails(text))
    assert all(p.check_format("uuid", text[a:b]) for a, b in p.find_uuids(text))


@given(hostile)
def test_a_date_never_has_digits_that_are_not_written(text: str) -> None:
    for a, b in p.find_dates(text):
        read = p.parse_date(text[a:b], date_order="DMY")
        if isinstance(read, p.Parsed):
            year, _, day = str(read.value).split("-")
            written = "".join(str(int(char)) if char.isdecimal() else " " for char in text[a:b])
            assert year[2:] in written
            assert day.lstrip("0") in written


@given(hostile, st.data())
def test_trim_is_idempotent_and_stays_inside(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    a, b = p.trim_span(text, start, end)
    assert start <= a <= b <= end
    assert p.trim_span(text, a, b) == (a, b)
    assert (a < b) == bool(text[start:end].strip())


def grouped(whole: int, mark: str) -> str:
    return f"{whole:,}".replace(",", mark)


@given(
    st.integers(0, 10**12),
    st.integers(0, 99),
    st.sampled_from([(",", "."), (".", ","), (" ", ","), ("'", "."), ("\u202f", ",")]),
)
def test_amounts_read_as_rendered(whole: int, cents: int, marks: tuple[str, str]) -> None:
    group, decimal = marks
    text = f"{grouped(whole, group)}{decimal}{cents:02d}"
    expected = float(Decimal(f"{whole}.{cents:02d}"))
    for shown, value in [
        (text, expected),
        (f"-{text}", -expected),
        (f"\u20ac{text}", expected),
        (f"{text} EUR", expected),
    ]:
        assert p.parse_number(shown) == p.Parsed(value)
        assert (0, len(shown)) in p.find_numbers(shown)
        inside = f"sum: {shown} due"
        assert (5, 5 + len(shown)) in p.find_numbers(inside)


@given(st.one_of(st.integers(-(10**18), 10**18), st.floats(allow_nan=False, allow_infinity=False, width=64)))
def test_json_numbers_read_as_themselves(value: float) -> None:
    read = p.parse_number(repr(value), decimal=".")
    assert isinstance(read, p.Parsed)
    assert read.value == value


@given(st.integers(1, 999_999_999))
def test_number_words_read_as_rendered(value: int) -> None:
    assert p.parse_number(words(value)) == p.Parsed(value, rule="words")
    text = f"about {words(value)} of them"
    assert (6, 6 + len(words(value))) in p.find_numbers(text)


UNIT_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TEN_NAMES = "- - twenty thirty forty fifty sixty seventy eighty ninety"
MONTH_NAMES = "January February March April May June July August September October November December"
MONTHS = MONTH_NAMES.split(" ")


def words(value: int) -> str:
    small, tens = UNIT_NAMES.split(" "), TEN_NAMES.split(" ")
    for size, name in ((10**6, "million"), (10**3, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            joint = " and " if rest < 100 else " "
            return f"{words(value // size)} {name}" + (joint + words(rest) if rest else "")
    if value < 20:
        return small[value]
    return tens[value // 10] + (f"-{small[value % 10]}" if value % 10 else "")


STYLES: list[Callable[[dt.date, str], str]] = [
    lambda d, m: d.isoformat(),
    lambda d, m: f"{d.day} {m} {d.year}",
    lambda d, m: f"{m} {d.day}, {d.year}",
    lambda d, m: f"{d.day:02d}-{m[:3]}-{d.year}",
    lambda d, m: f"{d.day}{m[:3].upper()}{d.year}",
    lambda d, m: f"the {d.day}th of {m}, {d.year}",
    lambda d, m: f"{d:%a}, {d.day} {m[:3]} {d.year}",
    lambda d, m: f"{m[:3]}. {d.day} {d.year}",
    lambda d, m: f"{d.year}/{d.month:02d}/{d.day:02d}",
    lambda d, m: f"{d.year}{d.month:02d}{d.day:02d}",
    lambda d, m: f"{d.day:02d}.{d.month:02d}.{d.year}",
    lambda d, m: f"{d.day}/{d.month}/{d.year}",
]


@given(st.dates(dt.date(1900, 1, 1), dt.date(2099, 12, 31)), st.sampled_from(STYLES))
def test_dates_read_as_rendered(day: dt.date, style: Callable[[dt.date, str], str]) -> None:
    text = style(day, MONTHS[day.month - 1])
    read = p.parse_date(text, date_order="DMY")
    assert isinstance(read, p.Parsed)
    assert read.value == day.isoformat()
    inside = f"due {text}, or later"
    assert any(p.parse_date(inside[a:b], date_order="DMY") == read for a, b in p.find_dates(inside))


@given(
    st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2099, 12, 31)),
    st.sampled_from(STYLES),
    st.sampled_from([" ", ", ", " at "]),
    st.sampled_from([("", "+01:00"), (" UTC", "Z"), (" +05:30", "+05:30"), (" -0800", "-08:00"), ("Z", "Z")]),
    st.sampled_from(["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p"]),
)
def test_moments_read_as_rendered(
    moment: dt.datetime, style: Callable[[dt.date, str], str], joint: str, zone: tuple[str, str], clock: str
) -> None:
    assume(not (zone[0] == "Z" and "%p" in clock))
    text = f"{style(moment.date(), MONTHS[moment.month - 1])}{joint}{moment.strftime(clock)}{zone[0]}"
    seconds = moment.strftime("%S") if "%S" in clock else "00"
    read = p.parse_datetime(text, date_order="DMY", default_offset="+01:00")
    assert isinstance(read, p.Parsed), text
    assert read.value == f"{moment.date().isoformat()}T{moment:%H:%M}:{seconds}{zone[1]}"
    assert read.assumed_offset == (zone[0] == "")


ADVERSARIAL = [
    "1",
    "1,",
    "1.2",
    "123 ",
    "1/2 ",
    "12:30 ",
    "1 may ",
    "june ",
    "monday 3 may 2026, ",
    "03/05/2026 14:05 ",
    "one hundred and ",
    "half a dozen ",
    "(1.5)",
    "-",
    " ",
    "\n",
    "\u00a3",
    "a@",
    "a.b@c.",
    "http://a",
    "http://a((",
    "3f2c1a94-",
    "&quot;",
]


@pytest.mark.parametrize("unit", ADVERSARIAL)
def test_time_is_linear_in_the_length(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        begin = time.process_time()
        for find in (*FINDERS, p.decimal_mark):
            find(text)
        return time.process_time() - begin

    small, large = 8_000, 80_000
    base = min(seconds(small) for _ in range(2))
    # Ten times the text may take ten times as long; a quadratic finder takes a hundred times.
    assert seconds(large) < 40 * base + 0.2


def test_all_of_a_megabyte_of_prose_is_found() -> None:
    facts = (
        "On Tuesday, 3 May 2026 at 14:05 we paid \u00a31,234.50 (12 %) to a@b.example for three boxes, ref INV-2041. "
    )
    paragraph = facts + "Nobody at the harbour could say why the gulls had left so early in the year. " * 12
    text = paragraph * (1_000_000 // len(paragraph))
    tenth = paragraph * (100_000 // len(paragraph))
    for find in FINDERS:
        found = len(find(text))
        assert found * len(tenth) == len(find(tenth)) * len(text)
