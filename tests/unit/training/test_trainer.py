"""Whole runs on the tiny model: they learn, they stop and go on without a trace, and what they save is served."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
from safetensors.torch import load_file

from deg_core.engine.load import load_model
from deg_core.errors import CheckpointError, TrainingError
from deg_core.plugins.checkpoint import read_checkpoint
from deg_core.records.record import Record
from deg_core.training.__main__ import main, parse_source, parser
from deg_core.training.config import Source, TrainConfig
from deg_core.training.trainer import FRUITLESS, Trainer
from tests.fixtures.tiny import Tiny

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["order", "refund", "question"]},
        "urgent": {"type": "boolean"},
        "anger": {"type": "integer", "minimum": 0, "maximum": 3},
        "amount": {"type": ["number", "null"]},
        "who": {"type": ["string", "null"]},
    },
}


def records() -> list[Record]:
    """Eight small texts with all that can be asked of them."""
    made = []
    for n, (kind, who, amount) in enumerate(
        [("order", "Ann", "12"), ("refund", "Bob", "7"), ("question", "Cleo", None), ("order", None, "30")] * 2
    ):
        text = f"{kind} {n}" + (f" by {who}" if who else "") + (f" for EUR {amount}" if amount else "") + "!" * (n % 3)
        spans = {}
        for pointer, words in (("/who", who), ("/amount", amount)):
            if words:
                spans[pointer] = (text.index(words), text.index(words) + len(words))
        value = {
            "kind": kind,
            "urgent": n % 3 > 0,
            "anger": n % 4,
            "amount": int(amount) if amount else None,
            "who": who,
        }
        common = {"source": "made", "split": "train", "domain": "d", "schema": SCHEMA}
        made.append(Record(uid=f"u{n}", context=text, value=value, spans=spans, **common))
    return made


@pytest.fixture
def source(tmp_path: Path) -> Source:
    path = tmp_path / "made.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, records())))
    return Source(path)


@pytest.fixture
def config(tiny: Tiny, source: Source, tmp_path: Path) -> TrainConfig:
    return TrainConfig(
        out=tmp_path / "run",
        records=(source,),
        backbone="llama",
        base_model=tiny.snapshot,
        steps=6,
        budget=600,
        rank=4,
        alpha=4.0,
        first_layer=1,
        lr_adapters=5e-3,
        lr_heads=5e-3,
        warmup=2,
        seed=3,
    )


def run(config: TrainConfig) -> tuple[Path, list[dict[str, Any]]]:
    """The last folder, and the log lines without what a clock writes."""
    entries: list[dict[str, Any]] = []
    folder = Trainer(config, on_step=entries.append).run()
    return folder, [
        {k: v for k, v in entry.items() if not k.startswith(("seconds", "tokens_per"))} for entry in entries
    ]


def same_tensors(a: Path, b: Path) -> bool:
    return all(
        torch.equal(value, load_file(b / name)[key])
        for name in ("heads.safetensors", "adapters.safetensors")
        for key, value in load_file(a / name).items()
    )


def test_it_learns_eight_records_by_heart(config: TrainConfig):
    _, log = run(replace(config, steps=24, budget=1000, lr_adapters=1e-2, lr_heads=1e-2, decay_frac=0.4))
    first, last = log[0], log[-1]
    assert first["loss"] > 4
    assert last["loss"] < 1
    for kind in ("choice", "noul", "score", "extract"):
        assert last[kind] < first[kind] / 2, kind


def test_a_stopped_run_goes_on_without_a_trace(config: TrainConfig):
    whole, log = run(replace(config, out=config.out / "whole"))
    parts = replace(config, out=config.out / "parts")
    trainer = Trainer(parts, on_step=lambda entry: setattr(trainer, "stop", entry["step"] == 2))
    assert trainer.run().name == "step-2"
    rest = []
    trainer = Trainer(parts, on_step=lambda entry: (rest.append(entry), setattr(trainer, "stop", entry["step"] == 5)))
    trainer.run()
    folder, last = run(parts)
    assert folder.name == whole.name == "step-6"
    assert [entry["step"] for entry in rest] == [3, 4, 5]
    for found, wanted in zip([*rest, *last], log[2:], strict=True):
        assert {key: found[key] for key in wanted} == wanted
    assert same_tensors(whole, folder)
    assert [path.name for path in sorted(parts.out.glob("step-*"))] == ["step-5", "step-6"]  # older ones go


def test_the_seed_decides_everything(config: TrainConfig):
    first, second, other = (
        run(replace(config, steps=2, out=config.out / name, seed=seed)) for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    assert first[1] == second[1] != other[1]
    assert same_tensors(first[0], second[0])
    assert not same_tensors(first[0], other[0])


def test_a_finished_run_is_only_saved_again(config: TrainConfig):
    folder, _ = run(replace(config, steps=2))
    again, log = run(replace(config, steps=2))
    assert (again, log) == (folder, [])


def test_what_is_saved_is_served(config: TrainConfig, tiny: Tiny, deg_home: Path):
    folder, _ = run(replace(config, steps=3))
    spec = read_checkpoint(folder)
    assert spec.option_order == "canonical"
    assert spec.lora.layers == (1, 2)
    assert spec.provenance.seed == 3
    assert list(spec.provenance.data) == ["made.jsonl"]
    assert str(config.out.parent) not in (folder / "deg.json").read_text()
    for compute in ("int8", "fp32"):
        model = load_model(folder, base_model=tiny.snapshot, compute=compute)
        value = model.fill("order 9 by Ann for EUR 12", SCHEMA).value
        assert set(value) == set(SCHEMA["properties"])


def test_the_log_is_one_json_object_a_step(config: TrainConfig):
    run(replace(config, steps=3))
    lines = [json.loads(line) for line in (config.out / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [1, 2, 3]
    assert all(line["tokens"] > 0 and line["loss"] > 0 for line in lines)
    assert any(key.startswith("extract/null@made") for line in lines for key in line)


def test_training_starts_from_another_checkpoint(config: TrainConfig):
    folder, _ = run(replace(config, steps=2))
    trainer = Trainer(replace(config, init=folder, out=config.out / "next"))
    heads = load_file(folder / "heads.safetensors")
    assert all(torch.equal(value, heads[name]) for name, value in trainer.heads.state_dict().items())
    assert trainer.step == 0
    with pytest.raises(CheckpointError, match="does not fit this run"):
        Trainer(replace(config, init=folder, rank=2, out=config.out / "other"))


def test_training_in_the_served_rounding_begins_at_its_step(config: TrainConfig):
    plain = run(replace(config, steps=3, out=config.out / "a"))[1]
    rounded = run(replace(config, steps=3, quantize_from=1, out=config.out / "b"))[1]
    assert rounded[0] == plain[0]
    assert rounded[1] != plain[1]


def test_a_step_keeps_to_its_budget(config: TrainConfig):
    trainer = Trainer(config)
    for _ in range(5):
        drawn = trainer._draw()
        assert sum(example.tokens for example in drawn[:-1]) <= config.budget


def test_records_that_train_nothing_end_the_run(config: TrainConfig, tmp_path: Path):
    schema = {"type": "object", "properties": {"reply": {"type": "string", "x-generate": True}}}
    empty = msgspec.structs.replace(records()[0], schema=schema, value={"reply": "thanks"}, spans={})
    path = tmp_path / "empty.jsonl"
    path.write_bytes(msgspec.json.encode(empty))
    with pytest.raises(TrainingError, match=f"{FRUITLESS} records in a row held nothing to train"):
        Trainer(replace(config, records=(Source(path),))).run()


def test_a_loss_that_is_no_number_names_the_records(config: TrainConfig):
    trainer = Trainer(config)
    with torch.no_grad():
        trainer.heads["noul"].b.fill_(float("nan"))
    with pytest.raises(TrainingError, match=r"the loss became nan at step 0; records: .*u\d"):
        trainer.run()


def test_a_family_without_weights_needs_some(config: TrainConfig):
    with pytest.raises(TrainingError, match="--base-model"):
        Trainer(replace(config, base_model=None))


# The command


@pytest.mark.parametrize(
    ("text", "path", "weight"),
    [("a.jsonl", "a.jsonl", 1.0), ("a.jsonl:0.25", "a.jsonl", 0.25), ("c:/a.jsonl", "c:/a.jsonl", 1.0)],
)
def test_sources_have_weights(text: str, path: str, weight: float):
    assert parse_source(text) == Source(Path(path), weight)


def test_the_flags_default_to_the_settings():
    given = vars(parser().parse_args(["--records", "a.jsonl", "--out", "o"]))
    defaults = TrainConfig(out=Path("o"), records=(), backbone="smollm2-135m")
    for name, value in given.items():
        if hasattr(defaults, name) and name != "records":
            assert value == getattr(defaults, name), name


def test_the_command_trains(config: TrainConfig, tiny: Tiny, source: Source, capsys: pytest.CaptureFixture[str]):
    arguments = ["--backbone", "llama", "--base-model", str(tiny.snapshot), "--out", str(config.out)]
    arguments += ["--records", f"{source.path}:2", "--steps", "2", "--budget", "300", "--lora-rank", "2"]
    arguments += ["--first-layer", "2", "--kind-weight", "noul=3"]
    assert main(arguments) == 0
    assert read_checkpoint(config.out / "step-2").provenance.config["kind_weights"]["noul"] == 3
    assert main([*arguments, "--records", "nothing.jsonl"]) == 2
    assert "nothing.jsonl is neither a records file" in capsys.readouterr().err
