"""Does a record hold what it says: offsets, pointers, the value against its schema, each span against its value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deg_core.contract.plan import ITEM, FieldPlan, FillPlan, Mode, escape
from deg_core.errors import Problem, SchemaError
from deg_core.records.record import Record

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

Span = tuple[int, int]
_SLACK = 1e-3
_SHOWN = 60


def check_record(record: Record) -> list[Problem]:
    """Every problem of ``record``, each with a place (``spans``, a pointer, ...); an empty list when it holds.

    Checked are: spans and alternatives lie inside the context and are not blank; their pointers resolve to a value;
    the schema compiles; the value validates; outside arrays an extracted value has a span, and the text of the span
    (and of each alternative) reads to the value by the contract's own parsers; probabilities fit the outcomes.
    """
    problems = [*_check_spans(record)]
    plan = _compiled(record, problems)
    if plan is None:
        return problems
    leaves = dict(value_leaves(plan, record.value))
    problems += _check_value(record)
    problems += _check_readings(record, leaves)
    problems += _check_probabilities(record, leaves)
    return problems


def resolve(value: Any, pointer: str) -> Any:
    """What a concrete RFC 6901 pointer names in ``value``; KeyError when nothing is there."""
    if pointer and not pointer.startswith("/"):
        raise KeyError(pointer)
    node = value
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            raise KeyError(pointer)
    return node


def _check_spans(record: Record) -> Iterator[Problem]:
    marked = [("spans", pointer, [span]) for pointer, span in record.spans.items()]
    marked += [("span_alternatives", pointer, spans) for pointer, spans in record.span_alternatives.items()]
    for part, pointer, spans in marked:
        for start, end in spans:
            if not 0 <= start < end <= len(record.context):
                msg = f"[{start}, {end}) does not lie in the context of {len(record.context)} characters"
                yield Problem(loc=[part, pointer], msg=msg)
            elif not record.context[start:end].strip():
                yield Problem(loc=[part, pointer], msg=f"[{start}, {end}) holds nothing but white space")
        try:
            found = resolve(record.value, pointer)
        except KeyError:
            yield Problem(loc=[part, pointer], msg="the pointer names nothing in the value")
            continue
        if found is None or isinstance(found, list | dict):
            yield Problem(loc=[part, pointer], msg=f"a span belongs to a filled leaf, but the value is {_show(found)}")
        if part == "span_alternatives" and pointer not in record.spans:
            yield Problem(loc=[part, pointer], msg="alternatives without a span for the same pointer")


def _compiled(record: Record, problems: list[Problem]) -> FillPlan | None:
    from deg_core.contract.compiler import compile_schema

    try:
        return compile_schema(record.schema)
    except SchemaError as error:
        problems += [Problem(loc=["schema", *found["loc"]], msg=found["msg"]) for found in error.problems]
        return None


def value_leaves(plan: FillPlan, value: Any) -> Iterator[tuple[str, tuple[FieldPlan, Any]]]:
    """Concrete pointer, field and value of every leaf that ``value`` holds, those of array items one by one."""

    def walk(path: tuple[Any, ...], node: Any, prefix: str) -> Iterator[tuple[str, Any]]:
        if not path:
            yield prefix, node
        elif path[0] is ITEM:
            for index, item in enumerate(node if isinstance(node, list) else ()):
                yield from walk(path[1:], item, f"{prefix}/{index}")
        elif isinstance(node, Mapping) and path[0] in node:
            yield from walk(path[1:], node[path[0]], f"{prefix}/{escape(path[0])}")

    for field in plan.fields:
        for pointer, leaf in walk(field.path, value, ""):
            yield pointer, (field, leaf)


def _check_value(record: Record) -> Iterator[Problem]:
    """The value against its schema; what the plan's own parsers judge (pattern, multipleOf, format) is left to them."""
    for error in sorted(_validator(record.schema).iter_errors(record.value), key=lambda found: list(found.path)):
        yield Problem(loc=["value", *error.absolute_path], msg=error.message)


def _validator(schema: Mapping[str, Any]) -> Validator:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend, validator_for

    def judged_elsewhere(*_: Any) -> Iterator[Any]:
        return iter(())

    base = validator_for(schema, default=Draft202012Validator)
    made: Validator = extend(base, {"pattern": judged_elsewhere, "multipleOf": judged_elsewhere})(schema)
    return made


def _check_readings(record: Record, leaves: Mapping[str, tuple[FieldPlan, Any]]) -> Iterator[Problem]:
    from deg_core.contract.parsers import violated

    for pointer, (field, value) in leaves.items():
        if value is not None and (field.mode.extracts or field.mode is Mode.GENERATE):
            broken = violated(field, value)
            if broken is not None:
                yield Problem(loc=["value", pointer], msg=f"{_show(value)} breaks {broken}")
        span = record.spans.get(pointer)
        if not field.mode.extracts or value is None:
            continue
        if span is None:
            if ITEM not in field.path:
                yield Problem(loc=["spans", pointer], msg=f"the extracted value {_show(value)} has no span")
            continue
        if ITEM not in field.path:
            yield from _check_reading(record, field, value, ["spans", pointer], span)
            for other in record.span_alternatives.get(pointer, ()):
                yield from _check_reading(record, field, value, ["span_alternatives", pointer], other)


def _check_reading(record: Record, field: FieldPlan, value: Any, loc: list[str | int], span: Span) -> Iterator[Problem]:
    from deg_core.contract.parsers import decimal_mark, read_span

    text = record.context[span[0] : span[1]]
    if not 0 <= span[0] < span[1] <= len(record.context):
        return  # reported by _check_spans
    reading = read_span(field, text, decimal=decimal_mark(record.context, span))
    if reading.null_reason is not None:
        more = " (two readings are possible)" if reading.ambiguous else ""
        yield Problem(loc=loc, msg=f"{_show(text)} does not read as {field.mode.value}: {reading.null_reason}{more}")
    elif reading.value != value or isinstance(value, bool):
        yield Problem(loc=loc, msg=f"{_show(text)} reads to {_show(reading.value)}, but the value is {_show(value)}")


def _check_probabilities(record: Record, leaves: Mapping[str, tuple[FieldPlan, Any]]) -> Iterator[Problem]:
    for pointer, shares in record.decide_probs.items():
        loc: list[str | int] = ["decide_probs", pointer]
        if pointer not in leaves or not leaves[pointer][0].mode.decides:
            yield Problem(loc=loc, msg="the pointer names no decided leaf of the value")
            continue
        field = leaves[pointer][0]
        outcomes = 2 if field.mode is Mode.NOUL else len(field.options or field.levels) + field.null_outcome
        if len(shares) != outcomes:
            yield Problem(loc=loc, msg=f"{len(shares)} probabilities for {outcomes} outcomes")
        elif not _distribution(shares):
            yield Problem(loc=loc, msg="probabilities must be finite, not negative, and sum to 1")
    for pointer, shares in record.span_probs.items():
        places = len(record.span_alternatives.get(pointer, ())) + 1
        if pointer not in record.spans:
            yield Problem(loc=["span_probs", pointer], msg="probabilities without a span for the same pointer")
        elif not places <= len(shares) <= places + 1:
            msg = f"{len(shares)} probabilities for {places} spans (one more for null is allowed)"
            yield Problem(loc=["span_probs", pointer], msg=msg)


def _distribution(shares: Sequence[float]) -> bool:
    return all(math.isfinite(share) and share >= 0 for share in shares) and abs(sum(shares) - 1) <= _SLACK


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
