"""Who writes x-generate texts: the backbone as it was published, or that with an adapter of its own (SPEC 12.7)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deg_core.errors import CheckpointError, UnsupportedError
from deg_core.plugins.checkpoint import ADAPTERS_FILE, DegJson, read_checkpoint

BASE: Final = "base"
_WITH_ADAPTER: Final = "base+lora:"
ALLOWED: Final = f"{BASE}, {_WITH_ADAPTER}FOLDER"


@dataclass(frozen=True, slots=True)
class WritingAdapter:
    """A checkpoint folder whose adapter is merged into the copy of the backbone that writes, and into no other."""

    spec: DegJson
    folder: Path


def writing_adapter(generate: str, own: DegJson) -> WritingAdapter | None:
    """What ``generate`` means beside the checkpoint ``own``: None for ``base``, the folder's adapter for
    ``base+lora:FOLDER``. The folder is one that training writes; of its heads nothing is used.

    Raises UnsupportedError for another word, CheckpointError for a folder that is damaged, has no adapter, or has one
    for another backbone or other weights of it.
    """
    if generate == BASE:
        return None
    if not generate.startswith(_WITH_ADAPTER) or generate == _WITH_ADAPTER:
        raise UnsupportedError(f"generate {generate!r} is not known; allowed: {ALLOWED}")
    folder = Path(generate.removeprefix(_WITH_ADAPTER))
    spec = read_checkpoint(folder)
    if spec.lora is None or ADAPTERS_FILE not in spec.files:
        raise CheckpointError(f"{folder} holds no adapter ({ADAPTERS_FILE}, and lora in deg.json) to write with")
    if spec.backbone != own.backbone:
        raise CheckpointError(
            f"the adapter in {folder} is for backbone {spec.backbone}, the checkpoint is on {own.backbone}; "
            "train one on the same backbone"
        )
    theirs, ours = (each.base.sha256 if each.base is not None else None for each in (spec, own))
    if theirs is not None and ours is not None and theirs != ours:
        raise CheckpointError(
            f"the adapter in {folder} was trained on other weights of {spec.backbone} (SHA-256 {theirs[:12]}..., the "
            f"checkpoint's are {ours[:12]}...)"
        )
    return WritingAdapter(spec, folder)
