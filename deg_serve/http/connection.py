"""One HTTP/1.1 connection whose patience ends: uvicorn's, with a deadline wherever a client may stop moving.

A client that connects must send the head of a request, one that was refused early must end its body, and one that was
answered must take the answer, each within seconds; otherwise the connection is dropped, so that nobody holds a server
open by doing nothing. What is not HTTP is answered in JSON, as everything else is.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

from deg_serve.wire.fill import ErrorBody, ErrorInfo

HEAD_BYTES: Final = 16 * 2**10
"""About the largest head of a request; h11 refuses one that is longer and not complete."""
HEAD_SECONDS: Final = 10.0
"""From the connection, or the first byte of a further request, to the end of its head."""
TAKE_SECONDS: Final = 20.0
"""Within which a client must take something of an answer that waits for it."""
REST_SECONDS: Final = 20.0
"""For the rest of a body whose request was answered before it was read."""

_log = logging.getLogger("deg_serve")


class PatientConnection(H11Protocol):
    """Used as uvicorn's ``http`` class; its configuration's keep-alive time bounds idle connections, as ever."""

    head_seconds = HEAD_SECONDS
    take_seconds = TAKE_SECONDS
    rest_seconds = REST_SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._deadlines: dict[str, asyncio.TimerHandle] = {}
        self._untaken = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._within(self.head_seconds, "head")

    def connection_lost(self, exc: Exception | None) -> None:
        for what in tuple(self._deadlines):
            self._done(what)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # A head that arrives at once would be read whole, however large; in pieces h11's limit counts.
        while data and not self.transport.is_closing():
            size = HEAD_BYTES if self.conn.their_state is h11.IDLE else len(data)
            super().data_received(data[:size])
            data = data[size:]
        self._await_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await_head()
        if self.conn.their_state is h11.SEND_BODY:
            self._within(self.rest_seconds, "rest")
        else:
            self._done("rest")

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_taking()

    def resume_writing(self) -> None:
        self._done("take")
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._await_flush()

    def shutdown(self) -> None:
        super().shutdown()
        self._await_flush()

    def send_400_response(self, msg: str) -> None:
        """What cannot be read as HTTP. Where an answer is under way already, its client only loses the connection."""
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        info = ErrorInfo(message=msg, type="invalid_request_error", code="http_400")
        body = msgspec.json.encode(ErrorBody(error=info, detail=msg))
        length = str(len(body)).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", length), (b"connection", b"close")]
        for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._await_flush()

    def _await_head(self) -> None:
        """Begin the deadline of a head when its first byte is there; end it with its last."""
        if self.conn.their_state is not h11.IDLE:
            self._done("head")
            self._done("rest")
        elif self.conn.trailing_data[0] and "head" not in self._deadlines:
            self._within(self.head_seconds, "head")

    def _await_flush(self) -> None:
        """A connection that is being closed must still hand over what was written."""
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self._await_taking()

    def _await_taking(self) -> None:
        self._untaken = self.transport.get_write_buffer_size()
        self._within(self.take_seconds, "take")

    def _within(self, seconds: float, what: str) -> None:
        self._done(what)
        self._deadlines[what] = self.loop.call_later(seconds, self._drop, what)

    def _done(self, what: str) -> None:
        timer = self._deadlines.pop(what, None)
        if timer is not None:
            timer.cancel()

    def _drop(self, what: str) -> None:
        self._deadlines.pop(what, None)
        if what == "take" and self.transport.get_write_buffer_size() < self._untaken:
            self._await_taking()  # slow, but moving
            return
        _log.info("dropped", extra={"waited_for": what})
        self.transport.abort()
