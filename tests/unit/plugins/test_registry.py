"""Names: what may be one, and what an unknown one is answered with."""

from __future__ import annotations

from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.errors import PluginError, UnknownNameError
from deg_core.plugins import Kind, Registry, load_plugins
from deg_core.plugins.registry import CheckpointTable, name_problem


@pytest.mark.parametrize(
    "name", ["choice", "llama", "qwen3.5-0.8b", "lfm2.5-1.2b", "deg-smollm2-135m-0.1", "decide.2", "a_b", "7b"]
)
def test_names(name: str):
    assert name_problem(name) is None


@pytest.mark.parametrize(
    "name",
    [
        *("deg_heads.choice", "deg_heads.choice:ChoiceHead", "os:system", "a.b", "os.path.join", "__import__"),
        *("", " choice", "choice\n", "Choice", "a--b", "-a", "a-", "../choice", "a/b", "a\\b", "naïve", "٣"),
        *(None, 3, b"choice"),
    ],
)
def test_what_is_no_name(name: object):
    assert name_problem(name)


@given(st.text(max_size=20))
def test_a_name_never_holds_a_place_to_import_from(name: str):
    if name_problem(name) is None:
        assert name.isascii()
        assert not set(name) & set(":/\\ \n")
        parts = name.split(".")
        assert len(parts) == 1 or not all(part.isidentifier() for part in parts)


def test_an_unknown_name_is_answered_with_the_nearest_and_with_all():
    registry = Registry(Kind.HEAD)
    for name in ("choice", "score", "noul"):
        registry.register(name, f"deg_heads.{name}:Head", plugin="acme:acme")
    with pytest.raises(UnknownNameError) as caught:
        registry.resolve("scor", where="deg.json at heads -> decide.score")
    assert str(caught.value) == (
        "DEG-P003 unknown head 'scor', named in deg.json at heads -> decide.score\n"
        "  did you mean: score\n"
        "  known: choice, noul, score"
    )


def test_an_empty_registry_says_that_nothing_is_installed():
    with pytest.raises(UnknownNameError, match=r"known: none\n.*no plugin is installed, not even deg's own"):
        load_plugins([]).heads.resolve("choice")


def test_a_class_is_imported_once_and_late():
    registry = Registry(Kind.FAMILY)
    registry.register("fine", f"{__name__}:Fine", plugin="acme:acme")
    registry.register("gone", "acme_nowhere:Gone", plugin="acme:acme")
    assert registry.names() == ("fine", "gone")
    with pytest.raises(PluginError):
        registry.resolve("gone")
    assert registry.entry("gone").path == "acme_nowhere:Gone"


def test_the_same_name_twice_in_one_plugin_is_a_clash_too():
    registry = Registry(Kind.HEAD)
    registry.register("choice", "acme:A", plugin="acme:acme")
    with pytest.raises(PluginError, match="'choice' is registered by acme:acme and acme:acme"):
        registry.register("choice", "acme:B", plugin="acme:acme")
    with pytest.raises(PluginError, match="registered by acme:acme and acme:acme and other:other"):
        registry.register("choice", "acme:B", plugin="other:other")


def test_checkpoint_aliases_share_the_names():
    table = CheckpointTable()
    table.register("acme-0.1", "there", ["latest"], plugin="acme:acme")
    with pytest.raises(PluginError, match="'latest' is registered by acme:acme and other:other"):
        table.register("other-0.1", "there", ["latest"], plugin="other:other")
    assert table.names() == ("acme-0.1", "other-0.1")


@pytest.mark.parametrize(
    ("folder", "aliases", "says"),
    [(3, [], "neither path nor function"), ("there", "latest", "not a string"), ("there", ["La test"], "'La test'")],
)
def test_malformed_checkpoints(folder: object, aliases: object, says: str):
    with pytest.raises(PluginError, match=says):
        CheckpointTable().register("acme-0.1", folder, aliases, plugin="acme:acme")


def test_an_entry_point_must_be_a_module():
    point = metadata.EntryPoint("odd", "deg_core.errors:DegError", "deg")
    (failure,) = load_plugins([point]).failures
    assert "names deg_core.errors:DegError, which is not a module" in failure.error
    assert failure.distribution == "(unknown)"


class Fine:
    protocol_version = (1, 0)
