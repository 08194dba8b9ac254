"""``deg bench batch``: requests a second of many jobs together, against the same jobs one by one."""

from __future__ import annotations

from pathlib import Path

import click

from deg_serve.cli.bench_engines import checkpoint_options, chosen_pairs, pin, start_deg, warn_if_busy, write_files

REPORT_FORMAT = "deg-batch-1"


@click.command("batch")
@checkpoint_options
@click.option("--cores", type=click.IntRange(1), default=1, show_default=True, help="Cores to pin to.")
@click.option("--jobs", "sizes", type=click.IntRange(1), multiple=True, help="Sizes of batches; 1, 4, 16, 64.")
@click.option("--rounds", type=click.IntRange(1), default=2, show_default=True, help="Times; the least counts.")
@click.option("--arrays/--no-arrays", default=True, help="Jobs with arrays too.")
@click.option("--quick", is_flag=True, help="Batches of 1 and 3 short jobs, one round.")
def batch(
    *,
    ckpt: str,
    base_model: str | None,
    device: str | None,
    compute: str | None,
    out: Path | None,
    markdown: Path | None,
    cores: int,
    sizes: tuple[int, ...],
    rounds: int,
    arrays: bool,
    quick: bool,
) -> None:
    """Time fill_many on mixed jobs, and whether it gives the same bits.

    The jobs are drawn from the twenty pairs of `deg bench latency`; no two have the same text.
    """
    from deg_core.evaluate.benchmarks import batch as bench
    from deg_core.evaluate.benchmarks.machine import describe
    from deg_core.evaluate.benchmarks.pairs import QUICK, digest, load_pairs
    from deg_serve.cli.evaluate import progress

    pairs = chosen_pairs(load_pairs(), QUICK if quick else (), arrays=arrays)
    sizes = sizes or ((1, 3) if quick else bench.SIZES)
    rounds = 1 if quick else rounds
    chosen = pin(cores)
    machine = describe(chosen)
    warn_if_busy(machine)
    with start_deg(ckpt, base_model, {"device": device, "compute": compute}, chosen, cores) as worker:
        worker.ask("fill", context=pairs[0].context, schema=pairs[0].schema)
        with progress("batches", len(sizes)) as advance:
            batches = bench.measure(worker, pairs, sizes=sizes, rounds=rounds, on_size=advance)
        about = worker.loaded
    report = {
        "format": REPORT_FORMAT,
        "pairs_sha256": digest(),
        "machine": machine,
        "deg": about,
        "rounds": rounds,
        "batches": [each.as_dict() for each in batches],
    }
    pinned = f"cores {chosen}" if chosen else f"{cores} threads, not pinned"
    failed = sum(each.failed for each in batches)
    notes = ["Of the rounds the least counts, of either way."]
    if failed:
        notes.append(f"{failed} jobs could not be filled: a value that may not be null was not in the text.")
    write_files(report, [(f"Requests a second; {pinned}", bench.COLUMNS, bench.rows(batches))], notes, out, markdown)
