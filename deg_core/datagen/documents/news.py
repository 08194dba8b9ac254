"""News blurbs: short reports from towns, companies and sports."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, scale, script
from deg_core.datagen.documents.facts import Sheet, new_sheet
from deg_core.datagen.documents.kind import Kind

_PEOPLE = "subject quoted critic author"
_DAYS = "day published planned"

DECLARED = declare(
    ask("org", "string", "organisation|company|institution|organization", "organisation the report is about", labels="Organisation|About", near="source partner", weight=1.8),
    ask("partner", "string", "partner|other organisation|second organisation", "other organisation that takes part", labels="Partner", near="org source", other_party=True, weight=1.1),
    ask("source", "string", "source|newspaper|publisher", "newspaper or agency that reports", labels="Source|Paper", near="org", other_party=True, weight=1.2),
    ask("author", "string", "author|byline|reporter", "who wrote the report", labels="By|Author", near=_PEOPLE, other_party=True, weight=1.2),
    ask("subject", "string", "person|main person|protagonist", "person the report is about", labels="Person", near=_PEOPLE, weight=1.6),
    ask("role", "string", "role|position|job title", "role of that person", labels="Role", near="org", weight=1.2),
    ask("quoted", "string", "spokesperson|quoted person|person quoted", "person who is quoted", labels="Quoted", near=_PEOPLE, other_party=True, weight=1.4),
    ask("critic", "string", "critic|opponent", "person who objects", labels="Critic", near=_PEOPLE, other_party=True, weight=1.1),
    ask("place", "string", "city|place|location|town", "town where it happened", labels="Place|Town", near="other_place", weight=1.7),
    ask("other_place", "string", "second place|other town", "other town that is named", labels="Other town", near="place", other_party=True, weight=0.9),
    ask("thing", "string", "project|subject matter", "what was opened, launched, stopped or planned", labels="What|Project", near="org", weight=1.4),
    ask("day", "date", "event date|date|happened on", "day on which it happened", labels="Happened|Day", near=_DAYS, weight=1.6),
    ask("published", "date", "publication date|published|dateline", "day of the report", labels="Published|Dateline", near=_DAYS, weight=1.3),
    ask("planned", "date", "planned date|next step date|opening date", "day planned for the next step", labels="Planned for|Next step", near=_DAYS, weight=1.3),
    ask("cost", "number", "cost|amount|investment", "cost in money", labels="Cost|Investment", near="loss grant", weight=1.4),
    ask("grant", "number", "grant|subsidy|public money", "public money that was given", labels="Grant", near="cost loss"),
    ask("loss", "number", "loss|losses|shortfall", "loss in money", labels="Loss", near="cost grant", weight=0.9),
    ask("jobs", "integer", "jobs|number of jobs|positions", "number of jobs", labels="Jobs", near="visitors hurt age", weight=1.3),
    ask("visitors", "integer", "visitors|attendance|participants", "number of visitors", labels="Visitors", near="jobs age hurt"),
    ask("age", "integer", "age|age of person", "age of the main person", labels="Age", near="jobs visitors percent", weight=1),
    ask("percent", "number", "percent|percentage|change percent", "change in percent", labels="Percent", near="age jobs cost"),
    ask("link", "uri", "url|link|more", "web address for more", labels="More|Link", near="email"),
    ask("email", "email", "press contact|press email", "e-mail address of the press office", labels="Press", near="link"),
    choice("what", "event type|category|news type", "kind of news", {"open": ("opening|launch", "", ("<It opens its doors|The ribbon was cut>.",)), "close": ("closure", "", ("<The doors are shut for good|It is closing down>.",)), "merge": ("merger|takeover", "", ("<The two become one|It has been bought up>.",)), "award": ("award|prize", "", ("<A prize went to them|It was honoured with a medal>.",)), "strike": ("strike|protest", "", ("<Work has stopped, pickets stand at the gate|People marched through the streets>.",)), "record": ("record", "", ("<Never before was so much reached|A record was broken>.",)), "accident": ("accident", "", ("<Something went badly wrong on site|An accident was reported>.",)), "vote": ("vote|decision", "", ("<The council has voted|It was decided by vote>.",))}, weight=2.2),
    choice("tone", "tone|sentiment", "how the report judges it", {"good": ("positive", "", ("<Everybody is delighted|Good news for the region>.",)), "bad": ("negative", "", ("<A bitter blow|Sad news>.",)), "plain": ("neutral", "", ("<These are the facts|That is all there is to report>.",))}, weight=1.4),
    choice("field", "section|sector|topic", "section of the paper", {"business": ("business", "", ("<The markets took note|Shares moved a little>.",)), "culture": ("culture", "", ("<Theatre lovers rejoice|The art world listens>.",)), "sport": ("sport", "", ("<The fans sang|The coach smiled>.",)), "science": ("science", "", ("<Researchers were surprised|The study is printed in a journal>.",)), "politics": ("politics", "", ("<The opposition protests|The mayor's coalition is split>.",)), "traffic": ("traffic", "", ("<Expect jams|Trains run as usual again>.",))}, weight=1.4),
    flag("confirmed", "confirmed|officially confirmed", "has it been officially confirmed?", ("<Officials confirmed it|The company confirms>.",), ("<Nobody would confirm it|So far it is a rumour>.",), unknown=True, weight=1.4),
    flag("injured", "injuries|people hurt", "was anybody hurt?", ("<Two people were hurt|Several were taken to hospital>.",), ("<Nobody was hurt|All escaped unharmed>.",), unknown=True, weight=1),
    flag("first", "first time|is first", "is it the first of its kind?", ("<It is the first of its kind|A first>.",), ("<It is not the first|There have been others before>.",), unknown=True),
    scale("reach", "importance|reach", "how far the news matters", [("local", ("<Only the neighbourhood cares|A matter for one street>.",)), ("regional", ("<The whole region is talking|A matter for the county>.",)), ("national", ("<The whole country looks on|National papers report>.",)), ("worldwide", ("<The whole world is watching|Reports reach every continent>.",))], weight=1.2),
)


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Who, what, where, when and how much of one report."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    org = rng.choice((names.company(rng), names.shop(rng), f"{names.place_name(rng)} Museum", f"FC {names.place_name(rng)}", f"University of {names.place_name(rng)}"))
    sheet.text("org", org)
    sheet.text("place", names.place_name(rng))
    host = names.domain(rng, org)
    sheet.texts(0.5, subject=names.person(rng), role=rng.choice(("director", "mayor", "chief engineer", "head coach", "curator", "founder", "chief executive", "goalkeeper")), quoted=names.person(rng, titled=0.2), thing=rng.choice(("a tram line", "the new swimming hall", "a battery plant", "the night market", "an app for seed swaps", "the bridge over the weir", "a wooden tower", "the archive of maps")))
    sheet.texts(0.35, partner=names.company(rng), source=rng.choice((f"{names.place_name(rng)} Courier", f"The {names.place_name(rng)} Echo", "Morning Post", "NordPress")), author=names.person(rng), critic=names.person(rng), other_place=names.place_name(rng), link=names.url(rng, host, "/news", "/press"), email=f"press@{host}")
    day = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    for key, share, low, high in (("day", 0.65, 0, 0), ("published", 0.4, 1, 4), ("planned", 0.4, 30, 400)):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=rng.randint(low, high)))
    for key, share in (("cost", 0.45), ("grant", 0.2), ("loss", 0.2)):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(100, 900)) * rng.choice((1, 100, 1000)) + Decimal(rng.choice(("0", "0.5"))))
    for key, share, low, high in (("jobs", 0.35, 5, 900), ("visitors", 0.25, 20, 990), ("age", 0.25, 19, 95)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    if sheet.maybe(0.25):
        sheet.number("percent", Decimal(rng.randrange(5, 400)) / 10)
    decide(sheet, DECLARED, share=0.55)
    if sheet.decisions.get("what") in ("open", "merge", "award", "vote"):
        sheet.decisions.pop("injured", None)
    return sheet


_LINES = (("<On {day}|It was on {day} that> {org} <made the news|surprised everybody><| with {thing}>.", "<It happened|The day was> {day}.", "At issue is {thing}."), ("{subject}<|, {age},> <is the|works there as> {role}.", "{subject} <stands behind it|is at the centre of it>."), ("{subject} is {age}.",), ("<\"We did not expect this\", said|As put by|In the words of> {quoted}<|, \"it is a start\">.", "{quoted} <spoke to us|answered our questions>."), ("{critic} <objects|sees it differently|calls it a mistake>.",), ("<It costs|The bill:|About> {cost}<|, of which {grant} is public money> <was spent|in all>.", "<Cost|Price tag>: {cost}."), ("The state gives {grant}.",), ("<The year ended with|There is> a loss of {loss}.",), ("{jobs} <jobs|positions> <are affected|are at stake|hang on it>.",), ("{visitors} <visitors came|people took part>.",), ("<That is|A change of> {percent} percent<| on the year before>.",), ("{partner} <takes part|is the partner>.", "Together with {partner}."),
          ("The next step is <planned|set> for {planned}.", "<On {planned}|From {planned}> things go on."), ("Something similar <exists|was tried> in {other_place}.",), ("<More at|Read on:> {link} .",), ("Press office: {email}.",))


def blurb(sheet: Sheet) -> None:
    """A report with a dateline."""
    sheet.any("{place} ({source}) - ", "{place}, {published} - ", "{place}. ", "<News from|Report from> {place}: ")
    sheet.any("{org} <has news|is in the headlines>. ", "<Talk of the town is|All eyes are on> {org}. ", "")
    script((), _LINES)(sheet)
    sheet.any("({author})", "<By|Text:> {author}", "")
    sheet.any(" {published}", " [{source}, {published}]", "")


def agency(sheet: Sheet) -> None:
    """An agency item with a slug line."""
    sheet.any("+++ {source} +++ {place} +++\n", "{source} / {published} / {place}\n", "{place} <--|:> {org}\n".replace("<--|:>", "/"))
    script((), _LINES, keep=0.6, end="\n")(sheet)
    sheet.any("{author}", "")


def post(sheet: Sheet) -> None:
    """Somebody shares the news."""
    sheet.put("<Did you hear?|Wow:|Just read> {org} <in|over in> {place}! ")
    script((), _LINES, keep=0.45)(sheet)
    sheet.any("<via|seen in> {source}<|, by {author}>", "{link}", "")


KIND = Kind(name="news", domains=("local news", "news", "press release"), pool=DECLARED.pool(), world=world,
            layouts={"blurb": blurb, "agency": agency, "post": post, "facts": labelled(("<In brief|Fact box|At a glance>",), DECLARED.facts)}, wordy=frozenset(("blurb", "agency", "post")))
