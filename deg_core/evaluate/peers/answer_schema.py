"""The JSON Schema that constrains a peer's answer, made from a fill plan.

It asks for what deg is asked for: every field, in schema order, of its type; null where deg may say null. So that a
model that repeats itself still ends its answer, texts are capped at ``LONGEST_TEXT`` characters.
"""

from __future__ import annotations

from typing import Any

from deg_core.contract.plan import FieldPlan, FillPlan, Mode
from deg_core.evaluate.scoring import is_scored

LONGEST_TEXT = 256
_TOKENS_A_TEXT, _TOKENS_A_WORD, _TOKENS_AROUND = LONGEST_TEXT // 2, 24, 32


def answer_schema(plan: FillPlan, *, simple: bool = False) -> dict[str, Any]:
    """The schema of an answer. ``simple`` keeps types, enums and the caps only, for converters that refuse more."""
    root = _object()
    for field in plan.fields:
        if is_scored(field):
            node = root
            for step in field.path[:-1]:
                node = _child(node, str(step), _object())
            _child(node, str(field.path[-1]), leaf(field, simple=simple))
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
            node = answer
            for step in field.path[:-1]:
                node = node.get(step) if isinstance(node, dict) else None
            if isinstance(node, dict) and node.get(field.path[-1], 0) is None:
                del node[field.path[-1]]
    return answer


def answer_tokens(plan: FillPlan) -> int:
    """Tokens that the longest answer of the schema may need, generously."""
    total = _TOKENS_AROUND
    for field in plan.fields:
        named = sum(len(str(step)) for step in field.path)
        total += named + (_TOKENS_A_TEXT if field.mode is Mode.SPAN else _TOKENS_A_WORD)
        total += max((len(str(option)) for option in field.options), default=0)
    return total


def _object() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def _child(node: dict[str, Any], name: str, made: dict[str, Any]) -> dict[str, Any]:
    """The property ``name`` of an object schema, put there when it is new."""
    if name not in node["properties"]:
        node["properties"][name] = made
        node["required"].append(name)
    child: dict[str, Any] = node["properties"][name]
    return child
