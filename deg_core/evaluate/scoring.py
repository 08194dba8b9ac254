"""Comparing one answered record with its gold, field by field; the same for every predictor."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from deg_core.contract.plan import ITEM, FieldPlan, FillPlan, Mode
from deg_core.contract.validate import value_problems
from deg_core.errors import DegError
from deg_core.evaluate.arrays import score_arrays
from deg_core.evaluate.comparison import (
    MISSING,
    accepted,
    descend,
    gold_outcome,
    is_absent,
    right_decide,
    right_extract,
    token_f1,
    words,
)
from deg_core.evaluate.outcome import FieldOutcome, RecordOutcome
from deg_core.evaluate.predictor import Prediction
from deg_core.records import Record

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

    Without a prediction every field counts as not answered, and so as wrong. Written texts are left out, and decide
    fields that have no gold. What stands in arrays is scored with its array.
    """
    fields = (score_field(record, field, prediction) for field in plan.fields if stands_alone(field))
    return RecordOutcome(
        uid=record.uid,
        source=record.source,
        split=record.split,
        record=digest(record),
        valid=prediction is not None and not value_problems(plan.schema, prediction.value),
        seconds=seconds,
        fields=tuple(outcome for outcome in fields if outcome is not None),
        arrays=score_arrays(record, plan, prediction),
        error=error.code if error else None,
        message=error.message if error else None,
        tokens=prediction.tokens if prediction else None,
    )


def digest(record: Record) -> str:
    """16 hex digits of the SHA-256 of a record's content."""
    return hashlib.sha256(_encoder.encode(record)).hexdigest()[:16]


def is_scored(field: FieldPlan) -> bool:
    """Whether a field is decided or extracted; written texts are not scored."""
    return field.mode is not Mode.GENERATE


def stands_alone(field: FieldPlan) -> bool:
    """Whether a field is scored and stands outside arrays."""
    return is_scored(field) and ITEM not in field.path


def lookup(value: Any, field: FieldPlan) -> Any:
    """The value at a leaf outside arrays, or ``MISSING``."""
    return descend(value, field.path)


def score_field(record: Record, field: FieldPlan, prediction: Prediction | None) -> FieldOutcome | None:
    """The outcome of one field; None for a decide field whose gold is missing or not among its outcomes."""
    gold = lookup(record.value, field)
    answer = MISSING if prediction is None else lookup(prediction.value, field)
    sure = None if prediction is None else prediction.confidence.get(field.pointer)
    answered = prediction is not None
    if field.mode.decides:
        return _decided(field, gold, answer, answered, sure)
    present, null = not is_absent(gold), is_absent(answer)
    found = None if prediction is None else prediction.spans.get(field.pointer)
    right = answered and right_extract(record, field, field.pointer, gold, answer, found)
    f1, loose = 0.0, False
    if present and not null and field.mode is Mode.SPAN:
        golds = accepted(record, field, field.pointer, gold)
        f1 = max(token_f1(value, answer) for value in golds)
        loose = right or any(words(value) == words(answer) for value in golds)
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
        right=answered and right_decide(gold, answer),
        answered=answered,
        gold=gold,
        answer=None if answer is MISSING else answer,
        confidence=sure,
        off=off,
        key=str(field.path[-1]),
        offered=outcome_labels(field),
        gold_index=index,
    )


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
