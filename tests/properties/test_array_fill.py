"""Any schema with arrays on any text: what comes out is valid, or an error of ours says why nothing does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from deg_core.contract.validate import value_problems
from tests.properties.strategies import Schema, fillable_leaves, names, nested_schemas, texts
from tests.properties.test_assembly import PIECES

pytest.importorskip("torch", reason="filling needs torch")

from deg_core.engine.engine import Job, fill_many
from deg_core.errors import FillError, RequestError, UnsupportedError

if TYPE_CHECKING:
    from deg_core.contract.result import FillResult
    from deg_core.engine.engine import Model

contexts = st.lists(st.one_of(st.sampled_from(PIECES), texts), max_size=6).map(" ".join)
options = st.fixed_dictionaries(
    {},
    optional={
        "array_decode": st.sampled_from(["threshold", "count_peaks", "hybrid"]),
        "max_items": st.integers(0, 4),
        "null_margin": st.sampled_from([-9.0, 0.0, 9.0]),
        "date_order": st.sampled_from(["MDY", "DMY"]),
    },
)


@st.composite
def open_arrays(draw: st.DrawFn) -> Schema:
    """Arrays without a most, as they are in most schemas."""
    items = draw(st.one_of(fillable_leaves, st.dictionaries(names, fillable_leaves, max_size=3).map(_object)))
    schema = {"type": "array", "items": items}
    return draw(st.sampled_from([schema, {"type": "array", "items": schema}, schema | {"minItems": 1}]))


def _object(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties, "required": sorted(properties)[::2]}


schemas = st.one_of(nested_schemas, st.dictionaries(names, open_arrays(), min_size=1, max_size=2).map(_object))


@settings(max_examples=25)
@given(schemas, contexts, options, st.sampled_from(["int8", "fp32"]))
def test_any_schema_on_any_text(
    tiny_models: Mapping[str, Model], schema: Schema, text: str, chosen: dict[str, Any], compute: str
):
    (result,) = fill_many(tiny_models[compute], [Job(text, schema, chosen)])
    if isinstance(result, (FillError, RequestError, UnsupportedError)):
        event(type(result).__name__)
        assert str(result)
        return
    assert not isinstance(result, Exception), result
    event("filled")
    assert value_problems(schema, result.value) == []
    _meta_is_of_the_value(result, text)


def _meta_is_of_the_value(result: FillResult, text: str) -> None:
    """Every leaf and every array of the value has its entry, and the other way round; spans hold the text."""
    whole = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert set(_places(whole["value"], "")) <= set(whole["meta"])
    for pointer, meta in whole["meta"].items():
        found = _at(whole["value"], pointer)
        if meta["mode"] == "array":
            assert meta["items"] == len(found)
            assert meta.get("dropped", 1) >= 1
        elif meta["mode"].startswith("extract.") and meta["span"] is None:
            assert found is None
        elif meta["mode"] == "extract.span":
            assert found == text[slice(*meta["span"])]


def _places(value: Any, pointer: str) -> list[str]:
    if isinstance(value, dict):
        steps = ((name.replace("~", "~0").replace("/", "~1"), inner) for name, inner in value.items())
        return [place for step, inner in steps for place in _places(inner, f"{pointer}/{step}")]
    if isinstance(value, list):
        inside = [place for index, inner in enumerate(value) for place in _places(inner, f"{pointer}/{index}")]
        return [pointer, *inside]
    return [pointer]


def _at(value: Any, pointer: str) -> Any:
    """What a pointer names; None where a key was left out."""
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value.get(step.replace("~1", "/").replace("~0", "~"))
    return value
