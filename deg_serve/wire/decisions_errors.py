"""Errors in the words of the Decisions wire: ``{"error": {message, type, param, code}}``, bad requests as 400.

The clients retry 408, 409, 429 and every 5xx, so nothing that will fail again is answered with one of these.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

import msgspec

from deg_core.errors import DegError, Problem, ProblemsError, RuntimeLimitError
from deg_serve.errors import KeyMissingError, KeyWrongError, UnknownModelError, WireRefusal
from deg_serve.wire.fill import error_type

Kind = TypeVar("Kind")

_AT: Final = re.compile(r" - at `\$(?P<path>.*)`$")
_MISSING: Final = re.compile(r"Object missing required field `(?P<name>.*)`$")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(?P<name>.*)`$")


class DecisionsError(msgspec.Struct, frozen=True, kw_only=True):
    """The inner object. ``param`` is a path such as ``questions[0].choices``."""

    message: str
    type: str
    param: str | None
    code: str | None


class DecisionsErrorBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of every error of the route."""

    error: DecisionsError


def refuse(message: str, param: str | None, code: str, status: int = 400) -> WireRefusal:
    """A refusal to raise."""
    return WireRefusal(message, status, _body(message, status, param, code))


def convert(value: Any, kind: type[Kind], where: str = "") -> Kind:
    """``value`` as ``kind``, a Struct. Raises WireRefusal that names the place."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _refusal(str(error), where) from None


def failure(error: DegError, status: int) -> tuple[int, dict[str, Any]]:
    """Status and body of an error that no part of this wire raised itself."""
    param: str | None = None
    code: str | None = error.code
    message = error.message
    match error:
        case ProblemsError():
            param, status, code = _param(error.problems[0]), 400, "invalid_value"
            message = "; ".join(f"{_param(problem) or 'body'}: {problem['msg']}" for problem in error.problems)
        case RuntimeLimitError():
            param, status, code = "input", 400, "context_length_exceeded"
        case UnknownModelError():
            param, status, code = "model", 400, "model_not_found"
        case KeyMissingError() | KeyWrongError():
            code = "invalid_api_key"
    if status == 422:
        status = 400
    return status, _body(message, status, param, code)


def _body(message: str, status: int, param: str | None, code: str | None) -> dict[str, Any]:
    kind = "invalid_request_error" if status == 401 else error_type(status)
    return msgspec.to_builtins(
        DecisionsErrorBody(error=DecisionsError(message=message, type=kind, param=param, code=code))
    )


def _refusal(message: str, where: str) -> WireRefusal:
    found = _AT.search(message)
    path = where + (found["path"] if found else "")
    path = path.removeprefix(".")
    said = message[: found.start()] if found else message
    missing, unknown = _MISSING.match(said), _UNKNOWN.match(said)
    if missing or unknown:
        name = (missing or unknown)["name"]  # type: ignore[index]
        path = f"{path}.{name}" if path else name
    code = (
        "missing_required_parameter"
        if missing
        else "unknown_parameter"
        if unknown
        else "invalid_type"
        if re.match(r"Expected `[^`]*`, got ", said)
        else "invalid_value"
    )
    return refuse(f"{path or 'body'}: {said}", path or None, code)


def _param(problem: Problem) -> str | None:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in problem["loc"])
    return path.removeprefix(".") or None
