"""Outcomes of all fields into one value that is valid, or a FillError (SPEC 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from deg_core.contract.plan import ITEM, FillPlan, Path, pointer
from deg_core.contract.validate import value_problems
from deg_core.engine.extract import MISSING
from deg_core.errors import FillError


def assemble(plan: FillPlan, values: Mapping[str, Any], items: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The object of SPEC 8 from the leaves' values by concrete pointer (``/rows/0/name``); ``MISSING`` leaves a key
    out. ``items`` are the lengths of the arrays by concrete pointer, dropped items not counted. Objects and arrays are
    always there, and keys stand in schema order.
    """
    return _Assembly(plan, values, items or {}).build((), ())


def check(plan: FillPlan, value: dict[str, Any]) -> None:
    """Validate the assembled value against the schema it answers. Raises FillError."""
    problems = value_problems(plan.schema, value)
    if problems:
        lines = "; ".join(f"{'/'.join(map(str, p['loc'])) or '(root)'}: {p['msg']}" for p in problems)
        raise FillError(f"the filled value is not valid against the schema: {lines}")


class _Assembly:
    def __init__(self, plan: FillPlan, values: Mapping[str, Any], items: Mapping[str, int]) -> None:
        self._values, self._items = values, items
        self._arrays = {array.path for array in plan.arrays}
        self._leaves = {field.path for field in plan.fields}
        self._children: dict[Path, list[Path]] = defaultdict(list)
        for path in plan.nodes:
            if path:
                self._children[path[:-1]].append(path)

    def build(self, path: Path, concrete: tuple[Any, ...]) -> Any:
        """The value at ``path``, whose item steps are the indices of ``concrete``."""
        if path in self._leaves:
            return self._values[pointer(concrete)]
        if path in self._arrays:
            count = self._items[pointer(concrete)]
            return [self.build((*path, ITEM), (*concrete, index)) for index in range(count)]
        parts = {str(child[-1]): self.build(child, (*concrete, child[-1])) for child in self._children[path]}
        return {name: value for name, value in parts.items() if value is not MISSING}
