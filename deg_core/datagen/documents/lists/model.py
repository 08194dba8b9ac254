"""What a list in a document is: the facts of one item, its wordings, and the arrays it can be asked as."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deg_core.datagen.documents.declare import Declared
from deg_core.datagen.documents.facts import Sheet

Invent = Callable[[Sheet, str, int], None]
_REFERENCE = re.compile(r"\{(\w+)(:bare)?\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Abroad:
    """A list in another language: headings, labels by key, and one-line shapes without words."""

    headings: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    lines: tuple[str, ...]
    held_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListKind:
    """A list that documents of ``homes`` may hold.

    ``declared`` are the leaves of an item; their keys are relative to the item (``name`` is the fact
    ``PREFIX/name``). ``invent`` draws the facts of the item with a prefix and a number. The first key of ``lead`` that
    an item has opens it. ``lines`` are one-line templates and ``sentences`` prose, both with relative keys; the
    ``held_`` ones are written for the test split only. ``names`` and ``nouns`` name and describe the array, ``one``
    says what an item is. ``plain`` are leaves that can be asked as an array of values, with array names for each.
    ``headings`` stand above the list, ``none`` says that it is empty, ``rest`` are lines that look like items and are
    none. ``child`` is a list inside each item.
    """

    name: str
    homes: tuple[str, ...]
    declared: Declared
    invent: Invent
    lead: tuple[str, ...]
    names: tuple[str, ...]
    nouns: tuple[str, ...]
    one: tuple[str, ...]
    lines: tuple[str, ...]
    held_lines: tuple[str, ...]
    sentences: tuple[str, ...]
    held_sentences: tuple[str, ...]
    headings: tuple[str, ...]
    none: tuple[str, ...]
    plain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rest: tuple[str, ...] = ()
    child: ListKind | None = None
    alone: frozenset[str] = frozenset()
    """Homes in which it stands in documents of its own only: their layouts say such things elsewhere too."""
    clear_from: Mapping[str, str] = field(default_factory=dict)
    """Decisions that no words state but that a fact of the item makes clear: the category by the name."""
    drops: tuple[str, ...] = ()
    """Facts of the home's world that would be further items outside the list."""
    abroad: Mapping[str, Abroad] = field(default_factory=dict)
    """Wordings for pages in other languages than English; without an entry the list is written in English."""

    def one_liners(self, lang: str, *, held_out: bool) -> tuple[str, ...]:
        """The one-line templates of a language and split."""
        known: ListKind | Abroad = self.abroad.get(lang, self)
        return known.held_lines if held_out else known.lines

    def titles(self, lang: str) -> tuple[str, ...]:
        """The headings of a language."""
        return self.abroad[lang].headings if lang in self.abroad else self.headings

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(one.key for one in self.declared.fields)


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a list on a sheet: where its facts are kept, and the items of its inner list."""

    prefix: str
    inner: tuple[Entry, ...] = ()


def rows(text: str) -> tuple[str, ...]:
    """Templates, one a line."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def bars(text: str) -> tuple[str, ...]:
    """Names or descriptions divided by bars; line breaks count as blanks."""
    return tuple(" ".join(part.split()) for part in text.split("|"))


def placed(template: str, prefix: str) -> str:
    """A template with relative keys, for the item of a prefix."""
    return _REFERENCE.sub(lambda match: f"{{{prefix}/{match.group(1)}{match.group(2) or ''}}}", template)


def draw_count(rng: random.Random, *, most: int = 60) -> int:
    """How many items: mostly 2 to 12, now and then up to ``most``, even over magnitudes."""
    top = 12 if rng.random() < 0.86 else most
    return max(1 if rng.random() < 0.06 else 2, round(math.exp(rng.uniform(math.log(1.7), math.log(min(top, most))))))


def invent_entries(sheet: Sheet, kind: ListKind, root: str, count: int) -> list[Entry]:
    """Draw the facts of ``count`` items under ``root``, with their inner lists."""
    entries = []
    for at in range(count):
        prefix = f"{root}/{at}"
        kind.invent(sheet, prefix, at)
        inner: Sequence[Entry] = ()
        if kind.child is not None:
            fewest = 0 if sheet.rng.random() < 0.07 else 1
            size = max(fewest, draw_count(sheet.rng, most=9) - 1) if fewest else 0
            inner = invent_entries(sheet, kind.child, f"{prefix}/{kind.child.name}", size)
        entries.append(Entry(prefix, tuple(inner)))
    return entries


def written_keys(sheet: Sheet, kind: ListKind, entries: Sequence[Entry]) -> list[str]:
    """The columns that a document shows: the leading one and a drawn part of those that any item has."""
    rng = sheet.rng
    held = [key for key in kind.keys if any(sheet.has(f"{entry.prefix}/{key}") for entry in entries)]
    lead = next((key for key in kind.lead if key in held), held[0])
    others = [key for key in held if key != lead]
    count = rng.randint(min(1, len(others)), len(others)) if others else 0
    kept = set(rng.sample(others, max(count, min(len(others), rng.choice((1, 2, 2, 3))))))
    return [key for key in held if key == lead or key in kept]
