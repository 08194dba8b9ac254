"""Clients on one event loop, each with a connection that it keeps, asking without a pause: what they got, and how soon.

They speak just enough HTTP/1.1 to cost little beside the server that they measure.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Final

import numpy as np

from deg_serve.load.pool import Sent

OK: Final = 200
BUSY: Final = 429
_LONGEST_WAIT: Final = 1.0  # seconds after a 429, whatever it asks for


@dataclass(slots=True)
class Tally:
    """``seconds`` of each answered request by path; ``statuses``; ``different`` answers that were not the bytes that
    their request gets alone; ``broken`` connections; ``resident`` samples of (seconds, bytes)."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    different: int = 0
    broken: int = 0
    resident: list[tuple[float, int]] = field(default_factory=list)
    duration: float = 0.0

    @property
    def answered(self) -> int:
        return self.statuses[OK]

    @property
    def errors(self) -> int:
        """Everything but answers and 429."""
        return sum(count for status, count in self.statuses.items() if status not in (OK, BUSY)) + self.broken

    def growth(self) -> float:
        """Bytes a second by which memory grew over the second half: the slope of a straight line (least squares)."""
        half = [(at, size) for at, size in self.resident if at >= self.duration / 2]
        if len(half) < 2:
            return 0.0
        at, size = np.array(half, dtype=np.float64).T
        at -= at.mean()
        return float((at @ (size - size.mean())) / max(float(at @ at), 1e-9))


class Connection:
    """A connection that is kept. ``ask`` gives status, body and the seconds that a 429 asks to wait."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, sent: Sent) -> tuple[int, bytes, float]:
        """Raises OSError or EOFError for a connection that breaks; the next request opens another."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        head = f"POST {sent.path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(sent.body)}\r\n\r\n"
        try:
            writer.write(head.encode() + sent.body)
            told = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in told[1:])}
            body = await reader.readexactly(int(headers["content-length"]))
        except BaseException:
            await self.close()
            raise
        if headers.get("connection", "").lower() == "close":
            await self.close()
        return int(told[0].split()[1]), body, float(headers.get("retry-after", 0))

    async def close(self) -> None:
        if self._streams is not None:
            writer = self._streams[1]
            self._streams = None
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def __aenter__(self) -> Connection:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def one_by_one(host: str, port: int, requests: Sequence[Sent], rounds: int) -> list[tuple[bytes, list[float]]]:
    """Each request alone, with nothing beside it: its answer, and its seconds in each of ``rounds`` after the first,
    which is not counted. Raises RuntimeError for one that is not answered, or not always with the same bytes."""
    found: list[tuple[bytes, list[float]]] = []
    async with Connection(host, port) as connection:
        for sent in requests:
            answers, seconds = set[bytes](), list[float]()
            for _ in range(rounds + 1):
                began = perf_counter()
                status, body, _ = await connection.ask(sent)
                seconds.append(perf_counter() - began)
                if status != OK:
                    raise RuntimeError(f"{sent.path} was answered with {status}: {body[:300]!r}")
                answers.add(body)
            if len(answers) > 1:
                raise RuntimeError(f"{sent.path} was answered in {len(answers)} ways: {sent.body[:300]!r}")
            found.append((answers.pop(), seconds[1:]))
    return found


async def together(
    host: str,
    port: int,
    requests: Sequence[Sent],
    expected: Sequence[bytes],
    *,
    clients: int,
    seconds: float,
    resident: Callable[[], int] = lambda: 0,
    seed: int = 0,
) -> Tally:
    """``clients`` at once for ``seconds``, each drawing its requests from its own seed; who has begun finishes."""
    tally = Tally(seconds={sent.path: [] for sent in requests})
    began = perf_counter()

    async def client(number: int) -> None:
        draw = Random(seed * 100_003 + number)
        async with Connection(host, port) as connection:
            while perf_counter() - began < seconds:
                await ask(connection, draw.randrange(len(requests)))

    async def ask(connection: Connection, place: int) -> None:
        asked = perf_counter()
        try:
            status, body, wait = await connection.ask(requests[place])
        except (OSError, EOFError):
            tally.broken += 1
            await asyncio.sleep(_LONGEST_WAIT / 10)
            return
        tally.statuses[status] += 1
        if status == OK:
            tally.seconds[requests[place].path].append(perf_counter() - asked)
            tally.different += body != expected[place]
        elif status == BUSY:
            await asyncio.sleep(min(wait, _LONGEST_WAIT))

    async def watch() -> None:
        while True:
            tally.resident.append((perf_counter() - began, resident()))
            await asyncio.sleep(min(1.0, seconds / 20))

    watching = asyncio.create_task(watch())
    try:
        await asyncio.gather(*(client(number) for number in range(clients)))
    finally:
        watching.cancel()
    tally.duration = perf_counter() - began
    tally.resident.append((tally.duration, resident()))
    return tally
