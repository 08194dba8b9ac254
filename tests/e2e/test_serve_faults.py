"""Clients that misbehave, and a model that does: whoever is at fault bears it alone."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from deg_core.contract.result import FillResult
from deg_core.errors import DegError
from deg_core.runtime.interrupt import Interrupted
from deg_serve.engine import Engine, ModelEngine, Work
from deg_serve.http.connection import PatientConnection
from deg_serve.settings import ServeSettings
from tests.fixtures.serving import PATIENCE, GatedEngine, live, wait_for

SCHEMA = {"type": "object", "properties": {"urgent": {"type": "boolean"}, "day": {"type": ["string", "null"]}}}


def fill(context: str) -> dict[str, Any]:
    return {"context": context, "schema": SCHEMA}


class Quick(PatientConnection):
    """Deadlines for tests."""

    head_seconds = 0.4
    take_seconds = 0.4
    rest_seconds = 0.4
    gave_up = threading.Event()

    def _drop(self, what: str) -> None:
        super()._drop(what)
        if self.transport.is_closing():
            self.gave_up.set()


class Raising(GatedEngine):
    """Raises ``fault`` where a context holds "poison"."""

    fault: BaseException = MemoryError()

    def run(self, batch: list[Work]) -> Sequence[FillResult | DegError]:
        if any("poison" in str(work.context) for work in batch):
            raise self.fault
        return self.inner.run(batch)


class Watching(GatedEngine):
    """Notes whether a batch was given up on the way."""

    def __init__(self, inner: Engine) -> None:
        super().__init__(inner)
        self.given_up = threading.Event()

    def run(self, batch: list[Work]) -> Sequence[FillResult | DegError]:
        try:
            return super().run(batch)
        except Interrupted:
            self.given_up.set()
            raise


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


@pytest.fixture(scope="module")
def url(engine: ModelEngine) -> Iterator[str]:
    with live(engine, ServeSettings(time_limit=PATIENCE, silence=0.4), connection=Quick, keep_alive=2) as url:
        yield url


def post(url: str, body: dict[str, Any]) -> httpx.Response:
    return httpx.post(f"{url}/v1/fill", json=body, timeout=PATIENCE)


def connect(url: str, **options: int) -> socket.socket:
    place = urlsplit(url)
    sock = socket.socket()
    if "receive" in options:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, options["receive"])
    sock.settimeout(PATIENCE)
    sock.connect((place.hostname, place.port))
    return sock


def request(body: bytes, *lines: str, path: str = "/v1/fill", length: int | None = None) -> bytes:
    head = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*head, *lines, "", ""]).encode() + body


def everything(sock: socket.socket) -> bytes:
    """What comes until the server closes."""
    parts = []
    try:
        while part := sock.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def split(reply: bytes) -> tuple[int, dict[str, Any]]:
    head, _, body = reply.partition(b"\r\n\r\n")
    assert b"content-type: application/json" in head.lower(), reply
    return int(head.split()[1]), json.loads(body)


def pending(url: str) -> int:
    return httpx.get(f"{url}/health", timeout=PATIENCE).json()["batcher"]["pending"]


# Clients that stop


def test_half_a_body_and_then_silence_is_cut_off_and_others_are_served(url: str):
    body = json.dumps(fill("slow")).encode()
    slow = [connect(url) for _ in range(20)]
    for sock in slow:
        sock.sendall(request(body[:9], length=len(body)))
    assert post(url, fill("others")).status_code == 200
    for sock in slow:
        status, told = split(everything(sock))
        assert (status, told["error"]["code"]) == (408, "DEG-S013")
        sock.close()
    assert pending(url) == 0


@pytest.mark.parametrize("sent", [b"", b"POST /v1/fi", b"POST /v1/fill HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_head_that_does_not_end_is_dropped(url: str, sent: bytes):
    with connect(url) as sock:
        sock.sendall(sent)
        assert everything(sock) == b""


def test_the_head_of_a_second_request_is_not_waited_for_either(url: str):
    with connect(url) as sock:
        sock.sendall(request(b"{}") + b"POST /v1/fi")
        status, _ = split(everything(sock))
        assert status == 422


def test_a_body_that_goes_on_after_its_refusal_is_not_waited_for(url: str):
    with connect(url) as sock:
        sock.sendall(request(b"{", length=10**9))
        status, _ = split(everything(sock))
        assert status == 413


def test_a_client_that_never_reads_is_dropped_and_others_are_served(url: str):
    ask = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = len(httpx.get(f"{url}/openapi.json").content)
    asked = 30_000_000 // answer  # more than any socket buffers on the way
    Quick.gave_up.clear()
    with connect(url, receive=4096) as sock:
        sock.sendall(ask * asked)
        assert post(url, fill("others")).status_code == 200
        assert Quick.gave_up.wait(PATIENCE)
        assert len(everything(sock)) < asked * answer


def send_all(sock: socket.socket, data: bytes) -> None:
    try:
        sock.sendall(data)
    except OSError:
        return


def test_idle_connections_are_many_and_cost_nothing(engine: ModelEngine):
    with live(engine, ServeSettings(time_limit=PATIENCE), keep_alive=PATIENCE) as url:
        place = urlsplit(url)
        idle = [http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE) for _ in range(200)]
        for connection in idle:
            connection.request("GET", "/health")
            assert connection.getresponse().read()
        assert post(url, fill("others")).status_code == 200
        idle[77].request("GET", "/health")
        assert idle[77].getresponse().status == 200
    # the server stopped although 200 connections were open
    for connection in idle:
        connection.close()


# What is not HTTP, or not quite


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(9000)) + b"\r\n",
        b"POST /v1/fill HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/fill HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
        b"POST /v1/fill HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n",
    ],
    ids=["tls", "line", "two-hosts", "no-host", "long", "flood", "negative", "two-lengths", "length", "name"],
)
def test_what_is_not_http_is_told_in_json_and_closed(url: str, sent: bytes):
    with connect(url) as sock:
        send_all(sock, sent)
        status, told = split(everything(sock))
        assert (status, told["error"]["code"]) == (400, "http_400")


def test_a_broken_chunk_ends_the_connection_and_the_request(url: str):
    with connect(url) as sock:
        head = b"POST /v1/fill HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        sock.sendall(head + b'5\r\n{"con\r\nzz\r\n')
        status, _ = split(everything(sock))
        assert status == 400
    assert pending(url) == 0


def test_an_upgrade_is_not_taken(url: str):
    with connect(url) as sock:
        sock.sendall(
            b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        status, _ = split(everything(sock))
        assert status == 200


def test_a_connection_is_good_after_every_kind_of_error(url: str):
    """On one connection: a bad body, a wrong path, a wrong coding, a body that is too large, and then a fill."""
    good = json.dumps(fill("reused")).encode()
    alone = post(url, fill("reused")).content
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
    connection.connect()
    sock = connection.sock
    for path, body, headers, status in (
        ("/v1/fill", b"{", {}, 422),
        ("/v1/fil", good, {}, 404),
        ("/health", good, {}, 405),
        ("/v1/fill", good, {"content-encoding": "br"}, 415),
        ("/v1/fill", good, {"content-encoding": "gzip"}, 400),
        ("/v1/fill", b" " * 17_000_000, {}, 413),
        ("/v1/fill", good, {"host": "evil.example"}, 421),
        ("/v1/systemone", good, {}, 422),
        ("/v1/decisions", good, {}, 400),
    ):
        connection.request("POST", path, body, headers)
        reply = connection.getresponse()
        assert reply.status == status, path
        reply.read()
        connection.request("POST", "/v1/fill", good)
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (200, alone), path
    assert connection.sock is sock  # it was never made anew
    connection.close()


# A model that fails


def test_a_poisoned_request_in_a_full_batch_fails_alone(engine: ModelEngine):
    bodies = [fill(f"parcel {n}" if n != 5 else "POISON") for n in range(16)]
    settings = ServeSettings(window=10.0, batch_size=16, time_limit=PATIENCE)
    with live(engine, ServeSettings(time_limit=PATIENCE)) as url:
        alone = [post(url, body).content for body in bodies]
    gated = GatedEngine(engine, poison="POISON")
    with live(gated, settings) as url, ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda body: post(url, body), bodies))
    assert len(gated.contexts[0]) == 16
    assert [reply.status_code for reply in replies] == [500 if n == 5 else 200 for n in range(16)]
    for n, (reply, expected) in enumerate(zip(replies, alone, strict=True)):
        assert n == 5 or reply.content == expected


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (MemoryError(), 503),
        (RecursionError(), 500),
        (SystemExit(3), 500),
        (KeyboardInterrupt(), 500),
        (StopIteration(), 500),
        (TimeoutError(), 500),
        (GeneratorExit(), 500),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
def test_whatever_the_model_raises_the_server_lives(engine: ModelEngine, fault: BaseException, status: int):
    raising = Raising(engine)
    raising.fault = fault
    bodies = [fill("a"), fill("poison"), fill("b")]
    with (
        live(raising, ServeSettings(window=5.0, batch_size=3, time_limit=PATIENCE)) as url,
        ThreadPoolExecutor(3) as pool,
    ):
        replies = list(pool.map(lambda body: post(url, body), bodies))
        assert [reply.status_code for reply in replies] == [200, status, 200]
        if status == 503:
            assert replies[1].headers["retry-after"].isdecimal()
            assert replies[1].json()["error"]["code"] == "DEG-S014"
        assert list(pool.map(lambda body: post(url, body).status_code, [fill("a")] * 3)) == [200] * 3


def test_torch_has_its_own_words_for_no_memory(engine: ModelEngine, monkeypatch: pytest.MonkeyPatch):
    from deg_core.engine import engine as module

    def starved(model: Any, jobs: Any) -> list[FillResult | DegError]:
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes")

    monkeypatch.setattr(module, "fill_many", starved)
    with live(engine, ServeSettings(time_limit=PATIENCE)) as url:
        assert post(url, fill("a")).status_code == 503


def test_a_client_that_leaves_while_its_batch_runs_changes_nothing_for_its_neighbours(engine: ModelEngine):
    with live(engine, ServeSettings(time_limit=PATIENCE)) as url:
        alone = post(url, fill("stays")).content
    gated = GatedEngine(engine)
    gated.gate.clear()
    with (
        live(gated, ServeSettings(window=5.0, batch_size=2, time_limit=PATIENCE)) as url,
        ThreadPoolExecutor(1) as pool,
        connect(url) as leaving,
    ):
        leaving.sendall(request(json.dumps(fill("leaves")).encode()))
        staying = pool.submit(post, url, fill("stays"))
        assert gated.began.wait(PATIENCE)
        leaving.close()
        gated.gate.set()
        assert staying.result().content == alone
    assert len(gated.contexts) == 1


@pytest.mark.parametrize("leaves", [True, False], ids=["leaves", "over the time limit"])
def test_work_that_nobody_waits_for_is_given_up(engine: ModelEngine, leaves: bool):
    """Otherwise one request with a long text would keep everybody from the model, long after its client is gone."""
    watching = Watching(engine)
    watching.gate.clear()
    with live(watching, ServeSettings(window=0.0, time_limit=PATIENCE if leaves else 3.0)) as url, connect(url) as sock:
        sock.sendall(request(json.dumps(fill("long")).encode()))
        assert watching.began.wait(PATIENCE)
        if leaves:
            sock.close()
        else:
            assert sock.recv(12) == b"HTTP/1.1 504"
        wait_for(lambda: httpx.get(f"{url}/health").json()["batcher"]["departed"] == 1)
        watching.gate.set()
        assert watching.given_up.wait(PATIENCE)
        assert post(url, fill("others")).status_code == 200
