"""``deg explain``: the four stages of one field: plan entry, fork, head output, reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deg_serve.cli.inputs import STDIN, read_json, read_text
from deg_serve.cli.output import print_json


@click.command()
@click.argument("pointer")
@click.argument("file", default=STDIN)
@click.option("--schema", "-s", required=True, help="JSON Schema file.")
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
@click.option("--date-order", type=click.Choice(["MDY", "DMY"]), help="How 03/05/2026 is read; ambiguous by default.")
@click.option("--default-offset", default="Z", show_default=True, help="Offset of a time that has none, like +02:00.")
@click.option("--null-margin", type=float, help="How far (nats) a value must beat 'not there'; 0 by default.")
@click.option("--array-decode", help="How array items are found: threshold, count_peaks, hybrid, or a plugin's.")
@click.option("--max-items", type=click.IntRange(0), help="Cap of arrays without maxItems; none by default.")
@click.option("--top", type=click.IntRange(1), default=5, show_default=True, help="Outcomes or spans to list.")
def explain(
    *,
    pointer: str,
    file: str,
    schema: str,
    json_context: bool,
    ckpt: str,
    base_model: Path | None,
    device: str | None,
    compute: str | None,
    date_order: str | None,
    default_offset: str,
    null_margin: float | None,
    array_decode: str | None,
    max_items: int | None,
    top: int,
) -> None:
    """Show how the field or array at POINTER got its value from FILE (- for standard input).

    POINTER is like /invoice/total, or /lines/0/price for an item of an array. Options are those of the fill that is to
    be explained.
    """
    from deg_core.contract.compiler import compile_schema
    from deg_core.contract.request import parse_options, render_context
    from deg_core.engine.explain import explain_field
    from deg_core.errors import FillError
    from deg_core.plugins.manager import get_plugins
    from deg_serve.cli.fill import load

    plan = compile_schema(read_json(schema))
    known = [field.pointer for field in plan.fields] + [array.pointer for array in plan.arrays]
    if not any(_matches(pointer, name) for name in known):
        raise click.UsageError(f"there is no field {pointer!r}; the schema has: {', '.join(known)}")
    context: Any = read_json(file) if json_context else read_text(file)
    given = {
        "date_order": date_order,
        "default_offset": default_offset,
        "null_margin": null_margin,
        "array_decode": array_decode,
        "max_items": max_items,
    }
    options = parse_options(given, array_decoders=get_plugins().array_decoders.names())
    model = load(ckpt, compute, None, base_model, device=device)
    try:
        print_json(explain_field(model, render_context(context), plan, pointer, options, top=top))
    except KeyError:
        raise FillError("the filled value has no such item; fewer were found", pointer=pointer) from None


def _matches(pointer: str, name: str) -> bool:
    """Whether a concrete pointer (``/lines/0/price``) is one of a template (``/lines/*/price``)."""
    steps, wanted = pointer.split("/"), name.split("/")
    pairs = zip(steps, wanted, strict=False)
    return len(steps) == len(wanted) and all(w in ("*", s) if s.isdecimal() else s == w for s, w in pairs)
