"""From a name or a folder to a model."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from deg_core.contract.plan import Mode
from deg_core.engine.engine import Model
from deg_core.engine.prepared import load_body
from deg_core.errors import CheckpointError
from deg_core.plugins.checkpoint import HEADS_FILE, DegJson, read_checkpoint
from deg_core.plugins.manager import Plugins, get_plugins
from deg_core.protocols.head import Head, HeadInit
from deg_core.rendering.layout import Renderer
from deg_core.rendering.template import TEMPLATE_VERSION
from deg_core.runtime.body import Body


def load_model(
    name: str | Path = "embedded",
    *,
    backbone: str | None = None,
    base_model: Path | None = None,
    compute: str | None = None,
) -> Model:
    """Load a checkpoint by registered name (``embedded``, ``deg-latest``, a model id) or from a folder.

    ``backbone`` must be the checkpoint's own when given; ``base_model`` reads the backbone's weights from elsewhere;
    ``compute`` is "int8" or "fp32". Raises CheckpointError, UnknownNameError, PluginError or DownloadError.
    """
    plugins = get_plugins()
    folder = Path(name) if isinstance(name, Path) or _is_folder(name, plugins) else plugins.checkpoints.folder(name)
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
    body, tokenizer = load_body(family, spec, folder, base_model, arithmetic)
    heads = _load_heads(plugins, spec, folder, body)
    return Model(spec, body, Renderer(family, tokenizer), heads, arithmetic)


def _is_folder(name: str, plugins: Plugins) -> bool:
    return name not in plugins.checkpoints and ("/" in name or "\\" in name or Path(name).is_dir())


def _load_heads(plugins: Plugins, spec: DegJson, folder: Path, body: Body) -> dict[Mode, Head]:
    """The checkpoint's heads by mode; one instance per registry name."""
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
            head.load_state_dict(own)
        except RuntimeError as error:
            raise CheckpointError(f"{folder / HEADS_FILE} does not fit head {name!r}: {error}") from error
        head.requires_grad_(False).eval()
        made[name] = head
    return {mode: made[spec.heads[mode.value]] for mode in Mode if mode.value in spec.heads}
