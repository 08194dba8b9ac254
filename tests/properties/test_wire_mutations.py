"""Whatever is sent, a wire answers in its own words: a body with any part replaced is filled or refused, no more."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deg_core.errors import DegError, SchemaError
from deg_serve.engine import ModelEngine
from deg_serve.errors import WireRefusal
from deg_serve.http.errors import FAILURES, STATUS
from deg_serve.http.readers import Readers
from deg_serve.wire import fill

BODIES: dict[str, dict[str, Any]] = {
    "fill": {
        "context": {"mail": ["Parcel 88 never came.", 3.5]},
        "schema": {
            "type": "object",
            "properties": {
                "n": {"type": ["integer", "null"], "minimum": 3},
                "who": {"oneOf": [{"const": "a", "description": "A."}, {"const": True}]},
                "rows": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}},
            },
            "required": ["n"],
        },
        "model": "deg-latest",
        "options": {"date_order": "MDY", "seed": 3, "temperature": 0.5, "null_margin": None},
    },
    "decisions": {
        "model": "gpt-6-luna",
        "input": [
            {"role": "system", "content": [{"type": "input_text", "text": "Read."}]},
            {"role": "user", "content": [{"type": "input_json", "data": {"order": [88]}}]},
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "status": None},
            {"type": "function_call_output", "call_id": "c", "output": "lost"},
        ],
        "questions": [
            {"type": "predicate", "name": "u", "instructions": [{"type": "input_text", "text": "Urgent?"}]},
            {
                "type": "choice",
                "instructions": "Who?",
                "choices": [{"value": True}, {"value": "b", "description": "B"}],
            },
            {"type": "score", "name": "s", "instructions": "How?", "levels": [{"label": "low"}, {"label": "high"}]},
            {"type": "extract", "name": "e", "instructions": "Id", "pattern": "8", "maxLength": 9},
        ],
        "prompt_cache_options": {"mode": "explicit"},
        "options": {"seed": 3},
    },
    "systemone": {
        "state": {"mail": ["Parcel 88"]},
        "model": "jev-latest",
        "questions": {
            "u": {"type": "noul", "instructions": "Urgent?", "criteria": {"true": "yes", "false": None}},
            "c": {"type": "choice", "criteria": {"a": "first", "b": {"what": 1}}},
            "s": {"type": "score", "criteria": ["low", ["high"]]},
            "e": {"type": "extract", "value_type": "number"},
        },
        "options": {"default_offset": "+02:00"},
    },
}

_WORDS = st.sampled_from(("", "x", "type", "choice", "score", "extract", "generate", "predicate", "noul", "user", "("))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 400) | st.floats(allow_nan=False, allow_infinity=False) | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=6,
)
NOTHING = object()


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in members:
        yield from places(member, (*path, step))


def replaced(body: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """The body with another value at a place, or with none there."""
    if not path:
        return {} if value is NOTHING else value
    body = copy.deepcopy(body)
    holder = body
    for step in path[:-1]:
        holder = holder[step]
    if value is NOTHING:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return body


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


@pytest.mark.parametrize("wire", BODIES)
@given(data=st.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_mutation_is_well_formed_or_refused_with_a_status_for_bad_requests(
    engine: ModelEngine, wire: str, data: st.DataObject
):
    body = BODIES[wire]
    for _ in range(data.draw(st.integers(0, 2))):
        path = data.draw(st.sampled_from(list(places(body))))
        body = replaced(body, path, data.draw(VALUES | st.just(NOTHING)))
    reader = getattr(Readers(engine), wire)
    failure = FAILURES.get(f"/v1/{wire}", fill.failure)
    try:
        ask = reader(json.dumps(body).encode())
        if ask.schema is not None:
            try:
                engine.prepare(ask.context, ask.schema, ask.options)
            except SchemaError as error:
                raise ask.located(error) from None
    except WireRefusal as refusal:
        status, told = refusal.status, refusal.body
    except DegError as error:
        status, told = failure(error, STATUS[error.code])
    else:
        return
    assert status in (400, 422), told
    assert json.dumps(told) if wire != "fill" else told.error.message


@pytest.mark.parametrize("wire", BODIES)
def test_the_bodies_themselves_are_good(engine: ModelEngine, wire: str):
    ask = getattr(Readers(engine), wire)(json.dumps(BODIES[wire]).encode())
    assert engine.prepare(ask.context, ask.schema, ask.options).tokens > 0
