"""``deg bench latency``: seconds for one request, beside llama.cpp that writes the same JSON, on the same cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from deg_core.errors import PluginError
from deg_serve.cli.bench_engines import (
    PATH,
    checkpoint_options,
    chosen_pairs,
    pin,
    start_deg,
    warn_if_busy,
    write_files,
)

if TYPE_CHECKING:
    from deg_core.evaluate.benchmarks.pairs import Pair
    from deg_core.evaluate.benchmarks.workers import Worker

REPORT_FORMAT = "deg-latency-1"
Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]


@click.command("latency")
@checkpoint_options
@click.option("--cores", type=click.IntRange(1), multiple=True, help="Cores to pin to, 1 by default; may be repeated.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Times that each pair is filled.")
@click.option("--pair", "names", multiple=True, metavar="NAME", help="Only these pairs; may be given several times.")
@click.option("--arrays/--no-arrays", default=True, help="Pairs with arrays too.")
@click.option("--quick", is_flag=True, help="Two pairs, one round, a short sweep.")
@click.option("--peer/--no-peer", default=True, help="Compare with llama.cpp.")
@click.option("--peer-gguf", type=PATH, help="The peer's weights; the checkpoint's backbone by default.")
@click.option(
    "--peer-prompt",
    type=click.Choice(["fields", "schema"]),
    default="fields",
    show_default=True,
    help="The peer's wording; the one with a line for each field has fewer tokens to read.",
)
@click.option("--q8/--no-q8", default=True, help="Also compare with the peer's weights in Q8_0.")
@click.option("--sweep/--no-sweep", default=True, help="Also measure what a field and a token more cost.")
def latency(
    *,
    ckpt: str,
    base_model: str | None,
    device: str | None,
    compute: str | None,
    out: Path | None,
    markdown: Path | None,
    cores: tuple[int, ...],
    rounds: int,
    names: tuple[str, ...],
    arrays: bool,
    quick: bool,
    peer: bool,
    peer_gguf: Path | None,
    peer_prompt: str,
    q8: bool,
    sweep: bool,
) -> None:
    """Time single requests: schema and text in, JSON out.

    Twenty fixed pairs of text and schema with right answers, each filled on pinned cores by deg and by llama.cpp under
    a grammar, turn by turn in one run. docs/benchmarks.md says what is measured.
    """
    from deg_core.evaluate.benchmarks.machine import describe
    from deg_core.evaluate.benchmarks.pairs import QUICK, digest, load_pairs

    pairs = chosen_pairs(load_pairs(), names or (QUICK if quick else ()), arrays=arrays)
    rounds = 1 if quick else rounds
    peers, notes = _peers(ckpt, peer_gguf, q8) if peer else ({}, ["llama.cpp was not asked (--no-peer)."])
    asked = {"engine": "llama.cpp", "wording": peer_prompt, "reuse_prefix": len(pairs) > 1}
    settings = {label: {**asked, "gguf": str(weights)} for label, weights in peers.items()}
    machine = describe(())
    warn_if_busy(machine)
    runs, tables = [], []
    for number in cores or (1,):
        chosen = pin(number)
        with ExitStack() as stack:
            workers = _start(
                stack, ckpt, base_model, {"device": device, "compute": compute}, settings, chosen, number, pairs[0]
            )
            run, shown = _measure(workers, pairs, rounds, sweep=sweep, quick=quick)
        pinned = f"cores {chosen}" if chosen else f"{number} threads, not pinned"
        runs.append({"cores": number, "pinned": chosen, **run})
        tables += [(f"{title}; {pinned}", columns, body) for title, columns, body in shown]
    report = {
        "format": REPORT_FORMAT,
        "pairs_sha256": digest(),
        "machine": machine,
        "rounds": rounds,
        "runs": runs,
    }
    write_files(report, tables, [*notes, *_words(rounds, len(pairs))], out, markdown)


def _peers(ckpt: str, gguf: Path | None, q8: bool) -> tuple[dict[str, Path], list[str]]:
    """Weights of the peers that can run here by label, and what to say where none can."""
    from deg_core.evaluate.peers.llama_cpp import check_installed
    from deg_core.evaluate.peers.requantize import q8_0

    try:
        check_installed()
    except PluginError as error:
        return {}, [f"deg alone was timed: {error.message}"]
    weights = gguf or _backbone_gguf(ckpt)
    found = {f"llama.cpp {weights.stem.rpartition('.')[2]}": weights}
    if q8:
        found["llama.cpp Q8_0"] = q8_0(weights)
    return found, []


def _backbone_gguf(ckpt: str) -> Path:
    """The published weights of a checkpoint's backbone. Raises click.UsageError when it has none of its own."""
    from deg_core.plugins import get_plugins
    from deg_core.plugins.checkpoint import read_checkpoint

    plugins = get_plugins()
    folder = Path(ckpt) if Path(ckpt).is_dir() else plugins.checkpoints.folder(ckpt)
    backbone = read_checkpoint(folder).backbone
    source = plugins.families.resolve(backbone)().default_source()
    if source is None:
        raise click.UsageError(f"backbone {backbone} has no published weights; name the peer's with --peer-gguf")
    return source


def _start(
    stack: ExitStack,
    ckpt: str,
    base_model: str | None,
    where: Mapping[str, str | None],
    peers: Mapping[str, dict[str, Any]],
    cores: Sequence[int],
    threads: int,
    first: Pair,
) -> list[tuple[Worker, float]]:
    """Every engine, each started when the one before it is ready, with the seconds from starting its process to its
    first JSON. That fill also warms it up."""
    from deg_core.evaluate.benchmarks.workers import Worker

    found = []
    for label in ("deg", *peers):
        begun = perf_counter()
        if label in peers:
            worker = stack.enter_context(Worker(label, peers[label], cores, threads))
        else:
            worker = stack.enter_context(start_deg(ckpt, base_model, where, cores, threads))
        worker.ask("fill", context=first.context, schema=first.schema)
        found.append((worker, perf_counter() - begun))
    return found


def _measure(
    started: Sequence[tuple[Worker, float]], pairs: Sequence[Pair], rounds: int, *, sweep: bool, quick: bool
) -> tuple[dict[str, Any], list[Table]]:
    """One run on one set of cores: its figures and its tables."""
    from deg_core.evaluate.benchmarks import latency as bench
    from deg_core.evaluate.benchmarks import sweep as sweeps
    from deg_core.evaluate.benchmarks.pairs import load_pairs
    from deg_serve.cli.evaluate import progress

    workers = [worker for worker, _ in started]
    deg = workers[0]
    before = deg.ask("peak")["operations"]
    with progress("pairs", rounds * len(pairs) * len(workers)) as advance:
        found = bench.measure(workers, pairs, rounds=rounds, on_request=advance)
    peaks = {name: max(before[name], after) for name, after in deg.ask("peak")["operations"].items()}
    macs = deg.ask("sizes")["int8_macs"]
    run: dict[str, Any] = {
        "engines": {worker.label: {**worker.loaded, "cold_seconds": cold} for worker, cold in started},
        **found.as_dict(),
        "int8": bench.peak_share(found, deg.label, macs, peaks) if macs else None,
    }
    tables: list[Table] = [
        ("Seconds a request", bench.columns(found), bench.rows(found)),
        ("All pairs", bench.SUMMARY_COLUMNS, bench.summary_rows(found)),
        ("From process start to the first JSON", ("engine", "s"), [(w.label, f"{cold:.1f}") for w, cold in started]),
    ]
    if run["int8"] is not None:
        tables.append(("Share of the int8 peak", ("figure", "value"), _peak_rows(run["int8"])))
    if sweep:
        (sample,) = load_pairs((sweeps.SAMPLE,))
        sizes: dict[str, Any] = {"fields": (1, 5), "words": (50, 100), "rounds": 1} if quick else {}
        with progress("sweep", _requests(sizes) * len(workers)) as advance:
            lines = sweeps.sweep(workers, sample, **sizes, on_request=advance)
        run["sweep"] = {label: {name: line.as_dict() for name, line in own.items()} for label, own in lines.items()}
        tables.append(("One more field, one more token of text", sweeps.COLUMNS, sweeps.rows(lines)))
    return run, tables


def _requests(sizes: dict[str, Any]) -> int:
    from deg_core.evaluate.benchmarks.sweep import FIELDS, WORDS

    return (len(sizes.get("fields", FIELDS)) + len(sizes.get("words", WORDS))) * int(sizes.get("rounds", 2))


def _peak_rows(share: dict[str, Any]) -> list[tuple[str, str]]:
    median, overall = share["median_share"], share["overall_share"]
    peaks = share["peaks_operations_per_second"].items()
    return [
        *((f"peak of {name}'s int8 product, 10^9 operations/s", f"{peak / 1e9:.0f}") for name, peak in peaks),
        ("int8 multiply-adds a token, 10^6", f"{share['int8_multiply_adds_per_token'] / 1e6:.1f}"),
        ("share of the peak, median over pairs", "" if median is None else f"{median:.0%}"),
        ("share of the peak, all pairs together", "" if overall is None else f"{overall:.0%}"),
    ]


def _words(rounds: int, pairs: int) -> list[str]:
    return [
        f"{pairs} pair{'s' * (pairs != 1)}, {rounds} round{'s' * (rounds != 1)}, engines in turn; "
        "seconds are the median over rounds, ratios are of medians. "
        "Every engine was loaded and had filled one schema before. deg keeps nothing of a text or a schema between "
        "requests; llama.cpp reuses what two prompts in a row share at their beginning."
    ]
