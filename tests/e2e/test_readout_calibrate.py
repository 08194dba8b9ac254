"""``deg calibrate`` turns a backbone into a checkpoint: it loads like any other and says what was fitted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import Mode
from deg_core.engine.load import load_model
from deg_core.evaluate.calibration import gather, settings
from deg_core.plugins.checkpoint import read_checkpoint
from deg_core.protocols.language import SpanScores
from deg_core.records import write_records
from deg_serve.cli.main import run
from tests.fixtures.tiny import Tiny
from tests.unit.evaluate.making import record

PROPERTIES = {
    "kind": {"enum": ["order", "refund", "complaint"]},
    "paid": {"type": "boolean"},
    "due": {"type": "boolean"},
    "who": {"type": ["string", "null"]},
    "total": {"type": ["number", "null"]},
}


def made(count: int) -> list:
    records = []
    for k in range(count):
        text = f"Pay {k + 10}.50 to Ann, please." if k % 3 else f"Nothing, no {k}."
        value = {
            "kind": ("order", "refund", "complaint")[k % 3],
            "paid": k % 2 == 0,
            "due": k % 5 == 0,
            "who": "Ann" if k % 3 else None,
            "total": k + 10.5 if k % 3 else None,
        }
        spans = {"/who": (text.index("Ann"), text.index("Ann") + 3)} if k % 3 else {}
        records.append(record(str(k), text, PROPERTIES, value, spans=spans, split="val"))
    return records


def test_a_backbone_becomes_a_checkpoint(
    tiny: Tiny, deg_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    write_records(tmp_path / "made.jsonl.gz", made(16))
    out = tmp_path / "calibrated"
    arguments = ["calibrate", "--records", str(tmp_path / "made.jsonl.gz"), "--ckpt", str(tiny.snapshot)]
    assert run(arguments) == 2  # a snapshot is not changed
    assert "is a backbone, which is not changed; give --out" in capsys.readouterr().err
    assert run([*arguments, "--out", str(out), "--rotations", "2"]) == 0
    shown = capsys.readouterr().out
    assert "readout-extract" in shown
    assert "null bias" in shown
    assert "readout-choice: 16 rows are fewer" in shown

    spec = read_checkpoint(out)
    assert spec.model_id == "llama-readout"
    assert set(spec.temperatures) == {"readout-noul", "readout-extract"}
    fits = spec.provenance.config["calibration"]["fits"]
    assert fits["readout-extract"]["rows"] == 32
    json.dumps(fits)

    before, after = load_model(tiny.snapshot, rotations=2), load_model(out, base_model=tiny.snapshot)
    assert after.temperature(compile_schema({"type": "object", "properties": PROPERTIES}).fields[1]) != 1.0
    assert float(after.heads[Mode.CHOICE].rotations) == 2
    assert float(after.heads[Mode.SPAN].null_bias) == pytest.approx(fits["readout-extract"]["null_bias"], abs=1e-5)
    text, plan = "Pay 30.50 to Ann.", compile_schema({"type": "object", "properties": PROPERTIES})
    ((_, raw),), ((_, calibrated),) = before.read([(text, plan)]), after.read([(text, plan)])
    for one, other in zip(raw, calibrated, strict=True):
        if isinstance(one.logits, SpanScores):
            assert isinstance(other.logits, SpanScores)
            assert other.logits.spans == one.logits.spans
            assert torch.equal(other.logits.scores[:-1], one.logits.scores[:-1])
            moved = float(other.logits.scores[-1] - one.logits.scores[-1])
            assert moved == pytest.approx(float(after.heads[Mode.SPAN].null_bias), abs=1e-5)
        else:
            assert torch.equal(one.logits, other.logits)
    assert run([*arguments[:4], str(out), "--base-model", str(tiny.snapshot)]) == 0  # in place, once more
    again = read_checkpoint(out)
    assert again.temperatures["readout-noul"] == pytest.approx(spec.temperatures["readout-noul"], rel=1e-3)
    second = again.provenance.config["calibration"]["fits"]["readout-extract"]["null_bias"]
    assert second == pytest.approx(0.0, abs=0.2)


def test_what_is_right_among_scored_spans(tiny: Tiny, deg_home: Path):
    model = load_model(tiny.snapshot)
    gathered = gather(model, made(6))
    assert {kind: len(rows) for kind, rows in gathered.spans.items()} == {"readout-extract": 12}
    packed = gathered.spans["readout-extract"].packed()
    assert packed.right[0].tolist()[0]  # record 0 has neither: null, first in a packed row
    assert packed.right[1].tolist()[0]
    present = packed.right[[2, 3, 4, 5]]
    assert not present[:, 0].any()
    assert present[1::2].any(axis=1).all()  # its two numbers are all compared
    assert not (packed.right & ~(packed.scores > -float("inf"))).any()
    kept = settings(model, {})
    assert {name.split(".")[0] for name in kept} == set(model.spec.heads.values())
    assert float(kept["readout-extract.null_bias"]) == 0.0
