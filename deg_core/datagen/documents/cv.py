"""CVs: a person, work, schools, skills."""

from __future__ import annotations

import datetime as dt
import random

from deg_core.datagen.documents import names
from deg_core.datagen.documents.cv_fields import DECLARED
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import decide, labelled, markdown, say_rest, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.job_trades import JOBS, LANGUAGES
from deg_core.datagen.documents.kind import Kind


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Person, jobs, schools, skills and wishes of one applicant."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    field = rng.choice(tuple(JOBS))
    titles, skills, degrees, _ = JOBS[field]
    jobs = rng.sample(titles, 3)
    person = names.person(rng, titled=0.05)
    referee = names.person(rng, titled=0.3)
    sheet.text("person", person)
    add_address(sheet, "home", "en")
    if sheet.maybe(0.5):
        sheet.set("address", "{home_address}", composite=True)
    elif sheet.maybe(0.5):
        sheet.facts["city"] = sheet.facts["home_city"]
    tongues = rng.sample(LANGUAGES, 2)
    sheet.texts(
        0.75,
        job=jobs[0],
        firm=names.company(rng),
        email=names.email(rng, person, f"{names.slug(names.surname(rng))}.example.com"),
    )
    sheet.texts(
        0.5,
        phone=names.phone(rng),
        old_job=jobs[1],
        old_firm=names.company(rng),
        school=rng.choice(
            (
                f"University of {names.place_name(rng)}",
                f"{names.place_name(rng)} College",
                f"{names.surname(rng)} Institute",
                f"FH {names.place_name(rng)}",
            )
        ),
        degree=rng.choice(degrees),
        skill=rng.choice(skills),
        language=tongues[0],
        other_language=tongues[1],
    )
    sheet.texts(
        0.3,
        born_in=names.place_name(rng),
        firm_city=names.place_name(rng),
        wanted=jobs[2],
        hobby=rng.choice(
            (
                "choir singing",
                "beekeeping",
                "long-distance swimming",
                "chess",
                "baking bread",
                "rock climbing",
                "amateur theatre",
                "birdwatching",
                "gliding",
            )
        ),
        referee=referee,
        link=names.url(rng, names.domain(rng, person), "", "/work"),
    )
    if sheet.has("referee"):
        sheet.texts(
            0.5,
            referee_email=names.email(rng, referee, names.domain(rng, names.shop(rng))),
            referee_phone=names.phone(rng),
        )
    born = draw_day(rng, dt.date(1962, 1, 1), dt.date(2003, 1, 1))
    for key, share, low, high in (
        ("born", 0.45, 0, 0),
        ("graduated", 0.3, 8000, 9400),
        ("old_until", 0.3, 9500, 10400),
        ("since", 0.4, 10500, 11000),
        ("available", 0.4, 11600, 12000),
    ):
        if sheet.maybe(share):
            sheet.day(key, born + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (
        ("years", 0.45, 2, 30),
        ("team", 0.25, 2, 40),
        ("notice", 0.25, 2, 13),
        ("children", 0.15, 1, 5),
    ):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    decide(
        sheet,
        DECLARED,
        share=0.5,
        state="working" if sheet.has("job") or sheet.has("firm") else rng.choice(("seeking", "self")),
    )
    if sheet.has("team"):
        sheet.decisions.pop("leader", None)
    sheet.decisions["field"] = field
    return sheet


def _known(sheet: Sheet) -> None:
    if any(piece.kind == "open" and piece.text in ("job", "old_job") for piece in sheet.pieces):
        sheet.stated.add("field")


_WORK = (
    ("{job}<| at {firm}><|, {firm_city}><|, since {since}>", "<Since {since}:|Now:> {job}<|, {firm}>"),
    ("<Before that|Earlier|Previously>: {old_job}<|, {old_firm}><| (until {old_until})>", "{old_job} at {old_firm}"),
    ("{degree}<|, {school}><|, {graduated}><|, grade {grade}>", "{school}<|, {graduated}>"),
)


_REST = (
    ("<Strongest in|Knows> {skill}.", "Skills: above all {skill}."),
    ("{years} years of experience<|, leads {team} people>.", "<With|Having> {years} years in the trade."),
    (
        "<Mother tongue|Native speaker of> {language}<|, also speaks {other_language}>.",
        "{language} native, {other_language} fluent.",
    ),
    ("Leads a team of {team}.",),
    ("<Free|Available|Can start> from {available}<|, notice {notice} weeks>.",),
    ("{notice} weeks of notice.",),
    ("<Spare time|Likes>: {hobby}.", "Enjoys {hobby}."),
    ("{children} children.",),
    ("<Reference|Referee|Ask>: {referee}<|, {referee_email}><|, {referee_phone}>.",),
    ("<Born|Born on> {born}<| in {born_in}>.", "Born in {born_in}."),
    ("<Applying for|Wants to become> {wanted}.",),
)


def resume(sheet: Sheet) -> None:
    """The usual CV with sections."""
    sheet.line("<CURRICULUM VITAE|CV|Résumé|>")
    sheet.line("{person}")
    sheet.any("{address}\n", "{city}\n", "")
    for key in ("email", "phone", "link"):
        sheet.any(f"<|{ {'email': 'E-mail', 'phone': 'Tel', 'link': 'Web'}[key] }: >{{{key}}}\n", "")
    sheet.blank()
    sheet.line("<WORK|Experience|Career>")
    for group in _WORK[:2]:
        sheet.any(*[f"<- |>{text}\n" for text in group])
    sheet.line("<EDUCATION|Studies|Training>")
    sheet.any(*[f"{text}\n" for text in _WORK[2]])
    sheet.line("<OTHER|Further facts|Personal>")
    script((), _REST, end="\n")(sheet)
    _known(sheet)


def cover(sheet: Sheet) -> None:
    """A short letter of application."""
    sheet.put("<Dear Sir or Madam|To the hiring team|Hello>,\n\n")
    sheet.any(
        "my name is {person} and I <apply for|would like> the post of {wanted}. ", "I am {person}<|, from {city}>. "
    )
    sheet.any("<At present|Today> I am {job}<| at {firm}><|, since {since}>. ", "I work at {firm}. ", "")
    sheet.any(
        "Before that I was {old_job}<| at {old_firm}><| until {old_until}>. ", "I used to work for {old_firm}. ", ""
    )
    sheet.any("I studied at {school}<|, degree: {degree}><| ({graduated})>. ", "I have a {degree}. ", "")
    sheet.any("What I do best is {skill}. ", "")
    sheet.any("I can start on {available}. ", "")
    sheet.any("You can ask {referee}<|, {referee_email}><|, {referee_phone}> about me. ", "")
    sheet.any("In my free time: {hobby}. ", "")
    sheet.any("{language} is my mother tongue<|, and I speak {other_language}>. ", "")
    say_rest(sheet, end=" ")
    sheet.blank()
    sheet.any("<Yours|Regards>, {person}<|\n{phone}><|\n{email}><|\n{address}>")
    _known(sheet)


def profile(sheet: Sheet) -> None:
    """A recruiter's summary in the third person."""
    sheet.any("<Candidate|Profile>: {person}<|, {city}><|, {email}>. ", "{person} <could be|is> a good match. ")
    sheet.any("<Works as|Currently> {job}<| with {firm}>. ", "With {firm} at present. ", "")
    sheet.any("<Was|Formerly> {old_job}<| with {old_firm}>. ", "")
    sheet.any("<Holds|Has> a {degree}<| from {school}>. ", "<Went to|Studied at> {school}. ", "")
    script((), _REST)(sheet)
    sheet.any("<Reach them on|Call> {phone}.", "")
    _known(sheet)


def listed(sheet: Sheet) -> None:
    """Labels and values."""
    labelled(("<Applicant data|Application form|CV at a glance>",), DECLARED.facts)(sheet)
    _known(sheet)


def data(sheet: Sheet) -> None:
    """An export from an applicant tool."""
    labelled((), DECLARED.facts, data=True)(sheet)
    _known(sheet)


def page(sheet: Sheet) -> None:
    """A Markdown CV."""
    markdown(("{person}",), DECLARED.facts[1:])(sheet)
    _known(sheet)


KIND = Kind(
    name="cv",
    domains=("CV", "application", "cover letter"),
    pool=DECLARED.pool(),
    world=world,
    layouts={"resume": resume, "cover": cover, "profile": profile, "listed": listed, "data": data, "page": page},
    wordy=frozenset(("resume", "cover", "profile")),
    exact=frozenset(("data",)),
)
