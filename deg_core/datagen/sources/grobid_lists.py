"""GROBID's training corpora as arrays: reference lists, author lines, affiliations, who is thanked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from deg_core.datagen.array_draft import Cell, Column
from deg_core.datagen.draft import Draft
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.sources.grobid import (
    NOT_ENGLISH,
    by_tag,
    citation_tag,
    cited,
    clean,
    organisation,
    within,
)
from deg_core.datagen.sources.grobid import SOURCE as SINGLES
from deg_core.datagen.sources.grobid_slots import ACKNOWLEDGMENT, AFFILIATION, CITATION, NAME
from deg_core.datagen.tei import Mark, parse, plain
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "grobid_lists"

REFERENCES = slot(
    "references|bibliography|citations|cited works|works cited|literature|sources",
    "the works in the reference list, in order|one entry for each reference|every cited work",
)
AUTHORS = slot(
    "authors|people|names|persons|author list|contributors",
    "the authors, in the order given|one entry for each person|everybody in the author line",
)
AFFILIATIONS = slot(
    "affiliations|institutions|organisations|addresses",
    "one entry for each affiliation|where the authors work, one institution each|all affiliations, in order",
)
_PARTS = ("author", "title a", "date", "title j", "title m", "volume", "issue", "page", "publisher", "pubPlace")
_LINE_LIMIT = 2500
Maker = Callable[[str, str, list[Mark], Tally], Iterator[Record]]


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Array records of the corpora in folder ``path``; a document is in the split that its single records are in."""
    tally = Tally() if tally is None else tally
    makers: tuple[tuple[str, Maker], ...] = (
        ("citation", _references),
        ("name", _authors),
        ("affiliation_address", _affiliations),
        ("acknowledgment", _thanked),
    )
    for name, make in makers:
        for row in json_lines(Path(path) / f"{name}.jsonl"):
            root = parse(row["xml"])
            if root is None:
                tally["not XML"] += 1
                continue
            text, marks = plain(root)
            yield from make(f"{name}/{row['id']}", text, marks, tally)


def _draft(key: str, number: int, domain: str, context: str, noun: str) -> Draft:
    return Draft(SOURCE, f"{key}/{number}", key, domain, context, noun, SINGLES)


# -- references ------------------------------------------------------------------------------------------------------


def _references(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """Reference lists of 2 to 25 neighbours of one document whose asked parts are marked once or missing for sure."""
    wholes = [mark for mark in marks if mark.tag == "bibl"]
    lines = [(text[whole.start : whole.end], within(marks, whole)) for whole in wholes]
    fit = [(line, inner) for line, inner in lines if 20 <= len(line) <= 700 and not NOT_ENGLISH.search(line)]
    tally["reference not English, or too short or long"] += len(lines) - len(fit)
    at, number = 0, 0
    while len(fit) - at >= 2:
        draft = _draft(key, number, "reference list", "", "reference list")
        size = min(draft.rng.choice((2, 3, 4, 5, 6, 8, 10, 14, 20, 25)), len(fit) - at)
        if _reference_list(draft, fit[at : at + size]):
            record = draft.record()
            if record is not None:
                yield record
        else:
            tally["references whose parts are not marked once each"] += 1
        at, number = at + size, number + 1


def _reference_list(draft: Draft, lines: Sequence[tuple[str, list[Mark]]]) -> bool:
    rng = draft.rng
    asked = [tag for tag in _PARTS if tag in CITATION and rng.random() < 0.6]
    parts = [by_tag(inner, citation_tag) for _, inner in lines]
    good = [at for at, (line, _) in enumerate(lines) if all(_sure(tag, parts[at], line) for tag in asked)]
    if len(good) < 2 or not asked:
        return False
    lead = rng.choice(("", "", "[{}] ", "{}. ", "- ", "({}) ", "{} "))
    joint = rng.choice(("\n", "\n", "\n\n"))
    text = rng.choice(("", "", "References\n", "REFERENCES\n\n", "Literature cited:\n", "Bibliography\n"))
    first = rng.choice((1, 1, 1, rng.randint(2, 60)))
    places: list[list[Mark | None]] = []
    for index, at in enumerate(good):
        text += (joint if index else "") + lead.format(first + index)
        base = len(text)
        places.append([_moved(parts[at][tag][0], base) if tag in parts[at] else None for tag in asked])
        text += lines[at][0]
    draft.context = text
    rows = [[_span(text, mark) for mark in row] for row in places]
    columns = [Column(CITATION[tag]) for tag in asked]
    if len(columns) == 1 and all(row[0] is not None for row in rows) and rng.random() < 0.6:
        item = CITATION[asked[0]]
        named = Slot(
            tuple(f"{name} list" for name in item.names),
            tuple(f"{n.rstrip('?')} (one of each reference)" for n in item.descriptions),
            opaque=True,
        )
        return draft.array(named, columns, rows, plain=True)
    return draft.array(REFERENCES, columns, rows)


def _sure(tag: str, parts: dict[str, list[Mark]], line: str) -> bool:
    """Whether the part is marked exactly once, or is missing without a doubt."""
    return len(parts[tag]) == 1 if tag in parts else not cited(tag, parts, line)


def _moved(mark: Mark, base: int) -> Mark:
    return Mark(mark.tag, mark.attributes, mark.start + base, mark.end + base, mark.depth)


def _span(text: str, mark: Mark | None) -> Cell:
    if mark is None:
        return None
    start, end = clean(text, (mark.start, mark.end))
    return (start, end) if start < end else None


# -- people and places -----------------------------------------------------------------------------------------------


def _authors(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """Author lines: the parts of each name, or the whole names."""
    people = [mark for mark in marks if mark.tag == "persName"]
    if len(people) < 2 or len(text) > _LINE_LIMIT or NOT_ENGLISH.search(text):
        tally["author line of one person, too long, or not English"] += 1
        return
    draft = _draft(key, 0, "author line", text, "author line")
    tags = [tag for tag in NAME if tag in ("forename", "middlename", "surname", "suffix", "title")]
    rows = _part_rows(text, marks, people, tags, lambda mark: mark.tag)
    if rows is None:
        tally["a name with repeated or no parts"] += 1
        return
    yield from _finished(draft, AUTHORS, [Column(NAME[tag]) for tag in tags], rows, tally)


def _affiliations(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    wholes = [mark for mark in marks if mark.tag == "affiliation"]
    if len(wholes) < 2 or len(text) > _LINE_LIMIT or NOT_ENGLISH.search(text):
        tally["one affiliation, too long, or not English"] += 1
        return
    draft = _draft(key, 0, "affiliations", text, "affiliation block")
    tags = [
        tag
        for tag in ("institution", "settlement", "country", "department", "postCode", "laboratory")
        if tag in AFFILIATION
    ]
    single = [tag for tag in tags if _part_rows(text, marks, wholes, [tag], _affiliation_tag) is not None]
    asked = [tag for tag in single if draft.rng.random() < 0.75] or single[:1]
    rows = _part_rows(text, marks, wholes, asked, _affiliation_tag) if asked else None
    if rows is None or not all(any(row) for row in rows):
        tally["an affiliation with repeated or no parts"] += 1
        return
    yield from _finished(draft, AFFILIATIONS, [Column(AFFILIATION[tag]) for tag in asked], rows, tally)


def _affiliation_tag(mark: Mark) -> str:
    return organisation(mark) if mark.tag == "orgName" else mark.tag


def _part_rows(
    text: str, marks: list[Mark], wholes: Sequence[Mark], tags: Sequence[str], name: Callable[[Mark], str | None]
) -> list[list[Cell]] | None:
    """A row a whole, a cell a tag; None when a tag is marked twice inside one whole."""
    rows: list[list[Cell]] = []
    for whole in wholes:
        inner = [mark for mark in marks if whole.start <= mark.start and mark.end <= whole.end and mark is not whole]
        parts = by_tag(inner, name)
        if any(len(parts.get(tag, ())) > 1 for tag in tags):
            return None
        rows.append([_span(text, parts[tag][0]) if tag in parts else None for tag in tags])
    return rows


def _thanked(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """Everybody and everything of one kind that an acknowledgment names: people, funders, grants."""
    if len(text) > _LINE_LIMIT:
        tally["acknowledgment too long"] += 1
        return
    draft = _draft(key, 0, "acknowledgment", text, "acknowledgment")
    parts = by_tag(marks, lambda mark: mark.tag)
    for tag in ("individual", "fundingAgency", "grantNumber", "institution"):
        places = parts.get(tag, [])
        item = ACKNOWLEDGMENT.get(tag)
        if item is None or (len(places) < 2 and draft.rng.random() > 0.3) or (not places and not parts):
            continue
        if tag == "grantNumber" and not places and re.search(r"\d{3}", text):
            continue
        rows: list[list[Cell]] = [[_span(text, mark)] for mark in places]
        if any(row[0] is None for row in rows) or not rows:
            continue
        named = Slot(
            tuple(f"{name} list" for name in item.names),
            tuple(f"{note.rstrip('?')} (all of them)" for note in item.descriptions),
            opaque=True,
        )
        draft.array(named, [Column(item)], rows, plain=draft.rng.random() < 0.75)
    record = draft.record()
    if record is None:
        tally["acknowledgment that names nobody twice"] += 1
    else:
        yield record


def _finished(
    draft: Draft, item: Slot, columns: Sequence[Column], rows: list[list[Cell]], tally: Tally
) -> Iterator[Record]:
    """The record of a drawn part of the columns."""
    filled = [at for at in range(len(columns)) if any(row[at] is not None for row in rows)]
    kept = [at for at in filled if draft.rng.random() < 0.85] or filled
    if not kept or not draft.array(item, [columns[at] for at in kept], [[row[at] for at in kept] for row in rows]):
        tally["items without a place of their own"] += 1
        return
    record = draft.record()
    if record is not None:
        yield record
