"""A run that is stopped anywhere and started again gives the bytes of one that was not."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.request import Context, Options
from deg_core.contract.result import FieldMeta, FillResult, Usage
from deg_core.errors import DegError, FillError, RequestError
from deg_serve.engine import Work
from deg_serve.jsonl.fill import Defaults, fill_lines
from deg_serve.jsonl.lines import read_lines
from deg_serve.jsonl.resume import Run, resume

RUN = Run(schema="s" * 12, options="o" * 12, model="m" * 12)
DEFAULTS = Defaults({"type": "object"}, {})
TEXTS = ["text", "", "ü\u2028", "fail here", "poison", "no memory", "unlike\n"]


class Echo:
    """An engine whose value is the context, with the failures that a context asks for."""

    model_id = "echo"
    names = ("echo",)
    array_decoders = ("count_peaks",)
    batch_tokens = 12

    def __init__(self) -> None:
        self.batches: list[list[Work]] = []

    def prepare(self, context: Context, schema: Mapping[str, Any], options: Options) -> Work:
        return Work(context, schema, options, len(context))

    def run(self, batch: list[Work]) -> Sequence[FillResult | DegError]:
        self.batches.append(batch)
        if any(work.context == "poison" for work in batch):
            raise ZeroDivisionError("as asked")
        if any(work.context == "no memory" for work in batch):
            raise MemoryError
        return [FillError("as asked") if work.context == "fail here" else _result(work) for work in batch]


def _result(work: Work) -> FillResult:
    value = {"a": work.context}
    meta = {"/a": FieldMeta(mode="extract.span", span=[0, 1])}
    return FillResult(model="echo", value=value, json=value, meta=meta, usage=Usage(prompt_tokens=1), plan="p")


def go_on(data: bytes, output: io.BytesIO, run: Run = RUN, *, size: int = 3, stop_after: int | None = None) -> int:
    """One run of the command's work on an output as it is, at most ``stop_after`` batches; how many lines it wrote."""
    output.seek(0)
    done = resume(output, read_lines(io.BytesIO(data)), run, "out.jsonl")
    assert output.tell() == len(output.getvalue())  # what was not finished is gone before anything is written
    written = 0
    for number, batch in enumerate(fill_lines(Echo(), done.rest, run, DEFAULTS, size=size)):
        if number == stop_after:
            break
        output.writelines(batch.lines)
        written += len(batch.lines)
    return written


def whole(data: bytes, run: Run = RUN) -> bytes:
    output = io.BytesIO()
    go_on(data, output, run)
    return output.getvalue()


line = st.one_of(
    st.sampled_from(TEXTS).map(lambda text: json.dumps(text).encode()),
    st.sampled_from([b"", b"  ", b"{broken", b'{"context": "x", "id": "\xc3\xbc"}', b'{"context": [1, 2], "id": 3}']),
)
inputs = st.lists(line, max_size=12).map(b"\n".join)


@given(
    data=inputs, cuts=st.lists(st.floats(0, 1), max_size=5), sizes=st.lists(st.integers(1, 5), min_size=6, max_size=6)
)
def test_stopped_anywhere_any_number_of_times(data: bytes, cuts: list[float], sizes: list[int]):
    expected = whole(data)
    output = io.BytesIO()
    for cut, size in zip(cuts, sizes, strict=False):
        go_on(data, output, size=size, stop_after=2)
        assert expected.startswith(output.getvalue())
        output.truncate(round(cut * len(output.getvalue())))
    before = output.getvalue().count(b"\n")
    written = go_on(data, output, size=sizes[-1])
    assert output.getvalue() == expected
    assert before + written == expected.count(b"\n") == len([part for part in data.split(b"\n") if part.strip()])
    assert go_on(data, output) == 0
    assert output.getvalue() == expected


@given(data=inputs, more=inputs)
def test_an_input_that_grew_is_gone_on_with(data: bytes, more: bytes):
    output = io.BytesIO()
    go_on(data, output)
    go_on(data + b"\n" + more, output)
    assert output.getvalue() == whole(data + b"\n" + more)


def refused(data: bytes, kept: bytes, run: Run = RUN) -> str:
    """Why; the output is not touched."""
    output = io.BytesIO(kept)
    with pytest.raises(RequestError) as caught:
        go_on(data, output, run)
    assert output.getvalue() == kept
    assert "--restart" in caught.value.message
    assert "out.jsonl" in caught.value.message
    return caught.value.message


@given(data=inputs.filter(lambda data: data.strip()), where=st.floats(0, 1, exclude_max=True), cut=st.floats(0, 1))
def test_a_changed_line_is_refused_wherever_it_is(data: bytes, where: float, cut: float):
    parts = data.split(b"\n")
    written = [number for number, part in enumerate(parts) if part.strip()]
    changed = written[int(where * len(written))]
    parts[changed] = b'"another line"'
    full = whole(data).splitlines(keepends=True)
    kept = b"".join(full[: written.index(changed) + 1 + int(cut * len(full))])
    assert f"line {changed + 1} of the input is not the one" in refused(b"\n".join(parts), kept)


def test_a_line_that_moved_is_refused():
    assert "the input has changed" in refused(b'\n"a"\n"b"', whole(b'"a"\n"b"'))
    assert "more lines than the input" in refused(b'"a"', whole(b'"a"\n"b"'))
    assert "not finished" in refused(b'"a"', whole(b'"a"\n"b"')[:-5])


@pytest.mark.parametrize(
    ("part", "said"), [("schema", "another schema"), ("options", "other options"), ("model", "another checkpoint")]
)
def test_another_run_is_refused_by_what_differs(part: str, said: str):
    data = b'"a"\n"b"\n"c"'
    assert said in refused(data, whole(data)[:-3], replace(RUN, **{part: "x" * 12}))
    assert "not finished" in refused(data, whole(data)[:60], replace(RUN, **{part: "x" * 12}))


@pytest.mark.parametrize(
    "kept",
    [
        b"my notes\n",
        b"my notes",
        b'{"a": 1}\n',
        b'{"line": 1, "key": "k"}\n',
        b"[1]",
        b"\x00" * 9,
        b'{"line": 1}',
        b"\n",
    ],
)
def test_a_file_that_is_not_ours_is_never_touched(kept: bytes):
    refused(b'"a"\n"b"', kept)


def test_errors_are_one_lines_each_and_have_the_servers_form():
    data = b'"poison"\n"fail here"\n"text"\n"no memory"\n{broken'
    found = [json.loads(raw) for raw in whole(data).splitlines()]
    assert [entry["line"] for entry in found] == [1, 2, 3, 4, 5]
    codes = [entry.get("error", {}).get("code") for entry in found]
    assert codes == ["DEG-S099", "DEG-C003", None, "DEG-S014", "DEG-C002"]
    assert "ZeroDivisionError" in found[0]["error"]["message"]
    assert found[1] == {
        **{name: found[1][name] for name in ("line", "key")},
        "id": None,
        "error": {"message": "as asked", "type": "server_error", "code": "DEG-C003", "param": None},
        "detail": "as asked",
    }
    assert found[2]["result"]["value"] == {"a": "text"}
    assert found[4]["detail"][0]["loc"] == []


def test_batches_are_bounded_by_number_and_by_tokens():
    engine = Echo()
    data = b"\n".join(json.dumps("x" * length).encode() for length in (5, 5, 5, 30, 1, 1, 1, 1, 1))
    batches = list(fill_lines(engine, read_lines(io.BytesIO(data)), RUN, DEFAULTS, size=4, value_only=True))
    assert [[len(work.context) for work in batch] for batch in engine.batches] == [[5, 5], [5], [30], [1, 1, 1, 1], [1]]
    assert [batch.input_end for batch in batches][-1] == len(data)
    assert json.loads(batches[0].lines[0])["value"] == {"a": "xxxxx"}


def test_a_lines_own_schema_and_options_stand_before_the_commands():
    engine = Echo()
    own = {"context": "b", "schema": {"own": 1}, "options": {"seed": 3}}
    data = b'"a"\n' + json.dumps(own).encode() + b'\n{"context": "c", "options": {"max_items": -1}}'
    defaults = Defaults({"theirs": 1}, {"seed": 2, "max_items": 5})
    (batch,) = fill_lines(engine, read_lines(io.BytesIO(data)), RUN, defaults, size=9)
    first, second = engine.batches[0]
    assert (first.schema, first.options.seed, first.options.max_items) == ({"theirs": 1}, 2, 5)
    assert (second.schema, second.options.seed, second.options.max_items) == ({"own": 1}, 3, 5)
    assert batch.failed == 1
    (batch,) = fill_lines(engine, read_lines(io.BytesIO(b'"a"')), RUN, Defaults(None, {}), size=9)
    assert "no schema" in json.loads(batch.lines[0])["error"]["message"]
