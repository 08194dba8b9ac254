"""Every broken plugin fails in the check that names its fault, and in no check that has nothing to do with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from deg_core.conformance.catalogue import CATALOGUE
from deg_core.conformance.report import Status
from deg_core.conformance.run import Conformance
from tests.fixtures.tiny import write_snapshot
from tests.plugins.fakes import decoders, families, heads, speaking_heads  # noqa: F401 - importing them registers them
from tests.plugins.fakes.broken import EXPECTED, PERHAPS, plugins

# These take most of the time; a family that they have nothing against is not asked.
SLOW = frozenset({"layer-rows", "forks", "trunk-threads", "steps", "reload"})


@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "other-rotation"])
def test_the_check_that_names_the_fault_fails(name: str):
    run = Conformance(name, plugins=plugins())
    asked = [each.name for each in run.checks if each.name in EXPECTED[name] or each.name not in SLOW]
    results = [run.check(check) for check in asked]
    run.close()
    failed = [result for result in results if result.status is Status.FAILED]
    names = {result.check for result in failed}
    assert set(EXPECTED[name]) <= names <= {*EXPECTED[name], *PERHAPS[name]}, [each.explain() for each in failed]
    for result in failed:
        assert result.expected
        assert result.found
        assert result.page.endswith(f"#{run.kind.replace(' ', '-')}-{result.check}")


def test_another_architecture_than_the_snapshots(tmp_path: Path):
    pytest.importorskip("transformers")
    write_snapshot(tmp_path, heads=4)
    run = Conformance("other-rotation", plugins=plugins(), snapshot=tmp_path)
    assert run.check("whole-text").status is Status.PASSED
    result = run.check("transformers")
    run.close()
    assert result.status is Status.FAILED
    assert "a relative error of" in str(result.found)


def test_every_check_can_fail():
    """A check that no plugin fails might check nothing."""
    failing = {check for checks in EXPECTED.values() for check in checks}
    all_checks = {check.name for checks in CATALOGUE.values() for check in checks}
    assert all_checks == failing
