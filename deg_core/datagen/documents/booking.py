"""Appointments and bookings: doctors, hairdressers, restaurants, hotels, workshops."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, markdown, scale, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind

_DAYS = "day cancel_by booked_on old_day"
_PLACES = {
    "doctor": (("Dr. {s}", "{t} Dental Practice", "Praxis {s}", "{t} Eye Clinic"), ("check-up", "vaccination", "blood test", "cleaning", "eye test")),
    "hair": (("Salon {g}", "{w} Hair", "Cut & {w}"), ("haircut", "colour and cut", "beard trim", "bridal hair")),
    "restaurant": (("Trattoria {g}", "The {w} Table", "{s}'s Kitchen"), ("dinner", "lunch", "brunch", "the tasting menu")),
    "hotel": (("Hotel {t}", "The {w} Inn", "Pension {s}"), ("double room", "single room", "family suite", "room with sea view")),
    "garage": (("Garage {s}", "{w} Motors", "{t} Tyres"), ("inspection", "tyre change", "oil change", "brake repair")),
    "course": (("{t} Pottery School", "{w} Yoga", "Studio {g}"), ("pottery course", "trial lesson", "yoga class", "swimming lesson")),
}

DECLARED = declare(
    ask("place", "string", "venue|business|provider|place", "place or business that is booked", labels="With|At|Where", near="guest staff", weight=1.7),
    ask("guest", "string", "customer|guest|booked by|name", "name the booking is for", labels="Name|Booked for|Guest", near="staff place", weight=1.7),
    ask("staff", "string", "staff member|appointment with|practitioner", "person who will attend to the customer", labels="Your appointment with|Handled by", near="guest", other_party=True, weight=1.2),
    ask("service", "string", "service|treatment|what is booked|booking type", "what is booked", labels="Service|What|Booking", near="place", weight=1.5),
    ask("code", "string", "booking number|confirmation code|booking reference", "code of the booking", labels="Booking no.|Confirmation|Reference", de="Buchungsnummer", near="phone guest_phone plate", weight=1.5),
    ask("address", "string", "address|venue address", "address of the place", labels="Address|Find us at", near="place", weight=1.1),
    ask("phone", "string", "venue phone|business phone", "telephone number of the place", labels="Phone|Call us", vague="phone", near="guest_phone code"),
    ask("guest_phone", "string", "customer phone|guest phone|mobile", "telephone number of the customer", labels="Your phone|Mobile", vague="phone", near="phone code", other_party=True),
    ask("email", "email", "venue email|contact email", "e-mail address of the place", labels="E-mail|Write to us", vague="email", near="guest_email"),
    ask("guest_email", "email", "customer email|guest email", "e-mail address of the customer", labels="Your e-mail", vague="email", near="email", other_party=True),
    ask("link", "uri", "booking link|manage url", "web address for changing the booking", labels="Change or cancel|Manage booking", near="email"),
    ask("plate", "string", "licence plate|car registration", "registration of the car", labels="Licence plate|Car", near="code", weight=0.7),
    ask("when", "date-time", "appointment time|starts at|date time|booked for", "date and time of the appointment", labels="When|Date and time|Appointment", near="cancel_by booked_on day", implied_by="day", weight=1.8),
    ask("day", "date", "date|appointment date|day", "day of the appointment or arrival", labels="Date|Day", near="cancel_by booked_on", implied_by="when", weight=1.6),
    ask("old_day", "date", "previous date|original date", "day before it was moved", labels="Was|Old date", near="day cancel_by booked_on", weight=0.8),
    ask("cancel_by", "date", "cancellation deadline|cancel by|free cancellation until", "last day for cancelling", labels="Cancel by|Free cancellation until", near=_DAYS, weight=1.3),
    ask("booked_on", "date", "booked on|booking date", "day on which the booking was made", labels="Booked on|Made on", near=_DAYS),
    ask("people", "integer", "number of people|party size|guests", "number of people", labels="People|Guests|Persons", near="minutes nights room", weight=1.3),
    ask("minutes", "integer", "duration minutes|duration", "duration in minutes", labels="Duration (min)|Minutes", near="people nights"),
    ask("nights", "integer", "nights|number of nights", "number of nights", labels="Nights", near="people minutes", weight=0.8),
    ask("room", "string", "room|room number|table number", "room or table", labels="Room|Table|Room no.", near="code people"),
    ask("price", "number", "price|total price|cost", "price of the booking", labels="Price|Total", vague="amount", near="deposit fee", weight=1.3),
    ask("deposit", "number", "deposit|prepayment", "amount paid in advance", labels="Deposit", vague="amount", near="price fee"),
    ask("fee", "number", "cancellation fee|no show fee", "charge for not coming", labels="No-show fee|Cancellation fee", vague="amount", near="price deposit"),
    choice("state", "status|booking status|state", "state of the booking", {
        "confirmed": ("confirmed", "fixed", ("<Confirmed|Your booking is confirmed|We have you down>.",)), "moved": ("rescheduled|moved", "another time than before", ("<We had to move it|The time has changed|Rescheduled>.",)),
        "cancelled": ("cancelled", "", ("<Cancelled|The appointment is off|It has been called off>.",)), "waiting": ("waiting list|pending", "not yet fixed", ("<You are on the waiting list|Not confirmed yet>.",)), "requested": ("requested|asked for", "the customer asks for a time", ("<I would like to book this, is it possible?|Request only, please answer.>",))}, weight=1.8),
    choice("sort", "category|type of business", "kind of business", {key: (label, "", ()) for key, label in (("doctor", "medical"), ("hair", "hairdresser"), ("restaurant", "restaurant"), ("hotel", "hotel"), ("garage", "car workshop"), ("course", "course or class"), ("airline", "flight"), ("cinema", "cinema"))}, weight=1.4),
    choice("sender", "written by|sender role", "who writes: the customer or the business", {"customer": ("customer|guest", "", ()), "business": ("business|provider", "", ()), "third": ("someone else|third party", "", ())}, weight=0.9),
    flag("bring", "documents needed|bring documents", "must the customer bring papers?", ("<Please bring your insurance card|Bring an ID|Don't forget your papers>.",), ("<You need not bring anything|No papers needed>.",), unknown=True),
    flag("free", "free cancellation|can cancel for free", "can it be cancelled without cost?", ("<Cancelling is free|You can cancel at no cost>.",), ("<Non-refundable|No refunds if you do not come>.",), implied_by="fee", unknown=True),
    flag("early", "arrive early|come early", "is the customer asked to come early?", ("<Please be there ten minutes "
                                                                                      "early|Come a little before "
                                                                                      "time>.",), ("<Please do not come early, the waiting room is small|On the dot is fine>.",), unknown=True),
    flag("paid", "prepaid|already paid", "has it been paid in advance?", ("<Already paid|Paid online>.",), ("<You pay on the spot|Payment after the visit>.",), implied_by="deposit", unknown=True),
    scale("need", "urgency|how urgent", "how urgent the appointment is", [("routine|no hurry", ("<Just the routine "
                                                                                                "visit|Nothing urgent>.",)), ("normal", ("<In the next weeks would be good|Some time this month>.",)), ("soon", ("<It should be soon, it hurts a little|Better this week>.",)), ("emergency", ("<Emergency, I cannot wait|It is acute>!",))], weight=0.9),
)


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Place, guest, time, prices and codes of one booking."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_PLACES))
    patterns, services = _PLACES[sort]
    place = rng.choice(patterns).format(s=names.surname(rng), t=names.place_name(rng), w=names.shop(rng).split()[0], g=names.given_name(rng))
    guest = names.person(rng, titled=0.1)
    host = names.domain(rng, place)
    sheet.text("place", place)
    sheet.text("guest", guest)
    sheet.text("service", rng.choice(services))
    add_address(sheet, "venue", "en")
    if sheet.maybe(0.45):
        sheet.set("address", "{venue_address}", composite=True)
    sheet.texts(0.5, code=names.code(rng, "BK", "RES", "T"), phone=names.phone(rng), email=f"{rng.choice(('info', "
                                                                                           f"'booking', 'hello', "
                                                                                           f"'desk'))}@{host}")
    sheet.texts(0.35, staff=names.person(rng, titled=0.3), guest_phone=names.phone(rng), guest_email=names.email(rng, guest, f"{names.slug(names.surname(rng))}.example.org"), link=names.url(rng, host, "/manage", f"/b/{names.digits(rng, 5)}"))
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
    for key, share, back in (("cancel_by", 0.35, rng.randrange(1, 4)), ("booked_on", 0.3, rng.randrange(8, 60)), ("old_day", 0.9 if state == "moved" else 0, rng.randrange(4, 7))):
        if sheet.maybe(share):
            sheet.day(key, day - dt.timedelta(days=back))
    for key, share, amount in (("people", 0.7 if sort in ("restaurant", "hotel", "course") else 0, rng.randrange(1, 13)), ("minutes", 0.5 if sort in ("doctor", "hair", "course") else 0, rng.choice((20, 30, 45, 60, 75, 90))), ("nights", 0.8 if sort == "hotel" else 0, rng.randrange(1, 15))):
        if sheet.maybe(share):
            sheet.number(key, amount)
    if sort == "garage":
        sheet.texts(0.6, plate=f"{rng.choice(('KX', 'B-', 'LM', 'AB'))}{rng.randrange(10, 99)} {rng.choice(('ZYT', "
                               f"'QRS', 'LOE', 'HNP'))}")
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


_MIDDLE = (("<It is about|You booked|Booked is|What:> {service}<| with {staff}>.", "{service} with {staff}."), ("<When|It is on|The time is>: {when}.", "<On|We see you on> {when}.", "<On|For> {day}."), ("<We are at|The address is|Come to> {address}.",), ("<Booking|Confirmation> {code}.", "<Please quote|Reference> {code}."), ("<For|Table for|There will be> {people} <people|persons>.", "Party of {people}."), ("It takes {minutes} minutes.", "<Allow|Plan> {minutes} min."), ("{nights} nights.", "<You stay|Stay of> {nights} nights."),
           ("<Room|Number> {room}.",), ("<It costs|Price:> {price}<|, of which {deposit} is paid already>.",), ("A deposit of {deposit} <is due|was taken>.",), ("<If you do not come, we charge|No-shows pay> {fee}.",), ("<Cancel|Change it> by {cancel_by}<|, please>.", "Free cancellation until {cancel_by}."), ("<You booked on|Booked on|Made on> {booked_on}.",), ("<It was to be on|The old date was|Instead of> {old_day}.",), ("<Ring us on|Call> {phone}.", "<Mail|Write to> {email}."), ("<Change it here|Manage it at>: {link} .",), ("<Car|Plate> {plate}.",), ("<Your number for us is|We have your number as> {guest_phone}.", "We have {guest_email} as your mail."))


def _role(sheet: Sheet) -> None:
    asks = sheet.decisions.get("state") == "requested"
    sheet.decisions["sender"] = "customer" if asks else "business"
    sheet.stated.add("sender")


_BODY = script((("<Dear|Hello|Hi> {guest},\n", "{guest}, <a reminder from|news from> {place}. ", "{place}: "),), _MIDDLE, (("<See you soon,|Yours,|Kind regards,> {place}", "{place}", "{staff}, {place}"),))
_ASK = script((("<Hello|Dear|Hi> {place},\n", "Good day, "), ("<my name is|this is> {guest}, ", "")), _MIDDLE[:9] + _MIDDLE[16:], (("<Thanks|Regards>, {guest}<|, {guest_phone}><|, {guest_email}>", "{guest}"),))


def message(sheet: Sheet) -> None:
    """A mail or letter, from the business or (for a request) from the customer."""
    _role(sheet)
    (_ASK if sheet.decisions["sender"] == "customer" else _BODY)(sheet)


def text(sheet: Sheet) -> None:
    """A short text message."""
    sheet.any("<Reminder|Hi {guest}>: {service} at {place} <on|-> {when}. ", "{place}: {service}, {day}. ", "{guest}, {when}, {place}. ")
    script((), _MIDDLE[2:], keep=0.25)(sheet)


_HEADING = ("<Booking|Appointment|Reservation> <confirmation|details|slip>", "{place}", "<Your visit|Your booking>")
KIND = Kind(
    name="booking", domains=("appointment", "booking", "reservation"), pool=DECLARED.pool(), world=world,
    layouts={"message": message, "text": text, "slip": labelled(_HEADING, DECLARED.facts), "data": labelled(_HEADING, DECLARED.facts, data=True), "markdown": markdown(_HEADING, DECLARED.facts)},
    wordy=frozenset(("message", "text")), exact=frozenset(("data",)))
