"""From a name or a folder to a model."""

from __future__ import annotations

from pathlib import Path

import torch

from deg_core.engine.cache import DEFAULT_BYTES
from deg_core.engine.engine import Model
from deg_core.engine.find import find
from deg_core.engine.generate import Generation
from deg_core.engine.heads import load_heads, renderer_of, set_up
from deg_core.engine.prepared import base_body_on_demand, load_body
from deg_core.engine.writing_adapter import BASE, writing_adapter
from deg_core.errors import CheckpointError, UnsupportedError
from deg_core.hub import resolve_source
from deg_core.kernels import gpu
from deg_core.plugins.manager import get_plugins
from deg_core.rendering.template import TEMPLATE_VERSION
from deg_core.runtime.device import device_named


def load_model(
    name: str | Path = "embedded",
    *,
    backbone: str | None = None,
    base_model: str | Path | None = None,
    device: str | None = None,
    compute: str | None = None,
    cache_bytes: int = DEFAULT_BYTES,
    rotations: int | None = None,
    letters: bool = False,
    generate: str = BASE,
) -> Model:
    """Load a checkpoint by registered name (``embedded``, ``deg-latest``, a model id), from a folder or by hub id; or a
    backbone by its name or as a snapshot folder, which then answers without training.

    ``backbone`` must be the checkpoint's own when given, and of a snapshot folder it says the family; ``base_model``
    reads the backbone's weights from elsewhere, a folder, a file or a hub id. ``device`` is "cpu", the default, or a
    GPU: "cuda", "cuda:1". ``compute`` is "int8" or "fp32" on a CPU, "bf16" or "fp32" on a GPU; without it what the
    checkpoint was calibrated for. ``cache_bytes`` bounds what each of the two bodies (the checkpoint's, and the base
    model that writes) keeps of texts that it read; 0 keeps nothing. For heads without training: ``rotations`` is over
    how many turns of their options choices are averaged, and ``letters`` has choices of few options, too, answered by
    letters instead of words, which suits larger models. ``generate`` says who writes x-generate texts: "base", the
    backbone without the checkpoint's adapters, or "base+lora:FOLDER", the backbone with the adapter of that checkpoint.

    Raises CheckpointError, UnknownNameError, UnsupportedError, PluginError or DownloadError.
    """
    place = _device(device)
    plugins = get_plugins()
    found = find(name, plugins, backbone=backbone)
    spec, folder = found.spec, found.folder
    if spec.template_version != TEMPLATE_VERSION:
        raise CheckpointError(
            f"{folder} was trained with template version {spec.template_version}; this deg renders version "
            f"{TEMPLATE_VERSION}: use the deg release that the checkpoint came with, or train it anew"
        )
    family = plugins.families.resolve(spec.backbone, where=f"{found.where} at backbone")()
    arithmetic = compute or (spec.compute.cpu if place.type == "cpu" else spec.compute.gpu)
    source = resolve_source(base_model) if base_model is not None else found.source
    adapter = writing_adapter(generate, spec)
    body, tokenizer = load_body(family, spec, folder, source, arithmetic, place)
    heads = load_heads(plugins, found, body)
    set_up(heads, rotations=rotations, letters=letters, where=found.where)
    renderer = renderer_of(family, tokenizer, heads)
    base = base_body_on_demand(family, spec, source, arithmetic, body, adapter)
    generation = Generation(family, renderer, base, cache_bytes)
    return Model(spec, body, renderer, heads, arithmetic, generation, cache_bytes=cache_bytes)


def _device(name: str | None) -> torch.device:
    """Where to run. Raises UnknownNameError for what is no device, UnsupportedError for one that is not to be had."""
    place = device_named(name)
    if place.type != "cpu" and not gpu.available():
        raise UnsupportedError(f"device {name!r} needs Triton, which is not installed: pip install 'deg-fill[gpu]'")
    return place
