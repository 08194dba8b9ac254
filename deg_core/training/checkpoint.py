"""Saving a run: an ordinary checkpoint folder each time, and the state to resume from."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from deg_core.errors import CheckpointError
from deg_core.plugins.checkpoint import (
    ADAPTERS_FILE,
    HEADS_FILE,
    BaseWeights,
    DegJson,
    LoraSpec,
    Provenance,
    file_sha256,
    read_checkpoint,
    write_checkpoint,
)
from deg_core.protocols.head import Head, load_head
from deg_core.rendering.template import TEMPLATE_VERSION
from deg_core.training.adapters import Adapters

if TYPE_CHECKING:
    from deg_core.training.trainer import Trainer

RESUME = "resume.pt"
KEEP = 2  # step folders kept


def save(trainer: Trainer) -> Path:
    """Write ``step-N`` and the resume state; older step folders go."""
    out = trainer.config.out
    folder = out / f"step-{trainer.step}"
    folder.mkdir(parents=True, exist_ok=True)
    adapters = {name: t.to(torch.bfloat16).cpu().contiguous() for name, t in trainer.adapters.tensors().items()}
    save_file(adapters, folder / ADAPTERS_FILE)
    heads = {name: t.detach().cpu().contiguous() for name, t in trainer.heads.state_dict().items()}
    save_file(heads, folder / HEADS_FILE)
    write_checkpoint(folder, _deg_json(trainer))
    state = {
        "step": trainer.step,
        "records_seen": trainer.records_seen,
        "seconds": trainer.seconds,
        "adapters": trainer.adapters.state_dict(),
        "heads": trainer.heads.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "sampler": trainer.sampler.state(),
        "rng": trainer._rng.getstate(),
        "typical": trainer._typical,
    }
    torch.save(state, out / (RESUME + ".new"))
    (out / (RESUME + ".new")).replace(out / RESUME)
    for old in sorted(out.glob("step-*"), key=lambda path: int(path.name.split("-")[1]))[:-KEEP]:
        shutil.rmtree(old)
    return folder


def resume(trainer: Trainer) -> None:
    """Continue from the run folder's state when there is one, on whatever device it was saved."""
    trainer.config.out.mkdir(parents=True, exist_ok=True)
    path = trainer.config.out / RESUME
    if not path.is_file():
        return
    state: dict[str, Any] = torch.load(path, weights_only=False, map_location="cpu")  # it may be of another device
    trainer.adapters.load_state_dict(state["adapters"])
    trainer.heads.load_state_dict(state["heads"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    trainer.sampler.restore(state["sampler"])
    trainer._rng.setstate(state["rng"])
    trainer._typical = state["typical"]
    trainer.step, trainer.records_seen, trainer.seconds = state["step"], state["records_seen"], state["seconds"]


def load_trained(folder: Path, adapters: Adapters, heads: nn.ModuleDict) -> None:
    """Start from another checkpoint's heads and adapters. Raises CheckpointError when they do not fit."""
    read_checkpoint(folder)
    try:
        adapters.load(load_file(folder / ADAPTERS_FILE))
        _load_heads(heads, load_file(folder / HEADS_FILE))
    except (KeyError, RuntimeError) as error:
        raise CheckpointError(f"{folder} does not fit this run's adapters or heads: {error}") from error


def _load_heads(heads: nn.ModuleDict, tensors: dict[str, Tensor]) -> None:
    """Each head's tensors; a head that the checkpoint has none of starts fresh. Raises RuntimeError."""
    for name, head in heads.items():
        own = {key.removeprefix(name + "."): value for key, value in tensors.items() if key.startswith(name + ".")}
        if own:
            load_head(cast("Head", head), own)


def _deg_json(trainer: Trainer) -> DegJson:
    config = trainer.config
    layers = tuple(range(config.first_layer, len(trainer.body.geometry.layers)))
    base = trainer.base_source
    settings = msgspec.to_builtins(config, enc_hook=str)
    settings["records"] = [{"source": source.path.name, "weight": source.weight} for source in config.records]
    for name in ("out", "base_model", "init"):
        settings.pop(name, None)
    return DegJson(
        model_id="deg-unnamed",
        backbone=config.backbone,
        heads={query.value: name for query, name in trainer.head_names.items()},
        template_version=TEMPLATE_VERSION,
        option_order="canonical",
        array_mode=config.array_mode,
        anchor_min_tokens=config.anchor_min_tokens,
        base=BaseWeights(name=config.backbone, sha256=file_sha256(base) if base.is_file() else None),
        lora=LoraSpec(
            rank=config.rank,
            alpha=config.alpha,
            targets=trainer.adapters.targets,
            layers=layers,
            context="shared",
        ),
        provenance=Provenance(
            seed=config.seed,
            data={pool.name: pool.sha256 for pool in trainer.sampler.pools},
            config=settings | _progress(trainer),
            commit=_commit(),
        ),
    )


def _progress(trainer: Trainer) -> dict[str, int]:
    return {
        "steps_done": trainer.step,
        "records_seen": trainer.records_seen,
        "seconds": round(trainer.seconds),
    }


def _commit() -> str | None:
    """The commit of the source tree, if this runs from one."""
    here = Path(__file__).parent
    try:
        done = subprocess.run(["git", "-C", str(here), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
