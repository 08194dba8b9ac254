"""What the kit found: one result per check, and what a check raises to say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

PAGE: Final = "docs/reference/conformance.md"


class Status(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class CheckFailed(AssertionError):
    """What a check raises when its promise is not kept: what was expected, and what was found instead."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}; found {found}")
        self.expected = expected
        self.found = found


class NotApplicable(Exception):
    """What a check raises when it has nothing to check here; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of one check. ``promise`` is what holds when it passes; ``page`` says where to read on.

    A failed one has ``expected`` and ``found``, a skipped one a ``reason``.
    """

    check: str
    promise: str
    status: Status
    page: str
    expected: str | None = None
    found: str | None = None
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, without what does not apply."""
        whole = {
            "check": self.check,
            "status": self.status.value,
            "promise": self.promise,
            "expected": self.expected,
            "found": self.found,
            "reason": self.reason,
            "page": self.page,
        }
        return {name: value for name, value in whole.items() if value is not None}

    def explain(self) -> str:
        """The whole finding, a line each."""
        lines = [f"{self.check}: {self.promise}"]
        for name, text in (("expected", self.expected), ("found", self.found), ("because", self.reason)):
            if text is not None:
                lines.append(f"  {name + ':':10}{text}")
        if self.status is Status.FAILED:
            lines.append(f"  read on:  {self.page}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All results for one plugin, in the order of the catalogue. ``weights`` says what a family was run on."""

    kind: str
    name: str
    plugin: str
    path: str
    weights: str | None = None
    results: Sequence[Result] = field(default=())

    @property
    def passed(self) -> bool:
        """Whether everything that applies passed."""
        return not self.of(Status.FAILED) and bool(self.of(Status.PASSED))

    def of(self, status: Status) -> list[Result]:
        """The results with this status."""
        return [result for result in self.results if result.status is status]

    def as_dict(self) -> Mapping[str, Any]:
        """The JSON form."""
        return {
            "kind": self.kind,
            "name": self.name,
            "plugin": self.plugin,
            "path": self.path,
            "weights": self.weights,
            "passed": self.passed,
            "counts": {status.value: len(self.of(status)) for status in Status},
            "results": [result.as_dict() for result in self.results],
        }
