"""An array's outcome is its own, item by item: the same bits alone, reordered, in bigger or split schemas, in a batch,
with any threads, by anchors or by index, from a text that was read before or not.

The model is random, so any dependence on anything shows as a difference; the code paths are those that serve.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
import pytest
import torch
from torch import Tensor

from deg_core import compile_schema
from deg_core.contract.request import parse_options
from deg_core.contract.result import FillResult
from deg_core.engine.engine import Job, Model, fill_many
from deg_core.engine.rounds import Item
from deg_core.errors import DegError, FillError
from deg_core.kernels.testing import threads
from deg_core.runtime.prefill import CHUNK

TEXT = """Order 7731 of 3 May 2024, EUR 1,250.00, paid by Ann Lee <ann@example.org>: 2 kayaks, 4 paddles.
Order 7732 of 5 May 2024, EUR 80.00, not paid by Bob Ray: 1 rope. \U0001f642
Order 7733 of 1 June 2024, EUR 15.5, paid by Cleo <cleo@example.org>: nothing."""
LONG = TEXT * 3  # more tokens than one chunk of the prefill
WORD, YES = {"type": "string"}, {"type": "boolean"}


def array(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def document(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


ORDER = document(
    number={"type": ["integer", "null"]},
    buyer=WORD,
    mail={"type": ["string", "null"], "format": "email"},
    paid=YES,
    goods=array(document(what=WORD, many={"type": ["integer", "null"]}), minItems=1, maxItems=3),
)
FIELDS: dict[str, Any] = {
    "orders": array(
        ORDER | {"required": ["number", "paid"]}, minItems=2, maxItems=5, description="one\nfor each order"
    ),
    "flags": array(YES, minItems=1),
    "words": array(WORD, maxItems=6, minItems=1),
    "kinds": array(array({"enum": ["order", "refund", None]}, minItems=1, maxItems=2), minItems=1, maxItems=3),
    "sums": array(array({"type": "number"}, minItems=1, maxItems=2), minItems=1, maxItems=3),
    "total": {"type": ["number", "null"]},
    "kind": {"enum": ["order", "refund", "complaint"]},
}
DECODERS = ("threshold", "count_peaks", "hybrid")
THREADS = (1, 2, 5, 7, 8)

Raw: TypeAlias = dict[tuple[Any, ...], Tensor]


def schema_of(names: Sequence[str]) -> dict[str, Any]:
    return document(**{name: FIELDS[name] for name in names})


def raw_outputs(model: Model, schema: Mapping[str, Any], text: str = TEXT, **options: Any) -> Raw:
    """Every raw output of a request by what its fork was and which part of the text it was about."""
    run = model.start(text, compile_schema(schema), parse_options(options))
    model.answer([run])
    found: Raw = {}

    def visit(item: Item) -> None:
        for raw in item.leaves.values():
            found[raw.field.mode, raw.layout.ids, item.region] = raw.logits
        for array in item.arrays.values():
            for query, logits in array.logits.items():
                layout = model.renderer.array(run.plan, array.plan, query, item.places)
                found[query, layout.ids, item.region] = logits
            for inner in array.items:
                visit(inner)

    visit(run.root)
    return found


def assert_same(found: Raw, expected: Raw, note: object) -> None:
    assert found.keys() <= expected.keys(), note
    for key, value in found.items():
        assert torch.equal(value, expected[key]), (key[0], key[2], note)


def response(result: FillResult | DegError) -> bytes:
    return str(result).encode() if isinstance(result, DegError) else json.dumps(result.as_dict()).encode()


def under(result: FillResult, name: str) -> dict[str, Any]:
    return {
        pointer: meta.as_dict()
        for pointer, meta in result.meta.items()
        if pointer == f"/{name}" or pointer.startswith(f"/{name}/")
    }


def variant(model: Model, *, cache_bytes: int = 0, **changes: Any) -> Model:
    spec = msgspec.structs.replace(model.spec, **changes)
    return Model(spec, model.body, model.renderer, model.heads, model.compute, cache_bytes=cache_bytes)


@pytest.fixture
def model(tiny_models: Mapping[str, Model]) -> Model:
    """Reads every text anew."""
    return variant(tiny_models["int8"])


@pytest.fixture(params=[("int8", "anchor"), ("int8", "index"), ("fp32", "anchor"), ("fp32", "index")], ids="-".join)
def each(request: pytest.FixtureRequest, tiny_models: Mapping[str, Model]) -> Model:
    """In both arithmetics, by anchors and by index."""
    compute, mode = request.param
    return variant(tiny_models[compute], array_mode=mode)


def test_raw_outputs_are_the_arrays_own(each: Model):
    names = list(FIELDS)
    with threads(1):
        expected = raw_outputs(each, schema_of(names))
        alone = {name: raw_outputs(each, schema_of([name])) for name in names}
    assert sum(len(own) for own in alone.values()) == len(expected) > 60
    for name, own in alone.items():
        assert_same(own, expected, ("alone", name))
    for workers in THREADS:
        random.Random(workers).shuffle(names)
        with threads(workers):
            for half in (names[::2], names[1::2]):
                assert_same(raw_outputs(each, schema_of(half)), expected, ("split and shuffled", workers))


@pytest.mark.parametrize("decoder", DECODERS)
def test_answers_are_the_arrays_own(model: Model, decoder: str):
    whole = model.fill(TEXT, schema_of(list(FIELDS)), array_decode=decoder)
    assert {meta.mode for meta in whole.meta.values()} >= {"array", "extract.span", "decide.choice", "decide.noul"}
    for name in FIELDS:
        alone = model.fill(TEXT, schema_of([name]), array_decode=decoder)
        assert under(alone, name) == under(whole, name) != {}
        assert json.dumps(alone.value[name]) == json.dumps(whole.value[name])
    turned = model.fill(TEXT, schema_of(list(FIELDS)[::-1]), array_decode=decoder)
    assert (turned.plan, turned.usage, turned.value) == (whole.plan, whole.usage, whole.value)


@pytest.mark.parametrize("decoder", DECODERS)
def test_responses_are_the_same_bytes(model: Model, decoder: str):
    schema = schema_of(["orders", "words", "flags"])
    with threads(1):
        expected = response(model.fill(TEXT, schema, array_decode=decoder))
    for workers in (1, 2, 7):
        with threads(workers):
            assert response(model.fill(TEXT, schema, array_decode=decoder)) == expected, workers


def test_items_keep_their_bits_when_the_item_has_more_or_fewer_fields(model: Model):
    def orders(*names: str) -> dict[str, Any]:
        items = document(**{name: ORDER["properties"][name] for name in names})
        return document(orders=FIELDS["orders"] | {"items": items})

    # An array's own forks list the fields of its items; those of the leaves do not. By index nothing else differs.
    indexed = variant(model, array_mode="index")
    both, one = (raw_outputs(indexed, orders(*names)) for names in (("number", "buyer"), ("buyer",)))
    shared = both.keys() & one.keys()
    assert len(shared) >= 2
    assert_same({key: one[key] for key in shared}, both, "fields of items")


def test_outputs_do_depend_on_the_item(model: Model):
    """So that equality above is not the equality of outputs that never change."""
    found = raw_outputs(model, schema_of(["orders"]))
    buyers = [logits for (_, ids, _), logits in found.items() if "/orders/*/buyer" in decoded(model, ids)]
    assert len(buyers) >= 2
    assert not any(torch.equal(buyers[0], other) for other in buyers[1:])


def decoded(model: Model, ids: Sequence[int]) -> str:
    return model.renderer.tokenizer.decode(ids).splitlines()[0]


def test_long_texts_too(model: Model):
    assert model.renderer.count(LONG) > CHUNK
    with threads(1):
        expected = raw_outputs(model, schema_of(["orders", "words", "total"]), LONG)
    for workers in (5, 8):
        with threads(workers):
            assert_same(raw_outputs(model, schema_of(["words", "total"]), LONG), expected, workers)


def test_a_text_that_was_read_before_gives_the_same(model: Model):
    cached = variant(model, cache_bytes=2**30)
    schema = schema_of(list(FIELDS))
    expected = response(model.fill(TEXT, schema))
    assert response(cached.fill(LONG, schema_of(["words"]))) == response(model.fill(LONG, schema_of(["words"])))
    for _ in range(3):
        assert response(cached.fill(TEXT, schema)) == expected
    assert (cached.cache.hits, cached.cache.misses, len(model.cache)) == (2, 2, 0)
    assert_same(raw_outputs(cached, schema_of(["orders"])), raw_outputs(model, schema), "cached")


def jobs(count: int) -> list[Job]:
    """Requests of all kinds, some of which cannot be filled."""
    mixed = [
        Job(TEXT, schema_of(["orders", "flags"])),
        Job("Nothing here but words.", schema_of(["words", "kind"])),
        Job("", schema_of(["flags", "total"])),
        Job(LONG, schema_of(["words"]), {"array_decode": "hybrid"}),
        Job("no number", document(rows=array({"type": "number"}, minItems=1))),
        Job(TEXT, schema_of(["sums", "kinds"]), {"array_decode": "threshold", "null_margin": 3.0}),
        Job({"order": 12, "note": "é"}, document(rows=array(WORD)), {"max_items": 2}),
    ]
    return [mixed[index % len(mixed)] for index in range(count)]


@pytest.mark.parametrize(
    "count", [1, 2, 7, pytest.param(32, marks=pytest.mark.slow), pytest.param(64, marks=pytest.mark.slow)]
)
def test_many_requests_together_are_each_alone(each: Model, count: int):
    wanted = []
    for job in jobs(min(count, 7)):
        try:
            wanted.append(response(each.fill(job.context, job.schema, **job.options)))
        except FillError as error:
            wanted.append(response(error))
    assert sum(b"minItems 1: only 0 items" in answer for answer in wanted) == (count >= 7)
    given = jobs(count)
    for workers, step in ((1, 1), (2, -1)):
        with threads(workers):
            for index, result in enumerate(fill_many(each, given[::step])[::step]):
                assert response(result) == wanted[index % 7], (index, workers)


def test_a_smaller_pass_changes_no_bit(model: Model, monkeypatch: pytest.MonkeyPatch):
    """How forks are split over passes follows from the memory that is free."""
    schema = schema_of(list(FIELDS))
    expected = response(model.fill(TEXT, schema))
    for budget in (1, 300, 100_000):
        monkeypatch.setattr("deg_core.engine.fields.fork_token_budget", lambda body, budget=budget: budget)
        assert response(model.fill(TEXT, schema)) == expected, budget
