"""Requests and options: every problem at once, nothing unknown taken (SPEC 7 and 9)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from deg_core.contract.request import FillRequest, Options, parse_options, parse_request, render_context
from deg_core.errors import RequestError


def refused(given: Any) -> list[tuple[list[str | int], str]]:
    with pytest.raises(RequestError) as caught:
        parse_options(given)
    return [(problem["loc"], problem["msg"]) for problem in caught.value.problems]


def test_defaults_are_those_of_the_contract():
    assert msgspec.to_builtins(Options()) == {
        "max_new_tokens": 256,
        "max_items": None,
        "date_order": None,
        "default_offset": "Z",
        "temperature": 0.0,
        "seed": None,
        "array_decode": None,  # the checkpoint's own, count_peaks by default
        "null_margin": None,
    }
    assert parse_options(None) == parse_options({}) == Options()


def test_all_options():
    given = {
        "max_new_tokens": 9,
        "max_items": 3,
        "date_order": "DMY",
        "default_offset": "-05:30",
        "temperature": 1,
        "seed": 2**63 - 1,
        "array_decode": "hybrid",
        "null_margin": -2.5,
    }
    options = parse_options(given)
    assert msgspec.to_builtins(options) == given
    assert isinstance(options.temperature, float)
    nulls = {name: None for name in ("max_items", "date_order", "seed", "array_decode", "null_margin")}
    assert parse_options(nulls) == Options()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_new_tokens", 0),
        ("max_new_tokens", None),
        ("max_new_tokens", True),
        ("max_new_tokens", 2.5),
        ("max_new_tokens", "9"),
        ("max_items", -1),
        ("date_order", "YMD"),
        ("date_order", ["MDY"]),
        ("default_offset", "+2:00"),
        ("default_offset", "+24:00"),
        ("default_offset", "Z\n"),
        ("default_offset", None),
        ("temperature", -0.1),
        ("temperature", "hot"),
        ("temperature", None),
        ("seed", -1),
        ("seed", 2**63),
        ("seed", 1.0),
        ("array_decode", "best"),
        ("array_decode", []),
        ("null_margin", "1"),
        ("null_margin", True),
    ],
)
def test_wrong_value(name: str, value: Any):
    ((loc, message),) = refused({name: value})
    assert loc == ["options", name]
    assert message.startswith(f"{name} must be ")
    assert ", found " in message


def test_numbers_that_json_cannot_hold():
    assert refused({"null_margin": float("inf")})[0] == (["options", "null_margin"], "inf is not a JSON number")


def test_unknown_options_are_named():
    assert refused({"temprature": 1}) == [
        (
            ["options", "temprature"],
            'unknown option "temprature"; did you mean temperature?; allowed: max_new_tokens, max_items, date_order, '
            "default_offset, temperature, seed, array_decode, null_margin",
        )
    ]
    assert refused([1])[0][1] == "options must be an object, found [1]"


def test_sampling_needs_a_seed():
    assert refused({"temperature": 0.5}) == [
        (["options", "seed"], "temperature above 0 needs a seed, so that the same request gives the same text")
    ]
    assert [loc for loc, _ in refused({"temperature": 0.5, "seed": "x"})] == [["options", "seed"]]


def test_registered_array_decoders_count():
    assert parse_options({"array_decode": "mine"}, array_decoders=["mine"]).array_decode == "mine"


def test_every_problem_of_a_request_is_reported():
    with pytest.raises(RequestError) as caught:
        parse_request({"contxt": 1, "schema": [], "model": "", "options": {"seed": -1, "tmp": 2}})
    places = [problem["loc"] for problem in caught.value.problems]
    assert places == [["contxt"], ["context"], ["schema"], ["model"], ["options", "tmp"], ["options", "seed"]]


@pytest.mark.parametrize("body", ["[]", b"3", "null"])
def test_a_request_is_an_object(body: str | bytes):
    with pytest.raises(RequestError, match="the request must be an object"):
        parse_request(body)


def test_a_request_from_text():
    body = '{"context": {"b": 1, "a": [null]}, "schema": {"type": "object"}, "options": {"max_items": 2}}'
    request = parse_request(body)
    assert request == FillRequest(
        context={"b": 1, "a": [None]}, schema={"type": "object"}, options=Options(max_items=2), model="deg-latest"
    )
    assert parse_request(json.loads(body)) == request == parse_request(body.encode())


def test_null_is_no_context():
    with pytest.raises(RequestError, match="context must be a string, an object or an array, found null"):
        parse_request({"context": None, "schema": {}})


def test_rendering():
    assert render_context("  verbatim \n\u2028") == "  verbatim \n\u2028"
    value = {"ž": [1, 2.5, None, True, 1e-7], "a": {"x": 'q"\n'}, "": []}
    assert render_context(value) == '{"ž": [1, 2.5, null, true, 1e-07], "a": {"x": "q\\"\\n"}, "": []}'
    assert render_context([{"b": 1, "a": 2}]) == '[{"b": 1, "a": 2}]'
    assert render_context("") == ""


@pytest.mark.parametrize(
    ("context", "loc", "part"),
    [
        (3, ["context"], "context must be"),
        ("a\ud800", ["context"], "U+D800 at position 1"),
        ({"a": ["\udc00"]}, ["context", "a", 0], "lone surrogate"),
        ([float("nan")], ["context", 0], "not a JSON number"),
        ({"a": object()}, ["context", "a"], "Python object"),
        ({1: 2}, ["context"], "keys must be strings"),
    ],
)
def test_contexts_that_cannot_be_rendered(context: Any, loc: list[str | int], part: str):
    with pytest.raises(RequestError) as caught:
        render_context(context)
    (problem,) = caught.value.problems
    assert problem["loc"] == loc
    assert part in problem["msg"]


def test_rendering_does_not_go_deeper_than_the_limit():
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(RequestError, match="limit of 128"):
        render_context(deep)
