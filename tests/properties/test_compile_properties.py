"""What holds for every schema: compiling is pure, order-free where it should be, total, and agrees with JSON Schema."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract import compiler
from deg_core.contract.compiler import compile_schema, schema_problems
from deg_core.contract.metaschema import MetaCheck
from deg_core.contract.plan import FillPlan, Mode
from deg_core.contract.problems import Problems
from deg_core.contract.rules import RULES
from deg_core.contract.validate import value_problems
from tests.properties.strategies import Schema, nodes, scalars, schemas, wild_schemas

JUDGES = {
    "draft-04": jsonschema.Draft4Validator,
    "draft-06": jsonschema.Draft6Validator,
    "draft-07": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
    "2020-12": jsonschema.Draft202012Validator,
}


@given(schemas)
def test_supported_schemas_compile_and_stay_as_they_were(schema: Schema):
    before = copy.deepcopy(schema)
    plan = compile_schema(schema)
    assert schema == before
    assert plan.schema == before
    assert plan.schema is not schema
    assert schema_problems(schema) == []


@given(schemas)
def test_compiling_twice_gives_the_same_plan(schema: Schema):
    first = compile_schema(schema)
    compiler._cache.clear()
    again = compile_schema(json.loads(json.dumps(schema)))
    assert first == again
    assert repr(first) == repr(again)


def shuffled(value: Any, dice: random.Random, *, properties: bool = False) -> Any:
    """The schema with its keys in another order; the order of properties only when asked for."""
    if isinstance(value, list):
        return [shuffled(item, dice, properties=properties) for item in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    dice.shuffle(keys)
    out = {}
    for key in keys:
        inner = value[key]
        if key == "properties" and isinstance(inner, dict):
            names = list(inner)
            if properties:
                dice.shuffle(names)
            out[key] = {name: shuffled(inner[name], dice, properties=properties) for name in names}
        else:
            out[key] = shuffled(inner, dice, properties=properties)
    return out


@given(schemas, st.randoms(use_true_random=False))
def test_order_of_keywords_does_not_matter(schema: Schema, dice: random.Random):
    assert compile_schema(shuffled(schema, dice)) == compile_schema(schema)


@given(schemas, st.randoms(use_true_random=False))
def test_order_of_properties_keeps_leaves_and_without_generation_the_plan(schema: Schema, dice: random.Random):
    one, other = compile_schema(schema), compile_schema(shuffled(schema, dice, properties=True))
    assert {f.path: f for f in one} == {f.path: f for f in other}
    written = [[f.path for f in plan if f.mode is Mode.GENERATE] for plan in (one, other)]
    assert (one.fingerprint == other.fingerprint) == (written[0] == written[1])


@given(nodes, nodes)
def test_siblings_do_not_touch_a_leaf(one: Schema, other: Schema):
    alone = compile_schema({"type": "object", "properties": {"a": one}})
    beside = compile_schema({"type": "object", "properties": {"b": other, "a": one}})
    assert list(alone) == [field for field in beside if field.path[0] == "a"]


@given(schemas)
def test_a_definition_is_as_good_as_writing_it_out(schema: Schema):
    names = {name: {"$ref": f"#/$defs/d{index}"} for index, name in enumerate(schema["properties"])}
    defs = {f"d{index}": inner for index, inner in enumerate(schema["properties"].values())}
    referring = compile_schema({**schema, "properties": names, "$defs": defs})
    assert referring == compile_schema(schema)


def a_value(plan: FillPlan, schema: Schema, draw: Any) -> Any:
    """A value made of the plan's own outcomes, leaving out what only a text could give."""
    decided = {field.path: field for field in plan if field.mode.decides and "*" not in map(repr, field.path[:-1])}
    value: dict[str, Any] = {}
    for name in schema["properties"]:
        field = decided.get((name,))
        if field is None:
            continue
        outcomes = list(field.options or field.levels or (True, False))
        outcomes += [None] if field.null_outcome else []
        value[name] = draw(st.sampled_from(outcomes))
    return value


@given(schemas, st.data())
def test_every_outcome_of_a_decision_is_valid(schema: Schema, data: st.DataObject):
    plan = compile_schema(schema)
    value = a_value(plan, schema, data.draw)
    assert value_problems({**schema, "required": []}, value) == []


@given(wild_schemas)
def test_any_dictionary_is_compiled_or_refused_by_a_known_rule(schema: Any):
    found = schema_problems({"type": "object", "properties": {"a": schema}})
    assert all(problem.rule in RULES for problem in found)
    assert len(set(found)) == len(found)


@given(wild_schemas)
def test_what_is_refused_is_the_same_each_time(schema: Any):
    assert schema_problems(schema) == schema_problems(copy.deepcopy(schema))


@pytest.mark.parametrize("draft", JUDGES)
@given(wild_schemas)
def test_the_schema_check_agrees_with_the_meta_schema(draft: str, schema: Any):
    problems = Problems()
    MetaCheck(draft, problems).check(schema, ())
    meta = JUDGES[draft].META_SCHEMA
    if draft == "draft-04":
        # Its meta-schema forgets $ref; a reference that is not a string means nothing in any draft.
        meta = {**meta, "properties": {**meta["properties"], "$ref": {"type": "string"}}}
    judge = JUDGES[draft](meta)
    assert (len(problems) == 0) == judge.is_valid(schema)


@given(st.lists(scalars, min_size=2, max_size=6))
def test_duplicates_are_those_of_json_schema(values: list[Any]):
    unique = jsonschema.Draft202012Validator({"uniqueItems": True}).is_valid(values)
    rules = {problem.rule for problem in schema_problems({"type": "object", "properties": {"a": {"enum": values}}})}
    assert ("enum-duplicate" not in rules) == unique
