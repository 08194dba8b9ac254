"""An adapter for the model that writes: it changes what is written, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
from safetensors.torch import load_file, save_file

from deg_core.engine.engine import Job, Model, fill_many
from deg_core.engine.load import load_model
from deg_core.engine.writing_adapter import writing_adapter
from deg_core.errors import CheckpointError, UnsupportedError
from deg_core.plugins.checkpoint import ADAPTERS_FILE, BaseWeights, read_checkpoint, write_checkpoint
from deg_core.runtime.prefill import prefill
from tests.fixtures.tiny import Tiny

TEXT = "The invoice total is due on the first of May; please pay 42 within thirty days."
WRITES = {
    "type": "object",
    "properties": {
        "total": {"type": ["number", "null"]},
        "urgent": {"type": "boolean"},
        "reply": {"type": "string", "x-generate": True, "x-max-tokens": 12},
        "title": {"type": "string", "x-generate": True, "x-max-tokens": 6},
    },
}
DECIDES = {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}, "day": {"type": ["string", "null"]}}}
IDS = list(range(40))


def adapter(tiny: Tiny, folder: Path, scale: float, **changed: Any) -> Path:
    """A checkpoint folder with an adapter ``scale`` times as strong as the tiny one's."""
    shutil.copytree(tiny.checkpoint, folder)
    tensors = load_file(str(folder / ADAPTERS_FILE))
    save_file(
        {name: tensor * (scale if name.endswith("lora_B") else 1) for name, tensor in tensors.items()},
        folder / ADAPTERS_FILE,
    )
    write_checkpoint(folder, msgspec.structs.replace(read_checkpoint(folder, verify=False), **changed))
    return folder


def load(tiny: Tiny, generate: str = "base", compute: str = "int8") -> Model:
    return load_model(tiny.checkpoint, base_model=tiny.snapshot, compute=compute, generate=generate)


@pytest.fixture
def folders(tiny: Tiny, tmp_path: Path) -> dict[str, Path]:
    return {name: adapter(tiny, tmp_path / name, scale) for name, scale in (("zero", 0.0), ("one", 1.5), ("two", -2.0))}


@pytest.mark.parametrize("compute", ["int8", "fp32"])
def test_the_writing_body_is_the_backbone_with_that_adapter(tiny: Tiny, deg_home: Path, compute: str):
    """Its own checkpoint's adapter makes it the checkpoint's own body, bit for bit."""
    model = load(tiny, f"base+lora:{tiny.checkpoint}", compute)
    assert model.generation is not None
    body = model.generation._base()
    assert body is not model.body
    assert torch.equal(prefill(body, IDS).hidden_PD, prefill(model.body, IDS).hidden_PD)


def test_an_adapter_of_zeros_writes_what_the_base_writes(tiny: Tiny, deg_home: Path, folders: dict[str, Path]):
    assert load(tiny, f"base+lora:{folders['zero']}").fill(TEXT, WRITES) == load(tiny).fill(TEXT, WRITES)


def test_an_adapter_changes_texts_and_no_decision(tiny: Tiny, deg_home: Path, folders: dict[str, Path]):
    plain, adapted = (load(tiny, generate).fill(TEXT, WRITES) for generate in ("base", f"base+lora:{folders['one']}"))
    assert plain.value["reply"] != adapted.value["reply"]
    for field in ("total", "urgent"):
        assert plain.value.get(field) == adapted.value.get(field)
        assert plain.meta[f"/{field}"] == adapted.meta[f"/{field}"]


def test_neighbours_in_a_batch_change_nothing(tiny: Tiny, deg_home: Path, folders: dict[str, Path]):
    """Rows of the checkpoint's adapter and rows of the writing one, together and alone."""
    jobs = [
        Job(TEXT, WRITES),
        Job(TEXT, DECIDES),
        Job("Another text altogether, of 7 words.", WRITES),
        Job(TEXT, WRITES, {"temperature": 0.9, "seed": 5}),
    ]
    for name in ("one", "two"):
        model = load(tiny, f"base+lora:{folders[name]}")
        together = fill_many(model, jobs)
        fresh = load(tiny, f"base+lora:{folders[name]}")
        assert together == [fresh.fill(job.context, job.schema, **job.options) for job in reversed(jobs)][::-1]


def test_what_is_no_adapter_is_refused_when_the_model_is_loaded(tiny: Tiny, deg_home: Path, tmp_path: Path):
    own = read_checkpoint(tiny.checkpoint)
    for word in ("off", "lora", "base+lora:", "base+"):
        with pytest.raises(UnsupportedError, match="allowed: base, base"):
            load(tiny, word)
    with pytest.raises(CheckpointError, match="no checkpoint folder"):
        load(tiny, f"base+lora:{tmp_path / 'gone'}")
    plain = adapter(tiny, tmp_path / "plain", 1.0)
    (plain / ADAPTERS_FILE).unlink()
    write_checkpoint(plain, msgspec.structs.replace(own, lora=None))
    with pytest.raises(CheckpointError, match="holds no adapter"):
        load(tiny, f"base+lora:{plain}")
    other = adapter(tiny, tmp_path / "other", 1.0, backbone="smollm2-135m")
    with pytest.raises(CheckpointError, match="for backbone smollm2-135m, the checkpoint is on"):
        load(tiny, f"base+lora:{other}")
    theirs, ours = BaseWeights(name="x", sha256="a" * 64), BaseWeights(name="x", sha256="b" * 64)
    weights = adapter(tiny, tmp_path / "weights", 1.0, base=theirs)
    with pytest.raises(CheckpointError, match="other weights"):
        writing_adapter(f"base+lora:{weights}", msgspec.structs.replace(own, base=ours))
    damaged = adapter(tiny, tmp_path / "damaged", 1.0)
    (damaged / ADAPTERS_FILE).write_bytes(b"damaged")
    with pytest.raises(CheckpointError, match="has 7 bytes"):
        load(tiny, f"base+lora:{damaged}")
