"""``deg bench backbone`` on tiny shapes: what it reports, and that both sides compute the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("transformers")

from deg_backbones.qwen3_5.sizes import Qwen35Of0p8B
from deg_serve.cli.main import run
from tests.fixtures.hybrid import LFM2, QWEN, SHAPES, write_snapshot

SMALL = ["--tokens", "70", "--forks", "2", "--fork-tokens", "9", "--rounds", "1"]


@pytest.fixture(autouse=True)
def _unpinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_setaffinity", lambda *_: None, raising=False)


def test_random_weights_of_the_first_layers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(Qwen35Of0p8B, "published_shape", lambda self: QWEN)
    arguments = ["bench", "backbone", *SMALL, "--layers", "2", "--out", str(tmp_path / "o.json")]
    assert run([*arguments, "--markdown", str(tmp_path / "o.md")]) == 0
    assert "2 of the 4 layers of qwen3.5-0.8b" in " ".join(capsys.readouterr().out.split())
    seconds = json.loads((tmp_path / "o.json").read_text("utf-8"))["seconds"]
    engines = {"deg fp32", "deg bf16", "deg int8", "transformers fp32", "transformers bf16"}
    assert set(seconds["trunk_s"]) == set(seconds["forks_s"]) == engines
    assert all(value > 0 for part in ("trunk_s", "forks_s") for value in seconds[part].values())
    assert seconds["error"]["fp32"] < 1e-4 < seconds["error"]["bf16"]
    assert seconds["error"]["int8"] < 0.3


def test_a_snapshot_without_a_peer(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    write_snapshot(tmp_path, SHAPES["lfm2"])
    asked = ["bench", "backbone", *SMALL, "--backbone", "lfm2", "--snapshot", str(tmp_path), "--compute", "int8"]
    assert run([*asked, "--no-peer"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "int8" in line]
    assert [row.split()[0] for row in rows] == ["trunk", "forks"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--backbone", "lfm2"], "says no shape for random weights; give --snapshot"),
        (["--snapshot", ".", "--layers", "2"], "--layers is for random weights"),
    ],
)
def test_what_cannot_be_measured(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]):
    assert run(["bench", "backbone", *arguments]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_the_published_shapes_have_what_is_read(tmp_path: Path):
    from deg_backbones.lfm2.model import Lfm25Of1p2B

    for family, tiny in ((Qwen35Of0p8B(), QWEN), (Lfm25Of1p2B(), LFM2)):
        shape = family.published_shape()
        assert shape.keys() == tiny.keys()
        (tmp_path / "config.json").write_text(json.dumps(shape), encoding="utf-8")
        assert len(family.geometry(family.read_config(tmp_path)).layers) == shape["num_hidden_layers"]
