"""A scratch environment to install packages into: a real one, that sees what is installed here, without a network."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = "deg_core.conformance.pytest_plugin"


class Scratch:
    """An environment in ``folder`` whose commands run there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._prefix = folder / ".env"
        builder = venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt")
        builder.create(self._prefix)
        self._bin = self._prefix / ("Scripts" if os.name == "nt" else "bin")
        places = {sysconfig.get_paths()[name] for name in ("purelib", "platlib")}
        # Packages of the environment that runs the tests, and those that are installed there in place.
        lines = [f"import site; site.addsitedir({place!r})" for place in sorted(places)]
        (self._site() / "outer.pth").write_text("\n".join(lines) + "\n", "utf-8")
        self._script("deg", "deg_serve.cli.main:main")

    def run(self, script: str, *, cwd: Path | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run lines of shell as somebody would who activated the environment."""
        env = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHONPATH"))},
            "PATH": f"{self._bin}{os.pathsep}{os.environ['PATH']}",
            "VIRTUAL_ENV": str(self._prefix),
            "DEG_HOME": str(self.folder / ".home"),
            "DEG_OFFLINE": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say that the build sees the environment
            "PIP_NO_DEPS": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_QUIET": "1",
            "OMP_NUM_THREADS": "1",
            "OMP_WAIT_POLICY": "PASSIVE",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            capture_output=True,
            text=True,
            cwd=cwd or self.folder,
            env=env,
            check=False,
        )
        if check:
            assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done

    def _site(self) -> Path:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self._prefix / ("Lib/site-packages" if os.name == "nt" else f"lib/{version}/site-packages")

    def _script(self, name: str, target: str) -> None:
        """What an installer writes for a command."""
        module, _, function = target.partition(":")
        path = self._bin / name
        lines = (
            f"#!{self._bin / 'python'}",
            "import sys",
            f"from {module} import {function}",
            f"sys.exit({function}())",
        )
        path.write_text("\n".join(lines) + "\n", "utf-8")
        path.chmod(0o755)


def require_installer() -> None:
    """Skip where a package cannot be built and installed without a network, or deg is an older installation."""
    for module in ("pip", "setuptools"):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not in this environment")
    if not any(point.value == PLUGIN for point in metadata.entry_points(group="pytest11")):
        pytest.skip("deg was installed before it had a pytest plugin; install it again")
