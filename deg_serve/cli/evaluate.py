"""``deg evaluate``: records in, a table and a report with intervals out, also against a peer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import click

from deg_core.errors import UnsupportedError
from deg_serve.cli.fill import load
from deg_serve.cli.output import print_table

if TYPE_CHECKING:
    from deg_core.engine.engine import Model
    from deg_core.evaluate.outcome import RecordOutcome
    from deg_core.evaluate.predictor import ModelPredictor, Predictor
    from deg_core.records import Record

REPORT_FORMAT = "deg-report-2"
MAJORITY_RECORDS = 1000  # train records a source behind its majority baseline
TUNING_RECORDS = 20  # val records on which the peer's wordings are tried
_PATH = click.Path(path_type=Path)
Table: TypeAlias = tuple[str, tuple[str, ...], list[tuple[str, ...]], str]  # title, columns, rows, a line below


@click.command()
@click.option("--records", "first", type=_PATH, multiple=True, required=True, help="Record files or folders.")
@click.argument("more", nargs=-1, type=_PATH)
@click.option("--ckpt", default="embedded", show_default=True, help="Checkpoint name or folder.")
@click.option("--out", type=_PATH, required=True, help="The report (JSON); outcomes are written beside it.")
@click.option("--markdown", type=_PATH, help="Write the tables as Markdown too.")
@click.option("--split", type=click.Choice(["train", "val", "test"]), default="test", show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Records of each source; all by default.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample and of the intervals.")
@click.option("--device", help="cpu, the default, or a GPU such as cuda or cuda:1.")
@click.option(
    "--compute",
    type=click.Choice(["int8", "fp32", "bf16"]),
    help="Arithmetic, int8 or fp32 on a CPU and bf16 or fp32 on a GPU; the checkpoint's own by default.",
)
@click.option("--threads", type=click.IntRange(1), help="Processor threads; all by default.")
@click.option("--arrays/--no-arrays", default=True, help="Fill arrays too, or take them out of the schemas.")
@click.option(
    "--array-decode",
    "decoders",
    multiple=True,
    metavar="NAME",
    help="How array items are found; given several times, the decoders are compared on the records with arrays.",
)
@click.option("--null-margin", type=float, help="How far (nats) a value must beat 'not there'; 0 by default.")
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
@click.option(
    "--injected",
    type=click.IntRange(1),
    metavar="N",
    help="Also fill N records of each source with orders put into their texts, and say how many are followed.",
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
    device: str | None,
    compute: str | None,
    threads: int | None,
    arrays: bool,
    decoders: tuple[str, ...],
    null_margin: float | None,
    fresh: bool,
    peer: str | None,
    peer_limit: int | None,
    peer_prompt: Literal["schema", "fields", "auto"],
    peer_gguf: Path | None,
    injected: int | None,
) -> None:
    """Score a checkpoint on records.

    A run that stops goes on where it was when it is called again. Written texts are left out of the schemas;
    docs/reference/evaluate.md says what each figure means.
    """
    from deg_core.evaluate.metrics import summarise
    from deg_core.evaluate.paired import compare
    from deg_core.evaluate.report import write_report
    from deg_core.evaluate.sampling import load_sample

    _check_decoders(decoders, arrays=arrays)
    paths = (*first, *more)
    records = load_sample(paths, split=split, per_source=limit, seed=seed)
    counts, trained = _majority(paths, seed)
    silent = sorted(trained - {record.source for record in records})
    if silent:
        click.echo(f"no {split} records: {', '.join(silent)}", err=True)
    model = load(ckpt, compute, threads, device=device)
    predictor = _predictor(model, decoders[0] if decoders else None, null_margin)
    try:
        outcomes = _run(records, predictor, _beside(out, "deg"), arrays=arrays, fresh=fresh)
    except UnsupportedError as error:
        raise UnsupportedError(f"{error.message}. To score it without arrays, use --no-arrays") from error
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
        "arrays": arrays,
        "array_decode": decoders[0] if decoders else None,
        "null_margin": null_margin,
        "deg": summarise(outcomes, counts, seed=seed),
    }
    with_arrays = [record for record in records if _has_arrays(record)]
    if len(decoders) > 1 and with_arrays:
        found = {decoders[0]: outcomes}
        for name in decoders[1:]:
            found[name] = _run(
                with_arrays, _predictor(model, name, null_margin), _beside(out, f"deg.{name}"), fresh=fresh
            )
        report["array_decoders"] = _compare_decoders(found, seed)
    if peer is not None:
        asked = load_sample(paths, split=split, per_source=peer_limit or limit, seed=seed)
        gguf = peer_gguf or _backbone_gguf(model.spec.backbone)
        told, theirs = _ask_peer(
            asked, paths, out, gguf, peer_prompt, threads=threads, arrays=arrays, fresh=fresh, seed=seed
        )
        report["peer"] = {**told, "summary": summarise(theirs, counts, seed=seed)}
        report["compared"] = compare(outcomes, theirs, seed=seed)
    if injected is not None:
        report["injected"] = _injected(load_sample(paths, split=split, per_source=injected, seed=seed), predictor, seed)
    write_report(out, report)
    if markdown is not None:
        markdown.write_text(as_markdown(report), encoding="utf-8")
    show(report)


def _check_decoders(names: Sequence[str], *, arrays: bool) -> None:
    """Refuse names that no decoder has, before anything is read. Raises UnknownNameError or click.UsageError."""
    from deg_core.plugins import get_plugins

    if names and not arrays:
        raise click.UsageError("--array-decode says how arrays are filled, --no-arrays that they are not")
    if len(set(names)) < len(names):
        raise click.UsageError("--array-decode: each decoder is named once")
    for name in names:
        get_plugins().array_decoders.resolve(name, where="--array-decode")


def _predictor(model: Model, decoder: str | None, null_margin: float | None) -> ModelPredictor:
    from deg_core.evaluate.predictor import ModelPredictor

    named = {"array_decode": decoder, "null_margin": null_margin}
    return ModelPredictor(model, options={name: value for name, value in named.items() if value is not None})


def _has_arrays(record: Record) -> bool:
    from deg_core.contract.compiler import compile_schema
    from deg_core.evaluate.prune import prune_record

    left = prune_record(record, arrays=True)
    return left is not None and bool(compile_schema(left.schema).arrays)


def _compare_decoders(found: Mapping[str, Sequence[RecordOutcome]], seed: int) -> dict[str, Any]:
    """By decoder: its figures of arrays, and how they differ from the first one's on the same records."""
    from deg_core.evaluate.array_metrics import summarise_arrays
    from deg_core.evaluate.paired import compare

    made: dict[str, Any] = {}
    first = next(iter(found.values()))
    for name, outcomes in found.items():
        made[name] = summarise_arrays(outcomes, seed=seed)
        if outcomes is not first:
            differences = compare(outcomes, first, seed=seed)["micro"]
            made[name]["minus_first"] = {what: entry for what, entry in differences.items() if what.startswith("array")}
    return made


def _injected(records: Sequence[Record], predictor: Predictor, seed: int) -> dict[str, Any]:
    from deg_core.evaluate.injected import measure

    with progress("orders in texts", len(records)) as advance:
        return measure(records, predictor, seed=seed, on_record=advance)


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


def _run(
    records: Sequence[Record], predictor: Predictor, path: Path, *, arrays: bool = True, fresh: bool
) -> list[RecordOutcome]:
    """Outcomes of ``records``, with a progress bar on stderr."""
    from deg_core.evaluate.runner import read_header, run

    if fresh:
        path.unlink(missing_ok=True)
    found = read_header(path)
    if found is not None and found.fingerprint != predictor.fingerprint:
        click.echo(f"{path.name} was of another predictor ({found.predictor}); it is begun anew", err=True)
    with progress(predictor.name, len(records)) as advance:
        return run(records, predictor, path, replace=True, arrays=arrays, on_outcome=lambda _: advance())


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
    arrays: bool,
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
    outcomes = _run(records, predictor, _beside(out, predictor.name), arrays=arrays, fresh=fresh)
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
    for index, (title, columns, body, note) in enumerate(tables(report)):
        if index:
            click.echo()
        print_table(columns, body, title=title)
        if note:
            click.echo(note)


def as_markdown(report: dict[str, Any]) -> str:
    """The report's tables as Markdown."""
    from deg_core.evaluate.report import markdown

    parts = [
        f"## {title}\n\n{markdown(columns, body)}" + (f"\n{note}\n" if note else "")
        for title, columns, body, note in tables(report)
    ]
    return "\n".join(parts)


def tables(report: dict[str, Any]) -> Iterator[Table]:
    """The report's tables; those that have no row are left out, but for the first."""
    from deg_core.evaluate import report as made

    name, split = report["model"], report["split"]
    yield from _summary_tables(report["deg"], f"{name} on {split}")
    if "array_decoders" in report:
        yield f"{name}: array decoders", made.DECODER_COLUMNS, made.decoder_rows(report["array_decoders"]), ""
    if "injected" in report:
        found = report["injected"]
        title = f"{name}: lines put into {found['records']} texts"
        yield title, made.INJECTED_COLUMNS, made.injected_rows(found), ""
    if "peer" in report:
        peer = report["peer"]
        yield from _summary_tables(peer["summary"], f"{peer['name']}, wording {peer['wording']}")
        for part, what in (("micro", "all fields"), ("macro", "mean of sources")):
            title = f"a = {name}, b = {peer['name']}, {report['compared']['records']} records, {what}"
            yield title, made.COMPARED_COLUMNS, made.compared_rows(report["compared"][part]), ""


def _summary_tables(summary: dict[str, Any], title: str) -> Iterator[Table]:
    from deg_core.evaluate.report import ARRAY_COLUMNS, COLUMNS, array_rows, rows

    yield title, COLUMNS, rows(summary), _in_words(summary)
    of_arrays = array_rows(summary)
    if of_arrays:
        yield f"{title}: arrays", ARRAY_COLUMNS, of_arrays, ""


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
