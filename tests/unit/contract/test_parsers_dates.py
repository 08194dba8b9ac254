"""Dates: real spellings and their ISO values, orders and conventions, what is refused, candidates."""

from __future__ import annotations

import pytest

from deg_core.contract.parsers import Parsed, Unparsed, find_dates, parse_date

ISO = [
    ("2026-05-03", "2026-05-03"),
    ("2026-5-3", "2026-05-03"),
    ("2026/05/03", "2026-05-03"),
    ("2026.05.03", "2026-05-03"),
    ("20260503", "2026-05-03"),
    ("1891-04-05", "1891-04-05"),
    ("2024-02-29", "2024-02-29"),
    ("2026\u201105\u201103", "2026-05-03"),
    ("2026\u5e7411\u670830\u65e5", "2026-11-30"),
    ("2026\ub144 11\uc6d4 30\uc77c", "2026-11-30"),
]
ENGLISH = [
    ("3 May 2026", "2026-05-03"),
    ("03 May 2026", "2026-05-03"),
    ("May 3, 2026", "2026-05-03"),
    ("May 3 2026", "2026-05-03"),
    ("May 3rd, 2026", "2026-05-03"),
    ("May 03,2026", "2026-05-03"),
    ("3rd May 2026", "2026-05-03"),
    ("3rd of May 2026", "2026-05-03"),
    ("the 3rd of May 2026", "2026-05-03"),
    ("the 3rd of May, 2026", "2026-05-03"),
    ("3rd day of May 2026", "2026-05-03"),
    ("1st January 2027", "2027-01-01"),
    ("2nd October 1868", "1868-10-02"),
    ("4th of September 1817", "1817-09-04"),
    ("21st of May 2027", "2027-05-21"),
    ("22nd Feb 2026", "2026-02-22"),
    ("27th October 2026", "2026-10-27"),
    ("August 21st, 2026", "2026-08-21"),
    ("December 4th 2026", "2026-12-04"),
    ("december 3rd 2026", "2026-12-03"),
    ("31st of august 2026", "2026-08-31"),
    ("DEC 4 2026", "2026-12-04"),
    ("17 NOVEMBER 2026", "2026-11-17"),
    ("16 Nov 2026", "2026-11-16"),
    ("Nov. 16, 2026", "2026-11-16"),
    ("Apr. 23, 2026", "2026-04-23"),
    ("30 Sept 1989", "1989-09-30"),
    ("Sept. 30, 1989", "1989-09-30"),
    ("28-NOV-2026", "2026-11-28"),
    ("1-Jan-2027", "2027-01-01"),
    ("19/Nov/2026", "2026-11-19"),
    ("19.Nov.2026", "2026-11-19"),
    ("Nov-19-2026", "2026-11-19"),
    ("20FEB2026", "2026-02-20"),
    ("30 NOV 2026", "2026-11-30"),
    ("2026 Nov 30", "2026-11-30"),
    ("2026-Nov-30", "2026-11-30"),
    ("2026, November 30", "2026-11-30"),
    ("14  October   2026", "2026-10-14"),
    ("14 October\n2026", "2026-10-14"),
    ("14\u00a0October\u00a02026", "2026-10-14"),
    ("31 May, 2026", "2026-05-31"),
    ("9 July 1978", "1978-07-09"),
    ("29 February 2024", "2024-02-29"),
    ("May 5 th , 2009", "2009-05-05"),
    ("31 st Dec 2009", "2009-12-31"),
    ("November, 12th 2011", "2011-11-12"),
    ("March, the 28th 1999", "1999-03-28"),
    ("Nov. 12th. 2010", "2010-11-12"),
    ("Jan 28 13:26:14 2008", "2008-01-28"),
    ("Mon Jan 28 13:26:14 UTC 2008", "2008-01-28"),
]
STRETCHES = [
    ("6-10 June 2005", "2005-06-06"),
    ("10\u201314 March 2011", "2011-03-10"),
    ("10 -14 May 2010", "2010-05-10"),
    ("8 and 9 March 2023", "2023-03-08"),
    ("1st to 31st October 2026", "2026-10-01"),
    ("12. bis 14. Mai 2026", "2026-05-12"),
    ("30 May to 2 June 2026", "2026-05-30"),
    ("June 26-29, 2005", "2005-06-26"),
    ("June 26 \u2013 July 2, 2005", "2005-06-26"),
    ("March 14 - 17, 2010", "2010-03-14"),
]
WEEKDAYS = [
    ("Tuesday, 10 November 2026", "2026-11-10"),
    ("Tuesday 10 November 2026", "2026-11-10"),
    ("Thu 5 Nov 2026", "2026-11-05"),
    ("Thu, 5 Nov 2026", "2026-11-05"),
    ("Thu. Nov 5, 2026", "2026-11-05"),
    ("Saturday, May 3rd, 2026", "2026-05-03"),
    ("Sunday the 3rd of May 2026", "2026-05-03"),
    ("SUNDAY 3 MAY 2026", "2026-05-03"),
    ("on Sunday, 3 May 2026", "2026-05-03"),
    ("Mittwoch, 16. Dezember 2026", "2026-12-16"),
    ("Mi., 16.12.2026", "2026-12-16"),
    ("mercredi 16 d\u00e9cembre 2026", "2026-12-16"),
    ("lunes, 4 de mayo de 2026", "2026-05-04"),
    ("luned\u00ec 4 maggio 2026", "2026-05-04"),
    ("segunda-feira, 4 de maio de 2026", "2026-05-04"),
    ("maandag 4 mei 2026", "2026-05-04"),
    ("Wed 2026-12-16", "2026-12-16"),
]
LANGUAGES = [
    ("6. Dezember 2026", "2026-12-06"),
    ("16. Dez. 2026", "2026-12-16"),
    ("1. M\u00e4rz 2026", "2026-03-01"),
    ("1. Maerz 2026", "2026-03-01"),
    ("3. J\u00e4nner 2026", "2026-01-03"),
    ("26. Nov 2026", "2026-11-26"),
    ("30. Juni 2026", "2026-06-30"),
    ("15. Oktober 2026", "2026-10-15"),
    ("den 3. Mai 2026", "2026-05-03"),
    ("1er mars 2026", "2026-03-01"),
    ("14 juillet 2026", "2026-07-14"),
    ("15 ao\u00fbt 2026", "2026-08-15"),
    ("15 AO\u00dbT 2026", "2026-08-15"),
    ("15 aout 2026", "2026-08-15"),
    ("3 f\u00e9vr. 2026", "2026-02-03"),
    ("25 d\u00e9c. 2026", "2026-12-25"),
    ("le 8 avril 2026", "2026-04-08"),
    ("3 de mayo de 2026", "2026-05-03"),
    ("12 de octubre del 2026", "2026-10-12"),
    ("1 de enero de 2027", "2027-01-01"),
    ("15 set. 2026", "2026-09-15"),
    ("15 de septiembre de 2026", "2026-09-15"),
    ("3 maggio 2026", "2026-05-03"),
    ("1\u00b0 gennaio 2026", "2026-01-01"),
    ("15 ago 2026", "2026-08-15"),
    ("2 giugno 2026", "2026-06-02"),
    ("3 de maio de 2026", "2026-05-03"),
    ("7 de mar\u00e7o de 2026", "2026-03-07"),
    ("15 de out. de 2026", "2026-10-15"),
    ("25 de dezembro de 2026", "2026-12-25"),
    ("5 mei 2026", "2026-05-05"),
    ("27 maart 2026", "2026-03-27"),
    ("1 augustus 2026", "2026-08-01"),
    ("21.VI.2026", "2026-06-21"),
    ("3. XII. 2026", "2026-12-03"),
]
NUMERIC = [
    ("21/11/2026", "2026-11-21"),
    ("11/21/2026", "2026-11-21"),
    ("25-11-2026", "2026-11-25"),
    ("11-25-2026", "2026-11-25"),
    ("05/05/2026", "2026-05-05"),
    ("17.08.2026", "2026-08-17"),
    ("4.11.2026", "2026-11-04"),
    ("17.6.1988", "1988-06-17"),
    ("3. 5. 2026", "2026-05-03"),
    ("03.05.2026", "2026-05-03"),
    ("12.31.2026", "2026-12-31"),
    ("31 / 12 / 2026", "2026-12-31"),
]
TWO_DIGIT_YEARS = [
    ("3 May 26", "2026-05-03"),
    ("24-Nov-26", "2026-11-24"),
    ("3 May '26", "2026-05-03"),
    ("27/11/26", "2026-11-27"),
    ("27-11-26", "2026-11-27"),
    ("25.11.26", "2026-11-25"),
    ("30NOV26", "2026-11-30"),
    ("1 Jan 68", "2068-01-01"),
    ("1 Jan 69", "1969-01-01"),
    ("1 Jan 99", "1999-01-01"),
    ("1 Jan 00", "2000-01-01"),
]
WITH_TIME = [
    ("2026-11-27T06:41:09Z", "2026-11-27"),
    ("2026-11-27 06:41", "2026-11-27"),
    ("27.11.2026 17:52", "2026-11-27"),
    ("3 May 2026, 14:05", "2026-05-03"),
    ("Mon, 30 Nov 2026 06:12:41 GMT", "2026-11-30"),
    ("NOV 27 2026 16:58", "2026-11-27"),
    ("20261127T064109Z", "2026-11-27"),
]
VALUES = [*ISO, *ENGLISH, *WEEKDAYS, *LANGUAGES, *NUMERIC, *STRETCHES, *TWO_DIGIT_YEARS, *WITH_TIME]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_value(text: str, value: str) -> None:
    read = parse_date(text)
    assert isinstance(read, Parsed), read
    assert read.value == value


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_written_date_is_among_the_candidates_of_a_sentence(text: str, value: str) -> None:
    sentence = f"Due: {text}. Bring it."
    values = [parse_date(sentence[a:b]) for a, b in find_dates(sentence)]
    assert value in [read.value for read in values if isinstance(read, Parsed)]


@pytest.mark.parametrize(("text", "value"), STRETCHES)
def test_a_stretch_of_days_says_that_it_gives_its_first(text: str, value: str) -> None:
    assert parse_date(text) == Parsed(value, ambiguous=True, rule="range_start")


@pytest.mark.parametrize(("text", "value"), TWO_DIGIT_YEARS)
def test_a_two_digit_year_is_said_to_be_a_choice(text: str, value: str) -> None:
    assert parse_date(text) == Parsed(value, ambiguous=True, rule="two_digit_year")


@pytest.mark.parametrize(
    ("text", "mdy", "dmy"),
    [
        ("03/05/2026", "2026-03-05", "2026-05-03"),
        ("3/5/26", "2026-03-05", "2026-05-03"),
        ("03-05-2026", "2026-03-05", "2026-05-03"),
        ("12/11/2026", "2026-12-11", "2026-11-12"),
        ("01/02/1999", "1999-01-02", "1999-02-01"),
    ],
)
def test_open_order(text: str, mdy: str, dmy: str) -> None:
    assert parse_date(text) == Unparsed(ambiguous=True)
    assert parse_date(text, date_order="MDY") == Parsed(mdy, ambiguous=True, rule="date_order")
    assert parse_date(text, date_order="DMY") == Parsed(dmy, ambiguous=True, rule="date_order")


def test_dotted_dates_are_day_first_unless_the_order_is_given() -> None:
    assert parse_date("03.05.2026") == Parsed("2026-05-03", ambiguous=True, rule="day_first")
    assert parse_date("03.05.2026", date_order="MDY") == Parsed("2026-03-05", ambiguous=True, rule="date_order")


@pytest.mark.parametrize("order", [None, "MDY", "DMY"])
def test_the_order_never_overrules_the_calendar(order: str | None) -> None:
    assert parse_date("27/11/2026", date_order=order) == Parsed("2026-11-27")
    assert parse_date("2026-03-05", date_order=order) == Parsed("2026-03-05")
    assert parse_date("5 March 2026", date_order=order) == Parsed("2026-03-05")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "soon",
        "May",
        "2026",
        "3 May",
        "May 3",
        "May 2026",
        "Tuesday",
        "tomorrow",
        "Q3 2026",
        "3/5",
        "14:05",
        "31/02/2026",
        "30 February 2026",
        "29 February 2026",
        "2026-13-01",
        "2026-02-30",
        "32 May 2026",
        "0 May 2026",
        "00/00/2026",
        "45.13.2026",
        "8.0.1",
        "192.168.0.1",
        "3 Mayo",
        "1.5.2",
        "3 May 2026 to 5 May 2026",
        "3 May 14:05",
        "May 14 14:05",
        "12345678",
        "20261345",
        "3 Mai 2026 und mehr",
        "x" * 1000,
    ],
)
def test_refused(text: str) -> None:
    assert isinstance(parse_date(text), Unparsed)


def test_an_unknown_order_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="date_order"):
        parse_date("03/05/2026", date_order="YMD")


def offered(text: str) -> list[str]:
    return [text[a:b] for a, b in find_dates(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on Tuesday, 10 November 2026 at", ["Tuesday, 10 November 2026", "10 November 2026"]),
        ("dated 14 October 2026. The", ["14 October 2026"]),
        ("3 May 2026 or May 4, 2026", ["3 May 2026", "May 4, 2026"]),
        ("from 2026-11-27T06:41:09Z on", ["2026-11-27"]),
        ("12 November 3, 2026", ["November 3, 2026"]),
        ("call 3 May 14:05", []),
        ("on 3 May", []),
        ("March 2020", []),
        ("item 8.0.1 at 10.0.0.12", []),
        ("24 Nov 26, 27 Nov 26", ["24 Nov 26", "27 Nov 26"]),
        ("20261130T0433", ["20261130"]),
        ("id 2026-11-301", []),
        ("x2026-11-30", []),
        ("5 out 10 20 and set 3, 26", []),
        ("the 5th of May 2026", ["5th of May 2026"]),
        ("03.05.2026-07.05.2026", ["03.05.2026", "07.05.2026"]),
        ("3/5/2026-7/5/2026", ["3/5/2026", "7/5/2026"]),
        ("2026-11-30/2026-12-02", ["2026-11-30", "2026-12-02"]),
        ("tel 01.23.45.67.89, 67.89.10", []),
        ("1 Dec 0900 hrs", []),
        ("3-5 May 2026", ["3-5 May 2026", "5 May 2026"]),
        ("30 December to 2 January 2027", ["2 January 2027"]),
        ("May 2003 March 24-26, 2003", ["March 24-26, 2003"]),
        ("31/02/2026", ["31/02/2026"]),
        ("\u671f\u9650\u306f2026\u5e7411\u670830\u65e5\u3067\u3059", ["2026\u5e7411\u670830\u65e5"]),
    ],
)
def test_candidates(text: str, expected: list[str]) -> None:
    assert offered(text) == expected
