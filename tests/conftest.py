"""What every test gets: its own plugins, its own seeds, no weights cache of the person who runs it."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from deg_core.engine.engine import Model
    from tests.fixtures.tiny import Tiny

ROOT = Path(__file__).parent.parent

# Read by the thread pool when torch is first imported. Tests ask for more threads than cores, and several processes
# of tests share a machine: threads that wait must sleep, not spin.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

settings.register_profile("default", max_examples=50, deadline=None, derandomize=True)
settings.register_profile(
    "wide", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked ``gpu`` are skipped where there is no CUDA device."""
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if not marked:
        return
    import torch

    if not torch.cuda.is_available():
        for item in marked:
            item.add_marker(pytest.mark.skip(reason="needs a CUDA device"))


@pytest.fixture(autouse=True)
def _seeds() -> None:
    """The same random numbers in every run and every order of tests. torch is seeded only where it is used."""
    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


@pytest.fixture(autouse=True)
def _fresh_plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test sees the plugins that another one loaded, nor the allow-list of the person who runs the tests."""
    from deg_core.plugins import reset_plugins

    monkeypatch.delenv("DEG_PLUGINS", raising=False)
    reset_plugins()
    yield
    reset_plugins()


@pytest.fixture
def deg_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for downloads, instead of the one of the person who runs the tests."""
    home = tmp_path / "home"
    monkeypatch.setenv("DEG_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material (public data, schemas): ``DEG_SHARED``, or ``../shared`` beside the checkout."""
    folder = Path(os.environ.get("DEG_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip("the folder of shared material is not on this machine; set DEG_SHARED")
    return folder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    """A random llama snapshot and a random checkpoint on it, written once a session. Treat as read-only."""
    from tests.fixtures.tiny import build_tiny

    return build_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def tiny_models(tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Model]:
    """The tiny checkpoint loaded once a session, by arithmetic: "int8" and "fp32"."""
    from deg_core.engine.load import load_model

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEG_HOME", str(tmp_path_factory.mktemp("tiny-home")))
        return {
            compute: load_model(tiny.checkpoint, base_model=tiny.snapshot, compute=compute)
            for compute in ("int8", "fp32")
        }
