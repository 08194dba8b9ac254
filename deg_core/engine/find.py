"""What a name means: a checkpoint, or a backbone without one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deg_core.engine.untrained import family_of, is_snapshot, untrained
from deg_core.errors import CheckpointError
from deg_core.hub import BACKBONE, CHECKPOINT, cached_folder, is_hub_id, placed_folder, snapshot
from deg_core.plugins.checkpoint import DEG_JSON, DegJson, read_checkpoint
from deg_core.plugins.manager import Plugins


@dataclass(frozen=True, slots=True)
class Found:
    """``folder`` is the checkpoint's, None for a backbone without one; ``source`` is where the backbone's weights are,
    where the name said that."""

    spec: DegJson
    folder: Path | None
    source: Path | None = None

    @property
    def where(self) -> str:
        """For messages."""
        return str(self.folder / DEG_JSON) if self.folder is not None else f"the backbone {self.spec.backbone}"


def find(name: str | Path, plugins: Plugins, *, backbone: str | None = None) -> Found:
    """A registered checkpoint, a folder (a checkpoint or a backbone's snapshot), a registered backbone or a hub id, in
    this order. ``backbone`` must be the checkpoint's own when given; of a snapshot it says the family.

    Raises CheckpointError, UnknownNameError, PluginError or DownloadError.
    """
    found = _find(name, plugins, backbone)
    if backbone is not None and backbone != found.spec.backbone:
        if found.folder is None:
            raise CheckpointError(f"{name} is the backbone {found.spec.backbone!r}, not {backbone!r}")
        raise CheckpointError(
            f"{found.folder} was trained on backbone {found.spec.backbone!r}; it cannot run on {backbone!r}"
        )
    return found


def _find(name: str | Path, plugins: Plugins, backbone: str | None) -> Found:
    if isinstance(name, Path):
        return _folder(name, plugins, backbone)
    if name in plugins.checkpoints:
        return _folder(plugins.checkpoints.folder(name), plugins, backbone)
    if Path(name).is_dir():
        return _folder(Path(name), plugins, backbone)
    if name in plugins.families:
        return Found(untrained(name, plugins), None)
    if is_hub_id(name):
        return _folder(_from_hub(name), plugins, backbone)
    if "/" in name or "\\" in name:
        return _folder(Path(name), plugins, backbone)
    return _folder(plugins.checkpoints.folder(name), plugins, backbone)


def _folder(folder: Path, plugins: Plugins, backbone: str | None) -> Found:
    if is_snapshot(folder) and not (folder / DEG_JSON).exists():
        return Found(untrained(backbone or family_of(folder, plugins), plugins), None, folder)
    return Found(read_checkpoint(folder), folder)


def _from_hub(name: str) -> Path:
    """A checkpoint, unless what is on this machine under that name is a backbone's snapshot."""
    placed = placed_folder(name)
    here = placed.is_dir() or cached_folder(name, CHECKPOINT) is not None
    if is_snapshot(placed) and not (placed / DEG_JSON).exists():
        return snapshot(name, BACKBONE)
    known = None if here else cached_folder(name, BACKBONE)
    return known if known is not None else snapshot(name, CHECKPOINT)
