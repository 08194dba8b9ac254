"""The bytes of a request: read up to a limit, decompressed up to the same limit."""

from __future__ import annotations

import asyncio
import io
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import zstandard

from deg_serve.errors import BodyError, BodyTooLargeError, ClientGoneError, MediaTypeError, SlowBodyError

Receive = Callable[[], Awaitable[Any]]

CODINGS: Final = ("identity", "gzip", "x-gzip", "deflate", "zstd")
_MOST_CODINGS: Final = 2  # each may take the work of a whole body
_ZSTD_WINDOW: Final = 8 * 2**20  # the largest that encoders choose without being asked for more
_BINARY: Final = ("multipart/", "image/", "audio/", "video/")


async def read_body(receive: Receive, headers: Mapping[str, str], limit: int, *, silence: float | None = None) -> bytes:
    """The body as JSON bytes.

    Raises BodyTooLargeError beyond ``limit`` bytes, as sent or decompressed; MediaTypeError for a coding or a kind of
    body that is not read; BodyError for one that does not decompress; SlowBodyError after ``silence`` seconds without
    a byte; ClientGoneError.
    """
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media.startswith(_BINARY):
        raise MediaTypeError(f"the body is {media[:80]}; send application/json. This model reads text only")
    codings = [name.strip().lower() for name in headers.get("content-encoding", "").split(",") if name.strip()]
    for coding in codings:
        if coding not in CODINGS:
            raise MediaTypeError(f"the body is {coding[:40]!r} encoded; allowed: {', '.join(CODINGS)}")
    if len(codings) > _MOST_CODINGS:
        raise MediaTypeError(f"the body is encoded {len(codings)} times; at most {_MOST_CODINGS} codings are read")
    announced = headers.get("content-length", "")
    if announced.isascii() and announced.isdecimal() and int(announced[:20]) > limit:
        raise _too_large("the body", limit)
    body = await _read(receive, limit, silence)
    for coding in reversed(codings):
        body = await asyncio.to_thread(_decoded, body, coding, limit)
    return body


async def _read(receive: Receive, limit: int, silence: float | None) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await _next(receive, silence)
        if message["type"] == "http.disconnect":
            raise ClientGoneError("the client left before its request was complete")
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            raise _too_large("the body", limit)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


async def _next(receive: Receive, silence: float | None) -> Any:
    try:
        async with asyncio.timeout(silence) as clock:
            return await receive()
    except TimeoutError:
        if not clock.expired():
            raise
        raise SlowBodyError(f"nothing more of the body came for {silence:g} s; send the request again") from None


def _decoded(body: bytes, coding: str, limit: int) -> bytes:
    if coding == "identity":
        return body
    try:
        plain = _unzstd(body, limit) if coding == "zstd" else _inflate(body, coding, limit)
    except (zlib.error, zstandard.ZstdError) as error:
        raise BodyError(f"the body is said to be {coding}, but does not decompress: {error}") from None
    if len(plain) > limit:
        raise _too_large("the decompressed body", limit)
    return plain


def _unzstd(body: bytes, limit: int) -> bytes:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    with decompressor.stream_reader(io.BytesIO(body), read_across_frames=True) as reader:
        return reader.read(limit + 1)


def _inflate(body: bytes, coding: str, limit: int) -> bytes:
    # "deflate" means a zlib stream, and to some senders a bare one.
    widths = (zlib.MAX_WBITS, -zlib.MAX_WBITS) if coding == "deflate" else (zlib.MAX_WBITS | 16,)
    for last, width in enumerate(widths, 1 - len(widths)):
        inflater = zlib.decompressobj(width)
        try:
            plain = inflater.decompress(body, limit + 1)
        except zlib.error:
            if last == 0:
                raise
            continue
        if len(plain) <= limit and not inflater.eof:
            raise zlib.error("the stream ends early")
        if inflater.unused_data:
            raise zlib.error("something follows the end of the stream")
        return plain
    raise AssertionError(coding)


def _too_large(what: str, limit: int) -> BodyTooLargeError:
    return BodyTooLargeError(f"{what} is larger than the limit of {limit:,} bytes; split the request")
