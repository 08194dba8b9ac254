"""GROBID's training corpora: first pages, references, dates, affiliations, names and acknowledgments of papers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.sources.grobid_slots import (
    ACKNOWLEDGMENT,
    AFFILIATION,
    CITATION,
    CITATION_ABSENT,
    DATE,
    HEADER,
    HEADER_ABSENT,
    NAME,
    NAME_ABSENT,
)
from deg_core.datagen.tei import Mark, parse, plain
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "grobid"

_HEADER_LIMIT = 2600
_LINE_LIMIT = 1500
NOT_ENGLISH = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the corpora in folder ``path``, split by document; unusable rows are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    folder = Path(path)
    makers: tuple[tuple[str, Callable[[str, str, list[Mark], Tally], Iterator[Record]]], ...] = (
        ("header", _header),
        ("citation", _citations),
        ("date", _dates),
        ("affiliation_address", _affiliations),
        ("name", _names),
        ("acknowledgment", _acknowledgment),
    )
    for name, make in makers:
        for row in json_lines(folder / f"{name}.jsonl"):
            root = parse(row["xml"])
            if root is None:
                tally["not XML"] += 1
                continue
            if 'xml:lang="fr"' in row["xml"] and name == "header":
                tally["not English"] += 1
                continue
            text, marks = plain(root)
            yield from make(f"{name}/{row['id']}", text, marks, tally)


def _header(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """A first page, cut after the last thing asked for, in up to two wordings."""
    for variant in range(2):
        draft = Draft(SOURCE, f"{key}/{variant}", key, "scientific paper", "", "first page")
        rng = draft.rng
        limit = rng.choice((700, 1200, 1800, _HEADER_LIMIT))
        end = len(text) if len(text) <= limit else max(text.rfind("\n", 0, limit), text.rfind(" ", 0, limit))
        draft.context = text[:end].rstrip()
        parts = by_tag(marks, _header_tag)
        for tag, places in parts.items():
            if tag not in HEADER or places[0].end > len(draft.context):
                continue
            first_only = tag in ("titlePart", "docAuthor", "affiliation", "address")
            if (len(places) > 1 and not first_only) or rng.random() > 0.85:
                continue
            item = HEADER[tag]
            if len(places) > 1 and tag != "titlePart":
                item = _first(item)
            _take(draft, item, places[0], tally)
        for tag in HEADER_ABSENT:
            inside = [mark for mark in parts.get(tag, ()) if mark.start < len(draft.context)]
            if not inside and rng.random() < 0.22 and not _hinted(tag, draft.context):
                draft.extract(HEADER[tag], None)
        record = draft.record()
        if record is not None:
            yield record


def _header_tag(mark: Mark) -> str | None:
    if mark.tag == "note":
        return mark.attributes.get("type")
    if mark.tag == "title":
        return "title" if mark.attributes.get("level") == "j" else None
    if mark.tag == "keywords":
        return "keyword"
    return mark.tag


def _hinted(tag: str, text: str) -> bool:
    """Whether the page may hold the thing although nobody marked it."""
    hint = {
        "email": r"@",
        "date": r"\b(?:19|20)\d\d\b",
        "idno": r"doi|arxiv|isbn|issn|report|no\.",
        "title": r"journal|vol\.|proc\.|\bJ\.",
        "keyword": r"key ?words|index terms|pacs",
        "submission": r"received|accepted|submitted",
        "phone": r"tel|phone|\+\d",
        "publisher": r"press|publish|elsevier|springer|wiley",
        "meeting": r"conference|proceedings|workshop|symposium",
        "editor": r"edit",
        "doctype": r"article|thesis|report|letter|review|paper",
        "ptr": r"http|www\.",
    }[tag]
    return re.search(hint, text, re.I) is not None


def _citations(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """Each reference on its own; now and then with the line number it would have in a list."""
    for number, whole in enumerate(mark for mark in marks if mark.tag == "bibl"):
        line = text[whole.start : whole.end]
        if NOT_ENGLISH.search(line) or not 20 <= len(line) <= 900:
            tally["reference not English, or too short or long"] += 1
            continue
        draft = Draft(SOURCE, f"{key}/{number:03d}", key, "bibliographic reference", "", "reference")
        rng = draft.rng
        lead = rng.choice(
            ("", "", "", "", f"[{rng.randint(1, 80)}] ", f"{rng.randint(1, 60)}. ", "Reference: ", "Cite: ")
        )
        draft.context = lead + line
        inside = [mark for mark in marks if whole.start <= mark.start and mark.end <= whole.end and mark is not whole]
        moved = [
            Mark(m.tag, m.attributes, m.start - whole.start + len(lead), m.end - whole.start + len(lead), m.depth)
            for m in inside
        ]
        parts = by_tag(moved, citation_tag)
        for tag, places in parts.items():
            if tag in CITATION and len(places) == 1 and rng.random() < 0.85:
                _take(draft, CITATION[tag], places[0], tally)
        for tag in CITATION_ABSENT:
            if tag in CITATION and tag not in parts and rng.random() < 0.14 and not cited(tag, parts, line):
                draft.extract(CITATION[tag], None)
        record = draft.record()
        if record is not None:
            yield record


def citation_tag(mark: Mark) -> str | None:
    kind = mark.attributes.get("type", mark.attributes.get("unit", "")).lower()
    match mark.tag:
        case "title":
            return f"title {mark.attributes.get('level', 'a')}"
        case "biblScope":
            return {"vol": "volume", "pp": "page"}.get(kind, kind)
        case "idno":
            return kind if kind in ("arxiv", "doi", "pmid") else None
        case "note":
            return "report" if kind == "report" else None
        case "pubplace":
            return "pubPlace"
        case _:
            return mark.tag


def cited(tag: str, parts: Mapping[str, Any], line: str) -> bool:
    """Whether a part may be there unmarked, or under another mark."""
    match tag:
        case "ptr" | "doi":
            return re.search(r"http|www|doi|10\.\d{4}", line, re.I) is not None
        case "arxiv":
            return re.search(r"arxiv|hep-|/\d{6}", line, re.I) is not None
        case "title m":
            return "title s" in parts or not ("title j" in parts or "title a" in parts)
        case "title j":
            return "title m" not in parts or "title s" in parts
        case "volume" | "page" | "issue":
            return not ({"title j", "title m"} & set(parts)) or re.search(r"\bno?\b|\(\d+\)|:", line) is not None
        case "report":
            return re.search(r"thesis|report|dissert|preprint", line, re.I) is not None
        case "editor":
            return re.search(r"\bed", line, re.I) is not None
        case _:
            return "orgName" in parts or "note" in parts


def _dates(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    for number, whole in enumerate(mark for mark in marks if mark.tag == "date"):
        draft = Draft(SOURCE, f"{key}/{number}", key, "date line", text[whole.start : whole.end], "text")
        parts = by_tag(within(marks, whole), lambda mark: mark.tag)
        if any(len(places) > 1 for places in parts.values()):
            tally["date range"] += 1
            continue
        for tag, item in DATE.items():
            if tag in parts:
                _take(draft, item, parts[tag][0], tally)
            elif parts and not re.search(r"\d[./-]\d", draft.context):
                draft.extract(item, None)
        record = draft.record()
        if record is not None:
            yield record


def _affiliations(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """Each affiliation alone; those in several scripts or with repeated parts keep what is single."""
    for number, whole in enumerate(mark for mark in marks if mark.tag == "affiliation"):
        draft = Draft(SOURCE, f"{key}/{number}", key, "affiliation", text[whole.start : whole.end], "affiliation")
        if len(draft.context) < 12 or NOT_ENGLISH.search(draft.context):
            tally["affiliation too short or not English"] += 1
            continue
        rng = draft.rng
        parts = by_tag(within(marks, whole), lambda mark: organisation(mark) if mark.tag == "orgName" else mark.tag)
        for tag, places in parts.items():
            if tag in AFFILIATION and len(places) == 1 and rng.random() < (0.3 if tag == "marker" else 0.9):
                _take(draft, AFFILIATION[tag], places[0], tally)
        doubtful = "addrLine" in parts
        for tag in ("country", "region", "postCode", "postBox", "laboratory", "department", "settlement"):
            unsure = doubtful and tag in ("region", "postCode", "settlement")
            if parts and tag not in parts and not unsure and rng.random() < 0.25:
                draft.extract(AFFILIATION[tag], None)
        record = draft.record()
        if record is not None:
            yield record


def organisation(mark: Mark) -> str:
    kind = mark.attributes.get("type", "institution").lower()
    return {"departement": "department", "institute": "institution"}.get(kind, kind)


def _names(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """Single persons, and the first and last of an author line."""
    people = [mark for mark in marks if mark.tag == "persName"]
    for number, whole in enumerate(people[:4]):
        draft = Draft(SOURCE, f"{key}/{number}", key, "person name", text[whole.start : whole.end], "name")
        parts = by_tag(within(marks, whole), lambda mark: mark.tag)
        for tag, places in parts.items():
            if tag in NAME and len(places) == 1:
                _take(draft, NAME[tag], places[0], tally)
        for tag in NAME_ABSENT:
            if tag not in parts and {"forename", "surname"} <= set(parts) and draft.rng.random() < 0.3:
                draft.extract(NAME[tag], None)
        record = draft.record()
        if record is not None and "surname" in parts:
            yield record
    if len(people) > 1 and len(text) > _LINE_LIMIT:
        tally["very long author line"] += 1
    elif len(people) > 1:
        draft = Draft(SOURCE, f"{key}/line", key, "author line", text, "author line")
        for which, whole in (("first", people[0]), ("last", people[-1])):
            inner = {mark.tag: mark for mark in marks if whole.start <= mark.start and mark.end <= whole.end}
            for tag, words in (("surname", "surname"), ("forename", "first name")):
                if tag in inner and draft.rng.random() < 0.7:
                    item = slot(f"{which} author {words}|{words} of {which} author", f"{words} of the {which} author")
                    _take(draft, item, inner[tag], tally)
        record = draft.record()
        if record is not None:
            yield record


def _acknowledgment(key: str, text: str, marks: list[Mark], tally: Tally) -> Iterator[Record]:
    """What is named exactly once, the first of what is named twice, and what is not named at all."""
    draft = Draft(SOURCE, key, key, "acknowledgment", text, "acknowledgment")
    rng = draft.rng
    parts = by_tag(marks, lambda mark: mark.tag)
    if not parts or len(text) > 2500:
        tally["acknowledgment without marks, or too long"] += 1
        return
    for tag, places in parts.items():
        if tag not in ACKNOWLEDGMENT:
            continue
        texts = {text[place.start : place.end] for place in places}
        if len(texts) == 1:
            _take(draft, ACKNOWLEDGMENT[tag], places[0], tally)
        elif rng.random() < 0.7:
            _take(draft, _first(ACKNOWLEDGMENT[tag]), places[0], tally)
    for tag in ("grantNumber", "fundingAgency", "individual", "projectName"):
        doubtful = tag == "grantNumber" and re.search(r"\d{3}", text)
        if tag not in parts and not doubtful and rng.random() < 0.4 and "institution" not in parts:
            draft.extract(ACKNOWLEDGMENT[tag], None)
    record = draft.record()
    if record is not None:
        yield record


def _first(item: Slot) -> Slot:
    """``item`` narrowed to the first of several."""
    names = tuple(f"first {name}" for name in item.names)
    notes = tuple(f"{note.rstrip('?').rstrip()} (the first one)" for note in item.descriptions)
    return Slot(names, notes, item.kind, item.opaque)


def by_tag(marks: list[Mark], name: Callable[[Mark], str | None]) -> dict[str, list[Mark]]:
    out: dict[str, list[Mark]] = {}
    for mark in marks:
        tag = name(mark)
        if tag:
            out.setdefault(tag, []).append(mark)
    return out


def within(marks: list[Mark], whole: Mark) -> list[Mark]:
    """The marks inside ``whole``, counted from its start."""
    return [
        Mark(mark.tag, mark.attributes, mark.start - whole.start, mark.end - whole.start, mark.depth)
        for mark in marks
        if whole.start <= mark.start and mark.end <= whole.end and mark is not whole
    ]


def _take(draft: Draft, item: Slot, mark: Mark, tally: Tally) -> None:
    """Ask for ``item`` at ``mark``, without the separators that the annotators left inside."""
    start, end = clean(draft.context, (mark.start, mark.end))
    if start >= end or end - start > 500:
        tally["empty or very long span"] += 1
        return
    text = draft.context[start:end]
    same = [span for span in occurrences(draft.context, text) if span[0] > start] if len(text) > 12 else []
    draft.extract(item, (start, end), alternatives=same)


def clean(text: str, span: Span) -> Span:
    start, end = span
    while start < end and text[start] in " \n,;:(":
        start += 1
    while end > start and (text[end - 1] in " \n,;:" or (text[end - 1] == ")" and "(" not in text[start:end])):
        end -= 1
    return start, end
