"""``deg models``: which checkpoints there are, and fetching the weights under one ahead of time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deg_core.errors import DegError
from deg_core.hub import BACKBONE, is_hub_id, snapshot
from deg_core.plugins import Plugins, get_plugins
from deg_core.plugins.checkpoint import DEG_JSON, read_checkpoint
from deg_serve.cli.output import print_json, print_table


@click.group()
def models() -> None:
    """List checkpoints, or fetch their weights."""


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(*, as_json: bool) -> None:
    """List the checkpoints that plugins register. Nothing is fetched."""
    rows = listed(get_plugins())
    if as_json:
        print_json(rows)
        return
    columns = ("name", "model_id", "backbone", "base", "plugin", "problem")
    print_table(columns, [[row[column] for column in columns] for row in rows])


@models.command()
@click.argument("name", default="embedded")
def pull(*, name: str) -> None:
    """Fetch the published weights that NAME needs, and check them.

    NAME is a checkpoint's name, a checkpoint folder, the name of a backbone family, or a model's id on the hub
    (owner/name). Prints where the weights are.
    """
    found = get_plugins()
    if is_hub_id(name):
        click.echo(str(snapshot(name, BACKBONE)))
        return
    if name in found.families:
        backbone, where = name, None
    else:
        folder = Path(name) if Path(name).is_dir() else found.checkpoints.folder(name)
        backbone, where = read_checkpoint(folder).backbone, f"{folder / DEG_JSON} at backbone"
    source = found.families.resolve(backbone, where=where)().default_source()
    if source is None:
        click.echo(f"backbone {backbone} has no published weights of its own; there is nothing to fetch", err=True)
        return
    click.echo(str(source))


def listed(found: Plugins) -> list[dict[str, Any]]:
    """One row for every checkpoint name; a checkpoint that cannot be read has a ``problem`` instead of details."""
    rows: list[dict[str, Any]] = []
    for entry in found.checkpoints.entries():
        row: dict[str, Any] = dict.fromkeys(("model_id", "backbone", "base", "folder", "problem"))
        row = {"name": entry.name, "plugin": entry.plugin, **row}
        try:
            folder = found.checkpoints.folder(entry.name)
            spec = read_checkpoint(folder)
        except DegError as error:
            row["problem"] = str(error)
        else:
            row["folder"] = str(folder)
            row |= {"model_id": spec.model_id, "backbone": spec.backbone, "base": spec.base and spec.base.name}
        rows.append(row)
    return rows
