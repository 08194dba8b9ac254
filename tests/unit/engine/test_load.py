"""Loading: from a folder to a model, through a prepared copy that is made once and mended when damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from deg_core.engine import prepared
from deg_core.engine.load import load_model
from deg_core.errors import CheckpointError, UnknownNameError
from deg_core.kernels.int8 import QuantizedWeight
from deg_core.plugins.checkpoint import HEADS_FILE, read_checkpoint, write_checkpoint
from deg_core.runtime.lora import merge
from tests.fixtures.tiny import Tiny

ASKED = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}, "n": {"type": ["number", "null"]}}}
TEXT = "Order 7731 of 3 May."


@pytest.fixture
def copy(tiny: Tiny, tmp_path: Path) -> Path:
    """A checkpoint folder to spoil."""
    return Path(shutil.copytree(tiny.checkpoint, tmp_path / "checkpoint"))


def change_spec(folder: Path, **changes: Any) -> None:
    path = folder / "deg.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_loaded_twice_it_is_the_same_model(tiny: Tiny, deg_home: Path, monkeypatch: pytest.MonkeyPatch):
    first = load_model(tiny.checkpoint, base_model=tiny.snapshot)
    assert first.compute == "int8"
    (made,) = (deg_home / "prepared").iterdir()
    monkeypatch.setattr(prepared, "_prepare", lambda *args: pytest.fail("prepared again"))
    second = load_model(str(tiny.checkpoint), base_model=tiny.snapshot, backbone="llama")
    assert second.fill(TEXT, ASKED).as_dict() == first.fill(TEXT, ASKED).as_dict()
    assert [path.name for path in (deg_home / "prepared").iterdir()] == [made.name]


@pytest.mark.parametrize("damage", ["cut", "gone", "garbage", "config"])
def test_a_damaged_prepared_copy_is_made_again(tiny: Tiny, deg_home: Path, damage: str):
    expected = load_model(tiny.checkpoint, base_model=tiny.snapshot).fill(TEXT, ASKED)
    (made,) = (deg_home / "prepared").iterdir()
    weights = made / "weights.safetensors"
    data = weights.read_bytes()
    if damage == "cut":
        weights.write_bytes(data[: len(data) // 2])
    elif damage == "gone":
        weights.unlink()
    elif damage == "garbage":
        weights.write_bytes(b"\xff" * 100)
    else:
        (made / "config.json").write_text('{"hidden_size": "many"}')
    assert load_model(tiny.checkpoint, base_model=tiny.snapshot).fill(TEXT, ASKED) == expected


def test_each_arithmetic_and_source_has_its_own_copy(tiny: Tiny, deg_home: Path, tmp_path: Path):
    load_model(tiny.checkpoint, base_model=tiny.snapshot, compute="int8")
    load_model(tiny.checkpoint, base_model=tiny.snapshot, compute="fp32")
    moved = shutil.copytree(tiny.snapshot, tmp_path / "moved")
    tensors = load_file(moved / "model.safetensors")
    tensors["model.norm.weight"] *= 2
    save_file(tensors, moved / "model.safetensors")
    changed = load_model(tiny.checkpoint, base_model=moved, compute="int8")
    assert len(list((deg_home / "prepared").iterdir())) == 3
    norms = [load_model(tiny.checkpoint, base_model=tiny.snapshot).body.weights, changed.body.weights]
    assert torch.equal(norms[0].vector("final_norm") * 2, norms[1].vector("final_norm"))


def test_adapters_are_merged_into_the_served_weights(tiny: Tiny, deg_home: Path):
    model = load_model(tiny.checkpoint, base_model=tiny.snapshot, compute="fp32")
    family, config = model.body.family, model.body.config
    adapters = load_file(tiny.checkpoint / "adapters.safetensors")
    wanted = merge(family.read_weights(tiny.snapshot, config), adapters, 8.0 / 4)
    base = family.read_weights(tiny.snapshot, config)
    served = model.body.weights._matrices
    assert set(served) == set(family.projections(config))
    for name, weight in served.items():
        assert torch.equal(weight.matrix_MK, wanted[name])
        assert not torch.allclose(weight.matrix_MK, base[name])
    quantized = load_model(tiny.checkpoint, base_model=tiny.snapshot, compute="int8").body.weights._matrices
    assert all(isinstance(weight, QuantizedWeight) for weight in quantized.values())


def test_another_backbone_is_refused(tiny: Tiny, deg_home: Path):
    with pytest.raises(CheckpointError, match="trained on backbone 'llama'; it cannot run on 'qwen35'"):
        load_model(tiny.checkpoint, base_model=tiny.snapshot, backbone="qwen35")


def test_another_template_is_refused(copy: Path, tiny: Tiny, deg_home: Path):
    change_spec(copy, template_version=999)
    with pytest.raises(CheckpointError, match="template version 999"):
        load_model(copy, base_model=tiny.snapshot)


def test_an_arithmetic_that_is_not_served_is_refused(tiny: Tiny, deg_home: Path):
    for compute in ("bf16", "int4"):
        with pytest.raises(CheckpointError, match=rf"compute '{compute}' is not served.*allowed: int8, fp32"):
            load_model(tiny.checkpoint, base_model=tiny.snapshot, compute=compute)


def test_weights_must_be_said_where_a_family_has_none(tiny: Tiny, deg_home: Path):
    with pytest.raises(CheckpointError, match="say where they are"):
        load_model(tiny.checkpoint)


def test_an_unknown_name_is_told(deg_home: Path):
    with pytest.raises(UnknownNameError, match="no-such-model"):
        load_model("no-such-model")
    with pytest.raises(CheckpointError, match="no checkpoint folder"):
        load_model("no/such/folder")


def test_an_unknown_head_is_told_with_its_place(copy: Path, tiny: Tiny, deg_home: Path):
    spec = read_checkpoint(copy)
    change_spec(copy, heads={**spec.heads, "decide.noul": "nuol"})
    with pytest.raises(UnknownNameError, match=r"deg\.json.*nuol|nuol.*deg\.json"):
        load_model(copy, base_model=tiny.snapshot)


def test_heads_that_do_not_fit_are_refused(copy: Path, tiny: Tiny, deg_home: Path):
    tensors = load_file(copy / HEADS_FILE)
    tensors["noul.w"] = torch.zeros(7)
    save_file(tensors, copy / HEADS_FILE)
    write_checkpoint(copy, read_checkpoint(copy, verify=False))
    with pytest.raises(CheckpointError, match="does not fit head 'noul'"):
        load_model(copy, base_model=tiny.snapshot)


def test_a_changed_weight_file_is_refused(copy: Path, tiny: Tiny, deg_home: Path):
    data = bytearray((copy / HEADS_FILE).read_bytes())
    data[-1] ^= 1
    (copy / HEADS_FILE).write_bytes(data)
    with pytest.raises(CheckpointError, match="changed after it was saved"):
        load_model(copy, base_model=tiny.snapshot)


@pytest.mark.parametrize(
    ("adapters", "says"),
    [
        ({"a.lora_A": (2, 3)}, "no partner"),
        ({"a.lora_B": (4, 2)}, "no partner"),
        ({"x.lora_A": (2, 3), "x.lora_B": (4, 2)}, "'x' has no partner or no projection"),
        ({"a.lora_A": (2, 5), "a.lora_B": (4, 2)}, r"\(4, 2\) x \(2, 5\), the projection is \(4, 3\)"),
        ({"a.lora_A": (1, 3), "a.lora_B": (4, 2)}, r"\(4, 2\) x \(1, 3\)"),
    ],
)
def test_adapters_that_do_not_fit_are_named(adapters: dict[str, tuple[int, int]], says: str):
    with pytest.raises(CheckpointError, match=says):
        merge({"a": torch.zeros(4, 3)}, {name: torch.zeros(shape) for name, shape in adapters.items()}, 1.0)


def test_merging_is_the_formula_and_leaves_its_input():
    weights = {"a": torch.randn(4, 3), "b": torch.randn(2, 2)}
    a, b = torch.randn(2, 3), torch.randn(4, 2)
    kept = {name: weight.clone() for name, weight in weights.items()}
    merged = merge(weights, {"a.lora_A": a.bfloat16(), "a.lora_B": b.bfloat16()}, 0.5)
    assert torch.allclose(merged["a"], kept["a"] + 0.5 * (b.bfloat16().float() @ a.bfloat16().float()))
    assert torch.equal(merged["b"], kept["b"])
    assert all(torch.equal(weight, kept[name]) for name, weight in weights.items())
