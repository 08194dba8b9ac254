"""Weights on disk: a folder with ``config.json``, the fields of a family's configuration, and ``model.safetensors``,
tensors under the family's own names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from deg_core.errors import CheckpointError

CONFIG, WEIGHTS = "config.json", "model.safetensors"
_C = TypeVar("_C")


def read_config(folder: Path, config_type: type[_C]) -> _C:
    """The configuration in a snapshot. Raises CheckpointError."""
    path = folder / CONFIG
    try:
        return msgspec.convert(json.loads(path.read_bytes()), config_type)
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} does not hold a {config_type.__name__}: {error}") from error


def read_weights(folder: Path, expected: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """The tensors of a snapshot. Raises CheckpointError naming those that are missing, unexpected or misshapen."""
    path = folder / WEIGHTS
    try:
        found = load_file(str(path))
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    shapes = {name: tuple(tensor.shape) for name, tensor in found.items()}
    wrong = sorted(name for name in expected.keys() | shapes.keys() if expected.get(name) != shapes.get(name))
    if wrong:
        told = "; ".join(f"{name}: {shapes.get(name)} where {expected.get(name)} is wanted" for name in wrong[:5])
        raise CheckpointError(f"{path} does not fit its configuration: {told}")
    return found


def write(folder: Path, config: Any, weights: Mapping[str, Tensor]) -> None:
    """Write a snapshot."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(dict(weights), folder / WEIGHTS)
    (folder / CONFIG).write_text(json.dumps(asdict(config), indent=2), encoding="utf-8")
