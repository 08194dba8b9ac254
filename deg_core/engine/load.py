"""From a name or a folder to a model."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from deg_core.contract.plan import Mode
from deg_core.engine.cache import DEFAULT_BYTES
from deg_core.engine.engine import Model
from deg_core.engine.generate import Generation
from deg_core.engine.prepared import base_body_on_demand, load_body
from deg_core.errors import CheckpointError
from deg_core.hub import CHECKPOINT, is_hub_id, resolve_source, snapshot
from deg_core.plugins.checkpoint import HEADS_FILE, DegJson, read_checkpoint
from deg_core.plugins.manager import Plugins, get_plugins
from deg_core.protocols.head import ArrayQuery, Head, HeadInit, Query, load_head
from deg_core.rendering.layout import Renderer
from deg_core.rendering.template import TEMPLATE_VERSION
from deg_core.runtime.body import Body


def load_model(
    name: str | Path = "embedded",
    *,
    backbone: str | None = None,
    base_model: str | Path | None = None,
    compute: str | None = None,
    cache_bytes: int = DEFAULT_BYTES,
) -> Model:
    """Load a checkpoint by registered name (``embedded``, ``deg-latest``, a model id), from a folder or by hub id.

    ``backbone`` must be the checkpoint's own when given; ``base_model`` reads the backbone's weights from elsewhere, a
    folder, a file or a hub id; ``compute`` is "int8" or "fp32". ``cache_bytes`` bounds what each of the two bodies (the
    checkpoint's, and the base model that writes) keeps of texts that it read; 0 keeps nothing.

    Raises CheckpointError, UnknownNameError, PluginError or DownloadError.
    """
    plugins = get_plugins()
    folder = _checkpoint_folder(name, plugins)
    spec = read_checkpoint(folder)
    if backbone is not None and backbone != spec.backbone:
        raise CheckpointError(f"{folder} was trained on backbone {spec.backbone!r}; it cannot run on {backbone!r}")
    if spec.template_version != TEMPLATE_VERSION:
        raise CheckpointError(
            f"{folder} was trained with template version {spec.template_version}; this deg renders version "
            f"{TEMPLATE_VERSION}: use the deg release that the checkpoint came with, or train it anew"
        )
    family = plugins.families.resolve(spec.backbone, where=f"{folder / 'deg.json'} at backbone")()
    arithmetic = compute or spec.compute.cpu
    source = resolve_source(base_model) if base_model is not None else None
    body, tokenizer = load_body(family, spec, folder, source, arithmetic)
    heads = _load_heads(plugins, spec, folder, body)
    renderer = Renderer(family, tokenizer)
    base = base_body_on_demand(family, spec, source, arithmetic, body)
    generation = Generation(family, renderer, base, cache_bytes)
    return Model(spec, body, renderer, heads, arithmetic, generation, cache_bytes=cache_bytes)


def _checkpoint_folder(name: str | Path, plugins: Plugins) -> Path:
    """A registered name goes before a folder of that name, and a folder before a hub id."""
    if isinstance(name, Path):
        return name
    if name in plugins.checkpoints or not (Path(name).is_dir() or "/" in name or "\\" in name):
        if name in plugins.families and name not in plugins.checkpoints:
            raise CheckpointError(
                f"{name!r} is a backbone: it reads, but has no trained heads to answer with. Name a checkpoint that "
                f"was trained on it; known: {', '.join(plugins.checkpoints.names()) or 'none'}"
            )
        return plugins.checkpoints.folder(name)
    return snapshot(name, CHECKPOINT) if is_hub_id(name) else Path(name)


def _load_heads(plugins: Plugins, spec: DegJson, folder: Path, body: Body) -> dict[Query, Head]:
    """The checkpoint's heads by what they answer; one instance per registry name."""
    try:
        tensors = load_file(str(folder / HEADS_FILE))
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{folder / HEADS_FILE} cannot be read: {error}") from error
    hidden = body.geometry.hidden_size
    made: dict[str, Head] = {}
    for where, name in spec.heads.items():
        if name in made:
            continue
        generator = torch.Generator().manual_seed(0)
        init = HeadInit(hidden, generator, lambda text: torch.ones(hidden))
        head = plugins.heads.resolve(name, where=f"{folder / 'deg.json'} at heads -> {where}")(init)
        own = {key.removeprefix(name + "."): value for key, value in tensors.items() if key.startswith(name + ".")}
        try:
            load_head(head, own)
        except RuntimeError as error:
            raise CheckpointError(f"{folder / HEADS_FILE} does not fit head {name!r}: {error}") from error
        head.requires_grad_(False).eval()
        made[name] = head
    queries: list[Query] = [*Mode, *ArrayQuery]
    return {query: made[spec.heads[query.value]] for query in queries if query.value in spec.heads}
