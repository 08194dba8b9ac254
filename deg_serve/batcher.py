"""The queue before the model: requests that arrive together run together, on one worker thread.

A batch is what arrived within the window, up to a number of requests and of tokens. Whatever the batch, each request
gets the bits that it gets alone; a batch is only cheaper. Whoever leaves the queue costs nothing more, a batch that
everybody has left is given up, and a job that fails fails alone.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Generic, TypeVar

from deg_core.runtime.interrupt import interruptible
from deg_serve.errors import ClientGoneError, DrainingError, OverloadedError

Work = TypeVar("Work")
Done = TypeVar("Done")

THREAD = "deg-model"  # how the names of worker threads begin
_LONGEST_RETRY = 30  # seconds; clients give up at longer ones
_SMOOTHING = 0.2  # how much the latest batch weighs in the running mean of batch times
_LOOK = 0.05  # seconds between two looks at whether a batch is still wanted, at the end
_log = logging.getLogger("deg_serve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """``window`` seconds to wait for company, ``size`` requests and ``tokens`` in a batch, ``pending`` waiting."""

    window: float = 0.005
    size: int = 16
    tokens: int = 32_768
    pending: int = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """One batch that ran: requests, tokens, seconds in the model, and the seconds that each request had waited."""

    size: int
    tokens: int
    seconds: float
    waited: tuple[float, ...]


@dataclass(slots=True)
class Counters:
    """What happened since the start. ``failed`` jobs gave an error, ``departed`` ones were given up by their client."""

    batches: int = 0
    jobs: int = 0
    failed: int = 0
    departed: int = 0
    refused: int = 0


@dataclass(eq=False, slots=True)
class _Entry(Generic[Work, Done]):
    work: Work
    tokens: int
    arrived: float
    done: asyncio.Future[Done] = field(repr=False)


class Batcher(Generic[Work, Done]):
    """Runs ``run`` on batches of work, one batch at a time, on its own thread.

    ``run`` gives one result or one exception for each piece of work, in order. One that raises, or that gives another
    number of results, is called again for each piece alone. Everything but ``run`` belongs to the event loop that
    ``start`` was called on.
    """

    def __init__(
        self,
        run: Callable[[list[Work]], Sequence[Done | Exception]],
        limits: Limits,
        observe: Callable[[BatchReport], None] = lambda report: None,
    ) -> None:
        self.limits = limits
        self.counters = Counters()
        self.running = 0
        self.abandoned = False
        self._current: list[_Entry[Work, Done]] = []
        self._run_model = run
        self._observe = observe
        self._queue: dict[_Entry[Work, Done], None] = {}
        self._admitted = 0
        self._closing = False
        self._changed = asyncio.Event()
        self._mean_seconds = 0.0
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=THREAD)
        self._task: asyncio.Task[None] | None = None

    @property
    def pending(self) -> int:
        """Requests that were admitted and whose batch has not begun."""
        return self._admitted

    @property
    def draining(self) -> bool:
        """Whether new work is refused."""
        return self._closing

    def start(self) -> None:
        """Begin to serve."""
        self._task = asyncio.create_task(self._serve(), name="deg-batcher")

    async def close(self) -> None:
        """Refuse new work, finish what was admitted, stop the thread. A batch that nobody waits for any more is not
        waited for either: ``abandoned`` then says so, and its thread ends when the model lets it."""
        self._closing = True
        self._changed.set()
        while self._task is not None and not self._task.done():
            if self._admitted == 0 and self._unwanted():
                self.abandoned = True
                self._task.cancel()
                break
            await asyncio.wait({self._task}, timeout=_LOOK)
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        self._worker.shutdown(wait=not self.abandoned)

    def _unwanted(self) -> bool:
        return bool(self._current) and all(entry.done.done() for entry in self._current)

    def admit(self) -> Place[Work, Done]:
        """A place in the queue, to be taken before any work is spent on the request.

        Raises OverloadedError when ``limits.pending`` are taken, DrainingError after ``close``.
        """
        if self._closing:
            raise DrainingError("the server is shutting down; send the request again to the next one")
        if self._admitted >= self.limits.pending:
            self.counters.refused += 1
            raise OverloadedError(
                f"{self._admitted} requests are waiting, which is the limit; try again later",
                retry_after=self._retry_after(),
            )
        return Place(self)

    def status(self) -> dict[str, Any]:
        """What ``/health`` shows."""
        counters = self.counters
        return {
            "pending": self._admitted,
            "running": self.running,
            "max_pending": self.limits.pending,
            "window_ms": self.limits.window * 1000,
            "batch_size": self.limits.size,
            "batch_tokens": self.limits.tokens,
            "batches": counters.batches,
            "jobs": counters.jobs,
            "failed": counters.failed,
            "departed": counters.departed,
            "refused": counters.refused,
        }

    def _retry_after(self) -> int:
        batches = math.ceil(self._admitted / self.limits.size)
        return max(1, min(_LONGEST_RETRY, math.ceil(batches * self._mean_seconds)))

    # The queue

    def _enter(self) -> None:
        self._admitted += 1

    def _leave(self) -> None:
        self._admitted -= 1
        self._changed.set()

    def _put(self, entry: _Entry[Work, Done]) -> None:
        self._queue[entry] = None
        self._changed.set()

    def _give_up(self, entry: _Entry[Work, Done]) -> bool:
        """Take an entry out; whether it was still waiting."""
        self.counters.departed += 1
        waiting = self._queue.pop(entry, self) is None
        self._changed.set()
        return waiting

    async def _serve(self) -> None:
        while await self._company():
            batch = self._take()
            try:
                await self._run(batch)
            except Exception as error:  # noqa: BLE001 - a fault here must not end the service of everybody else
                _log.error("fault", extra={"error": type(error).__name__, "where": "batch"})
                for entry in batch:
                    if not entry.done.done():
                        entry.done.set_exception(RuntimeError("the batch ended in a fault of the server"))

    async def _company(self) -> bool:
        """Wait for a first request, and then for others until the window ends or the batch is full. False at the end:
        closed, and nobody left."""
        while True:
            if not self._queue:
                if self._closing and self._admitted == 0:
                    return False
                await self._change(None)
                continue
            left = next(iter(self._queue)).arrived + self.limits.window - time.monotonic()
            if left <= 0 or self._closing or self._full():
                return True
            await self._change(left)

    async def _change(self, timeout: float | None) -> None:
        self._changed.clear()
        try:
            async with asyncio.timeout(timeout):
                await self._changed.wait()
        except TimeoutError:
            return

    def _full(self) -> bool:
        limits = self.limits
        return len(self._queue) >= limits.size or sum(entry.tokens for entry in self._queue) >= limits.tokens

    def _take(self) -> list[_Entry[Work, Done]]:
        """The next batch in order of arrival. One request may exceed the tokens of a batch; it then runs alone."""
        batch: list[_Entry[Work, Done]] = []
        tokens = 0
        for entry in self._queue:
            if len(batch) == self.limits.size or (batch and tokens + entry.tokens > self.limits.tokens):
                break
            batch.append(entry)
            tokens += entry.tokens
        for entry in batch:
            del self._queue[entry]
            self._leave()
        return batch

    async def _run(self, batch: list[_Entry[Work, Done]]) -> None:
        began = time.monotonic()
        self.running, self._current = len(batch), batch
        try:
            results = await asyncio.get_running_loop().run_in_executor(self._worker, self._attempt, batch)
        finally:
            self.running, self._current = 0, []
        seconds = time.monotonic() - began
        self._mean_seconds += (seconds - self._mean_seconds) * (_SMOOTHING if self.counters.batches else 1.0)
        self.counters.batches += 1
        self.counters.jobs += len(batch)
        for entry, result in zip(batch, results, strict=True):
            if entry.done.done():
                continue  # its client left meanwhile
            if isinstance(result, Exception):
                self.counters.failed += 1
                entry.done.set_exception(result)
            else:
                entry.done.set_result(result)
        waited = tuple(began - entry.arrived for entry in batch)
        self._observe(
            BatchReport(size=len(batch), tokens=sum(entry.tokens for entry in batch), seconds=seconds, waited=waited)
        )

    def _attempt(self, batch: list[_Entry[Work, Done]]) -> list[Done | Exception]:
        """On the worker thread: one result for each entry, whatever the model does."""
        try:
            with interruptible(lambda: all(entry.done.done() for entry in batch)):
                results = list(self._run_model([entry.work for entry in batch]))
            if len(results) != len(batch):
                raise RuntimeError(f"{len(batch)} jobs gave {len(results)} results")
            return results
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is this job's alone
            if len(batch) == 1:
                return [_carried(error)]
        gone = ClientGoneError("the client left before its job was run again")
        return [gone if entry.done.cancelled() else self._attempt([entry])[0] for entry in batch]


def _carried(error: BaseException) -> Exception:
    """The error as one that a future may hold and that ends no event loop."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return RuntimeError(f"the model raised {type(error).__name__}")


class Place(Generic[Work, Done]):
    """One admitted request: an async context manager that counts as pending until its batch begins or it leaves."""

    def __init__(self, batcher: Batcher[Work, Done]) -> None:
        self._batcher = batcher
        self._counts = False

    async def __aenter__(self) -> Place[Work, Done]:
        self._batcher._enter()
        self._counts = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._counts:
            self._counts = False
            self._batcher._leave()

    async def run(self, work: Work, tokens: int) -> Done:
        """The result of ``work``, which is about ``tokens`` large. Raises what the work gave as its error. Whoever
        cancels this leaves: work that has not begun is not done."""
        entry: _Entry[Work, Done] = _Entry(work, tokens, time.monotonic(), asyncio.get_running_loop().create_future())
        self._batcher._put(entry)
        waiting = False
        try:
            return await entry.done
        except asyncio.CancelledError:
            waiting = self._batcher._give_up(entry)
            raise
        finally:
            self._counts = waiting  # a batch that begins has given the place back already
