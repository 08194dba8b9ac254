"""Announcements of events: concerts, talks, markets, runs, workshops."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, markdown, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind

_DAYS = "day end_day register_by rain_day"
_SUMS = "price reduced door_price"
_KINDS = {
    "concert": ("{w} Quartet live", "An evening with {p}", "{t} Jazz Night", "Songs of the {w}"), "talk": ("Why bees matter", "The future of {w} cities", "{p} in conversation", "A short history of {t}"), "market": ("{t} Flea Market", "Christmas market {t}", "{w} Craft Fair"), "run": ("{t} Half Marathon", "{w} Night Run", "Charity Swim {t}"),
    "workshop": ("Bookbinding for beginners", "Intro to woodturning", "Sourdough workshop", "Repair café {t}"), "theatre": ("The Last {w}", "A Winter in {t}", "{w} and other lies"), "exhibition": ("{p}: paintings", "Shapes of {w}", "Photographs from {t}"), "conference": ("{w}Conf", "{t} Forum on Water", "Data Days {t}"),
}

DECLARED = declare(
    ask("title", "string", "title|event name|event|name of event", "title of the event", labels="Event|Title|What", near="venue host", weight=2),
    ask("venue", "string", "venue|location|place", "place where it takes place", labels="Venue|Where|Place", near="title host city", weight=1.8),
    ask("address", "string", "address|venue address", "address of the venue", labels="Address", near="venue", weight=1.1),
    ask("city", "string", "city|town", "town of the event", labels="City|Town", near="venue", weight=1.1),
    ask("host", "string", "organizer|host|organiser|organised by", "who organises the event", labels="Organiser|Hosted by|Presented by", near="speaker sponsor venue", weight=1.6),
    ask("speaker", "string", "speaker|artist|performer|headliner", "person who speaks, plays or leads", labels="With|Speaker|Artist", near="contact host", weight=1.4),
    ask("sponsor", "string", "sponsor|supported by", "sponsor of the event", labels="Sponsor|With kind support of", near="host", other_party=True),
    ask("contact", "string", "contact person|contact", "person to ask", labels="Contact|Questions", near="speaker", other_party=True),
    ask("email", "email", "contact email|email|registration email", "e-mail address for questions or registration", labels="E-mail|Register with", near="link"),
    ask("phone", "string", "phone|box office phone", "telephone number of the box office or organiser", labels="Tel.|Box office", near="email seats"),
    ask("link", "uri", "ticket url|event url|tickets link", "web address for tickets", labels="Tickets|Web|Info", near="email", weight=1.2),
    ask("code", "string", "discount code|promo code", "code for a cheaper ticket", labels="Code|Promo", near="title", weight=0.7),
    ask("start", "date-time", "starts at|start time|date time|begin", "beginning of the event, date and time", labels="Start|Begins|When", near="register_by end_day", implied_by="day", weight=1.7),
    ask("day", "date", "event date|date|day", "day of the event", labels="Date|Day|When", near="register_by end_day rain_day", implied_by="start", weight=1.6),
    ask("end_day", "date", "end date|last day|until", "last day of the event", labels="Until|Last day", near="start day register_by"),
    ask("register_by", "date", "registration deadline|register by|sign up until", "last day for registering", labels="Register by|Sign up until|Deadline", near="start day end_day", weight=1.3),
    ask("rain_day", "date", "rain date|alternative date", "other day in case of bad weather", labels="If it rains|Rain date", near="start day register_by", weight=0.8),
    ask("doors", "string", "doors open|admission from", "time at which the doors open, as written", labels="Doors|Doors open", near="start seats", weight=0.8),
    ask("price", "number", "price|ticket price|admission", "price of an ordinary ticket", labels="Tickets|Price|Admission", vague="amount", near=_SUMS, weight=1.6),
    ask("reduced", "number", "reduced price|concession price|student price", "price for students, pensioners and the like", labels="Reduced|Students|Concessions", vague="amount", near=_SUMS),
    ask("door_price", "number", "door price|price at the door", "price at the door", labels="At the door", vague="amount", near=_SUMS, weight=0.8),
    ask("seats", "integer", "capacity|seats|places", "number of places", labels="Places|Capacity|Seats", near="age minutes edition", weight=1.1),
    ask("age", "integer", "minimum age|age from", "age from which people may come", labels="From age|Minimum age", near="seats minutes edition"),
    ask("minutes", "integer", "duration minutes|running time", "how long it lasts, in minutes", labels="Running time (min)|Minutes", near="seats age edition"),
    ask("edition", "integer", "edition|edition number", "how many times it has been held, this one included", labels="Edition no.", near="seats age minutes", weight=0.7),
    choice("sort", "category|event type|type", "kind of event", {key: (label, "", ()) for key, label in (("concert", "concert"), ("talk", "talk|lecture"), ("market", "market|fair"), ("run", "sports|race"), ("workshop", "workshop|course"), ("theatre", "theatre|play"), ("exhibition", "exhibition"), ("conference", "conference"), ("film", "film screening"))}, weight=2),
    choice("state", "status|event status", "does it take place?", {"on": ("takes place|scheduled", "", ("<As planned|It takes place in any weather>.",)), "moved": ("postponed|rescheduled", "another day than announced", ("<Postponed, note the new date|Moved from last month>.",)), "off": ("cancelled", "", ("<CANCELLED|Sadly it cannot take place>.",)), "sold": ("sold out", "no tickets left", ("<Sold out|No tickets left>.",))}, weight=1.6, unknown=True),
    choice("entry", "admission type|ticket type", "how one gets in", {"free": ("free", "no charge", ("<Free entry|Admission free>.",)), "ticket": ("ticket", "a paid ticket", ()), "donation": ("donation|pay what you can", "", ("<Pay what you like|A hat goes round>.",)), "invite": ("invitation only", "", ("<By invitation only|Members and invited guests only>.",))}, weight=1.2),
    choice("mode", "format|attendance mode", "on site or online", {"site": ("on site|in person", "", ("<In person only|No stream>.",)), "online": ("online", "", ("<Online, the link comes by mail|Only on the net>.",)), "both": ("hybrid", "both", ("<In the hall and as a stream|On site and online>.",))}, unknown=True),
    flag("kids", "family friendly|suitable for children", "is it for children too?", ("<Children welcome|Fun for the whole family>.",), ("<Adults only|Not suitable for children>.",), implied_by="age", unknown=True, weight=1.2),
    flag("access", "wheelchair accessible|step free", "can one get in with a wheelchair?", ("<Step-free "
                                                                                            "access|Wheelchair users "
                                                                                            "welcome, there is a lift>.",), ("<Unfortunately there are stairs and no lift|Not accessible by wheelchair>.",), unknown=True),
    flag("food", "food available|catering", "is there something to eat?", ("<Soup and bread on sale|Food trucks in "
                                                                           "the yard|A buffet is included>.",), ("<No food on site, bring your own|Nothing to eat there>.",), unknown=True),
    flag("register", "registration required|must register", "must one register?", ("<Please register|Registration is "
                                                                                   "necessary>.",), ("<No registration, just come|Drop in>.",), implied_by="register_by", unknown=True, weight=1.1),
)


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Title, place, time, prices and conditions of one event."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_KINDS))
    sheet.text("title", rng.choice(_KINDS[sort]).format(w=names.shop(rng).split()[0], p=names.person(rng), t=names.place_name(rng)))
    venue = rng.choice((f"{names.place_name(rng)} Town Hall", f"The {names.surname(rng)} Theatre", f"Club {names.given_name(rng)}", "the old tram depot", f"{names.surname(rng)} Library", f"Villa {names.surname(rng)}", f"Pier {rng.randrange(2, 19)}", "Market Square", f"Hall {rng.randrange(2, 9)}, Expo {names.place_name(rng)}"))
    sheet.text("venue", venue)
    host = names.shop(rng)
    domain = names.domain(rng, host)
    add_address(sheet, "site", "en")
    sheet.texts(0.55, host=host, speaker=names.person(rng, titled=0.2), link=names.url(rng, domain, "/tickets", f"/e/{names.digits(rng, 4)}", "/events"))
    sheet.texts(0.35, sponsor=names.company(rng), contact=names.person(rng), email=f"{rng.choice(('tickets', 'info', "
                                                                                   f"'events', 'hello'))}@{domain}", phone=names.phone(rng), doors=f"{rng.randrange(9, 21)}:{rng.choice(('00', '30', '45'))}")
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
    for key, share, shift in (("end_day", 0.3 if sort in ("market", "exhibition", "conference") else 0, rng.randrange(2, 40)), ("register_by", 0.35, -rng.randrange(5, 40)), ("rain_day", 0.3 if sort in ("run", "market", "concert") else 0, 7)):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=shift))
    for key, share, low, high in (("price", 0.6, 8, 120), ("reduced", 0.3, 3, 8), ("door_price", 0.2, 121, 140)):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(low, high)) + Decimal(rng.choice(("0", "0.5"))))
    for key, share, low, high in (("seats", 0.35, 12, 900), ("age", 0.25, 6, 19), ("minutes", 0.25, 40, 190), ("edition", 0.2, 2, 40)):
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


_MIDDLE = (("<It begins on|Start:|We start on> {start}<| (doors {doors})>.", "<It is on|Save the date:|On> {day}."), ("<At|In|Come to> {venue}<|, {address}><|, {city}>.", "Venue: {venue}."), ("Until {end_day}.", "It <runs|goes on> until {end_day}."), ("<Register|Sign up> <by|until> {register_by}<| with {email}>.",), ("If it rains, <we meet on|it will be on> {rain_day}.",), ("<Tickets cost|Tickets are|Entry:> {price}<|, {reduced} for students>.", "{price} a head."), ("Students pay {reduced}.",), ("<At the door it is|Door price> {door_price}.",), ("<There is room for|Only> {seats} <people|places>.",), ("<For ages|From age> {age} and up.",),
           ("It lasts {minutes} minutes.",), ("<This is edition no.|It is held for time number> {edition}.",), ("<Organised|Presented> by {host}<|, with the support of {sponsor}>.", "{host} invites you."), ("<With|On stage:|Guest:> {speaker}.",), ("Thanks to {sponsor} for the money.", "Our sponsor: {sponsor}."), ("<Questions to|Ask> {contact}<|, {phone}>.", "Tel. {phone}."), ("<Tickets at|More:|See> {link} <.|>",), ("<Write to|Mail> {email}.",), ("Code {code} <makes it cheaper|for friends>.",))
_TALE = script((), _MIDDLE)


def poster(sheet: Sheet) -> None:
    """A poster: the title, then short lines."""
    sheet.line("<* {title} *|{title}|~ {title} ~>")
    script((), _MIDDLE, end="\n")(sheet)
    _known(sheet)


def mail(sheet: Sheet) -> None:
    """An invitation by mail."""
    sheet.any("Subject: <invitation|you are invited>: {title}\n\n", "")
    sheet.put("<Dear friends|Hello everybody|Dear members>,\n<we invite you to|do come to|we are happy to announce> "
              "<\"|“>{title}<\"|”>. ")
    _TALE(sheet)
    sheet.blank()
    sheet.any("<Yours|See you there>, {host}", "{contact}", "{contact}, {host}")
    _known(sheet)


def notice(sheet: Sheet) -> None:
    """A notice in a local paper."""
    sheet.any("{city} - ", "{venue} - ", "")
    sheet.any("{host} <presents|announces|puts on> \"{title}\". ", "\"{title}\" <comes to|is on at> {venue}. ")
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
    name="event", domains=("event announcement", "invitation", "local news"), pool=DECLARED.pool(), world=world,
    layouts={"poster": poster, "mail": mail, "notice": notice, "listing": listing, "data": data, "page": page}, wordy=frozenset(("poster", "mail", "notice")), exact=frozenset(("data",)))
