"""The embedded backbone without its checkpoint, on short texts whose answers hardly can be missed."""

from __future__ import annotations

import pytest

from deg_core.contract.validate import value_problems
from deg_core.engine.engine import Model

pytestmark = pytest.mark.slow

INVOICE = "Invoice from Acme Tools Ltd. of 3 May 2024. Total due: CHF 7,056.23."
MAIL = (
    "Hello, my parcel with order number 7731 has not arrived. Please help! Regards, Maria Keller, maria@keller.example"
)


@pytest.fixture(scope="module")
def model() -> Model:
    from deg_backbones.smollm2.fetch import local_path

    if local_path() is None:
        pytest.skip("the embedded weights are not on this machine; run `deg models pull embedded`")
    from deg_core import load_model

    return load_model("smollm2-135m")


def test_what_can_be_copied_is_copied(model: Model):
    schema = {
        "type": "object",
        "properties": {
            "invoice_date": {"type": "string", "format": "date"},
            "total": {"type": "number", "description": "amount due"},
            "currency": {"enum": ["CHF", "EUR", "JPY"]},
            "company": {"type": "string", "description": "name of the company"},
        },
        "required": ["invoice_date", "total", "currency", "company"],
    }
    result = model.fill(INVOICE, schema)
    assert result.model == "smollm2-135m-readout"
    assert result.value["invoice_date"] == "2024-05-03"
    assert result.value["total"] == 7056.23
    assert result.value["company"] in ("Acme Tools Ltd.", "Acme Tools Ltd", "Acme Tools")
    assert result.meta["/total"].p_null < 0.5
    assert not value_problems(schema, result.value)


def test_every_kind_of_field_is_answered(model: Model):
    schema = {
        "type": "object",
        "properties": {
            "customer": {"type": ["string", "null"], "description": "full name of the customer"},
            "email": {"type": "string", "format": "email"},
            "order_number": {"type": "integer"},
            "kind": {"enum": ["complaint", "praise", None], "description": "what the customer writes about"},
            "polite": {"type": "boolean"},
            "anger": {"type": "integer", "minimum": 1, "maximum": 5},
            "words": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        },
        "required": ["email", "order_number"],
    }
    result = model.fill(MAIL, schema)
    assert result.value["email"] == "maria@keller.example"
    assert result.value["order_number"] == 7731
    assert result.meta["/words"].items == len(result.value["words"]) <= 2
    assert not value_problems(schema, result.value)
    for meta in result.meta.values():
        assert meta.probabilities is None or sum(meta.probabilities) == pytest.approx(1.0)
