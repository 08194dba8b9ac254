"""A type in, an instance out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal, TypedDict

import msgspec
import pytest

from deg_core import Job, SchemaError, fill_many
from deg_core.engine.engine import Model

TEXT = "Invoice 4471 of 3 May 2026: please pay 120.50 EUR to Brightwater Kayaks."


@dataclasses.dataclass
class Data:
    total: float
    currency: Literal["EUR", "USD"]
    sender: str | None


class Struct(msgspec.Struct):
    total: float
    currency: Literal["EUR", "USD"]
    sender: str | None


class Dict(TypedDict):
    total: float
    currency: Literal["EUR", "USD"]
    sender: str | None


def pydantic_type() -> type:
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")
    return pydantic.create_model(
        "Model", total=(float, ...), currency=(Literal["EUR", "USD"], ...), sender=(str | None, ...)
    )


@pytest.mark.parametrize("make", [lambda: Data, lambda: Struct, lambda: Dict, pydantic_type], ids="dstp")
def test_a_type_gives_an_instance(tiny_models: Mapping[str, Model], make):
    type_ = make()
    result = tiny_models["int8"].fill(TEXT, type_)
    assert isinstance(result.value, dict if type_ is Dict else type_)
    assert result.as_dict()["value"] == result.json
    assert set(result.json) == {"total", "currency", "sender"}
    total = result.value["total"] if type_ is Dict else result.value.total
    assert total == result.json["total"]


def test_a_type_that_cannot_be_a_schema_costs_only_its_own_job(tiny_models: Mapping[str, Model]):
    @dataclasses.dataclass
    class Odd:
        when: complex

    bad, good, number = fill_many(tiny_models["int8"], [Job(TEXT, Odd), Job(TEXT, Data), Job(TEXT, int)])
    assert isinstance(bad, SchemaError)
    assert isinstance(good.value, Data)
    assert isinstance(number, SchemaError)
