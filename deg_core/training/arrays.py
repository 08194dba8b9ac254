"""The forks of a record's arrays: where items start, how many there are, and the leaves of each item (SPEC 12.4, 12.6).

An item's anchor is the first token of its earliest span that no sibling has too (a column's heading locates no item),
else of its earliest span. An array whose items do not all get anchors of their own is left out; so is an item that
starts outside the window that is shown, whatever else of it the window holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import torch

from deg_core.contract.plan import ArrayPlan, FieldPlan, FillPlan, Step, pointer
from deg_core.contract.shape import Shape
from deg_core.protocols.head import MAX_COUNT, ArrayQuery, Target
from deg_core.rendering.layout import Renderer, cover
from deg_core.rendering.places import Place, locator_text, placed
from deg_core.training.gold import Draw, ForkExample, resolve

Region = tuple[int, int]
Shuffle = Callable[[list[int]], None]


class LeafForks(Protocol):
    """Makes the fork of one leaf, or None when this draw cannot train it."""

    def __call__(
        self,
        draw: Draw,
        field: FieldPlan,
        path: Sequence[Step | int],
        shuffle: Shuffle,
        places: Sequence[Place] = (),
        region: Region | None = None,
    ) -> ForkExample | None: ...


class ArrayForks:
    """Collects the forks of one draw's arrays: ``whole`` ask about an array, ``leaves`` about fields of its items."""

    def __init__(
        self,
        leaf: LeafForks,
        renderer: Renderer,
        plan: FillPlan,
        draw: Draw,
        shuffle: Shuffle,
        *,
        anchors: bool = True,
    ) -> None:
        """``anchors`` False addresses every item by its index, as a document below ``anchor_min_tokens`` is read."""
        self._by_anchor = anchors
        self._leaf, self._renderer, self._plan, self._draw, self._shuffle = leaf, renderer, plan, draw, shuffle
        self._shape = Shape.of(plan)
        self._inside = _by_node(draw.record.spans)
        self.whole: list[ForkExample] = []
        self.leaves: list[ForkExample] = []
        self.skipped = 0

    def collect(self) -> None:
        """Walk all arrays from the root down."""
        for array in self._shape.arrays(()):
            self._array(array, array.path, (), None)

    def _array(
        self, array: ArrayPlan, path: Sequence[Step | int], places: tuple[Place, ...], region: Region | None
    ) -> None:
        items = resolve(self._draw.record.value, path)
        if not isinstance(items, list):
            return
        if not (self._by_anchor and self._shape.anchored(array)):
            self._count(array, places, len(items))
            for index in range(len(items)):
                inside = (*places, Place(placed(array.path, places), index=index))
                self._item(array, (*path, index), inside, region)
            return
        search = region or (0, len(self._draw.trunk.offsets))
        found = self._anchors(path, len(items), search)
        if found is None or (self._draw.cropped and not found):
            self.skipped += found is None
            return
        ordered = sorted(found.items(), key=lambda pair: pair[1])
        anchors = tuple(anchor for _, anchor in ordered)
        self._ask(array, ArrayQuery.ANCHOR, places, Target(torch.empty(0), starts=anchors), search)
        self._count(array, places, len(items))
        for (index, anchor), end in zip(ordered, (*anchors[1:], search[1]), strict=False):
            own = (anchor, end)
            at = locator_text(self._draw.trunk.text, self._draw.trunk.offsets, own)
            self._item(array, (*path, index), (*places, Place(placed(array.path, places), at=at)), own)

    def _item(
        self, array: ArrayPlan, path: tuple[Step | int, ...], places: tuple[Place, ...], region: Region | None
    ) -> None:
        for field in self._shape.fields(array.items):
            concrete = (*path, *field.path[len(array.items) :])
            fork = self._leaf(self._draw, field, concrete, self._shuffle, places, region)
            if fork is not None:
                self.leaves.append(fork)
        for inner in self._shape.arrays(array.items):
            self._array(inner, (*path, *inner.path[len(array.items) :]), places, region)

    def _count(self, array: ArrayPlan, places: Sequence[Place], count: int) -> None:
        if self._draw.cropped:
            return  # a count needs the whole array
        most = MAX_COUNT if array.max_items is None else min(array.max_items, MAX_COUNT)
        bounds = (min(array.min_items, most), most)
        self._ask(array, ArrayQuery.COUNT, places, Target(torch.empty(0), count=count, bounds=bounds))

    def _ask(
        self,
        array: ArrayPlan,
        query: ArrayQuery,
        places: Sequence[Place],
        target: Target,
        region: Region | None = None,
    ) -> None:
        layout = self._renderer.array(self._plan, array, query, places)
        self.whole.append(ForkExample(query, layout, target, region))

    def _anchors(self, path: Sequence[Step | int], count: int, region: Region) -> dict[int, int] | None:
        """The anchor of each item by its index, of those that start in what is shown. None when an item has no place
        in the text or none inside ``region``, or two items have one anchor."""
        draw = self._draw
        spans = [self._inside.get(pointer((*path, index)), []) for index in range(count)]
        shared = Counter(span for own in spans for span in set(own))
        anchors: dict[int, int] = {}
        for index, own in enumerate(spans):
            if not own:
                return None
            start, end = min((span for span in own if shared[span] == 1), default=min(own))
            if not draw.at <= start < draw.at + len(draw.trunk.text):
                continue
            token = cover(draw.trunk.offsets, start - draw.at, end - draw.at)[0]
            if not region[0] <= token < region[1]:
                return None
            anchors[index] = token
        return anchors if len(set(anchors.values())) == len(anchors) else None


def _by_node(spans: Mapping[str, Region]) -> dict[str, list[Region]]:
    """The spans in code points of everything at or under each pointer."""
    found: dict[str, list[Region]] = defaultdict(list)
    for name, span in spans.items():
        while name:
            found[name].append(span)
            name = name.rpartition("/")[0]
    return found
