"""``POST /v1/fill`` (SPEC 8 and 9): the request as the contract reads it, the reply, and the body of an error."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from deg_core.contract.request import FillRequest, Options, parse_request
from deg_core.contract.result import FieldMeta, FillResult, Usage
from deg_core.errors import DegError, ProblemsError
from deg_serve.errors import UnknownModelError
from deg_serve.wire.ask import Ask

__all__ = ["ErrorBody", "ErrorInfo", "FillReply", "FillRequest", "Options", "failure", "read"]


class FillReply(msgspec.Struct, frozen=True, kw_only=True):
    """A filled schema (SPEC 8). ``meta`` is keyed by RFC 6901 pointer."""

    model: str
    value: dict[str, Any]
    meta: dict[str, FieldMeta]
    usage: Usage
    plan: str


class ErrorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong. ``code`` is stable and searchable; ``param`` is there for clients that expect it."""

    message: str
    type: str
    code: str
    param: str | None = None


class ErrorBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of every error of this route and of the routes that belong to no wire.

    ``detail`` holds every problem as ``{loc, msg}`` where there are several to be told, else the message.
    """

    error: ErrorInfo
    detail: list[dict[str, Any]] | str


def read(body: bytes, names: Collection[str], array_decoders: Collection[str]) -> Ask:
    """The request. ``names`` are those of the models that are served.

    Raises RequestError with every problem, UnknownModelError.
    """
    request = parse_request(body, array_decoders=array_decoders)
    if request.model not in names:
        raise unknown_model(request.model, names)
    return Ask(request.context, request.schema, request.options, _reply)


def _reply(result: FillResult | None) -> dict[str, Any]:
    assert result is not None, "every fill asks the model"
    return result.as_dict()


def unknown_model(name: str, names: Collection[str]) -> UnknownModelError:
    """The error for a model that is not served here."""
    return UnknownModelError(f"Unknown model: {name}. Served here: {', '.join(names)}")


def failure(error: DegError, status: int) -> tuple[int, ErrorBody]:
    """Status and body of an error."""
    detail: list[dict[str, Any]] | str = error.message
    if isinstance(error, ProblemsError):
        detail = [dict(problem) for problem in error.problems]
    return status, ErrorBody(
        error=ErrorInfo(message=error.message, type=error_type(status), code=error.code), detail=detail
    )


def error_type(status: int) -> str:
    """The coarse kind of an error, in the words that clients of the decision wires know."""
    kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
    return kinds.get(status, "server_error" if status >= 500 else "invalid_request_error")
