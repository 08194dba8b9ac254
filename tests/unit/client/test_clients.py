"""Both clients against a transport that answers what a test wants: requests, replies, errors, retries."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

import deg_core
from deg_core.contract.request import Options
from deg_serve import client as sdk
from deg_serve import errors as server
from deg_serve.client import AsyncClient, Client, FillOptions, Retries
from deg_serve.client.connection import server_url
from deg_serve.client.errors import KINDS
from deg_serve.wire import decisions, systemone

SCHEMA = {"type": "object", "properties": {"a": {"type": ["number", "null"]}}}
REPLY: dict[str, Any] = {
    "model": "m",
    "value": {"a": 1180591620717411303424},
    "meta": {"/a": {"mode": "extract.number", "span": [0, 1], "confidence": 0.5, "p_null": 0.25, "new": "key"}},
    "usage": {"prompt_tokens": 3, "generated_tokens": 0},
    "plan": "p",
    "later": "releases may say more",
}


@dataclass
class Script:
    """Answers in turn, the last one for ever; keeps the requests and the pauses between them."""

    answers: list[Any]
    requests: list[httpx.Request] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        # A response is read once; the next request gets another.
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    @property
    def body(self) -> Any:
        return json.loads(self.requests[-1].content)


Calls = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """``call(script, "fill", ...)``: what the method gives, by either client, without waiting."""
    for name in ("DEG_API_KEY", "DEG_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def call(script: Script, method: str, *arguments: Any, settings: Any = None, **options: Any) -> Any:
        settings = {"transport": httpx.MockTransport(script), **(settings or {})}
        if request.param == "sync":
            monkeypatch.setattr("deg_serve.client.synchronous.sleep", script.pauses.append)
            with Client(**settings) as client:
                return getattr(client, method)(*arguments, **options)

        async def later() -> Any:
            async with AsyncClient(**settings) as client:
                return await getattr(client, method)(*arguments, **options)

        async def pause(seconds: float) -> None:
            script.pauses.append(seconds)

        with monkeypatch.context() as patch:
            patch.setattr("deg_serve.client.asynchronous.sleep", pause)
            return asyncio.run(later())

    return call


def ok(body: Any = REPLY) -> httpx.Response:
    return httpx.Response(200, json=body)


def refused(status: int, code: str = "DEG-S001", **headers: str) -> httpx.Response:
    error = {"message": "it is so", "type": "t", "code": code, "param": None}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"error": error, "detail": "it is so"}, headers=named)


def test_a_fill(call: Calls):
    script = Script([ok()])
    result = call(script, "fill", {"b": ["ü", 2**70]}, SCHEMA, null_margin=1.5, max_items=None)
    assert script.body == {
        "context": {"b": ["ü", 2**70]},
        "schema": SCHEMA,
        "model": "deg-latest",
        "options": {"null_margin": 1.5, "max_items": None},
    }
    assert str(script.requests[0].url) == "http://127.0.0.1:8790/v1/fill"
    assert "authorization" not in script.requests[0].headers
    assert result.value == result.json == {"a": 2**70}
    assert (result.meta["/a"].span, result.meta["/a"].p_null, result.usage.prompt_tokens) == ([0, 1], 0.25, 3)


def test_options_are_those_of_the_contract():
    assert set(FillOptions.__annotations__) == set(Options.__struct_fields__)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        (None, "http://127.0.0.1:8790/v1/fill"),
        ("http://deg.example:81", "http://deg.example:81/v1/fill"),
        ("https://deg.example/", "https://deg.example/v1/fill"),
        ("https://deg.example/v1/", "https://deg.example/v1/fill"),
        ("https://deg.example/tools/deg", "https://deg.example/tools/deg/v1/fill"),
        ("https://deg.example/tools/deg/", "https://deg.example/tools/deg/v1/fill"),
        ("http://[::1]:8790", "http://[::1]:8790/v1/fill"),
    ],
)
def test_base_urls(call: Calls, given: str | None, url: str):
    script = Script([ok()])
    call(script, "fill", "x", SCHEMA, settings={"base_url": given})
    assert str(script.requests[0].url) == url


def test_the_environment_names_server_and_key(call: Calls, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEG_BASE_URL", "http://there:1")
    monkeypatch.setenv("DEG_API_KEY", "key-of-the-environment\n")
    script = Script([ok()])
    call(script, "fill", "x", SCHEMA)
    call(script, "fill", "x", SCHEMA, settings={"base_url": "http://here:2", "api_key": "given-key"})
    call(script, "fill", "x", SCHEMA, settings={"api_key": ""})
    assert [request.url.host for request in script.requests] == ["there", "here", "there"]
    sent = [request.headers.get("authorization") for request in script.requests]
    assert sent == ["Bearer key-of-the-environment", "Bearer given-key", None]


@pytest.mark.parametrize(
    "url", ["deg.example", "ftp://deg.example", "http://", "http://h/?a=1", "http://h/#a", "http://h:x"]
)
def test_what_is_no_address_is_refused(url: str):
    with pytest.raises(ValueError, match="base URL"):
        server_url(url)


def test_a_key_that_cannot_be_sent_is_refused_and_not_quoted():
    for key in ("two words", "schlüssel", "line\nbreak"):
        with pytest.raises(ValueError, match="not a key") as caught:
            Client(api_key=key)
        assert key not in str(caught.value)


def test_what_json_cannot_hold_is_found_before_it_is_sent(call: Calls):
    script = Script([ok()])
    with pytest.raises(deg_core.RequestError) as caught:
        call(script, "fill", {"a": [float("nan")], "b": "\ud800"}, SCHEMA)
    assert [found["loc"] for found in caught.value.problems] == [["context", "a", 0], ["context", "b"]]
    with pytest.raises(deg_core.SchemaError, match="complex"):
        call(script, "fill", "x", dataclasses.make_dataclass("Odd", [("when", complex)]))
    with pytest.raises(deg_core.SchemaError, match="not a Pydantic model"):
        call(script, "fill", "x", int)
    assert not script.requests


@pytest.mark.parametrize("answer", [refused(429), refused(502), refused(503), refused(504), httpx.ConnectError("no")])
def test_what_may_go_better_is_sent_again(call: Calls, answer: Any):
    script = Script([answer, answer, ok()])
    assert call(script, "fill", "x", SCHEMA).model == "m"
    assert len({request.content for request in script.requests}) == 1
    assert len(script.requests) == 3
    first, second = script.pauses
    assert 0.25 <= first <= 0.5 <= second <= 1.0


@pytest.mark.parametrize(
    "answer",
    [
        refused(400),
        refused(401),
        refused(413),
        refused(422),
        refused(500),
        refused(503, x_should_retry="false"),
        refused(429, retry_after="3600"),
        httpx.ReadTimeout("slow"),
        httpx.ReadError("broke"),
        httpx.RemoteProtocolError("broke"),
        httpx.Response(200, text="<html>"),
    ],
    ids=str,
)
def test_what_will_not_is_not(call: Calls, answer: Any):
    script = Script([answer])
    with pytest.raises(sdk.ClientError):
        call(script, "fill", "x", SCHEMA)
    assert (len(script.requests), script.pauses) == (1, [])


def test_attempts_end_and_the_last_error_is_told(call: Calls):
    script = Script([refused(503), httpx.ConnectError("refused"), refused(429, retry_after="2", x_request_id="req_9")])
    with pytest.raises(sdk.OverloadedError) as caught:
        call(script, "fill", "x", SCHEMA, settings={"retries": Retries(attempts=3)})
    assert len(script.requests) == 3
    assert (caught.value.retry_after, caught.value.request_id) == (2.0, "req_9")


def test_retry_after_sets_the_pause(call: Calls):
    dated = refused(503, date="Sun, 03 May 2026 10:00:00 GMT", retry_after="Sun, 03 May 2026 10:00:20 GMT")
    script = Script([refused(429, retry_after="7"), dated, ok()])
    call(script, "fill", "x", SCHEMA)
    assert 7 <= script.pauses[0] <= 7.5
    assert 20 <= script.pauses[1] <= 20.5


def test_every_code_of_the_server_has_its_class():
    assert set(KINDS) == {*server.STATUS, server.InternalError.code}
    assert {kind.__name__ for kind in KINDS.values()} <= set(sdk.__all__)
    assert sorted(sdk.__all__) == sdk.__all__
    for code, kind in KINDS.items():
        assert kind.code == code
        assert kind.__name__ in {error.__name__ for error in vars(server).values() if isinstance(error, type)}


@pytest.mark.parametrize("code", sorted(KINDS))
def test_an_error_has_all_that_the_reply_says(call: Calls, code: str):
    status = server.STATUS.get(code, 500)
    problems = [{"loc": ["schema", "properties", 0], "msg": "no"}, {"loc": [], "msg": "neither"}]
    error = {"message": "2 problems", "type": "t", "code": code, "param": None}
    answer = httpx.Response(status, json={"error": error, "detail": problems}, headers={"x-request-id": "req_1"})
    with pytest.raises(KINDS[code]) as caught:
        call(Script([answer]), "fill", "x", SCHEMA, settings={"retries": Retries(attempts=1), "api_key": "a-key"})
    found = caught.value
    assert type(found) is KINDS[code]
    assert (found.status, found.code, found.message, found.request_id) == (status, code, "2 problems", "req_1")
    assert found.problems == problems
    assert str(found) == f"{code} 2 problems (HTTP {status}, request req_1)"


def test_errors_of_the_core_are_caught_as_such(call: Calls):
    for code, kind in (
        ("DEG-C001", deg_core.SchemaError),
        ("DEG-C002", deg_core.RequestError),
        ("DEG-C003", deg_core.FillError),
    ):
        with pytest.raises(kind) as caught:
            call(Script([refused(422, code)]), "fill", "x", SCHEMA)
        assert isinstance(caught.value, sdk.ReplyError)


MISSING = {"loc": ["body", "state"], "msg": "Field required"}
DECISIONS_ERROR = {"error": {"message": "m", "type": "t", "param": "questions[0].x", "code": "unknown_parameter"}}


def typed(kind: str) -> dict[str, Any]:
    return {"detail": {"error_type": kind, "message": "m"}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "code", "problems"),
    [
        (400, DECISIONS_ERROR, sdk.RequestError, "unknown_parameter", [{"loc": ["questions[0].x"], "msg": "m"}]),
        (400, {"error": {"message": "m", "code": "model_not_found"}}, sdk.UnknownModelError, "model_not_found", []),
        (401, {"error": {"message": "m", "code": "invalid_api_key"}}, sdk.KeyWrongError, "invalid_api_key", []),
        (403, typed("authentication_error"), sdk.KeyMissingError, "authentication_error", []),
        (429, typed("rate_limit_error"), sdk.OverloadedError, "rate_limit_error", []),
        (400, {"detail": "m"}, sdk.RequestError, "http_400", []),
        (422, {"detail": [{**MISSING, "type": "missing", "input": {}}]}, sdk.RequestError, "http_422", [MISSING]),
        (429, None, sdk.OverloadedError, "http_429", []),
        (502, None, sdk.ReplyError, "http_502", []),
        (400, {"unlike": "deg"}, sdk.ReplyError, "http_400", []),
        (500, {"error": {"message": "m", "code": None}}, sdk.ReplyError, "http_500", []),
        (307, None, sdk.ReplyError, "http_307", []),
    ],
)  # fmt: skip
def test_errors_of_the_other_wires_and_of_proxies(call: Calls, status, body, kind, code, problems):
    answer = httpx.Response(status, json=body) if body else httpx.Response(status, text="<html>\n gone </html>")
    with pytest.raises(sdk.ReplyError) as caught:
        call(Script([answer]), "systemone", "x", {}, settings={"retries": Retries(attempts=1), "api_key": "a-key"})
    assert type(caught.value) is kind
    assert (caught.value.status, caught.value.code, caught.value.problems) == (status, code, problems)
    assert caught.value.message
    if body is None:
        assert "<html> gone </html>" in caught.value.message


def test_a_key_that_was_not_sent_is_missing(call: Calls):
    answer = httpx.Response(401, json={"error": {"message": "m", "code": "invalid_api_key"}})
    with pytest.raises(sdk.KeyMissingError):
        call(Script([answer]), "decisions", "x", [])


def test_the_reason_beside_a_short_message_is_told(call: Calls):
    body = {"detail": {"error_type": "api_usage_error", "message": "Invalid request."}}
    answer = httpx.Response(400, json=body, headers={"x-deg-reason": "unknown fields 'stat'"})
    with pytest.raises(sdk.RequestError, match=r"Invalid request\. unknown fields 'stat'"):
        call(Script([answer]), "systemone", "x", {})


@pytest.mark.parametrize(
    ("raised", "kind", "repeated"),
    [
        (httpx.ConnectError("refused"), sdk.UnreachableError, True),
        (httpx.ConnectTimeout("slow"), sdk.UnreachableError, True),
        (httpx.ReadTimeout("slow"), sdk.TimedOutError, False),
        (httpx.PoolTimeout("full"), sdk.TimedOutError, False),
        (httpx.RemoteProtocolError("broke"), sdk.UnreachableError, False),
    ],
)
def test_no_reply_at_all(call: Calls, raised: Exception, kind: type[sdk.ClientError], repeated: bool):
    script = Script([raised])
    with pytest.raises(kind, match=r"POST http://127\.0\.0\.1:8790/v1/fill") as caught:
        call(script, "fill", "x", SCHEMA, settings={"retries": Retries(attempts=2)})
    assert (caught.value.status, caught.value.request_id, caught.value.problems) == (None, None, [])
    assert len(script.requests) == 1 + repeated
    assert caught.value.__cause__ is raised


@pytest.mark.parametrize("body", [b"", b"[1]", b'{"model": 3}', b"\xff", b'{"value"'])
def test_a_reply_that_is_none_of_degs(call: Calls, body: bytes):
    with pytest.raises(sdk.BadReplyError, match="no reply of deg") as caught:
        call(Script([httpx.Response(200, content=body)]), "models")
    assert caught.value.status == 200


def test_health_of_a_server_that_drains_is_no_error(call: Calls):
    body = {"status": "draining", "model": "m", "batcher": {"pending": 2}}
    script = Script([httpx.Response(503, json=body)])
    found = call(script, "health")
    assert (found.status, found.batcher["pending"], script.pauses) == ("draining", 2, [])
    with pytest.raises(sdk.ReplyError):
        call(Script([httpx.Response(503, text="proxy")]), "health", settings={"retries": Retries(attempts=1)})


def test_questions_are_types_or_dicts(call: Calls):
    script = Script(
        [ok({"model": "m", "answers": [], "usage": {"input_tokens": 1, "output_tokens": 0, "total_tokens": 1}})]
    )
    mail = decisions.ExtractQuestion(instructions="Mail?", value_type="email", min_length=3)
    said = decisions.UserMessage(role="user", content=[decisions.InputText(text="hello")])
    call(script, "decisions", [said], [mail, {"type": "predicate", "instructions": "Urgent?"}], seed=1)
    assert script.body["questions"][0]["type"] == "extract"
    assert script.body["questions"][0]["minLength"] == 3
    assert script.body["questions"][1] == {"type": "predicate", "instructions": "Urgent?"}
    assert script.body["input"][0]["content"][0] == {
        "type": "input_text",
        "text": "hello",
        "prompt_cache_breakpoint": None,
    }
    assert script.body["options"] == {"seed": 1}
    script = Script(
        [
            ok(
                {
                    "model": "m",
                    "answers": {"u": {"type": "noul", "noul": 1}},
                    "usage": {"input_tokens": 1, "output_tokens": 0},
                }
            )
        ]
    )
    answers = call(script, "systemone", {"a": 1}, {"u": systemone.NoulQuestion(instructions="Urgent?")}).answers
    assert answers == {"u": systemone.NoulAnswer(noul=1.0)}
    assert script.body["questions"]["u"]["type"] == "noul"
