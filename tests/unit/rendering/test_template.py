"""The texts around fields: kept word for word, one line each, the same whatever the caller's order."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan, Mode
from deg_core.errors import SchemaError
from deg_core.rendering.template import (
    TEMPLATE_VERSION,
    canonical_order,
    head_lines,
    kind_text,
    one_line,
    option_text,
    outcome_count,
    outcome_line,
)
from tests.golden.fork_cases import fields, fork_texts

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "forks.json").read_text(encoding="utf-8"))


def field_of(leaf: dict[str, Any], name: str = "f") -> FieldPlan:
    return compile_schema({"type": "object", "properties": {name: leaf}}).fields[0]


def test_the_template_is_that_of_this_version():
    """Checkpoints are bound to the template they were trained with: whoever changes a text raises the version."""
    assert TEMPLATE_VERSION == 1
    assert GOLDEN["template_version"] == TEMPLATE_VERSION
    assert fork_texts() == GOLDEN["forks"]


def test_the_golden_forks_cover_every_mode():
    assert {field.mode for field in fields().values()} == set(Mode) - {Mode.GENERATE}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("  a\n b\t\tc ", "a b c"),
        ("a\r\nb", "a b"),
        ("a\u2028b\u00a0c\x85d", "a b c d"),
        (" \n ", ""),
        ("", ""),
    ],
)
def test_one_line(text: str, line: str):
    assert one_line(text) == line


@given(st.text())
def test_one_line_is_one_line_and_settles(text: str):
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert one_line(line) == line
    assert "".join(line.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("billing", "billing"),
        ("two words", "two words"),
        (True, "true"),
        ("true", '"true"'),
        (1, "1"),
        ("1", '"1"'),
        (1.5, "1.5"),
        ("1.5", '"1.5"'),
        (-3, "-3"),
        ("-3 dB", '"-3 dB"'),
        (None, "null"),
        ("null", '"null"'),
        ("nullable", "nullable"),
        ("", '""'),
        (" x", '" x"'),
        ("a  b", '"a  b"'),
        ("a\nb", '"a\\nb"'),
        ('"', '"\\""'),
        ('say "hi"', 'say "hi"'),
        ("\u00e9", "\u00e9"),
        ("true ", '"true "'),
    ],
)
def test_option_text(value: Any, text: str):
    assert option_text(value) == text


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-20, 20), st.floats(-5, 5).map(lambda x: round(x, 1)), st.text(max_size=6),
    st.sampled_from(["true", "false", "null", "0", "1", "-1", "1.5", '"1"', '"', "''", "1\n", "\ntrue", "true\n"]),
)  # fmt: skip


@given(scalars, scalars)
def test_different_values_never_read_alike(a: Any, b: Any):
    same = json.dumps(a) == json.dumps(b)
    assert (option_text(a) == option_text(b)) == same
    assert len(option_text(a).splitlines()) == 1 or option_text(a) == ""


@given(st.lists(scalars, min_size=2, max_size=8), st.randoms())
def test_options_stand_in_canonical_order(values: list[Any], rng: random.Random):
    try:
        field = field_of({"enum": values})
    except SchemaError:
        return  # equal values
    lines = [outcome_line(field, index) for index in canonical_order(field)]
    assert lines == sorted(lines)
    assert sorted(canonical_order(field)) == list(range(len(values)))
    shuffled = list(values)
    rng.shuffle(shuffled)
    turned = field_of({"enum": shuffled})
    assert [outcome_line(turned, index) for index in canonical_order(turned)] == lines
    assert [json.dumps(turned.options[i]) for i in canonical_order(turned)] == [
        json.dumps(field.options[i]) for i in canonical_order(field)
    ]


def test_descriptions_travel_with_their_options():
    branches = [{"const": c, "description": d} for c, d in (("x", "one"), ("y", None), ("w", "two")) if d]
    branches.append({"const": "y"})
    field = field_of({"oneOf": branches})
    assert [outcome_line(field, index) for index in canonical_order(field)] == ["w: two", "x: one", "y"]


def test_equal_lines_fall_back_to_their_values():
    """``a`` described as ``b: c`` and ``a: b`` described as ``c`` read alike; their order is still settled."""
    branches = [{"const": "a", "description": "b: c"}, {"const": "a: b", "description": "c"}]
    for order in (branches, branches[::-1]):
        field = field_of({"oneOf": order})
        assert {outcome_line(field, 0), outcome_line(field, 1)} == {"a: b: c"}
        assert [field.options[index] for index in canonical_order(field)] == ["a", "a: b"]


def test_levels_keep_their_order_and_null_comes_last():
    field = field_of({"type": ["integer", "null"], "minimum": 8, "maximum": 11, "x-levels": {"10": "ten\nor so"}})
    lines = [outcome_line(field, index) for index in range(outcome_count(field))]
    assert lines == ["8", "9", "10: ten or so", "11", "null"]


def test_white_space_is_no_annotation():
    field = field_of({"type": "boolean", "title": " \n", "description": "\t"})
    assert head_lines(field) == ["FIELD /f", "KIND yes or no"]
    described = field_of({"oneOf": [{"const": "a", "description": " \n "}, {"const": "b"}]})
    assert [outcome_line(described, index) for index in (0, 1)] == ["a", "b"]


@pytest.mark.parametrize(
    ("leaf", "kind"),
    [
        ({"type": "string", "format": "uuid"}, "uuid"),
        ({"type": "string", "format": "date"}, "date"),
        ({"type": "string", "format": "date-time"}, "date and time"),
        ({"type": "integer"}, "whole number"),
        ({"type": "number"}, "number"),
        ({"type": "integer", "minimum": 0, "maximum": 3}, "scale"),
    ],
)
def test_kinds(leaf: dict[str, Any], kind: str):
    assert kind_text(field_of(leaf)) == kind


def test_constraints_are_told_to_extract_fields_only():
    told = field_of({"type": "number", "minimum": 0.5, "maximum": 7})
    assert head_lines(told)[-1] == "CONSTRAINTS minimum 0.5, maximum 7"
    assert not any("CONSTRAINTS" in line for line in head_lines(field_of({"type": "integer", "enum": [1, 2]})))


@given(st.text(min_size=1, max_size=20), st.text(max_size=30), st.text(max_size=30))
def test_every_line_is_one_line(name: str, title: str, description: str):
    try:
        field = field_of({"type": "string", "title": title, "description": description}, name)
    except SchemaError:
        return  # lone surrogates
    assert all(len(line.splitlines()) == 1 for line in head_lines(field))
