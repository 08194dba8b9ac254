"""deg's own families, heads and array decoders keep the promises that strangers' must."""

from __future__ import annotations

from pathlib import Path

import pytest

from deg_core.conformance.interface import QUERIES
from deg_core.conformance.report import Status
from deg_core.conformance.run import Conformance, conform
from deg_core.plugins import get_plugins
from tests.fixtures import hybrid
from tests.fixtures.tiny import write_snapshot

DISTINCT = ("llama", "lfm2", "qwen3.5")  # the others are one of these with weights of their own
PLUGINS = get_plugins()
SPEAKING = {"asks", "answers-alone", "copies"}
MAY_SKIP = {"family": {"transformers"}, "head": {"region", "optional", *SPEAKING}, "array decoder": set()}


@pytest.mark.parametrize("name", [*DISTINCT, *PLUGINS.heads.names(), *PLUGINS.array_decoders.names()])
def test_it_passes(name: str):
    report = conform(name)
    assert not report.of(Status.FAILED), [result.explain() for result in report.of(Status.FAILED)]
    assert report.passed
    skipped = {result.check for result in report.of(Status.SKIPPED)}
    if "asks" in skipped or report.kind != "head":
        assert skipped <= MAY_SKIP[report.kind]
    else:  # a head that speaks: it has no hidden states to be asked about
        assert skipped & SPEAKING == ({"copies"} if name != "readout-extract" else set())
        assert not {"interface", "start", "reload"} & skipped


def test_heads_of_every_mode_are_checked_in_full():
    asked = set()
    for name in PLUGINS.heads.names():
        run = Conformance(name)
        if run.check("shapes").status is Status.PASSED:
            asked |= run.plugin_class.modes
    assert asked == set(QUERIES)


@pytest.mark.parametrize("name", PLUGINS.families.names())
def test_a_family_is_one_of_those_that_were_checked(name: str):
    assert any(issubclass(PLUGINS.families.resolve(name), PLUGINS.families.resolve(base)) for base in DISTINCT)
    assert Conformance(name).check("interface").status is Status.PASSED


@pytest.fixture(params=DISTINCT)
def snapshot(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """A family and a snapshot in the layout in which its weights are published."""
    if request.param == "llama":
        write_snapshot(tmp_path, heads=4)
        return "llama", tmp_path
    shape = hybrid.SHAPES["qwen one group" if request.param == "qwen3.5" else "lfm2 one group"]
    return request.param, hybrid.write_snapshot(tmp_path / "snapshot", shape)


def test_a_snapshot_is_read_and_compared(snapshot: tuple[str, Path]):
    name, folder = snapshot
    run = Conformance(name, snapshot=folder)
    for check in ("weights", "sizes", "projections", "chunks", "reload", "chat-turns", "tokenizer", "user-text"):
        result = run.check(check)
        assert result.status is Status.PASSED, result.explain()
    pytest.importorskip("transformers")
    result = run.check("transformers")
    run.close()
    assert result.status is Status.PASSED, result.explain()
