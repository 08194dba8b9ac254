"""What a line of the input is, and what it may ask for."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.errors import RequestError
from deg_serve.jsonl import lines as module
from deg_serve.jsonl.lines import MAX_LINE, LineJob, read_job, read_lines


def only(text: bytes):
    (line,) = read_lines(io.BytesIO(text))
    return read_job(line)


@given(st.lists(st.binary(max_size=12).map(lambda part: part.replace(b"\n", b"")), max_size=8), st.booleans())
def test_lines_are_those_between_line_feeds_and_blank_ones_are_counted(parts: list[bytes], ended: bool):
    data = b"\n".join(parts) + (b"\n" if ended else b"")
    found = list(read_lines(io.BytesIO(data)))
    assert [(line.number, line.text) for line in found] == [
        (number, part.strip()) for number, part in enumerate(parts, 1) if part.strip()
    ]
    for line in found:
        assert data[: line.end].count(b"\n") in (line.number, line.number - 1)
        assert line.end == len(data) or data[line.end - 1 : line.end] == b"\n"


def test_a_line_beyond_the_limit_is_one_lines_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_LINE", 10)
    data = b'"short"\n"' + b"x" * 40 + b'"\n"next"\n"' + b"y" * 40
    found = list(read_lines(io.BytesIO(data)))
    assert [(line.number, line.text) for line in found] == [(1, b'"short"'), (2, None), (3, b'"next"'), (4, None)]
    assert found[-1].end == len(data)
    assert len({line.digest for line in found}) == 4
    _, error = read_job(found[1])
    assert isinstance(error, RequestError)
    assert "longer than 10 bytes" in error.message


@pytest.mark.parametrize("text", ["plain", "U+2028 \u2028 and \u0085 end no line", "", "ü"])
def test_a_string_is_the_text(text: str):
    assert only(json.dumps(text, ensure_ascii=False).encode() + b"\r\n") == (None, LineJob(text, None, {}))


def test_an_object_has_what_it_needs():
    given = {"context": [1, {"a": None}], "id": 7, "schema": {"type": "object"}, "options": {"seed": 1}}
    assert only(json.dumps(given).encode()) == (7, LineJob([1, {"a": None}], {"type": "object"}, {"seed": 1}))
    nulls = {"context": "x", "id": None, "schema": None, "options": None}
    assert only(json.dumps(nulls).encode()) == (None, LineJob("x", None, {}))


@pytest.mark.parametrize(
    ("text", "ident", "said"),
    [
        (b"{broken", None, "not JSON"),
        (b"[1, 2]", None, "a text or an object with a context"),
        (b"12", None, "a text or an object with a context"),
        (b'{"id": "a"}', "a", "context must be a string, an object or an array; found nothing"),
        (b'{"context": 3, "id": 4}', 4, "found 3"),
        (b'{"context": "x", "id": true}', None, "id must be a string or an integer"),
        (b'{"context": "x", "id": "a", "contxt": 1}', "a", "unknown field"),
        (b'{"context": "x", "id": "a", "schema": []}', "a", "schema must be an object"),
        (b'{"context": "x", "id": "a", "options": 1}', "a", "options must be an object"),
        (b'{"context": "x", "context": "y"}', None, "context"),
        (b'{"context": NaN}', None, "NaN"),
        (b'"\xff"', None, "not UTF-8"),
        (b'"\\ud800"', None, "surrogate"),
    ],
)
def test_what_is_wrong_with_a_line_is_its_own_error(text: bytes, ident: object, said: str):
    found, error = only(text)
    assert found == ident
    assert isinstance(error, RequestError)
    assert said in error.message


def test_every_problem_of_a_line_is_told():
    _, error = only(b'{"id": [], "schema": 1, "options": 2, "more": 3}')
    assert isinstance(error, RequestError)
    assert [problem["loc"] for problem in error.problems] == [["more"], ["context"], ["schema"], ["options"], ["id"]]


def test_the_page_shows_lines_that_are_right():
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "batch.md").read_text("utf-8")
    asked, told = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    jobs = [read_job(line) for line in read_lines(io.BytesIO(asked.encode()))]
    assert [ident for ident, _ in jobs] == [None, "mail-2", 3]
    assert all(isinstance(job, LineJob) for _, job in jobs)
    shown = [json.loads(line) for line in told.splitlines()]
    assert [list(line) for line in shown] == [
        ["line", "key", "id", "result"],
        ["line", "key", "id", "error", "detail"],
    ]
    assert f"A line may have {MAX_LINE // 2**20} MiB." in page
