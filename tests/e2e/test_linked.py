"""Heads whose starts depend on their ends, through the whole engine, also beside the plain ones of the same kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from deg_core import compile_schema, load_model
from deg_core.conformance.head_case import all_logits
from deg_core.conformance.head_outputs import tensors_in
from deg_core.contract.plan import Mode
from deg_core.engine.engine import Job, Model, fill_many
from deg_core.engine.pairs import Linked
from deg_core.evaluate.calibration import gather
from deg_core.kernels.testing import threads
from deg_core.protocols.head import Query
from deg_core.protocols.spans import LinkedSpans
from deg_core.records import Record
from deg_core.rendering.layout import cover
from tests.e2e.test_independence import FIELDS, LONG, TEXT, needed, response
from tests.fixtures.tiny import Tiny, write_trained

NAMES = ("when", "ship_by", "mail", "order_no", "amount", "name", "word", "kind")
LINES: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "maxItems": 3,
    "items": {"type": "object", "properties": {"what": {"type": ["string", "null"]}, "price": {"type": "number"}}},
}


@pytest.fixture(scope="module", params=["all", "some"])
def linked_model(request: pytest.FixtureRequest, tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("linked")
    queries: Sequence[Query] = (Mode.SPAN, Mode.NUMBER, Mode.DATE) if request.param == "all" else (Mode.SPAN, Mode.DATE)
    write_trained(folder, tiny.snapshot, linked=queries)
    return load_model(folder, base_model=tiny.snapshot)


def needed_of(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def raw(model: Model, names: Sequence[str], text: str = TEXT) -> dict[str, Tensor]:
    ((_, fields),) = model.read([(text, compile_schema(needed(names)))])
    linked = {item.field.mode for item in fields if isinstance(item.logits, LinkedSpans)}
    assert linked <= {query for query, head in model.heads.items() if type(head).__name__ == "LinkedExtractHead"}
    assert Mode.SPAN in linked or not {"name", "word"} & set(names)
    return {item.field.pointer: all_logits(item.logits) for item in fields}


def same(found: Mapping[str, Tensor], expected: Mapping[str, Tensor]) -> bool:
    return all(torch.equal(value, expected[pointer]) for pointer, value in found.items())


@pytest.mark.parametrize("text", [TEXT, LONG], ids=["short", "long"])
def test_a_field_has_the_same_bits_alone_and_among_others(linked_model: Model, text: str):
    with threads(1):
        expected = raw(linked_model, list(FIELDS), text)
    for workers in (1, 2, 5):
        with threads(workers):
            assert same(raw(linked_model, NAMES[::-1], text), expected)
            for name in NAMES if workers == 1 and text == TEXT else NAMES[::3]:
                assert same(raw(linked_model, [name], text), expected), (name, workers)


def test_fills_are_the_same_in_any_company(linked_model: Model):
    schema = needed(NAMES)
    schema["properties"] = schema["properties"] | {"lines": LINES}
    alone = response(linked_model.fill(TEXT, schema))
    others = [
        Job(LONG, needed(["name"])),
        Job("A short note to Bo.", needed(["word", "name", "amount"]) | {"required": []}),
    ]
    together = fill_many(linked_model, [others[0], Job(TEXT, schema), others[1], Job(TEXT, schema)])
    assert [response(result) for result in (together[1], together[3])] == [alone, alone]
    for workers in (2, 5):
        with threads(workers):
            assert response(linked_model.fill(TEXT, schema)) == alone


def test_a_head_reads_what_it_prepared_itself(linked_model: Model):
    """Also beside another of its kind."""
    ((read, _),) = linked_model.read([(TEXT, compile_schema(needed(["name"])))])
    context = read.state.hidden_PD[read.layout.first : read.layout.first + len(read.layout.offsets)]
    for head, kept in read.prepared.items():
        with torch.inference_mode():
            own = tensors_in(head.prepare(context))
        found = tensors_in(kept)
        assert len(found) == len(own)
        assert all(map(torch.equal, found, own)), head.kind


def test_calibration_counts_the_end_and_the_start_given_it(linked_model: Model):
    """Their mean negative log-likelihoods are, summed, that of the right span; of null there is the end alone."""
    start = TEXT.index("Ann Lee")
    fields = {"name": {"type": ["string", "null"]}}
    made = {"source": "made", "split": "val", "domain": "letters", "context": TEXT}
    there = Record(
        uid="1", **made, schema=needed_of(fields), value={"name": "Ann Lee"}, spans={"/name": (start, start + 7)}
    )
    absent = Record(uid="2", **made, schema=needed_of(fields), value={"name": None})
    ((read, (raw,)),) = linked_model.read([(TEXT, compile_schema(needed_of(fields)))])
    pairs = Linked(raw.logits, 1.0)
    first, last = cover(read.layout.offsets, start, start + 7)
    rows = gather(linked_model, [there]).rows["extract"]
    assert len(rows) == 2
    assert -2 * rows.nll(1.0) == pytest.approx(
        float(pairs.of(torch.tensor([first]), torch.tensor([last]))[0]), rel=1e-6
    )
    rows = gather(linked_model, [absent]).rows["extract"]
    assert len(rows) == 1
    assert -rows.nll(1.0) == pytest.approx(pairs.null, rel=1e-6)


def test_confidences_are_a_distribution(linked_model: Model):
    """Of a field, a value's confidence and that of null are of one distribution, so never more than one together."""
    result = linked_model.fill(TEXT, needed(NAMES))
    for pointer, meta in result.meta.items():
        if meta.mode == "extract.span" and meta.span is not None:
            assert meta.confidence + meta.p_null <= 1 + 1e-9, pointer
