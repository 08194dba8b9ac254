"""Snapshots from a model hub: found on this machine, or fetched with ``huggingface_hub``.

A name such as ``Qwen/Qwen3.5-0.8B`` stands for a folder. Looked at in order: ``weights/Qwen--Qwen3.5-0.8B`` in deg's
home (where somebody may have put the files), the hub's own cache, then the network. A snapshot that is whole on this
machine is used without asking anybody.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deg_core.errors import CheckpointError, DownloadError
from deg_core.home import deg_home

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_INDEX = "model.safetensors.index.json"
_OFFLINE = ("DEG_OFFLINE", "HF_HUB_OFFLINE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a snapshot must hold: ``needed`` file names, and ``patterns`` of all that is worth fetching."""

    needed: tuple[str, ...]
    patterns: tuple[str, ...]
    weights: bool

    def missing(self, folder: Path) -> list[str]:
        """Names of files that ``folder`` lacks; the shards are those its index names."""
        lacking = [name for name in self.needed if not (folder / name).is_file()]
        if self.weights:
            lacking += _missing_weights(folder)
        return lacking


BACKBONE: Final = Content(
    needed=("config.json", "tokenizer.json"),
    patterns=("config.json", "tokenizer.json", "model*.safetensors", _INDEX),
    weights=True,
)
CHECKPOINT: Final = Content(
    needed=("deg.json", "heads.safetensors"),
    patterns=("deg.json", "heads.safetensors", "adapters.safetensors"),
    weights=False,
)


def is_hub_id(name: str) -> bool:
    """Whether ``name`` has the form ``owner/name`` and is nothing on this machine's disk."""
    return _HUB_ID.fullmatch(name) is not None and not Path(name).exists()


def resolve_source(source: str | Path) -> Path:
    """The path that ``--base-model`` means: a folder or file as it is, a hub id as its snapshot.

    Raises CheckpointError when it is neither, DownloadError when the snapshot can be had nowhere.
    """
    text = source.as_posix() if isinstance(source, Path) else source
    if Path(source).exists():
        return Path(source)
    if is_hub_id(text):
        return snapshot(text, BACKBONE)
    raise CheckpointError(f"there is no file or folder {text}, and it is no hub id (owner/name) either")


def snapshot(hub_id: str, content: Content) -> Path:
    """The folder of a hub id's files, fetched when this machine does not have all of them.

    An interrupted download goes on where it stopped. Raises CheckpointError when a folder that was put into deg's
    home is not whole, DownloadError when the files can be had nowhere.
    """
    placed = placed_folder(hub_id)
    if placed.is_dir():
        lacking = content.missing(placed)
        if not lacking:
            return placed
        raise CheckpointError(
            f"{placed} is not a whole snapshot of {hub_id}: it lacks {', '.join(lacking[:5])}; "
            f"add the files, or delete the folder to fetch them"
        )
    cached = cached_folder(hub_id, content)
    return cached if cached is not None else _fetch(hub_id, content, placed)


def placed_folder(hub_id: str) -> Path:
    """Where a person puts a snapshot by hand."""
    return deg_home() / "weights" / hub_id.replace("/", "--")


def cached_folder(hub_id: str, content: Content) -> Path | None:
    """The snapshot in the hub's own cache when it is whole there; asks no network."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        return None
    try:
        folder = Path(snapshot_download(hub_id, allow_patterns=list(content.patterns), local_files_only=True))
    except (OSError, ValueError):  # not in the cache
        return None
    return folder if not content.missing(folder) else None


def _fetch(hub_id: str, content: Content, placed: Path) -> Path:
    offline = [name for name in _OFFLINE if os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}]
    if offline:
        raise _nowhere(hub_id, content, placed, f"{offline[0]} is set")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise _nowhere(hub_id, content, placed, "huggingface_hub is missing: pip install 'deg-fill[hub]'") from None
    try:
        folder = Path(snapshot_download(hub_id, allow_patterns=list(content.patterns)))
    except Exception as error:  # of whichever HTTP library the hub's client was built on
        raise _nowhere(hub_id, content, placed, _reason(error)) from error
    lacking = content.missing(folder)
    if lacking:
        raise DownloadError(f"{hub_id} on the hub lacks {', '.join(lacking[:5])}; is it the right kind of repository?")
    return folder


def _nowhere(hub_id: str, content: Content, placed: Path, why: str) -> DownloadError:
    files = ", ".join(content.needed + (("its .safetensors files",) if content.weights else ()))
    return DownloadError(
        f"{hub_id} is no folder here, no snapshot on this machine, and could not be fetched ({why}): where there is a "
        f"network run `deg models pull {hub_id}`, then put {files} into {placed}"
    )


def _reason(error: Exception) -> str:
    """The first line of what went wrong, without the advice that the hub's client adds."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def _missing_weights(folder: Path) -> list[str]:
    index = folder / _INDEX
    if not index.is_file():
        return [] if any(folder.glob("*.safetensors")) else ["model.safetensors"]
    try:
        shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise CheckpointError(f"{index} cannot be read: {error}; delete it and fetch the snapshot again") from error
    return sorted(name for name in shards if not (folder / name).is_file())
