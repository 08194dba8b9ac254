"""Incident reports: accidents, thefts, technical failures, complaints of neighbours."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import decide, labelled, markdown, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.incident_fields import DECLARED
from deg_core.datagen.documents.kind import Kind

_EVENTS = {
    "accident": (
        (
            "A forklift <hit|scraped> a shelf.",
            "{victim} slipped on <a wet floor|ice|oil>.",
            "A ladder gave way under {victim}.",
            "Two vans collided in the yard.",
        ),
        ("forklift", "ladder", "delivery van", "shelf"),
    ),
    "theft": (
        (
            "<A laptop was|Tools were|Copper cable was> stolen.",
            "Somebody broke <the lock|a window> and took what was there.",
            "The till was emptied <overnight|during lunch>.",
        ),
        ("till", "laptop", "padlock", "side door"),
    ),
    "fire": (
        (
            "<A battery caught fire|Smoke came from the switch cabinet>.",
            "The fryer went up in flames.",
            "A bin was on fire.",
        ),
        ("fryer", "switch cabinet", "battery charger"),
    ),
    "leak": (
        (
            "Water <ran|dripped> from the ceiling.",
            "A pipe burst <in the cellar|above the archive>.",
            "About a drum of solvent leaked out.",
        ),
        ("pipe", "boiler", "solvent drum"),
    ),
    "outage": (
        (
            "<The servers were|Everything was> down.",
            "The database refused connections.",
            "A faulty update stopped the tills.",
        ),
        ("database", "router", "payment service", "mail server"),
    ),
    "data": (
        (
            "A list of customers was sent to the wrong <person|address>.",
            "Somebody opened a phishing mail.",
            "A USB stick with staff data <is missing|was lost on the train>.",
        ),
        ("mailbox", "USB stick", "customer list"),
    ),
    "noise": (
        (
            "<Loud music|Hammering> <kept the house awake|was heard until three>.",
            "The dog of the neighbours barked for hours.",
        ),
        ("drill", "loudspeaker", "dog"),
    ),
}


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """People, place, time, damage and consequences of one incident."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_EVENTS))
    company = names.company(rng)
    host = names.domain(rng, company)
    reporter = names.person(rng)
    sheet.text("reporter", reporter)
    sheet.text(
        "place",
        rng.choice(
            (
                f"hall {rng.randrange(1, 9)}",
                f"warehouse {names.place_name(rng)}",
                "the car park",
                "the loading bay",
                f"floor {rng.randrange(1, 12)}",
                f"{names.place_name(rng)} depot",
                "the staff kitchen",
                f"gate {rng.choice('ABCD')}",
                f"platform {rng.randrange(1, 14)}",
                "the server room",
            )
        ),
    )
    sheet.texts(
        0.5,
        company=company,
        report_no=names.code(rng, "INC", "R", "SI", "A"),
        thing=rng.choice(_EVENTS[sort][1]),
        handler=names.person(rng, titled=0.1),
    )
    sheet.texts(
        0.35,
        witness=names.person(rng),
        insurer=f"{names.place_name(rng)} Mutual",
        policy_no=names.code(rng, "POL", "V"),
        police_no=names.code(rng, "CR", "P"),
        phone=names.phone(rng),
        email=names.email(rng, reporter, host),
        link=names.url(rng, host, f"/inc/{names.digits(rng, 4)}", "/photos"),
    )
    if sort == "accident":
        sheet.texts(0.6, victim=names.person(rng))
    add_address(sheet, "site", "en")
    if sheet.maybe(0.35):
        sheet.set("address", "{site_address}", composite=True)
    day = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    if sheet.maybe(0.5):
        sheet.moment("when", dt.datetime.combine(day, dt.time(rng.randrange(0, 24), rng.randrange(60))))
    else:
        sheet.day("day", day)
    for key, share, low, high in (("reported", 0.5, 1, 5), ("due", 0.3, 8, 40)):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (("cost", 0.45, 30, 9000), ("excess", 0.2, 50, 500)):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(low, high)) + Decimal(rng.choice(("0", "0.5"))))
    for key, share, low, high in (("minutes", 0.3, 5, 400), ("people", 0.25, 2, 90)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    decide(sheet, DECLARED)
    if sheet.has("victim"):
        sheet.decisions.pop("hurt", None)
    if sheet.has("police_no"):
        sheet.decisions.pop("police", None)
    sheet.decisions["sort"] = sort
    return sheet


def event(sheet: Sheet) -> None:
    """What happened, in a sentence."""
    sheet.any(*_EVENTS[sheet.decisions["sort"]][0])
    sheet.stated.add("sort")
    sheet.raw(" ")


_MIDDLE = (
    (
        "<It happened|This was> <in|at> {place}<|, {address}> on {when}.",
        "<It happened|This was> <in|at> {place} on {day}.",
        "<Place|Where>: {place}.",
    ),
    ("<It concerned|Involved was> the {thing}.",),
    ("<Hurt was|The person affected is> {victim}.",),
    ("{witness} <saw it|was there and can confirm it>.",),
    ("{handler} <is on it|deals with the matter|has taken the case>.",),
    ("<The damage is put at|It will cost about|Damage:> {cost}<|, of which we bear {excess}>.",),
    ("<It lasted|We lost> {minutes} minutes.",),
    ("{people} people were affected.",),
    ("<Insured with|Our insurer is> {insurer}<|, policy {policy_no}>.", "Policy {policy_no}."),
    ("<The police have it under|Police reference> {police_no}.",),
    ("<To be put right by|It must be fixed by> {due}.",),
    ("<Reported on|I report this on> {reported}<| by {reporter}>.",),
    ("<Pictures and logs|More> at {link} .",),
    ("<For questions|Ask me>: {phone}<| or {email}>.", "Contact: {email}."),
    ("Our number for it is {report_no}.",),
)


_TALE = script((), _MIDDLE)


def letter(sheet: Sheet) -> None:
    """A report in sentences, signed."""
    sheet.any(
        "<Incident report|Report|Notice of damage><| {report_no}><|, {company}>\n",
        "<To whom it may concern|Dear colleagues>,\n",
    )
    sheet.blank()
    event(sheet)
    _TALE(sheet)
    sheet.blank()
    sheet.any("<Signed,|Yours,|> {reporter}<|, {company}>", "{reporter}")


def form(sheet: Sheet) -> None:
    """A form with a free text."""
    labelled(
        ("<INCIDENT FORM|Accident book|Report sheet>", "<Incident|Case> {report_no}"),
        [key for key in DECLARED.facts if sheet.maybe(0.85)],
        note=("",),
    )(sheet)
    sheet.raw(sheet.rng.choice(("What happened: ", "Description: ", "Facts: ")))
    event(sheet)


def chat(sheet: Sheet) -> None:
    """A hasty message to a channel."""
    sheet.any("<heads up|hi all|fyi>: ", "[{when}] ", "@{handler} ")
    event(sheet)
    script((), _MIDDLE, keep=0.4)(sheet)
    sheet.any("/ {reporter}", "- {reporter}")


def page(sheet: Sheet) -> None:
    """A Markdown page."""
    markdown(("Incident {report_no}", "<Post-mortem|Incident>: {place}"), DECLARED.facts)(sheet)
    sheet.line("## <Summary|What happened>")
    event(sheet)


KIND = Kind(
    name="incident",
    domains=("incident report", "accident report", "post_mortem"),
    pool=DECLARED.pool(),
    world=world,
    layouts={"letter": letter, "form": form, "chat": chat, "page": page},
    wordy=frozenset(("letter", "chat")),
)
