"""The whole plugin surface: four hooks, each called once with a ``register`` callback.

A plugin is a module named by an entry point in the group ``deg``::

    [project.entry-points.deg]
    acme = "acme_deg.plugin"

It marks its hooks with ``hookimpl`` (from ``deg_core.plugins``). Hooks may run in several processes and more than
once, so they only register: no model code is imported, no file is read, nothing global is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

import pluggy

PROJECT = "deg"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

Folder: TypeAlias = str | Path | Callable[[], str | Path]


class RegisterPath(Protocol):
    """``register(name, path)``: ``path`` is ``"package.module:Class"``, imported when the name is first used."""

    def __call__(self, name: str, path: str) -> None: ...


class RegisterCheckpoint(Protocol):
    """``register(name, folder, aliases=())``: ``folder`` is a path, or a function that gives one when it is asked."""

    def __call__(self, name: str, folder: Folder, aliases: Sequence[str] = ()) -> None: ...


@hookspec
def deg_register_families(register: RegisterPath) -> None:
    """Offer backbone families. Call ``register("acme-rwkv", "acme_deg.rwkv:RwkvFamily")``.

    Fires once when plugins are loaded. The path is imported on first use, never at start-up. The class carries
    ``protocol_version``; another major version than deg's own is refused when the name is used. A name that another
    plugin has taken is an error that names both.
    """


@hookspec
def deg_register_heads(register: RegisterPath) -> None:
    """Offer heads. Call ``register("choice-mlp", "acme_deg.heads:ChoiceMlpHead")``.

    Fires once when plugins are loaded. A checkpoint's deg.json says which registered head fills which mode; a head
    that no checkpoint names is never imported. Same rules for paths, versions and taken names as for families.
    """


@hookspec
def deg_register_array_decoders(register: RegisterPath) -> None:
    """Offer array decoders. Call ``register("beam", "acme_deg.arrays:BeamDecoder")``.

    Fires once when plugins are loaded. deg.json and the request option ``array_decode`` name array decoders. Same
    rules for paths, versions and taken names as for families.
    """


@hookspec
def deg_register_checkpoints(register: RegisterCheckpoint) -> None:
    """Offer checkpoint folders. Call ``register("acme-0.3", FOLDER, ["acme-latest"])``.

    Fires once when plugins are loaded. ``FOLDER`` holds a deg.json; it may be a function, called when the name is
    used. Names and aliases share one space; one that another plugin has taken is an error that names both.
    """
