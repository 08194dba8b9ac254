"""Filling on a backbone with state layers: found by name, prepared, and every field's outcome still its own."""

from __future__ import annotations

from typing import Any

import pytest
from safetensors import safe_open

from deg_backbones.lfm2.model import Lfm25Of1p2B
from deg_backbones.qwen3_5.sizes import Qwen35Of0p8B
from deg_core.engine.engine import Job, Model, fill_many
from deg_core.engine.load import load_model
from deg_core.home import deg_home
from deg_core.hub import placed_folder
from deg_core.kernels.testing import threads
from tests.fixtures.hybrid import SHAPES, write_published, write_snapshot
from tests.fixtures.tiny import write_trained

TEXT = "Order 7731 of 3 May 2024, EUR 1,250.00, paid by Ann Lee <ann@example.org>. Please ship it, it came broken!"
FIELDS: dict[str, Any] = {
    "kind": {"enum": ["order", "refund", "complaint", None]},
    "urgent": {"type": "boolean"},
    "anger": {"type": "integer", "minimum": 0, "maximum": 4},
    "amount": {"type": ["number", "null"]},
    "when": {"type": ["string", "null"], "format": "date"},
    "name": {"type": ["string", "null"], "title": "Who paid"},
}
BACKBONES = {"qwen3.5-0.8b": (Qwen35Of0p8B, "qwen one group"), "lfm2.5-1.2b": (Lfm25Of1p2B, "lfm2")}


def schema_of(names: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {name: FIELDS[name] for name in names}}


@pytest.fixture(
    scope="module", params=[(name, compute) for name in BACKBONES for compute in ("int8", "fp32")], ids=" ".join
)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A checkpoint that names its backbone, whose snapshot somebody put into deg's home."""
    name, compute = request.param
    family, shape = BACKBONES[name]
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEG_HOME", str(home))
        write = write_published if name.startswith("qwen") else write_snapshot
        snapshot = write(placed_folder(str(family.hub_id)), SHAPES[shape])
        checkpoint = tmp_path_factory.mktemp("checkpoint")
        write_trained(checkpoint, snapshot, family=family())
        made = load_model(checkpoint, compute=compute)
        assert load_model(checkpoint, compute=compute, base_model=family.hub_id).body.config == made.body.config
        yield made


def outcomes(model: Model, names: Any) -> dict[str, Any]:
    result = model.fill(TEXT, schema_of(names)).as_dict()
    return {name: (result["value"].get(name), result["meta"][f"/{name}"]) for name in names}


def test_outcomes_are_the_fields_own(model: Model):
    with threads(1):
        expected = outcomes(model, FIELDS)
    for workers in (1, 7):
        with threads(workers):
            assert outcomes(model, list(FIELDS)[::-1]) == expected
            for half in (list(FIELDS)[::2], list(FIELDS)[1::2], ["name"]):
                assert outcomes(model, half) == {name: expected[name] for name in half}


def test_requests_together_are_each_alone(model: Model):
    jobs = [Job(TEXT, schema_of(FIELDS)), Job(TEXT * 5, schema_of(["name", "kind"])), Job("No.", schema_of(["urgent"]))]
    together = fill_many(model, jobs)
    for job, found in zip(jobs, together, strict=True):
        assert found.as_dict() == model.fill(job.context, job.schema).as_dict()


def test_what_adds_up_over_tokens_is_not_rounded(model: Model):
    """Writing strength and decay of a state layer stay in fp32 where the other matrices are int8."""
    prepared = next((deg_home() / "prepared").glob(f"{model.body.family.name}-{model.compute}-*"))
    with safe_open(prepared / "weights.safetensors", framework="pt") as file:
        names = set(file.keys())
    rounded = {name.removesuffix(".codes") for name in names if name.endswith(".codes")}
    projections = model.body.family.projections(model.body.config)
    wanted = (
        {name for name, projection in projections.items() if projection.quantize} if model.compute == "int8" else set()
    )
    assert rounded == wanted
    assert {name for name in projections if name.endswith("in_ba")} <= names


def test_written_texts_are_the_fields_own(model: Model):
    """Each starts from the same state and goes on token by token in a state of its own."""
    written = {"note": {"type": "string", "x-generate": True, "maxLength": 12}}
    other = {"reply": {"type": "string", "x-generate": True, "maxLength": 30}}

    def write(fields: dict[str, Any]) -> Any:
        schema = {"type": "object", "properties": {"urgent": FIELDS["urgent"], **fields}}
        return model.fill(TEXT, schema, max_new_tokens=12).as_dict()["value"]

    both = write({**other, **written})
    assert write(written)["note"] == both["note"]
    assert write(other)["reply"] == both["reply"]
