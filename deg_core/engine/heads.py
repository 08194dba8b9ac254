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
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery, Head, HeadInit, Query, load_head
from deg_core.protocols.language import Language, speaks
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.rendering.readout import MOST_WORDED, ReadoutRenderer
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


def set_up(heads: dict[Query, Head], *, rotations: int | None, letters: bool, where: str) -> None:
    """Have choices averaged over so many turns of their options, and answered by ``letters`` however few these are.
    Raises CheckpointError when no head can."""
    wanted = {"rotations": rotations, "worded": 0 if letters else None}
    for name, value in wanted.items():
        if value is None:
            continue
        able = [head for head in heads.values() if speaks(head) and isinstance(getattr(head, name, None), Tensor)]
        if not able:
            option = "letters" if name == "worded" else name
            raise CheckpointError(f"{option} is for heads that answer without training, and {where} has none of those")
        for head in able:
            getattr(head, name).fill_(value)
    if rotations is not None and rotations < 1:
        raise CheckpointError(f"rotations is {rotations}; 1 or more are needed")


def renderer_of(family: Family, tokenizer: Tokenizer, heads: dict[Query, Head]) -> ReadoutRenderer:
    """A renderer that puts questions to the language heads, which are given what they speak with."""
    queries = [query for query, head in heads.items() if speaks(head)]
    worded = getattr(heads.get(Mode.CHOICE), "worded", None)
    renderer = ReadoutRenderer(
        family, tokenizer, queries, worded=MOST_WORDED if worded is None else min(int(worded), MOST_WORDED)
    )
    language = Language(tokenizer, renderer, renderer.end)
    for head in {id(head): head for head in heads.values()}.values():
        if speaks(head):
            head.bind(language)
    return renderer


def _tensors(folder: Path) -> dict[str, Tensor]:
    try:
        return load_file(str(folder / HEADS_FILE))
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{folder / HEADS_FILE} cannot be read: {error}") from error
