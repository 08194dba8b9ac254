"""When an answer is right: values compared by what they say, not by how they are written."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from deg_core.contract.parsers import parse_date, parse_datetime
from deg_core.contract.parsers.result import Parsed
from deg_core.contract.plan import ITEM, FieldPlan, Mode, Step
from deg_core.records import Record

MISSING: Any = object()
_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")


def descend(value: Any, steps: Iterable[Step]) -> Any:
    """What stands at property names below ``value``, or ``MISSING``."""
    for step in steps:
        if not isinstance(value, Mapping) or step not in value:
            return MISSING
        value = value[step]
    return value


def children(node: Any, step: Step) -> list[Any]:
    """What a step leads to: all items of a list, or a property if it is there."""
    if step is ITEM:
        return node if isinstance(node, list) else []
    return [node[step]] if isinstance(node, Mapping) and step in node else []


def is_absent(value: Any) -> bool:
    """Whether a leaf has no value: null, or left out."""
    return value is MISSING or value is None


def gold_outcome(field: FieldPlan, gold: Any) -> int | None:
    """Index of the gold outcome of a decide field, in plan order (null after a scale's levels, true before false);
    None when there is no gold."""
    if field.mode is Mode.NOUL:
        return None if not isinstance(gold, bool) else int(not gold)
    if field.mode is Mode.SCORE and gold is None:
        return len(field.levels) if field.null_outcome else None
    outcomes = field.levels if field.mode is Mode.SCORE else field.options
    return next((index for index, outcome in enumerate(outcomes) if same_json(outcome, gold)), None)


def places_of(record: Record, pointer: str) -> list[tuple[int, int]]:
    """The places in the text that are right for a leaf, by its concrete pointer."""
    own = [record.spans[pointer]] if pointer in record.spans else []
    return [*own, *record.span_alternatives.get(pointer, ())]


def accepted(record: Record, field: FieldPlan, pointer: str, gold: Any) -> list[Any]:
    """The values that are right for an extract leaf: its gold, and for a text what stands at each of its places too."""
    if field.mode is not Mode.SPAN:
        return [gold]
    return [gold, *(record.context[start:end] for start, end in places_of(record, pointer))]


def right_extract(
    record: Record, field: FieldPlan, pointer: str, gold: Any, answer: Any, found: tuple[int, int] | None
) -> bool:
    """Whether an extract leaf is right: absent where the gold is, else one of the accepted values. A text also is by
    ``found``, the place that the answer came from, alone."""
    if is_absent(gold) or is_absent(answer):
        return is_absent(gold) and is_absent(answer)
    if any(same_value(field, value, answer) for value in accepted(record, field, pointer, gold)):
        return True
    return field.mode is Mode.SPAN and found in [tuple(place) for place in places_of(record, pointer)]


def right_decide(gold: Any, answer: Any) -> bool:
    """Whether a decide leaf is right. Nothing is not an answer, null may be one."""
    return answer is not MISSING and same_json(answer, gold)


def same_json(a: Any, b: Any) -> bool:
    """JSON equality of scalars: 1 equals 1.0, true does not equal 1."""
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def same_value(field: FieldPlan, gold: Any, answer: Any) -> bool:
    """Whether two values of an extract field are the same value: numbers by amount, dates by day, date-times by
    instant, texts by their characters with runs of white space alike."""
    if isinstance(gold, str) and isinstance(answer, str):
        if field.mode is Mode.DATE:
            return bool(_moment(field, answer) == _moment(field, gold))
        return gold.split() == answer.split()
    return same_json(gold, answer)


def _moment(field: FieldPlan, text: str) -> Any:
    """What a date says, read as a span of a text would be; the bare characters where it says nothing."""
    parsed = parse_date(text) if field.format == "date" else parse_datetime(text)
    if not isinstance(parsed, Parsed) or not isinstance(parsed.value, str):
        return text.strip()
    try:
        return datetime.fromisoformat(parsed.value)
    except ValueError:
        return parsed.value


def words(text: Any) -> list[str]:
    """Case-folded words of a text, marks left out (kept when there is nothing else)."""
    parts = _WORD.findall(unicodedata.normalize("NFKC", str(text)).casefold())
    return [part for part in parts if part[0].isalnum()] or parts


def token_f1(gold: Any, answer: Any) -> float:
    """F1 of the words that two texts share."""
    a, b = Counter(words(gold)), Counter(words(answer))
    both = (a & b).total()
    return 2 * both / (a.total() + b.total()) if both else 0.0
