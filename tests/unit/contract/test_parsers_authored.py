"""Annotated texts: gold spans are offered as candidates, read to the gold value, and survive trimming."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deg_core.contract import parsers as p

FINDERS = {
    "number": p.find_numbers,
    "integer": p.find_numbers,
    "date": p.find_dates,
    "date-time": p.find_datetimes,
    "email": p.find_emails,
    "uri": p.find_uris,
    "uuid": p.find_uuids,
}


def leaf_kind(schema: dict[str, Any], steps: list[str]) -> str | None:
    """``format`` or ``type`` of the leaf at concrete pointer steps; None for what this small walk cannot follow."""
    for step in steps:
        branches = [schema, *schema.get("anyOf", []), *schema.get("oneOf", [])]
        inner = next((b["properties"][step] for b in branches if step in b.get("properties", {})), None)
        inner = inner or next((b["items"] for b in branches if "items" in b and step.isdigit()), None)
        if inner is None or "$ref" in inner:
            return None
        schema = inner
    for branch in (schema, *schema.get("anyOf", []), *schema.get("oneOf", [])):
        kind = branch.get("format") or branch.get("type")
        if isinstance(kind, list):
            kind = next((name for name in kind if name != "null"), None)
        if kind not in (None, "null"):
            return str(kind)
    return None


def value_at(value: Any, steps: list[str]) -> Any:
    for step in steps:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def annotated(folder: Path) -> Iterator[tuple[str, str, tuple[int, int], Any]]:
    """``(kind, context, span, gold value)`` of every annotated leaf."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if not line:
                continue
            record = json.loads(line)
            for pointer, (start, end) in record["spans"].items():
                steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
                kind = leaf_kind(record["schema"], steps)
                if kind is not None:
                    yield kind, record["context"], (start, end), value_at(record["value"], steps)


@pytest.fixture(scope="module")
def leaves(shared: Path) -> list[tuple[str, str, tuple[int, int], Any]]:
    found = list(annotated(shared / "data" / "authored"))
    if not found:
        pytest.skip("no annotated records in the folder of shared material")
    return found


def read(kind: str, text: str, span: tuple[int, int]) -> object:
    written = text[slice(*span)]
    if kind in ("number", "integer"):
        parsed = p.parse_number(written, decimal=p.decimal_mark(text, span), integer=kind == "integer")
    elif kind in ("date", "date-time"):
        parse = p.parse_date if kind == "date" else p.parse_datetime
        parsed = parse(written)
        if isinstance(parsed, p.Unparsed) and parsed.ambiguous:
            parsed = parse(written, date_order="DMY")
    else:
        return written if p.check_format(kind, written) else None
    return parsed.value if isinstance(parsed, p.Parsed) else None


def test_gold_spans_are_offered_and_read_to_the_gold_value(leaves: list[Any]) -> None:
    total, offered, right = Counter[str](), Counter[str](), Counter[str]()
    cache: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for kind, text, span, gold in leaves:
        if kind not in FINDERS:
            continue
        key = (kind, text)
        if key not in cache:
            cache[key] = set(FINDERS[kind](text))
        total[kind] += 1
        offered[kind] += span in cache[key]
        right[kind] += read(kind, text, span) == gold
    assert total.keys() == FINDERS.keys()
    # Some date-times are annotated without the zone that stands behind them; the candidate includes it.
    floor = {kind: 0.94 if kind == "date-time" else 0.99 for kind in total}
    assert {kind: offered[kind] / total[kind] for kind in total if offered[kind] < floor[kind] * total[kind]} == {}
    assert {kind: right[kind] / total[kind] for kind in total if right[kind] < floor[kind] * total[kind]} == {}


def test_gold_spans_of_plain_strings_survive_trimming(leaves: list[Any]) -> None:
    spans = [(text, span) for kind, text, span, _ in leaves if kind == "string" and span[0] < span[1]]
    kept = sum(p.trim_span(text, *span) == span for text, span in spans)
    assert kept > 0.995 * len(spans)
