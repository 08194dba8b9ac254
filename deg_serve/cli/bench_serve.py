"""``deg bench serve``: a server of its own under load, and what it adds to a fill in process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from deg_serve.cli.bench_engines import checkpoint_options, pin, warn_if_busy, write_files

if TYPE_CHECKING:
    from deg_serve.load.clients import Tally
    from deg_serve.load.pool import Sent

REPORT_FORMAT = "deg-serve-1"
_ROUNDS = 5  # of each request alone


@click.command("serve")
@checkpoint_options
@click.option("--cores", type=click.IntRange(1), default=1, show_default=True, help="Cores to pin the server to.")
@click.option("--clients", type=click.IntRange(1), default=64, show_default=True, help="Connections that ask at once.")
@click.option("--seconds", type=click.FloatRange(0.1), default=60.0, show_default=True, help="Of load.")
@click.option("--max-pending", type=click.IntRange(1), default=256, show_default=True, help="As of deg serve.")
@click.option("--batch-size", type=click.IntRange(1), default=16, show_default=True, help="As of deg serve.")
@click.option("--written/--no-written", default=True, help="Have some requests write a text.")
def serve_command(
    *,
    ckpt: str,
    base_model: str | None,
    device: str | None,
    compute: str | None,
    out: Path | None,
    markdown: Path | None,
    cores: int,
    clients: int,
    seconds: float,
    max_pending: int,
    batch_size: int,
    written: bool,
) -> None:
    """Start a server on loopback, ask it alone and with many clients at once over all wires, and stop it.

    Exit status 3 when a request was answered with anything but its own bytes or 429, or when the server did not end
    cleanly.
    """
    from deg_core.errors import RuntimeLimitError
    from deg_core.evaluate.benchmarks.machine import describe
    from deg_core.evaluate.benchmarks.pairs import digest, load_pairs
    from deg_serve.load.clients import one_by_one, together
    from deg_serve.load.pool import requests_of
    from deg_serve.load.process import ServerProcess

    chosen = pin(cores)
    machine = describe(chosen)
    warn_if_busy(machine)
    requests = requests_of(load_pairs(), written=written)
    options = ["--ckpt", ckpt, "--max-pending", str(max_pending), "--batch-size", str(batch_size)]
    options += ["--time-limit", "600", *(["--base-model", base_model] if base_model else [])]
    options += ["--device", device] if device else []
    options += ["--compute", compute] if compute else []
    with ServerProcess(options, chosen, cores) as server:
        asyncio.run(one_by_one(server.host, server.port, requests[:1], 0))
        start = {"listening": server.listening, "first_answer": perf_counter() - server.began}
        alone = asyncio.run(one_by_one(server.host, server.port, requests, _ROUNDS))
        before = server.resident()
        tally = asyncio.run(
            together(
                server.host,
                server.port,
                requests,
                [answer for answer, _ in alone],
                clients=clients,
                seconds=seconds,
                resident=server.resident,
            )
        )
        after = server.resident()
        status = server.stop()
    inside = _in_process(ckpt, base_model, compute, cores, requests)
    report = {
        "format": REPORT_FORMAT,
        "pairs_sha256": digest(),
        "machine": machine,
        "start": start,
        "requests": len(requests),
        "clients": clients,
        "alone": _alone(requests, [times for _, times in alone], inside),
        "load": _load(tally),
        "memory": {"before": before, "after": after, "growth_per_minute": tally.growth() * 60},
        "exit_status": status,
    }
    tables, notes = _told(report)
    write_files(report, tables, notes, out, markdown)
    if tally.errors or tally.different or status:
        raise RuntimeLimitError(
            f"{tally.errors} requests failed, {tally.different} were answered with other bytes than alone, and the "
            f"server ended with status {status}"
        )


def _in_process(
    ckpt: str, base_model: str | None, compute: str | None, threads: int, requests: Sequence[Sent]
) -> list[float]:
    """Median seconds of the same fills without a server, as warm as those over HTTP; the server has ended by now."""
    import torch

    from deg_core.engine.load import load_model

    torch.set_num_threads(threads)
    source: str | Path = Path(ckpt) if Path(ckpt).is_dir() else ckpt
    model = load_model(source, base_model=base_model, compute=compute)
    found = []
    for context, schema in (sent.fill for sent in requests if sent.fill is not None):
        times = []
        for _ in range(_ROUNDS + 1):
            began = perf_counter()
            model.fill(context, schema)
            times.append(perf_counter() - began)
        found.append(median(times[1:]))
    return found


def _alone(requests: Sequence[Sent], times: Sequence[Sequence[float]], inside: Sequence[float]) -> dict[str, Any]:
    served = [median(own) for sent, own in zip(requests, times, strict=True) if sent.fill is not None]
    return {
        "http_median": median(served),
        "in_process_median": median(inside),
        "overhead_median": median(http - own for http, own in zip(served, inside, strict=True)),
    }


def _load(tally: Tally) -> dict[str, Any]:
    import numpy as np

    def figures(seconds: Sequence[float]) -> dict[str, Any]:
        found: dict[str, Any] = {"answered": len(seconds)}
        if seconds:
            places = zip(("median", "p95", "p99", "max"), np.percentile(seconds, [50, 95, 99, 100]), strict=True)
            found |= {name: float(value) for name, value in places}
        return found

    every = [second for own in tally.seconds.values() for second in own]
    return {
        "seconds": tally.duration,
        "per_second": tally.answered / tally.duration,
        "statuses": {str(status): count for status, count in sorted(tally.statuses.items())},
        "errors": tally.errors,
        "different": tally.different,
        "all": figures(every),
        "routes": {path: figures(own) for path, own in tally.seconds.items()},
    }


def _told(report: Mapping[str, Any]) -> tuple[list[tuple[str, Sequence[str], Sequence[Sequence[str]]]], list[str]]:
    load, alone, memory, start = report["load"], report["alone"], report["memory"], report["start"]
    columns = ("route", "answered", "median s", "p95 s", "p99 s", "max s")
    rows = [
        (
            name,
            str(own["answered"]),
            *(f"{own[key]:.3f}" if key in own else "" for key in ("median", "p95", "p99", "max")),
        )
        for name, own in {**load["routes"], "all": load["all"]}.items()
    ]
    title = f"{report['clients']} clients for {load['seconds']:.0f} s, {load['per_second']:.1f} answers a second"
    busy = load["statuses"].get("429", 0)
    megabytes = {name: memory[name] / 2**20 for name in memory}
    notes = [
        f"{busy} were told to come back (429), {load['errors']} failed, {load['different']} had other bytes than "
        "alone.",
        f"Alone, a fill takes {alone['http_median'] * 1000:.1f} ms over HTTP and "
        f"{alone['in_process_median'] * 1000:.1f} ms in process; the median difference is "
        f"{alone['overhead_median'] * 1000:.1f} ms, of which the wait for company is 5.",
        f"Memory: {megabytes['before']:.0f} MiB before the load, {megabytes['after']:.0f} after; over its second half "
        f"it grew by {megabytes['growth_per_minute']:.2f} MiB a minute.",
        f"From the start of the process: {start['listening']:.2f} s to listening, {start['first_answer']:.2f} s to the "
        f"first answer. Told to end, it ended with status {report['exit_status']}.",
    ]
    return [(title, columns, rows)], notes
