"""The fixed texts around contexts and fields (SPEC 12.1), versioned: a checkpoint is bound to the one it trained on.

A fork is a few lines, each ended by one newline token::

    FIELD /invoice/total
    TITLE Amount due
    DESCRIPTION what the customer still has to pay
    KIND number
    CONSTRAINTS minimum 0
    ANSWER:

Choices and scores list their outcomes between ``OPTIONS:`` and ``ANSWER:``, one ``- outcome`` line each. Inside an
array item, lines after the first say which item. An array as a whole is asked how many items it has and where they
start::

    ARRAY /invoice/lines
    DESCRIPTION what was bought
    ITEM FIELDS /name, /price
    KIND mark where each item starts in the context
    ANSWER:
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from deg_core.contract.plan import ArrayPlan, FieldPlan, FillPlan, JSONScalar, Mode, pointer
from deg_core.protocols.head import ArrayQuery
from deg_core.rendering.places import Place, locator_lines, one_line, placed

TEMPLATE_VERSION: Final = 1
SYSTEM: Final = "You fill fields from a text."

_KINDS: Final = {
    Mode.CHOICE: "choice",
    Mode.SCORE: "scale",
    Mode.NOUL: "yes or no",
    Mode.NUMBER: "number",
    Mode.DATE: "date",
    Mode.SPAN: "text",
}
_ARRAY_KINDS: Final = {
    ArrayQuery.ANCHOR: "mark where each item starts in the context",
    ArrayQuery.COUNT: "how many items there are",
}
_JSON_WORD = re.compile(r"\s*(?:true|false|null|-?[0-9].*|\"[\s\S]*)\s*")


def option_text(value: JSONScalar) -> str:
    """A choice value as a line. Strings stand bare unless that could be read as another JSON value, so ``true`` and
    ``"true"``, ``1`` and ``"1"`` never render alike."""
    if isinstance(value, str) and value == one_line(value) and value and not _JSON_WORD.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def canonical_order(field: FieldPlan) -> tuple[int, ...]:
    """Indices of a choice's options in canonical order: by rendered text, then by canonical JSON (decisions 4.1)."""
    keys = [
        (outcome_line(field, index), json.dumps(value, sort_keys=True)) for index, value in enumerate(field.options)
    ]
    return tuple(sorted(range(len(keys)), key=keys.__getitem__))


def outcome_line(field: FieldPlan, index: int) -> str:
    """The text of one outcome, without its dash: an option, a level, or the null outcome after the levels."""
    if field.mode is Mode.CHOICE:
        text, description = option_text(field.options[index]), field.option_descriptions[index]
    elif index == len(field.levels):
        return "null"
    else:
        text = str(field.levels[index])
        description = field.level_labels[index] if field.level_labels else None
    description = one_line(description or "")
    return f"{text}: {description}" if description else text


def outcome_count(field: FieldPlan) -> int:
    """Outcomes that are listed in the fork: none for yes/no and extract fields."""
    if field.mode is Mode.CHOICE:
        return len(field.options)
    return len(field.levels) + field.null_outcome if field.mode is Mode.SCORE else 0


def kind_text(field: FieldPlan) -> str:
    """The KIND line's word: what sort of answer the field wants."""
    if field.mode is Mode.SPAN and field.format:
        return field.format
    if field.mode is Mode.DATE:
        return "date and time" if field.format == "date-time" else "date"
    return "whole number" if field.mode is Mode.NUMBER and field.json_type == "integer" else _KINDS[field.mode]


def annotation_lines(node: FieldPlan | ArrayPlan) -> list[str]:
    """TITLE and DESCRIPTION, as far as there are any."""
    pairs = (("TITLE", node.title), ("DESCRIPTION", node.description))
    return [f"{word} {line}" for word, text in pairs if (line := one_line(text or ""))]


def array_lines(plan: FillPlan, array: ArrayPlan, query: ArrayQuery, places: Sequence[Place]) -> list[str]:
    """The lines of a fork that asks about an array as a whole."""
    own = len(array.path) + 1
    inside = (pointer(field.path[own:]) for field in plan.fields if field.path[:own] == array.items)
    fields = ", ".join(one_line(name) for name in inside if name)
    lines = [f"ARRAY {one_line(placed(array.path, places))}", *locator_lines(places), *annotation_lines(array)]
    if fields:
        lines.append(f"ITEM FIELDS {fields}")
    return [*lines, f"KIND {_ARRAY_KINDS[query]}"]


def head_lines(field: FieldPlan, places: Sequence[Place] = ()) -> list[str]:
    """The lines before the outcomes."""
    lines = [f"FIELD {one_line(placed(field.path, places))}", *locator_lines(places), *annotation_lines(field)]
    lines.append(f"KIND {kind_text(field)}")
    if field.mode.extracts and field.constraints:
        parts = (f"{keyword} {json.dumps(value, ensure_ascii=False)}" for keyword, value in field.constraints)
        lines.append("CONSTRAINTS " + ", ".join(parts))
    return lines
