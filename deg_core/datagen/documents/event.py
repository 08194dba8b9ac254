"""Announcements of events: concerts, talks, markets, runs, workshops."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import decide, labelled, markdown, script
from deg_core.datagen.documents.event_fields import DECLARED
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind

_KINDS = {
    "concert": ("{w} Quartet live", "An evening with {p}", "{t} Jazz Night", "Songs of the {w}"),
    "talk": ("Why bees matter", "The future of {w} cities", "{p} in conversation", "A short history of {t}"),
    "market": ("{t} Flea Market", "Christmas market {t}", "{w} Craft Fair"),
    "run": ("{t} Half Marathon", "{w} Night Run", "Charity Swim {t}"),
    "workshop": ("Bookbinding for beginners", "Intro to woodturning", "Sourdough workshop", "Repair café {t}"),
    "theatre": ("The Last {w}", "A Winter in {t}", "{w} and other lies"),
    "exhibition": ("{p}: paintings", "Shapes of {w}", "Photographs from {t}"),
    "conference": ("{w}Conf", "{t} Forum on Water", "Data Days {t}"),
}


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Title, place, time, prices and conditions of one event."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_KINDS))
    sheet.text(
        "title",
        rng.choice(_KINDS[sort]).format(w=names.shop(rng).split()[0], p=names.person(rng), t=names.place_name(rng)),
    )
    venue = rng.choice(
        (
            f"{names.place_name(rng)} Town Hall",
            f"The {names.surname(rng)} Theatre",
            f"Club {names.given_name(rng)}",
            "the old tram depot",
            f"{names.surname(rng)} Library",
            f"Villa {names.surname(rng)}",
            f"Pier {rng.randrange(2, 19)}",
            "Market Square",
            f"Hall {rng.randrange(2, 9)}, Expo {names.place_name(rng)}",
        )
    )
    sheet.text("venue", venue)
    host = names.shop(rng)
    domain = names.domain(rng, host)
    add_address(sheet, "site", "en")
    sheet.texts(
        0.55,
        host=host,
        speaker=names.person(rng, titled=0.2),
        link=names.url(rng, domain, "/tickets", f"/e/{names.digits(rng, 4)}", "/events"),
    )
    sheet.texts(
        0.35,
        sponsor=names.company(rng),
        contact=names.person(rng),
        email=f"{rng.choice(('tickets', 'info', 'events', 'hello'))}@{domain}",
        phone=names.phone(rng),
        doors=f"{rng.randrange(9, 21)}:{rng.choice(('00', '30', '45'))}",
    )
    sheet.texts(0.12, code=rng.choice(("EARLYBIRD", "FRIENDS20", "CHOIR", "STUDENT5")))
    if sheet.maybe(0.4):
        sheet.set("address", "{site_address}", composite=True)
    elif sheet.maybe(0.5):
        sheet.facts["city"] = sheet.facts["site_city"]
    _when_and_what(sheet, sort)
    return sheet


def _when_and_what(sheet: Sheet, sort: str) -> None:
    rng = sheet.rng
    day = draw_day(rng, dt.date(2024, 1, 2), dt.date(2027, 9, 30))
    if sheet.maybe(0.55):
        sheet.moment("start", dt.datetime.combine(day, dt.time(rng.randrange(9, 22), rng.choice((0, 0, 15, 30, 45)))))
    else:
        sheet.day("day", day)
    for key, share, shift in (
        ("end_day", 0.3 if sort in ("market", "exhibition", "conference") else 0, rng.randrange(2, 40)),
        ("register_by", 0.35, -rng.randrange(5, 40)),
        ("rain_day", 0.3 if sort in ("run", "market", "concert") else 0, 7),
    ):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=shift))
    for key, share, low, high in (("price", 0.6, 8, 120), ("reduced", 0.3, 3, 8), ("door_price", 0.2, 121, 140)):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(low, high)) + Decimal(rng.choice(("0", "0.5"))))
    for key, share, low, high in (
        ("seats", 0.35, 12, 900),
        ("age", 0.25, 6, 19),
        ("minutes", 0.25, 40, 190),
        ("edition", 0.2, 2, 40),
    ):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    decide(sheet, DECLARED, share=0.5)
    if not sheet.has("price"):
        sheet.drop("reduced", "door_price")
    else:
        sheet.decisions["entry"] = "ticket"
    if not sheet.has("price") and sheet.decisions.get("entry") == "ticket":
        sheet.decisions.pop("entry")
    if sheet.has("age"):
        sheet.decisions.pop("kids", None)
    if sheet.has("register_by"):
        sheet.decisions.pop("register", None)
    sheet.decisions["sort"] = sort


def _known(sheet: Sheet) -> None:
    sheet.stated.add("sort")
    if sheet.has("price") and any(piece.kind == "open" and piece.text == "price" for piece in sheet.pieces):
        sheet.stated.add("entry")


_MIDDLE = (
    ("<It begins on|Start:|We start on> {start}<| (doors {doors})>.", "<It is on|Save the date:|On> {day}."),
    ("<At|In|Come to> {venue}<|, {address}><|, {city}>.", "Venue: {venue}."),
    ("Until {end_day}.", "It <runs|goes on> until {end_day}."),
    ("<Register|Sign up> <by|until> {register_by}<| with {email}>.",),
    ("If it rains, <we meet on|it will be on> {rain_day}.",),
    ("<Tickets cost|Tickets are|Entry:> {price}<|, {reduced} for students>.", "{price} a head."),
    ("Students pay {reduced}.",),
    ("<At the door it is|Door price> {door_price}.",),
    ("<There is room for|Only> {seats} <people|places>.",),
    ("<For ages|From age> {age} and up.",),
    ("It lasts {minutes} minutes.",),
    ("<This is edition no.|It is held for time number> {edition}.",),
    ("<Organised|Presented> by {host}<|, with the support of {sponsor}>.", "{host} invites you."),
    ("<With|On stage:|Guest:> {speaker}.",),
    ("Thanks to {sponsor} for the money.", "Our sponsor: {sponsor}."),
    ("<Questions to|Ask> {contact}<|, {phone}>.", "Tel. {phone}."),
    ("<Tickets at|More:|See> {link} <.|>",),
    ("<Write to|Mail> {email}.",),
    ("Code {code} <makes it cheaper|for friends>.",),
)


_TALE = script((), _MIDDLE)


def poster(sheet: Sheet) -> None:
    """A poster: the title, then short lines."""
    sheet.line("<* {title} *|{title}|~ {title} ~>")
    script((), _MIDDLE, end="\n")(sheet)
    _known(sheet)


def mail(sheet: Sheet) -> None:
    """An invitation by mail."""
    sheet.any("Subject: <invitation|you are invited>: {title}\n\n", "")
    sheet.put(
        "<Dear friends|Hello everybody|Dear members>,\n<we invite you to|do come to|we are happy to announce> "
        '<"|“>{title}<"|”>. '
    )
    _TALE(sheet)
    sheet.blank()
    sheet.any("<Yours|See you there>, {host}", "{contact}", "{contact}, {host}")
    _known(sheet)


def notice(sheet: Sheet) -> None:
    """A notice in a local paper."""
    sheet.any("{city} - ", "{venue} - ", "")
    sheet.any('{host} <presents|announces|puts on> "{title}". ', '"{title}" <comes to|is on at> {venue}. ')
    script((), _MIDDLE, keep=0.65)(sheet)
    _known(sheet)


def listing(sheet: Sheet) -> None:
    """A calendar entry."""
    labelled(("<Event|Calendar entry|What's on>",), DECLARED.facts)(sheet)
    _known(sheet)


def data(sheet: Sheet) -> None:
    """A feed entry."""
    labelled((), DECLARED.facts, data=True)(sheet)
    _known(sheet)


def page(sheet: Sheet) -> None:
    """A Markdown page."""
    markdown(("{title}",), DECLARED.facts[1:])(sheet)
    _known(sheet)


KIND = Kind(
    name="event",
    domains=("event announcement", "invitation", "local news"),
    pool=DECLARED.pool(),
    world=world,
    layouts={"poster": poster, "mail": mail, "notice": notice, "listing": listing, "data": data, "page": page},
    wordy=frozenset(("poster", "mail", "notice")),
    exact=frozenset(("data",)),
)
