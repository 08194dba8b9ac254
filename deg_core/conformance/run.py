"""Running the checks on one registered plugin."""

from __future__ import annotations

import os
import traceback
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from deg_core.conformance.catalogue import CATALOGUE, Check
from deg_core.conformance.report import CheckFailed, NotApplicable, Report, Result, Status
from deg_core.errors import DegError, PluginError, UnknownNameError
from deg_core.plugins.manager import Plugins, get_plugins
from deg_core.plugins.registry import Entry, Kind, Registry


class Case(Protocol):
    """What the checks of one kind work on."""

    def close(self) -> None:
        """Remove what was written."""
        ...


class Conformance:
    """One plugin under test. Each check runs once, when it is first asked for; the cases they share are made once.

    ``kind`` is needed only when a name stands for several things. ``snapshot`` is a folder or file with a family's real
    weights; without it a tiny random configuration is run. Raises UnknownNameError when nobody registered the name, and
    PluginError when two did or when the kind is not clear.
    """

    def __init__(
        self,
        name: str,
        *,
        kind: Kind | None = None,
        snapshot: Path | None = None,
        plugins: Plugins | None = None,
    ) -> None:
        # Checks ask for more threads than there may be cores: those that wait must sleep, not spin. Read when torch is
        # first imported.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        self._plugins = plugins or get_plugins()
        self.kind, self.entry = find(name, self._plugins, kind)
        self.snapshot = snapshot
        if snapshot is not None and self.kind is not Kind.FAMILY:
            raise PluginError(f"{name!r} is a {self.kind}; only a family has a snapshot")
        self.checks = CATALOGUE[self.kind]
        self._results: dict[str, Result] = {}

    def check(self, name: str) -> Result:
        """The result of one check, after the vital ones that stand before it."""
        if name not in self._results:
            place = [check.name for check in self.checks].index(name)
            self._results[name] = self._run(self.checks[place], self.checks[:place])
        return self._results[name]

    def report(self) -> Report:
        """Run everything."""
        results = tuple(self.check(check.name) for check in self.checks)
        return Report(
            kind=self.kind.value,
            name=self.entry.name,
            plugin=self.entry.plugin,
            path=self.entry.path,
            weights=self.weights,
            results=results,
        )

    def close(self) -> None:
        """Remove what the checks wrote."""
        if "case" in self.__dict__:
            self.case.close()

    @property
    def weights(self) -> str | None:
        """What a family is run on."""
        if self.kind is not Kind.FAMILY:
            return None
        return "tiny random weights" if self.snapshot is None else str(self.snapshot)

    @cached_property
    def plugin_class(self) -> type[Any]:
        """The class behind the name. Raises PluginError."""
        return _registry(self._plugins, self.kind).resolve(self.entry.name)

    @cached_property
    def case(self) -> Case:
        """What the checks after ``protocol-version`` work on."""
        return _case(self.kind, self.plugin_class, self.entry.name, self.snapshot)

    def _run(self, check: Check, before: tuple[Check, ...]) -> Result:
        for earlier in before:
            if earlier.vital and self.check(earlier.name).status is Status.FAILED:
                return _result(check, Status.SKIPPED, reason=f"the check {earlier.name} failed")
        try:
            check.function(self if check.name == "protocol-version" else self.case)
        except NotApplicable as reason:
            return _result(check, Status.SKIPPED, reason=str(reason))
        except CheckFailed as failure:
            return _result(check, Status.FAILED, expected=failure.expected, found=failure.found)
        except Exception as error:  # noqa: BLE001 - a stranger's code may raise anything, and that is a finding
            return _result(check, Status.FAILED, expected="no error", found=described(error))
        return _result(check, Status.PASSED)


def conform(
    name: str, *, kind: Kind | None = None, snapshot: Path | None = None, plugins: Plugins | None = None
) -> Report:
    """Run every check that applies to the plugin ``name``. Arguments and errors are those of ``Conformance``."""
    run = Conformance(name, kind=kind, snapshot=snapshot, plugins=plugins)
    try:
        return run.report()
    finally:
        run.close()


def find(name: str, plugins: Plugins, kind: Kind | None = None) -> tuple[Kind, Entry]:
    """What a name stands for. Raises UnknownNameError or PluginError."""
    kinds = [kind] if kind is not None else list(CATALOGUE)
    found: list[tuple[Kind, Entry]] = []
    unknown: list[str] = []
    for each in kinds:
        try:
            found.append((each, _registry(plugins, each).entry(name)))
        except UnknownNameError as error:
            unknown.append(error.message)
    if not found:
        raise UnknownNameError("\n".join(unknown))
    if len(found) > 1:
        raise PluginError(f"{name!r} is a {' and a '.join(each for each, _ in found)}; say which with --kind")
    return found[0]


def described(error: BaseException) -> str:
    """An unexpected error in one line, with the place that raised it."""
    what = error.message if isinstance(error, DegError) else f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    where = f" (at {Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name})" if frames else ""
    return " ".join(what.split()) + where


def _registry(plugins: Plugins, kind: Kind) -> Registry:
    registries = {
        Kind.FAMILY: plugins.families,
        Kind.HEAD: plugins.heads,
        Kind.ARRAY_DECODER: plugins.array_decoders,
    }
    return registries[kind]


def _case(kind: Kind, plugin_class: type[Any], name: str, snapshot: Path | None) -> Case:
    if kind is Kind.FAMILY:
        from deg_core.conformance.family_case import FamilyCase

        return FamilyCase(plugin_class, name, snapshot)
    if kind is Kind.HEAD:
        from deg_core.conformance.head_case import HeadCase

        return HeadCase(plugin_class, name)
    from deg_core.conformance.decoder_case import DecoderCase

    return DecoderCase(plugin_class, name)


def _result(
    check: Check, status: Status, *, expected: str | None = None, found: str | None = None, reason: str | None = None
) -> Result:
    return Result(
        check=check.name,
        promise=check.promise,
        status=status,
        page=check.page,
        expected=expected,
        found=found,
        reason=reason,
    )
