"""Who may ask: the host that is named, the page that asks, and the key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from deg_serve.errors import HostError, KeyMissingError, KeyWrongError
from deg_serve.keys import KeyRing, presented_key

OPEN: Final = frozenset(("/health", "", "/docs", "/openapi.json"))
"""Paths, without a slash at their end, that need no key: load balancers have none, and a browser brings none when it
loads a page. What can be read there is in every copy of deg; the playground's own requests carry their key."""

OPEN_FOLDER: Final = "/page/"


class Doorkeeper:
    """Checks a request's headers. ``hosts`` None allows every host."""

    def __init__(self, keys: KeyRing, hosts: tuple[str, ...] | None) -> None:
        self._keys = keys
        self._hosts = None if hosts is None else frozenset(host.lower().strip("[]") for host in hosts)

    def check(self, path: str, headers: Mapping[str, str]) -> None:
        """Raises HostError, KeyMissingError or KeyWrongError."""
        self._check_hosts(headers)
        if len(self._keys) and path.rstrip("/") not in OPEN and not path.startswith(OPEN_FOLDER):
            key = presented_key(headers)
            if key is None:
                raise KeyMissingError("this server needs an API key: send Authorization: Bearer KEY")
            if not self._keys.accepts(key):
                raise KeyWrongError("this API key is not known here")

    def _check_hosts(self, headers: Mapping[str, str]) -> None:
        """A page on the internet can have its name point to this machine; then ``Host`` is its name, not ours. And
        it can send a request without reading the reply; then ``Origin`` is its own."""
        if self._hosts is None:
            return
        if _host("//" + headers.get("host", "")) not in self._hosts:
            raise HostError("this server does not answer to the host that the request names; see --allowed-host")
        origin = headers.get("origin")
        if origin is not None and _host(origin) not in self._hosts:
            raise HostError("pages of other hosts may not use this server; see --allowed-host")


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
