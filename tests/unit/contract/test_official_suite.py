"""The official JSON Schema test suite, draft 2020-12: of every schema that deg accepts, it says of every value what the
suite says.

The suite's schemas are mostly fragments without a type, and seldom objects. So each is tried as it is, as a property
of an object, and both with each type added where it has none; a value is then valid where the suite says so and it is
of that type.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from deg_core.contract.compiler import compile_schema, schema_problems
from deg_core.contract.keywords import FORMATS
from deg_core.contract.validate import value_problems

SHARED = Path(os.environ.get("DEG_SHARED") or Path(__file__).parents[4] / "shared")
SUITE = SHARED / "schemas" / "JSON-Schema-Test-Suite" / "tests" / "draft2020-12"

pytestmark = pytest.mark.skipif(
    not SUITE.is_dir(), reason="the JSON Schema test suite is not beside the checkout (DEG_SHARED)"
)

# deg asserts `format` (SPEC 4): an extracted date that is none must not be given. The suite's main part says what
# a validator does that takes it for a remark; its optional part, which is compared in full, what one does that asserts.
EXCEPTIONS = {
    ("format.json", f"invalid {name} string is only an annotation by default"): "format is asserted" for name in FORMATS
}

TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and value == int(value),
    "number": lambda value: _is_number(value),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class Case(NamedTuple):
    """One schema in one form. ``tests`` holds description, value, and whether it is valid."""

    file: str
    form: str
    description: str
    schema: dict[str, Any]
    tests: list[tuple[str, Any, bool]]


def _wrapped(schema: Any) -> dict[str, Any]:
    if isinstance(schema, dict) and "$ref" in json.dumps(schema):
        # References are to the fragment's own root, so it has to stay one.
        schema = {"$id": "https://example.org/fragment", **schema}
    return {"type": "object", "properties": {"v": schema}, "required": ["v"]}


def _forms(schema: Any) -> Iterator[tuple[str, dict[str, Any], Callable[[Any], bool], bool]]:
    """Name, schema, the type that values must have besides, and whether values are wrapped."""
    yield "property", _wrapped(schema), lambda value: True, True
    if not isinstance(schema, dict):
        return
    yield "root", schema, lambda value: True, False
    if "type" in schema:
        return
    yield "root, object", {"type": "object", **schema}, TYPES["object"], False
    for name, fits in TYPES.items():
        yield f"property, {name}", _wrapped({"type": name, **schema}), fits, True


@cache
def cases() -> list[Case]:
    """Every form of every schema of the suite that deg accepts."""
    formats = [SUITE / "optional" / "format" / f"{name}.json" for name in FORMATS]
    found = []
    for file in [*sorted(SUITE.glob("*.json")), *sorted((SUITE / "optional").glob("*.json")), *formats]:
        for case in json.loads(file.read_text(encoding="utf-8")):
            for form, schema, fits, wrapped in _forms(case["schema"]):
                if schema_problems(schema):
                    continue
                tests = [
                    (
                        test["description"],
                        {"v": test["data"]} if wrapped else test["data"],
                        test["valid"] and fits(test["data"]),
                    )
                    for test in case["tests"]
                ]
                found.append(Case(file.name, form, case["description"], schema, tests))
    return found


def test_values_are_judged_as_the_suite_does():
    disagreements = []
    for case in cases():
        for description, value, valid in case.tests:
            problems = value_problems(case.schema, value)
            agrees = valid == (not problems)
            if (case.file, description) in EXCEPTIONS:
                if "string" in case.form:
                    assert not agrees, f"{case.file}, {description}: the exception is not needed any more"
            elif not agrees:
                where = f"{case.file} ({case.form}), {case.description}, {description}"
                disagreements.append(f"{where}: {value!r} should be {valid}, found {problems}")
    assert disagreements == []


def test_a_good_part_of_the_suite_is_compared():
    forms = Counter(case.form.partition(",")[0] for case in cases())
    assert forms["property"] >= 90
    assert forms["root"] >= 10
    assert len({(case.file, case.description) for case in cases()}) >= 60
    assert sum(len(case.tests) for case in cases()) >= 500
    assert {f"{name}.json" for name in FORMATS} <= {case.file for case in cases()}


def test_the_plan_of_each_is_made():
    for case in cases():
        assert compile_schema(case.schema).objects
