"""probablepeople: the parts of person and company names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from deg_core.datagen.draft import Draft, Span
from deg_core.datagen.raw import Tally, merged, read_text, separated, tagged_text
from deg_core.datagen.wording import Slot, slot
from deg_core.errors import RecordError
from deg_core.records.record import Record

SOURCE = "probablepeople"

PERSON = {
    "GivenName": slot("first name|given name|forename", "first name of the person|given name as written"),
    "Surname": slot("last name|surname|family name", "family name of the person|surname as written"),
    "MiddleName": slot("middle name|second name", "middle name, written out"),
    "MiddleInitial": slot("middle initial|initial", "single letter of the middle name", opaque=True),
    "FirstInitial": slot("first initial|initial of first name", "first name given as a letter only", opaque=True),
    "LastInitial": slot("last initial|initial of last name", "last name given as a letter only", opaque=True),
    "SuffixGenerational": slot("suffix|generation|jr or sr", "generation mark such as Jr, Sr or III"),
    "SuffixOther": slot("degree|credentials|suffix title", "degree or title after the name, such as MD or CPA"),
    "PrefixMarital": slot("title|salutation|form of address", "Mr, Mrs, Ms or the like"),
    "PrefixOther": slot("rank|honorific|professional title", "title before the name, such as Dr or Rev"),
    "Nickname": slot("nickname|known as|called", "nickname, without quotes"),
}
COMPANY = {
    "CorporationName": slot(
        "company|company name|business name|organisation", "name of the company without its legal form", opaque=True
    ),
    "CorporationLegalType": slot(
        "legal form|company type|entity type", "legal form such as LLC or Inc|what kind of legal entity?"
    ),
    "CorporationNameOrganization": slot(
        "organisation word|kind of organisation",
        "the word that says what sort of body it is: union, committee, fund",
        opaque=True,
    ),
    "CorporationCommitteeType": slot(
        "committee type|kind of committee", "words that name the kind of political committee", opaque=True
    ),
    "CorporationNameBranchIdentifier": slot(
        "branch number|local number|branch", "number or name of the branch", opaque=True
    ),
    "CorporationNameBranchType": slot(
        "branch type|kind of branch", "word for the branch: local, chapter, district", opaque=True
    ),
    "ShortForm": slot("short name|abbreviation|acronym", "short form of the name, without brackets", opaque=True),
}
# What may be asked and be null, and the parts that make it doubtful.
_ABSENT_PERSON = {
    "MiddleName": ("MiddleInitial",),
    "MiddleInitial": ("MiddleName",),
    "SuffixGenerational": ("SuffixOther",),
    "SuffixOther": ("SuffixGenerational",),
    "PrefixMarital": ("PrefixOther",),
    "PrefixOther": ("PrefixMarital",),
    "Nickname": (),
    "Surname": ("LastInitial",),
    "GivenName": ("FirstInitial", "Nickname"),
}
_ABSENT_COMPANY = {"CorporationLegalType": (), "ShortForm": ("AKA",), "CorporationNameBranchIdentifier": ()}
LEADS = ("", "", "", "", "", "", "Name: ", "Contact: ", "Payee: ", "Client - ", "Donor: ")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; names of two people or with a proxy are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for kind, slots, absent in (
        ("person", PERSON, _ABSENT_PERSON),
        ("company", COMPANY, _ABSENT_COMPANY),
    ):
        file = Path(path) / f"{kind}_labeled.xml"
        try:
            root = ElementTree.fromstring(read_text(file))
        except ElementTree.ParseError as error:
            raise RecordError(f"{file}: not XML: {error}") from error
        for number, element in enumerate(root):
            text, spans = tagged_text(element)
            tags = {tag for tag, _, _ in spans}
            if tags & {"And", "AKA", "ProxyFor", "CareOf"} or not spans:
                tally["two names in one"] += 1
                continue
            # A lone word is a first or a last name only for whoever labelled it.
            if kind == "person" and len(spans) < 2:
                tally["a single word"] += 1
                continue
            draft = Draft(SOURCE, f"{kind}/{number:04d}", text.strip().lower(), f"{kind} name", "", "name")
            lead = draft.rng.choice(LEADS)
            draft.context = lead + text.strip()
            shift = len(lead) - (len(text) - len(text.lstrip()))
            _ask(draft, [(tag, start + shift, end + shift) for tag, start, end in spans], slots, absent)
            record = draft.record()
            if record is not None:
                yield record


def _ask(
    draft: Draft, spans: list[tuple[str, int, int]], slots: dict[str, Slot], absent: dict[str, tuple[str, ...]]
) -> None:
    parts: dict[str, list[Span]] = {}
    for tag, start, end in merged(draft.context, spans):
        parts.setdefault(tag, []).append((start, end))
    for tag, places in parts.items():
        if tag in slots and len(places) == 1:
            draft.extract(slots[tag], separated(draft.context, places[0]))
    for tag, doubt in absent.items():
        if tag not in parts and not set(doubt) & set(parts) and draft.rng.random() < 0.22:
            draft.extract(slots[tag], None)
