"""The shipped checkpoint on the shipped examples: what the README promises, without training or network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deg_core.contract.validate import value_problems

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
NAMES = ("invoice", "receipt", "support_mail", "job_ad")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model():
    from deg_backbones.shipped import shipped
    from deg_backbones.smollm2.fetch import local_path

    if not shipped():
        pytest.skip("no checkpoint is in the tree")
    if local_path() is None:
        pytest.skip("the embedded weights are not on this machine; run `deg models pull embedded`")
    from deg_core import load_model

    return load_model("embedded")


def example(name: str) -> tuple[str, dict]:
    text = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")
    return text, json.loads((EXAMPLES / f"{name}.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_value_is_valid_and_every_span_is_in_the_text(model, name: str):
    text, schema = example(name)
    result = model.fill(text, schema)
    assert value_problems(schema, result.value) == []
    spans = {pointer: meta.span for pointer, meta in result.meta.items() if meta.span is not None}
    assert spans
    for pointer, (start, end) in spans.items():
        assert text[start:end].strip(), pointer
    assert result.model.startswith("deg-smollm2-135m-")


def test_together_reordered_and_apart_give_the_same_bits(model):
    from deg_core import Job, fill_many

    jobs = [Job(*example(name)) for name in NAMES]
    together = fill_many(model, jobs)
    for job, result in zip(jobs, together, strict=True):
        properties = dict(reversed(job.schema["properties"].items()))
        alone = model.fill(job.context, {**job.schema, "properties": properties})
        assert alone.value == result.value
        assert alone.meta == result.meta


def test_permuted_options_give_the_same_answer_and_probabilities(model):
    text, schema = example("invoice")
    first = model.fill(text, schema)
    options = schema["properties"]["currency"]["enum"]
    turned = [*options[2:], *options[:2]]
    properties = schema["properties"] | {"currency": schema["properties"]["currency"] | {"enum": turned}}
    second = model.fill(text, {**schema, "properties": properties})
    assert first.value["currency"] == second.value["currency"]
    by_option = dict(zip(options, first.meta["/currency"].probabilities, strict=True))
    assert by_option == dict(zip(turned, second.meta["/currency"].probabilities, strict=True))
