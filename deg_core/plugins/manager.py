"""Loading plugins: our own sorted loop over the entry points, in which one broken plugin never stops the others."""

from __future__ import annotations

import inspect
import os
import re
import threading
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from types import ModuleType
from typing import Any

import pluggy

from deg_core.errors import DegError, PluginError
from deg_core.plugins import hookspecs
from deg_core.plugins.registry import CheckpointTable, Kind, Registry

GROUP = "deg"
ALLOW_LIST = "DEG_PLUGINS"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedPlugin:
    """A plugin whose module loaded: ``id`` is ``distribution:entry point``; ``hooks`` are the hooks it implements."""

    id: str
    entry_point: str
    distribution: str
    version: str
    module: str
    hooks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A plugin, or one registration of a plugin, that does not work. ``error`` is one line."""

    id: str
    entry_point: str
    distribution: str
    version: str
    error: str
    traceback: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version} ({self.entry_point}): {self.error}"


@dataclass(slots=True, kw_only=True)
class Plugins:
    """Everything that was found. Build it with ``load_plugins`` or take the process's own with ``get_plugins``."""

    loaded: list[LoadedPlugin] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    families: Registry = field(init=False)
    heads: Registry = field(init=False)
    array_decoders: Registry = field(init=False)
    checkpoints: CheckpointTable = field(init=False)

    def __post_init__(self) -> None:
        self.families = Registry(Kind.FAMILY, trouble=self._trouble)
        self.heads = Registry(Kind.HEAD, trouble=self._trouble)
        self.array_decoders = Registry(Kind.ARRAY_DECODER, trouble=self._trouble)
        self.checkpoints = CheckpointTable(trouble=self._trouble)

    def check(self) -> None:
        """Raise one PluginError that names every failure; for strict callers such as ``deg plugins --errors``."""
        if self.failures:
            lines = "\n".join(f"  {failure}" for failure in self.failures)
            raise PluginError(f"{len(self.failures)} plugin problem{'s' * (len(self.failures) > 1)}:\n{lines}")

    def _trouble(self) -> tuple[str, ...]:
        """Lines that may explain an unknown name."""
        lines: list[str] = []
        if self.failures:
            shown = "; ".join(map(str, self.failures))
            lines.append(f"failed to load: {shown}; details: deg plugins --errors")
        if self.skipped:
            lines.append(f"left out by {ALLOW_LIST}: {', '.join(self.skipped)}")
        elif not self.loaded and not self.failures:
            lines.append("no plugin is installed, not even deg's own: install the project (pip install -e .)")
        return tuple(lines)


_lock = threading.Lock()
_current: Plugins | None = None


def get_plugins() -> Plugins:
    """The plugins of this process, loaded at the first call."""
    global _current
    with _lock:
        if _current is None:
            _current = load_plugins()
        return _current


def reset_plugins() -> None:
    """Forget the process's plugins, so that the next ``get_plugins`` looks again. For tests."""
    global _current
    with _lock:
        _current = None


def load_plugins(entry_points: Iterable[metadata.EntryPoint] | None = None, *, allow: str | None = None) -> Plugins:
    """Load every plugin of the group ``deg``.

    ``entry_points`` defaults to the installed ones. ``allow`` defaults to the environment variable ``DEG_PLUGINS``:
    unset means all, empty means none, else a comma-separated list of distributions (``acme-deg``), entry points
    (``acme``) or both (``acme-deg:acme``). Nothing is raised for a plugin that does not work: it is kept under
    ``failures`` and told when somebody asks for a name that nobody provides.
    """
    found = metadata.entry_points(group=GROUP) if entry_points is None else entry_points
    points = sorted(found, key=lambda point: (_distribution(point)[0], point.name, point.value))
    plugins = Plugins()
    chosen = _chosen(points, os.environ.get(ALLOW_LIST) if allow is None else allow, plugins)
    _note_shared_names(chosen, plugins)
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    modules: list[tuple[LoadedPlugin, ModuleType]] = []
    for point in chosen:
        try:
            modules.append(_load(manager, point))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's module may raise anything
            plugins.failures.append(_failure(point, error))
    for plugin, module in modules:
        plugins.failures.extend(_collect(manager, plugin, module, plugins))
        plugins.loaded.append(plugin)
    return plugins


def _distribution(point: metadata.EntryPoint) -> tuple[str, str]:
    """Normalised name and version of the distribution that declares an entry point."""
    dist = point.dist
    if dist is None:
        return "(unknown)", "?"
    return re.sub(r"[-_.]+", "-", dist.name).lower(), dist.version


def _id(point: metadata.EntryPoint) -> str:
    return f"{_distribution(point)[0]}:{point.name}"


def _chosen(points: Sequence[metadata.EntryPoint], allow: str | None, plugins: Plugins) -> list[metadata.EntryPoint]:
    if allow is None:
        return list(points)
    wanted = {item.strip() for item in allow.split(",") if item.strip()}
    chosen: list[metadata.EntryPoint] = []
    used: set[str] = set()
    for point in points:
        hits = wanted & {point.name, _distribution(point)[0], _id(point)}
        used |= hits
        if hits:
            chosen.append(point)
        else:
            plugins.skipped.append(_id(point))
    for name in sorted(wanted - used):
        plugins.notices.append(f"{ALLOW_LIST} names {name!r}, which no installed plugin is called")
    return chosen


def _note_shared_names(points: Sequence[metadata.EntryPoint], plugins: Plugins) -> None:
    """Two distributions may use one entry-point name: both load, since ids hold the distribution; it is reported."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for point in points:
        by_name[point.name].append(_distribution(point)[0])
    for name, distributions in sorted(by_name.items()):
        if len(distributions) > 1:
            plugins.notices.append(f"entry point {name!r} is declared by {', '.join(distributions)}; all are loaded")


def _load(manager: pluggy.PluginManager, point: metadata.EntryPoint) -> tuple[LoadedPlugin, ModuleType]:
    """Import one plugin module and check its hooks. Raises whatever is wrong with it."""
    module = point.load()
    if not isinstance(module, ModuleType):
        raise PluginError(
            f'entry point {point.name!r} names {point.value}, which is not a module; use "package.module"'
        )
    unmarked = [
        name
        for name, value in vars(module).items()
        if name.startswith("deg_register_") and inspect.isroutine(value) and not hasattr(value, "deg_impl")
    ]
    if unmarked:
        raise PluginError(f"{', '.join(unmarked)} in {module.__name__} is not marked with @hookimpl, so it never runs")
    plugin_id = _id(point)
    try:
        manager.register(module, name=plugin_id)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        if manager.get_plugin(plugin_id) is module:
            manager.unregister(name=plugin_id)
        raise PluginError(_validation_message(module, error)) from error
    callers = manager.get_hookcallers(module) or []
    if not callers:
        raise PluginError(f"{module.__name__} implements no hook; known hooks: {', '.join(hook_names())}")
    distribution, version = _distribution(point)
    hooks = tuple(sorted(caller.name for caller in callers))
    return (
        LoadedPlugin(
            id=plugin_id,
            entry_point=point.name,
            distribution=distribution,
            version=version,
            module=module.__name__,
            hooks=hooks,
        ),
        module,
    )


def hook_names() -> tuple[str, ...]:
    """The names of all hooks, sorted."""
    return tuple(sorted(name for name in vars(hookspecs) if name.startswith("deg_register_")))


def _validation_message(module: ModuleType, error: pluggy.PluginValidationError) -> str:
    """pluggy's complaint with the plugin's own name, and the known hooks where a hook's name is wrong."""
    strangers = [
        name
        for name, value in vars(module).items()
        if hasattr(value, "deg_impl") and (value.deg_impl.get("specname") or name) not in hook_names()
    ]
    if strangers:
        return (
            f"unknown hook {', '.join(sorted(strangers))} in plugin {module.__name__}; "
            f"known hooks: {', '.join(hook_names())}"
        )
    return f"plugin {module.__name__}: {' '.join(str(error).split())}"


def _collect(
    manager: pluggy.PluginManager, plugin: LoadedPlugin, module: ModuleType, plugins: Plugins
) -> list[Failure]:
    """Call one plugin's hooks. What a hook registers counts only if the hook returns, so half a hook counts nothing."""
    targets: dict[str, Callable[..., None]] = {
        "deg_register_families": plugins.families.register,
        "deg_register_heads": plugins.heads.register,
        "deg_register_array_decoders": plugins.array_decoders.register,
        "deg_register_checkpoints": plugins.checkpoints.register,
    }
    others = [other for other in manager.get_plugins() if other is not module]
    failures: list[Failure] = []
    keep = partial(_failure_of, plugin)
    for hook in plugin.hooks:
        calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

        def register(*args: Any, _calls: list[Any] = calls, **kwargs: Any) -> None:
            _calls.append((args, kwargs))

        try:
            manager.subset_hook_caller(hook, others)(register=register)
        except Exception as error:  # noqa: BLE001 - the hook is foreign code
            failures.append(keep(PluginError(f"{hook} raised {type(error).__name__}: {error}"), error))
            continue
        for args, kwargs in calls:
            try:
                targets[hook](*args, **kwargs, plugin=plugin.id)
            except PluginError as error:
                failures.append(keep(error, error))
            except TypeError as error:
                failures.append(keep(PluginError(f"{hook}: register was called wrongly: {error}"), error))
    return failures


def _failure(point: metadata.EntryPoint, error: BaseException) -> Failure:
    distribution, version = _distribution(point)
    return Failure(
        id=_id(point),
        entry_point=point.name,
        distribution=distribution,
        version=version,
        error=_one_line(error),
        traceback="".join(traceback.format_exception(error)),
    )


def _failure_of(plugin: LoadedPlugin, error: Exception, cause: Exception) -> Failure:
    return Failure(
        id=plugin.id,
        entry_point=plugin.entry_point,
        distribution=plugin.distribution,
        version=plugin.version,
        error=_one_line(error),
        traceback="".join(traceback.format_exception(cause)),
    )


def _one_line(error: BaseException) -> str:
    if isinstance(error, DegError):
        return " ".join(error.message.split())
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
