"""Appointments and bookings: doctors, hairdressers, restaurants, hotels, workshops."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.booking_fields import DECLARED
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import decide, labelled, markdown, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind

_PLACES = {
    "doctor": (
        ("Dr. {s}", "{t} Dental Practice", "Praxis {s}", "{t} Eye Clinic"),
        ("check-up", "vaccination", "blood test", "cleaning", "eye test"),
    ),
    "hair": (("Salon {g}", "{w} Hair", "Cut & {w}"), ("haircut", "colour and cut", "beard trim", "bridal hair")),
    "restaurant": (
        ("Trattoria {g}", "The {w} Table", "{s}'s Kitchen"),
        ("dinner", "lunch", "brunch", "the tasting menu"),
    ),
    "hotel": (
        ("Hotel {t}", "The {w} Inn", "Pension {s}"),
        ("double room", "single room", "family suite", "room with sea view"),
    ),
    "garage": (("Garage {s}", "{w} Motors", "{t} Tyres"), ("inspection", "tyre change", "oil change", "brake repair")),
    "course": (
        ("{t} Pottery School", "{w} Yoga", "Studio {g}"),
        ("pottery course", "trial lesson", "yoga class", "swimming lesson"),
    ),
}


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Place, guest, time, prices and codes of one booking."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_PLACES))
    patterns, services = _PLACES[sort]
    place = rng.choice(patterns).format(
        s=names.surname(rng), t=names.place_name(rng), w=names.shop(rng).split()[0], g=names.given_name(rng)
    )
    guest = names.person(rng, titled=0.1)
    host = names.domain(rng, place)
    sheet.text("place", place)
    sheet.text("guest", guest)
    sheet.text("service", rng.choice(services))
    add_address(sheet, "venue", "en")
    if sheet.maybe(0.45):
        sheet.set("address", "{venue_address}", composite=True)
    sheet.texts(
        0.5,
        code=names.code(rng, "BK", "RES", "T"),
        phone=names.phone(rng),
        email=f"{rng.choice(('info', 'booking', 'hello', 'desk'))}@{host}",
    )
    sheet.texts(
        0.35,
        staff=names.person(rng, titled=0.3),
        guest_phone=names.phone(rng),
        guest_email=names.email(rng, guest, f"{names.slug(names.surname(rng))}.example.org"),
        link=names.url(rng, host, "/manage", f"/b/{names.digits(rng, 5)}"),
    )
    day = draw_day(rng, dt.date(2024, 1, 2), dt.date(2027, 9, 30))
    if sheet.maybe(0.65):
        sheet.moment("when", dt.datetime.combine(day, dt.time(rng.randrange(8, 21), rng.choice((0, 15, 30, 45)))))
    else:
        sheet.day("day", day)
    _rest(sheet, sort, day)
    return sheet


def _rest(sheet: Sheet, sort: str, day: dt.date) -> None:
    rng = sheet.rng
    state = rng.choice(("confirmed", "confirmed", "moved", "cancelled", "waiting", "requested"))
    for key, share, back in (
        ("cancel_by", 0.35, rng.randrange(1, 4)),
        ("booked_on", 0.3, rng.randrange(8, 60)),
        ("old_day", 0.9 if state == "moved" else 0, rng.randrange(4, 7)),
    ):
        if sheet.maybe(share):
            sheet.day(key, day - dt.timedelta(days=back))
    for key, share, amount in (
        ("people", 0.7 if sort in ("restaurant", "hotel", "course") else 0, rng.randrange(1, 13)),
        ("minutes", 0.5 if sort in ("doctor", "hair", "course") else 0, rng.choice((20, 30, 45, 60, 75, 90))),
        ("nights", 0.8 if sort == "hotel" else 0, rng.randrange(1, 15)),
    ):
        if sheet.maybe(share):
            sheet.number(key, amount)
    if sort == "garage":
        sheet.texts(
            0.6,
            plate=f"{rng.choice(('KX', 'B-', 'LM', 'AB'))}{rng.randrange(10, 99)} "
            f"{rng.choice(('ZYT', 'QRS', 'LOE', 'HNP'))}",
        )
    if sort in ("hotel", "restaurant", "doctor"):
        sheet.texts(0.4, room=f"{rng.randrange(1, 500)}{rng.choice(('', '', 'b'))}")
    for key, share, low, high in (("price", 0.5, 20, 400), ("deposit", 0.25, 5, 19), ("fee", 0.25, 5, 60)):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(low, high)) + Decimal(rng.choice(("0", "0.5", "0.9"))))
    decide(sheet, DECLARED, state=state)
    if sheet.has("fee") or sheet.has("cancel_by"):
        sheet.decisions.pop("free", None)
    if sort != "doctor":
        sheet.decisions.pop("need", None)
    sheet.decisions["sort"] = sort
    sheet.stated.add("sort")
    if "state" in sheet.decisions and sheet.decisions["state"] == "requested":
        sheet.drop("staff", "code", "deposit", "fee", "old_day")


_MIDDLE = (
    ("<It is about|You booked|Booked is|What:> {service}<| with {staff}>.", "{service} with {staff}."),
    ("<When|It is on|The time is>: {when}.", "<On|We see you on> {when}.", "<On|For> {day}."),
    ("<We are at|The address is|Come to> {address}.",),
    ("<Booking|Confirmation> {code}.", "<Please quote|Reference> {code}."),
    ("<For|Table for|There will be> {people} <people|persons>.", "Party of {people}."),
    ("It takes {minutes} minutes.", "<Allow|Plan> {minutes} min."),
    ("{nights} nights.", "<You stay|Stay of> {nights} nights."),
    ("<Room|Number> {room}.",),
    ("<It costs|Price:> {price}<|, of which {deposit} is paid already>.",),
    ("A deposit of {deposit} <is due|was taken>.",),
    ("<If you do not come, we charge|No-shows pay> {fee}.",),
    ("<Cancel|Change it> by {cancel_by}<|, please>.", "Free cancellation until {cancel_by}."),
    ("<You booked on|Booked on|Made on> {booked_on}.",),
    ("<It was to be on|The old date was|Instead of> {old_day}.",),
    ("<Ring us on|Call> {phone}.", "<Mail|Write to> {email}."),
    ("<Change it here|Manage it at>: {link} .",),
    ("<Car|Plate> {plate}.",),
    ("<Your number for us is|We have your number as> {guest_phone}.", "We have {guest_email} as your mail."),
)


def _role(sheet: Sheet) -> None:
    asks = sheet.decisions.get("state") == "requested"
    sheet.decisions["sender"] = "customer" if asks else "business"
    sheet.stated.add("sender")


_BODY = script(
    (("<Dear|Hello|Hi> {guest},\n", "{guest}, <a reminder from|news from> {place}. ", "{place}: "),),
    _MIDDLE,
    (("<See you soon,|Yours,|Kind regards,> {place}", "{place}", "{staff}, {place}"),),
)


_ASK = script(
    (("<Hello|Dear|Hi> {place},\n", "Good day, "), ("<my name is|this is> {guest}, ", "")),
    _MIDDLE[:9] + _MIDDLE[16:],
    (("<Thanks|Regards>, {guest}<|, {guest_phone}><|, {guest_email}>", "{guest}"),),
)


def message(sheet: Sheet) -> None:
    """A mail or letter, from the business or (for a request) from the customer."""
    _role(sheet)
    (_ASK if sheet.decisions["sender"] == "customer" else _BODY)(sheet)


def text(sheet: Sheet) -> None:
    """A short text message."""
    sheet.any(
        "<Reminder|Hi {guest}>: {service} at {place} <on|-> {when}. ",
        "{place}: {service}, {day}. ",
        "{guest}, {when}, {place}. ",
    )
    script((), _MIDDLE[2:], keep=0.25)(sheet)


_HEADING = ("<Booking|Appointment|Reservation> <confirmation|details|slip>", "{place}", "<Your visit|Your booking>")


KIND = Kind(
    name="booking",
    domains=("appointment", "booking", "reservation"),
    pool=DECLARED.pool(),
    world=world,
    layouts={
        "message": message,
        "text": text,
        "slip": labelled(_HEADING, DECLARED.facts),
        "data": labelled(_HEADING, DECLARED.facts, data=True),
        "markdown": markdown(_HEADING, DECLARED.facts),
    },
    wordy=frozenset(("message", "text")),
    exact=frozenset(("data",)),
)
