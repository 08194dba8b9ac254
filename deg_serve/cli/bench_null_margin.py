"""``deg bench null-margin``: what the option null_margin trades, on records, and the margin that suits them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from deg_serve.cli.bench_engines import PATH, checkpoint_options, write_files

if TYPE_CHECKING:
    from deg_core.evaluate.bootstrap import Interval
    from deg_core.evaluate.null_margin import Figures

REPORT_FORMAT = "deg-null-margin-1"
COLUMNS = ("margin", "present right", "absent null", "mean of both", "all right")


@click.command("null-margin")
@checkpoint_options
@click.option("--records", "first", type=PATH, multiple=True, required=True, help="Record files or folders.")
@click.argument("more", nargs=-1, type=PATH)
@click.option("--split", type=click.Choice(["train", "val", "test"]), default="val", show_default=True)
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Records of each source.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample and of the intervals.")
@click.option("--threads", type=click.IntRange(1), help="Processor threads; all by default.")
def null_margin(
    *,
    ckpt: str,
    base_model: str | None,
    device: str | None,
    compute: str | None,
    out: Path | None,
    markdown: Path | None,
    first: tuple[Path, ...],
    more: tuple[Path, ...],
    split: Literal["train", "val", "test"],
    limit: int,
    seed: int,
    threads: int | None,
) -> None:
    """Show what the option null_margin trades: values found against values made up.

    Every extract field that may be null is read once; what it would be at each margin follows from that. Choose on
    val records, and look at test records with deg evaluate --null-margin.
    """
    from deg_core.errors import RecordError
    from deg_core.evaluate import null_margin as bench
    from deg_core.evaluate.sampling import load_sample
    from deg_serve.cli.evaluate import progress
    from deg_serve.cli.fill import load

    records = load_sample((*first, *more), split=split, per_source=limit, seed=seed)
    model = load(ckpt, compute, threads, None if base_model is None else Path(base_model), device=device)
    with progress("reading", len(records)) as advance:
        leads = bench.gather(model, records, on_record=advance)
    if not leads.records:
        raise RecordError(
            f"none of the {len(records)} {split} records that could be read asks for a string, number or date that may "
            f"be null outside arrays; null_margin touches nothing else"
        )
    figures = bench.weigh(leads, seed=seed)
    chosen = {
        "balanced": bench.best(figures, lambda each: each.balanced),
        "accuracy": bench.best(figures, lambda each: each.accuracy.value if each.accuracy else 0.0),
    }
    report = {
        "format": REPORT_FORMAT,
        "model": model.model_id,
        "compute": model.compute,
        "split": split,
        "limit": limit,
        "seed": seed,
        "records": leads.records,
        "too_long": leads.too_long,
        "best": chosen,
        "figures": [each.as_dict() for each in figures],
        "modes": {mode: [each.as_dict() for each in bench.weigh(leads, mode=mode, seed=seed)] for mode in leads.modes},
    }
    notes = [
        f"{leads.records} {split} records. Highest mean of both: margin {chosen['balanced']:g}. Most fields right: "
        f"margin {chosen['accuracy']:g}."
    ]
    if leads.too_long:
        notes.append(f"{leads.too_long} records were too long for the backbone and left out.")
    shown = [_row(each) for each in figures if each.margin % 1 == 0 or each.margin in chosen.values()]
    write_files(report, [(f"{model.model_id}: null_margin", COLUMNS, shown)], notes, out, markdown)


def _row(figures: Figures) -> tuple[str, ...]:
    return (
        f"{figures.margin:+g}",
        _rate(figures.present_right),
        _rate(figures.absent_null),
        f"{figures.balanced:.3f}",
        _rate(figures.accuracy),
    )


def _rate(found: Interval | None) -> str:
    return "" if found is None else f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
