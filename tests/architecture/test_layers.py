"""Who may import whom, as written down in pyproject.toml."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("deg_core", "deg_backbones", "deg_heads", "deg_serve")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_imports_go_down_the_ladder_only():
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "3 kept, 0 broken" in done.stdout


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("deg_core/engine/bad.py", "import deg_backbones"),
        ("deg_core/runtime/bad.py", "import deg_core.engine"),
        ("deg_core/contract/bad.py", "import torch"),
        ("deg_backbones/bad.py", "import deg_heads"),
        ("deg_core/errors.py", "import deg_core.contract"),
    ],
)
def test_the_check_itself_can_fail(tmp_path: Path, path: str, line: str):
    """A skeleton of empty packages with one forbidden import."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    (tmp_path / "pyproject.toml").write_text(text[text.index("[tool.importlinter]") :], "utf-8")
    for name in set(re.findall(r"\bdeg_\w+(?:\.\w+)*", text[text.index("[tool.importlinter]") :])) - {"deg_serve.cli"}:
        folder = tmp_path.joinpath(*name.split("."))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    (tmp_path / "deg_core" / "records").mkdir(exist_ok=True)
    (tmp_path / "deg_serve" / "cli").mkdir(exist_ok=True)
    (tmp_path / "deg_serve" / "cli" / "__init__.py").touch()
    bad = tmp_path / path
    if bad.with_suffix("").is_dir():
        bad = bad.with_suffix("") / "__init__.py"
    bad.write_text(line + "\n", "utf-8")
    done = lint_imports(tmp_path)
    assert done.returncode != 0
    assert "BROKEN" in done.stdout, done.stdout + done.stderr


def test_every_folder_with_modules_is_a_package():
    """Otherwise it would be missing in the wheel."""
    missing = {
        str(path.parent.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if not (path.parent / "__init__.py").is_file()
    }
    assert not missing


def test_our_plugin_modules_load_no_model_code():
    code = (
        "import sys, deg_backbones.plugin, deg_heads.plugin\n"
        "assert not {'torch', 'numpy', 'gguf', 'deg_backbones.llama.model', 'deg_heads.choice'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
