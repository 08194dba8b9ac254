"""Outcomes of all fields into one value that is valid, or a FillError (SPEC 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deg_core.contract.plan import FillPlan
from deg_core.contract.validate import value_problems
from deg_core.engine.extract import MISSING
from deg_core.errors import FillError


def assemble(plan: FillPlan, values: Mapping[str, Any]) -> dict[str, Any]:
    """The object of SPEC 8 from values by pointer; ``MISSING`` leaves the key out. Objects are always there."""
    root: dict[str, Any] = {}
    for path in plan.objects:
        _at(root, path)
    ordered: dict[str, Any] = {}
    for field in plan.fields:
        value = values[field.pointer]
        parent = _at(ordered, field.path[:-1])
        if value is not MISSING:
            parent[str(field.path[-1])] = value
    return _merge(ordered, root)


def check(plan: FillPlan, value: dict[str, Any]) -> None:
    """Validate the assembled value against the schema it answers. Raises FillError."""
    problems = value_problems(plan.schema, value)
    if problems:
        lines = "; ".join(f"{'/'.join(map(str, p['loc'])) or '(root)'}: {p['msg']}" for p in problems)
        raise FillError(f"the filled value is not valid against the schema: {lines}")


def _at(root: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    for step in path:
        root = root.setdefault(step, {})
    return root


def _merge(value: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    """``value`` plus the empty objects of ``shape`` that no leaf reached."""
    for key, inner in shape.items():
        _merge(value.setdefault(key, {}), inner)
    return value
