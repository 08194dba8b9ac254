"""From raw outputs to values: every leaf decoded, items that do not exist dropped, survivors renumbered (SPEC 12.6).

Pure functions of one request's own outputs. Which items survive changes no value, only the indices in pointers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from deg_core.contract.plan import FieldPlan, Mode, Path, Step, pointer
from deg_core.contract.result import FieldMeta
from deg_core.contract.shape import Shape
from deg_core.engine.extract import MISSING
from deg_core.engine.rounds import Found, Item, RawField
from deg_core.errors import FillError
from deg_core.rendering.places import Place, placed

Concrete: TypeAlias = tuple[Step | int, ...]
Decode: TypeAlias = Callable[[RawField], tuple[Any, FieldMeta]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to be written: its field, where it goes, and the items around it as its fork shows them."""

    field: FieldPlan
    pointer: str
    places: tuple[Place, ...]


@dataclass(slots=True)
class Settled:
    """Values and meta by concrete pointer, lengths of arrays by concrete pointer, and the texts still to be written.
    ``order`` are the pointers of all leaves and arrays in schema order, ``raws`` and ``arrays`` (with the item around)
    the raw outputs behind them. ``failures`` are what could not be filled outside items."""

    values: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, FieldMeta] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    wanted: list[Wanted] = field(default_factory=list)
    failures: list[FillError] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    raws: dict[str, RawField] = field(default_factory=dict)
    arrays: dict[str, tuple[Item, Found]] = field(default_factory=dict)

    def known(self) -> list[tuple[str, Any]]:
        """Every decided or extracted value in leaf order, left-out ones not counted."""
        return [(name, value) for name, value in self.values.items() if value is not MISSING]


@dataclass(slots=True)
class _Kept:
    """An item that exists: its decoded leaves, and what of its arrays survived, dropped counts beside them."""

    leaves: dict[Path, tuple[RawField, Any, FieldMeta]]
    arrays: dict[Path, tuple[list[tuple[Item, _Kept]], int]]


def settle(shape: Shape, root: Item, decode: Decode) -> Settled:
    """Decode everything under ``root``. What is missing in an item drops the item; what is missing outside every item
    is a failure."""
    settled = Settled()
    kept = _Survey(shape, decode).document(root, settled.failures)
    if not settled.failures:
        _Listing(shape, settled).item(root, kept, (), (), ())
    return settled


class _Survey:
    """First pass: which items exist."""

    def __init__(self, shape: Shape, decode: Decode) -> None:
        self._shape, self._decode = shape, decode

    def document(self, root: Item, failures: list[FillError]) -> _Kept:
        kept = _Kept({}, {})
        for path, raw in root.leaves.items():
            try:
                kept.leaves[path] = (raw, *self._decode(raw))
            except FillError as failure:
                failures.append(failure)
        for path, found in root.arrays.items():
            survivors, dropped = self._survivors(found)
            kept.arrays[path] = (survivors, dropped)
            short = self._shortage(found, survivors)
            if short:
                failures.append(FillError(short, pointer=found.plan.pointer))
        return kept

    def _item(self, item: Item) -> _Kept | None:
        """The item, or None when it does not exist: a leaf that must have a value has none, or an array in it is left
        with fewer items than its minItems."""
        kept = _Kept({}, {})
        for path, raw in item.leaves.items():
            try:
                kept.leaves[path] = (raw, *self._decode(raw))
            except FillError:
                return None
        for path, found in item.arrays.items():
            survivors, dropped = self._survivors(found)
            if self._shortage(found, survivors):
                return None
            kept.arrays[path] = (survivors, dropped)
        return kept

    def _survivors(self, found: Found) -> tuple[list[tuple[Item, _Kept]], int]:
        pairs = [(item, self._item(item)) for item in found.items]
        survivors = [(item, kept) for item, kept in pairs if kept is not None]
        return survivors, len(pairs) - len(survivors)

    def _shortage(self, found: Found, survivors: list[tuple[Item, _Kept]]) -> str | None:
        if found.shortage is not None:
            return found.shortage
        if len(survivors) >= found.plan.min_items:
            return None
        return f"minItems {found.plan.min_items}: only {len(survivors)} items have their required values"


class _Listing:
    """Second pass: survivors under their final pointers, leaves in schema order."""

    def __init__(self, shape: Shape, settled: Settled) -> None:
        self._shape, self._settled = shape, settled

    def item(self, item: Item, kept: _Kept, container: Path, at: Concrete, places: tuple[Place, ...]) -> None:
        settled = self._settled
        for node in self._shape.nodes(container):
            concrete = (*at, *node.path[len(container) :])
            name = pointer(concrete)
            settled.order.append(name)
            if not isinstance(node, FieldPlan):
                survivors, dropped = kept.arrays[node.path]
                settled.arrays[name] = (item, item.arrays[node.path])
                settled.items[name] = len(survivors)
                settled.meta[name] = FieldMeta(mode="array", items=len(survivors), dropped=dropped or None)
                for index, (inner, own) in enumerate(survivors):
                    place = _renumbered(inner.places[-1], placed(node.path, places), index)
                    self.item(inner, own, node.items, (*concrete, index), (*places, place))
            elif node.mode is Mode.GENERATE:
                settled.wanted.append(Wanted(node, name, places))
            else:
                settled.raws[name], settled.values[name], settled.meta[name] = kept.leaves[node.path]


def _renumbered(place: Place, array: str, index: int) -> Place:
    """The item's place among the survivors; an anchored one has no number."""
    return Place(array, at=place.at, index=None if place.index is None else index)
