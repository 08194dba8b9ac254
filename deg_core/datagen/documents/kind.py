"""What a kind of document is, and how a record is made from one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deg_core.datagen.documents.distractions import distract
from deg_core.datagen.documents.facts import Sheet, Writer
from deg_core.datagen.documents.fields import Field, Pool
from deg_core.datagen.documents.noise import draw_noise
from deg_core.datagen.documents.schemas import Asked, draw_schema
from deg_core.errors import RecordError, UnknownNameError
from deg_core.records.record import Record, Split

World = Callable[..., Sheet]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of document.

    ``world`` invents the facts of one document in a language; each of ``layouts`` writes them down its own way.
    ``held_out`` layouts are written for the test split only. ``langs`` says which languages a layout knows (English
    only where it is not listed). ``wordy`` layouts are prose and want month names. ``extra`` gives further fields
    that depend on the document, such as the price of one named item.
    """

    name: str
    domains: tuple[str, ...]
    pool: Pool
    world: World
    layouts: Mapping[str, Writer]
    held_out: frozenset[str] = frozenset()
    langs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    wordy: frozenset[str] = frozenset()
    extra: Callable[[Sheet], Sequence[Field]] | None = None
    exact: frozenset[str] = frozenset()
    """Layouts that are data (JSON, CSV): no noise, no upper case."""
    counted: bool = False
    """Whether the world takes the number of goods (``goods``)."""

    def layout_names(self, split: Split) -> list[str]:
        """The layouts of a split: the test split has the held-out ones only (where there are any)."""
        if split == "test" and self.held_out:
            return sorted(self.held_out)
        return sorted(name for name in self.layouts if name not in self.held_out)


def make_record(kind: Kind, seed: int, split: Split, *, layout: str | None = None) -> Record:
    """The record of a kind, seed and split; the same three always give the same record.

    ``layout`` says how it is written down instead of a drawn one; UnknownNameError when the split has no such layout.
    """
    rng = random.Random(f"{kind.name}/{split}/{seed}")
    known = kind.layout_names(split)
    if layout is not None and layout not in known:
        raise UnknownNameError(
            f"{kind.name!r} has no layout {layout!r} in the {split} split; it has {', '.join(known)}"
        )
    layout = rng.choice(known) if layout is None else layout
    lang = rng.choice(list(kind.langs.get(layout, ("en",))))
    sheet = kind.world(rng, lang, layout in kind.wordy)
    kind.layouts[layout](sheet)
    exact = layout in kind.exact
    if not exact:
        distract(sheet)
    noise = None if exact else draw_noise(rng)
    upper = not exact and rng.random() < 0.035
    rendered = sheet.finish(noise=noise, upper=upper)
    extra = tuple(kind.extra(sheet)) if kind.extra is not None else ()
    pool = Pool(fields=(*kind.pool.fields, *extra), groups=kind.pool.groups)
    schema, asked, _ = draw_schema(rng, pool, sheet, rendered)
    record = Record(
        uid=f"generated/{kind.name}/{layout}/{split}/{seed}",
        source="generated",
        split=split,
        domain=rng.choice(kind.domains),
        context=rendered.context,
        schema=schema,
        value=value_of(asked),
        spans={pointer_of(item.path): item.spans[0] for item in asked if item.spans},
        span_alternatives=alternatives_of(asked, rendered.context),
    )
    check(record, asked)
    return record


def pointer_of(path: tuple[str, ...]) -> str:
    """The RFC 6901 pointer of a path of property names."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


def value_of(asked: Sequence[Asked]) -> dict[str, Any]:
    """The filled value of the asked fields."""
    value: dict[str, Any] = {}
    for item in asked:
        node = value
        for step in item.path[:-1]:
            node = node.setdefault(step, {})
        if not item.omitted:
            node[item.path[-1]] = item.value
    return value


def alternatives_of(asked: Sequence[Asked], context: str) -> dict[str, list[tuple[int, int]]]:
    """Further places of each asked fact; for verbatim strings only those that read the same."""
    further: dict[str, list[tuple[int, int]]] = {}
    for item in asked:
        if not item.spans:
            continue
        start, end = item.spans[0]
        verbatim = item.field.type in ("string", "email", "uri", "uuid")
        same = [(s, e) for s, e in item.spans[1:] if not verbatim or context[s:e] == context[start:end]]
        if same:
            further[pointer_of(item.path)] = same
    return further


def check(record: Record, asked: Sequence[Asked]) -> None:
    """Every span lies in the text and a verbatim value is its slice; RecordError otherwise."""
    for item in asked:
        for start, end in item.spans:
            if not 0 <= start < end <= len(record.context):
                raise RecordError(f"{record.uid}: span {start}..{end} of {item.path} lies outside the text")
        if item.spans and item.field.type in ("string", "email", "uri", "uuid"):
            start, end = item.spans[0]
            slice_ = record.context[start:end]
            if slice_ != item.value or slice_ != slice_.strip():
                raise RecordError(f"{record.uid}: {item.path} reads {slice_!r}, its value is {item.value!r}")
