"""Names and what they stand for: lazy, no name twice, and an unknown name is answered usefully."""

from __future__ import annotations

import difflib
import importlib
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

from deg_core.errors import CheckpointError, PluginError, UnknownNameError
from deg_core.plugins.hookspecs import Folder
from deg_core.protocols import PROTOCOL_VERSION

_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_DOTTED = re.compile(r"[a-z_]\w*(?:\.[a-z_]\w*)+")


class Kind(StrEnum):
    """What a name stands for."""

    FAMILY = "family"
    HEAD = "head"
    ARRAY_DECODER = "array decoder"
    CHECKPOINT = "checkpoint"


def name_problem(name: object) -> str | None:
    """Why ``name`` cannot be a registry name, or None.

    Import paths are refused by form, so that no file (a checkpoint, a request) can choose what code is imported.
    """
    if not isinstance(name, str):
        return f"{name!r} is not a name: a registry name is a string"
    if ":" in name or _DOTTED.fullmatch(name):
        return f"{name!r} looks like an import path; only the name of a registered plugin is allowed here"
    if not _NAME.fullmatch(name):
        return f"{name!r} is not a registry name: lower-case letters and digits, joined by single '-', '_' or '.'"
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One registered name: where its class is, and which plugin said so."""

    name: str
    path: str
    plugin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderEntry:
    """One registered checkpoint; an alias has an entry of its own that shows the ``target`` it stands for."""

    name: str
    folder: Folder
    target: str
    plugin: str


_E = TypeVar("_E", Entry, FolderEntry)


class _Names(Generic[_E]):
    """A name space: no name twice, and unknown names answered with what is known and what failed to load."""

    def __init__(self, kind: Kind, *, trouble: Callable[[], Sequence[str]] = tuple) -> None:
        self.kind = kind
        self._trouble = trouble
        self._entries: dict[str, _E] = {}
        self._taken_twice: dict[str, list[str]] = {}

    def names(self) -> tuple[str, ...]:
        """Usable names, sorted."""
        return tuple(sorted(name for name in self._entries if name not in self._taken_twice))

    def entries(self) -> tuple[_E, ...]:
        return tuple(self._entries[name] for name in self.names())

    def __contains__(self, name: object) -> bool:
        return name in self._entries and name not in self._taken_twice

    def _add(self, entry: _E) -> None:
        held = self._entries.setdefault(entry.name, entry)
        if held is not entry:
            # Neither wins: which one did would depend on install order.
            self._taken_twice.setdefault(entry.name, [held.plugin]).append(entry.plugin)
            raise PluginError(self._clash(entry.name))

    def _clash(self, name: str) -> str:
        plugins = " and ".join(self._taken_twice[name])
        return (
            f"{self.kind} {name!r} is registered by {plugins}; neither is used. "
            f"Uninstall one, or choose with DEG_PLUGINS (see `deg plugins`)"
        )

    def entry(self, name: str, *, where: str | None = None) -> _E:
        """The entry of ``name``.

        ``where`` says who asked, e.g. ``"deg.json at heads -> score"``, and is only used in messages. Raises
        UnknownNameError for a name nobody registered, PluginError for one that two plugins claim.
        """
        if name in self._taken_twice:
            raise PluginError(self._clash(name) + _named(where))
        try:
            return self._entries[name]
        except KeyError:
            raise UnknownNameError(self._unknown(name, where)) from None

    def _unknown(self, name: str, where: str | None) -> str:
        known = self.names()
        parts = [f"unknown {self.kind} {name!r}{_named(where)}"]
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
        if near:
            parts.append(f"did you mean: {', '.join(near)}")
        parts.append(f"known: {', '.join(known) or 'none'}")
        parts.extend(self._trouble())
        return "\n  ".join(parts)


def _named(where: str | None) -> str:
    return f", named in {where}" if where else ""


class Registry(_Names[Entry]):
    """Classes by name. A path is imported when its name is first resolved, and then kept."""

    def __init__(self, kind: Kind, *, trouble: Callable[[], Sequence[str]] = tuple) -> None:
        super().__init__(kind, trouble=trouble)
        self._loaded: dict[str, type[Any]] = {}
        self._lock = threading.RLock()

    def register(self, name: str, path: str, *, plugin: str) -> None:
        """Add a name. Raises PluginError for a malformed name or path, or a name that is taken."""
        problem = name_problem(name)
        if problem is None and not (isinstance(path, str) and _IMPORT_PATH.fullmatch(path)):
            problem = f'{path!r} is not a lazy path; write "package.module:Class"'
        if problem is not None:
            raise PluginError(f"{plugin} registers a {self.kind} badly: {problem}")
        self._add(Entry(name=name, path=path, plugin=plugin))

    def resolve(self, name: str, *, where: str | None = None) -> type[Any]:
        """The class behind ``name``.

        Raises UnknownNameError, or PluginError when two plugins claim the name, the import fails, the attribute is
        missing or not a class, or the class was built for another protocol version.
        """
        entry = self.entry(name, where=where)
        with self._lock:
            if name not in self._loaded:
                self._loaded[name] = _import(self.kind, entry)
            return self._loaded[name]


class CheckpointTable(_Names[FolderEntry]):
    """Checkpoint folders by name or alias."""

    def __init__(self, *, trouble: Callable[[], Sequence[str]] = tuple) -> None:
        super().__init__(Kind.CHECKPOINT, trouble=trouble)

    def register(self, name: str, folder: Folder, aliases: Sequence[str] = (), *, plugin: str) -> None:
        """Add a folder under its name and aliases. Raises PluginError for a malformed or taken name."""
        if isinstance(aliases, str):
            raise PluginError(f"{plugin} registers checkpoint {name!r} badly: aliases is a list of names, not a string")
        if not (isinstance(folder, (str, Path)) or callable(folder)):
            raise PluginError(f"{plugin} registers checkpoint {name!r} badly: {folder!r} is neither path nor function")
        problems = [problem for each in (name, *aliases) if (problem := name_problem(each)) is not None]
        if problems:
            raise PluginError(f"{plugin} registers checkpoint {name!r} badly: {'; '.join(problems)}")
        clashes: list[str] = []
        for each in dict.fromkeys((name, *aliases)):
            try:
                self._add(FolderEntry(name=each, folder=folder, target=name, plugin=plugin))
            except PluginError as error:
                clashes.append(error.message)
        if clashes:
            raise PluginError("; ".join(clashes))

    def folder(self, name: str, *, where: str | None = None) -> Path:
        """The folder of a checkpoint. Raises UnknownNameError, PluginError, or CheckpointError when it is not there."""
        entry = self.entry(name, where=where)
        path = Path(entry.folder if isinstance(entry.folder, (str, Path)) else entry.folder())
        if not path.is_dir():
            raise CheckpointError(
                f"checkpoint {name!r} of {entry.plugin} should be the folder {path}, which is not there; "
                f"reinstall that package"
            )
        return path


def _import(kind: Kind, entry: Entry) -> type[Any]:
    module_name, _, attribute = entry.path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        # Not only ImportError: a module may fail in any way while it runs, and the asker needs to know whose it is.
        raise PluginError(
            f"{kind} {entry.name!r} of {entry.plugin} cannot be imported from {entry.path}: "
            f"{type(error).__name__}: {error}"
        ) from error
    found = getattr(module, attribute, None)
    if found is None:
        raise PluginError(f"{kind} {entry.name!r} of {entry.plugin}: {module_name} has no {attribute}")
    if not isinstance(found, type):
        raise PluginError(f"{kind} {entry.name!r} of {entry.plugin}: {entry.path} is not a class")
    _check_version(kind, entry, found)
    return found


def _check_version(kind: Kind, entry: Entry, found: type[Any]) -> None:
    """Same major version, and a minor one that this deg has already."""
    ours = PROTOCOL_VERSION
    theirs = getattr(found, "protocol_version", None)
    whose = f"{kind} {entry.name!r} of {entry.plugin} ({entry.path})"
    if not (
        isinstance(theirs, tuple) and len(theirs) == 2 and all(type(number) is int and number >= 0 for number in theirs)
    ):
        raise PluginError(
            f"{whose} must have protocol_version = (major, minor), found {theirs!r}; this deg has {ours[0]}.{ours[1]}"
        )
    if theirs[0] != ours[0] or theirs[1] > ours[1]:
        older = "the plugin" if theirs[0] < ours[0] else "deg"
        raise PluginError(
            f"{whose} was built for protocol {theirs[0]}.{theirs[1]}, this deg has {ours[0]}.{ours[1]}; update {older}"
        )
