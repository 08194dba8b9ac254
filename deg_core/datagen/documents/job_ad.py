"""Job advertisements: the facts of one, and the kind itself."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.job_fields import POOL
from deg_core.datagen.documents.job_layouts import LAYOUTS
from deg_core.datagen.documents.job_trades import JOBS, LANGUAGES
from deg_core.datagen.documents.job_words import LABELS, STATEMENTS
from deg_core.datagen.documents.kind import Kind


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Employer, job, conditions, contact and dates of one advertisement."""
    sheet = new_sheet(rng, labels=LABELS, statements=STATEMENTS, lang=lang, wordy=wordy)
    sector = rng.choice(tuple(JOBS))
    titles, skills, degrees, departments = JOBS[sector]
    seniority = rng.choice(("entry", "mid", "senior", "lead"))
    title = rng.choice(titles)
    before = {"entry": ("Junior ", "", ""), "senior": ("Senior ", ""), "lead": ("Head ", "Lead ", ""), "mid": ("",)}[
        seniority
    ]
    sheet.text("title", rng.choice(before) + title)
    employer = names.company(rng, lang)
    sheet.text("employer", employer)
    add_address(sheet, "office", lang)
    sheet.facts["location"] = sheet.facts["office_city"]
    two = rng.sample(skills, 2)
    drawn: list[tuple[str, float, str]] = [
        ("agency", 0.2, names.company(rng, lang)),
        ("hq", 0.25, names.place_name(rng)),
        ("job_ref", 0.45, names.code(rng, "JOB", "R", "V", "HR", "REQ")),
        ("department", 0.5, rng.choice(departments)),
        (
            "boss",
            0.35,
            rng.choice(
                (
                    "the head of department",
                    "the managing director",
                    "the site manager",
                    "the chief nurse",
                    "the CTO",
                    "the head chef",
                    "the plant manager",
                    "the owner",
                )
            ),
        ),
        ("recruiter", 0.6, names.person(rng, titled=0.2)),
        ("phone", 0.4, names.phone(rng)),
        ("skill", 0.65, two[0]),
        ("nice_skill", 0.45, two[1]),
        ("language", 0.5, rng.choice(LANGUAGES)),
        ("degree", 0.45, rng.choice(degrees)),
    ]
    for key, share, text in drawn:
        if sheet.maybe(share):
            sheet.text(key, text)
    if sheet.maybe(0.35):
        sheet.set("address", "{office_address}", composite=True)
    host = names.domain(rng, employer)
    if sheet.maybe(0.6):
        sheet.text(
            "email", names.email(rng, rng.choice(("jobs", "hr", "careers", "work", "bewerbung", employer)), host)
        )
    if sheet.maybe(0.4):
        sheet.text("link", names.url(rng, host, "/jobs", "/careers", f"/jobs/{names.digits(rng, 4)}", "/apply"))
    sheet.decisions.update(sector=sector, seniority=seniority)
    _numbers(sheet)
    _days(sheet)
    _decisions(sheet)
    return sheet


def _numbers(sheet: Sheet) -> None:
    rng = sheet.rng
    period = rng.choice(("year", "year", "month", "hour", "day"))
    sheet.decisions["pay_period"] = period
    low, step = {"year": (28_000, 1_000), "month": (1_900, 100), "hour": (12, 1), "day": (180, 10)}[period]
    pay = low + step * rng.randrange(1, 40)
    top = pay + step * rng.randrange(2, 15)
    if sheet.maybe(0.6):
        sheet.whole_money("pay_min", Decimal(pay))
        if sheet.maybe(0.75):
            sheet.whole_money("pay_max", Decimal(top))
    else:
        sheet.decisions.pop("pay_period")
    if sheet.maybe(0.2):
        sheet.whole_money("bonus", Decimal(rng.choice((500, 750, 900, 300))))
    for key, share, amount in (
        ("holidays", 0.45, rng.randrange(24, 36)),
        ("years", 0.5, rng.randrange(1, 11)),
        ("team_size", 0.35, rng.randrange(3, 30)),
        ("staff", 0.3, rng.randrange(40, 900)),
        ("openings", 0.2, rng.randrange(2, 9)),
        ("travel", 0.2, rng.choice((10, 20, 25, 40, 50))),
    ):
        if sheet.maybe(share):
            sheet.number(key, amount)
    if sheet.maybe(0.45):
        hours = Decimal(rng.choice(("20", "25", "30", "35", "37.5", "38.5", "40")))
        sheet.number("hours", hours if hours % 1 else int(hours))
        sheet.decisions["load"] = "full" if hours >= 35 else "part"
    if sheet.decisions["seniority"] == "entry":
        sheet.drop("years")


def _days(sheet: Sheet) -> None:
    posted = draw_day(sheet.rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    for key, share, low, high in (
        ("posted", 0.35, 0, 0),
        ("apply_by", 0.6, 14, 60),
        ("interview_day", 0.2, 65, 80),
        ("start_date", 0.5, 90, 200),
    ):
        if sheet.maybe(share):
            sheet.day(key, posted + dt.timedelta(days=sheet.rng.randint(low, high)))
    sheet.decisions["contract"] = sheet.rng.choice(
        ("permanent", "permanent", "permanent", "fixed", "fixed", "freelance", "intern", "apprentice", "volunteer")
    )
    if sheet.decisions["contract"] == "fixed" and sheet.maybe(0.6):
        sheet.day("contract_end", posted + dt.timedelta(days=sheet.rng.randint(400, 900)))
    if sheet.decisions["contract"] == "volunteer":
        sheet.drop("pay_min", "pay_max", "bonus", "pay_period")
    if sheet.decisions["contract"] in ("intern", "apprentice") and sheet.decisions["seniority"] != "entry":
        sheet.decisions["contract"] = "permanent"


def _decisions(sheet: Sheet) -> None:
    rng, decisions = sheet.rng, sheet.decisions
    decisions["work_place"] = (
        rng.choice(("remote", "hybrid", "hybrid", "onsite", "field"))
        if decisions["sector"] in ("it", "finance", "law", "sales")
        else rng.choice(("onsite", "onsite", "field", "hybrid"))
    )
    if decisions["work_place"] == "remote":
        sheet.drop("address", "travel")
    decisions.setdefault("load", rng.choice(("full", "part", "shift", "mini")))
    decisions["urgency"] = (
        3 if sheet.maybe(0.2) and not sheet.has("start_date") and not sheet.has("apply_by") else rng.choice((0, 1, 2))
    )
    if sheet.has("apply_by") and decisions["urgency"] == 0:
        decisions["urgency"] = 1
    decisions["formality"] = rng.randrange(3)
    for key in ("visa", "licence", "letter", "starters", "car"):
        decisions[key] = rng.random() < 0.5
    for key, share in (
        ("work_place", 0.65),
        ("contract", 0.65),
        ("load", 0.5),
        ("seniority", 0.6),
        ("pay_period", 0.8),
        ("visa", 0.3),
        ("licence", 0.3),
        ("letter", 0.35),
        ("starters", 0.3),
        ("car", 0.2),
        ("urgency", 0.35),
        ("formality", 0.4),
    ):
        if not sheet.maybe(share):
            decisions.pop(key, None)


KIND = Kind(
    name="job_ad",
    domains=("job advert", "job posting", "vacancy", "recruiting"),
    pool=POOL,
    world=world,
    layouts=LAYOUTS,
    held_out=frozenset(("notice_board", "interview_talk")),
    langs={"german": ("de",), "label_list": ("en", "en", "en", "de"), "data": ("en", "en", "de")},
    wordy=frozenset(("prose", "mail_from_recruiter", "social_post", "newspaper", "notice_board", "interview_talk")),
    exact=frozenset(("data", "table_row")),
)
