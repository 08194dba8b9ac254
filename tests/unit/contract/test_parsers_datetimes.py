"""Date-times: real spellings and their RFC 3339 values, offsets and zones, what is refused, candidates."""

from __future__ import annotations

import pytest

from deg_core.contract.parsers import Parsed, Unparsed, check_format, find_datetimes, parse_datetime

WITH_OFFSET = [
    ("2026-11-27T06:41:09Z", "2026-11-27T06:41:09Z"),
    ("2026-11-27t06:41:09z", "2026-11-27T06:41:09Z"),
    ("2026-11-27T06:41Z", "2026-11-27T06:41:00Z"),
    ("2026-11-19T07:12:00+02:00", "2026-11-19T07:12:00+02:00"),
    ("2026-11-29T16:20:00-06:00", "2026-11-29T16:20:00-06:00"),
    ("2026-11-29T16:20-06:00", "2026-11-29T16:20:00-06:00"),
    ("2026-11-29T16:20:00+0530", "2026-11-29T16:20:00+05:30"),
    ("2026-11-29T16:20:00+05", "2026-11-29T16:20:00+05:00"),
    ("2026-11-25T22:59:52.318Z", "2026-11-25T22:59:52.318Z"),
    ("2026-11-25T22:59:52,318Z", "2026-11-25T22:59:52.318Z"),
    ("2026-11-25T22:59:52.123456789+00:00", "2026-11-25T22:59:52.123456789+00:00"),
    ("20261127T064109Z", "2026-11-27T06:41:09Z"),
    ("20261127T0641Z", "2026-11-27T06:41:00Z"),
    ("2026-11-30 03:12:09 +05:30", "2026-11-30T03:12:09+05:30"),
    ("2026-11-30 03:12:09+05:30", "2026-11-30T03:12:09+05:30"),
    ("2026-11-30 03:12:09-05:00", "2026-11-30T03:12:09-05:00"),
    ("2026-11-29 06:30 UTC", "2026-11-29T06:30:00Z"),
    ("2026-11-21 17:00Z", "2026-11-21T17:00:00Z"),
    ("27 Nov 2026 18:00 +01:00", "2026-11-27T18:00:00+01:00"),
    ("27 Nov 2026 18:00 +0100", "2026-11-27T18:00:00+01:00"),
    ("Sun, 29 Nov 2026 21:03:55 +0200", "2026-11-29T21:03:55+02:00"),
    ("Mon, 30 Nov 2026 06:12:41 GMT", "2026-11-30T06:12:41Z"),
    ("30 Nov 2026, 08:20 UTC", "2026-11-30T08:20:00Z"),
    ("30 NOV 2026 0505 UTC", "2026-11-30T05:05:00Z"),
    ("30 NOV 2026 0505Z", "2026-11-30T05:05:00Z"),
    ("3 May 2026, 14:05 CET", "2026-05-03T14:05:00+01:00"),
    ("3 May 2026 14:05 CEST", "2026-05-03T14:05:00+02:00"),
    ("3. Mai 2026, 14:05 MESZ", "2026-05-03T14:05:00+02:00"),
    ("May 3, 2026 2:05 pm EST", "2026-05-03T14:05:00-05:00"),
    ("May 3, 2026 2:05 PM (EDT)", "2026-05-03T14:05:00-04:00"),
    ("May 3, 2026 at 2:05 PM PDT", "2026-05-03T14:05:00-07:00"),
    ("2026-05-03 14:05 JST", "2026-05-03T14:05:00+09:00"),
    ("2026-05-03 14:05 UTC+2", "2026-05-03T14:05:00+02:00"),
    ("2026-05-03 14:05 (UTC+2)", "2026-05-03T14:05:00+02:00"),
    ("2026-05-03 14:05 GMT-03:00", "2026-05-03T14:05:00-03:00"),
    ("2026-05-03 14:05 UTC\u22125", "2026-05-03T14:05:00-05:00"),
    ("14 December 2026, 12:00 local time (UTC+1)", "2026-12-14T12:00:00+01:00"),
    ("20.11.2026, 17:00 (local time, UTC+1)", "2026-11-20T17:00:00+01:00"),
    ("14:05 UTC on 3 May 2026", "2026-05-03T14:05:00Z"),
    ("27/Nov/2026:06:41:09 +0000", "2026-11-27T06:41:09+00:00"),
    ("Mon Jan 28 13:26:14 UTC 2008", "2008-01-28T13:26:14Z"),
    ("Mon Jan 28 13:26:14 +0100 2008", "2008-01-28T13:26:14+01:00"),
]
WITHOUT_OFFSET = [
    ("2026-11-27T06:41:09", "2026-11-27T06:41:09"),
    ("2027-02-06 13:00", "2027-02-06T13:00:00"),
    ("2026/11/30 05:12:44", "2026-11-30T05:12:44"),
    ("2026-11-29 14:02:11", "2026-11-29T14:02:11"),
    ("12 September 2026, 16:00", "2026-09-12T16:00:00"),
    ("25 Nov 2026 06:48", "2026-11-25T06:48:00"),
    ("05 Dec 2026 23:59", "2026-12-05T23:59:00"),
    ("27.11.2026 17:52", "2026-11-27T17:52:00"),
    ("21/11/2026   17:52", "2026-11-21T17:52:00"),
    ("11/28/2026 10:52 PM", "2026-11-28T22:52:00"),
    ("30/11/2026 08:41", "2026-11-30T08:41:00"),
    ("18-12-2026 10:15", "2026-12-18T10:15:00"),
    ("NOV 27 2026 16:58", "2026-11-27T16:58:00"),
    ("1 Dec 2026 0900", "2026-12-01T09:00:00"),
    ("1 Dec 2026, 0900 hrs", "2026-12-01T09:00:00"),
    ("3 May 2026 at 14:05", "2026-05-03T14:05:00"),
    ("3 May 2026 @ 14:05", "2026-05-03T14:05:00"),
    ("3 May 2026 - 14:05", "2026-05-03T14:05:00"),
    ("3 May 2026 | 14:05", "2026-05-03T14:05:00"),
    ("3 May 2026 2.30 pm", "2026-05-03T14:30:00"),
    ("3 May 2026, 2.30 p.m.", "2026-05-03T14:30:00"),
    ("3 May 2026, 7.30pm", "2026-05-03T19:30:00"),
    ("3 May 2026, 7pm", "2026-05-03T19:00:00"),
    ("3 May 2026, 7 a.m.", "2026-05-03T07:00:00"),
    ("3 May 2026, 12 am", "2026-05-03T00:00:00"),
    ("3 May 2026, 12:15 am", "2026-05-03T00:15:00"),
    ("3 May 2026, 12:15 PM", "2026-05-03T12:15:00"),
    ("3 May 2026, 12 noon", "2026-05-03T12:00:00"),
    ("3 May 2026 at noon", "2026-05-03T12:00:00"),
    ("3 May 2026, 14.05", "2026-05-03T14:05:00"),
    ("3 mai 2026 \u00e0 17h30", "2026-05-03T17:30:00"),
    ("3 mai 2026 \u00e0 17 h 30", "2026-05-03T17:30:00"),
    ("3 mai 2026 \u00e0 17h", "2026-05-03T17:00:00"),
    ("16. Dezember 2026 um 17:15 Uhr", "2026-12-16T17:15:00"),
    ("16. Dezember 2026, 17.15 Uhr", "2026-12-16T17:15:00"),
    ("16. Dezember 2026 um 17 Uhr", "2026-12-16T17:00:00"),
    ("3 de mayo de 2026 a las 18:30", "2026-05-03T18:30:00"),
    ("3 maggio 2026 alle 18:30", "2026-05-03T18:30:00"),
    ("3 maggio 2026 ore 18:30", "2026-05-03T18:30:00"),
    ("Tue 8 Dec 2026 8:10am", "2026-12-08T08:10:00"),
    ("Tuesday 13 October 2026, 7.30pm", "2026-10-13T19:30:00"),
    ("14:05 on 3 May 2026", "2026-05-03T14:05:00"),
    ("14:05, 3 May 2026", "2026-05-03T14:05:00"),
    ("2 pm on Tuesday, 3 May 2026", "2026-05-03T14:00:00"),
    ("7:30 pm May 3, 2026", "2026-05-03T19:30:00"),
    ("17:52 21/11/2026", "2026-11-21T17:52:00"),
    ("Mon Jan 28 13:26:14 2008", "2008-01-28T13:26:14"),
]


@pytest.mark.parametrize(("text", "value"), WITH_OFFSET)
def test_value_with_its_offset(text: str, value: str) -> None:
    read = parse_datetime(text, default_offset="+11:00")
    assert isinstance(read, Parsed), read
    assert (read.value, read.assumed_offset) == (value, False)
    assert check_format("date-time", value)


@pytest.mark.parametrize(("text", "value"), WITHOUT_OFFSET)
def test_value_with_the_default_offset(text: str, value: str) -> None:
    read = parse_datetime(text, default_offset="+11:00")
    assert isinstance(read, Parsed), read
    assert (read.value, read.assumed_offset) == (f"{value}+11:00", True)
    assert parse_datetime(text).value == f"{value}Z"  # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "value"), [*WITH_OFFSET, *WITHOUT_OFFSET])
def test_a_written_moment_is_among_the_candidates_of_a_sentence(text: str, value: str) -> None:
    sentence = f"Start: {text}; bring tea."
    values = [parse_datetime(sentence[a:b], default_offset="+11:00") for a, b in find_datetimes(sentence)]
    assert value.removesuffix("+11:00") in [
        str(read.value).removesuffix("+11:00") for read in values if isinstance(read, Parsed)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3 May 2026",
        "2026-05-03",
        "14:05",
        "3 May 14:05",
        "2026-05-03T25:00:00Z",
        "2026-05-03T14:61",
        "2026-02-30T10:00:00Z",
        "3 May 2026, 2:30:99",
        "3 May 2026 14:05 and 15:05",
        "3 May 2026, 24:00",
        "noon",
        "2026-05-03T",
        "3 May 2026 at",
        "3 May 2026 9999",
    ],
)
def test_refused(text: str) -> None:
    assert isinstance(parse_datetime(text), Unparsed)


def test_the_date_order_holds_here_too() -> None:
    assert parse_datetime("03/05/2026 14:05") == Unparsed(ambiguous=True)
    read = parse_datetime("03/05/2026 14:05", date_order="DMY")
    assert read == Parsed("2026-05-03T14:05:00Z", assumed_offset=True, ambiguous=True, rule="date_order")


@pytest.mark.parametrize("zone", ["IST", "CST", "BST"])
def test_a_zone_name_that_several_zones_share_is_said_to_be_a_choice(zone: str) -> None:
    read = parse_datetime(f"3 May 2026 14:05 {zone}")
    assert isinstance(read, Parsed)
    assert (read.ambiguous, read.rule) == (True, "zone_name")


@pytest.mark.parametrize("offset", ["", "UTC", "+2", "+0200", "+24:00", "z"])
def test_a_bad_default_offset_is_an_error_of_the_caller(offset: str) -> None:
    with pytest.raises(ValueError, match="default_offset"):
        parse_datetime("3 May 2026 14:05", default_offset=offset)


def offered(text: str) -> list[str]:
    return [text[a:b] for a, b in find_datetimes(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 3 May 2026, 14:00-16:00", ["3 May 2026, 14:00"]),
        ("on 3 May 2026, 14:00\u201316:00", ["3 May 2026, 14:00"]),
        ("2026-05-03 10:00-12:00", ["2026-05-03 10:00"]),
        ("Tue 8 Dec 2026 8:10am. Q", ["Tue 8 Dec 2026 8:10am", "8 Dec 2026 8:10am"]),
        ("img,2026-11-29 14:02:11,2,GT", ["2026-11-29 14:02:11"]),
        ("on 3 May 2026 we", []),
        ("3 May 2026, 12 people", []),
        ("3 May 2026 1850 boxes", ["3 May 2026 1850"]),
        ("at 14:05 UTC on 3 May 2026.", ["14:05 UTC on 3 May 2026"]),
        ("starts 2026-05-03T14:05:00+02:00.", ["2026-05-03T14:05:00+02:00"]),
        ("(2026-05-03 14:05 UTC)", ["2026-05-03 14:05 UTC"]),
    ],
)
def test_candidates(text: str, expected: list[str]) -> None:
    assert offered(text) == expected
