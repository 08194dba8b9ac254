"""``deg evaluate`` and ``deg calibrate``, with a model that answers by rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deg_core.errors import UnsupportedError
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
    heads: Mapping[str, Any] = {}

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
        monkeypatch.setattr(command, "load", lambda *_, **__: made)
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


class ArrayModel(Model):
    """Finds one item less for every decoder but the first; tells what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def fill(self, context: str, schema: Mapping[str, Any], **options: Any) -> Any:
        self.asked.append(options)
        words = context.split()
        rows = words[:-1] if options.get("array_decode") == "threshold" else words
        value = {"a": True, "rows": rows} if "rows" in schema["properties"] else {"a": True}
        usage = SimpleNamespace(prompt_tokens=9, generated_tokens=0)
        return SimpleNamespace(value=value, meta={}, usage=usage)


@pytest.fixture
def array_records(tmp_path: Path) -> Path:
    folder = tmp_path / "arrays"
    properties = {"a": {"type": "boolean"}, "rows": {"type": "array", "items": {"type": "string"}}}
    made = [record(f"x/{k}", "one two three", properties, {"a": True, "rows": ["one", "two", "three"]}) for k in "ab"]
    made.append(record("x/c", "four", {"a": {"type": "boolean"}}, {"a": False}))
    write_records(folder / "made.jsonl.gz", made)
    return folder


@pytest.fixture
def array_model(monkeypatch: pytest.MonkeyPatch) -> ArrayModel:
    made = ArrayModel()
    monkeypatch.setattr(evaluate_command, "load", lambda *_, **__: made)
    return made


def test_array_decoders_in_one_table(
    array_records: Path, array_model: ArrayModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out, markdown = tmp_path / "r.json", tmp_path / "r.md"
    arguments = ["evaluate", "--records", str(array_records), "--out", str(out), "--markdown", str(markdown)]
    decoders = ["--array-decode", "hybrid", "--array-decode", "threshold"]
    assert run([*arguments, *decoders]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert report["array_decode"] == "hybrid"
    assert report["deg"]["micro"]["arrays"]["top-level"]["count_exact"]["value"] == 1.0
    assert report["deg"]["micro"]["modes"]["noul"]["accuracy"]["value"] == pytest.approx(2 / 3)
    figures = report["array_decoders"]["threshold"]["micro"]["top-level"]
    assert figures["count_exact"]["value"] == 0.0
    assert figures["leaves"]["all"]["em_aligned"]["value"] == pytest.approx(2 / 3)
    assert report["array_decoders"]["threshold"]["minus_first"]["array count"]["difference"] == -1
    # The record without an array is not filled again.
    assert [asked["array_decode"] for asked in array_model.asked] == ["hybrid"] * 3 + ["threshold"] * 2
    for text in (capsys.readouterr().out, markdown.read_text("utf-8")):
        assert "array decoders" in text
        assert "-0.200" in text  # of F1: 2 of 3 found and none made up, against 3 of 3


@pytest.mark.usefixtures("array_model")
def test_arrays_can_be_left_out(array_records: Path, tmp_path: Path):
    out = tmp_path / "r.json"
    assert run(["evaluate", "--records", str(array_records), "--out", str(out), "--no-arrays"]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert report["deg"]["records"] == 3
    assert report["deg"]["micro"]["arrays"] == {}


def test_decoders_are_checked_before_anything_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["evaluate", "--records", str(tmp_path), "--out", str(tmp_path / "r.json")]
    assert run([*arguments, "--array-decode", "treshold"]) == 2
    assert "threshold" in capsys.readouterr().err
    assert run([*arguments, "--array-decode", "hybrid", "--array-decode", "hybrid"]) == 2
    assert run([*arguments, "--array-decode", "hybrid", "--no-arrays"]) == 2


def test_a_checkpoint_without_arrays(
    array_records: Path,
    tmp_path: Path,
    array_model: ArrayModel,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def refuse(*_: Any, **__: Any) -> Any:
        raise UnsupportedError("this checkpoint has no head for: /rows (array, anchor)")

    monkeypatch.setattr(array_model, "fill", refuse)
    assert run(["evaluate", "--records", str(array_records), "--out", str(tmp_path / "r.json")]) == 2
    assert "--no-arrays" in capsys.readouterr().err


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
    monkeypatch.setattr(calibrate_command, "load", lambda *_: SimpleNamespace(spec=spec, compute="int8", heads={}))
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


@pytest.mark.usefixtures("model")
def test_orders_in_texts_are_a_table_of_their_own(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "report.json"
    assert run(["evaluate", "--records", str(records), "--out", str(out), "--injected", "3"]) == 0
    injected = json.loads(out.read_text("utf-8"))["injected"]
    assert injected["records"] == 6
    assert injected["all"]["order"]["changed"] == {"value": 0.0, "low": 0.0, "high": 0.0, "n": 18}
    assert "lines put into 6 texts" in capsys.readouterr().out
