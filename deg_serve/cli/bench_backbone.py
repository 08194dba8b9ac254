"""``deg bench backbone``: tokens a second of a backbone's trunk and forks, beside ``transformers``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from deg_serve.cli.bench_engines import PATH, pin, warn_if_busy, write_files

REPORT_FORMAT = "deg-backbone-1"


@click.command("backbone")
@click.option("--backbone", default="qwen3.5-0.8b", show_default=True, help="A registered family.")
@click.option("--snapshot", type=PATH, help="Weights as published; by default random ones of the published shape.")
@click.option("--layers", type=click.IntRange(1), help="Only so many layers of the random weights, from the first.")
@click.option("--compute", type=click.Choice(["fp32", "bf16", "int8"]), multiple=True, help="Arithmetic; all.")
@click.option("--tokens", type=click.IntRange(1), default=512, show_default=True, help="Of the trunk.")
@click.option("--forks", type=click.IntRange(1), default=8, show_default=True, help="How many.")
@click.option("--fork-tokens", type=click.IntRange(1), default=48, show_default=True, help="Of each fork.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Times; the least counts.")
@click.option("--peer/--no-peer", default=True, help="Compare with transformers.")
@click.option("--out", type=PATH, help="Write every figure as JSON.")
@click.option("--markdown", type=PATH, help="Write the tables as Markdown.")
def backbone(
    *,
    backbone: str,
    snapshot: Path | None,
    layers: int | None,
    compute: tuple[str, ...],
    tokens: int,
    forks: int,
    fork_tokens: int,
    rounds: int,
    peer: bool,
    out: Path | None,
    markdown: Path | None,
) -> None:
    """Time a backbone's passes on one thread, beside transformers' forward of the same weights.

    Processor time counts. docs/benchmarks.md says what is compared.
    """
    from deg_core.evaluate.benchmarks import backbone as bench
    from deg_core.evaluate.benchmarks.machine import describe
    from deg_core.plugins import get_plugins

    family = get_plugins().families.resolve(backbone, where="--backbone")()
    says = getattr(family, "published_shape", None)
    shape = says() if says is not None else {}
    if snapshot is None and not shape:
        raise click.UsageError(f"backbone {backbone} says no shape for random weights; give --snapshot")
    if snapshot is not None and layers is not None:
        raise click.UsageError("--layers is for random weights, not for a --snapshot")
    work = bench.Work(trunk=tokens, forks=forks, fork=fork_tokens, rounds=rounds)
    cores = pin(1)
    if cores:
        os.sched_setaffinity(0, cores)
    machine = describe(cores)
    warn_if_busy(machine)
    with tempfile.TemporaryDirectory(prefix="deg-bench-") as made:
        what = f"the weights in {snapshot}"
        if snapshot is None:
            count = bench.write_random(Path(made), shape, layers=layers)
            what = f"random weights, {count} of the {shape['num_hidden_layers']} layers of {backbone}"
        times = bench.measure(family, snapshot or Path(made), work, compute or bench.ARITHMETICS, peer=peer)
    report = {
        "format": REPORT_FORMAT,
        "backbone": backbone,
        "layers": layers,
        "work": {"trunk": tokens, "forks": forks, "fork_tokens": fork_tokens, "rounds": rounds},
        "machine": machine,
        "seconds": times.as_dict(),
    }
    notes = [
        f"{what}; a trunk of {tokens} tokens, {forks} forks of {fork_tokens}; one thread, processor time, the least of "
        f"{rounds}. bf16 is the arithmetic of training. Error: the trunk's hidden states against transformers in fp32."
    ]
    write_files(report, [("Backbone", bench.COLUMNS, times.rows(work))], notes, out, markdown)
