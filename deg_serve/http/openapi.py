"""The OpenAPI document, from the very types that the wires read and write."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from typing import Any, Final

import msgspec

from deg_serve.wire import decisions, decisions_errors, fill, models, systemone

_COMPONENT: Final = "#/components/schemas/{name}"


@dataclass(frozen=True, slots=True)
class _Route:
    path: str
    summary: str
    reply: Any
    request: Any = None
    error: Any = fill.ErrorBody

    @property
    def types(self) -> list[Any]:
        return [kind for kind in (self.request, self.reply, self.error) if kind is not None]


_ROUTES: Final = (
    _Route("/v1/fill", "Fill a JSON Schema from a context.", fill.FillReply, fill.FillRequest),
    _Route(
        "/v1/decisions",
        "Answer questions about an input (OpenAI Decisions).",
        decisions.DecisionsReply,
        decisions.DecisionsRequest,
        decisions_errors.DecisionsErrorBody,
    ),
    _Route(
        "/v1/systemone",
        "Answer questions about a state (TypeSafe Jev).",
        systemone.SystemOneReply,
        systemone.SystemOneRequest,
        systemone.SystemOneErrorBody,
    ),
    _Route("/v1/models", "The names that requests may use.", models.ModelList),
)


def document(model_id: str) -> dict[str, Any]:
    """The document, as JSON."""
    types = [*(kind for route in _ROUTES for kind in route.types), *decisions.InputItem.__args__]
    schemas, components = msgspec.json.schema_components(types, ref_template=_COMPONENT)
    by_type = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    items = {"anyOf": [by_type[id(kind)] for kind in decisions.InputItem.__args__]}
    given = components["DecisionsRequest"]["properties"]["input"]
    given["anyOf"] = [part | {"items": items} if part.get("type") == "array" else part for part in given["anyOf"]]
    paths = {route.path: _operation(route, by_type) for route in _ROUTES}
    paths["/health"] = {"get": {"summary": "Whether the server takes work, and the state of its queue."}}
    paths["/metrics"] = {"get": {"summary": "Prometheus metrics."}}
    for path in ("/health", "/metrics"):
        paths[path]["get"]["responses"] = {"200": {"description": "As it is now."}}
    return {
        "openapi": "3.1.0",
        "info": {"title": f"deg: {model_id}", "version": metadata.version("deg-fill")},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"key": []}],
    }


def _operation(route: _Route, by_type: dict[int, Any]) -> dict[str, Any]:
    def content(kind: Any) -> dict[str, Any]:
        return {"content": {"application/json": {"schema": by_type[id(kind)]}}}

    operation: dict[str, Any] = {
        "summary": route.summary,
        "responses": {
            "200": {"description": "The answer.", **content(route.reply)},
            "default": {"description": "What went wrong.", **content(route.error)},
        },
    }
    if route.request is None:
        return {"get": operation}
    operation["requestBody"] = {"required": True, **content(route.request)}
    return {"post": operation}
