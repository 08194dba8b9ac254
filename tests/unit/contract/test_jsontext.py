"""Strict JSON text: nothing is lost or changed without a word."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from deg_core.contract.jsontext import load_json
from deg_core.errors import RequestError, SchemaError
from tests.properties.strategies import json_values


def problems(text: str | bytes) -> list[tuple[list[str | int], str]]:
    with pytest.raises(RequestError) as caught:
        load_json(text)
    return [(problem["loc"], problem["msg"]) for problem in caught.value.problems]


@given(json_values)
def test_what_json_writes_is_read(value: object):
    text = json.dumps(value)
    assert repr(load_json(text)) == repr(value)
    assert repr(load_json("\ufeff" + text)) == repr(value)
    assert repr(load_json(json.dumps(value, ensure_ascii=False).encode("utf-8-sig"))) == repr(value)


def test_repeated_keys_are_named_with_their_place():
    found = problems('{"a": 1, "b": [{"c": 1, "d": 2, "c": {"e": 1, "e": 2}}], "a": 2, "a": 3}')
    assert [loc for loc, _ in found] == [["a"], ["b", 0, "c"], ["b", 0, "c", "e"]]
    assert found[0][1].startswith('the key "a" stands twice in one object')


@pytest.mark.parametrize(
    ("text", "loc", "part"),
    [
        ("NaN", [], "NaN is not a JSON number"),
        ('{"a": [1, Infinity]}', ["a", 1], "Infinity is not a JSON number"),
        ("[-Infinity]", [0], "-Infinity is not"),
        ("[1e999]", [0], "1e999 is beyond the range of a double"),
        ('{"n": ' + "9" * 5000 + "}", ["n"], "an integer of 5000 digits; at most 308"),
        ("-" + "9" * 309, [], "an integer of 309 digits"),
        (r'{"a": "x\ud800y"}', ["a"], "U+D800 at position 1"),
        (r'{"\udfff": 1}', ["\udfff"], "U+DFFF at position 0"),
        ("[" * 129 + "]" * 129, [0] * 128, "limit of 128"),
        ("[" * 100_000, [], "limit of 128"),
        ("", [], "line 1, column 1"),
        ('{"a": 1,\n "b" 2}', [], "line 2, column 6"),
        ("{'a': 1}", [], "not JSON"),
        ("[1] x", [], "Extra data"),
        (b"\xff\xfe[\x00]\x00", [], "UTF-16"),
        (b"\x00\x00\xfe\xff", [], "UTF-32"),
        (b'{"a": "\xe9"}', [], "byte 0xE9 at offset 7"),
    ],
)
def test_refused_with_its_place(text: str | bytes, loc: list[str | int], part: str):
    found = problems(text)
    assert len(found) == 1
    assert found[0][0] == loc or "lone" in found[0][1]
    assert part in found[0][1]


def test_limits_are_where_they_are_said_to_be():
    assert load_json("9" * 308) == int("9" * 308)
    assert load_json("-" + "9" * 308) == -int("9" * 308)
    assert load_json("[" * 128 + "]" * 128)
    assert load_json(r'"\ud83d\ude00"') == "😀"


def test_the_error_class_may_be_chosen():
    with pytest.raises(SchemaError):
        load_json("[", error=SchemaError)
