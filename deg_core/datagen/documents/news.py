"""News blurbs: short reports from towns, companies and sports."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import decide, labelled, script
from deg_core.datagen.documents.facts import Sheet, new_sheet
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.news_fields import DECLARED


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Who, what, where, when and how much of one report."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    org = rng.choice(
        (
            names.company(rng),
            names.shop(rng),
            f"{names.place_name(rng)} Museum",
            f"FC {names.place_name(rng)}",
            f"University of {names.place_name(rng)}",
        )
    )
    sheet.text("org", org)
    sheet.text("place", names.place_name(rng))
    host = names.domain(rng, org)
    sheet.texts(
        0.5,
        subject=names.person(rng),
        role=rng.choice(
            ("director", "mayor", "chief engineer", "head coach", "curator", "founder", "chief executive", "goalkeeper")
        ),
        quoted=names.person(rng, titled=0.2),
        thing=rng.choice(
            (
                "a tram line",
                "the new swimming hall",
                "a battery plant",
                "the night market",
                "an app for seed swaps",
                "the bridge over the weir",
                "a wooden tower",
                "the archive of maps",
            )
        ),
    )
    sheet.texts(
        0.35,
        partner=names.company(rng),
        source=rng.choice(
            (f"{names.place_name(rng)} Courier", f"The {names.place_name(rng)} Echo", "Morning Post", "NordPress")
        ),
        author=names.person(rng),
        critic=names.person(rng),
        other_place=names.place_name(rng),
        link=names.url(rng, host, "/news", "/press"),
        email=f"press@{host}",
    )
    day = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    for key, share, low, high in (("day", 0.65, 0, 0), ("published", 0.4, 1, 4), ("planned", 0.4, 30, 400)):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=rng.randint(low, high)))
    for key, share in (("cost", 0.45), ("grant", 0.2), ("loss", 0.2)):
        if sheet.maybe(share):
            sheet.money(
                key, Decimal(rng.randrange(100, 900)) * rng.choice((1, 100, 1000)) + Decimal(rng.choice(("0", "0.5")))
            )
    for key, share, low, high in (("jobs", 0.35, 5, 900), ("visitors", 0.25, 20, 990), ("age", 0.25, 19, 95)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    if sheet.maybe(0.25):
        sheet.number("percent", Decimal(rng.randrange(5, 400)) / 10)
    decide(sheet, DECLARED, share=0.55)
    if sheet.decisions.get("what") in ("open", "merge", "award", "vote"):
        sheet.decisions.pop("injured", None)
    return sheet


_LINES = (
    (
        "<On {day}|It was on {day} that> {org} <made the news|surprised everybody><| with {thing}>.",
        "<It happened|The day was> {day}.",
        "At issue is {thing}.",
    ),
    ("{subject}<|, {age},> <is the|works there as> {role}.", "{subject} <stands behind it|is at the centre of it>."),
    ("{subject} is {age}.",),
    (
        '<"We did not expect this", said|As put by|In the words of> {quoted}<|, "it is a start">.',
        "{quoted} <spoke to us|answered our questions>.",
    ),
    ("{critic} <objects|sees it differently|calls it a mistake>.",),
    (
        "<It costs|The bill:|About> {cost}<|, of which {grant} is public money> <was spent|in all>.",
        "<Cost|Price tag>: {cost}.",
    ),
    ("The state gives {grant}.",),
    ("<The year ended with|There is> a loss of {loss}.",),
    ("{jobs} <jobs|positions> <are affected|are at stake|hang on it>.",),
    ("{visitors} <visitors came|people took part>.",),
    ("<That is|A change of> {percent} percent<| on the year before>.",),
    ("{partner} <takes part|is the partner>.", "Together with {partner}."),
    ("The next step is <planned|set> for {planned}.", "<On {planned}|From {planned}> things go on."),
    ("Something similar <exists|was tried> in {other_place}.",),
    ("<More at|Read on:> {link} .",),
    ("Press office: {email}.",),
)


def blurb(sheet: Sheet) -> None:
    """A report with a dateline."""
    sheet.any("{place} ({source}) - ", "{place}, {published} - ", "{place}. ", "<News from|Report from> {place}: ")
    sheet.any("{org} <has news|is in the headlines>. ", "<Talk of the town is|All eyes are on> {org}. ", "")
    script((), _LINES)(sheet)
    sheet.any("({author})", "<By|Text:> {author}", "")
    sheet.any(" {published}", " [{source}, {published}]", "")


def agency(sheet: Sheet) -> None:
    """An agency item with a slug line."""
    sheet.any(
        "+++ {source} +++ {place} +++\n",
        "{source} / {published} / {place}\n",
        "{place} <--|:> {org}\n".replace("<--|:>", "/"),
    )
    script((), _LINES, keep=0.6, end="\n")(sheet)
    sheet.any("{author}", "")


def post(sheet: Sheet) -> None:
    """Somebody shares the news."""
    sheet.put("<Did you hear?|Wow:|Just read> {org} <in|over in> {place}! ")
    script((), _LINES, keep=0.45)(sheet)
    sheet.any("<via|seen in> {source}<|, by {author}>", "{link}", "")


KIND = Kind(
    name="news",
    domains=("local news", "news", "press release"),
    pool=DECLARED.pool(),
    world=world,
    layouts={
        "blurb": blurb,
        "agency": agency,
        "post": post,
        "facts": labelled(("<In brief|Fact box|At a glance>",), DECLARED.facts),
    },
    wordy=frozenset(("blurb", "agency", "post")),
)
