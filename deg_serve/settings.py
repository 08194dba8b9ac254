"""How a server runs. One frozen record, made by the command line or by a test."""

from __future__ import annotations

import msgspec

MEBIBYTE = 2**20
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


class ServeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """``api_keys`` are the accepted keys, none of which means that nobody is asked for one.

    ``allowed_hosts`` are the host names (without port) that a request may name in ``Host`` and, when a browser sends
    it, in ``Origin``; None allows all. ``aliases`` are model names accepted besides those of SPEC 9.1. A request may
    take ``time_limit`` seconds from its head to its answer, and ``silence`` seconds between two parts of its body; it
    may hold ``max_body_bytes``, also decompressed. At most ``max_pending`` requests wait; what arrives within
    ``window`` seconds is run together, at most ``batch_size`` requests and about ``batch_tokens`` tokens (None: what
    the engine says fits the memory).
    """

    api_keys: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] | None = LOOPBACK_HOSTS
    aliases: tuple[str, ...] = ()
    time_limit: float = 60.0
    silence: float = 10.0
    max_body_bytes: int = 16 * MEBIBYTE
    max_pending: int = 256
    window: float = 0.005
    batch_size: int = 16
    batch_tokens: int | None = None
