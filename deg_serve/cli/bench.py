"""``deg bench``: what deg costs, beside what others cost, measured in one run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deg_serve.cli.bench_backbone import backbone
from deg_serve.cli.bench_batch import batch
from deg_serve.cli.bench_latency import latency
from deg_serve.cli.bench_memory import memory
from deg_serve.cli.bench_null_margin import null_margin
from deg_serve.cli.bench_serve import serve_command
from deg_serve.cli.output import print_json, print_table

if TYPE_CHECKING:
    from deg_core.evaluate.benchmarks.compile import Figures, Measured
    from deg_core.evaluate.peers.grammars import Llguidance


@click.group()
def bench() -> None:
    """Measure what deg costs, also against others."""


for _command in (backbone, batch, latency, memory, null_margin, serve_command):
    bench.add_command(_command)


@bench.command("compile")
@click.option(
    "--schemas",
    "paths",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="JSON Schema files or folders, beside the generated schemas; may be given several times.",
)
@click.option("--limit", type=click.IntRange(1), help="Schemas of each group; all by default.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Times; the least counts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compile_command(*, paths: tuple[Path, ...], limit: int | None, rounds: int, as_json: bool) -> None:
    """Time compiling schemas, beside jsonschema's check and llguidance's compile of the same ones.

    Only schemas that deg accepts are timed, with caches emptied before; refused ones are counted, with the time that it
    takes to refuse them.
    """
    from deg_core.evaluate.benchmarks.compile import measure
    from deg_core.evaluate.benchmarks.schemas import generated_schemas, read_schemas
    from deg_core.evaluate.peers.grammars import installed_grammar_peer

    read, unreadable = read_schemas(paths)
    chosen, counts = [], dict[str, int]()
    for schema in [*generated_schemas(), *read]:
        counts[schema.group] = counts.get(schema.group, 0) + 1
        if limit is None or counts[schema.group] <= limit:
            chosen.append(schema)
    peer = installed_grammar_peer()
    measured = measure(chosen, rounds=rounds, peer=peer)
    if as_json:
        print_json(_as_dict(measured, peer, unreadable))
    else:
        _print(measured, peer, unreadable)


def _print(measured: Measured, peer: Llguidance | None, unreadable: list[str]) -> None:
    refusing = measured.refusal_figures()
    rows = [*measured.figures(), *([refusing] if refusing else [])]
    print_table(("timed", "schemas", "median ms", "p99 ms", "times compile_schema"), map(_row, rows))
    click.echo()
    names = [figure.what for figure in measured.figures()]
    by_group = []
    for group in measured.groups():
        found = {figure.what: figure for figure in measured.figures(group=group)}
        medians = [_number(found[name].median_ms) if name in found else None for name in names]
        by_group.append((group, sum(times.schema.group == group for times in measured.accepted), *medians))
    print_table(("group", "schemas", *names), by_group, title="Median milliseconds")
    click.echo()
    click.echo(
        f"{len(measured.accepted)} schemas accepted and timed ({measured.rounds} rounds, the least counts), "
        f"{len(measured.refused)} refused; {len(unreadable)} files are not JSON."
    )
    for name, count in measured.not_by_others.items():
        click.echo(f"{name} refused {count} of the accepted schemas; its figures are of the others.")
    if peer is None:
        click.echo("llguidance is not installed, so no peer was timed; install it with: pip install 'deg-fill[bench]'")
    else:
        click.echo(f"Peer: {peer.name} {peer.version}, a vocabulary of single bytes.")


def _row(figures: Figures) -> tuple[object, ...]:
    ratio = None if figures.ratio is None else _number(figures.ratio)
    return figures.what, figures.schemas, _number(figures.median_ms), _number(figures.p99_ms), ratio


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _as_dict(measured: Measured, peer: Llguidance | None, unreadable: list[str]) -> dict[str, Any]:
    import dataclasses

    refusing = measured.refusal_figures()
    return {
        "rounds": measured.rounds,
        "accepted": len(measured.accepted),
        "refused": len(measured.refused),
        "unreadable": unreadable,
        "figures": [dataclasses.asdict(figures) for figures in measured.figures()],
        "refusing": None if refusing is None else dataclasses.asdict(refusing),
        "groups": {
            group: [dataclasses.asdict(figures) for figures in measured.figures(group=group)]
            for group in measured.groups()
        },
        "refused_by_others": measured.not_by_others,
        "peer": None if peer is None else {"name": peer.name, "version": peer.version},
    }
