"""Every broken plugin fails in the check that names its fault, and in no check that has nothing to do with it."""

from __future__ import annotations

import pytest

from deg_core.conformance.catalogue import CATALOGUE
from deg_core.conformance.report import Status
from deg_core.conformance.run import conform
from tests.plugins.fakes import decoders, families, heads  # noqa: F401 - importing them registers them
from tests.plugins.fakes.broken import EXPECTED, plugins


@pytest.mark.parametrize("name", EXPECTED)
def test_the_check_that_names_the_fault_fails(name: str):
    report = conform(name, plugins=plugins())
    failed = [result.check for result in report.of(Status.FAILED)]
    assert EXPECTED[name][0] in failed
    assert set(failed) == set(EXPECTED[name]), [result.explain() for result in report.of(Status.FAILED)]
    assert not report.passed
    for result in report.of(Status.FAILED):
        assert result.expected
        assert result.found
        assert result.page.endswith(f"#{report.kind.replace(' ', '-')}-{result.check}")


def test_every_check_can_fail():
    """A check that no plugin fails might check nothing."""
    failing = {check for checks in EXPECTED.values() for check in checks}
    all_checks = {check.name for checks in CATALOGUE.values() for check in checks}
    assert all_checks - failing <= {"transformers", "trunk-threads"}
