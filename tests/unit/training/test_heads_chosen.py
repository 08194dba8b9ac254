"""``--head MODE=NAME``: which head is trained for a mode."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from deg_core.contract.plan import Mode
from deg_core.errors import TrainingError
from deg_core.protocols.head import ArrayQuery
from deg_core.training.__main__ import parse_head, parser
from deg_core.training.config import Source, TrainConfig
from deg_core.training.trainer import HEADS, Trainer, chosen_heads
from tests.fixtures.tiny import Tiny, write_trained

RECORD = """{"uid": "a/1", "source": "a", "split": "train", "domain": "d", "context": "Ann came.", "schema":
{"type": "object", "properties": {"name": {"type": "string"}}}, "value": {"name": "Ann"}, "spans": {"/name": [0, 3]}}
""".replace("\n{", " {")


def test_flags():
    settings = parser().parse_args(
        ["--records", "r.jsonl", "--out", "run", "--head", "decide.choice=acme-a", "--head", "count=acme-b"]
    )
    assert dict(settings.head) == {"decide.choice": "acme-a", "count": "acme-b"}
    assert parse_head("count=b") == ("count", "b")
    with pytest.raises(SystemExit):
        parser().parse_args(["--records", "r.jsonl", "--out", "run", "--head", "acme-a"])


def test_the_others_stay_degs_own():
    assert chosen_heads({}) == HEADS
    chosen = chosen_heads({"decide.choice": "acme-a", "anchor": "acme-b"})
    assert chosen == HEADS | {Mode.CHOICE: "acme-a", ArrayQuery.ANCHOR: "acme-b"}


def test_a_checkpoint_to_start_from_keeps_its_heads():
    init = {"extract.span": "extract-linked", "decide.choice": "acme-a"}
    chosen = chosen_heads({"decide.choice": "choice"}, init)
    assert chosen == HEADS | {Mode.SPAN: "extract-linked"}


@pytest.mark.parametrize(
    ("heads", "says"),
    [
        (
            {"decide.chioce": "acme"},
            r"--head decide.chioce=acme: nothing asks for 'decide.chioce'; allowed: decide.choi",
        ),
        ({"generate": "acme"}, "nothing asks for 'generate'"),
        ({"count": "acme.count"}, "a head whose name holds a dot cannot be trained"),
    ],
)
def test_what_cannot_be_meant(heads: dict[str, str], says: str):
    with pytest.raises(TrainingError, match=says):
        chosen_heads(heads)


@pytest.mark.parametrize(
    ("heads", "says"),
    [
        ({"decide.noul": "choice"}, "--head decide.noul=choice: that head answers decide.choice"),
        ({"decide.choice": "readout-choice"}, "--head decide.choice=readout-choice: that head has nothing to train"),
    ],
)
def test_a_head_must_answer_what_it_is_trained_for(tiny: Tiny, tmp_path: Path, heads: dict[str, str], says: str):
    config = TrainConfig(
        out=tmp_path, records=(), backbone="llama", base_model=tiny.snapshot, first_layer=1, heads=heads
    )
    with pytest.raises(TrainingError, match=says):
        Trainer(config)


def test_a_run_goes_on_with_the_heads_of_the_checkpoint_it_starts_from(tiny: Tiny, tmp_path: Path):
    folder = tmp_path / "trained"
    folder.mkdir()
    write_trained(folder, tiny.snapshot, linked=[Mode.SPAN])
    records = tmp_path / "records.jsonl"
    records.write_text(RECORD, encoding="utf-8")
    config = TrainConfig(
        out=tmp_path / "run",
        records=(Source(records),),
        backbone="llama",
        base_model=tiny.snapshot,
        first_layer=0,
        rank=4,
        alpha=8.0,
        init=folder,
    )
    trainer = Trainer(config)
    assert trainer.head_names == HEADS | {Mode.SPAN: "extract-linked"}
    saved = load_file(folder / "heads.safetensors")
    for name, value in trainer.heads.state_dict().items():
        assert torch.equal(value, saved[name]), name
