"""Limits of control groups, on trees like those of a machine, a service and a container."""

from __future__ import annotations

from pathlib import Path

import pytest

from deg_core.engine.control_group import free_in_groups
from deg_core.engine.memory import free_bytes

MIB = 2**20


def group(path: Path, limit: str, current: int) -> None:
    path.mkdir(parents=True, exist_ok=True)
    (path / "memory.max").write_text(f"{limit}\n", "ascii")
    (path / "memory.current").write_text(f"{current}\n", "ascii")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "groups").mkdir()
    return tmp_path / "groups"


def own(root: Path, text: str) -> Path:
    path = root.parent / "own"
    path.write_text(text, "utf-8")
    return path


def test_a_service_is_bounded_by_its_own_group_or_by_one_around_it(root: Path):
    group(root / "system.slice" / "deg.service", str(1500 * MIB), 500 * MIB)
    group(root / "system.slice", "max", 900 * MIB)
    assert free_in_groups(root, own(root, "0::/system.slice/deg.service\n")) == 1000 * MIB
    group(root / "system.slice", str(1000 * MIB), 900 * MIB)
    assert free_in_groups(root, own(root, "0::/system.slice/deg.service\n")) == 100 * MIB
    group(root / "system.slice", str(1000 * MIB), 1001 * MIB)
    assert free_in_groups(root, own(root, "0::/system.slice/deg.service\n")) == 0


@pytest.mark.parametrize("name", ["0::/\n", "0::/docker/0123abc\n", "0::/../other\n", ""])
def test_a_container_is_bounded_by_what_it_sees_as_the_root(root: Path, name: str):
    group(root, str(800 * MIB), 300 * MIB)
    assert free_in_groups(root, own(root, name)) == 500 * MIB


@pytest.mark.parametrize("name", ["0::/user.slice\n", "9:name=systemd:/\n4:memory:/x\n0::/\n", ""])
def test_without_a_limit_there_is_none(root: Path, name: str):
    group(root / "user.slice", "max", 5)
    (root / "memory.max").write_text("unlike a number", "ascii")
    assert free_in_groups(root, own(root, name)) is None
    assert free_in_groups(root / "none", root / "none") is None


def test_free_memory_is_the_smaller(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deg_core.engine.memory.free_in_groups", lambda: 3 * MIB)
    assert free_bytes() == 3 * MIB
    monkeypatch.setattr("deg_core.engine.memory.free_in_groups", lambda: None)
    assert free_bytes() > 3 * MIB
