"""``Model.fill`` around its parts: what is refused and when, what is counted, what is explained."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import Mode
from deg_core.contract.request import Options
from deg_core.engine.decide import softmax
from deg_core.engine.engine import Job, Model, fill_many
from deg_core.engine.explain import explain_field
from deg_core.engine.memory import OUTPUT_BYTES, context_bytes
from deg_core.errors import FillError, RequestError, RuntimeLimitError, SchemaError, UnsupportedError
from deg_core.protocols.head import ArrayQuery, Query

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


def with_heads(model: Model, *queries: Query, **changes: Any) -> Model:
    """The model with some of its heads only, and with another deg.json."""
    spec = msgspec.structs.replace(model.spec, **changes)
    heads = {query: model.heads[query] for query in queries}
    return Model(spec, model.body, model.renderer, heads, model.compute)


def test_what_the_checkpoint_has_no_head_for_is_named(model: Model):
    asked = schema(
        rows={"type": "array", "items": {"type": "string"}},
        flags={"type": "array", "items": {"type": "boolean"}},
        n={"type": "number"},
        kind={"enum": ["a", "b"]},
    )
    with pytest.raises(UnsupportedError) as caught:
        with_heads(model, Mode.NOUL, Mode.CHOICE, ArrayQuery.ANCHOR).fill(TEXT, asked)
    for part in ("/rows (array, count)", "/rows/* (extract.span)", "/flags (array, count)", "/n (extract.number)"):
        assert part in str(caught.value)
    assert "/kind" not in str(caught.value)
    assert "/flags/*" not in str(caught.value)


def test_anchors_alone_do_where_the_decoder_needs_no_count(model: Model):
    asked = schema(rows={"type": "array", "items": {"type": "string"}})
    anchored = with_heads(model, Mode.SPAN, ArrayQuery.ANCHOR)
    assert isinstance(anchored.fill(TEXT, asked, array_decode="threshold").value["rows"], list)
    with pytest.raises(UnsupportedError, match=r"/rows \(array, count\)"):
        anchored.fill(TEXT, asked, array_decode="hybrid")
    with pytest.raises(UnsupportedError, match=r"/rows \(array, count\)"):  # short texts are read by index
        with_heads(model, Mode.SPAN, ArrayQuery.ANCHOR, anchor_min_tokens=99).fill(
            TEXT, asked, array_decode="threshold"
        )


def test_a_checkpoint_without_an_anchor_head_reads_by_index(model: Model):
    asked = schema(rows={"type": "array", "items": {"type": "string"}, "minItems": 2})
    older = with_heads(model, Mode.SPAN, ArrayQuery.COUNT)
    indexed = with_heads(model, Mode.SPAN, ArrayQuery.COUNT, ArrayQuery.ANCHOR, array_mode="index")
    assert older.fill(TEXT, asked) == indexed.fill(TEXT, asked)
    assert older.fill(TEXT, asked).value != model.fill(TEXT, asked).value


def test_a_cap_below_what_the_schema_wants_is_refused_with_both(model: Model):
    rows = {"type": "array", "items": {"type": "string"}, "minItems": 3}
    inner = schema(more=rows | {"minItems": 2})
    asked = schema(rows=rows, free={"type": "array", "items": inner})
    for cap in (0, 1):
        with pytest.raises(RequestError, match=rf"max_items is {cap}.*/rows at least 3, /free/\*/more at least 2"):
            model.fill(TEXT, asked, max_items=cap)
    with pytest.raises(RequestError, match=r"max_items is 2.*/rows at least 3;"):
        model.fill(TEXT, asked, max_items=2)
    capped = schema(rows=rows | {"maxItems": 4})
    assert len(model.fill(TEXT, capped, max_items=1).value["rows"]) in (3, 4)  # maxItems goes before the option


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


def test_a_text_that_the_memory_cannot_hold_is_refused_with_the_numbers(model: Model, monkeypatch: pytest.MonkeyPatch):
    asked = schema(a={"type": "boolean"})
    free = context_bytes(model.body, 1000)
    monkeypatch.setattr("deg_core.engine.memory.free_bytes", lambda: free)
    with pytest.raises(
        RuntimeLimitError, match=r"the text has [\d,]+ tokens, which take \d+ MiB.* MiB are free"
    ) as caught:
        model.fill("1 " * 3000, asked)
    tokens = model.renderer.count("1 " * 3000)
    assert f"{tokens:,} tokens" in str(caught.value)
    fits = re.search(r"enough for about ([\d,]+) tokens", str(caught.value))
    assert fits is not None
    assert int(fits[1].replace(",", "")) == pytest.approx(1000, rel=0.01)
    assert model.fill("1 " * 400, asked).value["a"] in (True, False)


def test_more_items_than_the_memory_holds_are_refused_with_the_numbers(model: Model, monkeypatch: pytest.MonkeyPatch):
    """What a text holds is known only when it was read: the other requests of the pass are filled all the same."""
    rows = {"type": "array", "items": schema(s={"type": "string"}, n={"type": "number"}), "minItems": 12}
    asked, plain = schema(rows=rows), schema(a={"type": "boolean"})
    tokens = len(model.renderer.trunk(TEXT).offsets)
    free = 24 * (OUTPUT_BYTES + tokens * 8) - 1
    monkeypatch.setattr("deg_core.engine.engine.check_text", lambda *_, **__: None)
    monkeypatch.setattr("deg_core.engine.memory.free_bytes", lambda: free)
    failed, filled = fill_many(model, [Job(TEXT, asked), Job(TEXT, plain)])
    assert isinstance(failed, RuntimeLimitError)
    assert re.search(rf"ask 24 queries at once.* {tokens} tokens take 0 MiB.*max_items", str(failed))
    assert filled == model.fill(TEXT, plain)
    with pytest.raises(RuntimeLimitError):
        explain_field(model, TEXT, compile_schema(asked), "/rows", Options())
    monkeypatch.setattr("deg_core.engine.memory.free_bytes", lambda: free + 1)
    assert len(model.fill(TEXT, asked, array_decode="threshold").value["rows"]) == 12


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


def test_every_query_of_the_build_has_its_head(model: Model):
    assert set(model.heads) == {*Mode, *ArrayQuery} - {Mode.GENERATE}
    assert not any(parameter.requires_grad for head in model.heads.values() for parameter in head.parameters())
