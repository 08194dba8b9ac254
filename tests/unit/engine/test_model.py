"""``Model.fill`` around its parts: what is refused and when, what is counted, what is explained."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import Mode
from deg_core.contract.request import Options
from deg_core.engine.decide import softmax
from deg_core.engine.engine import Model
from deg_core.engine.explain import explain_field
from deg_core.errors import FillError, RequestError, RuntimeLimitError, SchemaError, UnsupportedError

TEXT = "Order 7731 of 3 May 2024, paid by Ann."


def schema(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required or []}


@pytest.fixture
def model(tiny_models: Mapping[str, Model]) -> Model:
    return tiny_models["int8"]


def test_the_value_is_valid_and_the_meta_complete(model: Model):
    asked = schema(
        ["kind", "n"], kind={"enum": ["a", "b"]}, n={"type": "integer"}, inner=schema(s={"type": "string"}), e=schema()
    )
    result = model.fill(TEXT, asked)
    assert result.model == "deg-tiny-0.1" == model.model_id
    assert result.value["kind"] in ("a", "b")
    assert result.value["n"] in (7731, 3, 2024)
    assert result.value["e"] == {}
    assert isinstance(result.value["inner"], dict)
    assert list(result.meta) == ["/kind", "/n", "/inner/s"]
    assert result.plan == compile_schema(asked).fingerprint
    json.dumps(result.as_dict(), allow_nan=False)


def test_tokens_are_counted(model: Model):
    asked = schema(a={"type": "boolean"}, b={"enum": ["x", "y"]})
    plan = compile_schema(asked)
    trunk = len(model.renderer.trunk(TEXT).ids)
    forks = [len(model.renderer.fork(field).ids) for field in plan.fields]
    usage = model.fill(TEXT, asked).usage
    assert usage.prompt_tokens == trunk + sum(forks)
    assert usage.generated_tokens == 0


def test_temperatures_are_the_checkpoints(model: Model):
    asked = schema(a={"enum": ["x", "y", "z"]}, b={"type": "boolean"})
    ((_, (choice, noul)),) = model.read([(TEXT, compile_schema(asked))])
    meta = model.fill(TEXT, asked).meta
    assert model.temperature(choice.field) == 1.5
    assert model.temperature(noul.field) == 1.0
    assert meta["/a"].probability == max(softmax(choice.logits.tolist(), 1.5))
    assert meta["/b"].probability == softmax(noul.logits.tolist(), 1.0)[0]


def test_a_text_is_json_as_it_is_rendered(model: Model):
    asked = schema(["n"], n={"type": "integer"})
    assert model.fill({"order": 7731, "é": None}, asked) == model.fill('{"order": 7731, "é": null}', asked)


def test_an_empty_schema_is_filled_with_nothing(model: Model):
    result = model.fill(TEXT, {"type": "object"})
    assert (result.value, result.meta) == ({}, {})


def test_an_empty_text_can_be_filled(model: Model):
    result = model.fill("", schema(a={"type": "boolean"}, s={"type": ["string", "null"]}))
    assert result.value["s"] is None
    assert isinstance(result.value["a"], bool)


def test_bad_input_is_told_before_anything_is_read(model: Model):
    with pytest.raises(SchemaError):
        model.fill(TEXT, schema(a={"type": "strin"}))
    with pytest.raises(RequestError, match="date_ordr"):
        model.fill(TEXT, schema(), date_ordr="DMY")
    with pytest.raises(RequestError):
        model.fill(3, schema())


def test_what_this_build_does_not_fill_is_named(model: Model):
    asked = schema(rows={"type": "array", "items": {"type": "string"}}, reply={"type": "string", "x-generate": True})
    with pytest.raises(UnsupportedError) as caught:
        model.fill(TEXT, asked)
    assert "/rows" in str(caught.value)
    assert "/reply" in str(caught.value)


def test_every_field_that_cannot_be_filled_is_named(model: Model):
    mail = {"type": "string", "format": "email"}
    asked = schema(["n", "mail", "d"], n={"type": "number"}, mail=mail, d={"type": "boolean"})
    with pytest.raises(FillError) as caught:
        model.fill("words only", asked)
    assert "2 fields could not be filled" in str(caught.value)
    assert "/n: " in str(caught.value)
    assert "/mail: " in str(caught.value)
    with pytest.raises(FillError) as caught:
        model.fill("words only", schema(["n"], n={"type": "number"}))
    assert caught.value.pointer == "/n"


def test_a_text_beyond_the_positions_is_refused_with_the_numbers(model: Model):
    limit = model.body.geometry.max_positions
    text = "1 " * limit
    with pytest.raises(RuntimeLimitError, match=rf"the text has \d+ tokens.*at most {limit} together"):
        model.fill(text, schema(a={"type": "boolean"}))


def test_an_explanation_is_of_the_answer(model: Model):
    when = {"type": ["string", "null"], "format": "date"}
    asked = schema(kind={"enum": ["a", "b", None], "title": "Kind"}, when=when)
    plan, answer = compile_schema(asked), model.fill(TEXT, asked)
    account = explain_field(model, TEXT, plan, "/kind", Options(), top=2)
    assert account["plan"]["pointer"] == "/kind"
    assert account["fork"]["text"].startswith("FIELD /kind\nTITLE Kind\n")
    assert "".join(account["fork"]["tokens"]) == account["fork"]["text"]
    logits = account["head"]["logits"]
    assert len(logits) == 2
    assert logits[0]["logit"] >= logits[1]["logit"]
    assert account["reading"] == {"value": answer.value["kind"], "meta": answer.meta["/kind"].as_dict()}
    account = explain_field(model, TEXT, plan, "/when", Options())
    assert account["head"]["p_null"] == answer.meta["/when"].p_null
    assert account["head"]["spans"][0]["value"] == "2024-05-03"
    json.dumps(account, allow_nan=False)


def test_an_explanation_of_a_failure_tells_it(model: Model):
    plan = compile_schema(schema(["n"], n={"type": "number"}, s={"type": "string"}))
    assert "make it nullable" in explain_field(model, "words", plan, "/n", Options())["reading"]["error"]
    left_out = explain_field(model, "", plan, "/s", Options())
    assert left_out["reading"]["left_out"] is True
    with pytest.raises(KeyError):
        explain_field(model, "words", plan, "/other", Options())


def test_every_mode_of_the_build_has_its_head(model: Model):
    assert set(model.heads) == set(Mode) - {Mode.GENERATE}
    assert not any(parameter.requires_grad for head in model.heads.values() for parameter in head.parameters())
