"""Tokens a second of a backbone's trunk and forks, beside ``transformers``' own forward of the same weights.

Both run in this process, on one thread, turn by turn, and what counts is processor time, so that other work on the
machine changes little. The trunk is one text; the peer reads it in one pass without a cache. Forks continue that text;
the peer reads as many rows of their length as a batch, without the text before them, which is less work.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from deg_core.errors import UnsupportedError
from deg_core.kernels.int8 import QuantizedWeight, quantize_weight
from deg_core.kernels.testing import relative_error
from deg_core.protocols.family import Family
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights
from deg_core.training.adapters import Adapters, TrainingWeights

ARITHMETICS: Final = ("fp32", "bf16", "int8")
PEER_TYPES: Final = {"fp32": torch.float32, "bf16": torch.bfloat16}
VOCABULARY: Final = 8192  # of random weights: embeddings are looked up, so their number costs nothing here
COLUMNS: Final = (
    "pass",
    "arithmetic",
    "deg tokens/s",
    "transformers fp32",
    "bf16",
    "deg / fp32",
    "deg / bf16",
    "error",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is read: a trunk of ``trunk`` tokens and ``forks`` forks of ``fork`` tokens, ``rounds`` times."""

    trunk: int = 512
    forks: int = 8
    fork: int = 48
    rounds: int = 3

    def ids(self, vocabulary: int) -> tuple[list[int], list[list[int]]]:
        """The trunk's tokens and the forks'."""
        generator = torch.Generator().manual_seed(0)
        drawn = torch.randint(min(vocabulary, VOCABULARY), (self.trunk + self.forks * self.fork,), generator=generator)
        return drawn[: self.trunk].tolist(), drawn[self.trunk :].view(self.forks, self.fork).tolist()


@dataclass(slots=True)
class Times:
    """The least processor time of a pass in seconds, by engine and arithmetic, such as ("deg", "int8"); ``error`` is
    how far deg's hidden states of the trunk are from the peer's in fp32."""

    trunk: dict[tuple[str, str], float] = field(default_factory=dict)
    forks: dict[tuple[str, str], float] = field(default_factory=dict)
    error: dict[str, float] = field(default_factory=dict)

    def note(self, engine: tuple[str, str], trunk: float, forks: float) -> None:
        """Keep the lesser of these times and those before."""
        for kept, taken in ((self.trunk, trunk), (self.forks, forks)):
            kept[engine] = min(taken, kept.get(engine, math.inf))

    def rows(self, work: Work) -> list[tuple[str, ...]]:
        """The table, its columns as in ``COLUMNS``."""
        made = []
        for name, tokens, taken in (("trunk", work.trunk, self.trunk), ("forks", work.forks * work.fork, self.forks)):
            for arithmetic in [each for engine, each in taken if engine == "deg"]:
                own = taken["deg", arithmetic]
                peers = [taken.get(("transformers", each)) for each in PEER_TYPES]
                speeds = [f"{tokens / seconds:.0f}" if seconds else "" for seconds in (own, *peers)]
                ratios = [f"{seconds / own:.2f}" if seconds else "" for seconds in peers]
                made.append((name, arithmetic, *speeds, *ratios, f"{self.error[arithmetic]:.1e}"))
        return made

    def as_dict(self) -> dict[str, Any]:
        """Seconds and errors, for a report."""
        flat = {
            name: {f"{engine} {arithmetic}": seconds for (engine, arithmetic), seconds in taken.items()}
            for name, taken in (("trunk_s", self.trunk), ("forks_s", self.forks))
        }
        return {**flat, "error": self.error}


def write_random(folder: Path, shape: Mapping[str, Any], *, layers: int | None) -> int:
    """A snapshot of random weights in bf16, in the layout in which ``transformers`` publishes them, of the first
    ``layers`` layers of a ``config.json``. Returns how many those are. Raises UnsupportedError without the library."""
    AutoConfig, AutoModel = _transformers()
    config = {**shape, "vocab_size": VOCABULARY, "pad_token_id": None, "bos_token_id": None, "eos_token_id": None}
    config["num_hidden_layers"] = min(layers or shape["num_hidden_layers"], shape["num_hidden_layers"])
    config["layer_types"] = list(shape["layer_types"])[: config["num_hidden_layers"]]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    torch.manual_seed(0)
    model = AutoModel.from_config(AutoConfig.from_pretrained(folder), dtype=torch.bfloat16)
    model.save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")  # as it is published
    return int(config["num_hidden_layers"])


def measure(family: Family, snapshot: Path, work: Work, arithmetics: tuple[str, ...], *, peer: bool = True) -> Times:
    """Time all passes of a snapshot's weights on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _measure(family, snapshot, work, arithmetics, peer)
    finally:
        torch.set_num_threads(before)


@torch.inference_mode()
def _measure(family: Family, snapshot: Path, work: Work, arithmetics: tuple[str, ...], peer: bool) -> Times:
    config = family.read_config(snapshot)
    ids, forks = work.ids(family.geometry(config).vocab_size)
    times, exact = Times(), None
    for arithmetic in arithmetics:
        body = _body(family, config, family.read_weights(snapshot, config), arithmetic)
        model = _peer(snapshot, PEER_TYPES[arithmetic]) if peer and arithmetic in PEER_TYPES else None
        state = prefill(body, ids)
        trunk, found = partial(prefill, body, ids), partial(run_forks, body, [(state, fork) for fork in forks])
        found()  # what is arranged at the first call is not counted
        for _ in range(work.rounds):
            times.note(("deg", arithmetic), _seconds(trunk), _seconds(found))
            if model is not None:
                reads = (partial(model, torch.tensor([ids])), partial(model, torch.tensor(forks)))
                times.note(("transformers", arithmetic), *map(_seconds, reads))
        if model is not None and arithmetic == "fp32":
            exact = model(torch.tensor([ids]))[0].float()
        times.error[arithmetic] = relative_error(state.hidden_PD.float(), exact) if exact is not None else math.nan
    return times


def _body(family: Family, config: Any, weights: dict[str, Tensor], arithmetic: str) -> Body:
    geometry = family.geometry(config)
    if arithmetic == "bf16":  # that of training, without adapters
        return Body(family, config, TrainingWeights(weights, Adapters({}, 1, torch.Generator()), 1.0), geometry)
    embedding, head = weights.pop("embed"), weights.pop("lm_head", None)
    matrices: dict[str, Tensor | QuantizedWeight] = {}
    for name, projection in family.projections(config).items():
        matrix = weights.pop(name).float()
        rounded = arithmetic == "int8" and projection.quantize
        matrices[name] = quantize_weight(matrix).keep_packed() if rounded else matrix
    return Body(family, config, ServingWeights(matrices, weights, embedding, head), geometry)


def _peer(snapshot: Path, dtype: torch.dtype) -> Callable[[Tensor], Tensor]:
    model = _transformers()[1].from_pretrained(snapshot, dtype=dtype).eval().base_model

    def read(ids: Tensor) -> Tensor:
        hidden: Tensor = model(ids, use_cache=False).last_hidden_state
        return hidden

    return read


def _transformers() -> tuple[Any, Any]:
    try:
        from transformers import AutoConfig, AutoModelForCausalLM
        from transformers.utils import logging
    except ImportError as error:
        raise UnsupportedError("this compares with transformers, which is not installed; --no-peer leaves it out, "
                               "with --snapshot") from error  # fmt: skip
    logging.disable_progress_bar()
    return AutoConfig, AutoModelForCausalLM


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start
