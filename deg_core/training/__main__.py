"""``python -m deg_core.training`` (or ``torchrun -m deg_core.training``): train heads and adapters on records."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from deg_core.errors import DegError
from deg_core.hub import resolve_source
from deg_core.training.config import Source, TrainConfig


def parse_source(text: str) -> Source:
    """``PATH`` or ``PATH:WEIGHT``."""
    path, colon, weight = text.rpartition(":")
    try:
        return Source(Path(path), float(weight)) if colon else Source(Path(text))
    except ValueError:
        return Source(Path(text))


def parse_weight(text: str) -> tuple[str, float]:
    """``KIND=WEIGHT`` of a head kind's loss."""
    kind, _, weight = text.partition("=")
    return kind, float(weight)


def parse_head(text: str) -> tuple[str, str]:
    """``MODE=NAME``: the head that answers a mode, or a query about arrays."""
    mode, equals, name = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not MODE=NAME, such as decide.choice=acme-choice")
    return mode, name


def parser() -> argparse.ArgumentParser:
    """The flags of SPEC 12.4 that this trainer has."""
    made = argparse.ArgumentParser(prog="deg train", description=__doc__)
    made.add_argument("--backbone", default="smollm2-135m", help="registered family to train on")
    made.add_argument("--base-model", type=Path, help="its weights, if not the family's own: a path or hub id")
    made.add_argument("--records", type=parse_source, action="append", required=True, metavar="PATH[:WEIGHT]")
    made.add_argument("--out", type=Path, required=True, help="run folder; an earlier run in it is resumed")
    defaults = TrainConfig(out=Path(), records=(), backbone="")
    plain = {
        "steps": int, "budget": int, "max_context_tokens": int, "record_fork_tokens": int, "anchor_min_tokens": int,
        "first_layer": int, "alpha": float, "lr_adapters": float, "lr_heads": float, "warmup": int,
        "decay_frac": float, "clip": float, "seed": int, "quantize_from": int, "save_minutes": float, "threads": int,
        "init": Path,
    }  # fmt: skip
    made.add_argument("--lora-rank", type=int, dest="rank", default=defaults.rank)
    made.add_argument("--kind-weight", type=parse_weight, action="append", default=[], metavar="KIND=WEIGHT")
    made.add_argument("--head", type=parse_head, action="append", default=[], metavar="MODE=NAME")
    made.add_argument("--array-mode", choices=("anchor", "index"), default=defaults.array_mode)
    made.add_argument("--device", default=defaults.device, help="cpu, cuda, cuda:1 and so on")
    made.add_argument("--compile", choices=("auto", "always", "never"), default=defaults.compile)
    made.add_argument("--checkpoint-layers", choices=("auto", "always", "never"), default=defaults.checkpoint_layers)
    made.add_argument("--schedule", choices=("cosine", "wsd"), default=defaults.schedule)
    for name, kind in plain.items():
        made.add_argument("--" + name.replace("_", "-"), type=kind, default=getattr(defaults, name))
    return made


def main(arguments: list[str] | None = None) -> int:
    """Train; 0 when the run reached its last step or was stopped by a signal after saving, 2 on bad input."""
    settings = vars(parser().parse_args(arguments))
    console = Console(stderr=True)
    try:
        from deg_core.training.trainer import Trainer

        weights = TrainConfig(out=Path(), records=(), backbone="").kind_weights | dict(settings.pop("kind_weight"))
        settings["heads"] = dict(settings.pop("head"))
        if settings["base_model"] is not None:
            settings["base_model"] = resolve_source(settings["base_model"])
        config = TrainConfig(**settings | {"records": tuple(settings["records"]), "kind_weights": weights})
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console) as progress:
            task = progress.add_task("loading", total=config.steps)

            def show(entry: dict[str, object]) -> None:
                text = f"loss {entry['loss']:.3f}  {entry['tokens_per_s']:.0f} tok/s"
                progress.update(task, completed=int(str(entry["step"])), description=text)

            trainer = Trainer(config, on_step=show)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: setattr(trainer, "stop", True))
            folder = trainer.run()
    except DegError as error:
        console.print(str(error), style="red", highlight=False)
        return 2
    console.print(f"saved {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
