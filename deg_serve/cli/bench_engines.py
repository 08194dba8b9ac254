"""What the benches of a running checkpoint share: its options, its process, and the files that figures go to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from deg_core.evaluate.benchmarks.pairs import Pair
    from deg_core.evaluate.benchmarks.workers import Worker

PATH = click.Path(path_type=Path)
Command = TypeVar("Command", bound=Callable[..., Any])


def checkpoint_options(command: Command) -> Command:
    """``--ckpt``, ``--base-model``, ``--device``, ``--compute`` and where figures are written."""
    for option in reversed(
        (
            click.option("--ckpt", default="embedded", show_default=True, help="Checkpoint name or folder."),
            click.option("--base-model", help="The backbone's weights, if not its own: a folder or hub id."),
            click.option("--device", help="cpu, the default, or a GPU such as cuda or cuda:1."),
            click.option("--compute", type=click.Choice(["int8", "fp32", "bf16"]), help="Arithmetic; its own."),
            click.option("--out", type=PATH, help="Write every figure as JSON."),
            click.option("--markdown", type=PATH, help="Write the tables as Markdown."),
        )
    ):
        command = option(command)
    return command


def pin(number: int) -> list[int]:
    """The cores to run on; where the system cannot pin, none. Raises click.UsageError when there are too few."""
    from deg_core.evaluate.benchmarks.machine import choose_cores

    try:
        return choose_cores(number)
    except ValueError as error:
        raise click.UsageError(f"--cores: {error}") from error


def chosen_pairs(pairs: list[Pair], names: Sequence[str], *, arrays: bool) -> list[Pair]:
    """The pairs of these names, all where none is given; without ``arrays`` those that have none. Raises
    click.UsageError for a name that no pair has, or when nothing is left."""
    known = {pair.name: pair for pair in pairs}
    missing = [name for name in names if name not in known]
    if missing:
        raise click.UsageError(f"--pair: there is no pair {missing[0]!r}; known: {', '.join(known)}")
    chosen = [known[name] for name in names] if names else pairs
    left = [pair for pair in chosen if arrays or not pair.plan.arrays]
    if not left:
        raise click.UsageError("no pair is left; all that were chosen have arrays")
    return left


def warn_if_busy(machine: Mapping[str, Any]) -> None:
    """Say so when other work is running: figures are then of little use."""
    load = (machine.get("load") or [0.0])[0]
    if load > 0.5:
        click.echo(f"this machine is busy (load {load:.1f}): figures will be worse than on an idle one", err=True)


def start_deg(
    ckpt: str, base_model: str | None, where: Mapping[str, str | None], cores: Sequence[int], threads: int
) -> Worker:
    """The checkpoint in a process of its own. ``where`` is its device and its arithmetic."""
    from deg_core.evaluate.benchmarks.workers import Worker

    settings = {"engine": "deg", "ckpt": ckpt, "base_model": base_model, **where}
    return Worker("deg", settings, cores, threads)


def write_files(
    report: Mapping[str, Any],
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]],
    notes: Sequence[str],
    out: Path | None,
    markdown: Path | None,
) -> None:
    """Print the tables and notes, and write them and the report to the files that were named."""
    from deg_core.evaluate.report import markdown as as_markdown
    from deg_core.evaluate.report import write_report
    from deg_serve.cli.output import print_table

    for title, columns, body in tables:
        print_table(columns, body, title=title)
        click.echo()
    for note in notes:
        click.echo(note)
    if out is not None:
        write_report(out, report)
    if markdown is not None:
        parts = [f"## {title}\n\n{as_markdown(columns, body)}" for title, columns, body in tables]
        markdown.parent.mkdir(parents=True, exist_ok=True)
        markdown.write_text("\n".join([*parts, "\n\n".join(notes)]) + "\n", encoding="utf-8")
