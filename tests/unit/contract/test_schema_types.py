"""Types as schemas and values back as instances."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
import pytest

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import Mode
from deg_core.contract.types import instance_of, is_schema_type, schema_of
from deg_core.contract.validate import value_problems
from deg_core.errors import FillError, SchemaError

ROOT = Path(__file__).parents[3]


class Status(enum.Enum):
    OPEN = "open"
    PAID = "paid"


class Line(msgspec.Struct):
    name: str
    price: Decimal


class Invoice(msgspec.Struct):
    """An invoice."""

    number: Annotated[str, msgspec.Meta(description="the supplier's number", title="No.")]
    lines: list[Line]
    stars: Annotated[int, msgspec.Meta(ge=1, le=5)]
    due: dt.date | None = None
    status: Status | None = None
    kind: Literal["goods", "services"] = "goods"
    urgent: bool | None = None
    reply: Annotated[str, msgspec.Meta(extra_json_schema={"x-generate": True})] = ""


@dataclasses.dataclass
class Person:
    name: str
    age: int | None = None


@dataclasses.dataclass
class Tree:
    name: str
    left: Tree | None = None


class Place(TypedDict):
    city: str
    zip: NotRequired[str]


VALUE = {
    "number": "A1",
    "lines": [{"name": "x", "price": 1.1}],
    "stars": 4,
    "due": "2026-02-28",
    "status": "paid",
    "kind": "services",
    "urgent": None,
    "reply": "Hello",
}
MODES = {
    "/number": Mode.SPAN,
    "/lines/*/name": Mode.SPAN,
    "/lines/*/price": Mode.NUMBER,
    "/stars": Mode.SCORE,
    "/due": Mode.DATE,
    "/status": Mode.CHOICE,
    "/kind": Mode.CHOICE,
    "/urgent": Mode.CHOICE,
    "/reply": Mode.GENERATE,
}


def test_struct():
    schema = schema_of(Invoice)
    plan = compile_schema(schema)
    assert {field.pointer: field.mode for field in plan} == MODES
    number = plan.field("/number")
    assert (number.title, number.description) == ("No.", "the supplier's number")
    assert plan.field("/status").title is None  # the name of the class says nothing to a model
    assert plan.field("/status").options == ("open", "paid", None)
    assert value_problems(schema, VALUE) == []
    filled = instance_of(Invoice, VALUE)
    assert filled == Invoice(
        number="A1",
        lines=[Line("x", Decimal("1.1"))],
        stars=4,
        due=dt.date(2026, 2, 28),
        status=Status.PAID,
        kind="services",
        reply="Hello",
    )


def test_pydantic():
    pydantic = pytest.importorskip("pydantic")

    class Row(pydantic.BaseModel):
        name: str
        price: Decimal = pydantic.Field(gt=0, decimal_places=2)

    class Bill(pydantic.BaseModel):
        """A bill."""

        number: str = pydantic.Field(description="the supplier's number", title="No.")
        lines: list[Row]
        stars: int = pydantic.Field(ge=1, le=5)
        due: dt.date | None = None
        status: Status | None = None
        kind: Literal["goods", "services"]
        urgent: bool | None = None
        reply: str = pydantic.Field(json_schema_extra={"x-generate": True})

        @pydantic.field_validator("number")
        @classmethod
        def known(cls, number: str) -> str:
            if number == "B2":
                raise ValueError("B2 is void")
            return number

    # A class made inside a function finds its fields' types there.
    Bill.model_rebuild(_types_namespace={**globals(), "Row": Row})
    schema = schema_of(Bill)
    plan = compile_schema(schema)
    assert {field.pointer: field.mode for field in plan} == MODES
    assert (plan.field("/number").title, plan.field("/due").title, plan.field("/status").title) == ("No.", None, None)
    assert plan.field("/lines/*/price").constraints == (("exclusiveMinimum", 0), ("multipleOf", 0.01))
    assert value_problems(schema, VALUE) == []
    filled = instance_of(Bill, VALUE)
    assert isinstance(filled, Bill)
    assert (filled.due, filled.status, filled.lines[0].price) == (dt.date(2026, 2, 28), Status.PAID, Decimal("1.1"))
    with pytest.raises(FillError, match="B2 is void"):
        instance_of(Bill, {**VALUE, "number": "B2"})


def test_dataclass_and_typed_dict():
    assert instance_of(Person, {"name": "Ann"}) == Person("Ann")
    assert [field.on_null for field in compile_schema(schema_of(Person))] == ["forbid", "null"]
    assert instance_of(Place, {"city": "Brno"}) == {"city": "Brno"}
    assert [field.on_null for field in compile_schema(schema_of(Place))] == ["forbid", "omit"]


def test_recursive_types_are_refused_with_their_cycle():
    with pytest.raises(SchemaError, match="#/\\$defs/Tree -> #/\\$defs/Tree"):
        compile_schema(schema_of(Tree))


@pytest.mark.parametrize("thing", [int, str, dict, 3, {"type": "object"}, list[str], None])
def test_other_things_are_not_schemas(thing: Any):
    assert not is_schema_type(thing)
    with pytest.raises(TypeError, match="is not a Pydantic model, a msgspec Struct, a dataclass or a TypedDict"):
        schema_of(thing)
    with pytest.raises(TypeError):
        instance_of(thing, {})


def test_a_value_that_the_type_refuses():
    with pytest.raises(FillError, match="Person does not accept the filled value"):
        instance_of(Person, {"age": 3})


def test_pydantic_is_imported_only_for_its_own_classes():
    code = (
        "import sys, dataclasses\n"
        "from deg_core.contract.types import schema_of\n"
        "@dataclasses.dataclass\n"
        "class A:\n    b: str\n"
        "schema_of(A)\n"
        "assert 'pydantic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
