"""The training loop: draw, pack, run, step, log, save."""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import torch
from torch import nn

from deg_core.contract.plan import Mode
from deg_core.errors import TrainingError
from deg_core.plugins.manager import Plugins, get_plugins
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery, Head, HeadInit, Query
from deg_core.protocols.language import speaks
from deg_core.rendering.layout import Renderer
from deg_core.runtime.body import Body
from deg_core.training import checkpoint
from deg_core.training.adapters import Adapters, TrainingWeights
from deg_core.training.config import TrainConfig
from deg_core.training.data import Sampler
from deg_core.training.examples import ExampleBuilder
from deg_core.training.forward import packed_hidden
from deg_core.training.gold import Example
from deg_core.training.losses import ItemLoss, item_losses, total_loss
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
FRUITLESS = 1000  # draws in a row without anything to train, after which a run gives up


def chosen_heads(chosen: Mapping[str, str]) -> dict[Query, str]:
    """The head for each query: deg's own, or the one that was chosen for it. Raises TrainingError."""
    queries = {query.value: query for query in HEADS}
    for name, head in chosen.items():
        if name not in queries:
            raise TrainingError(f"--head {name}={head}: nothing asks for {name!r}; allowed: {', '.join(queries)}")
        if "." in head:
            raise TrainingError(f"--head {name}={head}: a head whose name holds a dot cannot be trained")
    return {query: chosen.get(query.value, name) for query, name in HEADS.items()}


class Trainer:
    """One run. Everything that is drawn or initialised follows from ``config.seed``."""

    def __init__(self, config: TrainConfig, *, on_step: Callable[[dict[str, Any]], None] | None = None) -> None:
        self.config = config
        self._on_step = on_step or (lambda entry: None)
        if config.threads:
            torch.set_num_threads(config.threads)
        plugins = get_plugins()
        self.family: Family = plugins.families.resolve(config.backbone)()
        if not self.family.capabilities.packed_training:
            raise TrainingError(f"backbone {config.backbone} has state layers; packed training needs attention only")
        source = config.base_model or self.family.default_source()
        if source is None:
            raise TrainingError(f"backbone {config.backbone} has no default weights; give --base-model PATH")
        self.base_source = source
        self._build(source, plugins)
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
        projections = family.projections(model_config)
        targets = {name: p for name, p in projections.items() if p.layer >= config.first_layer}
        generator = torch.Generator().manual_seed(config.seed)
        self.adapters = Adapters(targets, config.rank, generator)
        self.weights = TrainingWeights(weights, self.adapters, config.scale)
        geometry = family.geometry(model_config)
        self.body = Body(family, model_config, self.weights, geometry)
        tokenizer = family.read_tokenizer(source)
        init = HeadInit(geometry.hidden_size, generator, lambda text: weights["embed"][tokenizer.encode(text)[0]])
        self.head_names = chosen_heads(config.heads)
        names = dict.fromkeys(self.head_names.values())
        self.heads = nn.ModuleDict({name: plugins.heads.resolve(name, where="--head")(init) for name in names})
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
        examples = self._draw()
        batch = pack(examples)
        hidden = packed_hidden(self.body, batch, config.first_layer)
        items = item_losses(hidden, batch, examples, self.head_of)
        self._track_typical(items)
        loss = total_loss(items, self._typical, config.kind_weights)
        if not torch.isfinite(loss):
            uids = ", ".join(example.uid for example in examples)
            raise TrainingError(f"the loss became {loss.item()} at step {self.step}; records: {uids}")
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_([*self.adapters.parameters(), *self.heads.parameters()], config.clip)
        self.optimizer.step()
        self.step += 1
        self.records_seen += len(examples)
        took = time.monotonic() - began
        self.seconds += took
        tokens = len(batch.ids)
        entry = {
            "step": self.step,
            "loss": round(loss.item(), 4),
            "lr": lr_factor(config, self.step - 1),
            "grad": round(float(norm), 3),
            "records": self.records_seen,
            "tokens": tokens,
            "tokens_per_s": round(tokens / took, 1),
            "seconds": round(self.seconds, 1),
            **_means(items),
        }
        self._log(entry)
        return entry

    def _track_typical(self, items: Sequence[ItemLoss]) -> None:
        counts: dict[str, int] = defaultdict(int)
        for item in items:
            counts[item.kind] += 1
        for kind in self._typical.keys() | counts.keys():
            before = self._typical.get(kind, float(counts[kind]))
            self._typical[kind] = 0.98 * before + 0.02 * counts[kind]

    def _log(self, entry: dict[str, Any]) -> None:
        with (self.config.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")


def _means(items: Sequence[ItemLoss]) -> dict[str, float]:
    """Mean loss by kind, and by kind and source, as flat log entries."""
    groups: dict[str, list[float]] = defaultdict(list)
    for item in items:
        kind = item.kind + ("/null" if item.absent else "")
        for key in (kind, f"{kind}@{item.source}"):
            groups[key].append(item.loss.item())
    return {key: round(sum(values) / len(values), 4) for key, values in sorted(groups.items())}
