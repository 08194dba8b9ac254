"""What a peer is told: wordings that were tried, each with the instructions, the fields and the text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from deg_core.contract.plan import ITEM, ArrayPlan, FieldPlan, FillPlan, Mode, Path
from deg_core.evaluate.peers.answer_schema import may_be_null
from deg_core.evaluate.scoring import is_scored

VERSION = 1  # raised when a wording changes, since answers change with it
Wording = Literal["schema", "fields"]
WORDINGS: tuple[Wording, ...] = ("schema", "fields")

_SCHEMA = """\
Fill in the JSON object that the JSON Schema describes, using only the text below.
Copy names, words and numbers exactly as they stand in the text. Write dates as YYYY-MM-DD.
If the text does not say it and the schema allows null, the value is null.

JSON Schema:
{schema}

Text:
{context}

Answer with the JSON object only."""

_FIELDS = """\
{context}

---
Read the text above and answer with one JSON object that has these fields:
{fields}

Copy words and numbers exactly as they stand in the text. Use null for what the text does not say."""

_KINDS = {Mode.SPAN: "words from the text", Mode.NUMBER: "a number", Mode.DATE: "a date, YYYY-MM-DD"}


def messages(wording: Wording, context: str, schema: Mapping[str, Any], plan: FillPlan) -> list[dict[str, str]]:
    """The chat messages of one record: one of the user; the model's own chat template does the rest."""
    if wording == "schema":
        text = _SCHEMA.format(schema=json.dumps(schema, ensure_ascii=False), context=context)
    else:
        text = _FIELDS.format(fields="\n".join(_lines(plan)), context=context)
    return [{"role": "user", "content": text}]


def _lines(plan: FillPlan) -> list[str]:
    """A line for each array and each field, in schema order: its name, what it means, what it may be."""
    known: dict[Path, ArrayPlan | FieldPlan] = {array.path: array for array in plan.arrays}
    known |= {field.path: field for field in plan.fields if is_scored(field)}
    return [_line(known[path]) for path in plan.nodes if path in known]


def _line(node: ArrayPlan | FieldPlan) -> str:
    steps = ("each item" if step is ITEM else json.dumps(step, ensure_ascii=False) for step in node.path)
    meaning = ". ".join(part.rstrip(".") for part in (node.title, node.description) if part)
    kind = "a list" if isinstance(node, ArrayPlan) else _choices(node)
    return f"- {' -> '.join(steps)}: {meaning + ' ' if meaning else ''}({kind})"


def _choices(field: FieldPlan) -> str:
    if field.mode is Mode.NOUL:
        return "true or false"
    if field.mode is Mode.CHOICE:
        described = field.option_descriptions or (None,) * len(field.options)
        return "one of: " + ", ".join(map(_option, field.options, described))
    if field.mode is Mode.SCORE:
        labels = field.level_labels or (None,) * len(field.levels)
        levels = [_option(level, label) for level, label in zip(field.levels, labels, strict=True)]
        return "one of: " + ", ".join(levels + ["null"] * field.null_outcome)
    kind = field.format if field.mode is Mode.SPAN and field.format else _KINDS[field.mode]
    if field.format == "date-time":
        kind = "a date and time, YYYY-MM-DDThh:mm:ssZ"
    return f"{kind}, or null" if may_be_null(field) else kind


def _option(value: Any, meaning: str | None) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"{text} ({meaning})" if meaning else text
