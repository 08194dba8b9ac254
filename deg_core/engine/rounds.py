"""One request's queries, round by round (SPEC 12.6): the document's leaves and arrays, then the items of the arrays,
then the arrays in those items, until nothing is left to ask.

A run only says what it asks next; who runs several puts their queries into the same passes.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast

from torch import Tensor

from deg_core.contract.plan import ArrayPlan, FieldPlan, FillPlan, Mode, Path
from deg_core.contract.request import Options
from deg_core.contract.shape import Shape
from deg_core.engine.fields import Ask, ReadContext
from deg_core.engine.memory import check_outputs
from deg_core.engine.spans import TextSpans
from deg_core.errors import DegError, FillError
from deg_core.protocols.array_decoder import ArrayDecoder
from deg_core.protocols.head import MAX_COUNT, ArrayQuery
from deg_core.protocols.language import Answer
from deg_core.rendering.layout import ForkLayout, Renderer
from deg_core.rendering.places import Place, locator_text, placed

SPECULATED: Final = 8  # items of an index-addressed array that are asked together with its count
INDEX_CAP: Final = 32  # items of an index-addressed array without maxItems (SPEC 4)

Region: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RawField:
    """A leaf's fork and its head's raw output: everything that a value is decoded from."""

    field: FieldPlan
    layout: ForkLayout
    logits: Answer


@dataclass(slots=True)
class Item:
    """One item of an array, or at the root the document: what was asked in it and what came back.

    ``region`` are the context tokens of the innermost anchored item around, itself included.
    """

    places: tuple[Place, ...] = ()
    region: Region | None = None
    leaves: dict[Path, RawField] = field(default_factory=dict)
    arrays: dict[Path, Found] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """One array: raw outputs of its queries and the items that they gave. ``shortage`` says why there are fewer than
    the schema wants."""

    plan: ArrayPlan
    logits: dict[ArrayQuery, Tensor] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    shortage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a checkpoint reads arrays: by anchors or by index, from how many context tokens on, with which decoder.
    ``speculated`` items of an index-addressed array are asked together with its count."""

    anchors: bool
    anchor_min_tokens: int
    decoder: ArrayDecoder
    keep_order: bool
    speculated: int = SPECULATED


@dataclass(slots=True)
class _Pending:
    """A query that was handed out, and where its answer goes."""

    ask: Ask
    item: Item
    field: FieldPlan | None = None
    array: Found | None = None


class Run:
    """The queries of one plan on one context. ``tokens`` are those of all forks so far, ``spans`` what the text holds
    for the plan's fields. ``failure`` says why not all could be asked."""

    def __init__(
        self, plan: FillPlan, context: ReadContext, renderer: Renderer, options: Options, settings: Settings
    ) -> None:
        self.plan, self.context, self.options = plan, context, options
        self.spans = TextSpans(context.layout, options)
        self.shape = Shape.of(plan)
        self.root = Item()
        self.tokens = 0
        self.failure: DegError | None = None
        self._renderer, self._settings = renderer, settings

    def rounds(self) -> Generator[list[Ask], list[Answer], None]:
        """Hands out each round's queries and takes their raw outputs, in order. Raises RuntimeLimitError."""
        frontier: list[tuple[Item, Path]] = [(self.root, ())]
        while frontier:
            pending: list[_Pending] = []
            for item, container in frontier:
                if not item.leaves:
                    pending += self._leaves(item, container)
                pending += self._arrays(item, container)
            if not pending:
                return
            self._check_memory(pending)
            self.tokens += sum(len(one.ask.layout.ids) for one in pending)
            answers = yield [one.ask for one in pending]
            for one, logits in zip(pending, answers, strict=True):
                if one.field is not None:
                    one.item.leaves[one.field.path] = RawField(one.field, one.ask.layout, logits)
                elif one.array is not None and isinstance(one.ask.query, ArrayQuery):
                    one.array.logits[one.ask.query] = cast("Tensor", logits)
            frontier = [entry for item, container in frontier for entry in self._open(item, container)]

    def _check_memory(self, pending: Sequence[_Pending]) -> None:
        """Items are found, not asked for: a text may hold more of them than there is memory for."""
        queries = [one.ask.query for one in pending]
        pointing = sum(query.extracts if isinstance(query, Mode) else query is ArrayQuery.ANCHOR for query in queries)
        check_outputs(len(queries), pointing, len(self.context.layout.offsets))

    def _leaves(self, item: Item, container: Path) -> list[_Pending]:
        asked = []
        for leaf in self.shape.fields(container):
            if leaf.mode is not Mode.GENERATE:
                layout = self._renderer.fork(leaf, item.places, keep_order=self._settings.keep_order)
                region = item.region if leaf.mode.extracts else None
                ask = Ask(self.context, leaf.mode, layout, self.spans, region, leaf, item.places)
                asked.append(_Pending(ask, item, field=leaf))
        return asked

    def _arrays(self, item: Item, container: Path) -> list[_Pending]:
        asked = []
        for plan in self.shape.arrays(container):
            found = item.arrays[plan.path] = Found(plan)
            anchored = self.anchored(plan)
            if anchored:
                region = item.region or (0, len(self.context.layout.offsets))
                asked.append(self._query(found, item, ArrayQuery.ANCHOR, region))
            if not anchored or self._settings.decoder.needs_count:
                asked.append(self._query(found, item, ArrayQuery.COUNT, None))
            if not anchored:
                ahead = min(self._settings.speculated, self._most(plan))
                found.items = [self._indexed(plan, item, i) for i in range(ahead)]
                for inner in found.items:
                    asked += self._leaves(inner, plan.items)
        return asked

    def _query(self, found: Found, item: Item, query: ArrayQuery, region: Region | None) -> _Pending:
        layout = self._renderer.array(self.plan, found.plan, query, item.places)
        ask = Ask(self.context, query, layout, self.spans, region, places=item.places)
        return _Pending(ask, item, array=found)

    def _open(self, item: Item, container: Path) -> list[tuple[Item, Path]]:
        """The items of the arrays that were asked for in ``item``."""
        opened = []
        for plan in self.shape.arrays(container):
            found = item.arrays[plan.path]
            if self.anchored(plan):
                found.items = self._anchored_items(found, item)
            else:
                self._count_items(found, item)
            opened += [(inner, plan.items) for inner in found.items]
        return opened

    def anchored(self, plan: ArrayPlan) -> bool:
        """Whether this array's items are found by anchors in this context."""
        long_enough = len(self.context.layout.offsets) >= self._settings.anchor_min_tokens
        return self._settings.anchors and long_enough and self.shape.anchored(plan)

    def _anchored_items(self, found: Found, item: Item) -> list[Item]:
        layout, plan = self.context.layout, found.plan
        region = item.region or (0, len(layout.offsets))
        most = plan.max_items if plan.max_items is not None else self.options.max_items
        try:
            anchors = self._settings.decoder.decode(
                found.logits[ArrayQuery.ANCHOR], found.logits.get(ArrayQuery.COUNT), region, plan.min_items, most
            )
        except FillError as failure:
            found.shortage = failure.message
            return []
        array = placed(plan.path, item.places)
        items = []
        for start, end in zip(anchors, (*anchors[1:], region[1]), strict=False):
            place = Place(array, at=locator_text(layout.text, layout.offsets, (start, end)))
            items.append(Item((*item.places, place), (start, end)))
        return items

    def _indexed(self, plan: ArrayPlan, item: Item, index: int) -> Item:
        return Item((*item.places, Place(placed(plan.path, item.places), index=index)), item.region)

    def _count_items(self, found: Found, item: Item) -> None:
        """Cut the speculated items to the count, or add those beyond them."""
        plan = found.plan
        logits = found.logits[ArrayQuery.COUNT].tolist()
        most = self._most(plan)
        allowed = range(min(plan.min_items, most), most + 1)
        count = max(allowed, key=lambda number: (logits[number], -number))
        known = found.items
        found.items = known[:count] + [self._indexed(plan, item, i) for i in range(len(known), count)]
        if count < plan.min_items:
            found.shortage = f"minItems {plan.min_items}: an array without extracted fields has at most {most} items"

    def _most(self, plan: ArrayPlan) -> int:
        cap = plan.max_items if plan.max_items is not None else self.options.max_items
        return min(max(INDEX_CAP, plan.min_items) if cap is None else cap, MAX_COUNT)
