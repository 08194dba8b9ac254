"""Reading and writing record files: whole or not at all, the same bytes, errors with file and line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deg_core.errors import RecordError
from deg_core.records import Record, read_records, write_records

RECORD = Record(
    uid="a/1",
    source="a",
    split="train",
    domain="note",
    context="Call Ann at five.",
    schema={"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
    value={"who": "Ann"},
    spans={"/who": (5, 8)},
)


def _other(uid: str, **changes: object) -> Record:
    import msgspec

    return msgspec.structs.replace(RECORD, uid=uid, **changes)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_round_trip(tmp_path: Path, name: str) -> None:
    records = [RECORD, _other("a/2", context="line\u2028separator and \u0085", spans={}, value={"who": "x"})]
    assert write_records(tmp_path / name, records) == 2
    assert list(read_records(tmp_path / name)) == records


def test_lines_are_cut_at_line_feeds_only(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    text = "one\u2028two\u2029three\u0085four"
    line = json.dumps({"uid": "u", "source": "s", "split": "val", "domain": "d", "context": text, "schema": {},
                       "value": {}}, ensure_ascii=False)  # fmt: skip
    file.write_text(line + "\n\n" + line.replace('"u"', '"v"') + "\r\n", encoding="utf-8")
    assert [(record.uid, record.context) for record in read_records(file)] == [("u", text), ("v", text)]


def test_equal_records_give_equal_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "x" / "a.jsonl.gz", tmp_path / "y" / "other-name.jsonl.gz"
    write_records(first, [RECORD])
    write_records(second, iter([RECORD]))
    assert first.read_bytes() == second.read_bytes()


def test_a_folder_is_read_in_order_of_names(tmp_path: Path) -> None:
    write_records(tmp_path / "b.jsonl", [_other("b/1")])
    write_records(tmp_path / "a.jsonl.gz", [RECORD, _other("a/2", split="val")])
    (tmp_path / "notes.txt").write_text("not records")
    assert [record.uid for record in read_records(tmp_path)] == ["a/1", "a/2", "b/1"]
    assert [record.uid for record in read_records(tmp_path, split="val")] == ["a/2"]


def test_a_failing_iterator_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    write_records(file, [RECORD])
    before = file.read_bytes()

    def failing() -> Iterator[Record]:
        yield _other("a/9")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_records(file, failing())
    assert file.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "a.jsonl:2: not a record"),
        ('{"uid": "u"}', "missing required field `source`"),
        (json.dumps({"uid": "u", "source": "s", "split": "dev", "domain": "d", "context": "c", "schema": {},
                     "value": {}}), "`$.split`"),
        (json.dumps({"uid": "u", "source": "s", "split": "val", "domain": "d", "context": "c", "schema": {},
                     "value": {}, "spans": {"/a": [1]}}), "`$.spans[...]`"),
    ],
)  # fmt: skip
def test_errors_name_file_line_and_place(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "a.jsonl"
    write_records(file, [RECORD])
    with file.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(RecordError) as caught:
        list(read_records(file))
    assert says in str(caught.value)
    assert "a.jsonl:2" in str(caught.value)


def test_missing_and_empty_places(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such file or folder"):
        list(read_records(tmp_path / "nothing"))
    with pytest.raises(RecordError, match="holds no"):
        list(read_records(tmp_path))
    with pytest.raises(RecordError, match="ending in"):
        write_records(tmp_path / "a.json", [RECORD])


def test_damaged_gzip(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(gzip.compress(b"{}\n" * 2000)[:-12])
    with pytest.raises(RecordError, match=r"a\.jsonl\.gz"):
        list(read_records(file))
