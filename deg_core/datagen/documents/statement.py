"""Statements of banks and utilities."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import decide, labelled, markdown, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.statement_fields import DECLARED

_ISSUERS = {
    "bank": "Bank of {t}|{s} Bank|{t} Savings",
    "card": "{t} Card|{s} Card Services",
    "power": "{t} Energy|{w} Power",
    "gas": "{t} Gas|{w} Heat",
    "water": "{t} Water|Wasserwerk {t}",
    "phone": "{w}Tel|{t} Fibre",
}


_TARIFFS = {
    "bank": "Current Account Plus|Young Saver|Business Giro",
    "card": "Gold|Travel Card|Classic",
    "power": "Green Home|Day & Night|Fix 24",
    "gas": "Comfort 12|Heat Flex",
    "water": "Household",
    "phone": "Fibre 250|Mobile M|Home & Go",
}


_NAMES = {
    "bank": "<Account statement|Bank statement>",
    "card": "<Credit card statement|Card statement>",
    "power": "<Electricity bill|Power bill>",
    "gas": "<Gas bill|Heating bill>",
    "water": "<Water bill|Water and sewage>",
    "phone": "<Phone bill|Internet and telephone>",
}


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Issuer, customer, period, balances, readings of one statement."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_ISSUERS))
    issuer = rng.choice(_ISSUERS[sort].split("|")).format(
        t=names.place_name(rng), s=names.surname(rng), w=names.shop(rng).split()[-1]
    )
    host = names.domain(rng, issuer)
    sheet.text("issuer", issuer)
    sheet.text("holder", names.person(rng, titled=0.15))
    for side in ("holder", "issuer"):
        add_address(sheet, f"{side}_home", "en")
        if sheet.maybe(0.35):
            sheet.set(f"{side}_address", f"{{{side}_home_address}}", composite=True)
    sheet.texts(
        0.5,
        customer_no=names.code(rng, "C", "K"),
        statement_no=names.code(rng, "ST", "B", "R"),
        tariff=rng.choice(_TARIFFS[sort].split("|")),
    )
    sheet.texts(
        0.3,
        adviser=names.person(rng),
        phone=names.phone(rng),
        email=f"{rng.choice(('service', 'help', 'care'))}@{host}",
        link=names.url(rng, host, "/my", "/portal"),
        contract=names.code(rng, "V", "CT"),
    )
    sheet.texts(
        0.7 if sort in ("bank", "card") else 0.2, account=names.iban(rng) if sort == "bank" else names.digits(rng, 10)
    )
    first = draw_day(rng, dt.date(2022, 1, 1), dt.date(2027, 5, 1))
    for key, share, low, high in (
        ("first", 0.55, 0, 0),
        ("last", 0.55, 30, 90),
        ("issued", 0.55, 92, 100),
        ("due", 0.45, 110, 130),
        ("next", 0.25, 140, 420),
    ):
        if sheet.maybe(share):
            sheet.day(key, first + dt.timedelta(days=rng.randint(low, high)))
    _figures(sheet, sort)
    decide(sheet, DECLARED, share=0.45)
    if sort in ("bank", "card"):
        sheet.decisions.pop("estimated", None)
    if sheet.has("due_sum") and sheet.decisions.get("pay") == "none":
        sheet.decisions["pay"] = "debit"
    sheet.decisions["sort"] = sort
    return sheet


def _figures(sheet: Sheet, sort: str) -> None:
    rng = sheet.rng
    charges, paid = draw_price(rng, 20, 900), draw_price(rng, 10, 700)
    bank = sort in ("bank", "card")
    for key, share, amount in (
        ("opening", 0.6 if bank else 0.3, draw_price(rng, 5, 4000)),
        ("closing", 0.7 if bank else 0.2, draw_price(rng, 5, 4000)),
        ("charges", 0.5, charges),
        ("paid", 0.4, paid),
        ("due_sum", 0.2 if sort == "bank" else 0.6, draw_price(rng, 8, 600)),
        ("instalment", 0 if bank else 0.35, draw_price(rng, 15, 190)),
        ("credit", 0.4 if bank else 0, Decimal(rng.choice((500, 750, 900)))),
        ("fee", 0.3, draw_price(rng, 1, 20)),
    ):
        if sheet.maybe(share):
            sheet.money(key, amount)
    if bank and sheet.maybe(0.4):
        sheet.number("rate", Decimal(rng.randrange(5, 190)) / 10)
    if sort in ("power", "gas", "water"):
        if sheet.maybe(0.6):
            sheet.text("meter", names.code(rng, "M", "Z"))
        old, used = rng.randrange(1000, 60000), rng.randrange(101, 990)
        unit = {"power": " kWh", "gas": " kWh", "water": " m³"}[sort]
        for key, share, count, after in (
            ("old_reading", 0.5, old, ""),
            ("new_reading", 0.6, old + used, ""),
            ("used", 0.6, used, unit),
        ):
            if sheet.maybe(share):
                sheet.number(key, count, after=after)


_LINES = (
    ("<This covers|Period:> {first} to {last}.", "<From|Starting> {first}.", "Up to {last}."),
    ("<At the beginning you had|The old balance was|Brought forward:> {opening}.",),
    ("<At the end there is|The new balance is> {closing}.",),
    ("<This period cost|Charges:> {charges}<|, against which you paid {paid}>.",),
    ("You have paid {paid}<| so far>.",),
    ("<Please pay|To pay:> {due_sum}<| by {due}>.", "<Still due|Amount due>: {due_sum}."),
    ("Payment is due on {due}.",),
    ("<From now on|New instalment:> {instalment} a month.",),
    ("<The account may be overdrawn to|Limit:> {credit}.",),
    ("<The fee is|Fee:> {fee}.",),
    ("<We charge|Interest:> {rate} %.",),
    ("<You used|Consumption:> {used}<|; the meter went from {old_reading} to {new_reading}>.",),
    ("<The meter|Meter {meter}> stands at {new_reading}<|, it was {old_reading}>.", "Old reading {old_reading}."),
    ("Meter {meter}.",),
    ("<Account|It concerns account> {account}.",),
    ("<Your customer number is|Customer> {customer_no}.",),
    ("<Contract|Under contract> {contract}<|, tariff {tariff}>.", "<Your tariff|Product>: {tariff}."),
    ("<The next reading is|We come again> on {next}.",),
    ("<Ask|Your adviser is> {adviser}<|, {phone}>.", "Call {phone}."),
    ("<More in the portal|See> {link} .",),
    ("<Write to|Mail> {email}.",),
)


def _head(sheet: Sheet) -> None:
    sheet.put(_NAMES[sheet.decisions["sort"]])
    sheet.any(" {statement_no}\n", " of {issued}\n", "\n")
    sheet.stated.add("sort")


def letter(sheet: Sheet) -> None:
    """A letter with the figures in sentences."""
    sheet.any("{issuer}<|, {issuer_address}>\n")
    sheet.any("{holder}\n{holder_address}\n", "{holder}\n")
    sheet.any("{issued}\n", "")
    _head(sheet)
    sheet.line("<Dear|Hello> {holder},")
    script((), _LINES)(sheet)
    sheet.any("\nYours, {issuer}", "\n{adviser}<|, {issuer}>", "")


def sheet_of_figures(sheet: Sheet) -> None:
    """Labels and figures."""
    _head(sheet)
    labelled(("{issuer}", "", "<Overview|At a glance>"), DECLARED.facts)(sheet)


def message(sheet: Sheet) -> None:
    """A short message."""
    sheet.any("{issuer}: ", "<Hello|Hi> {holder}, ")
    sheet.put("your ")
    sheet.put(_NAMES[sheet.decisions["sort"]].lower())
    sheet.put(" <is here|is ready>. ")
    sheet.stated.add("sort")
    script((), _LINES, keep=0.35)(sheet)


def page(sheet: Sheet) -> None:
    """A Markdown page."""
    _head(sheet)
    markdown(("{issuer}", "<Overview|Summary>"), DECLARED.facts)(sheet)


KIND = Kind(
    name="statement",
    domains=("bank statement", "utility bill", "account statement"),
    pool=DECLARED.pool(),
    world=world,
    layouts={
        "letter": letter,
        "sheet": sheet_of_figures,
        "message": message,
        "page": page,
        "data": labelled((), DECLARED.facts, data=True),
    },
    wordy=frozenset(("letter", "message")),
    exact=frozenset(("data",)),
)
