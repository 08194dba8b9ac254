"""``deg plugins``: what is installed, what it registers, what failed. Imports no model code."""

from __future__ import annotations

import sys
from typing import Any

import click

from deg_core.plugins import Plugins, get_plugins
from deg_core.plugins.registry import FolderEntry, Registry
from deg_core.protocols import PROTOCOL_VERSION
from deg_serve.cli import exits
from deg_serve.cli.output import print_json, print_table


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--errors", is_flag=True, help="Print tracebacks; the exit status is 3 if anything failed.")
def plugins(*, as_json: bool, errors: bool) -> None:
    """List plugins, what they register, and what failed to load."""
    found = get_plugins()
    if as_json:
        print_json(as_dict(found, tracebacks=errors))
    else:
        _print_tables(found, tracebacks=errors)
    if errors and found.failures:
        sys.exit(exits.NOT_FILLED)


def as_dict(found: Plugins, *, tracebacks: bool = False) -> dict[str, Any]:
    """The JSON form. Names within a kind are sorted; plugins are in load order."""
    return {
        "protocol_version": ".".join(map(str, PROTOCOL_VERSION)),
        "plugins": [
            {
                "id": plugin.id,
                "distribution": plugin.distribution,
                "version": plugin.version,
                "module": plugin.module,
                "hooks": list(plugin.hooks),
            }
            for plugin in found.loaded
        ],
        **{
            key: [{"name": entry.name, "path": entry.path, "plugin": entry.plugin} for entry in registry.entries()]
            for key, registry in _registries(found).items()
        },
        "checkpoints": [
            {"name": entry.name, "target": entry.target, "folder": _folder(entry), "plugin": entry.plugin}
            for entry in found.checkpoints.entries()
        ],
        "failures": [
            {"id": failure.id, "version": failure.version, "error": failure.error}
            | ({"traceback": failure.traceback} if tracebacks else {})
            for failure in found.failures
        ],
        "notices": found.notices,
        "skipped": found.skipped,
    }


def _registries(found: Plugins) -> dict[str, Registry]:
    return {
        "families": found.families,
        "heads": found.heads,
        "array_decoders": found.array_decoders,
    }


def _folder(entry: FolderEntry) -> str | None:
    """The folder as text; None where a function gives it, since listing must not run that."""
    return None if callable(entry.folder) else str(entry.folder)


def _print_tables(found: Plugins, *, tracebacks: bool) -> None:
    print_table(
        ("plugin", "version", "module", "hooks"),
        [(plugin.id, plugin.version, plugin.module, ", ".join(plugin.hooks)) for plugin in found.loaded],
    )
    rows: list[tuple[str, str, str, str]] = [
        (registry.kind.value, entry.name, entry.path, entry.plugin)
        for registry in _registries(found).values()
        for entry in registry.entries()
    ]
    rows += [
        (found.checkpoints.kind.value, entry.name, entry.target if entry.target != entry.name else "", entry.plugin)
        for entry in found.checkpoints.entries()
    ]
    click.echo()
    print_table(("kind", "name", "path", "plugin"), rows)
    for notice in found.notices:
        click.echo(f"\nnote: {notice}")
    if found.skipped:
        click.echo(f"\nleft out by DEG_PLUGINS: {', '.join(found.skipped)}")
    for failure in found.failures:
        click.echo(f"\nfailed: {failure}")
        if tracebacks:
            click.echo(failure.traceback.rstrip())
    if found.failures and not tracebacks:
        click.echo("\ndetails: deg plugins --errors")
