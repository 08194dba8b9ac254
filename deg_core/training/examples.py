"""From a record to trunk, forks and targets, in the layout that inference uses."""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import torch

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import ITEM, FieldPlan, FillPlan, Mode, Step, pointer
from deg_core.protocols.head import Target
from deg_core.records.record import Record
from deg_core.rendering.layout import ForkLayout, Renderer, cover
from deg_core.rendering.places import Place
from deg_core.training.arrays import ArrayForks
from deg_core.training.gold import MISSING, Draw, Example, ForkExample, resolve


def same_json(a: Any, b: Any) -> bool:
    """JSON equality of scalars: 1 equals 1.0, true does not equal 1."""
    return isinstance(a, bool) == isinstance(b, bool) and a == b


class ExampleBuilder:
    """Builds examples; schemas that recur are compiled once."""

    def __init__(
        self,
        renderer: Renderer,
        *,
        max_context_tokens: int,
        record_fork_tokens: int,
        anchors_from: int | None = 0,
    ) -> None:
        """``anchors_from`` is the number of context tokens from which on array items are anchored; None is never."""
        self._anchors_from = anchors_from
        self._renderer = renderer
        self._max_context = max_context_tokens
        self._fork_tokens = record_fork_tokens
        self._plans: OrderedDict[bytes, FillPlan] = OrderedDict()

    def build(self, record: Record, rng: random.Random) -> Example | None:
        """One draw of ``record``: a window when the context is too long, options shuffled, a random subset of forks
        when they exceed their room. None when nothing of it can be trained."""
        draw = self._draw(record, rng)
        plan = self._plan(record)
        forks = [self.leaf(draw, field, field.path, rng.shuffle) for field in plan.fields if ITEM not in field.path]
        least = self._anchors_from
        anchors = least is not None and (draw.cropped or len(draw.trunk.offsets) >= least)
        arrays = ArrayForks(self.leaf, self._renderer, plan, draw, rng.shuffle, anchors=anchors)
        arrays.collect()
        leaves = [fork for fork in (*forks, *arrays.leaves) if fork is not None]
        rng.shuffle(leaves)
        kept: list[ForkExample] = list(arrays.whole)
        room = self._fork_tokens
        for fork in leaves:
            if not kept or len(fork.layout.ids) <= room:
                kept.append(fork)
                room -= len(fork.layout.ids)
        return Example(record.uid, record.source, draw.trunk, tuple(kept), arrays.skipped) if kept else None

    def _plan(self, record: Record) -> FillPlan:
        key = msgspec.json.encode(record.schema)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = compile_schema(record.schema)
            if len(self._plans) > 4096:
                self._plans.popitem(last=False)
        return plan

    def _draw(self, record: Record, rng: random.Random) -> Draw:
        """What this draw shows. A long context is cut to a window around one gold span picked at random; what the
        window does not show is then left out, never trained as absent."""
        spans = {pointer: [span, *record.span_alternatives.get(pointer, ())] for pointer, span in record.spans.items()}
        start, stop = self._window(record.context, [span for places in spans.values() for span in places], rng)
        shifted = {
            pointer: [(s - start, e - start) for s, e in places if s >= start and e <= stop]
            for pointer, places in spans.items()
        }
        trunk = self._renderer.trunk(record.context[start:stop])
        cropped = (start, stop) != (0, len(record.context))
        return Draw(record, trunk, {p: places for p, places in shifted.items() if places}, cropped, start)

    def _window(self, text: str, gold: Sequence[tuple[int, int]], rng: random.Random) -> tuple[int, int]:
        """The code points of the context to train on: all of them, if they are few enough tokens."""
        limit = self._max_context
        if len(text.encode()) <= limit:  # a token holds at least one byte
            return 0, len(text)
        offsets = self._renderer.trunk(text).offsets
        if len(offsets) <= limit:
            return 0, len(text)
        first, last = cover(offsets, *rng.choice(gold)) if gold else (0, 0)
        low, high = max(0, last + 1 - limit), min(first, len(offsets) - limit)
        at = rng.randint(low, high) if low <= high else low
        return self._fit(text, offsets, at, limit)

    def _fit(self, text: str, offsets: tuple[tuple[int, int], ...], at: int, limit: int) -> tuple[int, int]:
        """The window of ``limit`` tokens from token ``at`` on, in code points. Cut out of its text a window may split
        into a few more tokens at its edges, so it is shortened until it fits."""
        start, stop = offsets[at][0], offsets[at + limit - 1][1]
        while (excess := len(self._renderer.trunk(text[start:stop]).offsets) - limit) > 0:
            stop = max(start, stop - excess)
        return start, stop

    def leaf(
        self,
        draw: Draw,
        field: FieldPlan,
        path: Sequence[Step | int],
        shuffle: Callable[[list[int]], None],
        places: Sequence[Place] = (),
        region: tuple[int, int] | None = None,
    ) -> ForkExample | None:
        """The fork and gold of the leaf at the concrete ``path``; None when this draw cannot train it."""
        if field.mode is Mode.GENERATE:
            return None  # the base model writes, untrained
        layout = self._renderer.fork(field, places, shuffle=shuffle)
        value = resolve(draw.record.value, path)
        where = pointer(tuple(path))
        if field.mode.extracts:
            target = _extract_target(draw, where, value)
            region = region if target is not None else None
        else:
            target = _decide_target(draw, field, where, value, layout)
            region = None
        return None if target is None else ForkExample(field.mode, layout, target, region)


def _decide_target(draw: Draw, field: FieldPlan, where: str, value: Any, layout: ForkLayout) -> Target | None:
    if value is MISSING or draw.cropped:
        return None  # the evidence of a decision has no span, so a window may not show it
    count = {Mode.NOUL: 2, Mode.CHOICE: len(field.options)}.get(field.mode, len(field.levels) + field.null_outcome)
    probs = draw.record.decide_probs.get(where)
    if probs is None:
        index = _outcome(field, value)
        if index is None:
            return None
        probs = [float(i == index) for i in range(count)]
    if field.mode is not Mode.NOUL:
        probs = [probs[i] for i in layout.order]
    return Target(torch.tensor(probs))


def _extract_target(draw: Draw, where: str, value: Any) -> Target | None:
    places = draw.spans.get(where, [])
    if not places:
        absent = value is MISSING or value is None
        return Target(torch.empty(0)) if absent and not draw.cropped else None
    covers = [cover(draw.trunk.offsets, start, end) for start, end in places]
    probs = draw.record.span_probs.get(where, []) if not draw.cropped else []
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
