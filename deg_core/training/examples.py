"""From a record to trunk, forks and targets, in the layout that inference uses."""

from __future__ import annotations

import random
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import msgspec
import torch

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan, FillPlan, Mode
from deg_core.protocols.head import Target
from deg_core.records.record import Record
from deg_core.rendering.layout import ForkLayout, Renderer, TrunkLayout, cover

MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class ForkExample:
    """One field to train: its fork, its gold, and the head kind that answers it."""

    field: FieldPlan
    layout: ForkLayout
    target: Target


@dataclass(frozen=True, slots=True)
class Example:
    """One record as it is trained in one draw."""

    uid: str
    source: str
    trunk: TrunkLayout
    forks: tuple[ForkExample, ...]

    @property
    def tokens(self) -> int:
        return len(self.trunk.ids) + sum(len(fork.layout.ids) for fork in self.forks)


def resolve(value: Any, field: FieldPlan) -> Any:
    """The value at a leaf outside arrays, or ``MISSING``."""
    for step in field.path:
        if not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value


def same_json(a: Any, b: Any) -> bool:
    """JSON equality of scalars: 1 equals 1.0, true does not equal 1."""
    return isinstance(a, bool) == isinstance(b, bool) and a == b


class ExampleBuilder:
    """Builds examples; schemas that recur are compiled once."""

    def __init__(self, renderer: Renderer, *, max_context_tokens: int, record_fork_tokens: int) -> None:
        self._renderer = renderer
        self._max_context = max_context_tokens
        self._fork_tokens = record_fork_tokens
        self._plans: OrderedDict[bytes, FillPlan] = OrderedDict()

    def build(self, record: Record, rng: random.Random) -> Example | None:
        """One draw of ``record``: a window when the context is too long, options shuffled, a random subset of forks
        when they exceed their room. None when nothing of it can be trained."""
        context, spans, cropped = self._window(record, rng)
        trunk = self._renderer.trunk(context)
        forks: list[ForkExample] = []
        for field in self._plan(record).fields:
            if any(not isinstance(step, str) for step in field.path) or field.mode is Mode.GENERATE:
                continue  # items of arrays and written text have their own training
            layout = self._renderer.fork(field, shuffle=rng.shuffle)
            target = self._target(record, field, layout, trunk, spans, cropped)
            if target is not None:
                forks.append(ForkExample(field, layout, target))
        rng.shuffle(forks)
        kept: list[ForkExample] = []
        room = self._fork_tokens
        for fork in forks:
            if not kept or len(fork.layout.ids) <= room:
                kept.append(fork)
                room -= len(fork.layout.ids)
        return Example(record.uid, record.source, trunk, tuple(kept)) if kept else None

    def _plan(self, record: Record) -> FillPlan:
        key = msgspec.json.encode(record.schema)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = compile_schema(record.schema)
            if len(self._plans) > 4096:
                self._plans.popitem(last=False)
        return plan

    def _window(self, record: Record, rng: random.Random) -> tuple[str, dict[str, list[tuple[int, int]]], bool]:
        """The context to train on and each pointer's gold places in it. A long context is cut to a window around one
        gold span picked at random; what the window does not show is then left out, never trained as absent."""
        spans = {pointer: [span, *record.span_alternatives.get(pointer, ())] for pointer, span in record.spans.items()}
        text, limit = record.context, self._max_context
        if len(text.encode()) <= limit:  # a token holds at least one byte
            return text, spans, False
        offsets = self._renderer.trunk(text).offsets
        if len(offsets) <= limit:
            return text, spans, False
        gold = [span for places in spans.values() for span in places]
        first, last = cover(offsets, *rng.choice(gold)) if gold else (0, 0)
        low, high = max(0, last + 1 - limit), min(first, len(offsets) - limit)
        at = rng.randint(low, high) if low <= high else low
        start, stop = self._fit(text, offsets, at, limit)
        shifted = {
            pointer: [(s - start, e - start) for s, e in places if s >= start and e <= stop]
            for pointer, places in spans.items()
        }
        return text[start:stop], {p: places for p, places in shifted.items() if places}, True

    def _fit(self, text: str, offsets: tuple[tuple[int, int], ...], at: int, limit: int) -> tuple[int, int]:
        """The window of ``limit`` tokens from token ``at`` on, in code points. Cut out of its text a window may split
        into a few more tokens at its edges, so it is shortened until it fits."""
        start, stop = offsets[at][0], offsets[at + limit - 1][1]
        while (excess := len(self._renderer.trunk(text[start:stop]).offsets) - limit) > 0:
            stop = max(start, stop - excess)
        return start, stop

    def _target(
        self,
        record: Record,
        field: FieldPlan,
        layout: ForkLayout,
        trunk: TrunkLayout,
        spans: dict[str, list[tuple[int, int]]],
        cropped: bool,
    ) -> Target | None:
        value = resolve(record.value, field)
        if field.mode.extracts:
            return self._extract_target(record, field, trunk, spans, value, cropped)
        if value is MISSING or cropped:
            return None  # the evidence of a decision has no span, so a window may not show it
        count = {Mode.NOUL: 2, Mode.CHOICE: len(field.options)}.get(field.mode, len(field.levels) + field.null_outcome)
        probs = record.decide_probs.get(field.pointer)
        if probs is None:
            index = _outcome(field, value)
            if index is None:
                return None
            probs = [float(i == index) for i in range(count)]
        if field.mode is not Mode.NOUL:
            probs = [probs[i] for i in layout.order]
        return Target(torch.tensor(probs))

    def _extract_target(
        self,
        record: Record,
        field: FieldPlan,
        trunk: TrunkLayout,
        spans: dict[str, list[tuple[int, int]]],
        value: Any,
        cropped: bool,
    ) -> Target | None:
        places = spans.get(field.pointer, [])
        if not places:
            absent = value is MISSING or value is None
            return Target(torch.empty(0)) if absent and not cropped else None
        covers = [cover(trunk.offsets, start, end) for start, end in places]
        probs = record.span_probs.get(field.pointer, []) if not cropped else []
        return Target(torch.tensor(probs), tuple(s for s, _ in covers), tuple(e for _, e in covers))


def _outcome(field: FieldPlan, value: Any) -> int | None:
    """Index of the gold outcome in plan order; None when the value is not among them."""
    if field.mode is Mode.NOUL:
        return {True: 0, False: 1}.get(value) if isinstance(value, bool) else None
    if field.mode is Mode.SCORE:
        if value is None:
            return len(field.levels) if field.null_outcome else None
        return field.levels.index(value) if value in field.levels else None
    return next((i for i, option in enumerate(field.options) if same_json(option, value)), None)
