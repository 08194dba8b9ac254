"""The reply to an error, in the words of the wire that was asked."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException

from deg_core.errors import DegError, FillError
from deg_serve.errors import (
    STATUS,
    DrainingError,
    InternalError,
    MemoryShortError,
    OverloadedError,
    SlowBodyError,
    WireRefusal,
)
from deg_serve.http.observe import request_id
from deg_serve.wire import decisions_errors, fill, systemone_errors

#: Codes of errors that come again however often the request is sent, although their status says "try again".
FINAL: Final = frozenset((FillError.code,))

Failure = Callable[[DegError, int], tuple[int, Any]]

FAILURES: Final[dict[str, Failure]] = {
    "/v1/decisions": decisions_errors.failure,
    "/v1/systemone": systemone_errors.failure,
}
_PATHS: Final = ("/v1/fill", "/v1/decisions", "/v1/systemone", "/v1/models", "/health", "/metrics", "/openapi.json")
_LONGEST_REASON: Final = 300
_log = logging.getLogger("deg_serve")


def on_deg_error(request: Request[Any, Any, Any], error: DegError) -> Response[bytes]:
    """The reply to an error that deg raised on purpose."""
    if isinstance(error, WireRefusal):
        told = error.message in str(error.body)
        return _reply(error.status, error.body, {} if told else {"x-deg-reason": _header(error.message)})
    status, body = _failure(request)(error, STATUS.get(error.code, 500))
    headers: dict[str, str] = {}
    if isinstance(error, OverloadedError | DrainingError | MemoryShortError):
        headers["retry-after"] = str(error.retry_after)
    if isinstance(error, SlowBodyError):
        headers["connection"] = "close"  # the rest of its body would be taken for the next request
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if error.code in FINAL:
        headers["x-should-retry"] = "false"
    return _reply(status, body, headers)


def on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """The reply to what the router refuses: a wrong path or method."""
    path, status = request.scope["path"], error.status_code
    headers = dict(error.headers or {})
    if FAILURES.get(path) is systemone_errors.failure:
        sentence = {404: "Not Found", 405: "Method Not Allowed"}.get(status, error.detail)
        return _reply(status, {"detail": sentence}, headers)
    message = error.detail
    if status == 404:
        message = f"there is nothing at {path[:200]}; {_suggestion(path)}"
    elif status == 405:
        message = f"{request.method} is not allowed at {path[:200]}; allowed: {headers.get('allow', '')}"
    if path == "/v1/decisions":
        refusal = decisions_errors.refuse(message, None, f"http_{status}", status)
        return _reply(status, refusal.body, headers)
    info = fill.ErrorInfo(message=message, type=fill.error_type(status), code=f"http_{status}")
    return _reply(status, fill.ErrorBody(error=info, detail=message), headers)


def on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The reply to anything else. The log has where it happened, and no text that might hold a context."""
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    ident = request_id(request.scope)
    _log.error("fault", extra={"request_id": ident, "error": type(error).__name__, "places": places[-12:]})
    message = f"an unexpected fault in the server; its log has it under request id {ident}"
    return _reply(*_failure(request)(InternalError(message), 500), {})


def _failure(request: Request[Any, Any, Any]) -> Failure:
    return FAILURES.get(request.scope["path"].rstrip("/"), fill.failure)


def _reply(status: int, body: Any, headers: dict[str, str]) -> Response[bytes]:
    content = msgspec.json.encode(body)
    return Response(content, status_code=status, media_type="application/json", headers=headers)


def _suggestion(path: str) -> str:
    """The path that was probably meant: a base URL with or without ``/v1`` is the usual mistake."""
    tail = path.rstrip("/").rpartition("/")[2]
    for known in _PATHS:
        if known.rpartition("/")[2] == tail:
            return f"did you mean {known}?"
    return f"there are {', '.join(_PATHS)}"


def _header(text: str) -> str:
    """A text as the value of a header: printable ASCII on one line, cut to a bounded length."""
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    line = "".join(character if character.isprintable() else " " for character in plain)
    return line[:_LONGEST_REASON].strip()  # a value may neither begin nor end with a space
