"""The OpenAPI document, from the very types that the wires read and write: every route, status, header and body."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Final, Literal

import msgspec

from deg_core.contract.request import Options
from deg_serve.wire import decisions, decisions_errors, fill, models, systemone
from deg_serve.wire.health import Health

_COMPONENT: Final = "#/components/schemas/{name}"
_JSON: Final = "application/json"

#: Status -> what it says, on any route.
_SAYS: Final = {
    400: "The request is wrong, or its body does not decompress.",
    401: "There are API keys, and the request brought none or another.",
    403: "There are API keys, and the request brought none.",
    408: "The body stopped coming.",
    413: "The body, also decompressed, or the text is too large.",
    415: "The body is not JSON: multipart, an image, or compressed in another way than gzip, deflate or zstd.",
    421: "The host, or the page that asks, is not this server's.",
    422: "The request is wrong.",
    429: "Too many requests wait.",
    500: "A value that must be there is not in the text, which does not change; or a fault of the server.",
    503: "The server is shutting down, or has not the memory now.",
    504: "The request took longer than the server allows.",
}
_HEADERS: Final = {
    401: ("www-authenticate",),
    429: ("retry-after",),
    503: ("retry-after",),
    500: ("x-should-retry",),
}
_NEVER_MISSING: Final = frozenset(("www-authenticate", "retry-after", "x-request-id", "x-typesafe-request-id"))
_EVERYWHERE: Final = (401, 421, 500)
_ASKING: Final = (400, 408, 413, 415, 429, 503, 504)


@dataclass(frozen=True, slots=True)
class _Route:
    """``reply`` and ``request`` are types of JSON bodies; without a ``reply`` the body is of the kind ``media``."""

    path: str
    summary: str
    reply: Any = None
    request: Any = None
    error: Any = fill.ErrorBody
    statuses: Sequence[int] = _EVERYWHERE
    media: str = _JSON
    method: Literal["get", "post", "head"] = "get"
    public: bool = False

    @property
    def types(self) -> list[Any]:
        return [kind for kind in (self.request, self.reply, self.error) if kind is not None]


_ROUTES: Final = (
    _Route(
        "/v1/fill",
        "Fill a JSON Schema from a context.",
        fill.FillReply,
        fill.FillRequest,
        statuses=(*_EVERYWHERE, *_ASKING, 422),
        method="post",
    ),
    _Route(
        "/v1/decisions",
        "Answer questions about an input (OpenAI Decisions).",
        decisions.DecisionsReply,
        decisions.DecisionsRequest,
        decisions_errors.DecisionsErrorBody,
        statuses=(*_EVERYWHERE, *_ASKING),
        method="post",
    ),
    _Route(
        "/v1/systemone",
        "Answer questions about a state (TypeSafe Jev).",
        systemone.SystemOneReply,
        systemone.SystemOneRequest,
        systemone.SystemOneErrorBody,
        statuses=(*_EVERYWHERE, *_ASKING, 403, 422),
        method="post",
    ),
    _Route("/v1/models", "The names that requests may use.", models.ModelList),
    _Route("/health", "Whether the server takes work, and the state of its queue.", Health, public=True),
    _Route("/health", "The same without a body.", method="head", public=True),
    _Route("/metrics", "Prometheus metrics.", media="text/plain"),
    _Route("/openapi.json", "This document.", dict[str, Any], public=True),
)


def document(
    model_id: str, names: Mapping[str, Collection[str]] | None = None, array_decoders: Collection[str] = ()
) -> dict[str, Any]:
    """The document, as JSON. ``names`` are those that each path accepts as ``model``, ``array_decoders`` the values of
    that option; without them the document leaves them open."""
    types = [*(kind for route in _ROUTES for kind in route.types), *decisions.InputItem.__args__, Options]
    schemas, components = msgspec.json.schema_components(types, ref_template=_COMPONENT)
    by_type = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    _complete(components, by_type)
    for route in _ROUTES:
        if route.request is not None and names is not None:
            components[route.request.__name__]["properties"]["model"]["enum"] = list(names[route.path])
    if array_decoders:
        components["Options"]["properties"]["array_decode"] = {"enum": [*array_decoders, None], "default": None}
    paths: dict[str, dict[str, Any]] = {}
    for route in _ROUTES:
        paths.setdefault(route.path, {})[route.method] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"deg: {model_id}", "version": metadata.version("deg-fill")},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"key": []}],
    }


def _complete(components: dict[str, Any], by_type: dict[int, Any]) -> None:
    """What the routes check by hand, since each does it in the words of its wire."""
    items = {"anyOf": [by_type[id(kind)] for kind in decisions.InputItem.__args__]}
    asked = components["DecisionsRequest"]["properties"]
    asked["input"]["anyOf"] = [
        part | {"items": items} if part.get("type") == "array" else part for part in asked["input"]["anyOf"]
    ]
    options = {"anyOf": [by_type[id(Options)], {"type": "null"}], "default": None}
    for name in ("FillRequest", "DecisionsRequest", "SystemOneRequest"):
        components[name]["properties"]["options"] = options
    components["SystemOneRequest"]["additionalProperties"] = False
    components["SystemOneRequest"]["properties"]["questions"]["minProperties"] = 1


def _operation(route: _Route, by_type: dict[int, Any]) -> dict[str, Any]:
    def content(kind: Any) -> dict[str, Any]:
        return {"content": {_JSON: {"schema": by_type[id(kind)]}}}

    answer: dict[str, Any] = {"description": "The answer.", "headers": _headers(200)}
    if route.reply is not None:
        answer |= content(route.reply)
    elif route.method != "head":
        answer["content"] = {route.media: {"schema": {"type": "string"}}}
    responses = {"200": answer}
    for status in sorted(route.statuses):
        if not (route.public and status == 401):
            response = {"description": _SAYS[status], "headers": _headers(status)}
            responses[str(status)] = response | ({} if route.method == "head" else content(route.error))
    if route.path == "/health":
        responses["503"] = answer | {"description": "The server is shutting down."}
    operation: dict[str, Any] = {"summary": route.summary, "responses": responses}
    if route.public:
        operation["security"] = [{}]
    if route.request is not None:
        operation["requestBody"] = {"required": True, **content(route.request)}
    return operation


def _headers(status: int) -> dict[str, Any]:
    """The headers that deg adds: ids on every reply, and what goes with a status."""
    names = ("x-request-id", "x-typesafe-request-id", *_HEADERS.get(status, ()))
    return {name: {"schema": {"type": "string"}, "required": name in _NEVER_MISSING} for name in names}
