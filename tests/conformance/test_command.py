"""``deg conform``: what it prints and how it ends; and runs whose plugin is not what it says."""

from __future__ import annotations

import json

import pytest

from deg_core.conformance.run import Conformance, conform, find
from deg_core.errors import PluginError, UnknownNameError
from deg_core.plugins import Plugins, manager
from deg_core.plugins.registry import Kind
from deg_serve.cli.main import run
from tests.plugins.fakes import decoders, families, heads  # noqa: F401 - importing them registers them
from tests.plugins.fakes.broken import plugins


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Plugins:
    """The broken plugins as the installed ones."""
    made = plugins()
    monkeypatch.setattr(manager, "_current", made)
    return made


def test_all_well(capsys: pytest.CaptureFixture[str]):
    assert run(["conform", "threshold"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("array decoder threshold of deg-fill:heads (deg_heads.array_decoders:Threshold)\n")
    assert "ok    ascending: positions come in ascending order\n" in out
    assert out.endswith("\n11 passed\n")


def test_every_failure_is_told(fakes: Plugins, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        run(["conform", "no-minimum"])
    assert stopped.value.code == 3
    out = capsys.readouterr().out
    for check in ("bounds", "shortage"):
        assert f"FAIL  {check}: " in out
        assert f"read on:  docs/reference/conformance.md#array-decoder-{check}" in out
    assert "expected: a FillError where the region has fewer tokens than min_items" in out
    assert out.endswith("\n9 passed, 2 failed\n")


def test_json(fakes: Plugins, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        run(["conform", "newer-minor", "--json"])
    assert stopped.value.code == 3
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["name"], found["plugin"]) == ("head", "newer-minor", "broken:fakes")
    assert found["passed"] is False
    first, *rest = found["results"]
    assert first["status"] == "failed"
    assert "was built for protocol 1.99" in first["found"]
    assert first["page"] == "docs/reference/conformance.md#head-protocol-version"
    assert {each["status"] for each in rest} == {"skipped"}
    assert {each["reason"] for each in rest} == {"the check protocol-version failed"}
    assert found["counts"] == {"passed": 0, "failed": 1, "skipped": len(rest)}


def test_a_name_that_nobody_registered(capsys: pytest.CaptureFixture[str]):
    assert run(["conform", "threshhold"]) == 2
    assert "unknown array decoder 'threshhold'\n  did you mean: threshold" in capsys.readouterr().err


def test_a_name_of_several_things():
    made = Plugins()
    made.heads.register("acme", "tests.plugins.fakes.heads:NewerMinor", plugin="acme:acme")
    made.array_decoders.register("acme", "tests.plugins.fakes.decoders:Sound", plugin="acme:acme")
    with pytest.raises(PluginError, match="'acme' is a head and a array decoder; say which with --kind"):
        find("acme", made)
    assert find("acme", made, Kind.HEAD)[0] is Kind.HEAD
    with pytest.raises(UnknownNameError, match="unknown family 'acme'"):
        find("acme", made, Kind.FAMILY)


def test_only_a_family_has_a_snapshot(tmp_path):
    with pytest.raises(PluginError, match="only a family has a snapshot"):
        Conformance("choice", snapshot=tmp_path)


def test_a_class_that_cannot_be_made():
    made = Plugins()
    made.array_decoders.register("needy", "tests.conformance.test_command:Needy", plugin="acme:acme")
    report = conform("needy", plugins=made)
    (failure,) = [result for result in report.results if result.status.value == "failed"]
    assert failure.check == "interface"
    assert "Needy.__init__() missing 1 required positional argument" in str(failure.found)


class Needy(decoders.Sound):
    name = "needy"

    def __init__(self, width: int) -> None:
        self.width = width
