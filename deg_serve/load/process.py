"""A server as a process of its own: when it was ready, and what memory it holds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Final

import psutil

from deg_core.errors import RuntimeLimitError

_PATIENCE: Final = 60  # seconds for a server that was told to end
_LISTENING: Final = "listening on "


class ServerProcess:
    """``deg serve`` with ``options`` on a free port of this machine, pinned to ``cores``. ``listening`` is the seconds
    from the start of the process until it took connections."""

    def __init__(self, options: Sequence[str], cores: Sequence[int], threads: int) -> None:
        """Raises RuntimeLimitError when the process ends instead of listening; the message holds what it said."""
        command = [sys.executable, "-m", "deg_serve", "--port", "0", "--threads", str(threads), *options]
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONUNBUFFERED": "1"}
        self._folder = tempfile.TemporaryDirectory(prefix="deg-load-")
        self._log = Path(self._folder.name) / "log"
        self.began = perf_counter()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, env=environment, stderr=log, stdout=subprocess.DEVNULL)
        self._seen = psutil.Process(self._process.pid)
        try:
            if cores:
                self._seen.cpu_affinity(list(cores))
            self.host, self.port = self._wait()
        except BaseException:
            self._end()
            raise
        self.listening = perf_counter() - self.began

    def resident(self) -> int:
        """Bytes of memory that the process holds."""
        return int(self._seen.memory_info().rss)

    def stop(self) -> int:
        """End it as a service manager does; its exit status."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(_PATIENCE)

    def _wait(self) -> tuple[str, int]:
        while True:
            said = self._log.read_text(encoding="utf-8", errors="replace")
            for line in said.splitlines(keepends=True):
                if _LISTENING in line and line.endswith("\n"):
                    host, _, port = line.strip().rpartition("http://")[2].rpartition(":")
                    return host, int(port)
            try:
                code = self._process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeLimitError(f"the server ended with status {code}: {said.strip()[-500:]}")

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()
