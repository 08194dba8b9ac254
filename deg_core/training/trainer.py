"""The training loop: draw, pack, run, step, log, save."""

from __future__ import annotations

import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import torch
from torch import Tensor, nn

from deg_core.contract.plan import Mode
from deg_core.errors import TrainingError
from deg_core.plugins.checkpoint import read_checkpoint
from deg_core.plugins.manager import Plugins, get_plugins
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery, Head, HeadInit, Query
from deg_core.protocols.language import speaks
from deg_core.rendering.layout import Renderer
from deg_core.runtime.body import Body
from deg_core.runtime.device import device_named
from deg_core.training import checkpoint
from deg_core.training.adapters import Adapters, TrainingWeights
from deg_core.training.config import TrainConfig
from deg_core.training.data import Sampler
from deg_core.training.examples import ExampleBuilder
from deg_core.training.forward import packed_hidden
from deg_core.training.gold import Example
from deg_core.training.loops import EAGER, Loops, compiled
from deg_core.training.losses import ItemLoss, item_losses, total_loss
from deg_core.training.memory import named, ran_out, release
from deg_core.training.optim import build_optimizer, lr_factor, set_rates
from deg_core.training.packing import pack

HEADS: dict[Query, str] = {
    Mode.CHOICE: "choice",
    Mode.SCORE: "score",
    Mode.NOUL: "noul",
    Mode.SPAN: "extract",
    Mode.NUMBER: "extract",
    Mode.DATE: "extract",
    ArrayQuery.COUNT: "count",
    ArrayQuery.ANCHOR: "anchor",
}
WORTH_COMPILING = 200_000  # tokens of a run: compiling takes about as long as training 10,000
FRUITLESS = 1000  # draws in a row without anything to train, after which a run gives up


def chosen_heads(chosen: Mapping[str, str], init: Mapping[str, str] = MappingProxyType({})) -> dict[Query, str]:
    """The head for each query: the one that was chosen for it, that of the checkpoint to start from, or deg's own.
    Raises TrainingError."""
    queries = {query.value: query for query in HEADS}
    for name, head in chosen.items():
        if name not in queries:
            raise TrainingError(f"--head {name}={head}: nothing asks for {name!r}; allowed: {', '.join(queries)}")
        if "." in head:
            raise TrainingError(f"--head {name}={head}: a head whose name holds a dot cannot be trained")
    return {query: chosen.get(query.value, init.get(query.value, name)) for query, name in HEADS.items()}


class Trainer:
    """One run. Everything that is drawn or initialised follows from ``config.seed``."""

    def __init__(self, config: TrainConfig, *, on_step: Callable[[dict[str, Any]], None] | None = None) -> None:
        self.config = config
        self._on_step = on_step or (lambda entry: None)
        if config.threads:
            torch.set_num_threads(config.threads)
        plugins = get_plugins()
        self.family: Family = plugins.families.resolve(config.backbone)()
        source = config.base_model or self.family.default_source()
        if source is None:
            raise TrainingError(f"backbone {config.backbone} has no default weights; give --base-model PATH")
        self.base_source = source
        self.device = device_named(config.device)
        self.recompute = config.checkpoint_layers == "always"
        try:
            self._build(source, plugins)
        except (RuntimeError, MemoryError) as error:
            if not ran_out(error):
                raise
            raise TrainingError(f"backbone {config.backbone} does not fit into {named(self.device)}") from error
        self.sampler = Sampler(config.records, config.seed)
        self._rng = random.Random(config.seed + 1)
        self._typical: dict[str, float] = {}
        self.step = 0
        self.records_seen = 0
        self.seconds = 0.0
        self.stop = False  # set from a signal handler: finish the step, save, return
        if config.init is not None:
            checkpoint.load_trained(config.init, self.adapters, self.heads)
        checkpoint.resume(self)

    def _build(self, source: Path, plugins: Plugins) -> None:
        config, family = self.config, self.family
        model_config = family.read_config(source)
        weights = family.read_weights(source, model_config)
        weights.pop("lm_head", None)  # nothing is written here
        projections = family.projections(model_config)
        geometry = family.geometry(model_config)
        if config.first_layer >= len(geometry.layers):
            raise TrainingError(
                f"--first-layer {config.first_layer} leaves nothing to adapt: backbone {config.backbone} has "
                f"{len(geometry.layers)} layers, 0 to {len(geometry.layers) - 1}"
            )
        targets = {name: p for name, p in projections.items() if p.layer >= config.first_layer}
        generator = torch.Generator().manual_seed(config.seed)
        # What is random is drawn on the host, so that a seed means the same on every device.
        self.adapters = Adapters(targets, config.rank, generator).to(self.device)
        exact = [name for name, projection in projections.items() if not projection.quantize]
        self.weights = TrainingWeights(
            weights, self.adapters, config.scale, exact=exact, device=self.device, loops=_loops(config, self.device)
        )
        self.body = Body(family, model_config, self.weights, geometry, self.device)
        tokenizer = family.read_tokenizer(source)
        init = HeadInit(geometry.hidden_size, generator, lambda text: weights["embed"][tokenizer.encode(text)[0]])
        self.head_names = chosen_heads(config.heads, read_checkpoint(config.init).heads if config.init else {})
        names = dict.fromkeys(self.head_names.values())
        self.heads = nn.ModuleDict({name: plugins.heads.resolve(name, where="--head")(init) for name in names})
        self.heads.to(self.device)
        self.head_of = {query: cast("Head", self.heads[name]) for query, name in self.head_names.items()}
        for query, head in self.head_of.items():
            if query not in head.modes or speaks(head):
                why = "has nothing to train" if speaks(head) else f"answers {', '.join(sorted(head.modes))}"
                raise TrainingError(f"--head {query.value}={self.head_names[query]}: that head {why}")
        self.optimizer = build_optimizer(config, self.adapters.parameters(), self.heads.parameters())
        self.builder = ExampleBuilder(
            Renderer(family, tokenizer),
            max_context_tokens=config.max_context_tokens,
            record_fork_tokens=config.record_fork_tokens,
            anchors_from=config.anchor_min_tokens if config.array_mode == "anchor" else None,
        )

    def run(self) -> Path:
        """Train to ``config.steps``, or until ``stop`` is set, and return the last checkpoint's folder."""
        saved = time.monotonic()
        while self.step < self.config.steps and not self.stop:
            self._on_step(self._one_step())
            if time.monotonic() - saved > self.config.save_minutes * 60:
                checkpoint.save(self)
                saved = time.monotonic()
        return checkpoint.save(self)

    def _draw(self) -> list[Example]:
        """Examples of one step, up to the token budget."""
        examples: list[Example] = []
        room = self.config.budget
        fruitless = 0
        while True:
            example = self.builder.build(self.sampler.draw(), self._rng)
            if example is None:
                fruitless += 1
                if fruitless == FRUITLESS:
                    raise TrainingError(
                        f"{FRUITLESS} records in a row held nothing to train: schemas of x-generate fields only, "
                        "arrays whose items no span tells apart, texts beyond --max-context-tokens without spans"
                    )
                continue
            fruitless = 0
            examples.append(example)
            room -= example.tokens
            if room < self.config.budget // 8:
                return examples

    def _one_step(self) -> dict[str, Any]:
        began = time.monotonic()
        config = self.config
        if config.quantize_from is not None:
            self.weights.quantized = self.step >= config.quantize_from
        set_rates(self.optimizer, lr_factor(config, self.step))
        before = self._position()
        examples = self._draw()
        learnt = self._learn(examples)
        if learnt is None and not self.recompute and config.checkpoint_layers == "auto":
            self.recompute = True
            release(self.device)
            learnt = self._learn(examples)
        if learnt is None:
            self._go_back(before)
            raise self._too_large(f"The run is saved as it was before that step, in {checkpoint.save(self)}")
        norm = self._update()
        self.step += 1
        self.records_seen += len(examples)
        tokens = sum(example.tokens for example in examples)
        took = time.monotonic() - began
        self.seconds += took
        entry = {
            "step": self.step,
            "loss": round(learnt.loss, 4),
            "lr": lr_factor(config, self.step - 1),
            "grad": round(norm, 3),
            "records": self.records_seen,
            "tokens": tokens,
            "tokens_per_s": round(tokens / took, 1),
            "seconds": round(self.seconds, 1),
            **({"checkpoint_layers": True} if self.recompute else {}),
            **learnt.means,
        }
        self._log(entry)
        return entry

    def loss(self, examples: Sequence[Example]) -> tuple[Tensor, list[ItemLoss]]:
        """The loss of a step on these examples, and of what it is made."""
        batch = pack(examples).to(self.device)
        hidden = packed_hidden(self.body, batch, self.config.first_layer, recompute=self.recompute)
        items = item_losses(hidden, batch, examples, self.head_of)
        self._typical = _followed(self._typical, items)
        return total_loss(items, self._typical, self.config.kind_weights), items

    def _learn(self, examples: Sequence[Example]) -> _Learnt | None:
        """Gradients of these examples. None, and no gradients, where memory ran out."""
        typical = self._typical
        self.optimizer.zero_grad(set_to_none=True)
        try:
            loss, items = self.loss(examples)
            value = loss.item()
            if not math.isfinite(value):
                uids = ", ".join(example.uid for example in examples)
                raise TrainingError(f"the loss became {value} at step {self.step}; records: {uids}")
            loss.backward()
            return _Learnt(value, _means(items))
        except (RuntimeError, MemoryError) as error:
            if not ran_out(error):
                raise
        self.optimizer.zero_grad(set_to_none=True)
        self._typical = typical
        return None  # and with this frame goes what its graph held on to

    def _update(self) -> float:
        """One step of the optimizer; the gradients' norm before it was clipped. Memory that runs out in here may leave
        half a step, so nothing is saved then."""
        try:
            parameters = [*self.adapters.parameters(), *self.heads.parameters()]
            norm = float(nn.utils.clip_grad_norm_(parameters, self.config.clip))
            self.optimizer.step()
        except (RuntimeError, MemoryError) as error:
            if not ran_out(error):
                raise
            raise self._too_large(f"That step is not saved; an earlier one may be, in {self.config.out}") from error
        return norm

    def _too_large(self, then: str) -> TrainingError:
        config = self.config
        hints = "lower --budget, --max-context-tokens or --record-fork-tokens"
        if not self.recompute:
            hints += ", or leave out --checkpoint-layers never"
        return TrainingError(
            f"step {self.step} with --budget {config.budget} does not fit into {named(self.device)}: {hints}. {then}"
        )

    def _position(self) -> tuple[Any, ...]:
        """Where the draws are, and what follows from them."""
        return self.sampler.state(), self._rng.getstate(), self._typical

    def _go_back(self, position: tuple[Any, ...]) -> None:
        sampler, rng, self._typical = position
        self.sampler.restore(sampler)
        self._rng.setstate(rng)

    def _log(self, entry: dict[str, Any]) -> None:
        with (self.config.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")


def _loops(config: TrainConfig, device: torch.device) -> Loops:
    """The elementwise parts as the configuration has them. Raises TrainingError where they cannot be compiled but
    must."""
    wanted = device.type == "cpu" and config.steps * config.budget >= WORTH_COMPILING
    if config.compile == "never" or (config.compile == "auto" and not wanted):
        return EAGER
    try:
        return compiled()
    except (RuntimeError, OSError) as error:
        if config.compile == "auto":
            return EAGER
        raise TrainingError(f"--compile always, but torch could not compile: {error}") from error


@dataclass(frozen=True, slots=True)
class _Learnt:
    """Of a step whose gradients are there: its loss, and the means of what it is made of."""

    loss: float
    means: dict[str, float]


def _followed(typical: Mapping[str, float], items: Sequence[ItemLoss]) -> dict[str, float]:
    """The running mean of the number of items of each kind, with those of one more step."""
    counts: dict[str, int] = defaultdict(int)
    for item in items:
        counts[item.kind] += 1
    return {
        kind: 0.98 * typical.get(kind, float(counts[kind])) + 0.02 * counts[kind]
        for kind in typical.keys() | counts.keys()
    }


def _means(items: Sequence[ItemLoss]) -> dict[str, float]:
    """Mean loss by kind, and by kind and source, as flat log entries."""
    groups: dict[str, list[float]] = defaultdict(list)
    values = torch.stack([item.loss.detach() for item in items]).tolist()  # one wait for a GPU, not one an item
    for item, value in zip(items, values, strict=True):
        kind = item.kind + ("/null" if item.absent else "")
        for key in (kind, f"{kind}@{item.source}"):
            groups[key].append(value)
    return {key: round(sum(values) / len(values), 4) for key, values in sorted(groups.items())}
