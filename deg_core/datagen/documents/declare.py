"""Compact declarations: a field together with its labels and, for a decision, the sentences that state it.

Alternatives in names, nouns and labels are divided by ``|``. A :class:`Declared` holds what a kind needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.builder import Labels, Statements
from deg_core.datagen.documents.facts import Sheet, Writer
from deg_core.datagen.documents.fields import Field, FieldType, Option, Pool


@dataclass(frozen=True, slots=True)
class Item:
    """One declared field with its labels and statements."""

    field: Field
    labels: tuple[str, ...] = ()
    statements: Mapping[Any, Mapping[str, Sequence[str]]] | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """All fields of a kind, and the labels and statements that its sheets use."""

    fields: tuple[Field, ...]
    labels: Labels
    statements: Statements

    @property
    def facts(self) -> tuple[str, ...]:
        """Keys of the facts that have a label, in declared order."""
        return tuple(self.labels)

    @property
    def decisions(self) -> tuple[str, ...]:
        return tuple(self.statements)

    def pool(self, groups: Mapping[str, tuple[str, ...]] | None = None) -> Pool:
        return Pool(fields=self.fields, groups=groups or {})


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|") if part.strip())


def ask(
    key: str,
    kind: FieldType,
    names: str,
    nouns: str,
    *,
    labels: str = "",
    near: str = "",
    vague: str = "",
    de: str = "",
    implied_by: str = "",
    **more: Any,
) -> Item:
    """A field whose answer is copied from the text. ``near`` and ``implied_by`` are keys divided by blanks."""
    field = Field(
        key=key,
        type=kind,
        names=_split(names),
        nouns=_split(nouns),
        vague=_split(vague),
        de=_split(de),
        near=tuple(near.split()),
        implied_by=tuple(implied_by.split()),
        **more,
    )
    return Item(field, _split(labels))


def choice(
    key: str,
    names: str,
    nouns: str,
    options: Mapping[str, tuple[str, str, tuple[str, ...]]],
    *,
    labels: str = "",
    implied_by: str = "",
    **more: Any,
) -> Item:
    """A choice; every option has labels, a description ("" for none) and sentences that state it."""
    made = tuple(Option(id_, _split(words), (about,) if about else ()) for id_, (words, about, _) in options.items())
    field = Field(
        key=key,
        type="choice",
        names=_split(names),
        nouns=_split(nouns),
        options=made,
        implied_by=tuple(implied_by.split()),
        **more,
    )
    said = {id_: {"en": wordings} for id_, (_, _, wordings) in options.items() if wordings}
    return Item(field, _split(labels), said or None)


def flag(
    key: str,
    names: str,
    question: str,
    yes: tuple[str, ...],
    no: tuple[str, ...],
    *,
    labels: str = "",
    implied_by: str = "",
    **more: Any,
) -> Item:
    """A truth value with sentences for both answers."""
    field = Field(
        key=key,
        type="boolean",
        names=_split(names),
        nouns=_split(question),
        implied_by=tuple(implied_by.split()),
        **more,
    )
    return Item(field, _split(labels), {True: {"en": yes}, False: {"en": no}} if yes else None)


def scale(key: str, names: str, nouns: str, levels: Sequence[tuple[str, tuple[str, ...]]], **more: Any) -> Item:
    """A scale from low to high; every level has labels and sentences."""
    field = Field(
        key=key,
        type="scale",
        names=_split(names),
        nouns=_split(nouns),
        levels=tuple(_split(labels) for labels, _ in levels),
        **more,
    )
    said = {at: {"en": wordings} for at, (_, wordings) in enumerate(levels) if wordings}
    return Item(field, (), said or None)


def declare(*items: Item) -> Declared:
    """Collect declarations."""
    return Declared(
        tuple(item.field for item in items),
        {item.field.key: {"en": item.labels} for item in items if item.labels},
        {item.field.key: item.statements for item in items if item.statements is not None},
    )


def decide(sheet: Sheet, declared: Declared, *, share: float = 0.6, **fixed: Any) -> None:
    """Draw every decision (``fixed`` ones are given), then forget each with chance 1 - ``share``."""
    for key in declared.decisions:
        value = fixed[key] if key in fixed else sheet.rng.choice(list(declared.statements[key]))
        if sheet.maybe(share):
            sheet.decisions[key] = value


def say_rest(sheet: Sheet, *, end: str = "\n", bullet: str = "", most: int = 99) -> None:
    """State what has been decided and not said, in a drawn order."""
    keys = [key for key in sheet.statements if key in sheet.decisions and key not in sheet.stated]
    sheet.rng.shuffle(keys)
    for key in keys[:most]:
        before = len(sheet.pieces)
        sheet.raw(bullet)
        if not sheet.say(key, end=end):
            del sheet.pieces[before:]


Groups = Sequence[Sequence[str]]


def script(
    opening: Groups, middle: Groups, closing: Groups = (), *, end: str = " ", keep: float = 0.85, says: bool = True
) -> Writer:
    """A text in sentences: groups of alternatives; those of the middle come in a drawn order and may be left out.

    Decisions are stated between them. A group whose facts are missing is skipped.
    """

    def write(sheet: Sheet) -> None:
        for group in opening:
            sheet.any(*group)
        order = list(middle)
        sheet.rng.shuffle(order)
        for group in order:
            if sheet.rng.random() < keep and sheet.any(*group):
                sheet.raw(end)
            if says and sheet.rng.random() < 0.3:
                say_rest(sheet, end=end, most=1)
        if says:
            say_rest(sheet, end=end)
        if closing:
            sheet.blank()
        for group in closing:
            sheet.any(*group)

    return write


def labelled(heading: Sequence[str], keys: Sequence[str], *, data: bool = False, note: Sequence[str] = ("",)) -> Writer:
    """A heading, labels and values in a drawn shape, then the statements."""

    def write(sheet: Sheet) -> None:
        if not data:
            sheet.any(*[f"{line}\n" for line in heading])
            if sheet.maybe(0.5):
                sheet.blank()
        distinct: dict[str, str] = {}
        for key in shapes.present(sheet, keys):
            distinct.setdefault(shapes.tag(sheet.label(key)), key)
        shapes.pairs(sheet, list(distinct.values()), data=data)
        sheet.any(*note)
        say_rest(sheet, bullet=sheet.rng.choice(("", "", "- ")) if not data else "", end=" " if data else "\n")

    return write


def markdown(heading: Sequence[str], keys: Sequence[str]) -> Writer:
    """A Markdown page: a heading, bullets or a table, then the statements as bullets."""

    def write(sheet: Sheet) -> None:
        sheet.raw(sheet.rng.choice(("# ", "## ", "### ")))
        sheet.any(*[f"{line}\n" for line in heading])
        sheet.blank()
        distinct: dict[str, str] = {}
        for key in shapes.present(sheet, keys):
            distinct.setdefault(sheet.label(key), key)
        order = list(distinct.values())
        sheet.rng.shuffle(order)
        sheet.rng.choice((shapes.bullets, shapes.table))(sheet, order)
        sheet.blank()
        say_rest(sheet, bullet="- ")

    return write
