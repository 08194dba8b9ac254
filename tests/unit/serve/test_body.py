"""Bodies: codings, limits, and what is not read."""

from __future__ import annotations

import asyncio
import gzip
import zlib

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from deg_serve.errors import BodyError, BodyTooLargeError, ClientGoneError, MediaTypeError
from deg_serve.http.body import read_body

LIMIT = 10_000


def bare(body: bytes) -> bytes:
    squeezer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return squeezer.compress(body) + squeezer.flush()


CODE = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "zstd": zstandard.compress,
    "identity": bytes,
}


def read(body: bytes, limit: int = LIMIT, *, pieces: int = 1, gone: bool = False, **headers: str) -> bytes:
    """The body as it arrives in pieces, perhaps never in full."""
    size = max(1, -(-len(body) // pieces))
    parts = [body[at : at + size] for at in range(0, len(body), size)] or [b""]
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    messages[-1]["more_body"] = False
    if gone:
        messages[-1] = {"type": "http.disconnect"}
    arriving = iter(messages)

    async def receive() -> dict[str, object]:
        return next(arriving)

    return asyncio.run(read_body(receive, {name.replace("_", "-"): value for name, value in headers.items()}, limit))


@pytest.mark.parametrize("coding", CODE)
@given(body=st.binary(max_size=2000), pieces=st.integers(1, 5))
def test_every_coding_is_undone(coding: str, body: bytes, pieces: int):
    assert read(CODE[coding](body), pieces=pieces, content_encoding=coding.upper()) == body


def test_codings_are_undone_in_reverse_order():
    assert read(gzip.compress(zstandard.compress(b"{}")), content_encoding="zstd, gzip") == b"{}"
    assert read(bare(b"{}"), content_encoding="deflate") == b"{}"


@pytest.mark.parametrize("coding", CODE)
def test_the_limit_counts_after_decompression(coding: str):
    assert len(read(CODE[coding](b"a" * LIMIT), content_encoding=coding)) == LIMIT
    with pytest.raises(BodyTooLargeError, match="limit of 10,000 bytes"):
        read(CODE[coding](b"a" * (LIMIT + 1)), content_encoding=coding)


def test_a_body_without_an_announced_length_is_counted_as_it_comes():
    with pytest.raises(BodyTooLargeError):
        read(b"a" * (LIMIT + 1), pieces=7)


def test_an_announced_length_is_enough():
    with pytest.raises(BodyTooLargeError):
        read(b"", content_length=str(LIMIT + 1))
    with pytest.raises(BodyTooLargeError):
        read(b"", content_length="9" * 5000)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_what_does_not_decompress_is_said(coding: str):
    with pytest.raises(BodyError, match=coding):
        read(b"certainly not compressed", content_encoding=coding)


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_stream_that_ends_early_is_no_body(coding: str):
    with pytest.raises(BodyError):
        read(CODE[coding](b"0123456789" * 50)[:-6], content_encoding=coding)


def test_other_codings_and_kinds_are_refused_by_name():
    with pytest.raises(MediaTypeError, match="'br'"):
        read(b"", content_encoding="br")
    with pytest.raises(MediaTypeError, match="multipart/form-data"):
        read(b"", content_type="multipart/form-data; boundary=x")
    assert read(b"{}", content_type="application/x-www-form-urlencoded") == b"{}"  # what curl -d says of JSON


def test_a_client_that_leaves_early_is_noticed():
    with pytest.raises(ClientGoneError):
        read(b"abc", pieces=3, gone=True)
