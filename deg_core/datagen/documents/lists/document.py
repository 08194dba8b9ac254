"""A record whose document holds a list and whose schema asks for it as an array."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

from deg_core.datagen.documents import names, shapes
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.builder import Piece
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.ask import ANYWHERE, SECOND, SECTION
from deg_core.datagen.documents.lists.career_lists import CAREER_LISTS
from deg_core.datagen.documents.lists.goods_lists import GOODS, GOODS_LISTS
from deg_core.datagen.documents.lists.hiring_lists import HIRING_LISTS
from deg_core.datagen.documents.lists.meeting_lists import MEETING_LISTS
from deg_core.datagen.documents.lists.model import Entry, ListKind, draw_count, invent_entries, written_keys
from deg_core.datagen.documents.lists.money_lists import MONEY_LISTS
from deg_core.datagen.documents.lists.nested import NESTED, draw_nested
from deg_core.datagen.documents.lists.score_lists import SCORE_LISTS
from deg_core.datagen.documents.lists.stay_lists import STAY_LISTS
from deg_core.datagen.documents.lists.trouble_lists import TROUBLE_LISTS
from deg_core.datagen.documents.lists.writers import FORMS, draw_form
from deg_core.datagen.documents.phrases import footer

LISTS: tuple[ListKind, ...] = (
    *GOODS_LISTS,
    *MONEY_LISTS,
    *CAREER_LISTS,
    *HIRING_LISTS,
    *MEETING_LISTS,
    *STAY_LISTS,
    *TROUBLE_LISTS,
    *SCORE_LISTS,
)
EMPTY_SHARE = 0.05
SECOND_SHARE = 0.22
REST_SHARE = 0.6
_CLOSED = ("prose", "told", "objects", "yaml", "yaml_list", "elements")
"""Ways of writing after which a loose line would be strange."""
BRIEF = "brief"
"""A document made for its list: a heading, a few facts, the list."""


def lists_of(home: str) -> list[ListKind]:
    """The lists that documents of a kind may hold."""
    return [one for one in LISTS if home in one.homes]


def draw_list(rng: random.Random, home: str) -> ListKind:
    """One of the lists of a kind of document, goods more often where they are what it is about."""
    kinds = lists_of(home)
    weights = [3.0 if one is GOODS and home not in ("support", "product_listing") else 1.0 for one in kinds]
    return rng.choices(kinds, weights)[0]


def draw_size(rng: random.Random, kind: ListKind) -> int:
    """How many items the list has; outer lists are short."""
    if rng.random() < EMPTY_SHARE:
        return 0
    return rng.choice((1, 2, 2, 3, 3, 4, 5, 6)) if kind.child is not None else draw_count(rng)


class Section:
    """A list of a document: written once, where the layout calls for it or where there is room.

    ``key`` names its place on the page. A ``silent`` list is not there at all, and so has no items.
    """

    def __init__(self, kind: ListKind, entries: Sequence[Entry], form: str, key: str, *, silent: bool = False) -> None:
        self.kind, self.entries, self.form, self.key, self.silent = kind, entries, form, key, silent
        self.loose = False
        """Whether lines that are no items may follow: they would half answer other questions about the page."""
        self.headed = False
        """Whether it must stand under its heading, because the document says other things too."""
        self.written = False

    def __call__(self, sheet: Sheet) -> None:
        """Append the list to the sheet, the first time that this is asked for."""
        if not self.written:
            self.written = True
            self._write(sheet)

    def leave_to_layout(self) -> None:
        """Let the layout write the items in its own way, wherever it wants."""
        self.written, self.form, self.key = True, "layout", ANYWHERE

    def _write(self, sheet: Sheet) -> None:
        rng = sheet.rng
        if self.silent:
            return
        if self.headed or rng.random() < 0.75:
            sheet.line(rng.choice(self.kind.titles(sheet.lang)) + rng.choice(("", "", ":", ":")))
        sheet.set(self.key, "")
        sheet.pieces.append(Piece("open", self.key))
        if not self.entries:
            sheet.line(rng.choice(self.kind.none))
        else:
            _written(sheet, self.kind, self.entries, self.form)
        sheet.pieces.append(Piece("close", self.key))
        if self.loose and self.entries and not self.form.endswith(_CLOSED) and rng.random() < REST_SHARE:
            for line in rng.sample(self.kind.rest, min(len(self.kind.rest), rng.choice((1, 1, 2, 3)))):
                sheet.raw(_filled(sheet, line) + "\n")

    def insert(self, sheet: Sheet) -> None:
        """Put the list between two paragraphs of the finished sheet, or at its end."""
        sites = [at + 1 for at in _gaps(sheet.pieces)]
        at = sheet.rng.choice([*sites, len(sheet.pieces), len(sheet.pieces)])
        tail = sheet.pieces[at:]
        del sheet.pieces[at:]
        sheet.blank()
        self(sheet)
        sheet.blank()
        sheet.pieces.extend(tail)


def _written(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], form: str) -> None:
    keys = written_keys(sheet, kind, entries)
    if kind.child is None:
        FORMS[form](sheet, kind, entries, keys)
        return
    inner = [part for entry in entries for part in entry.inner]
    NESTED[form](sheet, kind, entries, keys, written_keys(sheet, kind.child, inner) if inner else ())


def draw_section(sheet: Sheet, kind: ListKind, root: str, count: int, *, held_out: bool, key: str = SECTION) -> Section:
    """Invent the items of a list and choose how it is written; half of the empty ones are not there at all."""
    rng = sheet.rng
    entries = invent_entries(sheet, kind, root, count)
    if kind.child is not None:
        form = draw_nested(rng, held_out=held_out)
    else:
        form = draw_form(rng, held_out=held_out, count=count, lang=sheet.lang)
    return Section(kind, entries, form, key, silent=not count and rng.random() < 0.5)


def second_list(sheet: Sheet, home: str, asked: Section, *, held_out: bool) -> Section | None:
    """Now and then another list after all the rest, under its heading."""
    rng = sheet.rng
    names_of = {asked.kind.name, asked.kind.child.name if asked.kind.child else ""}
    others = [one for one in lists_of(home) if one.child is None and one.name not in names_of and home not in one.alone]
    if not others or rng.random() > SECOND_SHARE:
        return None
    kind = rng.choice(others)
    count = rng.choice((2, 2, 3, 4, 5))
    section = draw_section(sheet, kind, f"other/{kind.name}", count, held_out=held_out, key=SECOND)
    section.headed = True
    sheet.blank()
    section(sheet)
    return section


def write_brief(sheet: Sheet, section: Section, facts: Sequence[str]) -> None:
    """A heading, up to six facts of the world, the list, a footer."""
    rng = sheet.rng
    sheet.any(*[f"{line}\n" for line in section.kind.titles(sheet.lang)], "<Notes|Overview|Copy|For your files>\n", "")
    keys = [key for key in facts if sheet.has(key) and key in sheet.labels]
    shown = rng.sample(keys, min(len(keys), rng.choice((3, 4, 6) if section.silent else (0, 0, 2, 3, 4, 6))))
    distinct: dict[str, str] = {}
    for key in shown:
        distinct.setdefault(shapes.tag(sheet.label(key)), key)
    if distinct:
        shapes.pairs(sheet, list(distinct.values()))
    sheet.blank()
    section(sheet)
    footer(sheet)


def _gaps(pieces: Sequence[Piece]) -> list[int]:
    """The pieces after which a paragraph has ended, outside every fact."""
    depth, gaps = 0, []
    for at, piece in enumerate(pieces):
        depth += {"open": 1, "close": -1}.get(piece.kind, 0)
        if not depth and piece.kind in ("lit", "gold") and piece.text.endswith("\n\n"):
            gaps.append(at)
    return gaps


def _filled(sheet: Sheet, template: str) -> str:
    rng = sheet.rng
    before, after = sheet.way.money.around()
    total: Decimal = draw_price(rng, 1, 900)
    return template.format(
        sum=f"{before}{sheet.way.money.digits(total)}{after}",
        rate=f"{rng.choice((5, 7, 10, 19, 20))} %",
        small=rng.randrange(2, 40),
        town=names.place_name(rng),
        person=names.person(rng),
    )
