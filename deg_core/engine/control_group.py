"""How much memory the control groups of this process leave it: what a container or a service manager bounds it by."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_ROOT: Final = Path("/sys/fs/cgroup")
_OWN: Final = Path("/proc/self/cgroup")


def free_in_groups(root: Path = _ROOT, own: Path = _OWN) -> int | None:
    """Bytes until the nearest limit of this process's group and those around it (control groups, version 2); None where
    there is no limit.

    ``root`` is where the groups are mounted, ``own`` says which is this process's. A container may see its own group as
    the root, under whatever name ``own`` has; groups that are not there are passed over.
    """
    found = [free for group in _groups(root, own) if (free := _free(group)) is not None]
    return max(0, min(found)) if found else None


def _groups(root: Path, own: Path) -> list[Path]:
    try:
        lines = own.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    name = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), "")
    steps = [step for step in name.split("/") if step not in ("", "..")]
    return [root.joinpath(*steps[:depth]) for depth in range(len(steps) + 1)]


def _free(group: Path) -> int | None:
    try:
        limit = (group / "memory.max").read_text("ascii").strip()
        return None if limit == "max" else int(limit) - int((group / "memory.current").read_text("ascii"))
    except (OSError, ValueError):
        return None
