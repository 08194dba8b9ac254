"""The SDK: `Client` and `AsyncClient` for a deg server, with httpx and msgspec alone.

What goes over the wire has the types of `deg_serve.wire`, which the server writes; importing this package imports
neither torch nor the server.
"""

from __future__ import annotations

from deg_serve.client.asynchronous import AsyncClient
from deg_serve.client.calls import FillOptions
from deg_serve.client.errors import (
    BadReplyError,
    BodyError,
    BodyTooLargeError,
    ClientError,
    ClientGoneError,
    DrainingError,
    FillError,
    HostError,
    InternalError,
    KeyMissingError,
    KeyWrongError,
    MediaTypeError,
    MemoryShortError,
    OverloadedError,
    ReplyError,
    RequestError,
    RuntimeLimitError,
    SchemaError,
    SlowBodyError,
    TimedOutError,
    TimeLimitError,
    UnknownModelError,
    UnknownNameError,
    UnreachableError,
    UnsupportedError,
)
from deg_serve.client.retries import Retries
from deg_serve.client.synchronous import Client

__all__ = [
    "AsyncClient",
    "BadReplyError",
    "BodyError",
    "BodyTooLargeError",
    "Client",
    "ClientError",
    "ClientGoneError",
    "DrainingError",
    "FillError",
    "FillOptions",
    "HostError",
    "InternalError",
    "KeyMissingError",
    "KeyWrongError",
    "MediaTypeError",
    "MemoryShortError",
    "OverloadedError",
    "ReplyError",
    "RequestError",
    "Retries",
    "RuntimeLimitError",
    "SchemaError",
    "SlowBodyError",
    "TimeLimitError",
    "TimedOutError",
    "UnknownModelError",
    "UnknownNameError",
    "UnreachableError",
    "UnsupportedError",
]
