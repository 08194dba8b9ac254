"""Real packages, good and broken: none stops deg, and each is told by name when it matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest

from deg_core.errors import CheckpointError, PluginError, UnknownNameError
from deg_core.plugins import Plugins, load_plugins
from deg_core.protocols import PROTOCOL_VERSION
from tests.plugins.installing import PACKAGES, install

Load = Callable[..., Plugins]
OURS = ".".join(map(str, PROTOCOL_VERSION))


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Install packages beside deg's own plugins and load them all, in this process."""
    site = tmp_path / "site"
    before = set(sys.modules)

    def run(*names: str, allow: str | None = None) -> Plugins:
        install(site, *names)
        monkeypatch.syspath_prepend(str(site))
        points = [point for found in metadata.distributions(path=[str(site)]) for point in found.entry_points]
        ours = [point for point in metadata.entry_points(group="deg") if point.dist.name == "deg-fill"]
        return load_plugins([*points, *ours], allow=allow)

    yield run
    for name in set(sys.modules) - before:
        if name.startswith("acme_"):
            del sys.modules[name]


def test_a_good_plugin_is_as_good_as_ours(load: Load):
    plugins = load("acme-good")
    plugins.check()
    assert [plugin.id for plugin in plugins.loaded] == ["acme-good:acme", "deg-fill:backbones", "deg-fill:heads"]
    assert "acme_good_parts" not in sys.modules, "listing must not import what is registered"
    assert plugins.heads.resolve("acme-even").__name__ == "EvenHead"
    assert set(plugins.array_decoders.names()) == {"acme-first", "threshold", "count_peaks", "hybrid"}
    assert "choice" in plugins.heads
    assert plugins.checkpoints.folder("acme-latest") == plugins.checkpoints.folder("acme-0.2")
    assert plugins.checkpoints.entry("acme-latest").target == "acme-0.2"


def test_a_checkpoint_folder_that_is_gone(load: Load):
    with pytest.raises(CheckpointError, match=r"'acme-gone' of acme-good:acme should be the folder .*gone"):
        load("acme-good").checkpoints.folder("acme-gone")


def test_an_import_error_is_kept_and_told_when_a_name_is_unknown(load: Load):
    plugins = load("acme-import-error")
    (failure,) = plugins.failures
    assert (failure.distribution, failure.version) == ("acme-import-error", "0.2")
    assert "acme_import_error.py" in failure.traceback
    assert plugins.heads.resolve("choice").__name__ == "ChoiceHead"
    with pytest.raises(UnknownNameError) as caught:
        plugins.heads.resolve("acme-fast", where="deg.json at heads -> decide.choice")
    message = str(caught.value)
    assert "unknown head 'acme-fast', named in deg.json at heads -> decide.choice" in message
    assert f"known: {', '.join(plugins.heads.names())}" in message
    assert "failed to load: acme-import-error 0.2 (acme): ModuleNotFoundError: " in message
    with pytest.raises(PluginError, match="acme-import-error"):
        plugins.check()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("acme-no-module", "cannot be imported from acme_module_that_is_not_installed:Head: ModuleNotFoundError"),
        ("acme-no-class", "acme_late_error_parts has no Hed"),
        ("acme-no-type", "acme_late_error_parts:head is not a class"),
        ("acme-broken", "cannot be imported from acme_late_error_broken:Head: KeyError: 'size'"),
    ],
)
def test_what_is_registered_but_not_there(load: Load, name: str, says: str):
    plugins = load("acme-late-error")
    assert not plugins.failures
    with pytest.raises(PluginError) as caught:
        plugins.heads.resolve(name)
    assert says in str(caught.value)
    assert "acme-late-error:acme" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("acme-old", f"was built for protocol 0.9, this deg has {OURS}; update the plugin"),
        ("acme-new", f"was built for protocol 2.0, this deg has {OURS}; update deg"),
        ("acme-newer-minor", f"was built for protocol 1.99, this deg has {OURS}; update deg"),
        ("acme-none", "must have protocol_version = (major, minor), found None"),
        ("acme-text", "must have protocol_version = (major, minor), found '1.0'"),
    ],
)
def test_another_protocol_version_is_refused_in_one_line(load: Load, name: str, says: str):
    with pytest.raises(PluginError) as caught:
        load("acme-wrong-version").heads.resolve(name)
    assert says in str(caught.value)
    assert f"head {name!r} of acme-wrong-version:acme" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_taken_twice_is_used_by_neither(load: Load):
    plugins = load("acme-duplicate")
    with pytest.raises(PluginError) as caught:
        plugins.heads.resolve("choice", where="deg.json")
    assert "'choice' is registered by acme-duplicate:heads and deg-fill:heads; neither is used" in str(caught.value)
    assert "choice" not in plugins.heads
    assert "choice" not in plugins.heads.names()
    assert plugins.heads.resolve("score").__name__ == "ScoreHead"
    assert plugins.heads.resolve("acme-other").__name__ == "ChoiceHead"
    assert len(plugins.failures) == 1


def test_the_allow_list_settles_a_name_taken_twice(load: Load):
    plugins = load("acme-duplicate", allow="deg-fill")
    assert plugins.heads.resolve("choice").__module__ == "deg_heads.choice"
    assert plugins.skipped == ["acme-duplicate:heads"]


def test_an_entry_point_name_in_two_distributions_is_reported(load: Load):
    assert load("acme-duplicate").notices == [
        "entry point 'heads' is declared by acme-duplicate, deg-fill; all are loaded"
    ]


@pytest.mark.parametrize(
    ("package", "says"),
    [
        ("acme-misspelt", ("unknown hook deg_register_head in plugin acme_misspelt", "deg_register_heads")),
        ("acme-wrong-argument", ("plugin acme_wrong_argument", "registry", "deg_register_heads")),
        ("acme-unmarked", ("deg_register_heads in acme_unmarked is not marked with @hookimpl",)),
    ],
)
def test_a_hook_that_would_silently_do_nothing(load: Load, package: str, says: tuple[str, ...]):
    plugins = load(package)
    (failure,) = plugins.failures
    for part in says:
        assert part in failure.error
    assert "\n" not in failure.error
    assert not [name for name in plugins.heads.names() if name.startswith("acme")]
    assert "choice" in plugins.heads
    with pytest.raises(PluginError, match=package):
        plugins.check()


def test_a_hook_that_fails_half_way_registers_nothing(load: Load):
    plugins = load("acme-half")
    assert "acme-before" not in plugins.families
    assert "acme-good-one" in plugins.heads
    errors = [failure.error for failure in plugins.failures]
    assert errors[0] == "deg_register_families raised RuntimeError: the table of families is empty"
    assert "'Acme Head' is not a registry name" in errors[1]
    assert "'acme.heads.thing' looks like an import path" in errors[2]
    assert "'acme_half.Thing' is not a lazy path" in errors[3]
    assert "register was called wrongly" in errors[4]
    assert len(errors) == 5


def test_all_broken_packages_at_once_leave_deg_working(load: Load):
    names = sorted(path.name for path in PACKAGES.iterdir() if path.name != "acme-duplicate")
    plugins = load(*names)
    assert plugins.heads.resolve("choice").__module__ == "deg_heads.choice"
    assert {failure.distribution for failure in plugins.failures} == {
        "acme-half",
        "acme-import-error",
        "acme-misspelt",
        "acme-unmarked",
        "acme-wrong-argument",
    }


def test_load_order_does_not_depend_on_the_order_of_installation(load: Load):
    plugins = load("acme-late-error", "acme-good")
    assert [plugin.id for plugin in plugins.loaded] == sorted(plugin.id for plugin in plugins.loaded)


@pytest.mark.parametrize(
    ("allow", "loaded", "notices"),
    [
        ("", [], []),
        (" , ", [], []),
        ("deg-fill", ["deg-fill:backbones", "deg-fill:heads"], []),
        ("heads,acme", ["acme-good:acme", "deg-fill:heads"], []),
        ("acme-good:acme", ["acme-good:acme"], []),
        ("acme-god", [], ["DEG_PLUGINS names 'acme-god', which no installed plugin is called"]),
    ],
)
def test_the_allow_list(load: Load, allow: str, loaded: list[str], notices: list[str]):
    plugins = load("acme-good", allow=allow)
    assert [plugin.id for plugin in plugins.loaded] == loaded
    assert plugins.notices == notices
    assert len(plugins.skipped) == 3 - len(loaded)


def test_an_unknown_name_says_what_the_allow_list_left_out(load: Load):
    with pytest.raises(UnknownNameError, match=r"left out by DEG_PLUGINS: acme-good:acme, deg-fill:backbones"):
        load("acme-good", allow="").heads.resolve("choice")


def deg(site: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the real command with the packages in ``site`` installed."""
    env = {**os.environ, "PYTHONPATH": str(site), **environment}
    command = [sys.executable, "-m", "deg_serve.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def test_the_command_lists_plugins_and_failures(tmp_path: Path):
    site = install(tmp_path / "site", "acme-good", "acme-import-error")
    done = deg(site, "plugins", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "acme-good:acme" in [plugin["id"] for plugin in found["plugins"]]
    assert "acme-even" in [head["name"] for head in found["heads"]]
    assert [failure["id"] for failure in found["failures"]] == ["acme-import-error:acme"]
    assert "traceback" not in found["failures"][0]


def test_the_command_shows_tracebacks_and_says_so_in_its_status(tmp_path: Path):
    site = install(tmp_path / "site", "acme-misspelt")
    done = deg(site, "plugins", "--errors")
    assert done.returncode == 3
    assert "unknown hook deg_register_head in plugin acme_misspelt" in done.stdout
    assert "Traceback" in done.stdout


def test_the_environment_chooses_plugins(tmp_path: Path):
    site = install(tmp_path / "site", "acme-good")
    found = json.loads(deg(site, "plugins", "--json", DEG_PLUGINS="").stdout)
    assert found["plugins"] == []
    assert len(found["skipped"]) >= 3
