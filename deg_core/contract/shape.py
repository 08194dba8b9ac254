"""The tree of a plan's arrays: what stands directly in the document and in each array's item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from deg_core.contract.plan import ITEM, ArrayPlan, FieldPlan, FillPlan, Path

_Node = TypeVar("_Node", bound=FieldPlan | ArrayPlan)


@dataclass(frozen=True, eq=False)
class Shape:
    """Leaves and arrays by the container that they stand in directly: ``()`` for the document, ``array.items`` for the
    item of an array. Objects are no containers; they only lengthen paths."""

    _fields: dict[Path, tuple[FieldPlan, ...]]
    _arrays: dict[Path, tuple[ArrayPlan, ...]]
    _nodes: dict[Path, tuple[FieldPlan | ArrayPlan, ...]]
    _anchored: frozenset[Path]

    @staticmethod
    def of(plan: FillPlan) -> Shape:
        """The shape of a plan."""
        anchored = {
            field.path[:length]
            for field in plan.fields
            if field.mode.extracts
            for length, step in enumerate(field.path)
            if step is ITEM
        }
        place = {path: index for index, path in enumerate(plan.nodes)}
        unsorted: list[FieldPlan | ArrayPlan] = [*plan.fields, *plan.arrays]
        nodes = sorted(unsorted, key=lambda node: place[node.path])
        return Shape(_by_container(plan.fields), _by_container(plan.arrays), _by_container(nodes), frozenset(anchored))

    def fields(self, container: Path) -> tuple[FieldPlan, ...]:
        """The leaves in this container, in schema order."""
        return self._fields.get(container, ())

    def arrays(self, container: Path) -> tuple[ArrayPlan, ...]:
        """The arrays in this container, in schema order."""
        return self._arrays.get(container, ())

    def nodes(self, container: Path) -> tuple[FieldPlan | ArrayPlan, ...]:
        """The leaves and arrays in this container, in schema order."""
        return self._nodes.get(container, ())

    def anchored(self, array: ArrayPlan) -> bool:
        """Whether a span can say where an item of the array is: some leaf in it is extracted (SPEC 12.6)."""
        return array.path in self._anchored


def _by_container(nodes: Iterable[_Node]) -> dict[Path, tuple[_Node, ...]]:
    found: dict[Path, list[_Node]] = defaultdict(list)
    for node in nodes:
        last = max((place for place, step in enumerate(node.path) if step is ITEM), default=-1)
        found[node.path[: last + 1]].append(node)
    return {container: tuple(own) for container, own in found.items()}
