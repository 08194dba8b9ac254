"""From fields of the plan to candidates and readings: types, constraints, reasons."""

from __future__ import annotations

from typing import Any

import pytest

from deg_core.contract.parsers import Reading, candidates, read_span, violated
from deg_core.contract.plan import FieldPlan, Mode


def leaf(mode: Mode, json_type: str, format: str | None = None, **constraints: Any) -> FieldPlan:
    return FieldPlan(
        path=("x",),
        mode=mode,
        json_type=json_type,
        required=True,
        nullable=True,
        on_null="null",
        format=format,
        constraints=tuple(constraints.items()),
    )


NUMBER = leaf(Mode.NUMBER, "number")
INTEGER = leaf(Mode.NUMBER, "integer")
TEXT = leaf(Mode.SPAN, "string")
DATE = leaf(Mode.DATE, "string", "date")
MOMENT = leaf(Mode.DATE, "string", "date-time")
EMAIL = leaf(Mode.SPAN, "string", "email")
URI = leaf(Mode.SPAN, "string", "uri")
UUID = leaf(Mode.SPAN, "string", "uuid")


def test_candidates_by_type() -> None:
    text = "On 3 May 2026, 14:05 pay 7 to a@b.example, see https://c.example"
    found = {field: candidates(field, text) for field in (DATE, MOMENT, EMAIL, URI)}
    shown = {field.format: [text[a:b] for a, b in spans or []] for field, spans in found.items()}
    assert shown == {
        "date": ["3 May 2026"],
        "date-time": ["3 May 2026, 14:05"],
        "email": ["a@b.example"],
        "uri": ["https://c.example"],
    }
    assert [text[a:b] for a, b in candidates(NUMBER, text) or []] == ["3", "2026", "14", "05", "7"]
    assert candidates(TEXT, text) is None
    assert candidates(UUID, text) == []


@pytest.mark.parametrize("mode", [Mode.CHOICE, Mode.SCORE, Mode.NOUL, Mode.GENERATE])
def test_only_extract_fields_have_candidates(mode: Mode) -> None:
    with pytest.raises(ValueError, match="extract"):
        candidates(leaf(mode, "string"), "text")


@pytest.mark.parametrize(
    ("field", "span", "expected"),
    [
        (NUMBER, "\u00a31,500.00", Reading(1500.0, None)),
        (NUMBER, "n/a", Reading(None, "unparsable")),
        (NUMBER, "1,234", Reading(1234, None, ambiguous=True, rule="comma_groups")),
        (INTEGER, "3", Reading(3, None)),
        (INTEGER, "3.0", Reading(3, None)),
        (INTEGER, "3.5", Reading(None, "type")),
        (INTEGER, "4.000", Reading(4000, None, ambiguous=True, rule="integer_groups")),
        (INTEGER, "twelve", Reading(12, None, rule="words")),
        (INTEGER, "1.5 million", Reading(1500000, None, rule="multiplier")),
        (DATE, "3rd of May 2026", Reading("2026-05-03", None)),
        (DATE, "03/05/2026", Reading(None, "unparsable", ambiguous=True)),
        (DATE, "3 May", Reading(None, "unparsable")),
        (DATE, "2026-05-03T14:05:00Z", Reading("2026-05-03", None)),
        (MOMENT, "3 May 2026, 14:05", Reading("2026-05-03T14:05:00Z", None, assumed_offset=True)),
        (MOMENT, "3 May 2026", Reading(None, "unparsable")),
        (EMAIL, "a@b.example", Reading("a@b.example", None)),
        (EMAIL, "a at b", Reading(None, "format")),
        (URI, "https://a.example/caf\u00e9", Reading(None, "format")),
        (UUID, "3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3", Reading("3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3", None)),
        (TEXT, "  verbatim ", Reading("  verbatim ", None)),
    ],
)
def test_reading(field: FieldPlan, span: str, expected: Reading) -> None:
    read = read_span(field, span)
    assert read == expected
    assert type(read.value) is type(expected.value)


def test_options_reach_the_parsers() -> None:
    assert read_span(DATE, "03/05/2026", date_order="DMY").value == "2026-05-03"
    assert read_span(DATE, "03/05/2026", date_order="MDY").value == "2026-03-05"
    assert read_span(MOMENT, "3 May 2026, 14:05", default_offset="+02:00").value == "2026-05-03T14:05:00+02:00"
    assert read_span(NUMBER, "3.350", decimal=",").value == 3350


@pytest.mark.parametrize(
    ("constraints", "value", "keyword"),
    [
        ({"minimum": 3}, 3, None),
        ({"minimum": 3}, 2.999, "minimum"),
        ({"maximum": 3}, 3, None),
        ({"maximum": 3}, 3.001, "maximum"),
        ({"exclusiveMinimum": 0}, 0, "exclusiveMinimum"),
        ({"exclusiveMaximum": 1}, 1.0, "exclusiveMaximum"),
        ({"multipleOf": 0.01}, 19.99, None),
        ({"multipleOf": 0.01}, 19.995, "multipleOf"),
        ({"multipleOf": 0.1}, 0.3, None),
        ({"multipleOf": 25}, 75, None),
        ({"multipleOf": 25}, 80, "multipleOf"),
        ({"multipleOf": 0.0001}, 1e22, None),
        ({"multipleOf": 1e-7}, 3.0000001, None),
        ({"multipleOf": 3}, 10**40, "multipleOf"),
        ({"minimum": 3, "multipleOf": 2}, 1, "minimum"),
        ({"multipleOf": 2, "minimum": 3}, 1, "multipleOf"),
        ({"minLength": 2}, "\U0001f600", "minLength"),
        ({"maxLength": 1}, "\U0001f600", None),
        ({"maxLength": 2}, "abc", "maxLength"),
        ({"pattern": "^TJ-[0-9]+$"}, "TJ-20488", None),
        ({"pattern": "[0-9]{3}"}, "ab123c", None),
        ({"pattern": "^[0-9]+$"}, "12a", "pattern"),
        ({"pattern": r"^\p{Lu}\p{L}+$"}, "\u00c9lan", None),
        ({"pattern": r"^\u{1F600}$"}, "\U0001f600", None),
        ({"pattern": r"^\cA$"}, "\x01", None),
        ({"pattern": "(?<$x>a)"}, "a", None),
        ({"pattern": "^[^]$"}, "a", None),
        ({"pattern": r"^\d+$"}, "\u0661\u0662", "pattern"),
        ({"pattern": "^a$"}, "a\n", "pattern"),
        ({"pattern": r"^.$"}, "\u2028", "pattern"),
        ({"pattern": "x", "minLength": 9}, "abc", "pattern"),
        ({}, "anything", None),
    ],
)
def test_constraints(constraints: dict[str, Any], value: Any, keyword: str | None) -> None:
    field = leaf(Mode.SPAN if isinstance(value, str) else Mode.NUMBER, "string", **constraints)
    assert violated(field, value) == keyword


def test_a_pattern_that_does_not_end_counts_as_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deg_core.contract.patterns.TIMEOUT", 0.05)
    assert violated(leaf(Mode.SPAN, "string", pattern="^(a|aa|aab?)+$"), "a" * 60 + "c") == "pattern"


def test_a_violated_constraint_gives_its_name_and_no_value() -> None:
    assert read_span(leaf(Mode.NUMBER, "number", maximum=10), "12") == Reading(None, "maximum")
    assert read_span(leaf(Mode.SPAN, "string", maxLength=3), "long") == Reading(None, "maxLength")
    assert read_span(leaf(Mode.SPAN, "string", "email", maxLength=5), "a@b.example") == Reading(None, "maxLength")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.1e30", 11 * 10**29),
        ("1.123456789012345678e18", 1123456789012345678),
        ("1e300", 10**300),
        ("1.5e307", 15 * 10**306),
        ("12345678901234567.0", 12345678901234567),
        ("3.0", 3),
    ],
)
def test_a_whole_number_has_the_digits_that_are_written(text: str, value: int) -> None:
    reading = read_span(INTEGER, text)
    assert reading.value == value
    assert type(reading.value) is int


@pytest.mark.parametrize("text", ["1.5e308", "1e308", "9e999"])
def test_a_whole_number_beyond_what_a_document_may_hold_is_not_read(text: str) -> None:
    assert read_span(INTEGER, text) == Reading(None, "unparsable")
