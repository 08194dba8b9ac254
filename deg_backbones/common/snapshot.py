"""Reading a hub snapshot: a folder with ``config.json`` and one or more safetensors files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from deg_core.errors import CheckpointError

INDEX = "model.safetensors.index.json"
SHOWN = 5  # names in one message


def read_json(file: Path) -> dict[str, Any]:
    """The JSON object in a snapshot's file. Raises CheckpointError."""
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{file} cannot be read, and a snapshot needs it: {error}") from error
    if not isinstance(raw, dict):
        raise CheckpointError(f"{file} does not hold a JSON object")
    return raw


def demand(found: Mapping[str, Any], names: Iterable[str], where: str) -> None:
    """Raise CheckpointError with the names that ``found`` lacks or leaves null."""
    missing = [name for name in names if found.get(name) is None]
    if missing:
        raise CheckpointError(f"{where} lacks {', '.join(missing)}")


def refuse(options: Mapping[str, Any], family: str, where: str) -> None:
    """Raise CheckpointError with the options (name -> value found; None where it is supported) that a family lacks."""
    bad = [f"{name} = {value}" for name, value in options.items() if value is not None]
    if bad:
        raise CheckpointError(f"{where}: not supported by the {family} family: {', '.join(bad)}")


def rotary_options(raw: Mapping[str, Any], where: str) -> tuple[dict[str, Any], Any]:
    """The rotary options of a ``config.json``, old layout or new, with ``rope_theta`` in them; and a scaling of the
    rotary base if there is one (a foreign kind of rotary embedding, or ``rope_scaling``), else None.

    Raises CheckpointError when there is no ``rope_theta``.
    """
    rope = dict(raw.get("rope_parameters") or {})
    scaling = raw.get("rope_scaling") or (rope if rope.get("rope_type", "default") != "default" else None)
    if isinstance(scaling, dict) and scaling.get("rope_type", scaling.get("type")) == "default":
        rope, scaling = scaling | rope, None
    rope.setdefault("rope_theta", raw.get("rope_theta"))
    demand(rope, ("rope_theta",), where)
    return rope, scaling


def read_tensors(folder: Path, own_name: Callable[[str], str | None]) -> dict[str, Tensor]:
    """The tensors of all safetensors files in their stored type, under ``own_name`` of their names; a tensor whose
    own name is None is not read. Raises CheckpointError for a missing or damaged file."""
    out: dict[str, Tensor] = {}
    for file in weight_files(folder):
        try:
            with safe_open(str(file), framework="pt") as shard:
                for name in shard.keys():  # noqa: SIM118 - not a mapping
                    own = own_name(name)
                    if own is not None:
                        out[own] = shard.get_tensor(name)
        except (OSError, SafetensorError) as error:
            raise CheckpointError(f"{file} cannot be read: {error}; fetch the snapshot again") from error
    return out


def weight_files(folder: Path) -> list[Path]:
    """The snapshot's safetensors files: those its index names, or all there are when it has no index."""
    index = folder / INDEX
    if index.is_file():
        names = sorted(set(read_json(index).get("weight_map", {}).values()))
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            raise CheckpointError(f"{folder}: {INDEX} names {', '.join(missing[:SHOWN])}, which is not there")
        files = [folder / name for name in names]
    else:
        files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise CheckpointError(f"{folder}: no .safetensors file; a snapshot holds config.json and safetensors weights")
    return files


def check_tensors(folder: Path, found: Mapping[str, Tensor], expected: Mapping[str, tuple[int, ...]]) -> None:
    """Raise CheckpointError naming tensors that are missing, unexpected, or of another shape than ``expected``."""
    missing, extra = sorted(expected.keys() - found.keys()), sorted(found.keys() - expected.keys())
    if missing or extra:
        raise CheckpointError(f"{folder.name}: missing tensors {missing[:SHOWN]}, unexpected tensors {extra[:SHOWN]}")
    wrong = [
        f"{name} is {tuple(found[name].shape)}, expected {shape}"
        for name, shape in expected.items()
        if found[name].shape != shape
    ]
    if wrong:
        raise CheckpointError(
            f"{folder.name}: the weights are not of the configuration's sizes: {'; '.join(wrong[:SHOWN])}"
        )
