"""The asking side of a benchmark: an engine's process, asked one thing at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol

from deg_core.errors import DegError, ProblemsError, RuntimeLimitError


class Engine(Protocol):
    """Something that is asked; ``label`` is its name in tables."""

    label: str

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """Have one operation of `deg_core.evaluate.benchmarks.worker` done."""
        ...


class Worker:
    """An engine in its own process, pinned to ``cores`` (not at all when none is named), with ``threads`` threads.
    ``loaded`` is what it said once it was ready."""

    def __init__(self, label: str, settings: Mapping[str, Any], cores: Sequence[int], threads: int) -> None:
        """Raises what the engine raised when it was loaded, RuntimeLimitError when the process ends instead."""
        self.label = label
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        given = {**settings, "cores": list(cores), "threads": threads}
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "deg_core.evaluate.benchmarks.worker", json.dumps(given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment,
            text=True,
            encoding="utf-8",
        )
        try:
            first = self._read()
            if "error" in first:
                raise _error(first["error"], f"{label}: {first['message']}")
            self.loaded: dict[str, Any] = first["loaded"]
        except BaseException:
            self.close()
            raise

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """Raises what the engine raised, but for what becomes of a single fill; RuntimeLimitError when the process ends
        instead of answering."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **request}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the process has ended; what it said is read below
        answer = self._read()
        if "error" in answer and "seconds" not in answer:
            raise _error(answer["error"], f"{self.label}: {answer['message']}")
        return answer

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        raise RuntimeLimitError(
            f"the process of {self.label} ended with status {code}"
            + (" (killed: out of memory?)" if code == -9 else "")
            + (f": {said[-1]}" if said else "")
        )

    def close(self) -> None:
        """End the process."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _error(code: str, message: str) -> DegError:
    """The error of another process, in its own class where that takes a message."""
    kinds = {kind.code: kind for kind in DegError.__subclasses__()}
    kind = kinds.get(code)
    return DegError(message) if kind is None or kind is ProblemsError else kind(message)
