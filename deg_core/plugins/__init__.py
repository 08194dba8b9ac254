"""Finding families, heads, array decoders and checkpoints. A plugin needs only ``hookimpl`` from here."""

from deg_core.plugins.hookspecs import hookimpl
from deg_core.plugins.manager import Failure, LoadedPlugin, Plugins, get_plugins, load_plugins, reset_plugins
from deg_core.plugins.registry import Entry, Kind, Registry

__all__ = [
    "Entry",
    "Failure",
    "Kind",
    "LoadedPlugin",
    "Plugins",
    "Registry",
    "get_plugins",
    "hookimpl",
    "load_plugins",
    "reset_plugins",
]
