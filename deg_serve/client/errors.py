"""What a client raises: one class for each code of the server, and three for what never became a reply.

Errors that a fill in process also has are those of `deg_core.errors` as well, so that ``except SchemaError`` means the
same here and there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from deg_core import errors as core
from deg_core.errors import DegError, Problem
from deg_serve import errors as server


class ClientError(DegError):
    """Base of all errors of a client. ``status`` and ``request_id`` are None where there was no reply."""

    status: int | None = None
    request_id: str | None = None
    problems: list[Problem]
    repeatable: bool = False
    """Whether the same request may go better later, and can be sent again without harm."""
    retry_after: float | None = None
    """Seconds that the server asks to wait for."""

    def __init__(self, message: str, *, repeatable: bool = False) -> None:
        Exception.__init__(self, message)
        self.message = message
        self.problems = []
        self.repeatable = repeatable


class UnreachableError(ClientError):
    """There was no connection, or it broke before the reply was complete."""

    code = "DEG-S101"


class TimedOutError(ClientError):
    """The client's own timeout passed before the reply was complete."""

    code = "DEG-S102"


class BadReplyError(ClientError):
    """The reply is none of deg's; another server may answer at this address, or a much older or newer deg."""

    code = "DEG-S103"

    def __init__(self, message: str, *, status: int, request_id: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id


class ReplyError(ClientError):
    """The server refused or failed. ``status`` is HTTP's, ``code`` and ``message`` are the reply's own, ``problems``
    its ``{loc, msg}`` in order, ``request_id`` is in the server's log too."""

    status: int

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        problems: Sequence[Problem] = (),
        request_id: str | None = None,
        repeatable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, repeatable=repeatable)
        self.status = status
        self.code = code
        self.problems = list(problems)
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        place = f"HTTP {self.status}" + (f", request {self.request_id}" if self.request_id else "")
        return f"{self.code} {self.message} ({place})"


class SchemaError(ReplyError, core.SchemaError):
    """The schema is invalid or outside the supported subset; ``problems`` say where."""


class RequestError(ReplyError, core.RequestError):
    """The request around the schema is invalid; ``problems`` say where."""


class FillError(ReplyError, core.FillError):
    """A required value is not in the text. The message names the field; ``pointer`` does not travel."""

    pointer: str | None = None


class RuntimeLimitError(ReplyError, core.RuntimeLimitError):
    """The text is too long for the server; the message holds the numbers."""


class UnsupportedError(ReplyError, core.UnsupportedError):
    """The server's checkpoint cannot fill such a field."""


class UnknownNameError(ReplyError, core.UnknownNameError):
    """A name that no plugin of the server registered."""


class OverloadedError(ReplyError):
    """Too many requests wait."""

    code = server.OverloadedError.code


class DrainingError(ReplyError):
    """The server is shutting down."""

    code = server.DrainingError.code


class TimeLimitError(ReplyError):
    """The request took longer than the server's limit, waiting included."""

    code = server.TimeLimitError.code


class KeyMissingError(ReplyError):
    """The server has API keys, and the client brought none."""

    code = server.KeyMissingError.code


class KeyWrongError(ReplyError):
    """The API key is not one of the server's."""

    code = server.KeyWrongError.code


class BodyTooLargeError(ReplyError):
    """The request is larger than the server reads."""

    code = server.BodyTooLargeError.code


class MediaTypeError(ReplyError):
    """The server does not read bodies of this kind."""

    code = server.MediaTypeError.code


class BodyError(ReplyError):
    """The body did not arrive whole."""

    code = server.BodyError.code


class HostError(ReplyError):
    """The server does not answer to the host name of the base URL; see its ``--allowed-host``."""

    code = server.HostError.code


class UnknownModelError(ReplyError):
    """The server does not serve the model that was named; the message lists those it does."""

    code = server.UnknownModelError.code


class ClientGoneError(ReplyError):
    """The connection ended before the answer was ready; only a proxy in between can tell this."""

    code = server.ClientGoneError.code


class SlowBodyError(ReplyError):
    """The request arrived too slowly."""

    code = server.SlowBodyError.code


class MemoryShortError(ReplyError):
    """The server had too little memory when the request ran."""

    code = server.MemoryShortError.code


class InternalError(ReplyError):
    """A fault in the server; its log has it under ``request_id``."""

    code = server.InternalError.code


KINDS: Final[Mapping[str, type[ReplyError]]] = {
    kind.code: kind
    for kind in (
        SchemaError,
        RequestError,
        FillError,
        RuntimeLimitError,
        UnsupportedError,
        UnknownNameError,
        OverloadedError,
        DrainingError,
        TimeLimitError,
        KeyMissingError,
        KeyWrongError,
        BodyTooLargeError,
        MediaTypeError,
        BodyError,
        HostError,
        UnknownModelError,
        ClientGoneError,
        SlowBodyError,
        MemoryShortError,
        InternalError,
    )
}
"""The class of each of the server's codes."""

_WIRE_CODES: Final[Mapping[str, type[ReplyError]]] = {
    "context_length_exceeded": RuntimeLimitError,
    "max_tokens_exceeded": RuntimeLimitError,
    "model_not_found": UnknownModelError,
    "rate_limit_error": OverloadedError,
}
_WIRE_STATUS: Final[Mapping[int, type[ReplyError]]] = {
    400: RequestError,
    401: KeyWrongError,
    403: KeyMissingError,
    422: RequestError,
}


def kind_of(code: str, status: int, *, known_form: bool) -> type[ReplyError]:
    """The class for a reply. The decision wires have codes of their own, and where these say nothing the status
    decides; ``known_form`` is whether the body had the form of one of deg's wires."""
    found = KINDS.get(code) or _WIRE_CODES.get(code)
    if found is None and known_form:
        found = _WIRE_STATUS.get(status)
    if found is None and status == 429:
        found = OverloadedError
    return found or ReplyError


def problems_in(detail: Any) -> list[Problem]:
    """The ``{loc, msg}`` of a list of problems; whatever else stands there is left out."""
    if not isinstance(detail, list):
        return []
    return [
        Problem(loc=found["loc"], msg=found["msg"])
        for found in detail
        if isinstance(found, dict) and isinstance(found.get("loc"), list) and isinstance(found.get("msg"), str)
    ]
