"""Runs: resumed after a stop, and never mixed with another predictor's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deg_core.errors import FillError, RecordError, RuntimeLimitError, SchemaError
from deg_core.evaluate.runner import read_header, read_outcomes, run
from deg_core.evaluate.sampling import load_sample, sample
from deg_core.records import write_records
from tests.unit.evaluate.making import Answering, record

TAGS = {"type": "array", "items": {"type": "string"}}
RECORDS = [record(str(k), f"text {k}", {"a": {"type": "boolean"}}, {"a": k % 2 == 0}) for k in range(8)]


class Killed(Exception):
    pass


def truthful(context: str, schema: Mapping[str, Any]) -> Any:
    return {"a": int(context.split()[1]) % 2 == 0}


def stopping(after: int) -> Answering:
    def answer(context: str, schema: Mapping[str, Any]) -> Any:
        if predictor.calls > after:
            raise Killed
        return truthful(context, schema)

    predictor = Answering(answer)
    return predictor


def test_a_run_goes_on_where_it_stopped(tmp_path: Path):
    path = tmp_path / "outcomes.jsonl"
    with pytest.raises(Killed):
        run(RECORDS, stopping(5), path)
    assert len(read_outcomes(path)[1]) == 5
    again = Answering(truthful)
    outcomes = run(RECORDS, again, path)
    assert again.calls == 3
    assert [outcome.uid for outcome in outcomes] == [made.uid for made in RECORDS]
    assert all(outcome.fields[0].right and outcome.valid for outcome in outcomes)
    assert [outcome.uid for outcome in read_outcomes(path)[1]] == [made.uid for made in RECORDS]
    third = Answering(truthful)
    assert run(RECORDS, third, path) == outcomes
    assert third.calls == 0


@pytest.mark.parametrize("cut", [1, 40])
def test_a_line_cut_short_is_made_again(tmp_path: Path, cut: int):
    path = tmp_path / "outcomes.jsonl"
    whole = run(RECORDS, Answering(truthful), path)
    path.write_bytes(path.read_bytes()[:-cut])
    again = Answering(truthful)
    assert [outcome.fields for outcome in run(RECORDS, again, path)] == [outcome.fields for outcome in whole]
    assert again.calls == 1
    assert len(read_outcomes(path)[1]) == len(RECORDS)


def test_a_header_cut_short_begins_anew(tmp_path: Path):
    path = tmp_path / "outcomes.jsonl"
    run(RECORDS[:1], Answering(truthful), path)
    path.write_bytes(path.read_bytes()[:30])
    assert len(run(RECORDS, Answering(truthful), path)) == len(RECORDS)


def test_outcomes_of_another_predictor(tmp_path: Path):
    path = tmp_path / "outcomes.jsonl"
    run(RECORDS, Answering(truthful), path)
    other = Answering(truthful, fingerprint="e" * 64)
    with pytest.raises(RecordError, match="outcomes of made"):
        run(RECORDS, other, path)
    assert len(read_outcomes(path)[1]) == len(RECORDS)
    run(RECORDS[:2], other, path, replace=True)
    header = read_header(path)
    assert header is not None
    assert header.fingerprint == other.fingerprint
    assert len(read_outcomes(path)[1]) == 2


def test_a_changed_record_is_evaluated_again(tmp_path: Path):
    path = tmp_path / "outcomes.jsonl"
    run(RECORDS, Answering(truthful), path)
    changed = [*RECORDS[:-1], msgspec.structs.replace(RECORDS[-1], context="text 6")]
    again = Answering(truthful)
    outcomes = run(changed, again, path)
    assert again.calls == 1
    assert not outcomes[-1].fields[0].right


def test_files_that_hold_something_else(tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    with pytest.raises(RecordError, match="not a file of outcomes"):
        run(RECORDS, Answering(truthful), path, replace=True)
    assert path.read_text() == "dear diary\n"
    path.write_text("no line end")
    with pytest.raises(RecordError, match="not a file of outcomes"):
        read_header(path)
    damaged = tmp_path / "outcomes.jsonl"
    run(RECORDS[:2], Answering(truthful), damaged)
    damaged.write_bytes(damaged.read_bytes() + b'{"uid": 3}\n')
    with pytest.raises(RecordError, match=r"outcomes\.jsonl:4"):
        run(RECORDS, Answering(truthful), damaged)
    assert read_header(tmp_path / "absent") is None


def test_what_cannot_be_filled_is_an_outcome():
    def answer(context: str, schema: Mapping[str, Any]) -> Any:
        if context == "text 0":
            raise FillError("not in the text", pointer="/a")
        if context == "text 1":
            raise RuntimeLimitError("too long")
        return {"a": True}

    first, second, third = run(RECORDS[:3], Answering(answer))
    assert (first.error, second.error, third.error) == ("DEG-C003", "DEG-R001", None)
    assert first.message == "/a: not in the text"
    assert not first.fields[0].answered
    assert third.fields[0].right


def test_only_what_can_be_scored_is_asked():
    rows = {"type": "array", "items": {"type": "string"}}
    seen: list[Mapping[str, Any]] = []

    def answer(context: str, schema: Mapping[str, Any]) -> Any:
        seen.append(schema)
        return {"a": True}

    given = [
        record("1", "text", {"a": {"type": "boolean"}, "rows": rows}, {"a": True, "rows": ["x"]}),
        record("2", "text", {"rows": rows}, {"rows": []}),
        record("3", "text", {"reply": {"type": "string", "x-generate": True}}, {"reply": "x"}),
    ]
    (only,) = run(given, Answering(answer), arrays=False)
    assert only.uid == "1"
    assert only.arrays == ()
    assert list(seen[0]["properties"]) == ["a"]
    first, second = run(given, Answering(answer))
    assert (first.uid, second.uid) == ("1", "2")
    assert list(seen[1]["properties"]) == ["a", "rows"]
    assert [outcome.arrays[0].gold for outcome in (first, second)] == [1, 0]
    assert first.fields == only.fields
    with pytest.raises(SchemaError):
        run([record("4", "text", {"a": {"type": "nonsense"}}, {})], Answering(answer))


def test_outcomes_of_arrays_are_kept(tmp_path: Path):
    path = tmp_path / "outcomes.jsonl"
    rows = {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}, "tags": TAGS}}}
    made = record("1", "1 x 2 y", {"rows": rows}, {"rows": [{"n": 1, "tags": ["x"]}, {"n": 2, "tags": ["y"]}]})
    answer = {"rows": [{"n": 2, "tags": ["y", "x"]}]}
    outcomes = run([made], Answering(lambda *_: answer), path)
    assert [array.pointer for array in outcomes[0].arrays] == ["/rows", "/rows/0/tags", "/rows/1/tags"]
    again = Answering(lambda *_: answer)
    assert run([made], again, path) == outcomes
    assert again.calls == 0


def test_outcomes_of_an_older_layout_are_refused(tmp_path: Path):
    path = tmp_path / "outcomes.jsonl"
    header = {"format": "deg-outcomes-1", "predictor": "made", "fingerprint": "f" * 64}
    path.write_bytes(msgspec.json.encode(header) + b"\n")
    with pytest.raises(RecordError, match="delete it to begin anew"):
        run(RECORDS, Answering(truthful), path, replace=True)


# Samples


def test_a_sample_depends_on_no_order_and_grows():
    given = [record(str(k), "t", {}, {}, source=source) for k in range(40) for source in ("a", "b")]
    ten = sample(given, per_source=10)
    assert [made.uid for made in sample(reversed(given), per_source=10)] == [made.uid for made in ten]
    assert [made.source for made in ten] == ["a"] * 10 + ["b"] * 10
    twenty = sample(given, per_source=20)
    assert {(m.source, m.uid) for m in ten} < {(m.source, m.uid) for m in twenty}
    assert len(sample(given)) == 80
    assert {m.uid for m in sample(given, per_source=10, seed=1)} != {m.uid for m in ten}
    with pytest.raises(ValueError, match="at least 1"):
        sample(given, per_source=0)


def test_a_split_that_nobody_has(tmp_path: Path):
    path = tmp_path / "made.jsonl.gz"
    write_records(path, RECORDS)
    assert len(load_sample([path], split="test", per_source=3)) == 3
    with pytest.raises(RecordError, match="no record of split 'val'"):
        load_sample([path], split="val")
