"""Hostile schemas are compiled or refused within bounded work, by a limit that is named."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deg_core.contract.compiler import schema_problems
from deg_core.contract.validate import value_problems

ROOT = Path(__file__).parents[3]
# The dearest of the schemas below takes 10 million calls, about a second. Calls are counted, since the machine that
# runs the tests may be slow or busy; work inside one call (a regular expression) is bounded by a clock of its own.
MOST_CALLS = 20_000_000
S = {"type": "string"}


def of(properties: dict[str, Any], defs: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"$defs": defs} if defs else {})}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = S
    for _ in range(depth):
        schema = of({"a": schema})
    return schema


def chain(length: int, end: dict[str, Any]) -> dict[str, Any]:
    links: dict[str, Any] = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(length)}
    return {**links, f"d{length}": end}


def doubling(width: int, levels: int, **beside: Any) -> dict[str, Any]:
    names = [f"k{i}" for i in range(width)]
    laughs = {f"d{i}": of({k: {"$ref": f"#/$defs/d{i + 1}", **beside} for k in names}) for i in range(levels)}
    return {**laughs, f"d{levels}": {"type": "string", "x-generate": True}}


def many(count: int, schema: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    return {f"p{i}": schema(i) for i in range(count)}


# name -> (schema, rules that refuse it; an empty set when it compiles)
HOSTILE: dict[str, tuple[Callable[[], dict[str, Any]], set[str]]] = {
    "16 deep": (lambda: nested(16), set()),
    "20,000 deep": (lambda: nested(20_000), {"document-depth"}),
    "60 deep": (lambda: nested(63), set()),
    "an enum of 5,000": (lambda: of({"a": {"enum": list(range(5000))}}), {"enum-count"}),
    "10,000 properties": (lambda: of(many(10_000, lambda i: {"type": "string", "description": "x"})), set()),
    "10,000 mistakes": (
        lambda: of(many(10_000, lambda i: {"type": "strin", f"wrod{i}": 1})),
        {"malformed", "unknown-keyword"},
    ),
    "10,000 scales": (lambda: of(many(10_000, lambda i: {"type": "integer", "minimum": 0, "maximum": 10})), set()),
    "10,000 patterns": (lambda: of(many(10_000, lambda i: {**S, "pattern": f"(a+)+${i}"})), {"pattern-text"}),
    "10,000 missing targets": (
        lambda: of(many(10_000, lambda i: {"$ref": f"#/$defs/nope{i}"}), many(10_000, lambda i: S)),
        {"ref-missing"},
    ),
    "a large enum in 10,000 places": (
        lambda: of(
            many(10_000, lambda i: {"anyOf": [{"$ref": "#/$defs/e"}, {"type": "null"}]}),
            {"e": {"enum": list(range(254))}},
        ),
        {"listed"},
    ),
    "a large union in 10,000 places": (
        lambda: of(
            many(10_000, lambda i: {"oneOf": [{"$ref": "#/$defs/e"}, {"const": "x"}]}),
            {"e": {"enum": list(range(254))}},
        ),
        {"listed"},
    ),
    "a chain of 5,000": (lambda: of({"a": {"$ref": "#/$defs/d0"}}, chain(5000, S)), {"nesting"}),
    "a union chain of 5,000": (
        lambda: of({"a": {"anyOf": [{"$ref": "#/$defs/d0"}, {"type": "null"}]}}, chain(5000, S)),
        {"nesting"},
    ),
    "a chain of 50 in 5,000 places": (
        lambda: of(
            many(5000, lambda i: {"$ref": "#/$defs/d0", "x-max-tokens": 3}), chain(50, {**S, "x-generate": True})
        ),
        {"reads"},
    ),
    "too many at once": (lambda: of({f"p{n}": S for n in range(20_000)}), {"size"}),
    "eight to the twentieth": (lambda: of({"a": {"$ref": "#/$defs/d0"}}, doubling(8, 20)), {"size"}),
    "two to the thirtieth, annotated": (
        lambda: of({"a": {"$ref": "#/$defs/d0"}}, doubling(2, 30, **{"x-levels": {}})),
        {"reads", "levels-place"},
    ),
    "a huge ratio": (
        lambda: of({"a": {"type": "number", "minimum": -1e300, "maximum": 1e300, "multipleOf": 1e-300}}),
        set(),
    ),
    "a huge range": (
        lambda: of({"a": {"type": "integer", "minimum": -(10**300), "maximum": 10**300, "multipleOf": 3}}),
        set(),
    ),
    "5,000 digits": (lambda: of({"a": {"type": "integer", "minimum": 10**5000}}), {"integer-size"}),
    "a long word": (lambda: of({"a": {**S, "d" * 100_000: 1}}), {"unknown-keyword"}),
    "1,200,000 values": (lambda: {**of({"a": S}), "default": [0] * 1_200_000}, {"document-size"}),
    "repeats of repeats": (lambda: of({"a": {**S, "pattern": "(a{1000}){1000}"}}), {"pattern"}),
    "4,000 groups": (lambda: of({"a": {**S, "pattern": "(" * 4000 + ")" * 4000}}), {"pattern"}),
    "a long pattern": (lambda: of({"a": {**S, "pattern": "a" * 20_000}}), {"pattern"}),
    "a long pattern of sets": (lambda: of({"a": {**S, "pattern": r"\b\d." * 2000}}), {"pattern"}),
    "an exponential pattern beside an enum": (
        lambda: of(many(50, lambda i: {**S, "pattern": "(x+x+)+y", "enum": ["x" * 5000 + str(k) for k in range(9)]})),
        {"pattern-time"},
    ),
}


LARGEST = ("10,000 scales", "a large enum in 10,000 places", "1,200,000 values", "repeats of repeats")


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Raises from the call that is one too many, so that work without an end does not hang the tests."""
    left = calls

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise AssertionError(f"more than {calls:,} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_schema(name: str):
    make, rules = HOSTILE[name]
    document = make()
    with at_most(MOST_CALLS):
        found = schema_problems(document)
    assert {problem.rule for problem in found} == rules


def test_work_without_an_end_is_seen():
    def endless() -> None:
        with at_most(50):
            while True:
                len("")

    with pytest.raises(AssertionError, match="more than 50 calls"):
        endless()


def test_a_document_that_holds_itself():
    document: dict[str, Any] = of({})
    document["properties"]["a"] = document
    assert {problem.rule for problem in schema_problems(document)} == {"document-depth"}


def test_catastrophic_search_is_given_up():
    schema = of({"a": {**S, "pattern": "(x+x+)+y"}})
    (problem,) = value_problems(schema, {"a": "x" * 5000})
    assert "took longer than" in problem["msg"]


def test_endless_reference_in_a_value_check():
    (problem,) = value_problems({"$ref": "#"}, {})
    assert "refers to itself" in problem["msg"]


@pytest.mark.skipif(sys.platform == "win32", reason="the peak of memory is read in the Unix way")
def test_memory_stays_bounded():
    code = """
import json, resource, sys
from tests.unit.contract.test_compile_limits import HOSTILE, LARGEST
from deg_core.contract.compiler import schema_problems
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for name in LARGEST:
    schema_problems(HOSTILE[name][0]())
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) * unit))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert json.loads(done.stdout) < 200_000_000
