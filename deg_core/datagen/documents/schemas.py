"""Draws a schema for a finished page: which fields, how they are named and described, which may be null.

About 28 % of the fields ask for something that the page does not say while something like it is there. Nullability
gives nothing away: most fields whose value is present are nullable too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from deg_core.datagen.documents.builder import Page, Rendered
from deg_core.datagen.documents.fields import Field, Option, Pool
from deg_core.datagen.documents.name_styles import NAME_STYLES, camel_case, snake_case, title_case, upper_snake_case

ABSENT_SHARE = 0.29
FEWEST = 6
NESTED_SHARE = 0.15
BARE_SHARE = 0.4
OTHER_PARTY_SHARE = 0.12
BOOST = {"scale": 5.0, "boolean": 1.7}

_DESCRIBED = (
    "{0}",
    "{0}",
    "The {0}",
    "the {0}",
    "{0}.",
    "What is the {0}?",
    "{0} as written",
    "{0}, exactly as in the text",
    "{0}; null if not given",
    "{0} (null when the text does not say)",
    "{0} if stated",
    "Extract the {0}.",
    "Find the {0}",
    "{0} stated in the document",
    "{0} if there is one, otherwise null",
)
_CLAUSE = re.compile(
    r"(how|what|where|whether|which|when|who|true|does|do|did|is|are|was|may|can|has|have|will|should) "
)
_NULLISH = re.compile(r"null|if |when ")


@dataclass(frozen=True, slots=True)
class Asked:
    """One field of a drawn schema: its place, its JSON Schema, its value (None is null) and its spans."""

    field: Field
    path: tuple[str, ...]
    schema: dict[str, Any]
    value: Any
    omitted: bool
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Some:
    """How many fields are asked beside an array, whether any that have no answer, and never which of those."""

    count: int
    absent: bool
    unsure: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AskedArray:
    """An array of a drawn schema: its name, its JSON Schema, its items and the places of their leaves.

    ``spans`` and ``alternatives`` are keyed by the pointer below the array.
    """

    name: str
    schema: dict[str, Any]
    value: list[Any]
    required: bool
    spans: dict[str, tuple[int, int]]
    alternatives: dict[str, list[tuple[int, int]]]


def pick_fields(
    rng: random.Random, pool: Pool, page: Page, rendered: Rendered, some: Some | None = None
) -> list[tuple[Field, bool]]:
    """6 to 16 fields (or ``some``) with whether each has an answer in the text; the order is random."""
    there: list[Field] = []
    missing: list[Field] = []
    said = {*rendered.places, *page.stated}
    for one in pool.fields:
        if one.key in (rendered.places if one.extracted else page.stated):
            there.append(one)
        elif said.isdisjoint(one.implied_by) and (one.unknown or not said.isdisjoint(one.near)):
            missing.append(one)
    if some is None:
        fewest, count = FEWEST, rng.choice((6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 12, 13, 14, 15, 16))
    else:
        fewest, count = 0, some.count
        missing = [one for one in missing if some.absent and one.key not in some.unsure]
    wanted = min(sum(rng.random() < ABSENT_SHARE for _ in range(count)), len(missing))
    present = _weighted(rng, there, min(count - wanted, len(there)))
    fair = max(fewest - len(present), round(len(present) * ABSENT_SHARE / (1 - ABSENT_SHARE)) + 1)
    absent = _weighted(rng, missing, min(wanted, fair))
    if rng.random() < OTHER_PARTY_SHARE:
        _swap_in_other_party(rng, present, there)
    picked = [(one, True) for one in present] + [(one, False) for one in absent]
    if rng.random() < 0.7:
        rng.shuffle(picked)
    else:
        picked.sort(key=lambda item: pool.fields.index(item[0]))
    return picked


def _weighted(rng: random.Random, fields: list[Field], count: int) -> list[Field]:
    """A sample without repetition in which heavier fields are likelier; judgements are few, so they weigh more."""
    keyed = sorted(fields, key=lambda one: rng.random() ** (1 / (one.weight * BOOST.get(one.type, 1.0))), reverse=True)
    return keyed[:count]


def _swap_in_other_party(rng: random.Random, present: list[Field], there: list[Field]) -> None:
    """Make sure that at least one fact of the other party is asked for."""
    if any(one.other_party for one in present):
        return
    others = [one for one in there if one.other_party and one not in present]
    if others and present:
        present[rng.randrange(len(present))] = rng.choice(others)


def draw_schema(
    rng: random.Random,
    pool: Pool,
    page: Page,
    rendered: Rendered,
    *,
    some: Some | None = None,
    arrays: Sequence[Callable[[Drawer], AskedArray]] = (),
) -> tuple[dict[str, Any], list[Asked], list[AskedArray]]:
    """A schema over the page and the answers to its fields, in schema order; ``arrays`` draw further properties."""
    picked = pick_fields(rng, pool, page, rendered, some)
    drawer = Drawer(rng, pool, page, rendered)
    nested = rng.random() < NESTED_SHARE
    made = [array(drawer) for array in arrays]
    asked = [drawer.ask(one, present, nested=nested) for one, present in picked]
    properties: dict[str, Any] = {}
    required: list[str] = []
    where = [rng.choice((0, len(asked), rng.randrange(len(asked) + 1))) for _ in made]
    for at in range(len(asked) + 1):
        for one in (one for one, place in zip(made, where, strict=True) if place == at):
            properties[one.name] = one.schema
            required += [one.name] if one.required else []
        if at < len(asked):
            drawer.place(properties, required, asked[at])
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if title := drawer.root_title():
        schema = {"title": title, **schema}
    if required:
        schema["required"] = required
    if drawer.closed:
        schema["additionalProperties"] = False
    return schema, asked, made


class Drawer:
    """Holds the choices that are the same for a whole schema: name style, closedness, how much is described."""

    def __init__(self, rng: random.Random, pool: Pool, page: Page, rendered: Rendered) -> None:
        self.rng = rng
        self.pool = pool
        self.page = page
        self.rendered = rendered
        styles = [style for _, style in NAME_STYLES]
        self.style = rng.choices(styles, [weight for weight, _ in NAME_STYLES])[0]
        self.german = rng.random() < (0.5 if page.lang == "de" else 0.04)
        self.closed = rng.random() < 0.3
        self.bare = rng.choice((0.0, BARE_SHARE, BARE_SHARE, BARE_SHARE, 0.8))
        self.union = rng.random() < 0.88
        self.taken: set[tuple[str, ...]] = set()
        self.group_names: dict[str, str] = {}

    # ---- names

    def styled(self, words: str) -> str:
        parts = re.findall(r"[^\s/\-]+", words)
        return self.style([part if self.style is title_case else part.lower() for part in parts])

    def _name(self, one: Field, prefix: tuple[str, ...], *, described: bool) -> tuple[str, ...]:
        names = list(one.de) if self.german and one.de else list(one.names)
        if described and one.vague and self.rng.random() < 0.35:
            names = list(one.vague) + names
        else:
            self.rng.shuffle(names)
        for words in names:
            path = (*prefix, self.styled(words))
            if path not in self.taken:
                self.taken.add(path)
                return path
        serial = 2
        while (path := (*prefix, f"{self.styled(names[0])}{serial}")) in self.taken:
            serial += 1
        self.taken.add(path)
        return path

    def _group(self, one: Field) -> tuple[str, ...]:
        if one.group not in self.group_names:
            names = [self.styled(words) for words in self.pool.groups[one.group]]
            free = [name for name in names if (name,) not in self.taken]
            if not free:
                return ()
            self.group_names[one.group] = self.rng.choice(free)
            self.taken.add((self.group_names[one.group],))
        return (self.group_names[one.group],)

    def root_title(self) -> str | None:
        if self.rng.random() > 0.12:
            return None
        return self.rng.choice(("Extraction", "Document data", "Details", "Fields", "Record", "Facts", "Summary"))

    # ---- one field

    def ask(self, one: Field, present: bool, *, nested: bool) -> Asked:
        """Draw the schema of one field and give its value."""
        rng = self.rng
        description = None if rng.random() < self.bare else self.describe(one)
        prefix = self._group(one) if nested and one.group else ()
        path = self._name(one, prefix, described=description is not None)
        omit = one.extracted and rng.random() < 0.08
        nullable = not omit and (not present or rng.random() < (0.62 if one.extracted else 0.12))
        schema, value = self._typed(one, present, nullable)
        if description is not None:
            if nullable or not _NULLISH.search(description) or rng.random() < 0.3:
                schema["description"] = description
            else:
                schema["description"] = self._plain(one)
        if rng.random() < 0.08:
            schema["title"] = self._root_noun(one)
        spans = tuple(self.rendered.places[one.key]) if present and one.extracted else ()
        return Asked(one, path, schema, value, omit and not present, spans)

    def _root_noun(self, one: Field) -> str:
        nouns = [noun for noun in one.nouns if not noun.endswith("?") and not _CLAUSE.match(noun)]
        text = self.rng.choice(nouns or list(one.names))
        return text[0].upper() + text[1:]

    def _plain(self, one: Field) -> str:
        return self.rng.choice(one.nouns or one.names)

    def describe(self, one: Field) -> str:
        rng = self.rng
        if one.hints and (not one.nouns or rng.random() < 0.5):
            return rng.choice(one.hints)
        if not one.nouns:
            return rng.choice(one.names)
        noun = rng.choice(one.nouns)
        if noun.endswith("?") or _CLAUSE.match(noun):
            frames: tuple[str, ...] = ("{0}",)
        else:
            frames = _DESCRIBED if one.extracted else ("{0}", "The {0}", "{0}.")
        text = rng.choice(frames).format(noun)
        return text[0].upper() + text[1:] if rng.random() < 0.4 else text

    def _typed(self, one: Field, present: bool, nullable: bool) -> tuple[dict[str, Any], Any]:
        if one.type == "choice":
            return self._choice(one, present, nullable)
        if one.type == "boolean":
            value = bool(self.page.decisions[one.key]) if present else None
            return self.nullable({"type": "boolean"}, nullable), value
        if one.type == "scale":
            return self._scale(one, present, nullable)
        base: dict[str, Any] = {"type": one.type if one.type in ("number", "integer") else "string"}
        if one.type in ("date", "date-time", "email", "uri", "uuid"):
            base["format"] = one.type
        if one.type in ("number", "integer") and self.rng.random() < 0.07:
            base["minimum"] = 0
        return self.nullable(base, nullable), self._read(one) if present else None

    def _read(self, one: Field) -> Any:
        fact = self.page.facts[one.key]
        if fact.value is not None:
            return fact.value
        start, end = self.rendered.places[one.key][0]
        return self.rendered.context[start:end]

    def nullable(self, schema: dict[str, Any], nullable: bool) -> dict[str, Any]:
        if not nullable:
            return schema
        if self.union or self.rng.random() < 0.5:
            kinds = [schema["type"], "null"] if self.rng.random() < 0.93 else ["null", schema["type"]]
            return {**schema, "type": kinds}
        return {self.rng.choice(("anyOf", "oneOf")): [schema, {"type": "null"}]}

    def _scale(self, one: Field, present: bool, nullable: bool) -> tuple[dict[str, Any], Any]:
        rng = self.rng
        start = rng.choice((1, 1, 1, 0))
        last = start + len(one.levels) - 1
        schema: dict[str, Any] = {"type": "integer", "minimum": start, "maximum": last}
        if rng.random() < 0.8:
            labels = {str(start + at): rng.choice(words) for at, words in enumerate(one.levels)}
            if rng.random() < 0.2:
                middle = [str(level) for level in range(start + 1, last)]
                for key in middle[:: rng.choice((1, 2))]:
                    labels.pop(key)
            schema["x-levels"] = labels
        value = start + int(self.page.decisions[one.key]) if present else None
        return self.nullable(schema, nullable), value

    def _choice(self, one: Field, present: bool, nullable: bool) -> tuple[dict[str, Any], Any]:
        rng = self.rng
        right = self.page.decisions[one.key] if present else None
        others = [option for option in one.options if option.id != right]
        rng.shuffle(others)
        fewest = 1 if present else 2
        keep = rng.randrange(fewest, max(fewest, min(11, len(others))) + 1) if rng.random() < 0.7 else len(others)
        options = others[: min(keep, 11)] + [option for option in one.options if present and option.id == right]
        rng.shuffle(options)
        written = option_words(rng, options)
        value = next((text for option, text in written if present and option.id == right), None)
        if value is None and present:
            raise KeyError(f"{one.key!r} has no option {right!r}")
        if rng.random() < 0.3 and any(option.about for option in options):
            branches = [branch_of(rng, option, text) for option, text in written]
            if nullable:
                branches.insert(rng.randrange(len(branches) + 1), {"const": None, "description": "not stated"})
            schema: dict[str, Any] = {rng.choice(("oneOf", "oneOf", "anyOf")): branches}
            return schema, value
        values: list[Any] = [text for _, text in written]
        if nullable:
            values.insert(rng.choice((len(values), rng.randrange(len(values) + 1))), None)
        schema = {"enum": values}
        if rng.random() < 0.6:
            schema["type"] = ["string", "null"] if nullable else "string"
        return schema, value

    def place(self, properties: dict[str, Any], required: list[str], item: Asked) -> None:
        """Put one field into the root's properties, inside its object when it has one."""
        node, names = properties, required
        if len(item.path) == 2:
            group = properties.setdefault(item.path[0], {"type": "object", "properties": {}, "required": []})
            if item.path[0] not in required:
                required.append(item.path[0])
            node, names = group["properties"], group["required"]
        node[item.path[-1]] = item.schema
        optional = item.omitted or (item.field.extracted and not _allows_null(item.schema) and self.rng.random() < 0.25)
        if not optional:
            names.append(item.path[-1])


def _allows_null(schema: dict[str, Any]) -> bool:
    kinds = schema.get("type")
    return (isinstance(kinds, list) and "null" in kinds) or "anyOf" in schema or "oneOf" in schema


def option_words(rng: random.Random, options: list[Option]) -> list[tuple[Option, str]]:
    """Every option with one wording in one style for all of them; wordings never clash."""
    style = rng.choice((snake_case, snake_case, upper_snake_case, None, None, None, title_case, camel_case))
    written: list[tuple[Option, str]] = []
    seen: set[str] = set()
    for option in options:
        labels = [option.labels[0]] if rng.random() < 0.6 else list(option.labels)
        text = rng.choice(labels)
        parts = re.findall(r"[^\s/\-]+", text)
        shown = text if style is None else style(parts if style is title_case else [part.lower() for part in parts])
        if shown in seen:
            shown = option.labels[0]
        seen.add(shown)
        written.append((option, shown))
    return written


def branch_of(rng: random.Random, option: Option, text: str) -> dict[str, Any]:
    branch: dict[str, Any] = {"const": text}
    if option.about and rng.random() < 0.92:
        branch["description"] = rng.choice(option.about)
    return branch
