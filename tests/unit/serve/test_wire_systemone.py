"""The System One wire: how questions become a schema, and every refusal in the words that its clients know."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.compiler import compile_schema
from deg_core.errors import RequestError, RuntimeLimitError
from deg_serve.errors import KeyMissingError, KeyWrongError, UnknownModelError, WireRefusal
from deg_serve.wire import systemone_errors
from deg_serve.wire.ask import Ask
from deg_serve.wire.systemone_route import read, score_confidence

NAMES, DECODERS = ("deg-latest", "jev-latest"), ("count_peaks",)
NOUL = {"type": "noul", "instructions": "Reply today?"}


def body(questions: Any, **more: Any) -> dict[str, Any]:
    return {"state": "Parcel 88 never came.", "model": "jev-latest", "questions": questions, **more}


def ask(given: Any) -> Ask:
    return read(json.dumps(given).encode(), NAMES, DECODERS, "deg-x-0.1")


def field(question: dict[str, Any]) -> dict[str, Any]:
    schema = ask(body({"q": question})).schema
    assert schema is not None
    compile_schema(schema)
    return schema["properties"]["q"]


def refused(given: Any) -> tuple[int, Any]:
    """Status and detail of the refusal."""
    with pytest.raises(WireRefusal) as caught:
        ask(given)
    assert list(caught.value.body) == ["detail"]
    return caught.value.status, caught.value.body["detail"]


def kinds(given: Any) -> list[tuple[str, list[str | int]]]:
    """Type and place of every problem of a 422."""
    status, details = refused(given)
    assert status == 422
    return [(found["type"], found["loc"]) for found in details]


def test_a_noul_tells_what_each_side_means():
    assert field(NOUL) == {"type": "boolean", "description": "Reply today?"}
    described = field({**NOUL, "criteria": {"true": "a deadline", "false": {"not": "urgent"}}})
    assert described["description"] == 'Reply today?\nYes means: a deadline\nNo means: {"not": "urgent"}'
    assert field({"type": "noul", "criteria": {"true": "yes it is"}})["description"] == "Yes means: yes it is"


def test_a_choice_and_a_score_take_texts_objects_and_arrays():
    choice = field({"type": "choice", "criteria": {"a": "first", "b": None, "c": {"what": "rest"}}})
    consts = [{"const": "a", "description": "first"}, {"const": "b"}, {"const": "c", "description": '{"what": "rest"}'}]
    assert choice == {"oneOf": consts}
    assert field({"type": "choice", "criteria": {"a": None, "b": None}}) == {"enum": ["a", "b"]}
    score = field({"type": "score", "instructions": ["How?"], "criteria": ["calm", {"what": "angry"}, ["x", "y"]]})
    assert score["description"] == '["How?"]'
    assert score["x-levels"] == {"0": "calm", "1": '{"what": "angry"}', "2": '["x", "y"]'}


def test_deg_adds_extract_and_generate():
    assert field({"type": "extract", "value_type": "number"}) == {"type": ["number", "null"]}
    assert field({"type": "generate", "max_tokens": 5}) == {"type": "string", "x-generate": True, "x-max-tokens": 5}
    assert kinds(body({"q": {"type": "extract", "vaule_type": "number"}})) == [
        ("value_error", ["body", "questions", "q", "extract"])
    ]


def test_one_option_and_one_level_are_answered_without_the_model():
    asked = ask(
        body({"b": {"type": "score", "criteria": [{"x": 1}]}, "a": {"type": "choice", "criteria": {"o": None}}})
    )
    assert asked.schema is None
    reply = asked.reply(None)
    assert list(reply.answers) == ["b", "a"]
    assert reply.answers["b"].legend == {"0": {"x": 1}}
    assert (reply.answers["a"].choice, reply.answers["a"].confidence) == ("o", 1.0)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (0, 0)


def test_unknown_keys_in_a_question_are_ignored_and_unknown_fields_are_not():
    assert field({**NOUL, "temperature": 0.1}) == field(NOUL)
    invalid = {"error_type": "api_usage_error", "message": "Invalid request."}
    assert refused(body({"q": NOUL}, provider={})) == (400, invalid)
    assert refused(body({"q": {"type": "rank"}})) == (400, invalid)
    assert refused(body({"q": {"type": ["noul"]}})) == (400, invalid)


@pytest.mark.parametrize(
    ("questions", "sentence"),
    [
        ({"": NOUL}, "Question key cannot be empty."),
        ({"q": {"type": "noul"}}, "Noul question must have criteria or instructions: q"),
        ({"q": {"type": "noul", "criteria": {"true": None}}}, "Noul question must have criteria or instructions: q"),
        ({"q": {"type": "choice", "criteria": {}}}, "Choice question must have at least one choice: q"),
        (
            {"q": {"type": "choice", "criteria": dict.fromkeys(map(str, range(256)))}},
            "Too many choices. Must have at most 255 choices.",
        ),
        ({"q": {"type": "score", "criteria": ["x"] * 11}}, "Too many score levels. Must have at most 10 levels."),
    ],
)
def test_rules_of_single_questions(questions: Any, sentence: str):
    assert refused(body(questions)) == (400, sentence)


def test_limits_themselves_are_allowed():
    assert len(field({"type": "choice", "criteria": dict.fromkeys(map(str, range(255)))})["enum"]) == 255
    assert field({"type": "score", "criteria": ["x"] * 10})["maximum"] == 9


def test_empty_questions_and_missing_fields_are_all_listed():
    status, details = refused({"questions": {}})
    assert status == 422
    assert details == [
        {"type": "missing", "loc": ["body", "state"], "msg": "Field required", "input": {"questions": {}}},
        {"type": "missing", "loc": ["body", "model"], "msg": "Field required", "input": {"questions": {}}},
        {
            "type": "too_short",
            "loc": ["body", "questions"],
            "msg": "Dictionary should have at least 1 item after validation, not 0",
            "input": {},
            "ctx": {"min_length": 1},
        },
    ]


THREE = [("string_type", "str"), ("dict_type", "dict[any,any]"), ("list_type", "list[any]")]


def three(*loc: str | int) -> list[tuple[str, list[str | int]]]:
    return [(kind, ["body", *loc, last]) for kind, last in THREE]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (5, [("model_attributes_type", ["body"])]),
        (body(5), [("dict_type", ["body", "questions"])]),
        (body({"q": 5}), [("model_attributes_type", ["body", "questions", "q"])]),
        (body({"q": {}}), [("union_tag_not_found", ["body", "questions", "q"])]),
        (body({"q": {"type": "choice"}}), [("missing", ["body", "questions", "q", "choice", "criteria"])]),
        (
            body({"q": {"type": "choice", "criteria": []}}),
            [("dict_type", ["body", "questions", "q", "choice", "criteria"])],
        ),
        (
            body({"q": {"type": "score", "criteria": {}}}),
            [("list_type", ["body", "questions", "q", "score", "criteria"])],
        ),
        (
            body({"q": {"type": "score", "criteria": []}}),
            [("too_short", ["body", "questions", "q", "score", "criteria"])],
        ),
        (body({"q": {"type": "score", "criteria": [None]}}), three("questions", "q", "score", "criteria", 0)),
        (body({"q": {"type": "choice", "criteria": {"a": 1}}}), three("questions", "q", "choice", "criteria", "a")),
        (body({"q": {**NOUL, "instructions": 5}}), three("questions", "q", "noul", "instructions")),
        (body({"q": NOUL}, state=None), three("state")),
        (body({"q": NOUL}, state=12), three("state")),
        (body({"q": NOUL}, state=True), three("state")),
        (body({"q": NOUL}, model=1), [("string_type", ["body", "model"])]),
    ],
)
def test_what_breaks_the_schema_is_listed_with_its_place(given: Any, expected: list[tuple[str, list[str | int]]]):
    assert kinds(given) == expected


def test_checks_come_in_the_order_of_the_live_service():
    everything = {"questions": {"a": {"type": "rank"}, "": NOUL}, "provider": 1, "model": "nope"}
    assert refused(everything)[0] == 400  # the unknown type
    del everything["questions"]["a"]
    assert refused(everything)[0] == 422  # the missing state
    everything["state"] = []
    assert refused(everything)[1]["message"] == "Invalid request."  # the unknown field
    del everything["provider"]
    with pytest.raises(UnknownModelError):
        ask(everything)
    everything["model"] = "jev-latest"
    assert refused(everything)[1] == "Question key cannot be empty."


@pytest.mark.parametrize("text", [b"", b"{", b"nope", b"\xff", b"[" * 100_000, b'{"a": NaN}', b'{"a": 1, "a": 2}'])
def test_what_is_not_json_is_a_422(text: bytes):
    with pytest.raises(WireRefusal) as caught:
        read(text, NAMES, DECODERS, "x")
    assert caught.value.status == 422


def test_errors_from_elsewhere_in_this_wires_words():
    told = {
        KeyMissingError("m"): (403, "authentication_error"),
        KeyWrongError("m"): (401, "authentication_error"),
        RuntimeLimitError("m"): (400, "max_tokens_exceeded"),
    }
    for error, (status, kind) in told.items():
        found, given = systemone_errors.failure(error, 418)
        assert (found, given["detail"]["error_type"]) == (status, kind)
    unknown = UnknownModelError("Unknown model: x. Served here: y")
    assert systemone_errors.failure(unknown, 422) == (
        400,
        {"detail": {"error_type": "api_usage_error", "message": "Unknown model: x"}},
    )
    with pytest.raises(RequestError) as caught:
        ask(body({"q": NOUL}, options={"seed": "x"}))
    status, given = systemone_errors.failure(caught.value, 422)
    assert (status, given["detail"][0]["loc"]) == (422, ["body", "options", "seed"])


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=10))
def test_confidence_in_a_scale_is_between_none_and_certain(weights: list[float]):
    total = sum(weights)
    assert 0 <= score_confidence([weight / total for weight in weights]) <= 1


def test_confidence_in_a_scale_at_its_ends():
    assert score_confidence([1.0]) == 1
    assert score_confidence([0, 0, 1.0]) == 1
    assert score_confidence([0.5, 0, 0.5]) == 0
    assert score_confidence([0.1, 0.8, 0.1]) == pytest.approx(0.7)
    assert score_confidence([1 / 3] * 3) == 0


def test_more_questions_than_a_schema_may_have_fields_are_refused_at_once():
    """Whatever else is wrong with them, and without making a schema of them."""
    many = {f"q{number}": {"type": "noul"} for number in range(20_001)}
    assert kinds(body(many)) == [("too_long", ["body", "questions"])]
