"""Where a model runs: which devices can be asked for, what is loaded on a GPU, and how its memory is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from deg_backbones.qwen3_5.model import Qwen35Family
from deg_core.engine.engine import Model
from deg_core.engine.load import load_model
from deg_core.engine.memory import check_memory, context_bytes, fork_token_budget
from deg_core.engine.prepared import load_body
from deg_core.errors import CheckpointError, RuntimeLimitError, UnknownNameError, UnsupportedError
from deg_core.plugins.checkpoint import read_checkpoint
from tests.fixtures import hybrid
from tests.fixtures.tiny import Tiny, write_trained

CUDA = torch.device("cuda")


def test_devices_that_are_not_known_are_refused(tiny: Tiny):
    for name in ("tpu", "gpu", "meta"):
        with pytest.raises(UnknownNameError, match=f"device '{name}' is not known; allowed: cpu, cuda"):
            load_model(tiny.checkpoint, base_model=tiny.snapshot, device=name)


def test_a_gpu_that_is_not_there_is_named(tiny: Tiny):
    with pytest.raises(UnsupportedError, match=r"device 'cuda:99' is not there: torch .* sees \d+ GPUs"):
        load_model(tiny.checkpoint, base_model=tiny.snapshot, device="cuda:99")


def test_a_gpu_without_triton_says_what_to_install(tiny: Tiny, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    monkeypatch.setattr("deg_core.kernels.gpu.available", lambda: False)
    with pytest.raises(UnsupportedError, match=r"pip install 'deg-fill\[gpu\]'"):
        load_model(tiny.checkpoint, base_model=tiny.snapshot, device="cuda")


def test_the_cpu_can_be_asked_for(tiny: Tiny, deg_home: Path):
    assert load_model(tiny.checkpoint, base_model=tiny.snapshot, device="cpu").body.device.type == "cpu"


def test_arithmetics_of_a_cpu_are_not_served_on_a_gpu(tiny: Tiny, deg_home: Path, tiny_models: Mapping[str, Model]):
    family, spec = tiny_models["int8"].body.family, read_checkpoint(tiny.checkpoint)
    with pytest.raises(CheckpointError, match="'int8' is not served by backbone llama on cuda; allowed: bf16, fp32"):
        load_body(family, spec, tiny.checkpoint, tiny.snapshot, "int8", CUDA)


@pytest.mark.parametrize("compute", ["bf16", "fp32"])
def test_what_lies_on_a_gpu(compute: str, tmp_path: Path, deg_home: Path):
    """On the meta device: every tensor without its numbers."""
    pytest.importorskip("triton", reason="Triton is not installed: pip install triton")
    family = Qwen35Family()
    hybrid.write_snapshot(tmp_path / "snapshot", hybrid.SHAPES["qwen"])
    (tmp_path / "checkpoint").mkdir()
    write_trained(tmp_path / "checkpoint", tmp_path / "snapshot", family=family)
    spec = read_checkpoint(tmp_path / "checkpoint")
    parts = (family, spec, tmp_path / "checkpoint", tmp_path / "snapshot", compute, torch.device("meta"))
    for _ in ("made", "opened again"):
        body, _ = load_body(*parts)
        dtype = torch.bfloat16 if compute == "bf16" else torch.float32
        assert (body.device.type, body.dtype) == ("meta", dtype)
        h = body.weights.embed(torch.zeros(3, dtype=torch.long, device="meta"))
        assert (h.device.type, h.dtype) == ("meta", torch.float32)  # what flows from layer to layer
        projections = family.projections(body.config)
        kept = {name: body.weights._matrices[name] for name in projections}  # type: ignore[attr-defined]
        assert all(x.device.type == "meta" for x in kept.values())
        assert all(x.dtype == (dtype if projections[name].quantize else torch.float32) for name, x in kept.items())


def test_memory_is_counted_where_the_body_runs(tiny_models: Mapping[str, Model], monkeypatch: pytest.MonkeyPatch):
    body = tiny_models["fp32"].body
    served = replace(body, device=CUDA, dtype=torch.bfloat16)
    grown = context_bytes(body, 2000) - context_bytes(body, 1000)
    assert context_bytes(served, 2000) - context_bytes(served, 1000) < grown  # half the bytes, decoding on the host
    free = context_bytes(served, 1000)
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda device: (free - 100, 0))
    monkeypatch.setattr("torch.cuda.memory_reserved", lambda device: 300)
    monkeypatch.setattr("torch.cuda.memory_allocated", lambda device: 200)
    check_memory(served, 1000)  # what torch holds and does not use is free too
    with pytest.raises(RuntimeLimitError, match="the text has 1,001 tokens"):
        check_memory(served, 1001)
    most = fork_token_budget(served)
    monkeypatch.setattr("torch.cuda.mem_get_info", lambda device: (free // 2, 0))
    assert fork_token_budget(served) < most
