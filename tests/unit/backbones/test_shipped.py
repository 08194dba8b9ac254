"""Which checkpoint is ``embedded``."""

from __future__ import annotations

from pathlib import Path

import pytest

from deg_backbones import shipped
from deg_core.errors import CheckpointError
from deg_core.plugins.registry import CheckpointTable


def table(folder: Path, *names: str) -> CheckpointTable:
    for name in names:
        (folder / name).mkdir()
        (folder / name / "deg.json").touch()
    made = CheckpointTable()
    shipped.register_all(lambda name, path, aliases=(): made.register(name, path, aliases, plugin="deg:b"), folder)
    return made


def test_the_newest_version_is_embedded(tmp_path: Path):
    (tmp_path / "deg-acme-0.99").mkdir()
    made = table(tmp_path, "deg-acme-0.9", "deg-acme-0.10", "deg-acme-0.2")
    assert made.names() == ("deg-acme-0.10", "deg-acme-0.2", "deg-acme-0.9", "deg-latest", "embedded")
    assert made.folder("embedded") == made.folder("deg-latest") == tmp_path / "deg-acme-0.10"


def test_a_build_without_checkpoints_says_so(tmp_path: Path):
    with pytest.raises(CheckpointError, match=r"ships no checkpoint .*make checkpoint"):
        table(tmp_path).folder("embedded")


def test_each_shipped_checkpoint_is_named_by_its_model_id():
    from deg_core.plugins.checkpoint import read_checkpoint

    for folder in shipped.shipped():
        assert read_checkpoint(folder).model_id == folder.name
