"""`deg serve` as a process of its own that is told to end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.fixtures.serving import PATIENCE, wait_for
from tests.fixtures.tiny import Tiny

ROOT = Path(__file__).parents[2]
SCHEMA = {"type": "object", "properties": {"urgent": {"type": "boolean"}}}


@contextmanager
def process(tiny: Tiny, home: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and its URL."""
    command = [sys.executable, "-m", "deg_serve", "--ckpt", tiny.checkpoint, "--base-model", tiny.snapshot]
    environment = os.environ | {"DEG_HOME": str(home)}
    running = subprocess.Popen(
        [*command, "--port", "0", "--threads", "1", *options],
        env=environment,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    with running:
        try:
            assert running.stderr is not None
            listening = next(line for line in iter(running.stderr.readline, "") if "listening on" in line)
            yield running, listening.split()[-1]
        finally:
            running.kill()


def ask(url: str, context: str) -> int | None:
    """The status, or None where there was no answer."""
    try:
        body = {"context": context, "schema": SCHEMA}
        return httpx.post(f"{url}/v1/fill", json=body, timeout=PATIENCE).status_code
    except httpx.TransportError:
        return None


def batcher(url: str) -> dict[str, Any]:
    return httpx.get(f"{url}/health", timeout=PATIENCE).json()["batcher"]


@pytest.mark.slow
def test_at_sigterm_under_load_what_was_accepted_is_answered_and_the_rest_is_refused(tiny: Tiny, tmp_path: Path):
    """Requests wait for their batch, idle connections stand open, one client does not read, one stopped in its body."""
    options = ("--window-ms", "2000", "--batch-size", "64", "--drain-s", "5")
    with process(tiny, tmp_path, *options) as (server, url), ThreadPoolExecutor(12) as pool:
        place = urlsplit(url)
        address = (place.hostname, place.port)
        idle = [socket.create_connection(address) for _ in range(20)]
        deaf = socket.create_connection(address)
        deaf.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500)
        accepted = [pool.submit(ask, url, f"parcel {n}") for n in range(12)]
        wait_for(lambda: batcher(url)["pending"] == 12)
        server.send_signal(signal.SIGTERM)
        assert [job.result() for job in accepted] == [200] * 12
        wait_for(lambda: ask(url, "late") is None)
        assert server.wait(PATIENCE) == 0
        assert server.stderr is not None
        events = [json.loads(line) for line in server.stderr]
    replies = [event["status"] for event in events if event.get("route") == "/v1/fill"]
    assert replies == [200] * 12
    for sock in (*idle, deaf):
        sock.close()


@pytest.mark.slow
def test_a_batch_that_outlives_the_time_to_drain_does_not_keep_the_process(tiny: Tiny, tmp_path: Path):
    """Reading a long text takes longer than the server is given; it ends all the same, cleanly."""
    with process(tiny, tmp_path, "--drain-s", "1") as (server, url), ThreadPoolExecutor(1) as pool:
        job = pool.submit(ask, url, "never ending 88 " * 8000)
        wait_for(lambda: batcher(url)["running"] == 1)
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE) == 0
        assert job.result() != 200
