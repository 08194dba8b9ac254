"""The pytest plugin: a test for each check, outcomes as the kit gives them, and nothing imported before it is used."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from deg_core.plugins import Plugins, manager
from tests.plugins.fakes import decoders, heads  # noqa: F401 - importing them registers them
from tests.plugins.fakes.broken import plugins

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
PLUGIN = "deg_core.conformance.pytest_plugin"
# An installed deg brings the plugin; a tree that was installed before there was one has to name it.
INSTALLED = any(point.value == PLUGIN for point in metadata.entry_points(group="pytest11"))
USE = () if INSTALLED else ("-p", PLUGIN)


@pytest.fixture(autouse=True)
def _fakes(_fresh_plugins: None, monkeypatch: pytest.MonkeyPatch) -> Plugins:
    """The broken plugins as the installed ones."""
    made = plugins()
    monkeypatch.setattr(manager, "_current", made)
    return made


def run(pytester: pytest.Pytester, arguments: str, *flags: str) -> pytest.RunResult:
    """Run a file whose mark has these arguments."""
    pytester.makepyfile(f"""
        import pytest

        @pytest.mark.deg_conform({arguments})
        def test_conforms(deg_check):
            deg_check()
    """)
    return pytester.runpytest_inprocess(*USE, "--strict-markers", "-p", "no:cacheprovider", *flags)


def test_a_test_for_each_check(pytester: pytest.Pytester):
    found = run(pytester, '"no-minimum", "from-the-future"', "-v", "-rs")
    found.assert_outcomes(failed=3, passed=9, skipped=10)
    found.stdout.fnmatch_lines(
        [
            "*::test_conforms[[]no-minimum-ascending[]] PASSED*",
            "*::test_conforms[[]no-minimum-bounds[]] FAILED*",
            "*expected: at least min_items and at most max_items positions",
            "*read on:  docs/reference/conformance.md#array-decoder-bounds",
            "*the check protocol-version failed",
        ]
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ('"no-maximun"', "*unknown array decoder 'no-maximun'*"),
        ('"no-maximum", kind="haed"', "*the mark deg_conform has kind 'haed'; allowed: family, head, array-decoder*"),
        ('"no-maximum", where="here"', "*the mark deg_conform takes snapshot and kind, not where*"),
        ("", "*test_conforms uses deg_check without naming plugins: @pytest.mark.deg_conform('acme-rnn')*"),
    ],
)
def test_what_cannot_be_meant(pytester: pytest.Pytester, arguments: str, says: str):
    found = run(pytester, arguments)
    assert found.ret != 0
    assert found.parseoutcomes().get("passed", 0) == 0
    found.stdout.fnmatch_lines([says])


def test_it_imports_nothing_before_it_is_used(tmp_path: Path):
    """pytest loads it at every start where deg is installed, whatever is tested there."""
    (tmp_path / "test_light.py").write_text(
        "import sys\n\n"
        "def test_light():\n"
        f"    assert {PLUGIN!r} in sys.modules\n"
        "    heavy = ('torch', 'numpy', 'tokenizers', 'safetensors', 'msgspec', 'deg_core.plugins')\n"
        "    assert not [name for name in heavy if name in sys.modules]\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *USE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
