"""``deg evaluate`` and ``deg calibrate``, with a model that answers by rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deg_core.evaluate import calibration
from deg_core.evaluate.calibration import Gathered, Rows
from deg_core.plugins.checkpoint import DegJson, read_checkpoint, write_checkpoint
from deg_core.records import write_records
from deg_serve.cli import calibrate as calibrate_command
from deg_serve.cli import evaluate as evaluate_command
from deg_serve.cli.evaluate import spread
from deg_serve.cli.main import run
from tests.unit.evaluate.making import record

SPEC = DegJson(model_id="deg-made", backbone="made", heads={"decide.noul": "noul"}, template_version=1)


class Model:
    """Answers true, with little doubt."""

    model_id, compute, spec = "deg-made", "int8", SPEC

    def fill(self, context: str, schema: Mapping[str, Any]) -> Any:
        meta = SimpleNamespace(probability=0.9, probabilities=None, confidence=None, span=None)
        usage = SimpleNamespace(prompt_tokens=9, generated_tokens=0)
        return SimpleNamespace(value={"a": True}, meta={"/a": meta}, usage=usage)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "records"
    made = [
        record(f"{source}/{k}", f"text {k}", {"a": {"type": "boolean"}}, {"a": k % 4 > 0}, source=source, split=split)
        for source, split in (("x", "test"), ("y", "test"), ("x", "train"), ("z", "train"))
        for k in range(8)
    ]
    write_records(folder / "made.jsonl.gz", made)
    return folder


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    made = Model()
    for command in (evaluate_command, calibrate_command):
        monkeypatch.setattr(command, "load", lambda *_: made)
    return made


@pytest.mark.usefixtures("model")
def test_a_report_and_its_table(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "out" / "report.json"
    markdown = tmp_path / "report.md"
    arguments = ["evaluate", "--records", str(records), "--out", str(out), "--markdown", str(markdown)]
    assert run(arguments) == 0
    shown = capsys.readouterr()
    assert "no test records: z" in shown.err
    report = json.loads(out.read_text("utf-8"))
    assert report["deg"]["records"] == 16
    assert report["deg"]["sources"]["x"]["majority_from"] == "train"
    assert report["deg"]["sources"]["y"]["majority_from"] == "folds"
    assert report["deg"]["micro"]["modes"]["noul"]["accuracy"]["value"] == 0.75
    assert report["deg"]["micro"]["modes"]["noul"]["ece"]["value"] > 0
    assert report["files"] == ["records"]
    for text in (shown.out, markdown.read_text("utf-8")):
        assert "0.750" in text
        assert "16 records, 100.0% valid" in text
    assert (tmp_path / "out" / "report.deg.outcomes.jsonl").is_file()


def test_a_second_call_goes_on_and_fresh_does_not(
    records: Path, tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    arguments = ["evaluate", "--records", str(records), "--out", str(tmp_path / "r.json"), "--limit", "3"]
    assert run(arguments) == 0
    calls = []
    fill = model.fill
    monkeypatch.setattr(model, "fill", lambda *given: calls.append(given) or fill(*given), raising=False)
    assert run(arguments) == 0
    assert not calls
    assert run([*arguments, "--fresh"]) == 0
    assert len(calls) == 6
    monkeypatch.setattr(model, "compute", "fp32", raising=False)
    assert run(arguments) == 0
    assert len(calls) == 12
    assert "begun anew" in capsys.readouterr().err


@pytest.mark.usefixtures("model")
def test_several_files_after_one_flag(records: Path, tmp_path: Path):
    file = str(records / "made.jsonl.gz")
    assert run(["evaluate", "--records", file, file, "--out", str(tmp_path / "r.json"), "--limit", "1"]) == 0
    assert run(["evaluate", "--records", file, "--split", "val", "--out", str(tmp_path / "r.json")]) == 2


def test_records_in_turn():
    given = [record(f"{source}{k}", "t", {}, {}, source=source) for source in ("a", "b") for k in range(3)]
    assert [made.uid for made in spread(given, 5)] == ["a0", "b0", "a1", "b1", "a2"]


def test_calibrate_writes_a_copy(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / "heads.safetensors").write_bytes(b"weights")
    spec = write_checkpoint(folder, SPEC)
    monkeypatch.setattr(calibrate_command, "load", lambda *_: SimpleNamespace(spec=spec, compute="int8"))
    rows, few = Rows(), Rows()
    for k in range(60):
        rows.add([1.0, 0.0], [int(k % 4 == 0)])
    few.add([1.0, 0.0], [0])
    gathered = Gathered({"noul": rows, "choice": few}, records=60, too_long=1)
    monkeypatch.setattr(calibration, "gather", lambda *_, on_record: gathered)
    out = tmp_path / "calibrated"
    arguments = ["calibrate", "--records", str(records), "--split", "test", "--ckpt", str(folder)]
    assert run([*arguments, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "choice: 1 rows are fewer than 30; it stays at 1" in shown
    assert "1 records were too long" in shown
    # 3 of 4 are right at a difference of 1, so the likeliest temperature is 1 / log(3).
    assert read_checkpoint(out).temperatures == pytest.approx({"noul": 0.91024}, rel=1e-4)
    assert run(arguments) == 0
    assert read_checkpoint(folder).temperatures == read_checkpoint(out).temperatures


@pytest.mark.usefixtures("model")
def test_an_installed_checkpoint_is_not_changed(records: Path):
    assert run(["calibrate", "--records", str(records), "--split", "test", "--ckpt", "embedded"]) == 2
