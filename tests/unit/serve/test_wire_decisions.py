"""The Decisions wire: how questions become a schema, how the input is rendered, and what is refused in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.compiler import compile_schema
from deg_core.errors import DegError, SchemaError
from deg_serve.errors import UnknownModelError, WireRefusal
from deg_serve.wire import decisions_errors
from deg_serve.wire.ask import Ask
from deg_serve.wire.decisions_route import read

NAMES, DECODERS = ("deg-latest", "gpt-6-luna"), ("count_peaks",)
YES = {"type": "predicate", "name": "urgent", "instructions": "A reply is due today."}


def ask(questions: list[dict[str, Any]], given: Any = "Parcel 88 never came.", **more: Any) -> Ask:
    body = {"model": "gpt-6-luna", "input": given, "questions": questions, **more}
    return read(json.dumps(body).encode(), NAMES, DECODERS, "deg-x-0.1")


def refused(questions: list[dict[str, Any]], given: Any = "x", **more: Any) -> tuple[str, str, str]:
    """Code, param and message of the refusal."""
    with pytest.raises(WireRefusal) as caught:
        ask(questions, given, **more)
    assert caught.value.status == 400
    error = caught.value.body["error"]
    assert list(error) == ["message", "type", "param", "code"]
    assert error["type"] == "invalid_request_error"
    return error["code"], error["param"], error["message"]


def field(question: dict[str, Any]) -> dict[str, Any]:
    schema = ask([{"name": "q", "instructions": "Say.", **question}]).schema
    assert schema is not None
    compile_schema(schema)
    return schema["properties"]["q"]


def test_a_predicate_is_a_boolean():
    assert field({"type": "predicate"}) == {"type": "boolean", "description": "Say."}


def test_a_choice_is_an_enum_or_described_constants_of_their_own_types():
    plain = field({"type": "choice", "choices": [{"value": True}, {"value": "true"}]})
    assert plain == {"enum": [True, "true"], "description": "Say."}
    described = field({"type": "choice", "choices": [{"value": "a", "description": "first"}, {"value": False}]})
    assert described == {"oneOf": [{"const": "a", "description": "first"}, {"const": False}], "description": "Say."}


def test_a_score_is_a_scale_with_labels():
    levels = [{"label": "calm"}, {"label": "angry", "description": "shouts"}, {"label": ""}]
    assert field({"type": "score", "levels": levels}) == {
        "type": "integer",
        "minimum": 0,
        "maximum": 2,
        "x-levels": {"0": "calm", "1": "angry: shouts"},
        "description": "Say.",
    }


def test_an_extract_may_be_null_and_a_generate_is_written():
    assert field({"type": "extract", "value_type": "date"})["type"] == ["string", "null"]
    assert field({"type": "extract", "value_type": "date"})["format"] == "date"
    assert field({"type": "extract", "value_type": "integer"})["type"] == ["integer", "null"]
    assert field({"type": "extract", "pattern": "^A", "minLength": 1, "maxLength": 9})["pattern"] == "^A"
    written = field({"type": "generate", "maxLength": 40, "max_tokens": 12})
    assert (written["x-generate"], written["x-max-tokens"], written["maxLength"]) == (True, 12, 40)


def test_one_option_and_one_level_are_answered_without_the_model():
    asked = ask(
        [
            {"type": "choice", "name": "c", "instructions": "?", "choices": [{"value": False}]},
            {"type": "score", "instructions": "?", "levels": [{"label": "only"}]},
        ]
    )
    assert asked.schema is None
    reply = asked.reply(None)
    choice, score = reply.answers
    assert (choice.choice, choice.confidence, choice.probabilities[0].probability) == (False, 1.0, 1.0)
    assert (score.name, score.score, score.confidence, score.probabilities[0].label) == (None, 0.0, 1.0, "only")
    assert reply.usage.total_tokens == 0


def test_questions_without_a_name_get_one_that_no_other_has():
    nameless = {"type": "predicate", "instructions": "?"}
    schema = ask([nameless, {**YES, "name": "answer_2"}, nameless, {**YES, "name": "urgent"}]).schema
    assert schema is not None
    assert list(schema["properties"]) == ["answer", "answer_2", "answer_3", "urgent"]


@pytest.mark.parametrize(
    "item",
    [
        "Hello.",
        [{"role": "user", "content": "Hello."}],
        [{"role": "user", "content": [{"type": "input_text", "text": "Hello."}]}],
    ],
)
def test_one_text_is_that_text_however_it_is_sent(item: Any):
    assert ask([YES], item).context == "Hello."


def test_whoever_speaks_is_named_and_nothing_is_dropped():
    items = [
        {"role": "system", "content": "Be literal."},
        {"role": "developer", "type": "message", "content": [{"type": "input_text", "text": "Tickets."}]},
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "Where?"}, {"type": "input_json", "data": {"a": [1]}}],
        },
        {"role": "assistant", "phase": "commentary", "content": [{"type": "refusal", "refusal": "No."}]},
        {"type": "function_call", "call_id": "c1", "name": "track", "namespace": "ups", "arguments": '{"id":88}'},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "lost"}]},
        {"type": "custom_tool_call", "call_id": "c2", "name": "note", "input": "free text"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "ok"},
    ]
    assert ask([YES], items).context == (
        "system: Be literal.\n"
        "developer: Tickets.\n"
        'user: Where?\n{"a": [1]}\n'
        "assistant (commentary): No.\n"
        'call ups.track (c1): {"id":88}\n'
        "result (c1): lost\n"
        "call note (c2): free text\n"
        "result (c2): ok"
    )


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=20), min_size=1, max_size=5))
def test_every_text_of_an_input_is_in_the_context(texts: list[str]):
    items = [{"role": "user", "content": text} for text in texts]
    context = ask([YES], items).context
    assert isinstance(context, str)
    assert context == "\n".join(texts)


IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,AA=="}


@pytest.mark.parametrize(
    ("items", "code", "param"),
    [
        ([{"role": "user", "content": [IMAGE]}], "unsupported_content", "input[0].content[0]"),
        ([{"content": "x"}], "missing_required_parameter", "input[0].role"),
        ([{"role": "tool", "content": "x"}], "invalid_value", "input[0].role"),
        ([{"role": "user", "content": "x", "mood": 1}], "unknown_parameter", "input[0].mood"),
        ([{"role": "user", "content": [{"type": "input_file"}]}], "invalid_value", "input[0].content[0].type"),
        ([{"type": "reasoning"}], "invalid_value", "input[0].type"),
        ([{"type": "function_call_output", "call_id": "c", "output": "x"}], "invalid_value", "input[0].call_id"),
        (
            [{"role": "user", "content": [{"type": "input_json", "data": 5}]}],
            "invalid_type",
            "input[0].content[0].data",
        ),
        (5, "invalid_type", "input"),
        (["x"], "invalid_type", "input[0]"),
    ],
)
def test_input_that_cannot_be_rendered_is_refused_with_its_place(items: Any, code: str, param: str):
    assert refused([YES], items)[:2] == (code, param)


def test_json_parts_have_limits():
    deep: Any = {}
    for _ in range(40):
        deep = {"a": deep}
    for data, unit in ((deep, "levels"), ({"a": [0] * 10_001}, "values"), ({"a": "x" * 300_000}, "bytes")):
        code, param, message = refused([YES], [{"role": "user", "content": [{"type": "input_json", "data": data}]}])
        assert (code, param) == ("invalid_value", "input[0].content[0].data")
        assert unit in message


@pytest.mark.parametrize(
    ("question", "code", "param"),
    [
        ({"type": "predicate"}, "missing_required_parameter", "questions[0].instructions"),
        ({"type": "rank", "instructions": "x"}, "invalid_value", "questions[0].type"),
        ({"instructions": "x"}, "missing_required_parameter", "questions[0].type"),
        ({**YES, "criteria": {}}, "unknown_parameter", "questions[0].criteria"),
        ({**YES, "instructions": 5}, "invalid_type", "questions[0].instructions"),
        ({**YES, "instructions": [IMAGE]}, "unsupported_content", "questions[0].instructions[0]"),
        ({"type": "choice", "instructions": "x", "choices": []}, "invalid_value", "questions[0].choices"),
        (
            {"type": "choice", "instructions": "x", "choices": [{"value": 1}]},
            "invalid_type",
            "questions[0].choices[0].value",
        ),
        (
            {"type": "choice", "instructions": "x", "choices": [{"value": "a"}, {"value": "a"}]},
            "invalid_value",
            "questions[0].choices[1].value",
        ),
        (
            {"type": "choice", "instructions": "x", "choices": [{"value": str(n)} for n in range(256)]},
            "invalid_value",
            "questions[0].choices",
        ),
        (
            {"type": "score", "instructions": "x", "levels": [{"label": str(n)} for n in range(11)]},
            "invalid_value",
            "questions[0].levels",
        ),
        ({"type": "extract", "instructions": "x", "value_type": "iban"}, "invalid_value", "questions[0].value_type"),
    ],
)
def test_a_bad_question_is_refused_with_its_place(question: dict[str, Any], code: str, param: str):
    assert refused([question])[:2] == (code, param)


def test_the_request_itself_is_closed():
    assert refused([])[:2] == ("invalid_value", "questions")
    assert refused([YES] * 401)[:2] == ("invalid_value", "questions")
    assert refused([YES, YES])[:2] == ("invalid_value", "questions[1].name")
    assert refused([YES], stream=True)[:2] == ("unknown_parameter", "stream")
    nulls = {"prompt_cache_key": None, "prompt_cache_options": None, "safety_identifier": None, "options": None}
    assert ask([YES], **nulls).schema is not None
    with pytest.raises(UnknownModelError):
        ask([YES], model="gpt-5")


def test_options_are_those_of_a_fill():
    assert ask([YES], options={"seed": 3, "null_margin": 1}).options.seed == 3
    with pytest.raises(DegError) as caught:
        ask([YES], options={"seeed": 3})
    status, body = decisions_errors.failure(caught.value, 422)
    assert (status, body["error"]["param"]) == (400, "options.seeed")


def test_a_constraint_that_does_not_compile_is_told_at_its_question():
    asked = ask([YES, {"type": "extract", "name": "id", "instructions": "?", "pattern": "("}])
    with pytest.raises(SchemaError) as caught:
        compile_schema(asked.schema or {})
    status, body = decisions_errors.failure(asked.located(caught.value), 422)
    assert (status, body["error"]["param"]) == (400, "questions[1].pattern")
