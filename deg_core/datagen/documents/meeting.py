"""Meeting notes and transcripts: the facts of one, its layouts, the kind."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import (
    decide,
    labelled,
    markdown,
    say_rest,
    script,
)
from deg_core.datagen.documents.facts import Sheet, new_sheet
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.meeting_fields import MEETING

_TOPICS = {
    "budget": ("the budget for next year", "travel costs", "the new price list"),
    "hiring": ("the open post in the workshop", "two interns", "the shift plan"),
    "product": ("the release of the app", "the new packaging", "the colour of the lid"),
    "building": ("the leaking roof", "moving to the second floor", "the noisy lift"),
    "sales": ("the fair in spring", "the lost customer", "the campaign in autumn"),
    "safety": ("the fire drill", "the slippery stairs", "new helmets"),
    "club": ("the summer fete", "the membership fee", "the choir trip"),
}


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Group, people, topics, tasks and votes of one meeting."""
    sheet = new_sheet(rng, labels=MEETING.labels, statements=MEETING.statements, lang=lang, wordy=wordy)
    subject = rng.choice(tuple(_TOPICS))
    people = [rng.choice((names.person(rng), names.person(rng), names.given_name(rng))) for _ in range(5)]
    sheet.text(
        "body",
        rng.choice(
            (
                f"{names.place_name(rng)} parish council",
                "works council",
                "steering committee",
                f"board of {names.shop(rng)}",
                "safety group",
                "release team",
                f"friends of {names.place_name(rng)} museum",
                "heads of department",
                "Monday round",
            )
        ),
    )
    host = names.domain(rng, names.shop(rng))
    sheet.texts(
        0.6,
        chair=people[0],
        writer=people[1],
        owner=people[2],
        topic=rng.choice(_TOPICS[subject]),
        place=rng.choice(
            (
                f"room {rng.randrange(1, 400)}",
                "the canteen",
                f"Inn {names.surname(rng)}",
                "the library",
                "the blue room",
            )
        ),
        task=rng.choice(
            (
                "get three offers",
                "call the landlord",
                "write to all members",
                "update the plan",
                "order new chairs",
                "check the contract",
                "count the stock",
                "draft a letter",
            )
        ),
    )
    sheet.texts(
        0.35,
        absent=people[3],
        guest=people[4],
        company=names.company(rng),
        project_no=names.code(rng, "P", "AZ"),
        code=names.digits(rng, 9),
        link=names.url(rng, host, "/minutes", "/docs"),
        email=f"{rng.choice(('office', 'minutes', 'board'))}@{host}",
        next_place=rng.choice((f"room {rng.randrange(401, 900)}", "the town hall", "the old school")),
    )
    day = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    if sheet.maybe(0.35):
        sheet.moment("when", dt.datetime.combine(day, dt.time(rng.randrange(8, 20), rng.choice((0, 15, 30)))))
    elif sheet.maybe(0.8):
        sheet.day("day", day)
    for key, share, low, high in (("due", 0.5, 4, 20), ("next", 0.5, 21, 60)):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (("sum", 0.4, 100, 990), ("spent", 0.25, 10, 99)):
        if sheet.maybe(share):
            sheet.money(
                key, Decimal(rng.randrange(low, high)) * rng.choice((1, 1, 10)) + Decimal(rng.choice(("0", "0.5")))
            )
    for key, share, low, high in (
        ("votes_for", 0.4, 3, 30),
        ("votes_against", 0.25, 2, 9),
        ("present", 0.35, 31, 60),
        ("minutes", 0.25, 61, 150),
    ):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    decide(sheet, MEETING, share=0.5)
    sheet.decisions["subject"] = subject
    if sheet.has("votes_against") or sheet.has("votes_for"):
        sheet.decisions.pop("unanimous", None)
    return sheet


def _known(sheet: Sheet) -> None:
    if any(piece.kind == "open" and piece.text == "topic" for piece in sheet.pieces):
        sheet.stated.add("subject")


_LINES = (
    ("<We talked about|Main point:|On the agenda:> {topic}.",),
    (
        "{owner} <will|has promised to|is to> {task}<| by {due}>.",
        "Task: {task}<|, until {due}>.",
        "{owner} takes care of it until {due}.",
    ),
    ("<Approved were|Budget:> {sum}<|, of which {spent} is spent>.",),
    ("{spent} <has been spent|is gone> so far.",),
    ("<Votes|Result>: {votes_for} for<|, {votes_against} against>.",),
    ("{votes_against} were against.",),
    ("<Next meeting|We meet again on|See you on> {next}<|, in {next_place}>.",),
    ("{absent} <sent apologies|could not come|was excused>.",),
    ("<Guest|As a guest we had>: {guest}.",),
    ("{present} <people were there|present>.",),
    ("It took {minutes} minutes.",),
    ("<Papers are at|See> {link} .",),
    ("Comments to {email}.",),
    ("<File|Project> {project_no}.",),
    ("Dial-in code {code}.",),
)


def minutes(sheet: Sheet) -> None:
    """Minutes in the usual form."""
    sheet.any("<Minutes|Notes>: {body}<|, {company}><|, {day}>\n", "{body}<|, {when}><|, {place}>\n")
    sheet.any("<Chair|In the chair>: {chair}<|. Minutes: {writer}>\n", "<Minutes|Written> by {writer}\n", "")
    sheet.any("<Held|Met> on {when}<| in {place}>. ", "<Held|Met> on {day}<| in {place}>. ", "<Place|Room>: {place}. ")
    script((), _LINES, end="\n")(sheet)
    _known(sheet)


def mail(sheet: Sheet) -> None:
    """A mail to somebody who was not there."""
    sheet.put(
        "<Hi all|Dear colleagues|Hello>,\n<short notes from|what came out of|here is what we said at> the "
        "{body} <meeting|session>"
    )
    sheet.any(" on {day}", " ({when})", "")
    sheet.put(". ")
    sheet.any("{chair} <led|was in the chair>. ", "")
    script((), _LINES)(sheet)
    sheet.any("\n{writer}", "\n<Best|Regards>, {writer}", "")
    _known(sheet)


def transcript(sheet: Sheet) -> None:
    """People talk; roles are named as they speak."""
    chair = sheet.facts["chair"].surface.split()[0] if sheet.has("chair") else "Speaker 1"
    sheet.any("[{body}, {when}]\n", "[{body}, {day}]\n", "[{body}]\n")
    sheet.any(
        f"{chair}: {{chair}} here, I am in the chair today.\n",
        f"{chair}: welcome everybody.\n",
    )
    order = list(_LINES)
    sheet.rng.shuffle(order)
    voices = [chair, "Speaker 2", "Speaker 3"]
    for group in order:
        before = len(sheet.pieces)
        sheet.raw(sheet.rng.choice(voices) + ": ")
        if sheet.maybe(0.8) and sheet.any(*group):
            sheet.raw(" ")
            if sheet.maybe(0.3):
                say_rest(sheet, end=" ", most=1)
            sheet.raw("\n")
        else:
            del sheet.pieces[before:]
    sheet.any("Speaker 2: {writer}, <you write the minutes|thanks for taking notes>.\n", "")
    sheet.raw("Speaker 3: ")
    say_rest(sheet, end=" ")
    _known(sheet)


def listed(sheet: Sheet) -> None:
    """Labels and values."""
    labelled(("<MINUTES|Protocol|Meeting notes>",), MEETING.facts)(sheet)
    _known(sheet)


def page(sheet: Sheet) -> None:
    """A Markdown page."""
    markdown(("{body}",), MEETING.facts[1:])(sheet)
    _known(sheet)


KIND = Kind(
    name="meeting",
    domains=("meeting minutes", "meeting notes", "call transcript"),
    pool=MEETING.pool(),
    world=world,
    layouts={"minutes": minutes, "mail": mail, "transcript": transcript, "listed": listed, "page": page},
    wordy=frozenset(("minutes", "mail", "transcript")),
)
