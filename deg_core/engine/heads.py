"""The heads that deg.json names, with their tensors."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from deg_core.contract.plan import Mode
from deg_core.engine.find import Found
from deg_core.errors import CheckpointError
from deg_core.plugins.checkpoint import HEADS_FILE
from deg_core.plugins.manager import Plugins
from deg_core.protocols.head import ArrayQuery, Head, HeadInit, Query, load_head
from deg_core.protocols.language import Language, speaks
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.rendering.readout import ReadoutRenderer
from deg_core.runtime.body import Body


def load_heads(plugins: Plugins, found: Found, body: Body) -> dict[Query, Head]:
    """The checkpoint's heads by what they answer; one instance per registry name. Those of a backbone without a
    checkpoint are as they start. Raises CheckpointError, UnknownNameError or PluginError."""
    tensors = _tensors(found.folder) if found.folder is not None else None
    hidden = body.geometry.hidden_size
    made: dict[str, Head] = {}
    for where, name in found.spec.heads.items():
        if name in made:
            continue
        generator = torch.Generator().manual_seed(0)
        init = HeadInit(hidden, generator, lambda text: torch.ones(hidden))
        head = plugins.heads.resolve(name, where=f"{found.where} at heads -> {where}")(init)
        if tensors is not None:
            own = {key.removeprefix(name + "."): value for key, value in tensors.items() if key.startswith(name + ".")}
            try:
                load_head(head, own)
            except RuntimeError as error:
                raise CheckpointError(f"{found.folder}: {HEADS_FILE} does not fit head {name!r}: {error}") from error
        head.requires_grad_(False).eval().to(body.device)
        made[name] = head
    queries: list[Query] = [*Mode, *ArrayQuery]
    return {query: made[found.spec.heads[query.value]] for query in queries if query.value in found.spec.heads}


def bind_language(heads: dict[Query, Head], renderer: ReadoutRenderer, tokenizer: Tokenizer) -> None:
    """Give language heads what they speak with."""
    language = Language(tokenizer, renderer, renderer.end)
    for head in {id(head): head for head in heads.values()}.values():
        if speaks(head):
            head.bind(language)


def spoken(heads: dict[Query, Head]) -> list[Query]:
    """The queries that language heads answer."""
    return [query for query, head in heads.items() if speaks(head)]


def turn_options(heads: dict[Query, Head], rotations: int, where: str) -> None:
    """Have choices averaged over so many turns of their options. Raises CheckpointError when no head can."""
    able = [head for head in heads.values() if isinstance(getattr(head, "rotations", None), Tensor)]
    if rotations < 1 or not able:
        why = "1 or more are needed" if able else "its heads were trained to read options in one order"
        raise CheckpointError(f"rotations is {rotations} for {where}: {why}")
    for head in able:
        head.rotations.fill_(rotations)


def _tensors(folder: Path) -> dict[str, Tensor]:
    try:
        return load_file(str(folder / HEADS_FILE))
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{folder / HEADS_FILE} cannot be read: {error}") from error
