"""Leases and service contracts, in clauses or in short."""

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
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.lease_fields import DECLARED

_THINGS = {
    "flat": ("two-room flat", "attic flat", "studio", "flat on the third floor", "furnished room"),
    "office": ("office", "practice rooms", "shop", "workshop unit", "storage room"),
    "vehicle": ("delivery van", "electric car", "cargo bike", "forklift"),
    "machine": ("coffee machine", "copier", "water dispenser", "scissor lift"),
    "service": ("cleaning of the stairwell", "garden care", "lift maintenance", "bookkeeping"),
    "land": ("allotment garden", "parking space", "field by the river"),
}


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Parties, object, term, money and rules of one contract."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_THINGS))
    owner = names.company(rng) if sheet.maybe(0.6) else names.person(rng, titled=0.1)
    tenant = names.person(rng) if sheet.maybe(0.6) else names.company(rng)
    sheet.text("owner", owner)
    sheet.text("tenant", tenant)
    sheet.text("thing", rng.choice(_THINGS[sort]))
    for side, share in (("owner", 0.45), ("tenant", 0.4), ("object", 0.5)):
        add_address(sheet, f"{side}_home", "en")
        if sheet.maybe(share):
            sheet.set("place" if side == "object" else f"{side}_address", f"{{{side}_home_address}}", composite=True)
    sheet.texts(
        0.35,
        agent=names.company(rng),
        contract_no=names.code(rng, "C", "L", "MV"),
        owner_email=names.email(rng, owner, names.domain(rng, owner)),
        tenant_email=names.email(rng, tenant, names.domain(rng, tenant)),
        iban=names.iban(rng),
    )
    signed = draw_day(rng, dt.date(2022, 1, 2), dt.date(2027, 6, 30))
    for key, share, low, high in (
        ("signed", 0.5, 0, 0),
        ("start", 0.7, 5, 60),
        ("handover", 0.3, 61, 66),
        ("end", 0.4, 400, 1500),
        ("notice_by", 0.2, 300, 390),
    ):
        if sheet.maybe(share):
            sheet.day(key, signed + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (
        ("rent", 0.85, 40, 990),
        ("deposit", 0.5, 100, 990),
        ("extras", 0.35, 15, 240),
        ("late_fee", 0.25, 5, 40),
    ):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(low, high)) + Decimal(rng.choice(("0", "0", "0.5"))))
    for key, share, low, high in (("notice_months", 0.5, 2, 7), ("pay_day", 0.35, 1, 28)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    if sort in ("flat", "office"):
        sheet.texts(0.4, unit=f"{rng.randrange(1, 60)}{rng.choice(('', 'A', 'B', '-L'))}")
        for key, share, low, high in (("rooms", 0.4, 1, 7), ("keys", 0.4, 2, 9), ("area", 0.5, 18, 190)):
            if sheet.maybe(share):
                sheet.number(key, rng.randrange(low, high))
    _rules(sheet, sort)
    return sheet


def _rules(sheet: Sheet, sort: str) -> None:
    decide(
        sheet,
        DECLARED,
        share=0.5,
        term="fixed"
        if sheet.has("end") and sheet.maybe(0.7)
        else sheet.rng.choice(("renews",) if sheet.has("end") else ("open", "renews")),
    )
    if sort not in ("flat", "office"):
        for key in ("pets", "smoke", "strict"):
            sheet.decisions.pop(key, None)
    if sort == "service":
        for key in ("sublet", "furnished", "repairs"):
            sheet.decisions.pop(key, None)
    sheet.decisions["sort"] = sort
    sheet.stated.add("sort")


_CLAUSES = (
    (
        "<The rent is|The tenant pays> {rent} a month<|, plus {extras} for heating and water><|, on day "
        "{pay_day} of each month>.",
        "{rent} <is payable monthly|per month>.",
    ),
    ("<A deposit of|As security> {deposit} <is paid|is held> <at the start|on an account>.",),
    ("<It begins|The term begins|The contract starts> on {start}<| and ends on {end}>.", "From {start}."),
    ("It ends on {end}.",),
    ("<Notice is|Either side may give notice of> {notice_months} months.", "Period of notice: {notice_months} months."),
    ("<Notice must be given|Cancel> by {notice_by} at the latest.",),
    ("<The keys|The object> <change hands|will be handed over> on {handover}<|, {keys} keys in all>.",),
    ("{keys} keys are handed over.",),
    ("<The object lies at|It is situated at> {place}<|, unit {unit}>.",),
    ("It has {area} square metres<| and {rooms} rooms>.",),
    ("Late payment costs {late_fee} a time.", "For each reminder {late_fee} is charged."),
    ("<Payments go to|Pay into> {iban}.",),
    ("<The contract is kept under|Contract> no. {contract_no}.",),
    ("<It is managed by|The landlord is represented by> {agent}.",),
)


def clauses(sheet: Sheet) -> None:
    """Numbered clauses between two parties."""
    sheet.any(
        "<LEASE|RENTAL AGREEMENT|CONTRACT|AGREEMENT (SHORT FORM)><| no. {contract_no}>\n",
        "<Agreement|Contract> of {signed}\n",
    )
    sheet.any(
        '<between|made between> {owner}<|, {owner_address}> ("{o}") and {tenant}<|, {tenant_address}> '
        '("{t}")\n'.replace("{o}", "landlord").replace("{t}", "tenant"),
        "{owner} (we) - {tenant} (you)\n",
    )
    sheet.line("<Object|About|Concerning>: {thing}")
    sheet.blank()
    number = 0
    order = list(_CLAUSES)
    sheet.rng.shuffle(order)
    mark = sheet.rng.choice(("{}. ", "§ {} ", "({}) ", "Art. {}: "))
    for group in order:
        before = len(sheet.pieces)
        sheet.raw(mark.format(number + 1))
        if sheet.any(*group):
            number += 1
            if sheet.maybe(0.35):
                sheet.raw(" ")
                say_rest(sheet, end=" ", most=1)
            sheet.raw("\n")
        else:
            del sheet.pieces[before:]
    sheet.raw(mark.format(number + 1))
    say_rest(sheet, end=" ")
    sheet.blank()
    sheet.any("<Signed|Done>: {signed}<|, {owner}><|, {tenant}>\n", "{owner} / {tenant}\n")


summary = script(
    (
        ("<In short|Summary>: ", ""),
        (
            "{owner} <lets|rents out> <the|a> {thing} to {tenant}. ",
            "{tenant} <has rented|rents> <the|a> {thing} from {owner}. ",
            "<On {signed}|>{tenant} and {owner} <agreed|signed> on <the|a> {thing}. ",
        ),
        ("Signed {signed}. ", "It was signed on {signed}. ", ""),
    ),
    _CLAUSES,
)


letter = script(
    (
        ("Dear {tenant},\n\n", "{tenant}\n\n"),
        ("<herewith the main points of our contract|as agreed, here is what we have settled> on the {thing}. ",),
    ),
    _CLAUSES,
    (("<Yours|Regards>,\n{owner}<|\n{owner_address}><|\n{owner_email}>", "{agent}, for {owner}"),),
)


_HEADING = ("<Contract data sheet|Lease summary|Key facts of the agreement>", "{thing}")


KIND = Kind(
    name="lease",
    domains=("lease", "rental agreement", "service contract"),
    pool=DECLARED.pool(
        {
            "owner": ("landlord", "lessor", "owner"),
            "tenant": ("tenant", "lessee", "renter"),
            "money": ("payments", "amounts", "money"),
        }
    ),
    world=world,
    layouts={
        "clauses": clauses,
        "summary": summary,
        "letter": letter,
        "sheet": labelled(_HEADING, DECLARED.facts),
        "data": labelled(_HEADING, DECLARED.facts, data=True),
        "markdown": markdown(_HEADING, DECLARED.facts),
    },
    wordy=frozenset(("clauses", "summary", "letter")),
    exact=frozenset(("data",)),
)
