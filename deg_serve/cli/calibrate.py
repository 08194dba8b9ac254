"""``deg calibrate``: fit a checkpoint's temperatures on held-out records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from deg_serve.cli.evaluate import progress
from deg_serve.cli.fill import load
from deg_serve.cli.output import print_table

if TYPE_CHECKING:
    from deg_core.evaluate.calibration import Fit

_PATH = click.Path(path_type=Path)


@click.command()
@click.option("--records", "first", type=_PATH, multiple=True, required=True, help="Record files or folders.")
@click.argument("more", nargs=-1, type=_PATH)
@click.option("--ckpt", default="embedded", show_default=True, help="Checkpoint or backbone: a name or a folder.")
@click.option(
    "--base-model", type=click.Path(path_type=Path), help="The backbone's weights, if not its own: a folder or hub id."
)
@click.option("--out", type=_PATH, help="Folder for the calibrated copy; by default the checkpoint folder is changed.")
@click.option("--rotations", type=click.IntRange(1), help="Of a backbone: turns of the options that choices average.")
@click.option("--letters", is_flag=True, help="Of a backbone: choices of few options, too, are answered by letters.")
@click.option("--split", type=click.Choice(["train", "val", "test"]), default="val", show_default=True)
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Records of each source.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@click.option("--device", help="cpu, the default, or a GPU such as cuda or cuda:1.")
@click.option(
    "--compute",
    type=click.Choice(["int8", "fp32", "bf16"]),
    help="Arithmetic, int8 or fp32 on a CPU and bf16 or fp32 on a GPU; the checkpoint's own by default.",
)
@click.option("--threads", type=click.IntRange(1), help="Processor threads; all by default.")
def calibrate(
    *,
    first: tuple[Path, ...],
    more: tuple[Path, ...],
    ckpt: str,
    base_model: Path | None,
    out: Path | None,
    rotations: int | None,
    letters: bool,
    split: Literal["train", "val", "test"],
    limit: int,
    seed: int,
    device: str | None,
    compute: str | None,
    threads: int | None,
) -> None:
    """Fit a checkpoint's temperatures on held-out records.

    One temperature for each kind of head, by likelihood; a kind with too few fields keeps its own. A backbone that
    nobody trained becomes a checkpoint by it.
    """
    from deg_core.engine.find import find
    from deg_core.evaluate import calibration
    from deg_core.evaluate.sampling import load_sample
    from deg_core.plugins import get_plugins

    given = Path(ckpt) if Path(ckpt).is_dir() else ckpt
    folder = find(given, get_plugins()).folder
    target = out or (folder if isinstance(given, Path) else None)
    if target is None:
        what = "an installed checkpoint" if folder is not None else "a backbone"
        raise click.UsageError(f"{ckpt!r} is {what}, which is not changed; give --out")
    records = load_sample((*first, *more), split=split, per_source=limit, seed=seed)
    model = load(ckpt, compute, threads, base_model, rotations, letters, device)
    with progress("reading", len(records)) as advance:
        gathered = calibration.gather(model, records, on_record=lambda _: advance())
    fits = calibration.calibrate(gathered, model.spec.temperatures)
    about = {"split": split, "records": gathered.records, "limit": limit, "seed": seed, "compute": model.compute}
    tensors = calibration.settings(model, fits)
    written = calibration.write_calibrated(folder, model.spec, target, fits, about=about, tensors=tensors)
    columns = ("head", "rows", "temperature", "was", "NLL", "ECE", "")
    print_table(
        columns,
        [
            (
                kind,
                found.rows,
                f"{found.temperature:.3f}",
                f"{found.old:.3f}",
                f"{found.before[0]:.4f} -> {found.after[0]:.4f}",
                f"{found.before[1]:.4f} -> {found.after[1]:.4f}",
                _note(found),
            )
            for kind, found in fits.items()
        ],
    )
    counts = {kind: len(rows) for kind, rows in gathered.rows.items()}
    counts |= {kind: len(rows) for kind, rows in gathered.spans.items()}
    for kind in sorted(set(counts) - set(fits)):
        kept = written.temperatures.get(kind, 1.0)
        click.echo(f"{kind}: {counts[kind]} rows are fewer than {calibration.FEWEST}; it stays at {kept:g}")
    if gathered.too_long:
        click.echo(f"{gathered.too_long} records were too long for the backbone and left out")
    click.echo(f"{target}: written")


def _note(found: Fit) -> str:
    notes = ["at the end of the range: check the records"] if found.at_bound else []
    if found.null_bias is not None:
        notes.append(f"null bias {found.null_bias:+.2f}; {found.missed} right spans were not among those compared")
    return "; ".join(notes)
