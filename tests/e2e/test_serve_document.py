"""The server against its own OpenAPI document: bodies drawn from it, and bodies that it forbids, get replies that it
describes. HYPOTHESIS_PROFILE=wide draws many more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from deg_core.errors import FillError
from deg_serve.engine import ModelEngine
from deg_serve.http.openapi import document
from deg_serve.settings import ServeSettings
from tests.fixtures.serving import PATIENCE, live

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

OPERATIONS = [
    (method.upper(), path) for path, methods in document("deg-tiny-0.1")["paths"].items() for method in methods
]
SCHEMA = {
    "type": "object",
    "properties": {
        "number": {"type": "number"},
        "who": {"type": ["string", "null"]},
        "kind": {"enum": ["a", 1, None]},
        "items": {"type": "array", "items": {"type": "string"}},
    },
}


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


@pytest.fixture(scope="module")
def api(engine: ModelEngine) -> Iterator[Any]:
    with live(engine, ServeSettings(time_limit=PATIENCE)) as url:
        yield schemathesis.openapi.from_url(f"{url}/openapi.json")


def check(case: Any) -> None:
    """Send the case. No fault of the server, and no reply that the document does not describe."""
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        negative_data_rejection,
        response_headers_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    reply = case.call(timeout=PATIENCE)
    if reply.status_code >= 500:
        # The one that SPEC 4 asks for, when a required value is not in the text; it says that it is final.
        assert FillError.code in reply.text or "could not be filled" in reply.text, reply.text
        assert reply.headers["x-should-retry"] == ["false"]
    case.validate_response(
        reply,
        checks=[
            content_type_conformance,
            negative_data_rejection,
            response_headers_conformance,
            response_schema_conformance,
            status_code_conformance,
        ],
    )


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda value: value.strip("/"))
@pytest.mark.parametrize("mode", ["positive", "negative"])
@given(data=st.data())
@settings(
    max_examples=settings().max_examples // 4,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
def test_replies_are_those_of_the_document(api: Any, method: str, path: str, mode: str, data: st.DataObject):
    operation = api[path][method]
    if operation.body:
        generation = schemathesis.GenerationMode(mode)
        case = data.draw(operation.as_strategy(generation_mode=generation))
        if path == "/v1/fill" and mode == "positive" and data.draw(st.booleans()):
            case.body["schema"] = SCHEMA  # hardly any object is a schema by chance
    else:
        case = operation.Case()
    check(case)
