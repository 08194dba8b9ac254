"""A server on a socket: batches, departures, overload, drain, and the two client libraries as their users call them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from deg_serve.engine import ModelEngine
from deg_serve.settings import ServeSettings
from tests.fixtures.serving import PATIENCE, GatedEngine, live, wait_for
from tests.fixtures.tiny import Tiny

ROOT = Path(__file__).parents[2]
TEXT = "Parcel 88 never came and I fly out tonight, 3 May 2026."
FIELDS: dict[str, Any] = {
    "number": {"type": ["integer", "null"]},
    "queue": {"enum": ["payments", "delivery", "other"]},
    "urgent": {"type": "boolean"},
    "anger": {"type": "integer", "minimum": 0, "maximum": 4},
    "day": {"type": ["string", "null"], "format": "date"},
    "reply": {"type": "string", "x-generate": True, "x-max-tokens": 4},
}


def fill(*names: str, context: str = TEXT) -> dict[str, Any]:
    return {"context": context, "schema": {"type": "object", "properties": {name: FIELDS[name] for name in names}}}


REQUESTS = [
    fill("number"),
    fill("queue", "urgent"),
    fill("number", "queue", "anger"),
    fill("day", context="Due on 4 June 2026, please."),
    fill("reply", "urgent"),
    fill("urgent", context="Parcel 89 came early."),
]


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


@pytest.fixture(scope="module")
def url(engine: ModelEngine) -> Iterator[str]:
    with live(engine, ServeSettings(time_limit=PATIENCE)) as url:
        yield url


def post_all(url: str, bodies: list[dict[str, Any]]) -> list[httpx.Response]:
    """All at once."""

    async def together() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client:
            return await asyncio.gather(*(client.post("/v1/fill", json=body) for body in bodies))

    return asyncio.run(together())


def health(url: str) -> dict[str, Any]:
    return httpx.get(f"{url}/health", timeout=PATIENCE).json()["batcher"]


def test_requests_that_are_batched_give_the_bytes_that_they_give_alone(engine: ModelEngine, url: str):
    alone = [httpx.post(f"{url}/v1/fill", json=body, timeout=PATIENCE).content for body in REQUESTS]
    with live(engine, ServeSettings(window=5.0, batch_size=len(REQUESTS), time_limit=PATIENCE)) as batched:
        together = post_all(batched, REQUESTS)
        assert health(batched)["batches"] == 1
    assert [reply.status_code for reply in together] == [200] * len(REQUESTS)
    assert [reply.content for reply in together] == alone


def test_a_fault_in_a_batch_is_one_requests_fault(engine: ModelEngine):
    gated = GatedEngine(engine, poison="POISON")
    bodies = [fill("urgent"), fill("urgent", context="POISON"), fill("number")]
    with live(gated, ServeSettings(window=5.0, batch_size=3, time_limit=PATIENCE)) as url:
        replies = post_all(url, bodies)
        assert [reply.status_code for reply in replies] == [200, 500, 200]
        assert [reply.status_code for reply in post_all(url, bodies[::2] + bodies[:1])] == [200, 200, 200]
    assert len(gated.contexts[0]) == 3


def test_overload_is_an_immediate_429(engine: ModelEngine):
    gated = GatedEngine(engine)
    gated.gate.clear()
    with (
        live(gated, ServeSettings(window=0.0, max_pending=2, time_limit=PATIENCE)) as url,
        ThreadPoolExecutor(3) as pool,
    ):
        ask = lambda: httpx.post(f"{url}/v1/fill", json=fill("urgent"), timeout=PATIENCE)  # noqa: E731
        first = pool.submit(ask)
        wait_for(gated.began.is_set)
        others = [pool.submit(ask) for _ in range(2)]
        wait_for(lambda: health(url)["pending"] == 2)
        refused = ask()
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 30
        assert refused.json()["error"]["code"] == "DEG-S001"
        gated.gate.set()
        assert [job.result().status_code for job in (first, *others)] == [200] * 3


def send(url: str, body: dict[str, Any], path: str = "/v1/fill") -> socket.socket:
    """A request on a socket of its own, sent and not yet answered."""
    place = urlsplit(url)
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {len(content)}\r\n\r\n"
    connection = socket.create_connection((place.hostname, place.port), timeout=PATIENCE)
    connection.sendall(head.encode() + content)
    return connection


def test_a_client_that_leaves_costs_nothing_more(engine: ModelEngine):
    gated = GatedEngine(engine)
    gated.gate.clear()
    with live(gated, ServeSettings(window=0.0, time_limit=PATIENCE)) as url:
        first = send(url, fill("urgent"))
        wait_for(gated.began.is_set)
        leaving = send(url, fill("urgent", context="leaves"))
        staying = send(url, fill("urgent", context="stays"))
        wait_for(lambda: health(url)["pending"] == 2)
        leaving.close()
        wait_for(lambda: health(url)["departed"] == 1)
        gated.gate.set()
        for connection in (first, staying):
            assert connection.recv(12) == b"HTTP/1.1 200"
            connection.close()
    assert gated.contexts == [[TEXT], ["stays"]]


def test_paths_with_more_slashes_and_queries_are_found(url: str):
    for path in ("//v1/fill", "/v1/fill/", "/v1/fill?trace=1"):
        with send(url, fill("urgent"), path) as connection:
            assert connection.recv(12) == b"HTTP/1.1 200", path


def test_chunked_bodies_are_read(url: str):
    content = json.dumps(fill("urgent")).encode()
    reply = httpx.post(f"{url}/v1/fill", content=iter([content[:20], content[20:]]), timeout=PATIENCE)
    assert reply.status_code == 200


def test_a_body_beyond_the_limit_is_refused_before_it_is_read_and_the_next_request_is_answered(url: str):
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        assert client.post("/v1/fill", content=b"x" * 20_000_000).status_code == 413
        assert client.post("/v1/fill", content=iter([b"x" * 1_000_000] * 20)).status_code == 413
        assert client.post("/v1/fill", json=fill("urgent")).status_code == 200
    assert health(url)["pending"] == 0


def test_the_openai_client(url: str):
    openai = pytest.importorskip("openai", reason="the openai package is not installed")
    client = openai.OpenAI(
        base_url=f"{url}/v1", api_key="any", max_retries=0, _strict_response_validation=True, timeout=PATIENCE
    )
    levels = [{"label": "calm"}, {"label": "annoyed", "description": "mild"}, {"label": "furious"}]
    with client:
        decision = client.decisions.create(
            model="gpt-6-luna",
            input=[{"role": "user", "content": [{"type": "input_text", "text": TEXT}]}],
            questions=[
                {"type": "predicate", "name": "urgent", "instructions": "Urgent?"},
                {"type": "choice", "instructions": "Who?", "choices": [{"value": True}, {"value": "true"}]},
                {"type": "score", "name": "anger", "instructions": "How?", "levels": levels},
            ],
        )
        assert [answer.type for answer in decision.answers] == ["predicate", "choice", "score"]
        assert [answer.name for answer in decision.answers] == ["urgent", None, "anger"]
        assert 0 <= decision.answers[0].probability <= 1
        assert decision.answers[1].choice in (True, "true")
        assert decision.model == "deg-tiny-0.1"
        assert decision._request_id.startswith("req_")
        with pytest.raises(openai.BadRequestError) as caught:
            client.decisions.create(model="gpt-6-luna", input="x", questions=[])
        assert (caught.value.code, caught.value.param) == ("invalid_value", "questions")
        assert "questions" in str(caught.value)
        with pytest.raises(openai.BadRequestError, match="Unknown model: gpt-7"):
            client.decisions.create(model="gpt-7", input="x", questions=[{"type": "predicate", "instructions": "?"}])
        assert "gpt-6-luna" in [model.id for model in client.models.list()]


def test_the_typesafe_client(url: str):
    sdk = pytest.importorskip("typesafe_sdk", reason="the typesafe-sdk package is not installed")
    state = TEXT + " " + "And nobody answers. " * 80  # sent compressed where the client can
    with sdk.TypeSafeClient(base_url=url, api_key="any-key", timeout=PATIENCE) as client:
        reply = client.system_one(
            state=state,
            questions={
                "z": sdk.Noul(instructions="Urgent?", criteria={"true": "a deadline", "false": None}),
                "a": {"type": "choice", "criteria": {"payments": "charges", "delivery": None}},
                "m": {"type": "score", "criteria": ["calm", {"what": "annoyed"}, "furious"]},
            },
        )
        assert list(reply.answers) == ["z", "a", "m"]
        assert 0 <= reply.answers["z"].noul <= 1
        assert reply.answers["a"].choice in ("payments", "delivery")
        assert 0 <= reply.answers["m"].score <= 2
        assert reply.usage.input_tokens > 0
        assert "jev-latest" in [model.name for model in client.models.list().models]
        with pytest.raises(sdk.TypeSafeBadRequestError, match="Unknown model: jev-9"):
            client.system_one(state="x", model="jev-9", questions={"u": sdk.Noul(instructions="?")})


@pytest.mark.slow
def test_a_process_that_is_told_to_end_finishes_what_it_began(tiny: Tiny, tmp_path: Path):
    """`python -m deg_serve` as it is deployed: a key, a free port, SIGTERM while a request waits for its batch."""
    command = [sys.executable, "-m", "deg_serve", "--ckpt", tiny.checkpoint, "--base-model", tiny.snapshot]
    options = ["--port", "0", "--window-ms", "3000", "--threads", "1", "--null-margin", "0.5"]
    environment = os.environ | {"DEG_HOME": str(tmp_path), "DEG_API_KEYS": "a-key-of-ours"}
    with subprocess.Popen([*command, *options], env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            lines = iter(server.stderr.readline, "")
            listening = next(line for line in lines if "listening on" in line)
            url = listening.split()[-1]
            assert httpx.post(f"{url}/v1/fill", json=fill("urgent"), timeout=PATIENCE).status_code == 401
            key = {"authorization": "Bearer a-key-of-ours"}
            with ThreadPoolExecutor(1) as pool:
                ask = pool.submit(httpx.post, f"{url}/v1/fill", json=fill("urgent"), headers=key, timeout=PATIENCE)
                wait_for(lambda: health(url)["pending"] == 1 or ask.done())
                server.send_signal(signal.SIGTERM)
                assert ask.result().status_code == 200
            assert server.wait(PATIENCE) == 0
            events = [json.loads(line) for line in lines]
        finally:
            server.kill()
    assert [event["status"] for event in events if event.get("route") == "/v1/fill"] == [401, 200]
    assert TEXT not in json.dumps(events)
