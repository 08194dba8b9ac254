"""The peer: what it is asked, what its answers become. The real one runs where its package and weights are."""

from __future__ import annotations

import builtins
import copy
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.validate import value_problems
from deg_core.errors import CheckpointError, FillError, PluginError, RuntimeLimitError
from deg_core.evaluate.peers.answer_schema import (
    LONGEST_ARRAY,
    LONGEST_TEXT,
    answer_schema,
    answer_tokens,
    without_omitted,
)
from deg_core.evaluate.peers.llama_cpp import LlamaCppPredictor, LlamaServer, better_wording
from deg_core.evaluate.peers.prompts import WORDINGS, messages
from tests.unit.evaluate.making import record

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "who pays", "maxLength": 40, "pattern": "^[A-Z]"},
        "kind": {"oneOf": [{"const": "a", "description": "apple"}, {"const": "b"}]},
        "sum": {
            "type": "object",
            "properties": {
                "amount": {"type": ["number", "null"], "minimum": 0},
                "due": {"type": "string", "format": "date"},
                "note": {"type": ["string", "null"]},
            },
            "required": ["amount", "note"],
        },
        "level": {"type": ["integer", "null"], "minimum": 1, "maximum": 3, "x-levels": {"1": "low"}},
        "paid": {"type": "boolean"},
    },
    "required": ["name", "kind", "sum", "level"],
}
PLAN = compile_schema(SCHEMA)


def test_the_schema_of_an_answer():
    made = answer_schema(PLAN)
    properties = made["properties"]
    assert made["required"] == ["name", "kind", "sum", "level", "paid"]
    assert made["additionalProperties"] is False
    assert properties["name"] == {"type": "string", "maxLength": 40, "pattern": "^[A-Z]"}
    assert properties["kind"] == {"enum": ["a", "b"]}
    assert properties["level"] == {"enum": [1, 2, 3, None]}
    assert properties["paid"] == {"type": "boolean"}
    inner = properties["sum"]["properties"]
    assert inner["amount"] == {"type": ["number", "null"], "minimum": 0}
    assert inner["due"] == {"type": ["string", "null"], "format": "date", "maxLength": LONGEST_TEXT}
    assert inner["note"] == {"type": ["string", "null"], "maxLength": LONGEST_TEXT}
    assert properties["sum"]["required"] == ["amount", "due", "note"]


ARRAYS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "lines": {
            "type": "array",
            "description": "what was bought",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "of the thing"},
                    "price": {"type": "number"},
                    "marks": {"type": "array", "items": {"enum": ["new", "used"]}, "maxItems": 3},
                },
                "required": ["name"],
            },
        },
        "codes": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["lines", "codes"],
}


def test_the_schema_of_an_answer_with_arrays():
    made = answer_schema(compile_schema(ARRAYS))["properties"]
    lines, codes = made["lines"], made["codes"]
    assert (lines["minItems"], lines["maxItems"]) == (1, LONGEST_ARRAY)
    assert lines["items"]["required"] == ["name", "price", "marks"]
    assert lines["items"]["properties"]["price"] == {"type": ["number", "null"]}
    assert lines["items"]["properties"]["marks"] == {
        "type": "array",
        "maxItems": 3,
        "items": {"enum": ["new", "used"]},
    }
    assert codes == {
        "type": "array",
        "maxItems": LONGEST_ARRAY,
        "items": {"type": "string", "maxLength": LONGEST_TEXT},
    }


def test_nulls_that_stand_for_keys_left_out_of_items():
    answer = {"lines": [{"name": "a", "price": None, "marks": []}, {"name": "b", "price": 2}, "no object"], "codes": []}
    left = without_omitted(compile_schema(ARRAYS), answer)
    assert left["lines"] == [{"name": "a", "marks": []}, {"name": "b", "price": 2}, "no object"]


def test_arrays_are_told_and_have_room():
    plan = compile_schema(ARRAYS)
    ((message,),) = [messages("fields", "text", ARRAYS, plan)]
    assert '- "lines": what was bought (a list)' in message["content"]
    assert '- "lines" -> each item -> "name": of the thing (words from the text)' in message["content"]
    assert '- "codes" -> each item: (words from the text)' in message["content"]
    assert answer_tokens(plan) > LONGEST_ARRAY * 2 * LONGEST_TEXT / 4


def test_the_simple_schema_keeps_types_and_caps():
    properties = answer_schema(PLAN, simple=True)["properties"]
    assert properties["name"] == {"type": "string", "maxLength": LONGEST_TEXT}
    assert properties["sum"]["properties"]["amount"] == {"type": ["number", "null"]}
    assert properties["kind"] == {"enum": ["a", "b"]}


def test_null_for_a_key_that_may_be_left_out():
    answer = {"name": "A", "kind": "a", "sum": {"amount": None, "due": None, "note": None}, "level": None, "paid": True}
    left = without_omitted(PLAN, copy.deepcopy(answer))
    assert left["sum"] == {"amount": None, "note": None}
    assert not value_problems(SCHEMA, left)
    assert without_omitted(PLAN, "not an object") == "not an object"
    assert without_omitted(PLAN, {"sum": 3}) == {"sum": 3}


def test_room_for_the_longest_answer():
    assert answer_tokens(PLAN) > 2 * LONGEST_TEXT / 4 + 5 * 8


@pytest.mark.parametrize("wording", WORDINGS)
def test_every_wording_tells_everything(wording: Any):
    ((message),) = messages(wording, "A text {with braces}", SCHEMA, PLAN)
    assert message["role"] == "user"
    for part in ("A text {with braces}", "who pays", "apple", '"amount"', "null", "low", "YYYY-MM-DD"):
        assert part in message["content"]


class Server:
    """Stands for llama.cpp: replies in turn, an exception is raised."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.asked: list[Mapping[str, Any]] = []
        self.sha256, self.version = "0" * 64, "1"

    def chat(self, prompt: list[dict[str, str]], schema: Mapping[str, Any], max_tokens: int) -> dict[str, Any]:
        self.asked.append(schema)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


def said(text: str, finish: str = "stop") -> dict[str, Any]:
    choice = {"message": {"content": text}, "finish_reason": finish}
    return {"choices": [choice], "usage": {"prompt_tokens": 30, "completion_tokens": 12}}


ANSWER = {"name": "A", "kind": "a", "sum": {"amount": 1, "due": None, "note": None}, "level": None, "paid": True}


def test_an_answer_becomes_a_prediction():
    server = Server(said(json.dumps(ANSWER)))
    found = LlamaCppPredictor(server).predict("text", SCHEMA)  # type: ignore[arg-type]
    assert found.value["sum"] == {"amount": 1, "note": None}
    assert found.tokens == (30, 12)
    assert not found.confidence
    assert server.asked == [answer_schema(PLAN)]


def test_a_refused_schema_is_asked_simply_and_counted():
    server = Server(ValueError("JSON schema error"), said(json.dumps(ANSWER)))
    predictor = LlamaCppPredictor(server)  # type: ignore[arg-type]
    predictor.predict("text", SCHEMA)
    assert predictor.refused == 1
    assert server.asked[1] == answer_schema(PLAN, simple=True)
    with pytest.raises(FillError, match="does not take the schema"):
        LlamaCppPredictor(Server(ValueError("no"))).predict("text", SCHEMA)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (said('{"name": "A', "length"), FillError, "cut at the token limit"),
        (said(""), FillError, "not JSON"),
        ({"error": {"type": "exceed_context_size_error", "message": "9000 tokens"}}, RuntimeLimitError, "9000"),
        ({"error": {"type": "other", "message": "broken"}}, FillError, "broken"),
    ],
)
def test_what_goes_wrong(reply: dict[str, Any], error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        LlamaCppPredictor(Server(reply)).predict("text", SCHEMA)  # type: ignore[arg-type]


def test_a_fingerprint_for_each_wording():
    server: Any = Server(said("{}"))
    assert len({LlamaCppPredictor(server, wording=wording).fingerprint for wording in WORDINGS}) == len(WORDINGS)


def test_the_better_wording_is_kept():
    records = [record(str(k), "text", {"a": {"type": "boolean"}}, {"a": True}) for k in range(4)]
    yes, no = said('{"a": true}'), said('{"a": false}')
    server: Any = Server(no, no, yes, no, yes, yes, yes, no)
    assert better_wording(server, records) == (WORDINGS[1], {WORDINGS[0]: 0.25, WORDINGS[1]: 0.75})


def test_without_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    real = builtins.__import__

    def importing(name: str, *more: Any) -> Any:
        if name == "xllamacpp":
            raise ImportError("No module named 'xllamacpp'")
        return real(name, *more)

    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    monkeypatch.setattr(builtins, "__import__", importing)
    with pytest.raises(PluginError, match=r"pip install 'deg-fill\[bench\]'"):
        LlamaServer(tmp_path / "none.gguf")


def test_without_the_weights(tmp_path: Path):
    pytest.importorskip("xllamacpp")
    with pytest.raises(CheckpointError, match="no such GGUF"):
        LlamaServer(tmp_path / "none.gguf")


@pytest.mark.slow
def test_the_real_one():
    pytest.importorskip("xllamacpp")
    from deg_backbones.smollm2.fetch import local_path

    gguf = local_path()
    if gguf is None:
        pytest.skip("the weights are not on this machine; deg models pull embedded fetches them")
    predictor = LlamaCppPredictor(LlamaServer(gguf, threads=1, context_tokens=1024))
    found = predictor.predict("Ada pays 12.50 EUR.", SCHEMA)
    assert set(found.value) == set(SCHEMA["properties"])
    assert found.tokens is not None
    assert predictor.refused == 0
    with pytest.raises(RuntimeLimitError, match="context size"):
        predictor.predict("word " * 1100, SCHEMA)
