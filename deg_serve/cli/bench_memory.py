"""``deg bench memory``: what a fill takes at its highest, against what arithmetic says."""

from __future__ import annotations

from pathlib import Path

import click

from deg_serve.cli.bench_engines import checkpoint_options, pin, start_deg, write_files

REPORT_FORMAT = "deg-memory-1"


@click.command("memory")
@checkpoint_options
@click.option("--cores", type=click.IntRange(1), default=1, show_default=True, help="Cores to pin to.")
@click.option("--tokens", type=click.IntRange(1), multiple=True, help="Lengths of the text; 1k to 32k by default.")
@click.option("--fields", type=click.IntRange(1, 40), multiple=True, help="Numbers of fields; 1, 10, 40.")
@click.option("--quick", is_flag=True, help="Two lengths, two numbers of fields.")
def memory(
    *,
    ckpt: str,
    base_model: str | None,
    device: str | None,
    compute: str | None,
    out: Path | None,
    markdown: Path | None,
    cores: int,
    tokens: tuple[int, ...],
    fields: tuple[int, ...],
    quick: bool,
) -> None:
    """Measure the memory of single fills, each in a process of its own.

    Counted is what is resident above what was before the fill, weights loaded.
    """
    from deg_core.evaluate.benchmarks import memory as bench
    from deg_core.evaluate.benchmarks.machine import describe
    from deg_core.evaluate.benchmarks.pairs import digest, load_pairs
    from deg_core.evaluate.benchmarks.sweep import SAMPLE
    from deg_serve.cli.evaluate import progress

    (pair,) = load_pairs((SAMPLE,))
    wanted = bench.points(
        tokens or ((256, 512) if quick else bench.TOKENS), fields or ((1, 10) if quick else bench.FIELDS)
    )
    chosen = pin(cores)
    where = {"device": device, "compute": compute}
    with progress("fills", len(wanted)) as advance:
        taken = bench.measure(lambda: start_deg(ckpt, base_model, where, chosen, cores), pair, wanted, on_point=advance)
    report = {
        "format": REPORT_FORMAT,
        "pairs_sha256": digest(),
        "machine": describe(chosen),
        "fills": [each.as_dict() for each in taken],
    }
    notes = [
        "State by formula: (keys and values of every attention layer + one hidden state) x 4 bytes x tokens. "
        "Reserved is what deg asks to be free before it begins to read."
    ]
    write_files(report, [("Memory of one fill", bench.COLUMNS, bench.rows(taken))], notes, out, markdown)
