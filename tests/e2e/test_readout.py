"""A backbone that nobody trained fills a schema under the same contract: valid values, the same response, and a field's
bits its own, alone, reordered, with permuted options, among strangers, on any number of threads."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from deg_core import compile_schema
from deg_core.contract.plan import Mode
from deg_core.contract.request import Options
from deg_core.contract.result import FillResult
from deg_core.engine import converse
from deg_core.engine.engine import Job, Model, fill_many
from deg_core.engine.explain import explain_field
from deg_core.engine.load import load_model
from deg_core.errors import DegError, FillError
from deg_core.kernels.testing import threads
from deg_core.protocols.language import Answer, SpanScores
from tests.fixtures import hybrid
from tests.fixtures.tiny import Tiny

TEXT = """Order 7731 of 3 May 2024, EUR 1,250.00, paid by Ann Lee <ann@example.org>.
Ship it before 2024-06-01T09:30:00Z, please! The total is due on 05/03/2026."""
OTHER = "The invoice total of 12 May is due: pay 30, then 7.50."

FIELDS: dict[str, Any] = {
    "kind": {"enum": ["order", "refund", "complaint", None], "title": "Kind of letter"},
    "many": {"enum": [f"option {index}" for index in range(30)]},  # labels of two letters
    "urgent": {"type": "boolean", "description": "Is it urgent?"},
    "paid": {"type": ["boolean", "null"]},
    "anger": {"type": "integer", "minimum": 0, "maximum": 10, "x-levels": {"0": "calm", "10": "furious"}},
    "mood": {"type": ["integer", "null"], "minimum": -2, "maximum": 2},
    "amount": {"type": ["number", "null"], "minimum": 0},
    "order_no": {"type": "integer", "minimum": 1000},
    "when": {"type": "string", "format": "date"},
    "mail": {"type": "string", "format": "email"},
    "name": {"type": ["string", "null"], "title": "Who paid"},
    "word": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 12},
    "rows": {
        "type": "array",
        "maxItems": 3,
        "items": {"type": "object", "properties": {"n": {"type": ["number", "null"]}, "good": {"type": "boolean"}}},
    },
}
LEAVES = [name for name in FIELDS if name != "rows"]


def schema_of(names: Any, required: Any = ("order_no", "when", "word")) -> dict[str, Any]:
    names = list(names)
    properties = {name: FIELDS[name] for name in names}
    return {"type": "object", "properties": properties, "required": [name for name in required if name in names]}


@pytest.fixture(scope="module")
def models(tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Model]]:
    """The snapshot loaded without a checkpoint, in both arithmetics."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEG_HOME", str(tmp_path_factory.mktemp("readout-home")))
        yield {compute: load_model(tiny.snapshot, compute=compute) for compute in ("int8", "fp32")}


@pytest.fixture(params=["int8", "fp32"])
def model(request: pytest.FixtureRequest, models: Mapping[str, Model]) -> Model:
    return models[request.param]


def raw(model: Model, names: Any, text: str = TEXT) -> dict[str, Answer]:
    ((_, fields),) = model.read([(text, compile_schema(schema_of(names)))])
    return {item.field.pointer: item.logits for item in fields}


def same(found: Answer, expected: Answer) -> bool:
    if isinstance(found, SpanScores):
        assert isinstance(expected, SpanScores)
        return found.spans == expected.spans and torch.equal(found.scores, expected.scores)
    return torch.equal(found, expected)


def assert_same(found: Mapping[str, Answer], expected: Mapping[str, Answer], note: object) -> None:
    for pointer, output in found.items():
        assert same(output, expected[pointer]), (pointer, note)


def response(result: FillResult) -> bytes:
    return json.dumps(result.as_dict()).encode()


def test_every_mode_is_filled(model: Model):
    result = model.fill(TEXT, schema_of(FIELDS))
    assert result.model == "llama-readout"
    modes = {meta.mode for meta in result.meta.values()}
    assert modes == {*(mode.value for mode in Mode if mode is not Mode.GENERATE), "array"}
    value = result.value
    assert value["order_no"] in (7731, 2024, 2026, 1250)
    assert value["word"] in TEXT.replace("!", "").replace(",", "").split()
    assert value["mail"] == "ann@example.org" if "mail" in value else True
    for pointer, meta in result.meta.items():
        shown = meta.as_dict()
        if meta.mode.startswith("extract."):
            assert 0 <= shown["p_null"] <= 1, pointer
            if shown["span"] is not None and meta.mode == "extract.span":
                assert TEXT[slice(*shown["span"])] == _at(value, pointer)
        elif meta.probabilities is not None:
            assert sum(meta.probabilities) == pytest.approx(1.0)
    json.dumps(result.as_dict(), allow_nan=False)


def _at(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def test_raw_outputs_are_the_fields_own(model: Model):
    names = list(LEAVES)
    with threads(1):
        expected = raw(model, names)
    for workers in (2, 5):
        with threads(workers):
            random.Random(workers).shuffle(names)
            for half in (names[::2], names[1::2]):
                assert_same(raw(model, half), expected, ("split", workers))
    for name in LEAVES if model.compute == "int8" else LEAVES[::4]:
        assert_same(raw(model, [name]), expected, "alone")


def test_outputs_depend_on_the_text_and_the_field(models: Mapping[str, Model]):
    """So that equality above is not the equality of outputs that never change."""
    model = models["int8"]
    base, changed = raw(model, LEAVES), raw(model, LEAVES, TEXT + " Thanks.")
    assert not any(same(output, changed[pointer]) for pointer, output in base.items())
    leaf = FIELDS["anger"] | {"description": "how angry"}
    ((_, (found,)),) = model.read([(TEXT, compile_schema({"type": "object", "properties": {"anger": leaf}}))])
    assert not same(found.logits, base["/anger"])


def test_how_many_rows_run_at_a_time_is_nothing(models: Mapping[str, Model], monkeypatch: pytest.MonkeyPatch):
    model = models["int8"]
    expected = raw(model, LEAVES)
    for rows in (1, 20):
        monkeypatch.setattr(converse, "row_budget", lambda body, rows=rows: rows)
        assert_same(raw(model, LEAVES), expected, rows)


@pytest.mark.parametrize("turns", [1, 3])
def test_the_order_of_options_is_nothing(tiny: Tiny, models: Mapping[str, Model], turns: int):
    model = models["int8"]
    head: Any = model.heads[Mode.CHOICE]
    head.rotations.fill_(turns)
    try:
        for name in ("kind", "many"):
            answer = model.fill(TEXT, schema_of([name]))
            for seed in range(3):
                options = list(FIELDS[name]["enum"])
                random.Random(seed).shuffle(options)
                turned = {"type": "object", "properties": {name: FIELDS[name] | {"enum": options}}}
                found = model.fill(TEXT, turned)
                assert found.value == answer.value
                meta, wanted = found.meta[f"/{name}"], answer.meta[f"/{name}"]
                assert meta.probability == wanted.probability
                places = [FIELDS[name]["enum"].index(option) for option in options]
                assert meta.probabilities == [wanted.probabilities[place] for place in places]
    finally:
        head.rotations.fill_(1)


def test_turns_are_averaged(models: Mapping[str, Model], tiny: Tiny):
    model = models["fp32"]
    head: Any = model.heads[Mode.CHOICE]
    once = raw(model, ["kind"])["/kind"]
    try:
        head.rotations.fill_(4)
        often = raw(model, ["kind"])["/kind"]
        head.rotations.fill_(400)  # no more turns than options
        assert same(raw(model, ["kind"])["/kind"], often)
    finally:
        head.rotations.fill_(1)
    assert not same(once, often)
    assert same(raw(model, ["kind"])["/kind"], once)


def test_a_known_prior_changes_no_bit(tiny: Tiny, models: Mapping[str, Model]):
    model = models["int8"]
    names = ["kind", "many", "urgent", "anger", "mood"]
    expected = raw(model, names)
    for mode in (Mode.CHOICE, Mode.SCORE, Mode.NOUL):
        head: Any = model.heads[mode]
        assert head._priors
        head._priors.clear()
    assert_same(raw(model, names), expected, "read again")
    assert_same(raw(model, names), expected, "known")


def test_without_a_prior_the_labels_speak_for_themselves(models: Mapping[str, Model]):
    model = models["fp32"]
    head: Any = model.heads[Mode.NOUL]
    corrected = raw(model, ["urgent"])["/urgent"]
    blank = {"urgent": FIELDS["urgent"]}
    try:
        head.prior.fill_(0.0)
        plain = raw(model, ["urgent"])["/urgent"]
        ((_, (empty,)),) = model.read([("N/A", compile_schema({"type": "object", "properties": blank}))])
    finally:
        head.prior.fill_(1.0)
    assert isinstance(empty.logits, torch.Tensor)
    assert isinstance(plain, torch.Tensor)
    assert isinstance(corrected, torch.Tensor)
    difference = torch.log_softmax(plain - empty.logits, dim=0)
    assert corrected.tolist() == pytest.approx(difference.tolist(), abs=1e-5)


def test_many_requests_together_are_each_alone(models: Mapping[str, Model]):
    model = models["int8"]
    jobs = [
        Job(TEXT, schema_of(["kind", "amount", "name"])),
        Job(OTHER, schema_of(["kind", "name", "rows"])),
        Job(OTHER, schema_of(["mail"], required=["mail"])),  # a required address that is not there
        Job("", schema_of(["kind", "name", "urgent"])),
        Job(TEXT, schema_of(["when", "amount"]), {"null_margin": 50.0}),
    ]
    together = fill_many(model, jobs)
    assert isinstance(together[2], FillError)
    for job, result in zip(jobs, together, strict=True):
        if isinstance(result, DegError):
            with pytest.raises(type(result)) as caught:
                model.fill(job.context, job.schema, **job.options)
            assert str(caught.value) == str(result)
        else:
            assert response(result) == response(model.fill(job.context, job.schema, **job.options))
    for found, wanted in zip(fill_many(model, jobs[::-1])[::-1], together, strict=True):
        assert str(found) == str(wanted)


def test_required_values_are_found_where_they_can_be(models: Mapping[str, Model]):
    """Beyond what the search compares, too: of all numbers one, and of all words some, meet the constraints."""
    model = models["int8"]
    text = " ".join(f"{number}.5" for number in range(40)) + " 77 abc xyz."
    asked = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 50},
            "w": {"type": "string", "pattern": "z$"},
            "d": {"type": ["string", "null"], "pattern": "^q"},
        },
        "required": ["n", "w", "d"],
    }
    result = model.fill(text, asked)
    assert result.value["n"] == 77
    assert result.value["w"].endswith("z")
    assert result.value["d"] is None
    assert result.meta["/d"].null_reason == "not_found"
    with pytest.raises(FillError, match="/w"):
        model.fill("no such letter", asked | {"required": ["w"]})


def test_dates_that_cannot_be_read_say_why(models: Mapping[str, Model]):
    text = "Due on 03/05/2026."
    asked = {"type": "object", "properties": {"d": {"type": ["string", "null"], "format": "date"}}, "required": ["d"]}
    result = models["int8"].fill(text, asked, null_margin=-100.0)
    assert result.value["d"] is None
    assert (result.meta["/d"].null_reason, result.meta["/d"].ambiguous) == ("unparsable", True)
    assert models["int8"].fill(text, asked, null_margin=-100.0, date_order="DMY").value["d"] == "2026-05-03"


def test_a_field_can_be_explained(models: Mapping[str, Model]):
    model = models["int8"]
    plan = compile_schema(schema_of(["kind", "name", "rows"]))
    choice = explain_field(model, TEXT, plan, "/kind", Options())
    assert len(choice["head"]["logits"]) == 4
    assert "Options:" in choice["fork"]["text"]
    name = explain_field(model, TEXT, plan, "/name", Options(), top=3)
    assert name["head"]["spans"]
    assert all(TEXT[slice(*entry["span"])] == entry["text"] for entry in name["head"]["spans"])
    rows = explain_field(model, TEXT, plan, "/rows", Options())
    assert "How many items" in rows["queries"]["count"]["fork"]["text"]


def test_texts_are_written_as_by_any_checkpoint(models: Mapping[str, Model]):
    asked = {"type": "object", "properties": {"t": {"type": "string", "x-generate": True, "maxLength": 8}}}
    result = models["int8"].fill(TEXT, asked, max_new_tokens=6)
    assert result.meta["/t"].mode == "generate"
    assert len(result.value["t"]) <= 8


@pytest.mark.parametrize("name", ["qwen", "lfm2"])
def test_backbones_with_state_layers_too(name: str, tmp_path: Path, deg_home: Path):
    model = load_model(hybrid.write_snapshot(tmp_path / name, hybrid.SHAPES[name]))
    names = ["kind", "anger", "amount", "name"]
    expected = raw(model, names, OTHER)
    scored = expected["/name"]
    assert isinstance(scored, SpanScores)
    assert len(scored.spans) > 1
    for one in names:
        assert_same(raw(model, [one], OTHER), expected, "alone")
    with threads(2):
        assert_same(raw(model, names[::-1], OTHER), expected, "reversed")
    model.fill(OTHER, schema_of(FIELDS, required=()))
