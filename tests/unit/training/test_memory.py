"""Steps that do not fit into memory: layers that are run again instead of kept, and what is said and saved when even
that is too much."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from deg_core.errors import TrainingError
from deg_core.training import trainer as trainer_module
from deg_core.training.config import TrainConfig
from deg_core.training.forward import packed_hidden
from deg_core.training.memory import ran_out
from deg_core.training.packing import pack
from deg_core.training.trainer import Trainer
from tests.fixtures.tiny import Tiny
from tests.unit.training.devices import Held
from tests.unit.training.test_device import BACKBONES, all_examples, made_config
from tests.unit.training.test_trainer import run, same_tensors

FULL = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")


@pytest.fixture
def config(tiny: Tiny, tmp_path: Path) -> TrainConfig:
    return made_config("llama", tiny, tmp_path, budget=300)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[bool]]:
    """Makes passes of a call number and later fail; the list that it returns tells of every pass if it recomputed."""

    def fail(error: Exception, *, first: int, also_recomputed: bool) -> list[bool]:
        passes: list[bool] = []

        def run_or_fail(*args: Any, recompute: bool = False) -> torch.Tensor:
            passes.append(recompute)
            if len(passes) > first and (also_recomputed or not recompute):
                raise error
            return packed_hidden(*args, recompute=recompute)

        monkeypatch.setattr(trainer_module, "packed_hidden", run_or_fail)
        return passes

    return fail


# Layers that are run again


@pytest.mark.parametrize(("backbone", "quantized"), list(zip(BACKBONES, (True, False, False), strict=True)))
def test_layers_that_are_run_again_give_the_same_gradients(backbone: str, quantized: bool, tiny: Tiny, tmp_path: Path):
    trainer = Trainer(made_config(backbone, tiny, tmp_path))
    trainer.weights.quantized = quantized
    with torch.no_grad():
        for parameter in trainer.adapters.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    parameters = [*trainer.adapters.parameters(), *trainer.heads.parameters()]
    examples = all_examples(trainer)
    found = []
    for trainer.recompute in (False, True):
        trainer._typical = {}
        loss, _ = trainer.loss(examples)
        found.append([loss, *torch.autograd.grad(loss, parameters)])
    assert all(torch.equal(kept, again) for kept, again in zip(*found, strict=True))
    assert all(gradient.any() for gradient in found[1][1 : 1 + len(trainer.adapters.pairs)])


@pytest.mark.parametrize("backbone", BACKBONES)
def test_they_are_not_kept(backbone: str, tiny: Tiny, tmp_path: Path):
    """What a forward pass leaves behind for the backward pass: of each layer its input, instead of all in it."""
    trainer = Trainer(made_config(backbone, tiny, tmp_path, first_layer=0))
    batch = pack(all_examples(trainer))
    kept = []
    for recompute in (False, True):
        with Held() as held:
            hidden = packed_hidden(trainer.body, batch, 0, recompute=recompute)
        whole = held.bytes
        assert hidden.requires_grad
        del hidden
        kept.append(whole - held.bytes)
    assert 0 < kept[1] < kept[0] / 4


# Steps that do not fit


def test_a_step_that_does_not_fit_is_run_again_with_less(config: TrainConfig, failing: Callable[..., list[bool]]):
    whole, log = run(replace(config, out=config.out / "whole"))
    passes = failing(FULL, first=2, also_recomputed=False)
    folder, entries = run(config)
    assert passes == [False, False, False, True, True]
    assert [entry.pop("checkpoint_layers", False) for entry in entries] == [False, False, True, True]
    assert entries == log
    assert same_tensors(whole, folder)


def test_what_does_not_fit_at_all_is_said_and_saved(
    config: TrainConfig, failing: Callable[..., list[bool]], monkeypatch: pytest.MonkeyPatch
):
    whole, log = run(replace(config, out=config.out / "whole"))
    passes = failing(FULL, first=2, also_recomputed=True)
    with pytest.raises(
        TrainingError, match=r"step 2 with --budget 300 does not fit into cpu: lower --budget"
    ) as raised:
        run(config)
    assert passes == [False, False, False, True]
    assert str(config.out / "step-2") in str(raised.value)
    monkeypatch.setattr(trainer_module, "packed_hidden", packed_hidden)
    folder, rest = run(config)  # the same draws, as if that step had not been tried
    assert [entry["step"] for entry in rest] == [3, 4]
    assert [entry["loss"] for entry in rest] == [entry["loss"] for entry in log[2:]]
    assert same_tensors(whole, folder)


@pytest.mark.parametrize(("layers", "tried"), [("always", [True]), ("never", [False])])
def test_what_was_chosen_is_not_tried_otherwise(
    layers: str, tried: list[bool], config: TrainConfig, failing: Callable[..., list[bool]]
):
    passes = failing(FULL, first=0, also_recomputed=True)
    with pytest.raises(TrainingError, match=r"step 0 .* does not fit") as raised:
        run(replace(config, checkpoint_layers=layers))
    assert passes == tried
    assert ("leave out --checkpoint-layers never" in str(raised.value)) == (layers == "never")


def test_other_errors_are_not_about_memory(config: TrainConfig, failing: Callable[..., list[bool]]):
    failing(RuntimeError("mat1 and mat2 shapes cannot be multiplied"), first=0, also_recomputed=True)
    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        run(config)


@pytest.mark.parametrize(
    ("error", "about_memory"),
    [
        (FULL, True),
        (MemoryError(), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
        (RuntimeError("Triton Error [CUDA]: out of memory"), True),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"), True),
        (RuntimeError("CUDA error: an illegal memory access was encountered"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_which_errors_are_about_memory(error: Exception, about_memory: bool):
    assert ran_out(error) == about_memory


def test_an_update_that_does_not_fit_is_not_saved(config: TrainConfig, monkeypatch: pytest.MonkeyPatch):
    """It may have been made in part."""
    trainer = Trainer(config)

    def step() -> None:
        raise FULL

    monkeypatch.setattr(trainer.optimizer, "step", step)
    with pytest.raises(TrainingError, match="That step is not saved"):
        trainer.run()
    assert not list(config.out.glob("step-*"))


def test_a_backbone_that_does_not_fit_is_named(config: TrainConfig, monkeypatch: pytest.MonkeyPatch):
    def bind(*args: object, **more: object) -> None:
        raise FULL

    monkeypatch.setattr(trainer_module, "TrainingWeights", bind)
    with pytest.raises(TrainingError, match="backbone llama does not fit into cpu"):
        Trainer(config)


@pytest.mark.gpu
def test_a_gpu_holds_less_with_layers_that_are_run_again(tiny: Tiny, tmp_path: Path):
    peaks = []
    for layers in ("never", "always"):
        trainer = Trainer(made_config("llama", tiny, tmp_path / layers, first_layer=0, device="cuda"))
        trainer.recompute = layers == "always"
        record = [example for example in all_examples(trainer) for _ in range(8)]
        random.Random(0).shuffle(record)
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        trainer.loss(record)[0].backward()
        peaks.append(torch.cuda.max_memory_allocated() - before)
    assert peaks[1] < peaks[0]
