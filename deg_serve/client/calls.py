"""Each route as a value: what is sent, and how its reply is read. Knows no transport, so both clients share it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypedDict, TypeVar, cast

import msgspec

from deg_core.contract.jsonvalue import checked_copy
from deg_core.contract.problems import Problems
from deg_core.contract.request import Context
from deg_core.contract.result import FillResult
from deg_core.contract.types import instance_of, is_schema_type, schema_of
from deg_core.errors import RequestError, SchemaError
from deg_serve.wire.decisions import DecisionsQuestion, DecisionsReply, InputItem
from deg_serve.wire.fill import FillReply
from deg_serve.wire.health import Health
from deg_serve.wire.models import ModelList
from deg_serve.wire.systemone import SystemOneQuestion, SystemOneReply

T = TypeVar("T")

LATEST: Final = "deg-latest"
"""The name by which every server serves the checkpoint that it has."""


class FillOptions(TypedDict, total=False):
    """Options of a fill (SPEC 9), as `deg_core.contract.request.Options` has them."""

    max_new_tokens: int
    max_items: int | None
    date_order: Literal["MDY", "DMY"] | None
    default_offset: str
    temperature: float
    seed: int | None
    array_decode: str | None
    null_margin: float | None


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. ``path`` is relative to the base URL, ``fine`` are the statuses whose body ``read`` understands;
    it raises ValueError or msgspec.ValidationError for what it does not."""

    method: str
    path: str
    read: Callable[[bytes], T]
    body: bytes | None = None
    fine: tuple[int, ...] = (200,)


def fill(context: Context, schema: Mapping[str, Any] | type, model: str, options: FillOptions) -> Call[FillResult]:
    """``POST /v1/fill``. Raises SchemaError for a type without a schema, RequestError for what is not JSON."""
    document, type_ = schema, None
    if isinstance(schema, type) or is_schema_type(schema):
        type_ = cast("type", schema)
        try:
            document = schema_of(type_)
        except TypeError as error:
            raise SchemaError([{"loc": [], "msg": str(error)}]) from error

    def read(body: bytes) -> FillResult:
        reply = _read(body, FillReply)
        value = reply.value if type_ is None else instance_of(type_, reply.value)
        return FillResult(
            model=reply.model, value=value, json=reply.value, meta=reply.meta, usage=reply.usage, plan=reply.plan
        )

    given = {"context": context, "schema": document, "model": model, "options": dict(options)}
    return Call("POST", "v1/fill", read, _json(given))


def decisions(
    input: str | Sequence[InputItem | Mapping[str, Any]],
    questions: Sequence[DecisionsQuestion | Mapping[str, Any]],
    model: str,
    options: FillOptions,
) -> Call[DecisionsReply]:
    """``POST /v1/decisions``. Raises RequestError for what is not JSON."""
    asked = [_plain(question) for question in questions]
    items = input if isinstance(input, str) else [_plain(item) for item in input]
    given = {"model": model, "input": items, "questions": asked, "options": dict(options)}
    return Call("POST", "v1/decisions", lambda body: _read(body, DecisionsReply), _json(given))


def systemone(
    state: Context,
    questions: Mapping[str, SystemOneQuestion | Mapping[str, Any]],
    model: str,
    options: FillOptions,
) -> Call[SystemOneReply]:
    """``POST /v1/systemone``. Raises RequestError for what is not JSON."""
    asked = {name: _plain(question) for name, question in questions.items()}
    given = {"state": state, "model": model, "questions": asked, "options": dict(options)}
    return Call("POST", "v1/systemone", lambda body: _read(body, SystemOneReply), _json(given))


def models() -> Call[ModelList]:
    """``GET /v1/models``."""
    return Call("GET", "v1/models", lambda body: _read(body, ModelList))


def health() -> Call[Health]:
    """``GET /health``; a server that is draining says so with 503 and the same body."""
    return Call("GET", "health", lambda body: _read(body, Health), fine=(200, 503))


def _plain(part: Any) -> Any:
    return msgspec.to_builtins(part) if isinstance(part, msgspec.Struct) else part


def _json(given: dict[str, Any]) -> bytes:
    """The body. What JSON cannot hold is found here: an encoder would write NaN as null without a word."""
    problems = Problems()
    plain = checked_copy(given, problems)
    if len(problems):
        raise RequestError(problems.as_problems())
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _read(body: bytes, kind: type[T]) -> T:
    return msgspec.convert(json.loads(body), kind)
