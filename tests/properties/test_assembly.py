"""Whatever the heads say, what comes out is valid against the schema, or a FillError says which field has no value."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from deg_core.contract.compiler import compile_schema
from deg_core.contract.parsers import decimal_mark, read_span
from deg_core.contract.plan import ITEM, FieldPlan, FillPlan, Mode, Path, pointer
from deg_core.contract.request import Options
from deg_core.contract.validate import value_problems
from deg_core.errors import FillError
from tests.properties.strategies import Schema, nested_schemas, texts

torch = pytest.importorskip("torch", reason="decoding head outputs needs torch")

from deg_core.engine.assemble import assemble, check  # noqa: E402
from deg_core.engine.decide import decide  # noqa: E402
from deg_core.engine.extract import MISSING, extract  # noqa: E402
from deg_core.engine.spans import TextSpans  # noqa: E402
from deg_core.rendering.layout import TrunkLayout  # noqa: E402

PIECES = (
    "Order 7731 of 3 May 2024",
    "EUR 1,250.00",
    "paid by Ann Lee <ann@example.org>.",
    "-12",
    "0.25",
    "1.234.567,89",
    "twelve",
    "1e999",
    "03/04/2025",
    "2024-02-30",
    "2025-11-30T23:59:60Z",
    "yesterday at 14:05",
    "13:30 on 7 March 2023",
    "https://example.org/a_(b)?c=1,",
    "http://[::1]/x",
    "3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3",
    "naïve Ω 東京 e\u0301",
    "…, —",
    "\n\n",
)
contexts = st.lists(st.one_of(st.sampled_from(PIECES), texts), max_size=8).map(" ".join)
options = st.builds(
    Options,
    date_order=st.sampled_from([None, "MDY", "DMY"]),
    default_offset=st.sampled_from(["Z", "+05:30"]),
    null_margin=st.sampled_from([None, -5.0, 0.0, 5.0]),
)


def read(text: str) -> TrunkLayout:
    """A trunk whose tokens are runs of white space and of other characters."""
    offsets = tuple(match.span() for match in re.finditer(r"\s+|\S+", text))
    return TrunkLayout(tuple(range(len(offsets) + 1)), 0, offsets, text)


@st.composite
def logits(draw: st.DrawFn, rows: int, columns: int) -> Any:
    """A tensor [rows, columns] of a head: flat, usual or extreme; null, the last column, may be near or far."""
    chance = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    out = torch.randn(rows, columns, generator=chance) * draw(st.sampled_from([0.0, 1.0, 20.0, 1e4]))
    out[:, -1] += draw(st.sampled_from([0.0, -30.0, 30.0]))
    return out


def outcomes(field: FieldPlan) -> int:
    if field.mode is Mode.NOUL:
        return 2
    return len(field.options) if field.mode is Mode.CHOICE else len(field.levels) + field.null_outcome


def answer(data: st.DataObject, field: FieldPlan, trunk: TrunkLayout, chosen: Options) -> Any:
    """The value of a field from random outputs of its head, with what must hold for its meta."""
    temperature = data.draw(st.sampled_from([0.3, 1.0, 4.0]))
    if field.mode.decides:
        count = outcomes(field)
        order = data.draw(st.permutations(range(count)))
        value, meta = decide(field, data.draw(logits(1, count))[0].tolist(), order, temperature)
        assert 0.0 <= meta.probability <= 1.0
        assert field.mode is Mode.NOUL or sum(meta.probabilities) == pytest.approx(1.0)
        return value
    found = data.draw(logits(2, len(trunk.offsets) + 1))
    value, meta = extract(field, found, TextSpans(trunk, chosen), temperature)
    if meta.span is None:
        assert value is (None if field.on_null == "null" else MISSING)
        assert meta.null_reason is not None
        return value
    start, end = meta.span
    mark = decimal_mark(trunk.text, (start, end)) if field.mode is Mode.NUMBER else None
    again = read_span(
        field,
        trunk.text[start:end],
        date_order=chosen.date_order,
        default_offset=chosen.default_offset,
        decimal=mark,
    )
    assert (again.value, again.null_reason) == (value, None)
    assert field.mode is not Mode.SPAN or value == trunk.text[start:end]
    return value


def fill(data: st.DataObject, plan: FillPlan, trunk: TrunkLayout, chosen: Options) -> dict[str, Any]:
    """Random lengths for the arrays, random head outputs for every leaf of every item."""
    items: dict[str, int] = {}
    spots: dict[Path, list[tuple[Any, ...]]] = {(): [()]}
    arrays = {array.path: array for array in plan.arrays}
    values = {}
    for path in plan.nodes:
        if path and path[-1] is ITEM:
            spots[path] = [(*spot, index) for spot in spots[path[:-1]] for index in range(items[pointer(spot)])]
        elif path:
            spots[path] = [(*spot, path[-1]) for spot in spots[path[:-1]]]
        if path in arrays:
            bounds = st.integers(arrays[path].min_items, arrays[path].max_items)
            items |= {pointer(spot): data.draw(bounds) for spot in spots[path]}
        for leaf in (field for field in plan.fields if field.path == path):
            for spot in spots[path]:
                values[pointer(spot)] = answer(data, leaf, trunk, chosen)
    return assemble(plan, values, items)


@given(nested_schemas, contexts, options, st.data())
def test_what_comes_out_is_valid(schema: Schema, text: str, chosen: Options, data: st.DataObject):
    plan = compile_schema(schema)
    failed, value = None, {}
    try:
        value = fill(data, plan, read(text), chosen)
    except FillError as error:
        failed = error
    if failed is not None:
        event("a required field has no value")
        assert plan.field(failed.pointer).on_null == "forbid"
        return
    problems = value_problems(schema, value)
    if problems:
        event("equal items where they must differ")
        assert any(array.unique_items for array in plan.arrays)
        assert all("non-unique" in problem["msg"] for problem in problems)
        with pytest.raises(FillError, match="non-unique"):
            check(plan, value)
        return
    event("filled")
    check(plan, value)
    _same_shape(schema, value)


def _same_shape(schema: Schema, value: Any) -> None:
    """Every object and array that the schema names is there, and keys stand in schema order."""
    if schema.get("type") == "array":
        for item in value:
            _same_shape(schema["items"], item)
    elif schema.get("type") == "object":
        declared = schema["properties"]
        assert list(value) == [name for name in declared if name in value]
        for name, inner in declared.items():
            if inner.get("type") in ("object", "array"):
                _same_shape(inner, value[name])
