"""``--device`` of every command that loads a model: what is no device, or is not there, is said in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from deg_core.records import write_records
from deg_serve.cli.main import run
from tests.fixtures.tiny import Tiny
from tests.unit.evaluate.making import record

SCHEMA = {"type": "object", "properties": {"a": {"type": "boolean"}}}


@pytest.fixture(params=["fill", "fill --jsonl", "explain", "evaluate", "calibrate", "serve"])
def command(request: pytest.FixtureRequest, tiny: Tiny, tmp_path: Path, deg_home: Path) -> list[str]:
    """A command on the tiny checkpoint, without its device."""
    schema, text, lines = tmp_path / "s.json", tmp_path / "t.txt", tmp_path / "t.jsonl"
    schema.write_text(json.dumps(SCHEMA), "utf-8")
    text.write_text("yes", "utf-8")
    lines.write_text('"yes"\n', "utf-8")
    rows = [record(f"x/{k}", "yes", {"a": {"type": "boolean"}}, {"a": True}, split="val") for k in range(3)]
    write_records(tmp_path / "r.jsonl.gz", rows)
    records = ["--records", str(tmp_path / "r.jsonl.gz"), "--split", "val"]
    of = {
        "fill": ["fill", str(text), "-s", str(schema)],
        "fill --jsonl": ["fill", "--jsonl", str(lines), "-s", str(schema)],
        "explain": ["explain", "/a", str(text), "-s", str(schema)],
        "evaluate": ["evaluate", *records, "--out", str(tmp_path / "o.json")],
        "calibrate": ["calibrate", *records, "--out", str(tmp_path / "out")],
        "serve": ["serve", "--port", "0"],
    }
    return [*of[str(request.param)], "--ckpt", str(tiny.checkpoint)]


@pytest.mark.parametrize(
    ("device", "says"),
    [
        ("tpu", "device 'tpu' is not known; allowed: cpu, cuda, cuda:0, cuda:1 and so on"),
        (f"cuda:{torch.cuda.device_count()}", f"sees {torch.cuda.device_count()} GPUs. Use device='cpu'"),
    ],
)
def test_a_device_that_is_not_there(command: list[str], device: str, says: str, capsys: pytest.CaptureFixture[str]):
    assert run([*command, "--device", device]) == 2
    assert says in " ".join(capsys.readouterr().err.split())
