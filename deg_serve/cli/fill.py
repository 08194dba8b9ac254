"""``deg fill``: a text and a schema in, a filled schema out; or with ``--jsonl`` a file of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from deg_serve.cli.exits import DONE
from deg_serve.cli.inputs import STDIN, read_json, read_text
from deg_serve.cli.output import print_json


@click.command()
@click.argument("file", default=STDIN)
@click.option("--schema", "-s", help="JSON Schema file; with --jsonl it may be left to the lines.")
@click.option("--jsonl", metavar="FILE", help="Fill every line of a JSON Lines file (- for standard input) instead.")
@click.option("--out", default=STDIN, help="With --jsonl: where the lines go. A file is gone on with; - is not.")
@click.option("--restart", is_flag=True, help="With --jsonl: begin --out anew.")
@click.option(
    "--batch-size", type=click.IntRange(1), default=16, show_default=True, help="With --jsonl: lines at once."
)
@click.option("--format", "layout", type=click.Choice(["json", "table"]), default="json", show_default=True)
@click.option("--value-only", is_flag=True, help="Print only the filled value (JSON).")
@click.option("--json-context", is_flag=True, help="FILE is JSON: read it as a JSON context, not as text.")
@click.option("--ckpt", default="embedded", show_default=True, help="Checkpoint name or folder.")
@click.option(
    "--base-model", type=click.Path(path_type=Path), help="The backbone's weights, if not its own: a folder or hub id."
)
@click.option("--device", help="cpu, the default, or a GPU such as cuda or cuda:1.")
@click.option(
    "--compute",
    type=click.Choice(["int8", "fp32", "bf16"]),
    help="Arithmetic, int8 or fp32 on a CPU and bf16 or fp32 on a GPU; the checkpoint's own by default.",
)
@click.option("--threads", type=click.IntRange(1), help="Processor threads; all by default.")
@click.option("--date-order", type=click.Choice(["MDY", "DMY"]), help="How 03/05/2026 is read; ambiguous by default.")
@click.option("--default-offset", default="Z", show_default=True, help="Offset of a time that has none, like +02:00.")
@click.option("--null-margin", type=float, help="How far (nats) a value must beat 'not there'; 0 by default.")
@click.option("--array-decode", help="How array items are found: threshold, count_peaks, hybrid, or a plugin's.")
@click.option("--max-items", type=click.IntRange(0), help="Cap of arrays without maxItems; none by default.")
@click.option("--max-new-tokens", type=click.IntRange(1), default=256, show_default=True, help="Per written text.")
@click.option("--temperature", type=float, default=0.0, show_default=True, help="Above 0 samples; needs --seed.")
@click.option("--seed", type=click.IntRange(0), help="What sampling starts from.")
@click.pass_context
def fill(
    ctx: click.Context,
    *,
    file: str,
    schema: str | None,
    jsonl: str | None,
    out: str,
    restart: bool,
    batch_size: int,
    layout: Literal["json", "table"],
    value_only: bool,
    json_context: bool,
    ckpt: str,
    base_model: Path | None,
    device: str | None,
    compute: str | None,
    threads: int | None,
    date_order: str | None,
    default_offset: str,
    null_margin: float | None,
    array_decode: str | None,
    max_items: int | None,
    max_new_tokens: int,
    temperature: float,
    seed: int | None,
) -> int:
    """Fill a schema from FILE, a UTF-8 text, or from standard input (-).

    With --jsonl, a line is a JSON string, the text, or an object with "context" and, if wanted, "id", "schema" and
    "options" of its own. The same command goes on where an earlier one was stopped.

    Exit status: 0 filled, 2 bad input, 3 could not be filled; with --jsonl 0 all lines filled, 3 some were not, 2
    nothing could start.
    """
    from deg_core.contract.compiler import compile_schema
    from deg_core.contract.request import parse_options, render_context
    from deg_core.plugins.manager import get_plugins

    options = {
        "date_order": date_order,
        "default_offset": default_offset,
        "null_margin": null_margin,
        "array_decode": array_decode,
        "max_items": max_items,
        "max_new_tokens": max_new_tokens,
        "temperature": temperature,
        "seed": seed,
    }
    _check_usage(ctx, jsonl)
    if jsonl is not None:
        from deg_serve.cli.fill_jsonl import Task, fill_jsonl

        task = Task(
            source=jsonl,
            out=out,
            schema=schema,
            options=options,
            value_only=value_only,
            restart=restart,
            size=batch_size,
            ckpt=ckpt,
            base_model=base_model,
            device=device,
            compute=compute,
            threads=threads,
        )
        return fill_jsonl(task)
    if schema is None:
        raise click.MissingParameter(ctx=ctx, param_hint="'--schema' / '-s'", param_type="option")
    if STDIN == file == schema:
        raise click.UsageError("FILE and --schema cannot both be standard input")
    # Everything that can be wrong with the input is found before the weights are loaded.
    document = read_json(schema)
    compile_schema(document)
    context: Any = read_json(file) if json_context else read_text(file)
    text = render_context(context)
    parse_options(options, array_decoders=get_plugins().array_decoders.names())
    model = load(ckpt, compute, threads, base_model, device=device)
    result = model.fill(context, document, **options)
    if value_only:
        print_json(result.json)
    elif layout == "json":
        print_json(result.as_dict())
    else:
        from deg_serve.cli.evidence import print_evidence

        print_evidence(text, result)
    return DONE


def _check_usage(ctx: click.Context, jsonl: str | None) -> None:
    """Options that mean nothing in the way of filling that was chosen are mistakes, not to be passed over."""
    useless = ("file", "layout", "json_context") if jsonl is not None else ("out", "restart", "batch_size")
    names = {"file": "FILE", "layout": "--format", "json_context": "--json-context"}
    for name in useless:
        if ctx.get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
            said = names.get(name) or f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{said} cannot be used {'with' if jsonl is not None else 'without'} --jsonl")
    if jsonl is not None and ctx.params["restart"] and ctx.params["out"] == STDIN:
        raise click.UsageError("--restart needs a file as --out; standard output always begins anew")


def load(
    ckpt: str,
    compute: str | None,
    threads: int | None,
    base_model: Path | None = None,
    rotations: int | None = None,
    letters: bool = False,
    device: str | None = None,
) -> Any:
    """The model that a command asks for, on that many threads."""
    import torch

    from deg_core.engine.load import load_model

    if threads is not None:
        torch.set_num_threads(threads)
    name = Path(ckpt) if Path(ckpt).is_dir() else ckpt
    return load_model(name, base_model=base_model, device=device, compute=compute, rotations=rotations, letters=letters)
