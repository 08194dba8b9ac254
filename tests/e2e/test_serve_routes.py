"""The application in process, on the tiny model: the three routes, errors, keys, metrics."""

from __future__ import annotations

import gzip
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
import zstandard
from litestar.testing import TestClient

from deg_serve.engine import ModelEngine
from deg_serve.http.app import create_app
from deg_serve.http.observe import JsonLines
from deg_serve.settings import ServeSettings
from tests.fixtures.serving import GatedEngine, live

TEXT = "Parcel 88 never came and I fly out tonight, 3 May 2026. Write to ann@post.example."
SCHEMA = {
    "type": "object",
    "properties": {
        "number": {"type": ["integer", "null"]},
        "day": {"type": ["string", "null"], "format": "date"},
        "queue": {"enum": ["payments", "delivery", "other"]},
        "urgent": {"type": "boolean"},
    },
    "required": ["number", "day", "queue", "urgent"],
}
FILL = {"context": TEXT, "schema": SCHEMA}
NOUL = {"state": TEXT, "model": "jev-latest", "questions": {"u": {"type": "noul", "instructions": "Urgent?"}}}
PREDICATE = {
    "model": "gpt-6-luna",
    "input": TEXT,
    "questions": [{"type": "predicate", "name": "u", "instructions": "Urgent?"}],
}


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


def client_of(engine: Any, **settings: Any) -> TestClient[Any]:
    app = create_app(engine, ServeSettings(**{"time_limit": 120.0, **settings}))
    return TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)


@pytest.fixture(scope="module")
def client(engine: ModelEngine) -> Iterator[TestClient[Any]]:
    with client_of(engine) as client:
        yield client


def test_a_fill_is_that_of_the_model(client: TestClient[Any], tiny_models):
    reply = client.post("/v1/fill", json={**FILL, "options": {"date_order": "DMY"}})
    assert reply.status_code == 200
    alone = tiny_models["int8"].fill(TEXT, SCHEMA, date_order="DMY")
    assert reply.content == msgspec.json.encode(alone.as_dict())


def test_the_null_margin_of_the_server_is_that_of_requests_that_name_none(tiny_models):
    with client_of(ModelEngine(tiny_models["int8"], null_margin=50.0)) as strict:
        reply = strict.post("/v1/fill", json=FILL)
        assert reply.json()["value"]["number"] is None
        assert reply.json() == tiny_models["int8"].fill(TEXT, SCHEMA, null_margin=50.0).as_dict()
        named = strict.post("/v1/fill", json={**FILL, "options": {"null_margin": -50}})
        assert named.json() == tiny_models["int8"].fill(TEXT, SCHEMA, null_margin=-50.0).as_dict()
        assert named.json()["value"]["number"] is not None


def test_every_problem_of_a_fill_is_told(client: TestClient[Any]):
    reply = client.post("/v1/fill", json={"context": 5, "schema": {}, "optons": {}})
    assert reply.status_code == 422
    assert [found["loc"] for found in reply.json()["detail"]] == [["optons"], ["context"]]
    schema = {"type": "object", "properties": {"a": {"type": "text"}, "b": {"type": "string", "x-genrate": True}}}
    reply = client.post("/v1/fill", json={"context": "x", "schema": schema})
    assert reply.status_code == 422
    places = [found["loc"] for found in reply.json()["detail"]]
    assert places == [["schema", "properties", "a", "type"], ["schema", "properties", "b", "x-genrate"]]
    assert reply.json()["error"]["code"] == "DEG-C001"


def test_a_required_value_that_is_not_there_is_a_500_that_is_not_to_be_retried(client: TestClient[Any]):
    schema = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
    reply = client.post("/v1/fill", json={"context": "no digits here", "schema": schema})
    assert (reply.status_code, reply.headers["x-should-retry"]) == (500, "false")
    assert reply.json()["error"]["code"] == "DEG-C003"
    assert "/n" in reply.json()["detail"]


def test_decisions_answer_every_kind_of_question(client: TestClient[Any]):
    levels = [{"label": "calm"}, {"label": "annoyed"}, {"label": "furious"}]
    questions = [
        {"type": "predicate", "instructions": "Urgent?"},
        {"type": "choice", "name": "q", "instructions": "Who?", "choices": [{"value": True}, {"value": "true"}]},
        {"type": "score", "name": "anger/~", "instructions": "How?", "levels": levels},
        {"type": "extract", "name": "n", "instructions": "Parcel", "value_type": "integer"},
        {"type": "generate", "name": "g", "instructions": "Say.", "max_tokens": 3},
    ]
    reply = client.post("/v1/decisions", json={**PREDICATE, "questions": questions})
    assert reply.status_code == 200
    body = reply.json()
    assert [answer["type"] for answer in body["answers"]] == [question["type"] for question in questions]
    predicate, choice, score, extract, generate = body["answers"]
    assert predicate["name"] is None
    assert [share["value"] for share in choice["probabilities"]] == [True, "true"]
    best = max(choice["probabilities"], key=lambda share: share["probability"])
    assert json.dumps(choice["choice"]) == json.dumps(best["value"])
    assert [share["label"] for share in score["probabilities"]] == ["calm", "annoyed", "furious"]
    assert score["score"] == pytest.approx(sum(s["value"] * s["probability"] for s in score["probabilities"]))
    if extract["value"] is not None:
        start, end = extract["span"]
        assert str(extract["value"]) in TEXT[start:end].replace(",", "")
    usage = body["usage"]
    assert generate["output_tokens"] == usage["output_tokens"] > 0
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]


def test_systemone_answers_in_the_order_of_the_request(client: TestClient[Any]):
    questions = {
        "z": {"type": "score", "criteria": ["calm", {"what": "annoyed"}, "furious"]},
        "a": {"type": "choice", "criteria": {"b": "x", "a": None}},
        "m": {"type": "noul", "criteria": {"true": "yes"}},
        "e": {"type": "extract", "value_type": "email", "instructions": "Whom to write to"},
        "g": {"type": "generate", "maxLength": 8, "max_tokens": 4},
    }
    reply = client.post("/v1/systemone", json={**NOUL, "questions": questions})
    assert reply.status_code == 200
    body = reply.json()
    assert list(body["answers"]) == list(questions)
    assert body["answers"]["z"]["legend"]["1"] == {"what": "annoyed"}
    assert list(body["answers"]["a"]["probabilities"]) == ["b", "a"]
    assert sum(body["answers"]["a"]["probabilities"].values()) == pytest.approx(1)
    assert len(body["answers"]["g"]["text"]) <= 8
    assert body["model"] == "deg-tiny-0.1"
    assert all(isinstance(count, int) for count in body["usage"].values())


def test_the_three_routes_give_one_question_one_probability(client: TestClient[Any]):
    """Each wire is a way to write the same fill."""
    schema = {
        "type": "object",
        "properties": {"u": {"type": "boolean", "description": "Urgent?"}},
        "required": ["u"],
    }
    filled = client.post("/v1/fill", json={"context": TEXT, "schema": schema}).json()
    decided = client.post("/v1/decisions", json=PREDICATE).json()
    answered = client.post("/v1/systemone", json=NOUL).json()
    assert filled["meta"]["/u"]["probability"] == decided["answers"][0]["probability"]
    assert filled["meta"]["/u"]["probability"] == answered["answers"]["u"]["noul"]


@pytest.mark.parametrize(
    ("coding", "code"), [("gzip", gzip.compress), ("zstd", zstandard.compress)], ids=["gzip", "zstd"]
)
def test_compressed_requests_are_read(client: TestClient[Any], coding: str, code):
    reply = client.post("/v1/fill", content=code(json.dumps(FILL).encode()), headers={"content-encoding": coding})
    assert reply.content == client.post("/v1/fill", json=FILL).content


def test_every_reply_has_its_own_id_in_both_headers(client: TestClient[Any]):
    seen = set()
    for path in ("/health", "/v1/models", "/nothing", "/v1/fill"):
        reply = client.get(path, headers={"x-request-id": "mine"})
        assert re.fullmatch(r"req_[0-9a-f]{32}", reply.headers["x-request-id"])
        assert reply.headers["x-request-id"] == reply.headers["x-typesafe-request-id"]
        assert reply.headers["content-type"] == "application/json"
        seen.add(reply.headers["x-request-id"])
    assert len(seen) == 4


def test_wrong_paths_and_methods_in_the_words_of_each_wire(client: TestClient[Any]):
    assert client.get("/v1/systemone").json() == {"detail": "Method Not Allowed"}
    refused = client.get("/v1/decisions")
    assert refused.status_code == 405
    assert "POST" in refused.headers["allow"]
    assert list(refused.json()) == ["error"]
    lost = client.post("/v1/v1/decisions")
    assert lost.status_code == 404
    assert "did you mean /v1/decisions?" in lost.json()["error"]["message"]
    assert client.options("/v1/fill").status_code == 204
    assert client.head("/health").status_code == 200


@pytest.mark.parametrize("path", ["/v1/fill", "/v1/decisions", "/v1/systemone"])
def test_unknown_models_are_refused_by_name(client: TestClient[Any], path: str):
    body = {"/v1/fill": FILL, "/v1/decisions": PREDICATE, "/v1/systemone": NOUL}[path]
    reply = client.post(path, json={**body, "model": "someone-elses"})
    assert reply.status_code == (422 if path == "/v1/fill" else 400)
    assert "someone-elses" in reply.text
    for name in ("deg-latest", "deg-tiny-0.1"):
        assert client.post(path, json={**body, "model": name}).status_code == 200


def test_models_are_listed_for_both_clients(client: TestClient[Any]):
    body = client.get("/v1/models").json()
    names = [entry["id"] for entry in body["data"]]
    assert {"deg-latest", "deg-tiny-0.1", "gpt-6-luna", "jev-latest", "jev-preview", "clef-flash"} == set(names)
    assert names == [entry["name"] for entry in body["models"]]
    assert all(isinstance(value, str) for entry in body["models"] for value in entry.values())


def test_keys(engine: ModelEngine):
    with client_of(engine, api_keys=("right-key-1",)) as guarded:
        assert guarded.post("/v1/fill", json=FILL).status_code == 401
        assert guarded.post("/v1/decisions", json=PREDICATE).json()["error"]["code"] == "invalid_api_key"
        missing = guarded.post("/v1/systemone", json=NOUL)
        assert (missing.status_code, missing.json()["detail"]["error_type"]) == (403, "authentication_error")
        wrong = {"authorization": "Bearer wrong-key-1"}
        assert guarded.post("/v1/systemone", json=NOUL, headers=wrong).status_code == 401
        assert guarded.post("/v1/fill", json=FILL, headers=wrong).headers["www-authenticate"] == "Bearer"
        assert guarded.get("/metrics").status_code == 401
        assert guarded.get("/health").status_code == 200
        right = {"authorization": "Bearer right-key-1"}
        assert guarded.post("/v1/fill", json=FILL, headers=right).status_code == 200


def test_hosts_origins_and_sizes(engine: ModelEngine):
    with client_of(engine, max_body_bytes=2000) as small:
        assert small.post("/v1/fill", json=FILL, headers={"host": "evil.example"}).status_code == 421
        assert small.post("/v1/fill", json=FILL, headers={"origin": "https://evil.example"}).status_code == 421
        for path in ("/v1/fill", "/v1/decisions", "/v1/systemone"):
            assert small.post(path, content=b" " * 2001).status_code == 413
            bomb = {"content-encoding": "zstd"}
            assert small.post(path, content=zstandard.compress(b" " * 10**7), headers=bomb).status_code == 413
            assert small.post(path, content=b"{}", headers={"content-encoding": "br"}).status_code == 415
        assert "access-control-allow-origin" not in small.get("/health").headers


def test_a_server_that_writes_nothing_says_so(tiny_models):
    with client_of(ModelEngine(tiny_models["int8"], writing="off")) as silent:
        schema = {"type": "object", "properties": {"reply": {"type": "string", "x-generate": True}}}
        reply = silent.post("/v1/fill", json={"context": "x", "schema": schema})
        assert (reply.status_code, reply.json()["error"]["code"]) == (422, "DEG-R002")
        assert "/reply" in reply.json()["detail"]
        assert silent.post("/v1/fill", json=FILL).status_code == 200


@pytest.mark.parametrize("path", ["/v1/fill", "/v1/decisions", "/v1/systemone"])
def test_a_fault_shows_nothing_of_the_inside_and_logs_nothing_of_the_text(engine: ModelEngine, caplog, path: str):
    body = {"/v1/fill": FILL, "/v1/decisions": PREDICATE, "/v1/systemone": NOUL}[path]
    with client_of(GatedEngine(engine, poison="Parcel 88")) as broken, caplog.at_level(logging.INFO, "deg_serve"):
        reply = broken.post(path, json=body)
        assert reply.status_code == 500
        assert reply.headers["x-request-id"] in reply.text
        for secret in ("Traceback", "ZeroDivision", "serving.py", "Parcel"):
            assert secret not in reply.text
        lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
        fault, request = (next(line for line in lines if line["event"] == event) for event in ("fault", "request"))
        assert fault["error"] == "ZeroDivisionError"
        assert any("serving.py" in place for place in fault["places"])
        assert fault["request_id"] == request["request_id"] == reply.headers["x-request-id"]
        assert (request["route"], request["status"]) == (path, 500)
        assert "Parcel" not in json.dumps(lines)


def test_a_request_that_takes_too_long_is_told(engine: ModelEngine):
    slow = GatedEngine(engine)
    slow.gate.clear()
    with client_of(slow, time_limit=0.5) as client:
        reply = client.post("/v1/fill", json=FILL)
        slow.gate.set()
        assert (reply.status_code, reply.json()["error"]["code"]) == (504, "DEG-S003")


def test_metrics_and_health_count(engine: ModelEngine):
    with client_of(engine) as client:
        for _ in range(2):
            assert client.post("/v1/fill", json=FILL).status_code == 200
        client.post("/v1/fill", json={})
        client.get("/" + "x" * 50)
        health = client.get("/health").json()
        assert (health["status"], health["model"]) == ("ok", "deg-tiny-0.1")
        assert (health["batcher"]["jobs"], health["batcher"]["pending"]) == (2, 0)
        text = client.get("/metrics").text
        assert 'deg_requests_total{route="/v1/fill",status="200"} 2.0' in text
        assert 'deg_requests_total{route="/v1/fill",status="422"} 1.0' in text
        assert 'deg_requests_total{route="other",status="404"} 1.0' in text
        assert "deg_batch_requests_count 2.0" in text
        assert "xxxx" not in text


def test_the_openapi_document_describes_the_types(client: TestClient[Any]):
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) >= {"/v1/fill", "/v1/decisions", "/v1/systemone", "/v1/models"}
    text = json.dumps(document)
    for reference in set(re.findall(r'"#/components/schemas/([^"]+)"', text)):
        assert reference in document["components"]["schemas"], reference
    properties = document["components"]["schemas"]["DecisionsRequest"]["properties"]
    assert {"input_text", "function_call"} <= set(re.findall(r'"(?:enum|const)": \[?"(\w+)"', text))
    assert set(properties) >= {"model", "input", "questions", "options"}


def test_a_reason_that_is_cut_at_a_space_is_still_a_header(engine: ModelEngine):
    """A header's value may not end with a space; a real server's socket refuses what the test client lets pass."""
    with live(engine, ServeSettings(time_limit=120.0)) as url, httpx.Client(base_url=url, timeout=60) as real:
        for length in range(1, 14):
            questions = {"q" * length: {"type": "extract", "instructions": 5}, "k": {"type": "noul", "instructions": 5}}
            reply = real.post("/v1/systemone", json={**NOUL, "questions": questions})
            assert reply.status_code == 422
            assert reply.headers["x-deg-reason"] == reply.headers["x-deg-reason"].strip()
