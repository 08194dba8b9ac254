"""An array field in the making: rows of marked text become items with a schema somebody would have written for them.

Each item has a place of its own (SPEC 12.6: an item's anchor is its earliest span that no sibling shares), and items
come in the order of those places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from deg_core.contract.parsers import decimal_mark, parse_number, trim_span
from deg_core.contract.parsers.result import Parsed
from deg_core.contract.plan import escape
from deg_core.datagen.readings import candidates, read_typed
from deg_core.datagen.wording import Slot, Style, describe, pick_names

Span = tuple[int, int]
Cell = Span | str | int | None
"""What one row says in one column: where it stands, a decided answer, or nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """One property of the items: ``options`` (value and description) make it a choice, else it is copied."""

    slot: Slot
    options: tuple[tuple[Any, str | None], ...] = ()


@dataclass(slots=True)
class ArrayParts:
    """The items' schema, the items, and the spans of their leaves by pointer below the array."""

    items: dict[str, Any]
    value: list[Any]
    spans: dict[str, Span] = field(default_factory=dict)


def draw_items(
    context: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    *,
    style: Style,
    rng: Random,
    plain: bool = False,
) -> ArrayParts | None:
    """Items of ``rows`` (cells in the order of ``columns``), or None when they cannot be told apart by a place.

    ``plain`` makes an array of values from the only column instead of an array of objects. A column without a single
    filled cell is left out.
    """
    filled = [at for at in range(len(columns)) if any(row[at] is not None for row in rows)]
    made = [_leaf(context, columns[at], [row[at] for row in rows], rng) for at in filled]
    columns = [columns[at] for at in filled]
    order = _in_order([[leaf.spans[at] for leaf in made] for at in range(len(rows))])
    if order is None or not made:
        return None
    if plain:
        return _plain(made[0], order, columns[0], style, rng)
    names = pick_names([column.slot for column in columns], style, rng)
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    parts = ArrayParts(schema, [{} for _ in order])
    required = []
    for column, leaf, named in zip(columns, made, names, strict=True):
        if named is None:
            continue
        name, words = named
        must, note = leaf.settle(column, words, style, rng)
        schema["properties"][name] = note
        required += [name] if must else []
        for index, at in enumerate(order):
            if leaf.values[at] is not None or leaf.nulls:
                parts.value[index][name] = leaf.values[at]
            if (span := leaf.spans[at]) is not None:
                parts.spans[f"/{index}/{escape(name)}"] = span
    if required:
        schema["required"] = required
    if rng.random() < 0.15:
        schema["additionalProperties"] = False
    # a name that clashed may have taken a row's only place of its own with it
    own = [[span for key, span in parts.spans.items() if key.startswith(f"/{at}/")] for at in range(len(order))]
    return parts if _in_order(own) == list(range(len(order))) else None


@dataclass(slots=True)
class _Leaf:
    schema: dict[str, Any]
    values: list[Any]
    spans: list[Span | None]
    nulls: bool = False
    """Whether a missing value is written as null (else the key is left out)."""

    def settle(self, column: Column, words: str, style: Style, rng: Random) -> tuple[bool, dict[str, Any]]:
        """Whether the leaf is required, and its schema with null form, title and description."""
        holes = any(value is None for value in self.values)
        copied = not column.options
        nullable = holes or (copied and rng.random() < 0.4)
        self.nulls = nullable
        required = nullable or rng.random() < 0.85
        note: dict[str, Any] = {"title": words[:1].upper() + words[1:]} if style.titles else {}
        text = describe(column.slot, words, style, rng, nullable=nullable, copied=copied)
        if text is not None:
            note["description"] = text
        schema = dict(self.schema)
        if not nullable:
            return required, {**schema, **note}
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
            if "type" in schema:
                schema["type"] = [schema["type"], "null"]
        elif not copied:
            schema = {key: [*branches, {"const": None}] for key, branches in schema.items()}
        elif rng.random() < 0.2:
            self.nulls, required = not holes, False
            if holes:
                return False, {**schema, **note}  # an optional key that some items lack
            schema = {"type": [schema.pop("type"), "null"], **schema}
        elif rng.random() < 0.85:
            schema = {"type": [schema.pop("type"), "null"], **schema}
        else:
            return required, {rng.choice(("anyOf", "oneOf")): [schema, {"type": "null"}], **note}
        return required, {**schema, **note}


def _plain(leaf: _Leaf, order: list[int], column: Column, style: Style, rng: Random) -> ArrayParts | None:
    if any(value is None for value in leaf.values):
        return None
    schema = dict(leaf.schema)
    if rng.random() < 0.3 and column.slot.descriptions:
        schema["description"] = style.polish(rng.choice(column.slot.descriptions).replace("{noun}", style.noun))
    spans = {f"/{index}": span for index, at in enumerate(order) if (span := leaf.spans[at]) is not None}
    return ArrayParts(schema, [leaf.values[at] for at in order], spans)


def _leaf(context: str, column: Column, cells: Sequence[Cell], rng: Random) -> _Leaf:
    """The values of a column; typed when every filled cell reads as the type, and mostly then."""
    if column.options:
        values = [value for value, _ in column.options]
        named = all(isinstance(value, str) for value in values) and rng.random() < 0.6
        schema: dict[str, Any] = {"type": "string", "enum": values} if named else {"enum": values}
        if any(text for _, text in column.options):
            branches = [{"const": value} | ({"description": text} if text else {}) for value, text in column.options]
            schema = {rng.choice(("oneOf", "anyOf")): branches}
        return _Leaf(schema, list(cells), [None] * len(cells))
    places = [trim_span(context, *cell) if isinstance(cell, tuple) else None for cell in cells]
    kind = column.slot.kind
    if kind != "text" and rng.random() < 0.85:
        read = [read_cell(context, place, kind) if place else None for place in places]
        if all(reading is not None for place, reading in zip(places, read, strict=True) if place):
            schema = {"type": kind} if kind in ("number", "integer") else {"type": "string", "format": kind}
            return _Leaf(schema, [item and item[0] for item in read], [item and item[1] for item in read])
    texts = [context[slice(*place)] if place else None for place in places]
    return _Leaf({"type": "string"}, list(texts), list(places))


def read_cell(context: str, span: Span, kind: str) -> tuple[Any, Span] | None:
    """As :func:`read_typed`; a number with two readings that fills the cell is read as its page writes numbers.

    None also when nothing on the page says how it does, unless only a whole number can be meant.
    """
    found = read_typed(context, span, kind)
    if found is not None or kind not in ("number", "integer") or span not in candidates(context, kind):
        return found
    mark, whole = decimal_mark(context, span), kind == "integer"
    parsed = parse_number(context[slice(*span)], integer=whole, decimal=mark)
    if not isinstance(parsed, Parsed) or (parsed.ambiguous and mark is None and not whole):
        return None
    if whole and isinstance(parsed.value, float):
        return (int(parsed.value), span) if parsed.value.is_integer() else None
    return parsed.value, span


def _in_order(spans: Sequence[Sequence[Span | None]]) -> list[int] | None:
    """Row numbers by their first span that no other row has; None when a row has none."""
    counts: dict[Span, int] = {}
    for row in spans:
        for span in {span for span in row if span is not None}:
            counts[span] = counts.get(span, 0) + 1
    firsts: list[Span] = []
    for row in spans:
        own = [span for span in row if span is not None and counts[span] == 1]
        if not own:
            return None
        firsts.append(min(own))
    return sorted(range(len(spans)), key=lambda at: firsts[at])


def limits(count: int, rng: Random) -> Mapping[str, int]:
    """Now and then bounds on the number of items that ``count`` meets."""
    bounds: dict[str, int] = {}
    if rng.random() < 0.12:
        bounds["minItems"] = rng.randint(0, min(count, 3))
    if rng.random() < 0.1:
        bounds["maxItems"] = count + rng.choice((0, 1, 5, 10, 40)) or 1
    return bounds
