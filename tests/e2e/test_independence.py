"""A field's outcome is its own: the same bits alone, reordered, in a bigger schema, in a batch, with any threads.

The model is random, so any dependence on anything shows as a difference; the code paths are those that serve.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from deg_core import compile_schema
from deg_core.contract.plan import Mode
from deg_core.contract.result import FillResult
from deg_core.engine.engine import Job, Model, fill_many
from deg_core.errors import DegError, FillError, SchemaError
from deg_core.kernels.testing import threads
from tests.properties import strategies

TEXT = """Order 7731 of 3 May 2024, EUR 1,250.00, paid by Ann Lee <ann@example.org>.
Ship it before 2024-06-01T09:30:00Z, please! \U0001f642 The boxes came broken; the customer is cross (again)."""
LONG = TEXT * 9  # more tokens than one chunk of the prefill

FIELDS: dict[str, Any] = {
    "kind": {"enum": ["order", "refund", "complaint", None], "title": "Kind of letter"},
    "mixed": {"enum": [True, "true", 1, "1", None, 2.5], "description": "one of several\nlines"},
    "described": {"oneOf": [{"const": c, "description": f"when it is {c}"} for c in ("b", "a", "c", "e", "d")]},
    "urgent": {"type": "boolean", "description": "Is it urgent?"},
    "paid": {"type": ["boolean", "null"]},
    "anger": {"type": "integer", "minimum": 0, "maximum": 4, "x-levels": {"0": "calm", "4": "furious"}},
    "mood": {"type": ["integer", "null"], "minimum": -2, "maximum": 2},
    "amount": {"type": ["number", "null"], "minimum": 0},
    "order_no": {"type": "integer", "description": "the number of the order"},
    "when": {"type": "string", "format": "date"},
    "ship_by": {"type": ["string", "null"], "format": "date-time"},
    "mail": {"type": "string", "format": "email"},
    "name": {"type": ["string", "null"], "maxLength": 30, "title": "Who paid"},
    "word": {"type": "string", "pattern": "^[a-z]+$"},
}
COMPUTE = ("int8", "fp32")
THREADS = (1, 2, 5)


def schema_of(names: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {name: FIELDS[name] for name in names}, "required": ["order_no", "when"]}


def needed(names: Any) -> dict[str, Any]:
    """``schema_of`` without demands on what is not among the names."""
    names = list(names)
    return schema_of(names) | {"required": [name for name in ("order_no", "when") if name in names]}


def logits(model: Model, schema: Mapping[str, Any], text: str = TEXT) -> dict[str, Tensor]:
    ((_, raw),) = model.read([(text, compile_schema(schema))])
    return {item.field.pointer: item.logits for item in raw}


def assert_same(found: Mapping[str, Tensor], expected: Mapping[str, Tensor], note: object) -> None:
    for pointer, value in found.items():
        assert torch.equal(value, expected[pointer]), (pointer, note)


def response(result: FillResult) -> bytes:
    return json.dumps(result.as_dict()).encode()


@pytest.fixture(params=COMPUTE)
def model(request: pytest.FixtureRequest, tiny_models: Mapping[str, Model]) -> Model:
    return tiny_models[request.param]


def test_raw_outputs_are_the_fields_own(model: Model):
    names = list(FIELDS)
    with threads(1):
        expected = logits(model, schema_of(names))
    assert len(expected) == len(names)
    for workers in THREADS:
        with threads(workers):
            for attempt in range(3 if workers == 1 else 1):
                assert_same(logits(model, schema_of(names)), expected, ("again", workers, attempt))
            assert_same(logits(model, schema_of(names[::-1])), expected, ("reversed", workers))
            random.Random(workers).shuffle(names)
            assert_same(logits(model, schema_of(names)), expected, ("shuffled", workers))
            for name in names if workers == 1 else names[::4]:
                assert_same(logits(model, needed([name])), expected, ("alone", workers))
            for half in (names[::2], names[1::2]):
                assert_same(logits(model, needed(half)), expected, ("split", workers))


def test_long_texts_too(model: Model):
    names = ["kind", "anger", "amount", "name"]
    with threads(1):
        expected = logits(model, needed(FIELDS), LONG)
    ((read, _),) = model.read([(LONG, compile_schema(needed(names)))])
    assert read.state.length > 1024
    for workers in THREADS:
        with threads(workers):
            assert_same(logits(model, needed(names), LONG), expected, workers)
            assert_same(logits(model, needed(["name"]), LONG), expected, workers)


def test_a_field_depends_on_its_own_words_and_place(model: Model):
    """So that equality above is not the equality of outputs that never change."""
    base = logits(model, needed(["anger", "amount"]))
    renamed = {"type": "object", "properties": {"anger2": FIELDS["anger"], "amount": FIELDS["amount"] | {"title": "x"}}}
    found = logits(model, renamed)
    assert not torch.equal(found["/anger2"], base["/anger"])
    assert not torch.equal(found["/amount"], base["/amount"])
    assert not torch.equal(logits(model, needed(["anger"]), TEXT + "!")["/anger"], base["/anger"])


def by_label(model: Model, schema: Mapping[str, Any], pointer: str) -> dict[str, float]:
    ((_, raw),) = model.read([(TEXT, compile_schema(schema))])
    item = next(item for item in raw if item.field.pointer == pointer)
    labels = [json.dumps(item.field.options[index]) for index in item.layout.order]
    return dict(zip(labels, item.logits.tolist(), strict=True))


@pytest.mark.parametrize("name", ["kind", "mixed"])
def test_the_order_of_options_is_nothing(model: Model, name: str):
    schema = needed([name])
    expected, answer = by_label(model, schema, f"/{name}"), model.fill(TEXT, schema)
    assert len(expected) == len(FIELDS[name]["enum"])
    for seed in range(6):
        options = list(FIELDS[name]["enum"])
        random.Random(seed).shuffle(options)
        turned = {"type": "object", "properties": {name: FIELDS[name] | {"enum": options}}}
        assert by_label(model, turned, f"/{name}") == expected
        found = model.fill(TEXT, turned)
        assert json.dumps(found.value) == json.dumps(answer.value)
        meta, wanted = found.meta[f"/{name}"], answer.meta[f"/{name}"]
        assert (meta.probability, meta.confidence) == (wanted.probability, wanted.confidence)
        places = [[json.dumps(o) for o in FIELDS[name]["enum"]].index(json.dumps(option)) for option in options]
        assert meta.probabilities == [wanted.probabilities[place] for place in places]


def test_described_options_keep_their_logits_in_any_order(model: Model):
    branches = FIELDS["described"]["oneOf"]
    turned = {"type": "object", "properties": {"described": {"oneOf": branches[::-1]}}}
    assert by_label(model, turned, "/described") == by_label(model, needed(["described"]), "/described")


def test_responses_are_the_same_bytes(model: Model):
    with threads(1):
        expected = response(model.fill(TEXT, schema_of(FIELDS)))
    for workers in THREADS:
        with threads(workers):
            for _ in range(3):
                assert response(model.fill(TEXT, schema_of(FIELDS))) == expected


def test_answers_are_the_fields_own(model: Model):
    whole = model.fill(TEXT, schema_of(FIELDS))
    modes = {meta.mode for meta in whole.meta.values()}
    assert modes == {mode.value for mode in Mode if mode is not Mode.GENERATE}
    for name in FIELDS:
        alone = model.fill(TEXT, needed([name]))
        assert alone.meta[f"/{name}"] == whole.meta[f"/{name}"]
        assert json.dumps(alone.value.get(name)) == json.dumps(whole.value.get(name))
    turned = model.fill(TEXT, schema_of(list(FIELDS)[::-1]))
    assert turned.plan == whole.plan
    assert turned.usage == whole.usage
    assert turned.value == whole.value
    assert list(turned.value) == [name for name in reversed(FIELDS) if name in turned.value]


def test_many_requests_together_are_each_alone(model: Model):
    other = "Nothing here but words."
    jobs = [
        Job(TEXT, needed(["kind", "amount", "name"])),
        Job(other, needed(["kind", "name"])),
        Job(LONG, needed(["anger", "mail", "when"])),
        Job(other, needed(["order_no"])),  # a required number that is not there
        Job(TEXT, {"type": "strin"}),
        Job("", needed(["kind", "name", "urgent"])),
        Job(TEXT, needed(["ship_by", "when"]), {"null_margin": 50.0}),
        Job({"order": 12, "note": "é"}, needed(["order_no", "word"])),
    ]
    together = fill_many(model, jobs)
    assert isinstance(together[3], FillError)
    assert isinstance(together[4], SchemaError)
    for job, result in zip(jobs, together, strict=True):
        if isinstance(result, DegError):
            with pytest.raises(type(result)) as caught:
                model.fill(job.context, job.schema, **job.options)
            assert str(caught.value) == str(result)
        else:
            assert response(result) == response(model.fill(job.context, job.schema, **job.options))
    for results in (fill_many(model, jobs[::-1])[::-1], fill_many(model, jobs[:3]) + fill_many(model, jobs[3:])):
        for found, wanted in zip(results, together, strict=True):
            assert str(found) == str(wanted)


def test_no_jobs_no_results(model: Model):
    assert fill_many(model, []) == []


filled = strategies.leaves.filter(lambda leaf: "x-generate" not in leaf)


@settings(max_examples=20)
@given(
    properties=st.dictionaries(strategies.names, filled, min_size=1, max_size=5),
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    workers=st.sampled_from(THREADS),
    compute=st.sampled_from(COMPUTE),
    data=st.data(),
)
def test_any_schema_any_text(
    tiny_models: Mapping[str, Model],
    properties: dict[str, Any],
    text: str,
    workers: int,
    compute: str,
    data: st.DataObject,
):
    model = tiny_models[compute]
    expected = logits(model, {"type": "object", "properties": properties}, text)
    order = data.draw(st.permutations(list(properties)))
    kept = order[: data.draw(st.integers(1, len(order)))]
    inner = {"type": "object", "properties": {name: properties[name] for name in kept}}
    with threads(workers):
        assert_same(logits(model, inner, text), expected, order)
    values = model.fill(text, {"type": "object", "properties": properties})
    for pointer, meta in model.fill(text, inner).meta.items():
        assert meta == values.meta[pointer]
