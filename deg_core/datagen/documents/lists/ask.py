"""The array that is asked for in a document with a list: its schema, its items and where their leaves stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deg_core.contract.plan import escape
from deg_core.datagen.documents.builder import Rendered
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.fields import Field
from deg_core.datagen.documents.lists.model import Entry, ListKind
from deg_core.datagen.documents.schemas import AskedArray, Drawer, branch_of, option_words

Span = tuple[int, int]
SECTION = "@list"
SECOND = "@list2"
"""The keys whose places are the list that is asked for and another one, as they are written."""
ANYWHERE = ""
"""Instead of such a key: the layout has written the items itself, wherever it wanted."""
PLAIN_SHARE = 0.16
ABSENT_SHARE = 0.12
_VERBATIM = ("string", "email", "uri", "uuid")


class Unaskable(Exception):
    """The list cannot be asked for in a way that gives every item a place of its own."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One property of the items. ``absent`` says what an item without a value holds: null, or no key."""

    field: Field
    name: str
    schema: dict[str, Any]
    required: bool
    absent: str
    words: Mapping[Any, str]


def draw_array(
    drawer: Drawer,
    sheet: Sheet,
    rendered: Rendered,
    kind: ListKind,
    entries: Sequence[Entry],
    *,
    section: str = SECTION,
) -> AskedArray:
    """Ask for the list ``kind`` of which ``entries`` are the items, in document order; ``section`` is its place's key.

    Raises:
        Unaskable: an item would have no place that no other item shares.
    """
    rng = drawer.rng
    asker = _Asker(
        drawer, sheet, rendered, section, {**kind.clear_from, **(kind.child.clear_from if kind.child else {})}
    )
    plain = [key for key in kind.plain if entries and all(asker.places(entry, key) for entry in entries)]
    spans: dict[str, Span] = {}
    others: dict[str, list[Span]] = {}
    if plain and rng.random() < PLAIN_SHARE:
        key = rng.choice(plain)
        names: Sequence[str] = tuple(kind.plain[key][0].split("|"))
        items, value = asker.values(kind, entries, key, spans, others)
        nouns: Sequence[str] = (f"the {rng.choice(names)}", f"{rng.choice(names)}, in the order of the text")
    else:
        names, nouns = kind.names, kind.nouns
        items, value = asker.objects(kind, entries, spans, others)
    name = asker.name(names)
    schema = asker.array(items, len(value), nouns)
    if not _own_places(entries, spans):
        raise Unaskable(kind.name)
    return AskedArray(name, schema, value, rng.random() < 0.85, spans, others)


class _Asker:
    def __init__(
        self, drawer: Drawer, sheet: Sheet, rendered: Rendered, section: str, clear_from: Mapping[str, str]
    ) -> None:
        self.drawer, self.rng, self.sheet, self.rendered = drawer, drawer.rng, sheet, rendered
        self.clear_from = clear_from
        self.region: Span = (0, 0)
        if section == ANYWHERE:
            self.region = (0, len(rendered.context))
        elif section in rendered.places:
            self.region = rendered.places[section][0]

    # ---- places and values

    def places(self, entry: Entry, key: str) -> list[Span]:
        """Where a fact of an item stands, those in the list first."""
        found = self.rendered.places.get(f"{entry.prefix}/{key}", [])
        inside = [span for span in found if self.region[0] <= span[0] and span[1] <= self.region[1]]
        return [*inside, *(span for span in found if span not in inside)] if inside else []

    def known(self, entry: Entry, one: Field) -> bool:
        """Whether the page says it of this item."""
        if one.key in self.clear_from:
            decided = f"{entry.prefix}/{one.key}" in self.sheet.decisions
            return decided and bool(self.places(entry, self.clear_from[one.key]))
        return bool(self.places(entry, one.key))

    def _extracted(
        self, entry: Entry, one: Field, pointer: str, spans: dict[str, Span], others: dict[str, list[Span]]
    ) -> Any:
        found = self.places(entry, one.key)
        text = self.rendered.context[slice(*found[0])]
        spans[pointer] = found[0]
        verbatim = one.type in _VERBATIM
        more = [span for span in found[1:] if not verbatim or self.rendered.context[slice(*span)] == text]
        if more:
            others[pointer] = more
        value = self.sheet.facts[f"{entry.prefix}/{one.key}"].value
        return text if value is None else value

    def stray(self, entry: Entry, one: Field) -> bool:
        """Whether the page says it of this item, but not in the list."""
        key = f"{entry.prefix}/{self.clear_from.get(one.key, one.key)}"
        return key in self.rendered.places and not self.places(entry, self.clear_from.get(one.key, one.key))

    # ---- names and notes

    def name(self, names: Sequence[str]) -> str:
        """A property name for the array that the root does not have yet."""
        order = self.rng.sample(list(names), len(names))
        for words in [*order, *(f"{words} list" for words in order)]:
            styled = self.drawer.styled(words)
            if (styled,) not in self.drawer.taken:
                self.drawer.taken.add((styled,))
                return styled
        raise Unaskable("no name is free")

    def array(self, items: dict[str, Any], count: int | None, nouns: Sequence[str]) -> dict[str, Any]:
        """The array's schema; bounds only where ``count`` says how many items there are."""
        rng = self.rng
        schema: dict[str, Any] = {"type": "array"}
        if count and rng.random() < 0.12:
            schema["minItems"] = rng.randint(1, min(count, 3))
        if count is not None and rng.random() < 0.1:
            schema["maxItems"] = max(1, count + rng.choice((0, 1, 3, 10, 40)))
        if rng.random() > self.drawer.bare:
            noun = rng.choice(list(nouns))
            schema["description"] = noun[0].upper() + noun[1:] if rng.random() < 0.4 else noun
        schema["items"] = items
        return schema

    # ---- items

    def values(
        self, kind: ListKind, entries: Sequence[Entry], key: str, spans: dict[str, Span], others: dict[str, list[Span]],
        prefix: str = "",
    ) -> tuple[dict[str, Any], list[Any]]:  # fmt: skip
        """Plain values, one an item."""
        one = next(field for field in kind.declared.fields if field.key == key)
        schema = _base(one)
        if self.rng.random() < 0.3:
            schema["description"] = self.rng.choice(one.nouns)
        value = [self._extracted(entry, one, f"{prefix}/{at}", spans, others) for at, entry in enumerate(entries)]
        return schema, value

    def objects(
        self, kind: ListKind, entries: Sequence[Entry], spans: dict[str, Span], others: dict[str, list[Span]]
    ) -> tuple[dict[str, Any], list[Any]]:
        """Objects, one an item, with the inner list's array where the kind has one."""
        inner = [part for entry in entries for part in entry.inner]
        leaves = self._leaves(kind, entries)
        child = self._inner(kind, inner) if kind.child is not None else None
        schema: dict[str, Any] = {"type": "object", "properties": {leaf.name: leaf.schema for leaf in leaves}}
        required = [leaf.name for leaf in leaves if leaf.required]
        value: list[Any] = []
        for at, entry in enumerate(entries):
            item: dict[str, Any] = {}
            for leaf in leaves:
                self._fill(item, leaf, entry, f"/{at}/{escape(leaf.name)}", spans, others)
            if child is not None:
                item[child.name] = self._inner_items(child, entry.inner, f"/{at}/{escape(child.name)}", spans, others)
            value.append(item)
        if child is not None:
            schema["properties"][child.name] = child.schema
            required.append(child.name)
        if required:
            schema["required"] = required
        if self.drawer.closed:
            schema["additionalProperties"] = False
        if self.rng.random() < 0.12:
            schema["description"] = self.rng.choice(kind.one)
        return schema, value

    def _fill(
        self, item: dict[str, Any], leaf: _Leaf, entry: Entry, pointer: str, spans: dict[str, Span],
        others: dict[str, list[Span]],
    ) -> None:  # fmt: skip
        if not self.known(entry, leaf.field):
            if leaf.absent == "null":
                item[leaf.name] = None
        elif leaf.field.extracted:
            item[leaf.name] = self._extracted(entry, leaf.field, pointer, spans, others)
        else:
            decision = self.sheet.decisions[f"{entry.prefix}/{leaf.field.key}"]
            item[leaf.name] = bool(decision) if leaf.field.type == "boolean" else leaf.words[decision]

    def _leaves(self, kind: ListKind, entries: Sequence[Entry]) -> list[_Leaf]:
        """Which leaves are asked: a part of what the page says, now and then one that it never says."""
        rng = self.rng
        sure = [one for one in kind.declared.fields if not any(self.stray(entry, one) for entry in entries)]
        said = [one for one in sure if any(self.known(entry, one) for entry in entries)] if entries else sure
        unsaid = [one for one in sure if one not in said and one.extracted]
        count = rng.randint(min(2, len(said)), len(said)) if said else 0
        picked = rng.sample(said, count)
        extracted = [one for one in said if one.extracted]
        shared = Counter(span for entry in entries for one in extracted for span in self.places(entry, one.key)[:1])
        for entry in entries:
            own = [one for one in extracted if any(shared[span] == 1 for span in self.places(entry, one.key)[:1])]
            if not own:
                raise Unaskable(kind.name)
            if not any(one in picked for one in own):
                picked.append(own[0])
        if unsaid and rng.random() < ABSENT_SHARE:
            picked.append(rng.choice(unsaid))
        if rng.random() < 0.5:
            picked.sort(key=kind.declared.fields.index)
        return self._named(picked, entries)

    def _named(self, picked: Sequence[Field], entries: Sequence[Entry]) -> list[_Leaf]:
        taken: set[str] = set()
        made: list[_Leaf] = []
        for one in picked:
            order = [one.names[0]] if self.rng.random() < 0.4 else []
            names = [*order, *self.rng.sample(one.names, len(one.names))]
            name = next((self.drawer.styled(words) for words in names if self.drawer.styled(words) not in taken), None)
            if name is None:
                raise Unaskable(one.key)
            taken.add(name)
            made.append(self._leaf(one, name, entries))
        return made

    def _leaf(self, one: Field, name: str, entries: Sequence[Entry]) -> _Leaf:
        rng = self.rng
        full = all(self.known(entry, one) for entry in entries)
        optional = one.extracted and rng.random() < (0.12 if full else 0.3)
        nullable = not optional and (not full or rng.random() < (0.4 if one.extracted else 0.06))
        words: Mapping[Any, str] = {}
        if one.type == "choice":
            schema, words = self._choice(one, self._used(one, entries), nullable)
        elif one.type == "boolean":
            schema = self.drawer.nullable({"type": "boolean"}, nullable)
        else:
            schema = self.drawer.nullable(_base(one), nullable)
        if rng.random() > self.drawer.bare:
            schema["description"] = self.drawer.describe(one) if nullable else rng.choice(one.nouns)
        required = not optional and (nullable or not full or rng.random() < 0.85)
        return _Leaf(one, name, schema, required, "null" if nullable else "key", words)

    def _used(self, one: Field, entries: Iterable[Entry]) -> set[Any]:
        keys = [f"{entry.prefix}/{one.key}" for entry in entries if self.known(entry, one)]
        return {self.sheet.decisions[key] for key in keys}

    def _choice(self, one: Field, used: set[Any], nullable: bool) -> tuple[dict[str, Any], dict[Any, str]]:
        """A choice that holds every used answer and a part of the others; the wording of each."""
        rng = self.rng
        spare = [option for option in one.options if option.id not in used]
        rng.shuffle(spare)
        fewest = max(0, 2 - len(used))
        kept = spare[: rng.randint(fewest, max(fewest, len(spare)))]
        options = [option for option in one.options if option.id in used] + kept
        rng.shuffle(options)
        written = option_words(rng, options)
        words = {option.id: text for option, text in written}
        if rng.random() < 0.25 and any(option.about for option in options):
            branches = [branch_of(rng, option, text) for option, text in written]
            branches += [{"const": None, "description": "not stated"}] if nullable else []
            return {"oneOf": branches}, words
        values: list[Any] = [text for _, text in written] + ([None] if nullable else [])
        schema: dict[str, Any] = {"enum": values}
        if rng.random() < 0.6:
            schema["type"] = ["string", "null"] if nullable else "string"
        return schema, words

    # ---- inner lists

    def _inner(self, kind: ListKind, inner: Sequence[Entry]) -> _Child:
        child = kind.child
        if child is None:
            raise ValueError(f"the list {kind.name!r} has no inner list")
        name = self.drawer.styled(self.rng.choice(child.names))
        plain = [key for key in child.plain if all(self.places(entry, key) for entry in inner)]
        if plain and (len(child.keys) == 1 or self.rng.random() < PLAIN_SHARE):
            key = self.rng.choice(plain)
            items, _ = self.values(child, (), key, {}, {})
            return _Child(child, name, self.array(items, None, child.nouns), (), key)
        leaves = self._leaves(child, inner)
        items = {"type": "object", "properties": {leaf.name: leaf.schema for leaf in leaves}}
        if required := [leaf.name for leaf in leaves if leaf.required]:
            items["required"] = required
        return _Child(child, name, self.array(items, None, child.nouns), tuple(leaves), None)

    def _inner_items(
        self,
        child: _Child,
        entries: Sequence[Entry],
        pointer: str,
        spans: dict[str, Span],
        others: dict[str, list[Span]],
    ) -> list[Any]:
        if child.key is not None:
            return self.values(child.kind, entries, child.key, spans, others, pointer)[1]
        value = []
        for at, entry in enumerate(entries):
            item: dict[str, Any] = {}
            for leaf in child.leaves:
                self._fill(item, leaf, entry, f"{pointer}/{at}/{escape(leaf.name)}", spans, others)
            value.append(item)
        return value


@dataclass(frozen=True, slots=True)
class _Child:
    """The array inside each item: its schema, and its leaves or the one leaf of plain values."""

    kind: ListKind
    name: str
    schema: dict[str, Any]
    leaves: tuple[_Leaf, ...]
    key: str | None


def _base(one: Field) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": one.type if one.type in ("number", "integer") else "string"}
    if one.type in ("date", "email"):
        schema["format"] = one.type
    return schema


def _own_places(entries: Sequence[Entry], spans: Mapping[str, Span]) -> bool:
    """Whether each item has a place that no other has, and these places stand in order, apart from one another."""
    mine = [
        {span for pointer, span in spans.items() if pointer == f"/{at}" or pointer.startswith(f"/{at}/")}
        for at in range(len(entries))
    ]
    counts = Counter(span for places in mine for span in places)
    own = [sorted(span for span in places if counts[span] == 1) for places in mine]
    if not all(own):
        return False
    ends = [max(end for _, end in places) for places in own]
    return all(ends[at] <= own[at + 1][0][0] for at in range(len(own) - 1))
