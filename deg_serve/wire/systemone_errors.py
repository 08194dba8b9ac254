"""Errors in the words of the System One wire: ``{"detail": ...}``, a sentence, an object or a list of problems."""

from __future__ import annotations

from typing import Any, Final

from deg_core.errors import DegError, ProblemsError, RuntimeLimitError
from deg_serve.errors import KeyMissingError, KeyWrongError, UnknownModelError, WireRefusal

Detail = dict[str, Any]

_NO_KEY: Final = "Must supply an API key! Check your request and try again."
_WRONG_KEY: Final = "Cannot authenticate with the server. Please check your API key and try again."


def sentence(message: str, status: int = 400) -> WireRefusal:
    """``{"detail": message}``."""
    return WireRefusal(message, status, {"detail": message})


def usage_error(reason: str) -> WireRefusal:
    """The 400 that says no more than "Invalid request."; ``reason`` goes to a header."""
    return WireRefusal(reason, 400, _typed("api_usage_error", "Invalid request."))


def unprocessable(details: list[Detail]) -> WireRefusal:
    """The 422 that lists every problem."""
    said = "; ".join(f"{'.'.join(map(str, found['loc']))}: {found['msg']}" for found in details)
    return WireRefusal(said, 422, {"detail": details})


def detail(kind: str, loc: list[str | int], msg: str, given: Any, ctx: Detail | None = None) -> Detail:
    """One problem of such a list."""
    return {"type": kind, "loc": loc, "msg": msg, "input": given} | ({"ctx": ctx} if ctx else {})


def failure(error: DegError, status: int) -> tuple[int, Detail]:
    """Status and body of an error that no part of this wire raised itself."""
    match error:
        case KeyMissingError():
            return 403, _typed("authentication_error", _NO_KEY)
        case KeyWrongError():
            return 401, _typed("authentication_error", _WRONG_KEY)
        case UnknownModelError():
            return 400, _typed("api_usage_error", error.message.partition(". Served here")[0])
        case RuntimeLimitError():
            return 400, _typed("max_tokens_exceeded", error.message)
        case ProblemsError():
            problems = [detail("value_error", ["body", *found["loc"]], found["msg"], None) for found in error.problems]
            return 422, {"detail": problems}
    if status == 422:
        status = 400
    kind = "rate_limit_error" if status == 429 else "api_error" if status >= 500 else "api_usage_error"
    return status, _typed(kind, error.message)


def _typed(kind: str, message: str) -> Detail:
    return {"detail": {"error_type": kind, "message": message}}
