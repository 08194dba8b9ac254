"""Filling on a GPU: as on a CPU but for rounding, and each field's bits its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from deg_core.contract.compiler import compile_schema
from deg_core.engine.engine import Job, Model, fill_many
from deg_core.engine.load import load_model
from deg_core.errors import DegError
from deg_core.kernels.testing import relative_error
from tests.fixtures.tiny import Tiny

pytestmark = pytest.mark.gpu

TEXT = "Invoice 7731 of 3 May 2026 for Ann Lee. Total 120.50 EUR, paid. " * 3
PROPERTIES: dict[str, Any] = {
    "total": {"type": ["number", "null"]},
    "paid": {"type": "boolean"},
    "currency": {"enum": ["EUR", "USD", "CHF"]},
    "anger": {"type": "integer", "minimum": 1, "maximum": 5},
    "customer": {"type": ["string", "null"]},
    "due": {"type": ["string", "null"], "format": "date"},
    "reply": {"type": "string", "x-generate": True, "maxLength": 20},
    "memo": {"type": "string", "x-generate": True, "maxLength": 12},
}


def schema(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: PROPERTIES[name] for name in names or PROPERTIES}}


@pytest.fixture(scope="module", params=["bf16", "fp32"])
def model(request: pytest.FixtureRequest, tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Model:
    pytest.importorskip("triton", reason="Triton is not installed: pip install triton")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEG_HOME", str(tmp_path_factory.mktemp("gpu-home")))
        made = load_model(tiny.checkpoint, base_model=tiny.snapshot, device="cuda", compute=request.param)
        made.fill(TEXT, schema("reply"))  # the writing body is loaded when it is first called for
        return made


def outputs(model: Model, *names: str) -> dict[str, torch.Tensor]:
    """Raw head outputs by field."""
    ((_, fields),) = model.read([(TEXT, compile_schema(schema(*names)))])
    return {str(raw.field.path[-1]): raw.logits for raw in fields}


def test_outputs_are_those_of_a_cpu_but_for_rounding(model: Model, tiny_models: Mapping[str, Model]):
    expected, close = outputs(tiny_models["fp32"]), 1e-4 if model.compute == "fp32" else 5e-2
    for name, logits in outputs(model).items():
        assert logits.device.type == "cpu"
        assert relative_error(logits, expected[name]) < close, name


def test_each_fields_bits_are_its_own(model: Model):
    together = outputs(model)
    for names in [*([name] for name in together), list(reversed(together))]:
        model.cache.clear()
        assert all(torch.equal(logits, together[name]) for name, logits in outputs(model, *names).items()), names


def test_texts_and_requests_do_not_see_one_another(model: Model):
    alone = {name: model.fill(TEXT, schema("paid", name)).value[name] for name in ("reply", "memo")}
    assert {**model.fill(TEXT, schema("paid", "reply", "memo")).value, "paid": None} == {**alone, "paid": None}
    jobs = [Job(TEXT, schema("paid", "reply")), Job("Other. " * 40, schema()), Job(TEXT, schema("paid", "memo"))]
    results = fill_many(model, jobs)
    assert not [result for result in results if isinstance(result, DegError)]
    first, _, third = (result for result in results if not isinstance(result, DegError))
    assert (first.value["reply"], third.value["memo"]) == (alone["reply"], alone["memo"])


def test_repeats_are_equal(model: Model, deg_home: Path):
    first = model.fill(TEXT, schema())
    model.cache.clear()
    assert model.fill(TEXT, schema()) == first
