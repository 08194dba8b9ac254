"""A record in the making: fields are added one by one, then laid out as somebody would have written the schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from deg_core.contract.parsers import trim_span
from deg_core.contract.plan import escape
from deg_core.datagen.array_draft import Cell, Column, draw_items, limits
from deg_core.datagen.readings import read_typed
from deg_core.datagen.wording import Slot, Style, describe, pick_names
from deg_core.records.record import Record
from deg_core.records.split import split_of

Span = tuple[int, int]
_HOLDERS = ("details", "data", "info", "request", "result", "extracted", "fields")


@dataclass(slots=True)
class _Field:
    slot: Slot
    schema: dict[str, Any]
    value: Any
    nullable: bool = False
    span: Span | None = None
    alternatives: list[Span] = field(default_factory=list)
    required: bool = True
    copied: bool = False
    probs: list[float] = field(default_factory=list)
    inner: dict[str, Span] = field(default_factory=dict)
    """Spans of the leaves of an array, by pointer below it."""


@dataclass(slots=True)
class Draft:
    """Collects the fields of one record.

    Everything is drawn from ``rng``, which is seeded by the uid, so a set converts to the same bytes every time.
    ``group`` is the document, dialogue or article that decides the split; ``noun`` is what the context is called in
    descriptions ("message", "review"). ``corpus`` names the texts when two sources share them (default: the source), so
    that a document is in the same split in both.
    """

    source: str
    uid: str
    group: str
    domain: str
    context: str
    noun: str = "text"
    corpus: str = ""
    rng: Random = field(init=False)
    style: Style = field(init=False)
    fields: list[_Field] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.uid = f"{self.source}/{self.uid}"
        self.rng = Random(self.uid)
        self.style = Style.draw(self.rng, noun=self.noun)

    # -- fields ---------------------------------------------------------------------------------------------------

    def extract(self, slot: Slot, span: Span | None, *, alternatives: Sequence[Span] = (), typed: bool = True) -> bool:
        """Ask for ``slot``: at ``span`` (code points), or nowhere when None. False when the span holds nothing.

        A slot whose kind is not text becomes a typed field when its text reads as that type, else a string.
        """
        rng = self.rng
        if span is None:
            kind = slot.kind if typed and slot.kind != "text" and rng.random() < 0.6 else "text"
            self.fields.append(_Field(slot, _leaf(kind), None, nullable=True, copied=True))
            return True
        span = self._trimmed(span)
        text = self.context[span[0] : span[1]]
        if not text.strip():
            return False
        value: Any = text
        schema = _leaf("text")
        others = [place for place in map(self._trimmed, alternatives) if place != span and place[0] < place[1]]
        reading = None
        if typed and slot.kind != "text" and rng.random() < 0.75:
            reading = read_typed(self.context, span, slot.kind)
        if reading is not None:
            value, span = reading
            schema = _leaf(slot.kind)
            found = [read_typed(self.context, place, slot.kind) for place in others]
            others = [again[1] for again in found if again is not None and again[0] == value and again[1] != span]
        else:
            others = [place for place in others if self.context[slice(*place)] == text]
        others = list(dict.fromkeys(others))
        nullable = rng.random() < 0.6
        self.fields.append(
            _Field(slot, schema, value, nullable, span, others, nullable or rng.random() < 0.8, copied=True)
        )
        return True

    def choose(
        self,
        slot: Slot,
        options: Sequence[tuple[Any, str | None]],
        answer: Any,
        *,
        shuffle: bool = True,
        shares: Mapping[Any, float] | None = None,
    ) -> None:
        """A choice among ``(value, description)`` options; ``answer`` is one of the values (None for null).

        ``shares`` gives how often annotators chose each value, as soft targets.
        """
        rng = self.rng
        drawn = list(options)
        if shuffle:
            rng.shuffle(drawn)
        values = [value for value, _ in drawn]
        if answer not in values or len({str(value) for value in values}) != len(values):
            raise ValueError(f"{self.uid}: the options {values!r} must be distinct and hold {answer!r}")
        if any(text for _, text in drawn):
            branches = [{"const": value} | ({"description": text} if text else {}) for value, text in drawn]
            schema: dict[str, Any] = {rng.choice(("oneOf", "anyOf")): branches}
        elif rng.random() < 0.15 and all(value is not None for value in values):
            schema = {"oneOf": [{"const": value} for value in values]}
        else:
            schema = {"enum": values}
            if all(isinstance(value, str) for value in values) and rng.random() < 0.7:
                schema = {"type": "string", **schema}
        probs = [shares.get(value, 0.0) for value in values] if shares else []
        self.fields.append(_Field(slot, schema, answer, required=rng.random() < 0.95, probs=probs))

    def decide(self, slot: Slot, answer: bool | None, *, nullable: bool | None = None) -> None:
        """A yes/no field. ``nullable`` makes it a three-way choice; None draws it (always true for a null answer)."""
        if nullable is None:
            nullable = answer is None or self.rng.random() < 0.05
        schema = {"type": ["boolean", "null"] if nullable else "boolean"}
        self.fields.append(_Field(slot, schema, answer, required=self.rng.random() < 0.95))

    def rate(self, slot: Slot, level: int, *, low: int, high: int, labels: Mapping[int, str] | None = None) -> None:
        """An integer scale; ``labels`` become ``x-levels``."""
        schema: dict[str, Any] = {"type": "integer", "minimum": low, "maximum": high}
        if self.rng.random() < 0.05:
            schema = {"type": "integer", "exclusiveMinimum": low - 1, "maximum": high}
        if labels:
            schema["x-levels"] = {str(key): text for key, text in labels.items()}
        self.fields.append(_Field(slot, schema, level, required=self.rng.random() < 0.95))

    def array(
        self, slot: Slot, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, plain: bool = False
    ) -> bool:
        """Ask for one item a row, in document order; ``plain`` for values instead of objects.

        False when the rows cannot be told apart by a place of their own, and then nothing is asked.
        """
        rng = self.rng
        parts = draw_items(self.context, columns, rows, style=self.style, rng=rng, plain=plain)
        if parts is None:
            return False
        schema = {"type": "array", **limits(len(rows), rng), "items": parts.items}
        required = rng.random() < 0.85
        self.fields.append(_Field(slot, schema, parts.value, required=required, inner=parts.spans))
        return True

    # -- the record -----------------------------------------------------------------------------------------------

    def record(self) -> Record | None:
        """The record, or None when no field was added."""
        if not self.fields:
            return None
        rng = self.rng
        drawn = list(self.fields)
        if rng.random() < 0.85:
            rng.shuffle(drawn)
        names = pick_names([item.slot for item in drawn], self.style, rng)
        kept = [(item, name) for item, name in zip(drawn, names, strict=True) if name is not None]
        root = _Layout()
        holder = self.style.name(rng.choice(_HOLDERS))
        taken = {name.lower() for _, (name, _) in kept}
        nest = len(kept) >= 4 and rng.random() < 0.12 and holder.lower() not in taken
        inner = _Layout() if nest else root
        inside = set(rng.sample(range(len(kept)), k=rng.randint(2, len(kept) - 1))) if nest else set()
        for index, (item, (name, words)) in enumerate(kept):
            target, prefix = (inner, f"/{escape(holder)}") if index in inside else (root, "")
            target.add(item, name, self._finish(item, name, words), prefix=prefix)
        if nest:
            root.wrap(holder, inner, closed=rng.random() < 0.2)
        return Record(
            uid=self.uid,
            source=self.source,
            split=split_of(f"{self.corpus or self.source}:{self.group}"),
            domain=self.domain,
            context=self.context,
            schema=self._root_schema(root),
            value=root.value,
            spans=root.spans | (inner.spans if nest else {}),
            span_alternatives=root.alternatives | (inner.alternatives if nest else {}),
            decide_probs=root.probs | (inner.probs if nest else {}),
        )

    def _finish(self, item: _Field, name: str, words: str) -> dict[str, Any]:
        """The leaf's schema with its null form, title and description."""
        rng, schema = self.rng, dict(item.schema)
        note: dict[str, Any] = {}
        if self.style.titles:
            note["title"] = words[:1].upper() + words[1:]
        text = describe(item.slot, words, self.style, rng, nullable=item.nullable, copied=item.copied)
        if text is not None:
            note["description"] = text
        if item.nullable:
            if item.value is None and rng.random() < 0.12:
                item.required = False  # an optional field that is left out trains the same outcome as a null
            else:
                kind = schema.pop("type")
                if rng.random() < 0.85:
                    schema = {"type": [kind, "null"], **schema}
                else:
                    return {rng.choice(("anyOf", "oneOf")): [{"type": kind, **schema}, {"type": "null"}], **note}
        return {**note, **schema} if rng.random() < 0.3 else {**schema, **note}

    def _root_schema(self, root: _Layout) -> dict[str, Any]:
        rng = self.rng
        schema: dict[str, Any] = {}
        if rng.random() < 0.04:
            schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        if rng.random() < 0.08:
            schema["title"] = self.style.name(rng.choice((f"{self.domain} data", self.domain, f"{self.domain} fields")))
        schema |= {"type": "object", "properties": root.properties}
        if root.required:
            schema["required"] = root.required
        if rng.random() < 0.2:
            schema["additionalProperties"] = False
        return schema

    def _trimmed(self, span: Span) -> Span:
        """The span as the extractor gives it back: without the white space and punctuation a token carries in."""
        return trim_span(self.context, span[0], span[1])


@dataclass(slots=True)
class _Layout:
    """Properties, value and spans of one object."""

    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    value: dict[str, Any] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    alternatives: dict[str, list[Span]] = field(default_factory=dict)
    probs: dict[str, list[float]] = field(default_factory=dict)

    def add(self, item: _Field, name: str, schema: dict[str, Any], *, prefix: str) -> None:
        self.properties[name] = schema
        if item.required:
            self.required.append(name)
        if item.value is None and not item.required and not _admits_null(schema):
            return
        self.value[name] = item.value
        pointer = f"{prefix}/{escape(name)}"
        if item.span is not None:
            self.spans[pointer] = item.span
        if item.alternatives:
            self.alternatives[pointer] = item.alternatives
        if item.probs:
            self.probs[pointer] = item.probs
        self.spans |= {pointer + below: span for below, span in item.inner.items()}

    def wrap(self, name: str, inner: _Layout, *, closed: bool) -> None:
        schema: dict[str, Any] = {"type": "object", "properties": inner.properties}
        if inner.required:
            schema["required"] = inner.required
        if closed:
            schema["additionalProperties"] = False
        self.properties[name], self.value[name] = schema, inner.value
        self.required.append(name)


def _admits_null(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return (
        (isinstance(kinds, list) and "null" in kinds)
        or None in schema.get("enum", ())
        or any(branch.get("type") == "null" or ("const" in branch and branch["const"] is None) for branch in branches)
    )


def _leaf(kind: str) -> dict[str, Any]:
    match kind:
        case "integer" | "number":
            return {"type": kind}
        case "date" | "email" | "uri":
            return {"type": "string", "format": kind}
        case _:
            return {"type": "string"}


def occurrences(text: str, needle: str, *, words: bool = True) -> list[Span]:
    """Every place of ``needle`` in ``text``; with ``words`` only those that do not cut a word in two."""
    left, right = (r"(?<!\w)", r"(?!\w)") if words else ("", "")
    pattern = (left if needle[:1].isalnum() else "") + re.escape(needle) + (right if needle[-1:].isalnum() else "")
    return [match.span() for match in re.finditer(pattern, text)]
