"""The checkpoints that ship inside this package: one folder each, named by model id."""

from __future__ import annotations

import re
from pathlib import Path

from deg_core.errors import CheckpointError
from deg_core.plugins.hookspecs import RegisterCheckpoint

FOLDER = Path(__file__).parent / "checkpoints"
NEWEST = "embedded"
ALIAS = "deg-latest"
_VERSION = re.compile(r"-(\d+(?:\.\d+)*)$")


def shipped(folder: Path = FOLDER) -> list[Path]:
    """The checkpoint folders, oldest version first. A version is the number at the end: ``-0.10`` is after ``-0.9``."""
    found = [path for path in folder.glob("*") if (path / "deg.json").is_file() and _VERSION.search(path.name)]
    return sorted(found, key=_order)


def register_all(register: RegisterCheckpoint, folder: Path = FOLDER) -> None:
    """Register every shipped checkpoint by its model id; the newest is also ``embedded`` and ``deg-latest``."""
    paths = shipped(folder)
    for path in paths[:-1]:
        register(path.name, path)
    if paths:
        register(paths[-1].name, paths[-1], [NEWEST, ALIAS])
    else:
        register(NEWEST, _none, [ALIAS])


def _order(path: Path) -> tuple[tuple[int, ...], str]:
    match = _VERSION.search(path.name)
    assert match is not None, path
    return tuple(int(number) for number in match[1].split(".")), path.name


def _none() -> Path:
    raise CheckpointError(
        f"this installation ships no checkpoint in {FOLDER}; reinstall deg-fill, or rebuild it with `make checkpoint`"
    )
