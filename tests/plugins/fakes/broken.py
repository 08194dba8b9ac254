"""Plugins that break one promise each, and which checks of the conformance kit must say so."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from deg_core.plugins import Plugins
from deg_core.plugins.registry import Registry

_C = TypeVar("_C", bound=type[Any])

#: Name -> the checks that fail: first the one that names the fault, then those that fail because of it.
EXPECTED: dict[str, tuple[str, ...]] = {}
#: Name -> further checks that may fail because of it, depending on chance.
PERHAPS: dict[str, tuple[str, ...]] = {}
_REGISTERED: list[tuple[str, str, str]] = []


def broken(kind: str, *checks: str, perhaps: tuple[str, ...] = ()) -> Callable[[_C], _C]:
    """Register a class under its name in words ("LeaksBetweenRows" is ``leaks-between-rows``)."""

    def mark(plugin: _C) -> _C:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", plugin.__name__).lower()
        plugin.name = name
        EXPECTED[name], PERHAPS[name] = checks, perhaps
        _REGISTERED.append((kind, name, f"{plugin.__module__}:{plugin.__name__}"))
        return plugin

    return mark


def plugins() -> Plugins:
    """All of them, as if one distribution had registered them."""
    made = Plugins()
    registries: dict[str, Registry] = {"family": made.families, "head": made.heads, "decoder": made.array_decoders}
    for kind, name, path in _REGISTERED:
        registries[kind].register(name, path, plugin="broken:fakes")
    return made
