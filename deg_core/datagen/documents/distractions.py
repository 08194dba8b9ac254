"""Sentences that belong to no question but hold a name, a day, a sum or a code, as real pages do."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.builder import Piece
from deg_core.datagen.documents.dates import draw_day, settle, write_date
from deg_core.datagen.documents.facts import Sheet

SHARE = 0.28

_SENTENCES = {
    "en": (
        "<PS|By the way>: {person} from the flat below says hello.",
        "<By the way, the|The> number {small} bus now stops in {town}.",
        "<Somebody|A child> wrote {sum} on the margin in pencil; <nobody knows why|it means nothing>.",
        "The calendar on the wall still shows {day}.",
        "(Advertisement: {company}, {phone})",
        "The label on the envelope reads {code}, but that is <the maker of the envelope|the stationery>.",
        "<On the radio they said|I read> that {town} had its <hottest|wettest> summer since {year}.",
        "<Seen on the way here|Lunch talk>: an old film from {year} with {person}.",
        "An unrelated leaflet was stuck to this page: {company}, {url}",
        "<The old page before this one|The sheet below> was dated {day} and has nothing to do with it.",
        "<Please ignore|Never mind> the number {code} at the top, it belongs to the printer.",
        "(Crossword on page {small}, solution in the next issue.)",
        "This template was made by {company} in {year}.",
        "My sister lives in {town} and says the bread is better there.",
        "<In another matter|Something else>: {person} has lost a grey glove.",
        "Our parrot can count to {small}.",
        "Weather in {town}: {small} degrees.",
        "The quiz question of the week: who was born on {day}? (Answer: {person}.)",
    ),
    "de": (
        "<PS|Übrigens>: {person} aus dem Erdgeschoss lässt grüßen.",
        "Der Kalender an der Wand zeigt noch den {day}.",
        "(Anzeige: {company}, {phone})",
        "Jemand hat mit Bleistift {sum} an den Rand geschrieben, warum, weiß niemand.",
        "Diese Vorlage stammt von {company} aus dem Jahr {year}.",
        "Die Nummer {code} oben gehört zum Drucker und ist ohne Bedeutung.",
    ),
}


def distract(sheet: Sheet) -> None:
    """Put one or two such sentences between finished sentences or lines of the sheet, or at its ends."""
    rng = sheet.rng
    sentences = _SENTENCES.get(sheet.lang, ())
    if not sentences or rng.random() > SHARE:
        return
    for template in rng.sample(sentences, rng.choice((1, 1, 2))):
        sites = _sites(sheet.pieces)
        at, joint = rng.choice(sites)
        text = _filled(sheet, sheet.choose(template))
        before, after = ("", joint) if joint else ("\n", "")
        sheet.pieces.insert(at, Piece("gold", before + text + after))


def _sites(pieces: list[Piece]) -> list[tuple[int, str]]:
    """Where a sentence may go: index and what must follow it ("" at the very end of the text)."""
    sites = [(0, "\n"), (len(pieces), "")]
    depth = 0
    for at, piece in enumerate(pieces):
        depth += {"open": 1, "close": -1}.get(piece.kind, 0)
        if depth or piece.kind not in ("lit", "gold"):
            continue
        if piece.text.endswith("\n\n"):
            sites.append((at + 1, "\n"))
        elif piece.text.endswith(". ") and at + 1 < len(pieces):
            sites.append((at + 1, " "))
    return sites


def _filled(sheet: Sheet, template: str) -> str:
    rng: random.Random = sheet.rng
    day = settle(draw_day(rng, dt.date(2001, 1, 1), dt.date(2027, 12, 1)), sheet.way.date)
    company = names.company(rng, sheet.lang)
    money = sheet.way.money
    before, after = money.around()
    return template.format(
        person=names.person(rng),
        town=names.place_name(rng),
        company=company,
        phone=names.phone(rng),
        url=names.url(rng, names.domain(rng, company)),
        code=names.code(rng),
        sum=f"{before}{money.digits(Decimal(rng.randrange(150, 99999)) / 100)}{after}",
        day=write_date(day, sheet.way.date, sheet.lang),
        year=rng.randrange(1949, 2020),
        small=rng.randrange(2, 31),
    )
