"""Requests whose heads are scripted: the real rounds, forks, decoders and settling, with raw outputs made by hand.

A script maps what a fork asks to an answer. Keys are ``"anchor /rows"``, ``"count /rows"`` and, for leaves, the pointer
as the fork shows it (``"/rows/*/name"``); values are answers or functions of the fork that give one:

- anchor: the words that items start at, each at its first place in the fork's region after the one before;
- count: a number, or logits;
- extracted leaf: the words to point at, at their first place in the region, or anywhere if it lacks them; None is null;
- decided leaf: the value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import torch
from torch import Tensor

from deg_backbones.llama.model import LlamaFamily
from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan, FillPlan, Mode
from deg_core.contract.request import Options, parse_options
from deg_core.engine.assemble import assemble, check
from deg_core.engine.decide import decide
from deg_core.engine.extract import extract
from deg_core.engine.fields import Ask, ReadContext
from deg_core.engine.rounds import RawField, Run, Settings
from deg_core.engine.settle import Settled, settle
from deg_core.errors import FillError
from deg_core.plugins import get_plugins
from deg_core.protocols.head import MAX_COUNT, ArrayQuery
from deg_core.rendering.layout import Renderer, cover
from tests.fixtures.tiny import tiny_tokenizer

RENDERER = Renderer(LlamaFamily(), tiny_tokenizer())
FAR = -40.0


@dataclass(frozen=True)
class Fork:
    """One query as the model reads it. ``words`` is the text of its region."""

    ask: Ask
    lines: list[str]
    words: str

    @property
    def key(self) -> str:
        pointer = self.lines[0].split(" ", 1)[1]
        return pointer if isinstance(self.ask.query, Mode) else f"{self.ask.query.value} {pointer}"

    @property
    def places(self) -> list[str]:
        return [line for line in self.lines if line.startswith("ITEM ") and not line.startswith("ITEM FIELDS")]

    def first(self, pattern: str) -> str | None:
        """The first match of a pattern in the fork's region."""
        match = re.search(pattern, self.words)
        return match.group() if match else None


Says: TypeAlias = Mapping[str, Any]


@dataclass
class Scripted:
    """A request on its way to values. ``rounds`` are the forks of each round."""

    text: str
    plan: FillPlan
    run: Run
    says: Says
    rounds: list[list[Fork]] = field(default_factory=list)

    def ask(self) -> Scripted:
        """Ask everything, round by round."""
        asking = self.run.rounds()
        asks = next(asking, None)
        while asks is not None:
            forks = [self._fork(ask) for ask in asks]
            self.rounds.append(forks)
            try:
                asks = asking.send([self._answer(fork) for fork in forks])
            except StopIteration:
                asks = None
        return self

    def settled(self, lacks: Callable[[str, str], bool] = lambda pointer, item: False) -> Settled:
        """The values. ``lacks`` says of a leaf's pointer and its innermost item line that it has no valid value."""

        def decoded(raw: RawField) -> Any:
            lines = RENDERER.tokenizer.decode(raw.layout.ids).splitlines()
            places = [line for line in lines if line.startswith("ITEM ")] or [""]
            if lacks(lines[0].removeprefix("FIELD "), places[-1]):
                raise FillError("nothing", pointer=raw.field.pointer)
            return self._decode(raw)

        return settle(self.run.shape, self.run.root, decoded)

    def value(self, settled: Settled | None = None) -> dict[str, Any]:
        """The assembled value, checked; the first failure is raised."""
        settled = settled or self.settled()
        for failure in settled.failures:
            raise failure
        value = assemble(self.plan, settled.values, settled.items)
        check(self.plan, value)
        return value

    @property
    def forks(self) -> list[Fork]:
        return [fork for forks in self.rounds for fork in forks]

    def keys(self) -> list[list[str]]:
        """What each round asked."""
        return [[fork.key for fork in forks] for forks in self.rounds]

    def _decode(self, raw: RawField) -> Any:
        if raw.field.mode.extracts:
            return extract(raw.field, raw.logits, self.run.spans, 1.0)
        return decide(raw.field, raw.logits.tolist(), raw.layout.order, 1.0)

    def _fork(self, ask: Ask) -> Fork:
        lines = RENDERER.tokenizer.decode(ask.layout.ids).splitlines()
        return Fork(ask, lines, self.text[slice(*self._points(ask.region))])

    def _points(self, region: tuple[int, int] | None) -> tuple[int, int]:
        """A region in code points."""
        offsets = self.run.context.layout.offsets
        if region is None or region[0] >= region[1]:
            return (0, len(self.text)) if region is None else (0, 0)
        return offsets[region[0]][0], offsets[region[1] - 1][1]

    def _answer(self, fork: Fork) -> Tensor:
        says = self.says[fork.key]
        says = says(fork) if isinstance(says, Callable) else says
        if fork.ask.query is ArrayQuery.ANCHOR:
            return self._anchors(fork, says)
        if fork.ask.query is ArrayQuery.COUNT:
            return says if isinstance(says, Tensor) else counted(says)
        return self._extracted(fork, says) if fork.ask.query.extracts else self._decided(fork, says)

    def _anchors(self, fork: Fork, says: list[str]) -> Tensor:
        offsets = self.run.context.layout.offsets
        assert fork.ask.region is not None
        logits = torch.full((len(offsets),), -math.inf)
        logits[slice(*fork.ask.region)] = -6.0
        at = self._points(fork.ask.region)[0]
        for number, words in enumerate(says):
            at = self.text.index(words, at)
            logits[cover(offsets, at, at + len(words))[0]] = 6.0 - number / 100
            at += len(words)
        return logits

    def _extracted(self, fork: Fork, says: str | None) -> Tensor:
        offsets = self.run.context.layout.offsets
        logits = torch.full((2, len(offsets) + 1), FAR)
        logits[:, -1] = 0.0
        if says is not None:
            begin, end = self._points(fork.ask.region)
            at = self.text.find(says, begin, end)
            at = self.text.index(says) if at < 0 else at
            first, last = cover(offsets, at, at + len(says))
            logits[0, first] = logits[1, last] = 9.0
        return logits

    def _decided(self, fork: Fork, says: Any) -> Tensor:
        if fork.ask.query is Mode.NOUL:
            return torch.tensor([4.0 if says else -4.0, 0.0])
        leaf = self._leaf(fork)
        outcomes = [*(leaf.options or leaf.levels), *([None] if leaf.null_outcome else [])]
        return torch.tensor([5.0 if outcomes[index] == says else 0.0 for index in fork.ask.layout.order])

    def _leaf(self, fork: Fork) -> FieldPlan:
        steps = fork.key.split("/")
        return next(
            leaf
            for leaf in self.plan.fields
            if len(steps) == len(names := leaf.pointer.split("/"))
            and all(name in ("*", step) for name, step in zip(names, steps, strict=True))
        )


def counted(number: int) -> Tensor:
    logits = torch.zeros(MAX_COUNT + 1)
    logits[number] = 9.0
    return logits


def scripted(
    text: str,
    schema: Mapping[str, Any],
    says: Says,
    *,
    anchors: bool = True,
    anchor_min_tokens: int = 0,
    decoder: str = "threshold",
    **options: Any,
) -> Scripted:
    """A request whose queries are all answered. ``options`` are those of a request."""
    plan = compile_schema(schema)
    parsed: Options = parse_options(options)
    settings = Settings(
        anchors=anchors,
        anchor_min_tokens=anchor_min_tokens,
        decoder=get_plugins().array_decoders.resolve(decoder)(),
        keep_order=False,
    )
    read = ReadContext(RENDERER.trunk(text), None, {})  # type: ignore[arg-type]
    return Scripted(text, plan, Run(plan, read, RENDERER, parsed, settings), says).ask()


def document(required: list[str] | None = None, /, **properties: Any) -> dict[str, Any]:
    """An object's schema; all properties are required unless said otherwise."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
    }


def array(items: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}
