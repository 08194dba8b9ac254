"""``GET /health``: whether the server takes work, and the state of its queue."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class Health(Struct, frozen=True, kw_only=True):
    """``status`` is "draining" while the server shuts down; ``batcher`` counts what waits, runs and ran."""

    status: Literal["ok", "draining"]
    model: str
    batcher: dict[str, Any]
