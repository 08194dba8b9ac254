"""The kit as tests: a test marked ``deg_conform`` becomes one test for each check of each plugin that it names::

    import pytest

    @pytest.mark.deg_conform("acme-rnn", "acme-choice")
    def test_conforms(deg_check):
        deg_check()

``snapshot=PATH`` gives a family's real weights, ``kind="head"`` says which is meant where a name has several kinds.
pytest loads this module at every start where deg is installed, so it imports nothing before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from deg_core.conformance.run import Conformance

MARK = "deg_conform"
_Key = tuple[str, str | None, str | None]


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    line = f"{MARK}(*names, snapshot=None, kind=None): one test for each conformance check of these registered plugins"
    config.addinivalue_line("markers", line)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One case for each check of each named plugin."""
    if "deg_check" not in metafunc.fixturenames:
        return
    marks = list(metafunc.definition.iter_markers(MARK))
    if not marks or not all(mark.args for mark in marks):
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid} uses deg_check without naming plugins: @pytest.mark.{MARK}('acme-rnn')"
        )
    cases = [(name, _options(mark)) for mark in marks for name in mark.args]
    metafunc.parametrize("deg_check", [each for case in cases for each in _checks(*case)], indirect=True)


def _options(mark: pytest.Mark) -> tuple[str | None, str | None]:
    from deg_core.conformance.catalogue import KIND_NAMES

    unknown = mark.kwargs.keys() - {"snapshot", "kind"}
    if unknown:
        raise pytest.UsageError(f"the mark {MARK} takes snapshot and kind, not {', '.join(sorted(unknown))}")
    snapshot, kind = mark.kwargs.get("snapshot"), mark.kwargs.get("kind")
    if kind is not None and kind not in KIND_NAMES:
        raise pytest.UsageError(f"the mark {MARK} has kind {kind!r}; allowed: {', '.join(KIND_NAMES)}")
    return (None if snapshot is None else str(snapshot)), kind


def _checks(name: str, options: tuple[str | None, str | None]) -> Iterator[Any]:
    from deg_core.conformance.catalogue import CATALOGUE, KIND_NAMES
    from deg_core.conformance.run import find
    from deg_core.errors import DegError
    from deg_core.plugins import get_plugins

    snapshot, kind = options
    try:
        found, _ = find(name, get_plugins(), KIND_NAMES[kind] if kind is not None else None)
    except DegError as error:
        raise pytest.UsageError(f"{MARK}({name!r}): {error}") from error
    for check in CATALOGUE[found]:
        yield pytest.param(((name, snapshot, kind), check.name), id=f"{name}-{check.name}")


@pytest.fixture(scope="session")
def _deg_runs() -> Iterator[Callable[[_Key], Conformance]]:
    """Runs by what they were asked for: the checks of one plugin share what they build."""
    from deg_core.conformance.catalogue import KIND_NAMES
    from deg_core.conformance.run import Conformance

    made: dict[_Key, Conformance] = {}

    def run(key: _Key) -> Conformance:
        if key not in made:
            name, snapshot, kind = key
            path = Path(snapshot) if snapshot is not None else None
            made[key] = Conformance(name, kind=KIND_NAMES[kind] if kind is not None else None, snapshot=path)
        return made[key]

    yield run
    for each in made.values():
        each.close()


@pytest.fixture
def deg_check(request: pytest.FixtureRequest, _deg_runs: Callable[[_Key], Conformance]) -> Callable[[], None]:
    """A function that runs the check and passes, skips or fails as it did."""
    key, check = request.param

    def run() -> None:
        from deg_core.conformance.report import Status

        __tracebackhide__ = True
        result = _deg_runs(key).check(check)
        if result.status is Status.SKIPPED:
            pytest.skip(str(result.reason))
        if result.status is Status.FAILED:
            pytest.fail(result.explain(), pytrace=False)

    return run
