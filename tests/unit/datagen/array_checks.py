"""What holds for every record with arrays: spans read to their values, items in order, each with a place of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from deg_core.contract.compiler import compile_schema
from deg_core.contract.parsers import decimal_mark, read_span
from deg_core.contract.plan import escape
from deg_core.records.check import check_record, value_leaves
from deg_core.records.record import Record


def arrays_in(value: Any, pointer: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Pointer and items of every array in a value, outer ones first."""
    if isinstance(value, dict):
        for name, node in value.items():
            yield from arrays_in(node, f"{pointer}/{escape(name)}")
    elif isinstance(value, list):
        yield pointer, value
        for at, node in enumerate(value):
            yield from arrays_in(node, f"{pointer}/{at}")


def problems_of(record: Record) -> list[str]:
    """Everything that is wrong with a record, in words."""
    return [
        *(str(problem) for problem in check_record(record)),
        *_misread(record),
        *(problem for pointer, items in arrays_in(record.value) for problem in _misplaced(record, pointer, len(items))),
    ]


def _misread(record: Record) -> Iterator[str]:
    for pointer, (field, value) in value_leaves(compile_schema(record.schema), record.value):
        if not field.mode.extracts or value is None:
            continue
        if pointer not in record.spans:
            yield f"{pointer} has no span"
            continue
        for span in (record.spans[pointer], *record.span_alternatives.get(pointer, ())):
            text = record.context[slice(*span)]
            if (
                text != text.strip()
                or read_span(field, text, decimal=decimal_mark(record.context, span)).value != value
            ):
                yield f"{pointer}: {text!r} is not {value!r}"


def _misplaced(record: Record, pointer: str, count: int) -> Iterator[str]:
    """SPEC 12.6: an item's anchor is its earliest span that no sibling shares; anchors are distinct and in order."""
    places = [
        {span for key, span in record.spans.items() if f"{key}/".startswith(f"{pointer}/{at}/")} for at in range(count)
    ]
    shared = Counter(span for spans in places for span in spans)
    anchors = [min((span[0] for span in spans if shared[span] == 1), default=None) for spans in places]
    if None in anchors:
        yield f"{pointer}: an item has no place of its own"
    elif anchors != sorted(set(anchors)):  # type: ignore[type-var]
        yield f"{pointer}: the items' anchors {anchors} are not distinct and in order"
