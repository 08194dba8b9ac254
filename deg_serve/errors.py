"""What a server refuses on its own account, each with a searchable code (``DEG-S``); which is which status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from deg_core.errors import (
    DegError,
    FillError,
    RequestError,
    RuntimeLimitError,
    SchemaError,
    UnknownNameError,
    UnsupportedError,
)


class OverloadedError(DegError):
    """More requests wait than are allowed; ``retry_after`` is in whole seconds."""

    code = "DEG-S001"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class DrainingError(DegError):
    """The server is shutting down and takes no new work."""

    code = "DEG-S002"
    retry_after = 5


class TimeLimitError(DegError):
    """The request took longer than the server's limit, waiting included."""

    code = "DEG-S003"


class KeyMissingError(DegError):
    """The server has API keys, and the request brought none."""

    code = "DEG-S004"


class KeyWrongError(DegError):
    """The request's API key is not one of the server's."""

    code = "DEG-S005"


class BodyTooLargeError(DegError):
    """The body, as sent or decompressed, is larger than the limit."""

    code = "DEG-S006"


class MediaTypeError(DegError):
    """The body is compressed or wrapped in a way that the server does not read."""

    code = "DEG-S007"


class BodyError(DegError):
    """The body does not decompress, or is shorter than announced."""

    code = "DEG-S008"


class HostError(DegError):
    """The request names a host, or comes from a page of a host, that is not this server's."""

    code = "DEG-S009"


class UnknownModelError(DegError):
    """The request names a model that the server does not serve."""

    code = "DEG-S010"


class WireRefusal(DegError):
    """A bad request in one wire's own words: ``status`` and ``body`` are sent as they are."""

    code = "DEG-S011"

    def __init__(self, message: str, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status = status
        self.body = body


class ClientGoneError(DegError):
    """The client left before its answer was ready; nobody reads the reply."""

    code = "DEG-S012"


class SlowBodyError(DegError):
    """The client stopped sending before its body was complete."""

    code = "DEG-S013"


class MemoryShortError(DegError):
    """There was not enough memory for the request when it ran; less may be taken a little later."""

    code = "DEG-S014"
    retry_after = 5


class InternalError(DegError):
    """A fault of ours; what it was stands in the log under the request's id."""

    code = "DEG-S099"


#: Error code -> status. A wire may say it otherwise (its ``failure``); what is not here is a fault of ours: 500.
STATUS: Final[dict[str, int]] = {
    SchemaError.code: 422,
    RequestError.code: 422,
    FillError.code: 500,
    RuntimeLimitError.code: 413,
    UnsupportedError.code: 422,
    UnknownNameError.code: 422,
    OverloadedError.code: 429,
    DrainingError.code: 503,
    TimeLimitError.code: 504,
    KeyMissingError.code: 401,
    KeyWrongError.code: 401,
    BodyTooLargeError.code: 413,
    MediaTypeError.code: 415,
    BodyError.code: 400,
    HostError.code: 421,
    UnknownModelError.code: 422,
    ClientGoneError.code: 499,
    SlowBodyError.code: 408,
    MemoryShortError.code: 503,
}
