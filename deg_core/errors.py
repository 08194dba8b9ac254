"""Every error that deg raises on purpose, each with a searchable code.

A message names the place, what was found, what is allowed and what to do. Codes: ``DEG-C`` contract,
``DEG-P`` plugin and checkpoint, ``DEG-R`` runtime, ``DEG-T`` training, ``DEG-S`` serving.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Problem(TypedDict):
    """One located problem: ``loc`` is a list of keys and indices from the root, ``msg`` one sentence."""

    loc: list[str | int]
    msg: str


class DegError(Exception):
    """Base of all deg errors. ``code`` is stable; the text is for people and may change."""

    code = "DEG-X000"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return f"{self.code} {self.message}"


class ProblemsError(DegError):
    """An error made of several located problems, all reported at once."""

    what = "input"

    def __init__(self, problems: Sequence[Problem]) -> None:
        if not problems:
            raise ValueError("a ProblemsError needs at least one problem")
        self.problems: list[Problem] = list(problems)
        lines = [f"  {'/'.join(map(str, p['loc'])) or '(root)'}: {p['msg']}" for p in self.problems]
        count = len(lines)
        super().__init__(f"{count} problem{'s' * (count > 1)} in the {self.what}:\n" + "\n".join(lines))


class SchemaError(ProblemsError):
    """The schema is invalid or outside the supported subset (SPEC 5). HTTP 422."""

    code = "DEG-C001"
    what = "schema"


class RequestError(ProblemsError):
    """The request around the schema (context, options) is invalid (SPEC 9). HTTP 422."""

    code = "DEG-C002"
    what = "request"


class FillError(DegError):
    """The fill could not give a valid value (SPEC 4). ``pointer`` names the field. HTTP 500."""

    code = "DEG-C003"

    def __init__(self, message: str, *, pointer: str | None = None) -> None:
        super().__init__(message if pointer is None else f"{pointer or '(root)'}: {message}")
        self.pointer = pointer


class RecordError(DegError):
    """A training or evaluation record does not hold what it says."""

    code = "DEG-C004"


class PluginError(DegError):
    """A plugin failed to load, clashes with another, or was built for another protocol."""

    code = "DEG-P001"


class UnknownNameError(DegError):
    """A name that no plugin registered."""

    code = "DEG-P003"


class CheckpointError(DegError):
    """A checkpoint folder or weight file is missing, damaged or does not fit."""

    code = "DEG-P004"


class DownloadError(DegError):
    """Weights are neither on this machine nor reachable."""

    code = "DEG-P005"


class RuntimeLimitError(DegError):
    """A stated limit (context length, memory) is exceeded; the message holds the numbers."""

    code = "DEG-R001"


class UnsupportedError(DegError):
    """A valid request that this build cannot serve yet."""

    code = "DEG-R002"


class TrainingError(DegError):
    """A training run cannot start or go on."""

    code = "DEG-T001"
