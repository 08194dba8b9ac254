"""Every request that the two client libraries were seen to send, replayed against the application."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from deg_serve.engine import ModelEngine
from deg_serve.http.app import create_app
from deg_serve.settings import ServeSettings

FOLDER = Path(__file__).parents[1] / "fixtures" / "wire"
FIXTURES: dict[str, dict[str, Any]] = {
    f"{file.parent.name}/{file.stem}": json.loads(file.read_text("utf-8")) for file in sorted(FOLDER.glob("*/*.json"))
}
CASES = [case for case, fixture in FIXTURES.items() if fixture["requests"]]  # the others never left the client

#: What is not answered with 200, and words of its reply.
REFUSED = {
    "openai/full": (400, "input[2].content[2] is an image"),
    "openai/empty_questions": (400, "questions"),
    "openai/bad_type_not_checked": (400, "invalid_type"),
    "openai/extra_body": (400, "unknown_parameter"),
    "systemone/raw_dict_unknown_type": (400, "Invalid request."),
    "systemone/extra_body": (400, "Invalid request."),
    "systemone/cs_choice_256": (400, "Too many choices. Must have at most 255 choices."),
    "systemone/cs_score_11": (400, "Too many score levels. Must have at most 10 levels."),
    "systemone/cs_empty_key": (400, "Question key cannot be empty."),
    "systemone/cs_state_number": (422, "Input should be a valid string"),
    "systemone/image_multipart": (415, "text only"),
}


def body_of(request: dict[str, Any]) -> bytes | None:
    if "body_base64" in request:
        return base64.b64decode(request["body_base64"])
    if "raw_utf8" in request:
        return request["raw_utf8"].encode()
    return json.dumps(request["json"], ensure_ascii=False).encode() if "json" in request else None


def shape(value: Any) -> Any:
    """Keys and kinds of a body, without its numbers."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


@pytest.fixture(scope="module")
def client(tiny_models):
    engine = ModelEngine(tiny_models["int8"])
    # Some captures name the versioned model, which this server takes only when it is told to.
    app = create_app(engine, ServeSettings(aliases=("jev-1.13.0",), time_limit=120))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def test_there_are_cases():
    assert len(CASES) > 80
    assert set(REFUSED) <= set(CASES)


@pytest.mark.parametrize("case", CASES)
def test_replay(client: TestClient[Any], case: str):
    fixture = FIXTURES[case]
    for request in fixture["requests"][:1]:  # the others are its retries
        headers = {name: value for name, value in request["headers"].items() if name not in ("host", "content-length")}
        reply = client.request(request["method"], request["path"], content=body_of(request), headers=headers)
        if case in REFUSED:
            status, words = REFUSED[case]
            assert (reply.status_code, words in reply.text) == (status, True), reply.text
            continue
        assert reply.status_code == 200, reply.text
        stubs = [stub for stub in fixture.get("stub_responses", []) if stub["status"] == 200]
        ordinary = case.split("/")[1].split("_")[0] not in ("resp", "err", "cs", "generator", "models")
        if stubs and ordinary and isinstance(stubs[0]["body"], dict):
            assert shape(reply.json()) | {"model": "str"} == shape(stubs[0]["body"]) | {"model": "str"}
            if "answers" in stubs[0]["body"] and isinstance(stubs[0]["body"]["answers"], dict):
                assert list(reply.json()["answers"]) == list(stubs[0]["body"]["answers"])


def test_the_conversation_without_its_image_is_answered(client: TestClient[Any]):
    (request,) = copy.deepcopy(FIXTURES["openai/full"]["requests"])
    request["json"]["input"][2]["content"].pop()
    reply = client.post("/v1/decisions", json=request["json"])
    assert reply.status_code == 200, reply.text
    assert len(reply.json()["answers"]) == len(request["json"]["questions"])
