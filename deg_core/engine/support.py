"""What can be filled: a checkpoint needs a head for every query that a plan may ask, and options must leave room."""

from __future__ import annotations

from collections.abc import Collection

from deg_core.contract.plan import FillPlan, Mode
from deg_core.contract.request import Options
from deg_core.contract.shape import Shape
from deg_core.errors import Problem, RequestError, UnsupportedError
from deg_core.protocols.head import ArrayQuery, Query


def refuse_unsupported(plan: FillPlan, answered: Collection[Query], *, anchors: bool, needs_count: bool) -> None:
    """Name every part of the plan that the checkpoint has no head for. ``answered`` are the queries it has heads for;
    ``anchors`` and ``needs_count`` say how it reads arrays. Raises UnsupportedError."""
    parts = [
        f"{field.pointer} ({field.mode.value})"
        for field in plan.fields
        if field.mode is not Mode.GENERATE and field.mode not in answered
    ]
    shape = Shape.of(plan)
    for array in plan.arrays:
        anchored = anchors and shape.anchored(array)
        wanted = {ArrayQuery.ANCHOR} if anchored else {ArrayQuery.COUNT}
        if anchored and needs_count:
            wanted.add(ArrayQuery.COUNT)
        parts += [f"{array.pointer} (array, {query.value})" for query in sorted(wanted - set(answered))]
    if parts:
        raise UnsupportedError(
            f"this checkpoint has no head for: {', '.join(parts)}. Leave these out of the schema, or use a checkpoint "
            "that was trained for them"
        )


def refuse_unmeetable(plan: FillPlan, options: Options) -> None:
    """``max_items`` caps arrays without maxItems, and none of these may need more. Raises RequestError."""
    cap = options.max_items
    if cap is None:
        return
    short = [array for array in plan.arrays if array.max_items is None and array.min_items > cap]
    if short:
        wanted = ", ".join(f"{array.pointer} at least {array.min_items}" for array in short)
        message = f"max_items is {cap}, but by minItems the schema wants in {wanted}; raise it or leave it out"
        raise RequestError([Problem(loc=["options", "max_items"], msg=message)])
