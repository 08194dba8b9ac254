"""Hostile bodies against a live server: each is filled or refused in the words of its wire, and none is a fault."""

from __future__ import annotations

import http.client
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from deg_core.errors import FillError
from deg_serve.engine import ModelEngine
from deg_serve.settings import ServeSettings
from tests.fixtures.fuzz import Attack, attacks
from tests.fixtures.serving import PATIENCE, live
from tests.properties.test_wire_mutations import BODIES

USUAL = 120  # bodies
WIRE = Path(__file__).parent.parent / "fixtures" / "wire"
REFUSALS = {400, 401, 403, 408, 413, 415, 421, 422}


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


@pytest.fixture(scope="module")
def url(engine: ModelEngine) -> Iterator[str]:
    with live(engine, ServeSettings(time_limit=10 * PATIENCE)) as url:
        yield url


def send(url: str, attack: Attack) -> tuple[int, bytes, float]:
    """Status, body and seconds."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=2 * PATIENCE)
    began = time.perf_counter()
    headers = {name: value.encode("latin-1") for name, value in attack.headers.items()}
    connection.putrequest("POST", attack.path, skip_host="host" in headers, skip_accept_encoding=True)
    for name, value in {"content-length": str(len(attack.body)).encode(), **headers}.items():
        connection.putheader(name, value)
    connection.endheaders(attack.body)
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    return reply.status, content, time.perf_counter() - began


def judge(attack: Attack, status: int, content: bytes) -> None:
    """Filled or refused, in JSON; the one 500 is that of SPEC 4, for a value that must be there and is not."""
    told = json.loads(content)
    if status == 500:
        assert FillError.code in str(told) or "could not be filled" in str(told) or "not in the text" in str(told), told
        return
    assert status == 200 or status in REFUSALS, (status, attack.told, attack.body[:400], told)


def every(url: str, bodies: Mapping[str, Sequence[Any]], number: int, seed: int) -> tuple[Counter[int], list[Any]]:
    """Statuses, and the refusals by time, slowest first."""
    statuses: Counter[int] = Counter()
    refusals = []
    for attack in attacks(bodies, number, seed):
        status, content, seconds = send(url, attack)
        judge(attack, status, content)
        statuses[status] += 1
        if status in REFUSALS:
            refusals.append((seconds, attack.told, attack.body[:100]))
    return statuses, sorted(refusals, reverse=True)


def test_hostile_bodies_are_filled_or_refused(url: str, capsys: pytest.CaptureFixture[str]):
    """``DEG_FUZZ_BODIES=10000`` sends so many, also made from what the two client libraries send, and prints how long
    the slowest refusals took."""
    number = int(os.environ.get("DEG_FUZZ_BODIES", USUAL))
    bodies: dict[str, list[Any]] = {wire: [body] for wire, body in BODIES.items()}
    if number > USUAL:
        for wire, folder in (("decisions", "openai"), ("systemone", "systemone")):
            for file in sorted((WIRE / folder).glob("*.json")):
                sent = [request.get("json") for request in json.loads(file.read_text("utf-8"))["requests"]]
                bodies[wire] += [body for body in sent if isinstance(body, dict)]
    statuses, refusals = every(url, bodies, number, seed=2)
    if number > USUAL:
        with capsys.disabled():
            sys.stderr.write(f"\n{dict(sorted(statuses.items()))}; slowest refusals: {refusals[:5]}\n")
    assert statuses[200] > number // 25
    assert statuses[422] > number // 6
