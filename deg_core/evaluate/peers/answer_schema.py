"""The JSON Schema that constrains a peer's answer, made from a fill plan.

It asks for what deg is asked for: every field, in schema order, of its type; null where deg may say null. So that a
model that repeats itself still ends its answer, texts are capped at ``LONGEST_TEXT`` characters and arrays at
``LONGEST_ARRAY`` items, which is where deg stops by default where no span marks the items.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deg_core.contract.plan import ITEM, ArrayPlan, FieldPlan, FillPlan, Mode, Path
from deg_core.evaluate.comparison import children
from deg_core.evaluate.scoring import is_scored

LONGEST_TEXT = 256
LONGEST_ARRAY = 32
_TOKENS_A_TEXT, _TOKENS_A_WORD, _TOKENS_AROUND = LONGEST_TEXT // 2, 24, 32


def answer_schema(plan: FillPlan, *, simple: bool = False) -> dict[str, Any]:
    """The schema of an answer. ``simple`` keeps types, enums and the caps only, for converters that refuse more."""
    root = _object()
    arrays = {array.path: array for array in plan.arrays}
    for field in plan.fields:
        if is_scored(field):
            node = root
            for length in range(1, len(field.path)):
                node = _child(node, field.path[:length], _container(field.path[:length], arrays))
            _child(node, field.path, leaf(field, simple=simple))
    return root


def leaf(field: FieldPlan, *, simple: bool = False) -> dict[str, Any]:
    """The schema of one field's answer."""
    if field.mode is Mode.NOUL:
        return {"type": "boolean"}
    if field.mode is Mode.CHOICE:
        return {"enum": list(field.options)}
    if field.mode is Mode.SCORE:
        return {"enum": [*field.levels, *([None] if field.null_outcome else [])]}
    made: dict[str, Any] = {"type": [field.json_type, "null"] if may_be_null(field) else field.json_type}
    if not simple:
        made |= field.constraint
        if field.format is not None:
            made["format"] = field.format
    if field.json_type == "string":
        made["maxLength"] = min(made.get("maxLength", LONGEST_TEXT), LONGEST_TEXT)
    return made


def may_be_null(field: FieldPlan) -> bool:
    """Whether an answer may say that an extract field is not in the text: also where deg would leave the key out."""
    return field.mode.extracts and field.on_null != "forbid"


def without_omitted(plan: FillPlan, answer: Any) -> Any:
    """An answer without the nulls that stand for keys left out, so that it can be valid against the plan's schema."""
    for field in plan.fields:
        if is_scored(field) and field.mode.extracts and field.on_null == "omit":
            nodes = [answer]
            for step in field.path[:-1]:
                nodes = [inner for node in nodes for inner in children(node, step)]
            for node in nodes:
                if isinstance(node, dict) and node.get(field.path[-1], 0) is None:
                    del node[field.path[-1]]
    return answer


def answer_tokens(plan: FillPlan) -> int:
    """Tokens that the longest answer of the schema may need, generously."""
    total = _TOKENS_AROUND
    arrays = {array.path: array for array in plan.arrays}
    for field in plan.fields:
        own = sum(len(str(step)) for step in field.path)
        own += _TOKENS_A_TEXT if field.mode is Mode.SPAN else _TOKENS_A_WORD
        own += max((len(str(option)) for option in field.options), default=0)
        for length, step in enumerate(field.path):
            own *= most_items(arrays[field.path[:length]]) if step is ITEM else 1
        total += own
    return total


def most_items(array: ArrayPlan) -> int:
    """How many items an answer may have."""
    allowed = LONGEST_ARRAY if array.max_items is None else min(array.max_items, LONGEST_ARRAY)
    return max(allowed, array.min_items)


def _object() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def _container(path: Path, arrays: Mapping[Path, ArrayPlan]) -> dict[str, Any]:
    """An object, or an array with the bounds of its plan."""
    if path not in arrays:
        return _object()
    bounds = {"minItems": arrays[path].min_items} if arrays[path].min_items else {}
    return {"type": "array", **bounds, "maxItems": most_items(arrays[path])}


def _child(node: dict[str, Any], path: Path, made: dict[str, Any]) -> dict[str, Any]:
    """The last step of ``path`` below its parent's schema, put there when it is new."""
    step = path[-1]
    if step is ITEM:
        child: dict[str, Any] = node.setdefault("items", made)
        return child
    if step not in node["properties"]:
        node["properties"][step] = made
        node["required"].append(step)
    child = node["properties"][step]
    return child
