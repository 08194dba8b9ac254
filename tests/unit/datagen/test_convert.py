"""The convert command: files, manifest, and what it says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from deg_core.datagen.convert import main
from deg_core.records import read_records
from tests.unit.datagen.set_files import WRITERS


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("boolq", "wikigold"):
        WRITERS[name](tmp_path / "data" / name)
    return tmp_path / "data"


def test_writes_files_and_manifest(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["--data", str(data), "--out", str(out)]) == 0
    assert "boolq: train" in capsys.readouterr().out
    entries = json.loads((out / "manifest.json").read_text())["sources"]
    assert [entry["source"] for entry in entries] == ["boolq", "wikigold"]
    for entry in entries:
        file = out / entry["file"]
        assert hashlib.sha256(file.read_bytes()).hexdigest() == entry["sha256"]
        assert sum(entry["records"].values()) == len(list(read_records(file)))
        assert entry["licence"]
        assert entry["attribution"]
    assert entries[0]["skipped"] == {"empty text": 1}


def test_a_later_run_keeps_other_entries_and_the_limit_holds(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    main(["--data", str(data), "--out", str(out)])
    assert main(["--data", str(data), "--out", str(out), "--sources", "boolq", "--limit", "3"]) == 0
    entries = {entry["source"]: entry for entry in json.loads((out / "manifest.json").read_text())["sources"]}
    assert set(entries) == {"boolq", "wikigold"}
    assert sum(entries["boolq"]["records"].values()) == 3


def test_a_missing_set_is_reported_and_the_rest_is_done(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(data), "--out", str(tmp_path / "out"), "--sources", "squad2,boolq"]) == 1
    captured = capsys.readouterr()
    assert "squad2: DEG-C004" in captured.err
    assert "boolq: train" in captured.out
    assert not (tmp_path / "out" / "squad2.jsonl.gz").exists()
