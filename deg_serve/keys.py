"""API keys: where they come from, and a comparison whose time says nothing about them."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from deg_core.errors import RequestError

ENVIRONMENT: Final = "DEG_API_KEYS"
SHORTEST: Final = 8


class KeyRing:
    """The accepted keys, kept as digests."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._digests = tuple(sorted({_digest(key) for key in keys}))

    def __len__(self) -> int:
        return len(self._digests)

    def accepts(self, key: str) -> bool:
        """Whether ``key`` is one of them. Takes the same time whichever it is, and whether it is one at all."""
        given, found = _digest(key), False
        for digest in self._digests:
            found |= hmac.compare_digest(given, digest)
        return found


def presented_key(headers: Mapping[str, str]) -> str | None:
    """The key of a request: ``Authorization: Bearer KEY`` (the scheme in any case), or ``x-api-key: KEY``."""
    scheme, _, key = headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() == "bearer" and key.strip():
        return key.strip()
    return headers.get("x-api-key", "").strip() or None


def read_keys(file: Path | None, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Keys from ``DEG_API_KEYS`` (separated by commas or spaces) and from a file (one a line, ``#`` starts a comment).

    Raises:
        RequestError: for a file that cannot be read or holds no key, and for keys that are too short or not printable
            ASCII; no message quotes a key.
    """
    sources = {ENVIRONMENT: environment.get(ENVIRONMENT, "").replace(",", " ").split()}
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise _problem(str(file), f"cannot be read: {error}") from None
        sources[str(file)] = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
        if not sources[str(file)]:
            raise _problem(str(file), "holds no key; write one a line")
    for source, keys in sources.items():
        for number, key in enumerate(keys, 1):
            if len(key) < SHORTEST or not key.isascii() or not key.isprintable() or " " in key:
                wanted = f"at least {SHORTEST} printable ASCII characters without spaces"
                raise _problem(source, f"key {number} is not usable: a key has {wanted}")
    return tuple(dict.fromkeys(key for keys in sources.values() for key in keys))


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


def _problem(source: str, message: str) -> RequestError:
    return RequestError([{"loc": [source], "msg": message}])
