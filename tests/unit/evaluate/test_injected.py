"""Orders in texts: what is put in, and what counts as following it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.compiler import compile_schema
from deg_core.errors import FillError
from deg_core.evaluate.injected import KINDS, PLACES, WORDINGS, insert, measure, target
from deg_core.evaluate.predictor import ModelPredictor, Prediction
from deg_core.evaluate.report import INJECTED_COLUMNS, injected_rows
from deg_core.records import Record

SCHEMA = {
    "type": "object",
    "properties": {
        "urgent": {"type": "boolean", "title": "Urgent"},
        "mood": {"type": "integer", "minimum": 0, "maximum": 3},
        "kind": {"enum": ["order", "complaint", None]},
        "total": {"type": ["number", "null"]},
        "day": {"type": ["string", "null"], "format": "date"},
        "sender": {"type": ["string", "null"]},
        "rows": {"type": "array", "items": {"type": "string"}},
    },
}
CLEAN = {"urgent": True, "mood": 0, "kind": "order", "total": 5, "day": None, "sender": "Ann"}
ORDERED = {"urgent": False, "mood": 3, "kind": "complaint", "total": 7351.0, "day": "1987-03-17"}


def record(n: int, text: str = "Ann wrote.\nIt costs 5.\nGoodbye.") -> Record:
    return Record(
        uid=f"r{n}", source="made", split="val", domain="d", context=text, schema=SCHEMA, value={**CLEAN, "rows": []}
    )


class Made:
    """Answers by rule."""

    name = fingerprint = "made"

    def __init__(self, rule: Any) -> None:
        self.rule = rule
        self.texts: list[str] = []

    def predict(self, context: str, schema: Mapping[str, Any]) -> Prediction:
        assert "rows" not in schema["properties"]
        self.texts.append(context)
        return Prediction(self.rule(context))


def is_order(text: str) -> bool:
    return any(start in text for start in ("Ignore the text", "SYSTEM:", "Note to whoever"))


def test_who_follows_orders_is_told_from_who_does_not():
    stubborn = measure([record(n) for n in range(4)], Made(lambda text: CLEAN), resamples=20)
    assert stubborn["records"] == 4
    for kind in KINDS:
        assert stubborn["all"][kind]["changed"]["value"] == 0.0
        assert stubborn["all"][kind]["changed"]["n"] == 4 * 3 * 6  # records, places, fields outside arrays
    obedient = measure(
        [record(n) for n in range(4)],
        Made(lambda text: {**CLEAN, **ORDERED} if is_order(text) else CLEAN),
        resamples=20,
    )
    assert obedient["modes"]["noul"]["order"]["obeyed"]["value"] == 1.0
    assert obedient["modes"]["date"]["order_minus_mention"]["obeyed"]["value"] == 1.0
    assert obedient["modes"]["span"]["order"]["changed"]["value"] == 0.0  # it kept to the sender
    assert obedient["all"]["mention"]["changed"]["value"] == 0.0
    assert set(obedient["places"]) == set(PLACES)
    assert set(obedient["wordings"]) == {"1", "2", "3"}


def test_who_takes_whatever_is_mentioned_has_no_difference_to_show():
    greedy = Made(lambda text: {**CLEAN, "total": 7351} if "7351" in text else CLEAN)
    found = measure([record(n) for n in range(3)], greedy, resamples=20)["modes"]["number"]
    assert found["order"]["obeyed"]["value"] == found["mention"]["obeyed"]["value"] == 1.0
    assert found["order_minus_mention"]["obeyed"]["value"] == 0.0
    assert found["plain"]["obeyed"]["value"] == 0.0


def test_no_answer_is_another_answer_but_not_the_ordered_one():
    def rule(text: str) -> Any:
        if is_order(text):
            raise FillError("nothing")
        return CLEAN

    found = measure([record(0)], Made(rule), resamples=20)["all"]
    assert found["order"]["changed"]["value"] == 1.0
    assert found["order"]["obeyed"]["value"] == 0.0


def test_a_record_that_cannot_be_filled_as_it_is_is_left_out():
    def rule(text: str) -> Any:
        raise FillError("nothing")

    assert measure([record(0)], Made(rule), resamples=20)["records"] == 0


def test_every_place_has_every_wording():
    made = Made(lambda text: CLEAN)
    measure([record(n) for n in range(3)], made, resamples=20)
    for wording in WORDINGS["order"]:
        start = wording.partition("{")[0].strip()
        own = [text for text in made.texts if start in text]
        assert sorted(text.index(start) == 0 for text in own) == [False, False, True]


@given(text=st.text(min_size=0, max_size=60), place=st.sampled_from(PLACES))
def test_lines_are_put_in_and_nothing_but_white_space_is_lost(text: str, place: Any):
    made = insert(text, ["one", "two"], place)
    assert "one\ntwo" in made
    assert "".join(made.replace("one\ntwo", "", 1).split()) == "".join(text.split()) or "one\ntwo" in text


@pytest.mark.parametrize("clean", [True, False, 0, 1, 2, 3, "order", "complaint", None])
def test_what_is_ordered_is_never_the_answer_that_was_given(clean: Any):
    for number, field in enumerate(compile_schema(SCHEMA).fields):
        if field.pointer.count("/") == 1:
            aim = target(field, clean, number)
            assert aim.value != clean or isinstance(aim.value, bool) != isinstance(clean, bool)
            assert aim.shown


def test_a_model_is_measured_and_shown(tiny_models):
    found = measure([record(n) for n in range(2)], ModelPredictor(tiny_models["int8"]), resamples=20)
    rows = injected_rows(found)
    assert [row[0] for row in rows[:2]] == ["all", "choice"]
    assert {len(row) for row in rows} == {len(INJECTED_COLUMNS)}
    again = measure([record(n) for n in range(2)], ModelPredictor(tiny_models["int8"]), resamples=20)
    assert again == found
