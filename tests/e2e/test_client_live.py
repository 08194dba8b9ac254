"""The SDK against a server on a socket: what it gives is what the model gives in process."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypedDict

import msgspec
import pytest

from deg_core import FillError, SchemaError
from deg_serve import client as sdk
from deg_serve.client import AsyncClient, Client, Retries
from deg_serve.engine import ModelEngine
from deg_serve.settings import ServeSettings
from deg_serve.wire import decisions, systemone
from tests.fixtures.serving import PATIENCE, GatedEngine, live

ROOT = Path(__file__).parents[2]
TEXT = "Invoice 4471 of 3 May 2026: please pay 120.50 EUR to Brightwater Kayaks."
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "total": {"type": ["number", "null"]},
        "currency": {"enum": ["EUR", "USD"]},
        "urgency": {"type": "integer", "minimum": 1, "maximum": 5},
        "day": {"type": ["string", "null"], "format": "date"},
        "names": {"type": "array", "items": {"type": "string"}},
        "reply": {"type": "string", "x-generate": True, "x-max-tokens": 4},
    },
    "required": ["total", "currency", "day"],
}


@dataclasses.dataclass
class Data:
    total: float
    currency: Literal["EUR", "USD"]


class Struct(msgspec.Struct):
    total: float
    currency: Literal["EUR", "USD"]


class Dict(TypedDict):
    total: float
    currency: Literal["EUR", "USD"]


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


@pytest.fixture(scope="module")
def url(engine: ModelEngine) -> Iterator[str]:
    with live(engine, ServeSettings(time_limit=PATIENCE)) as url:
        yield url


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    with Client(url, api_key="", timeout=PATIENCE) as client:
        yield client


def test_a_fill_is_that_of_the_model(client: Client, tiny_models):
    for context in (TEXT, {"text": TEXT, "no": [4471]}):
        here = tiny_models["int8"].fill(context, SCHEMA, date_order="DMY", max_items=3)
        assert client.fill(context, SCHEMA, date_order="DMY", max_items=3) == here


def pydantic_type() -> type:
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")
    return pydantic.create_model("Model", total=(float, ...), currency=(Literal["EUR", "USD"], ...))


@pytest.mark.parametrize("make", [lambda: Data, lambda: Struct, lambda: Dict, pydantic_type], ids="dstp")
def test_a_type_gives_an_instance(client: Client, tiny_models, make):
    type_ = make()
    result = client.fill(TEXT, type_)
    assert isinstance(result.value, dict if type_ is Dict else type_)
    assert result == tiny_models["int8"].fill(TEXT, type_)


def test_a_type_that_refuses_its_value_is_a_fill_error(client: Client):
    class Small(msgspec.Struct):
        total: float

        def __post_init__(self) -> None:
            raise ValueError("never")

    with pytest.raises(FillError, match="Small does not accept the filled value: never"):
        client.fill(TEXT, Small)


def test_both_clients_give_the_same_at_once(url: str, client: Client):
    alone = [client.fill(f"{TEXT} {number}", SCHEMA) for number in range(4)]

    async def together() -> list[Any]:
        async with AsyncClient(url, api_key="", timeout=PATIENCE) as many:
            assert (await many.health()).status == "ok"
            return await asyncio.gather(*(many.fill(f"{TEXT} {number}", SCHEMA) for number in range(4)))

    assert asyncio.run(together()) == alone


def test_decisions_and_system_one(client: Client):
    reply = client.decisions(
        TEXT,
        [
            decisions.PredicateQuestion(name="paid", instructions="Is it paid?"),
            decisions.ExtractQuestion(name="total", instructions="The total", value_type="number"),
            {"type": "choice", "instructions": "Which?", "choices": [{"value": True}, {"value": "true"}]},
        ],
    )
    predicate, extract, choice = reply.answers
    assert isinstance(predicate, decisions.PredicateAnswer)
    assert isinstance(extract, decisions.ExtractAnswer)
    assert isinstance(choice, decisions.ChoiceAnswer)
    assert reply.model == "deg-tiny-0.1"
    levels = systemone.ScoreQuestion(instructions="How?", criteria=["calm", "angry"])
    answers = client.systemone({"text": TEXT}, {"paid": {"type": "noul", "instructions": "Paid?"}, "anger": levels})
    assert list(answers.answers) == ["paid", "anger"]
    assert isinstance(answers.answers["anger"], systemone.ScoreAnswer)


def test_models_and_health(client: Client):
    assert "deg-latest" in [entry.id for entry in client.models().data]
    health = client.health()
    assert (health.status, health.model) == ("ok", "deg-tiny-0.1")
    assert health.batcher["max_pending"] == 256


def test_errors_come_back_as_they_are(client: Client):
    with pytest.raises(SchemaError) as schema:
        client.fill(TEXT, {"type": "object", "properties": {"a": {"type": "string", "x-genrate": True}}})
    assert isinstance(schema.value, sdk.SchemaError)
    assert schema.value.status == 422
    assert schema.value.problems[0]["loc"] == ["schema", "properties", "a", "x-genrate"]
    assert schema.value.request_id.startswith("req_")
    with pytest.raises(sdk.RequestError) as options:
        client.fill(TEXT, SCHEMA, max_items=-1)
    assert options.value.problems[0]["loc"] == ["options", "max_items"]
    with pytest.raises(sdk.UnknownModelError, match="Served here: deg-latest"):
        client.fill(TEXT, SCHEMA, model="deg-7")
    with pytest.raises(sdk.FillError, match="/total") as fill:
        client.fill(
            "nothing here", {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}
        )
    assert (fill.value.status, fill.value.repeatable) == (500, False)
    with pytest.raises(sdk.UnknownModelError):
        client.decisions(TEXT, [{"type": "predicate", "instructions": "Paid?"}], model="deg-7")


def test_keys(engine: ModelEngine):
    with live(engine, ServeSettings(api_keys=("right-key-of-8",), time_limit=PATIENCE)) as url:
        for key, error in (("", sdk.KeyMissingError), ("wrong-key-of-8", sdk.KeyWrongError)):
            with Client(url, api_key=key, timeout=PATIENCE) as client:
                with pytest.raises(error) as caught:
                    client.models()
                assert caught.value.status == 401
                with pytest.raises(error):
                    client.systemone("x", {"a": {"type": "noul", "instructions": "b"}})
                with pytest.raises(error):
                    client.decisions("x", [{"type": "predicate", "instructions": "b"}])
                assert client.health().status == "ok"
        with Client(url, api_key="right-key-of-8", timeout=PATIENCE) as client:
            assert client.models().data


def test_a_server_that_is_full_is_asked_again(engine: ModelEngine, monkeypatch: pytest.MonkeyPatch):
    gated = GatedEngine(engine)
    gated.gate.clear()
    pauses: list[float] = []

    async def two(url: str) -> list[Any]:
        async with AsyncClient(url, api_key="", timeout=PATIENCE, retries=Retries(first=0.01)) as client:
            first = asyncio.create_task(client.fill(TEXT, Data))
            await asyncio.to_thread(gated.began.wait, PATIENCE)
            second = asyncio.create_task(client.fill(TEXT, Data))
            while (await client.health()).batcher["pending"] < 1:
                await sleep(0.01)
            third = asyncio.create_task(client.fill(TEXT, Data))
            return await asyncio.gather(first, second, third)

    sleep = asyncio.sleep

    async def pause(seconds: float, result: Any = None) -> Any:
        pauses.append(seconds)
        gated.gate.set()
        return await sleep(min(seconds, 0.05), result)

    with live(gated, ServeSettings(window=0.0, max_pending=1, time_limit=PATIENCE)) as url:
        monkeypatch.setattr("deg_serve.client.asynchronous.sleep", pause)
        results = asyncio.run(two(url))
    assert len({result.plan for result in results}) == 1
    assert any(seconds >= 1 for seconds in pauses), "the server's Retry-After is at least a second"


def test_nobody_there():
    with Client("http://127.0.0.1:9", retries=Retries(attempts=1)) as client, pytest.raises(sdk.UnreachableError):
        client.health()


def test_the_page_does_what_it_says(url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEG_BASE_URL", url)
    monkeypatch.delenv("DEG_API_KEY", raising=False)
    page = (ROOT / "docs" / "how-to" / "client.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 5
    module = types.ModuleType("page")
    names = vars(module)
    monkeypatch.setitem(sys.modules, "page", module)  # where dataclasses look for their types
    for block in blocks:
        exec(compile(block, "client.md", "exec", dont_inherit=True), names)
    assert type(names["result"].value) is names["Parcel"]
    documented = set(re.findall(r"`(\w+Error)`", page))
    assert documented >= {name for name in sdk.__all__ if name.endswith("Error") and name != "ClientError"}
