"""Comparing one answered record with its gold, field by field; the same for every predictor."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from deg_core.contract.parsers import parse_date, parse_datetime
from deg_core.contract.parsers.result import Parsed
from deg_core.contract.plan import ITEM, FieldPlan, FillPlan, Mode
from deg_core.contract.validate import value_problems
from deg_core.errors import DegError
from deg_core.evaluate.outcome import FieldOutcome, RecordOutcome
from deg_core.evaluate.predictor import Prediction
from deg_core.records import Record

MISSING: Any = object()
_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_encoder = msgspec.json.Encoder()


def score_record(
    record: Record,
    plan: FillPlan,
    prediction: Prediction | None,
    *,
    seconds: float = 0.0,
    error: DegError | None = None,
) -> RecordOutcome:
    """The outcome of a record whose schema compiles to ``plan``.

    Without a prediction every field counts as not answered, and so as wrong. Fields inside arrays and written texts
    are left out, and decide fields that have no gold.
    """
    fields = (score_field(record, field, prediction) for field in plan.fields if is_scored(field))
    return RecordOutcome(
        uid=record.uid,
        source=record.source,
        split=record.split,
        record=digest(record),
        valid=prediction is not None and not value_problems(plan.schema, prediction.value),
        seconds=seconds,
        fields=tuple(outcome for outcome in fields if outcome is not None),
        error=error.code if error else None,
        message=error.message if error else None,
        tokens=prediction.tokens if prediction else None,
    )


def digest(record: Record) -> str:
    """16 hex digits of the SHA-256 of a record's content."""
    return hashlib.sha256(_encoder.encode(record)).hexdigest()[:16]


def is_scored(field: FieldPlan) -> bool:
    """Whether a field stands outside arrays and is decided or extracted."""
    return ITEM not in field.path and field.mode is not Mode.GENERATE


def lookup(value: Any, field: FieldPlan) -> Any:
    """The value at a leaf outside arrays, or ``MISSING``."""
    for step in field.path:
        if not isinstance(value, Mapping) or step not in value:
            return MISSING
        value = value[step]
    return value


def score_field(record: Record, field: FieldPlan, prediction: Prediction | None) -> FieldOutcome | None:
    """The outcome of one field; None for a decide field whose gold is missing or not among its outcomes."""
    gold = lookup(record.value, field)
    answer = MISSING if prediction is None else lookup(prediction.value, field)
    sure = None if prediction is None else prediction.confidence.get(field.pointer)
    answered = prediction is not None
    if field.mode.decides:
        return _decided(field, gold, answer, answered, sure)
    present, null = gold is not MISSING and gold is not None, answer is MISSING or answer is None
    right = answered and not present and null
    f1, loose = 0.0, False
    if present and not null:
        places = [record.spans[field.pointer]] if field.pointer in record.spans else []
        places += record.span_alternatives.get(field.pointer, [])
        golds = [gold, *(record.context[start:end] for start, end in places)] if field.mode is Mode.SPAN else [gold]
        found = None if prediction is None else prediction.spans.get(field.pointer)
        right = any(same_value(field, accepted, answer) for accepted in golds) or (
            field.mode is Mode.SPAN and found in [tuple(place) for place in places]
        )
        if field.mode is Mode.SPAN:
            f1 = max(token_f1(accepted, answer) for accepted in golds)
            loose = right or any(words(accepted) == words(answer) for accepted in golds)
    return FieldOutcome(
        pointer=field.pointer,
        mode=field.mode.value,
        right=right,
        answered=answered,
        gold=gold if present else None,
        answer=None if null else answer,
        confidence=sure,
        present=present,
        null=answered and null,
        f1=f1,
        loose=loose,
        key=str(field.path[-1]),
    )


def _decided(field: FieldPlan, gold: Any, answer: Any, answered: bool, sure: float | None) -> FieldOutcome | None:
    index = gold_outcome(field, gold)
    if index is None:
        return None
    off = None
    if field.mode is Mode.SCORE and gold is not None:
        # No level at all is as far off as the scale allows.
        numeric = isinstance(answer, int | float) and not isinstance(answer, bool)
        off = abs(answer - gold) if numeric else max(field.levels[-1] - gold, gold - field.levels[0])
    return FieldOutcome(
        pointer=field.pointer,
        mode=field.mode.value,
        right=answered and answer is not MISSING and same_json(answer, gold),
        answered=answered,
        gold=gold,
        answer=None if answer is MISSING else answer,
        confidence=sure,
        off=off,
        key=str(field.path[-1]),
        offered=outcome_labels(field),
        gold_index=index,
    )


def gold_outcome(field: FieldPlan, gold: Any) -> int | None:
    """Index of the gold outcome of a decide field, in plan order (null after a scale's levels, true before false)."""
    if field.mode is Mode.NOUL:
        return None if not isinstance(gold, bool) else int(not gold)
    if field.mode is Mode.SCORE and gold is None:
        return len(field.levels) if field.null_outcome else None
    outcomes = field.levels if field.mode is Mode.SCORE else field.options
    return next((index for index, outcome in enumerate(outcomes) if same_json(outcome, gold)), None)


def outcome_labels(field: FieldPlan) -> tuple[str, ...]:
    """What each outcome means, as comparable words: an option's description where it has one (its value may be a mere
    letter), else its value; a scale's levels as numbers."""
    if field.mode is Mode.NOUL:
        return ("true", "false")
    if field.mode is Mode.SCORE:
        return (*map(str, field.levels), *(("null",) if field.null_outcome else ()))
    described = field.option_descriptions or (None,) * len(field.options)
    return tuple(
        " ".join(words(text)) if text else _label(value) for value, text in zip(field.options, described, strict=True)
    )


def _label(value: Any) -> str:
    if isinstance(value, str):
        return " ".join(words(value)) or value
    return _encoder.encode(value).decode()


def same_json(a: Any, b: Any) -> bool:
    """JSON equality of scalars: 1 equals 1.0, true does not equal 1."""
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def same_value(field: FieldPlan, gold: Any, answer: Any) -> bool:
    """Whether two values of an extract field are the same value: numbers by amount, dates by day, date-times by
    instant, texts by their characters with runs of white space alike."""
    if isinstance(gold, str) and isinstance(answer, str):
        if field.mode is Mode.DATE:
            return _moment(field, answer) == _moment(field, gold)
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
    shared = (a & b).total()
    return 2 * shared / (a.total() + b.total()) if shared else 0.0
