"""What a training run is: frozen settings, each with its meaning beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Source:
    """One file or folder of records and its weight in the mix."""

    path: Path
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """Settings of a run. Token counts are the backbone's own tokens."""

    out: Path  # where checkpoints, the state to resume from and log.jsonl go
    records: tuple[Source, ...]  # each step's records are drawn source by source, by weight
    backbone: str  # registry name of the family
    base_model: Path | None = None  # weights; None takes the family's own default
    steps: int = 1000
    budget: int = 2048  # tokens of trunks and forks in one step on one rank
    max_context_tokens: int = 1200  # records with longer contexts are cropped around a gold span
    record_fork_tokens: int = 640  # forks of one record beyond this are left out of this draw, at random
    array_mode: Literal["anchor", "index"] = "anchor"  # how arrays of extracted leaves find their items (SPEC 12.6)
    anchor_min_tokens: int = 0  # in anchor mode, whole contexts shorter than this are trained, and read, by index
    rank: int = 32  # LoRA rank
    alpha: float = 32.0  # LoRA scale is alpha / rank
    first_layer: int = 12  # layers below run without gradient and without adapters
    lr_adapters: float = 6e-4
    lr_heads: float = 1e-3
    warmup: int = 30  # steps
    schedule: Literal["cosine", "wsd"] = "wsd"  # wsd: constant, then linear to 0 over the last ``decay_frac``
    decay_frac: float = 0.25
    clip: float = 1.0
    # Span losses start near 2 log(tokens) and would drown yes/no, whose loss never exceeds log 2 by much.
    kind_weights: dict[str, float] = field(
        default_factory=lambda: {
            "choice": 1.5,
            "score": 1.0,
            "noul": 2.0,
            "extract": 0.6,
            "count": 0.5,
            "anchor": 1.0,
        }
    )
    heads: dict[str, str] = field(default_factory=dict)  # mode or array query -> registered head, if not deg's own
    seed: int = 0
    quantize_from: int | None = None  # from this step on, projections are trained as the int8 they will be served in
    save_minutes: float = 5.0
    threads: int | None = None
    device: str = "cpu"  # or "cuda", "cuda:1" and so on
    # Whether layers are run again in the backward pass instead of being kept; "auto": once a step did not fit.
    checkpoint_layers: Literal["auto", "always", "never"] = "auto"
    # Whether elementwise work is compiled (loops.py); "auto": on a CPU, where a run is long enough to earn it back.
    compile: Literal["auto", "always", "never"] = "auto"
    init: Path | None = None  # a checkpoint folder whose heads and adapters to start from

    @property
    def scale(self) -> float:
        """Factor of the adapters' contribution."""
        return self.alpha / self.rank
