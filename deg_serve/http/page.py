"""The playground at ``/``, its files under ``/page/``, and the API's description for people at ``/docs``."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any, Final

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from deg_serve.http.docs_page import docs_page

POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "img-src": "'self' data:",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
"""What a page may load and do: this server's own files, and nothing that is written into a page."""

HEADERS: Final = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

MEDIA_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}


def page_routes(description: dict[str, Any]) -> list[HTTPRouteHandler]:
    """The handlers. ``description`` is the OpenAPI document. All files are read here, once."""
    assets = _read(files("deg_serve").joinpath("page"))
    index = assets.pop("index.html")
    told = docs_page(description).encode()

    @get("/")
    async def playground() -> Response[bytes]:
        return _reply(index, ".html")

    @get("/docs")
    async def docs() -> Response[bytes]:
        return _reply(told, ".html")

    # A name is looked up among the files that were read; no path of a request ever reaches the file system.
    @get("/page/{name:path}")
    async def asset(name: str) -> Response[bytes]:
        found = assets.get(name.lstrip("/"))
        if found is None:
            raise NotFoundException
        return _reply(found, PurePosixPath(name).suffix)

    return [playground, docs, asset]


def _read(folder: Traversable, prefix: str = "") -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= _read(entry, f"{prefix}{entry.name}/")
        elif PurePosixPath(entry.name).suffix in MEDIA_TYPES:
            found[prefix + entry.name] = entry.read_bytes()
    return found


def _reply(content: bytes, suffix: str) -> Response[bytes]:
    return Response(content, media_type=MEDIA_TYPES[suffix], headers=HEADERS)
