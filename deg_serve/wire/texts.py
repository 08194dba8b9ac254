"""Instructions and descriptions that may be JSON: one rendering, that of a context (SPEC 7)."""

from __future__ import annotations

from typing import Any

from deg_core.contract.request import render_context


def as_text(value: Any) -> str:
    """A string stands as it is, an object or array as JSON with ``", "`` and ``": "``; None is an empty text."""
    return "" if value is None else render_context(value)
