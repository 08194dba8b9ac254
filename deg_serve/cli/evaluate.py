"""``deg evaluate``: records in, a table and a report with intervals out, also against a peer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from deg_serve.cli.fill import load
from deg_serve.cli.output import print_table

if TYPE_CHECKING:
    from deg_core.evaluate.outcome import RecordOutcome
    from deg_core.evaluate.predictor import Predictor
    from deg_core.records import Record

REPORT_FORMAT = "deg-report-1"
MAJORITY_RECORDS = 1000  # train records a source behind its majority baseline
TUNING_RECORDS = 20  # val records on which the peer's wordings are tried
_PATH = click.Path(path_type=Path)


@click.command()
@click.option("--records", "first", type=_PATH, multiple=True, required=True, help="Record files or folders.")
@click.argument("more", nargs=-1, type=_PATH)
@click.option("--ckpt", default="embedded", show_default=True, help="Checkpoint name or folder.")
@click.option("--out", type=_PATH, required=True, help="The report (JSON); outcomes are written beside it.")
@click.option("--markdown", type=_PATH, help="Write the tables as Markdown too.")
@click.option("--split", type=click.Choice(["train", "val", "test"]), default="test", show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Records of each source; all by default.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample and of the intervals.")
@click.option("--compute", type=click.Choice(["int8", "fp32"]), help="Arithmetic; the checkpoint's own by default.")
@click.option("--threads", type=click.IntRange(1), help="Processor threads; all by default.")
@click.option("--fresh", is_flag=True, help="Do not go on from outcomes of an earlier run.")
@click.option("--peer", type=click.Choice(["llama.cpp"]), help="Compare with constrained decoding.")
@click.option("--peer-limit", type=click.IntRange(1), help="Records of each source for the peer; --limit by default.")
@click.option(
    "--peer-prompt",
    type=click.Choice(["schema", "fields", "auto"]),
    default="schema",
    show_default=True,
    help=f"The peer's wording; auto tries each on {TUNING_RECORDS} val records.",
)
@click.option("--peer-gguf", type=_PATH, help="The peer's weights; the checkpoint's backbone by default.")
def evaluate(
    *,
    first: tuple[Path, ...],
    more: tuple[Path, ...],
    ckpt: str,
    out: Path,
    markdown: Path | None,
    split: Literal["train", "val", "test"],
    limit: int | None,
    seed: int,
    compute: str | None,
    threads: int | None,
    fresh: bool,
    peer: str | None,
    peer_limit: int | None,
    peer_prompt: Literal["schema", "fields", "auto"],
    peer_gguf: Path | None,
) -> None:
    """Score a checkpoint on records.

    A run that stops goes on where it was when it is called again. Arrays and written texts are left out of the
    schemas; docs/reference/evaluate.md says what each figure means.
    """
    from deg_core.evaluate.metrics import summarise
    from deg_core.evaluate.predictor import ModelPredictor
    from deg_core.evaluate.report import compare, write_report
    from deg_core.evaluate.sampling import load_sample

    paths = (*first, *more)
    records = load_sample(paths, split=split, per_source=limit, seed=seed)
    counts, trained = _majority(paths, seed)
    silent = sorted(trained - {record.source for record in records})
    if silent:
        click.echo(f"no {split} records: {', '.join(silent)}", err=True)
    model = load(ckpt, compute, threads)
    predictor = ModelPredictor(model)
    outcomes = _run(records, predictor, _beside(out, "deg"), fresh=fresh)
    report: dict[str, Any] = {
        "format": REPORT_FORMAT,
        "model": model.model_id,
        "fingerprint": predictor.fingerprint,
        "compute": model.compute,
        "temperatures": dict(model.spec.temperatures),
        "files": sorted(path.name for path in paths),
        "split": split,
        "limit": limit,
        "seed": seed,
        "deg": summarise(outcomes, counts, seed=seed),
    }
    if peer is not None:
        asked = load_sample(paths, split=split, per_source=peer_limit or limit, seed=seed)
        gguf = peer_gguf or _backbone_gguf(model.spec.backbone)
        told, theirs = _ask_peer(asked, paths, out, gguf, peer_prompt, threads=threads, fresh=fresh, seed=seed)
        report["peer"] = {**told, "summary": summarise(theirs, counts, seed=seed)}
        report["compared"] = compare(outcomes, theirs, seed=seed)
    write_report(out, report)
    if markdown is not None:
        markdown.write_text(as_markdown(report), encoding="utf-8")
    show(report)


def _majority(paths: Sequence[Path], seed: int) -> tuple[Any, set[str]]:
    """Counts of a sample of the train records, and the sources that have any."""
    from deg_core.evaluate.majority import majority_of
    from deg_core.evaluate.sampling import sample
    from deg_core.records import read_records

    train = (record for path in paths for record in read_records(path, split="train"))
    taken = sample(train, per_source=MAJORITY_RECORDS, seed=seed)
    return majority_of(taken), {record.source for record in taken}


def _beside(out: Path, name: str) -> Path:
    return out.with_name(f"{out.name.removesuffix('.json')}.{name}.outcomes.jsonl")


def _run(records: Sequence[Record], predictor: Predictor, path: Path, *, fresh: bool) -> list[RecordOutcome]:
    """Outcomes of ``records``, with a progress bar on stderr."""
    from deg_core.evaluate.runner import read_header, run

    if fresh:
        path.unlink(missing_ok=True)
    found = read_header(path)
    if found is not None and found.fingerprint != predictor.fingerprint:
        click.echo(f"{path.name} was of another predictor ({found.predictor}); it is begun anew", err=True)
    with progress(predictor.name, len(records)) as advance:
        return run(records, predictor, path, replace=True, on_outcome=lambda _: advance())


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr; what it gives is called once for each step."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def _backbone_gguf(backbone: str) -> Path:
    """The published weights of a backbone. Raises click.UsageError when it has none of its own."""
    from deg_core.plugins import get_plugins

    source = get_plugins().families.resolve(backbone)().default_source()
    if source is None:
        raise click.UsageError(f"backbone {backbone} has no published weights; name the peer's with --peer-gguf")
    return source


def _ask_peer(
    records: Sequence[Record],
    paths: Sequence[Path],
    out: Path,
    gguf: Path,
    prompt: Literal["schema", "fields", "auto"],
    *,
    threads: int | None,
    fresh: bool,
    seed: int,
) -> tuple[dict[str, Any], list[RecordOutcome]]:
    """What the peer was, and its outcomes on the same records."""
    from deg_core.evaluate.peers.llama_cpp import LlamaCppPredictor, LlamaServer, better_wording
    from deg_core.evaluate.sampling import load_sample, sample

    server = LlamaServer(gguf, threads=threads)
    tried: dict[str, float] | None = None
    if prompt == "auto":
        each = sample(load_sample(paths, split="val", per_source=TUNING_RECORDS, seed=seed), seed=seed)
        held_out = spread(each, TUNING_RECORDS)
        with progress("the peer's wordings", 1) as advance:
            wording, tried = better_wording(server, held_out)
            advance()
    else:
        wording = prompt
    predictor = LlamaCppPredictor(server, wording=wording)
    outcomes = _run(records, predictor, _beside(out, predictor.name), fresh=fresh)
    told = {
        "name": predictor.name,
        "fingerprint": predictor.fingerprint,
        "gguf_sha256": server.sha256,
        "version": server.version,
        "wording": wording,
        "wordings_tried": tried,
        "schemas_refused": predictor.refused,
    }
    return told, outcomes


def spread(records: Sequence[Record], number: int) -> list[Record]:
    """``number`` records taken in turn from the sources, each in its own order."""
    turns: dict[str, int] = {}
    ranked = []
    for record in records:
        turns[record.source] = turns.get(record.source, 0) + 1
        ranked.append((turns[record.source], record.source, record))
    return [record for _, _, record in sorted(ranked, key=lambda entry: entry[:2])[:number]]


def show(report: dict[str, Any]) -> None:
    """The report's tables on standard output."""
    from deg_core.evaluate.report import COLUMNS, COMPARED_COLUMNS, compared_rows, rows

    print_table(COLUMNS, rows(report["deg"]), title=f"{report['model']} on {report['split']}")
    click.echo(_in_words(report["deg"]))
    if "peer" in report:
        peer = report["peer"]
        click.echo()
        print_table(COLUMNS, rows(peer["summary"]), title=f"{peer['name']}, wording {peer['wording']}")
        click.echo(_in_words(peer["summary"]))
        for part, what in (("micro", "all fields"), ("macro", "mean of sources")):
            click.echo()
            title = f"a = {report['model']}, b = {peer['name']}, {report['compared']['records']} records, {what}"
            print_table(COMPARED_COLUMNS, compared_rows(report["compared"][part]), title=title)


def as_markdown(report: dict[str, Any]) -> str:
    """The report's tables as Markdown."""
    from deg_core.evaluate.report import COLUMNS, COMPARED_COLUMNS, compared_rows, markdown, rows

    parts = [f"## {report['model']} on {report['split']}\n", markdown(COLUMNS, rows(report["deg"]))]
    parts.append(_in_words(report["deg"]) + "\n")
    if "peer" in report:
        peer = report["peer"]
        parts += [f"## {peer['name']}\n", markdown(COLUMNS, rows(peer["summary"])), _in_words(peer["summary"]) + "\n"]
        parts.append(f"## {report['model']} (a) minus {peer['name']} (b), all fields\n")
        parts.append(markdown(COMPARED_COLUMNS, compared_rows(report["compared"]["micro"])))
        parts.append("## The same, mean of sources\n")
        parts.append(markdown(COMPARED_COLUMNS, compared_rows(report["compared"]["macro"])))
    return "\n".join(parts)


def _in_words(summary: dict[str, Any]) -> str:
    """What is counted by record, as a line."""
    total = summary["micro"]
    errors = ", ".join(f"{count} x {code}" for code, count in total.get("errors", {}).items())
    if not total["records"]:
        return "no record has a field that can be scored"
    seconds = total["seconds"]
    return (
        f"{total['records']} records, {total['valid']:.1%} valid"
        + (f" ({errors})" if errors else "")
        + f", {seconds['median']:.2f} s a record (median; mean {seconds['mean']:.2f} s)"
    )
