"""Training on another device than the CPU, as far as that can be seen without one: a step on tensors without values,
the attention that other devices take, and files that were saved elsewhere."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.utils._pytree import tree_map_only

from deg_core.kernels.testing import relative_error
from deg_core.records.record import Record
from deg_core.training import attention
from deg_core.training.__main__ import main
from deg_core.training.attention import attend_forks, attend_trunk, plain_forward
from deg_core.training.config import Source, TrainConfig
from deg_core.training.gold import Example
from deg_core.training.trainer import Trainer
from tests.fixtures.hybrid import lfm2, qwen, write_published, write_snapshot
from tests.fixtures.tiny import Tiny
from tests.unit.training.devices import MixedDevicesError, OneDevice
from tests.unit.training.test_parts import groups_of, plain_attention
from tests.unit.training.test_trainer import records, run, same_tensors

BACKBONES = ("llama", "qwen3.5-0.8b", "lfm2.5-1.2b")
LINES = {
    "type": "object",
    "properties": {
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"what": {"type": "string"}, "n": {"type": ["number", "null"]}}},
        }
    },
}


def with_arrays() -> list[Record]:
    """Texts with all that can be asked of them: also items, places that are as right, and soft golds."""
    text = "3 pens, 14 cups, pens"
    spans = {"/lines/0/what": (2, 6), "/lines/0/n": (0, 1), "/lines/1/what": (11, 15), "/lines/1/n": (8, 10)}
    value = {"lines": [{"what": "pens", "n": 3}, {"what": "cups", "n": 14}]}
    common: dict[str, Any] = {"source": "made", "split": "train", "domain": "d", "context": text, "schema": LINES}
    again = {"/lines/0/what": [(17, 21)], "/lines/1/n": [(8, 9)]}
    soft = {"/lines/0/what": [0.7, 0.3], "/lines/1/n": [0.5, 0.5]}
    plain = Record(uid="plain", value=value, spans=spans, span_alternatives=again, **common)
    return [*records()[:4], plain, msgspec.structs.replace(plain, uid="soft", span_probs=soft)]


def made_config(backbone: str, tiny: Tiny, folder: Path, **changes: Any) -> TrainConfig:
    """A run on a tiny snapshot of this backbone."""
    if backbone == "llama":
        snapshot = tiny.snapshot
    elif backbone.startswith("qwen"):
        snapshot = write_published(folder / "snapshot", qwen())
    else:
        snapshot = write_snapshot(folder / "snapshot", lfm2())
    source = folder / "made.jsonl"
    source.write_bytes(b"\n".join(map(msgspec.json.encode, with_arrays())))
    config = TrainConfig(
        out=folder / "run",
        records=(Source(source),),
        backbone=backbone,
        base_model=snapshot,
        steps=4,
        budget=600,
        rank=2,
        first_layer=1,
        warmup=1,
        heads={"extract.number": "extract-linked"},
    )
    return replace(config, **changes)


def all_examples(trainer: Trainer) -> list[Example]:
    """Every record once, with arrays by anchor."""
    built = [trainer.builder.build(record, random.Random(0)) for record in with_arrays()]
    return [example for example in built if example is not None]


# A step without values


@pytest.mark.parametrize(("backbone", "quantized"), [("llama", True), ("qwen3.5-0.8b", False), ("lfm2.5-1.2b", False)])
def test_a_step_keeps_to_its_device_and_waits_for_nothing(
    backbone: str, quantized: bool, tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """On ``meta``: a tensor that was made on the CPU cannot meet those that are there, and none can be asked for its
    value."""
    monkeypatch.setattr("deg_core.training.trainer.device_named", lambda name: torch.device("meta"))
    trainer = Trainer(made_config(backbone, tiny, tmp_path, checkpoint_layers="always" if quantized else "never"))
    trainer.weights.quantized = quantized
    examples = all_examples(trainer)
    parameters = [*trainer.adapters.parameters(), *trainer.heads.parameters()]
    assert {parameter.device.type for parameter in parameters} == {"meta"}
    with OneDevice():
        loss, items = trainer.loss(examples)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        trainer.optimizer.step()
    assert {item.kind for item in items} == {"choice", "noul", "score", "extract", "count", "anchor"}
    assert loss.device.type == "meta"
    assert all(parameter.grad is not None for parameter in parameters)


def test_the_check_itself_can_fail():
    here, there = torch.zeros(3), torch.zeros(3, device="meta")
    with OneDevice():
        assert (there + torch.tensor(1.0)).device == here.to("meta").device
        with pytest.raises(MixedDevicesError, match="index"):
            there.index_select(0, torch.arange(2))
        with pytest.raises(NotImplementedError):
            there[there > 0]


# The attention of other devices


@given(
    lead=st.tuples(st.integers(1, 2), st.integers(1, 3)),
    queries=st.integers(1, 40),
    extra=st.integers(0, 9),
    causal=st.booleans(),
    block=st.sampled_from([1, 7, 64]),
    dtype=st.sampled_from([torch.float32, torch.bfloat16]),
)
def test_the_plain_form_is_the_fused_one(
    lead: tuple[int, int], queries: int, extra: int, causal: bool, block: int, dtype: torch.dtype
):
    keys = queries if causal else queries + extra
    q, k, v = (torch.randn(*lead, count, 16).to(dtype) for count in (queries, keys, keys))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attention, "BLOCK", block)
        out, lse = plain_forward(q, k, v, causal=causal)
    fused, fused_lse = attention._fused(q, k, v, is_causal=causal)
    assert (out.dtype, lse.dtype) == (fused.dtype, fused_lse.dtype)
    close = 1e-5 if dtype is torch.float32 else 2e-2
    assert relative_error(out.float(), fused.float()) < close
    assert float((lse - fused_lse).abs().max()) < 1e-4


@pytest.mark.parametrize("block", [5, 64])
def test_its_gradients(block: int, monkeypatch: pytest.MonkeyPatch):
    """A trunk and its forks, as ``plain_forward`` and blocks of queries have them, against traced float64."""
    lengths, trunk = (5, 33, 64, 1), 23
    monkeypatch.setattr(attention, "BLOCK", block)
    monkeypatch.setattr(attention, "_compiled_for", lambda q: False)
    monkeypatch.setattr(attention, "_forward", lambda q, k, v, causal=False: plain_forward(q, k, v, causal=causal))
    inputs = [torch.randn(3, count, 16, requires_grad=True) for count in (*[sum(lengths)] * 3, *[trunk] * 3)]
    exact = [x.detach().double().requires_grad_() for x in inputs]

    def pulled(parts: Sequence[Tensor]) -> list[Tensor]:
        return [out.detach() for out in parts] + list(torch.autograd.grad([(out * out).sum() for out in parts], source))

    source = inputs
    q, k, v, trunk_q, trunk_k, trunk_v = inputs
    forks = attend_forks((q, k, v), (trunk_k, trunk_v), lengths, groups_of(lengths))
    found = pulled([forks, attend_trunk(*inputs[3:])])
    source = exact
    q, k, v, trunk_q, trunk_k, trunk_v = exact
    blank = exact[3].new_zeros(3, 0, 16)
    whole = plain_attention(trunk_q, trunk_k, trunk_v, blank, blank, (trunk,))
    wanted = pulled([plain_attention(q, k, v, trunk_k, trunk_v, lengths), whole])
    for a, b in zip(found, wanted, strict=True):
        assert relative_error(a, b) < 1e-5


# Files and flags


def saved_on(path: Path, device: str) -> None:
    """Rewrite a state to resume from as if its tensors had been saved from ``device``."""
    tag = b"X\x03\x00\x00\x00cpu"
    name = device.encode()
    with zipfile.ZipFile(path) as whole:
        parts = {info.filename: whole.read(info) for info in whole.infolist()}
    with zipfile.ZipFile(path, "w") as whole:
        for file, data in parts.items():
            if file.endswith("data.pkl"):
                assert tag in data
                data = data.replace(tag, b"X" + len(name).to_bytes(4, "little") + name)
            whole.writestr(file, data)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device to load it to")
def test_a_run_goes_on_on_another_device(tiny: Tiny, tmp_path: Path):
    config = made_config("llama", tiny, tmp_path)
    whole, log = run(replace(config, out=tmp_path / "whole"))
    run(replace(config, out=tmp_path / "parts", steps=2, decay_frac=0.5))
    saved_on(tmp_path / "parts" / "resume.pt", "cuda:0")
    with pytest.raises(RuntimeError, match="CUDA"):  # so this is what such a file is like
        torch.load(tmp_path / "parts" / "resume.pt", weights_only=False)
    folder, rest = run(replace(config, out=tmp_path / "parts"))
    assert [entry["step"] for entry in rest] == [3, 4]
    assert rest[-1]["loss"] == log[-1]["loss"]
    assert same_tensors(whole, folder)


@pytest.mark.parametrize("device", ["cuda:99", "tpu"])
def test_a_device_that_is_not_there(device: str, tiny: Tiny, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    config = made_config("llama", tiny, tmp_path)
    arguments = ["--backbone", "llama", "--base-model", str(tiny.snapshot), "--device", device]
    assert main([*arguments, "--records", str(config.records[0].path), "--out", str(config.out)]) == 2
    assert f"device '{device}' is not" in capsys.readouterr().err


@pytest.mark.gpu
@pytest.mark.parametrize("backbone", BACKBONES)
def test_a_gpu_learns_what_a_cpu_learns(backbone: str, tiny: Tiny, tmp_path: Path):
    """Losses but for rounding, from the same draws; and the run goes on on the CPU."""
    config = made_config(backbone, tiny, tmp_path, lr_adapters=1e-3, lr_heads=1e-3)
    _, on_cpu = run(replace(config, out=tmp_path / "cpu"))
    _, on_gpu = run(replace(config, out=tmp_path / "gpu", device="cuda"))
    for a, b in zip(on_cpu, on_gpu, strict=True):
        assert (a["tokens"], a["records"]) == (b["tokens"], b["records"])
        assert b["loss"] == pytest.approx(a["loss"], rel=0.05)
    folder, rest = run(replace(config, out=tmp_path / "gpu", steps=5))
    assert (folder.name, [entry["step"] for entry in rest]) == ("step-5", [5])
    state = torch.load(tmp_path / "gpu" / "resume.pt", weights_only=False)
    places: set[str] = set()
    tree_map_only(Tensor, lambda x: places.add(x.device.type), state)
    assert places == {"cpu"}
