"""Records and outcomes made by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from deg_core.contract.compiler import compile_schema
from deg_core.evaluate.outcome import FieldOutcome, RecordOutcome
from deg_core.evaluate.predictor import Prediction
from deg_core.evaluate.scoring import score_record
from deg_core.records import Record


def record(uid: str, context: str, properties: dict[str, Any], value: dict[str, Any], **more: Any) -> Record:
    """A record whose properties are all required unless ``required`` says otherwise."""
    required = more.pop("required", list(properties))
    schema = {"type": "object", "properties": properties, "required": required}
    defaults = {"source": "made", "split": "test", "domain": "made", **more}
    return Record(uid=uid, context=context, schema=schema, value=value, **defaults)


def scored(made: Record, answer: Any, **more: Any) -> RecordOutcome:
    """The outcome of a record under an answer; None for no answer."""
    prediction = None if answer is None else Prediction(answer, **more)
    return score_record(made, compile_schema(made.schema), prediction)


def outcome(uid: str, *fields: FieldOutcome, source: str = "made", **more: Any) -> RecordOutcome:
    defaults = {"split": "test", "record": "0" * 16, "valid": True, "seconds": 1.0}
    return RecordOutcome(uid=uid, source=source, fields=fields, **{**defaults, **more})


def noul(right: bool, *, pointer: str = "/a", gold: bool = True, **more: Any) -> FieldOutcome:
    return FieldOutcome(
        pointer=pointer,
        mode="decide.noul",
        right=right,
        gold=gold,
        answer=gold is right,
        key=pointer[1:],
        offered=("true", "false"),
        gold_index=int(not gold),
        **more,
    )


class Answering:
    """A predictor made of a function; it counts its calls."""

    def __init__(self, answer: Callable[[str, Mapping[str, Any]], Any], fingerprint: str = "f" * 64) -> None:
        self.answer = answer
        self.calls = 0
        self.name = "made"
        self.fingerprint = fingerprint

    def predict(self, context: str, schema: Mapping[str, Any]) -> Prediction:
        self.calls += 1
        return Prediction(self.answer(context, schema))
