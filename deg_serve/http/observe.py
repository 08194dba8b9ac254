"""What is seen of the server from outside: request ids, one log line a request, metrics. Never a context or a value."""

from __future__ import annotations

import json
import logging
import time
import uuid
from typing import Any, Final, cast

from litestar.datastructures import MutableScopeHeaders
from litestar.types import HTTPScope, Message, Scope
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from deg_serve.batcher import BatchReport

ROUTES: Final = frozenset(("/v1/fill", "/v1/decisions", "/v1/systemone", "/v1/models", "/health", "/metrics"))
_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_SIZES: Final = (1, 2, 4, 8, 16, 32, 64)
_log = logging.getLogger("deg_serve")


def request_id(scope: Scope) -> str:
    """The id of this request, ours alone: what a client sends is not taken over."""
    return str(scope["state"].setdefault("deg_request_id", f"req_{uuid.uuid4().hex}"))


def begin(scope: Scope) -> None:
    """Note when the request came; the first call counts."""
    scope["state"].setdefault("deg_began", time.monotonic())


class Observer:
    """Counts requests and batches of one application, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "deg_requests", "Replies by route and status.", ["route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "deg_request_seconds",
            "From the request to its reply.",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._batch_size = Histogram(
            "deg_batch_requests", "Requests in a batch.", buckets=_SIZES, registry=self.registry
        )
        self._batch_tokens = Counter("deg_batch_tokens", "Tokens of work that batches took.", registry=self.registry)
        self._model_seconds = Histogram(
            "deg_batch_seconds", "A batch in the model.", buckets=_SECONDS, registry=self.registry
        )
        self._waited = Histogram(
            "deg_queue_seconds", "A request in the queue.", buckets=_SECONDS, registry=self.registry
        )
        self._tokens = Counter("deg_tokens", "Tokens read and written.", ["kind"], registry=self.registry)
        self._pending = Gauge("deg_pending", "Requests that wait.", registry=self.registry)
        self._departed = Gauge("deg_departed", "Requests that their client gave up.", registry=self.registry)

    async def before_send(self, message: Message, scope: Scope) -> None:
        """Put the ids on every reply, count it, and log it."""
        if message["type"] != "http.response.start" or scope["type"] != "http":
            return
        ident = request_id(scope)
        headers = MutableScopeHeaders.from_message(message)
        headers["x-request-id"] = headers["x-typesafe-request-id"] = ident
        headers["x-content-type-options"] = "nosniff"
        headers["cache-control"] = "no-store"
        path, status = scope["path"].rstrip("/"), message["status"]
        route = path if path in ROUTES else "other"
        seconds = time.monotonic() - scope["state"].get("deg_began", time.monotonic())
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        _log.info(
            "request",
            extra={
                "request_id": ident,
                "method": cast("HTTPScope", scope)["method"],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
            },
        )

    def batch(self, report: BatchReport) -> None:
        """Count a batch."""
        self._batch_size.observe(report.size)
        self._batch_tokens.inc(report.tokens)
        self._model_seconds.observe(report.seconds)
        for waited in report.waited:
            self._waited.observe(waited)

    def tokens(self, read: int, written: int) -> None:
        """Count the usage of one reply."""
        self._tokens.labels("read").inc(read)
        self._tokens.labels("written").inc(written)

    def exposition(self, status: dict[str, Any]) -> bytes:
        """The text of ``/metrics``; ``status`` is the batcher's."""
        self._pending.set(status["pending"])
        self._departed.set(status["departed"])
        return generate_latest(self.registry)


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, event, and what the event carries."""

    _KNOWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in self._KNOWN}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False, default=str)
