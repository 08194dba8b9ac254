"""Prepared weights: a backbone with its adapters merged, in the serving arithmetic, kept on disk for quick loading.

Reading and converting published weights takes seconds; a prepared folder maps in well under one. Its name is a hash of
everything that went in, so it is never stale; a damaged one is made again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from deg_core.engine.writing_adapter import WritingAdapter
from deg_core.errors import CheckpointError
from deg_core.home import deg_home
from deg_core.kernels.int8 import QuantizedWeight, quantize_weight
from deg_core.plugins.checkpoint import ADAPTERS_FILE, DegJson
from deg_core.protocols.family import Family
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.runtime.body import CPU, Body
from deg_core.runtime.lora import merge
from deg_core.runtime.weights import ServingWeights

LAYOUT = 1  # raised when what a prepared folder holds changes
_WEIGHTS, _CONFIG, _TOKENIZER = "weights.safetensors", "config.json", "tokenizer.json"
_CODES, _SCALE = ".codes", ".scale"
_DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}  # of products on a GPU


def load_body(
    family: Family,
    spec: DegJson,
    folder: Path | None,
    source: Path | None,
    compute: str,
    device: torch.device = CPU,
) -> tuple[Body, Tokenizer]:
    """Body and tokenizer of a checkpoint (``folder`` holds its adapters, if any) in ``compute`` arithmetic, on
    ``device``.

    ``source`` overrides the family's own weights. Raises CheckpointError when weights are missing or do not fit.
    """
    allowed = ("int8", "fp32") if device.type == "cpu" else ("bf16", "fp32")
    if compute not in family.capabilities.compute or compute not in allowed:
        where = "" if device.type == "cpu" else f" on {device}"
        raise CheckpointError(
            f"compute {compute!r} is not served by backbone {family.name}{where}; allowed: {', '.join(allowed)}"
        )
    if source is not None and not source.exists():
        raise CheckpointError(f"{source}, where the weights of {family.name} should be, does not exist")
    key = _key(family, spec, source, compute)
    prepared = deg_home() / "prepared" / key
    loaded = _open(family, prepared, compute, device)
    if loaded is None:
        _prepare(family, spec, folder, source, compute, prepared)
        loaded = _open(family, prepared, compute, device)
        if loaded is None:
            raise CheckpointError(f"{prepared} cannot be read back; is the disk full?")
    return loaded


def base_body_on_demand(
    family: Family,
    spec: DegJson,
    source: Path | None,
    compute: str,
    beside: Body,
    adapter: WritingAdapter | None = None,
) -> Callable[[], Body]:
    """The backbone without the checkpoint's adapters, which writes generated texts (SPEC 12.7), with ``adapter`` merged
    into it where there is one; loaded when it is first called for.

    ``beside`` is the checkpoint's own body: it is given back itself where there are no adapters at all, and an equal
    embedding is held once. Raises CheckpointError when called, as ``load_body`` does.
    """
    lock, kept = Lock(), list[Body]()

    def get() -> Body:
        with lock:
            if not kept:
                kept.append(_load_base(family, spec, source, compute, beside, adapter))
            return kept[0]

    return get


def _load_base(
    family: Family, spec: DegJson, source: Path | None, compute: str, beside: Body, adapter: WritingAdapter | None
) -> Body:
    if adapter is not None:
        # The weights under the adapter are the checkpoint's: what prepares and names them is its own deg.json.
        merged = msgspec.structs.replace(spec, lora=adapter.spec.lora, files=adapter.spec.files)
        body, _ = load_body(family, merged, adapter.folder, source, compute, beside.device)
    elif spec.lora is None or ADAPTERS_FILE not in spec.files:
        return beside
    else:
        plain = msgspec.structs.replace(spec, lora=None, files={})
        body, _ = load_body(family, plain, None, source, compute, beside.device)
    share = getattr(body.weights, "share_embedding", None)
    if share is not None and type(body.weights) is type(beside.weights):
        share(beside.weights)
    return body


def _key(family: Family, spec: DegJson, source: Path | None, compute: str) -> str:
    adapters = spec.files[ADAPTERS_FILE].sha256 if ADAPTERS_FILE in spec.files else "none"
    base = spec.base.sha256 if spec.base is not None and spec.base.sha256 else "default"
    scale = f"{spec.lora.alpha}/{spec.lora.rank}" if spec.lora is not None else "none"
    stamp = ""
    if source is not None:
        files = sorted(source.rglob("*")) if source.is_dir() else [source]
        stamp = "|".join(f"{file.name}:{file.stat().st_size}:{file.stat().st_mtime_ns}" for file in files)
    parts = (str(LAYOUT), family.name, base, adapters, scale, compute, str(source), stamp)
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{family.name}-{compute}-{digest[:16]}"


def _prepare(
    family: Family, spec: DegJson, folder: Path | None, source: Path | None, compute: str, target: Path
) -> None:
    origin = source or family.default_source()
    if origin is None:
        raise CheckpointError(f"backbone {family.name} has no weights of its own; say where they are (--base-model)")
    config = family.read_config(origin)
    weights = family.read_weights(origin, config)
    if spec.lora is not None and folder is not None and ADAPTERS_FILE in spec.files:
        weights = merge(weights, load_file(str(folder / ADAPTERS_FILE)), spec.lora.alpha / spec.lora.rank)
    tensors: dict[str, Tensor] = {
        name: weights.pop(name).to(torch.bfloat16) for name in ("embed", "lm_head") if name in weights
    }
    projections = family.projections(config)
    for name, weight in weights.items():
        if compute == "fp32" or name not in projections or not projections[name].quantize:
            tensors[name] = weight.float().contiguous()
        elif compute == "bf16":
            tensors[name] = weight.to(torch.bfloat16).contiguous()
        else:
            quantized = quantize_weight(weight)
            tensors[name + _CODES], tensors[name + _SCALE] = quantized.codes_KM, quantized.scale_M
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=target.parent, prefix=".making-"))
    try:
        save_file(tensors, made / _WEIGHTS, {"complete": "yes"})
        family.read_tokenizer(origin).save(made / _TOKENIZER)
        (made / _CONFIG).write_text(json.dumps(asdict(config)), encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        made.rename(target)
    except OSError:
        if not target.is_dir():  # another process may have been first; its folder is as good
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _open(family: Family, prepared: Path, compute: str, device: torch.device) -> tuple[Body, Tokenizer] | None:
    """A prepared folder, or None when it is not there or not whole."""
    try:
        config: Any = msgspec.convert(json.loads((prepared / _CONFIG).read_bytes()), family.config_type)
        tokenizer = family.load_tokenizer(prepared / _TOKENIZER)
        with safe_open(str(prepared / _WEIGHTS), framework="pt") as file:
            if (file.metadata() or {}).get("complete") != "yes":
                return None
            tensors = {name: file.get_tensor(name) for name in file.keys() if not name.endswith(_CODES)}  # noqa: SIM118
        matrices = _matrices(family.projections(config), tensors, prepared / _WEIGHTS)
    except (OSError, ValueError, SafetensorError, msgspec.ValidationError):
        return None
    embedding, lm_head = tensors.pop("embed"), tensors.pop("lm_head", None)
    geometry = family.geometry(config)
    if device.type == "cpu":
        return Body(family, config, ServingWeights(matrices, tensors, embedding, lm_head), geometry), tokenizer
    from deg_core.kernels.gpu.weights import GpuWeights  # its kernels need Triton

    dtype, whole = _DTYPES[compute], {name: x for name, x in matrices.items() if isinstance(x, Tensor)}
    on_device = GpuWeights(whole, tensors, embedding, lm_head, dtype=dtype, device=device)
    return Body(family, config, on_device, geometry, device, dtype), tokenizer


def _matrices(names: Iterable[str], tensors: dict[str, Tensor], path: Path) -> dict[str, Tensor | QuantizedWeight]:
    """The projections, taken out of ``tensors``. Codes are mapped by themselves: where they are packed, their mapping
    goes with the last of them."""
    matrices: dict[str, Tensor | QuantizedWeight] = {}
    with safe_open(str(path), framework="pt") as file:
        for name in names:
            scale = tensors.pop(name + _SCALE, None)
            if scale is None:
                matrices[name] = tensors.pop(name)
            else:
                matrices[name] = QuantizedWeight(file.get_tensor(name + _CODES), scale).keep_packed()
    return matrices
