"""Putting the example packages where Python finds them, as an installer would, without building or a network."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

PACKAGES = Path(__file__).parent / "packages"


def install(site: Path, *names: str) -> Path:
    """Copy the modules of the named packages to ``site`` and write the metadata that an installer would write."""
    site.mkdir(parents=True, exist_ok=True)
    for name in names:
        folder = PACKAGES / name
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        for module in folder.glob("*.py"):
            shutil.copy(module, site)
        info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", "utf-8"
        )
        points = "\n".join(f"{key} = {value}" for key, value in project["entry-points"]["deg"].items())
        (info / "entry_points.txt").write_text(f"[deg]\n{points}\n", "utf-8")
    return site
