"""Leases and service contracts, in clauses or in short."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, markdown, say_rest, scale, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind

_DAYS = "signed start end notice_by handover"
_SUMS = "rent deposit extras late_fee"
_THINGS = {
    "flat": ("two-room flat", "attic flat", "studio", "flat on the third floor", "furnished room"), "office": ("office", "practice rooms", "shop", "workshop unit", "storage room"), "vehicle": ("delivery van", "electric car", "cargo bike", "forklift"), "machine": ("coffee machine", "copier", "water dispenser", "scissor lift"),
    "service": ("cleaning of the stairwell", "garden care", "lift maintenance", "bookkeeping"), "land": ("allotment garden", "parking space", "field by the river"),
}

DECLARED = declare(
    ask("owner", "string", "landlord|lessor|owner|provider", "party that lets the thing or renders the service|name of the landlord", labels="Landlord|Lessor|Owner|Provider", near="agent tenant", group="owner", weight=1.7),
    ask("tenant", "string", "tenant|lessee|renter|customer", "party that rents or receives the service|name of the tenant", labels="Tenant|Lessee|Customer", near="agent owner", group="tenant", other_party=True, weight=1.7),
    ask("agent", "string", "agent|property manager|broker", "agent who acts between the parties", labels="Agent|Managed by|Broker", near="owner tenant"),
    ask("owner_address", "string", "landlord address|lessor address", "address of the landlord", labels="Landlord's address", near="tenant_address place", group="owner"),
    ask("tenant_address", "string", "tenant address|lessee address", "present address of the tenant", labels="Tenant's address", near="owner_address place", group="tenant", other_party=True),
    ask("owner_email", "email", "landlord email|lessor email", "e-mail address of the landlord", labels="Landlord's e-mail", near="tenant_email", group="owner"),
    ask("tenant_email", "email", "tenant email|lessee email", "e-mail address of the tenant", labels="Tenant's e-mail", near="owner_email", group="tenant", other_party=True),
    ask("thing", "string", "object|rented object|subject|leased item", "what is rented or done", labels="Object|Subject|What", near="place", weight=1.5),
    ask("place", "string", "property address|object address|location", "address of the object", labels="Where|Address of the object", near="owner_address tenant_address"),
    ask("contract_no", "string", "contract number|lease number|agreement id", "number of the contract", labels="Contract no.|Agreement|File no.", near="iban unit", weight=1.3),
    ask("unit", "string", "unit|apartment number|unit number", "number of the unit", labels="Unit|No. of flat", near="contract_no"),
    ask("iban", "string", "iban|account|payment account", "account the rent is paid to", labels="Pay to|Account", near="contract_no"),
    ask("signed", "date", "signature date|signed on|contract date", "day on which it was signed", labels="Signed|Date of signature", near=_DAYS, weight=1.3),
    ask("start", "date", "start date|lease start|begins on", "day on which the contract begins", labels="Begins|Start|From", near=_DAYS, weight=1.6),
    ask("end", "date", "end date|lease end|ends on", "day on which the contract ends", labels="Ends|Until|End", near=_DAYS, weight=1.5),
    ask("notice_by", "date", "notice deadline|cancel by", "last day for giving notice", labels="Notice by|Cancel by", near=_DAYS),
    ask("handover", "date", "handover date|keys on", "day on which keys or goods are handed over", labels="Handover|Keys on", near=_DAYS),
    ask("rent", "number", "rent|monthly rent|monthly fee", "rent or fee per month", labels="Rent|Monthly fee|Per month", vague="amount", near=_SUMS, group="money", weight=1.8),
    ask("deposit", "number", "deposit|security deposit|bond", "security deposit", labels="Deposit|Security", vague="amount", near=_SUMS, group="money", weight=1.4),
    ask("extras", "number", "service charge|utilities|extra costs", "charge for heating, water and the like per month", labels="Service charge|Utilities|Extras", vague="amount", near=_SUMS, group="money"),
    ask("late_fee", "number", "late fee|penalty", "charge for a late payment", labels="Late fee", near=_SUMS, group="money"),
    ask("notice_months", "integer", "notice period months|notice months", "period of notice in months", labels="Notice (months)", near="area rooms pay_day keys", weight=1.2),
    ask("pay_day", "integer", "payment day|due day of month", "day of the month on which payment is due", labels="Due on day", near="notice_months rooms keys"),
    ask("rooms", "integer", "rooms|number of rooms", "number of rooms", labels="Rooms", near="keys area pay_day notice_months", weight=0.8),
    ask("area", "number", "area|floor space|size sqm", "floor space in square metres", labels="Area (sqm)|Floor space, sqm", near="rent rooms notice_months"),
    ask("keys", "integer", "keys|number of keys", "number of keys handed over", labels="Keys", near="rooms pay_day notice_months", weight=0.8),
    choice("sort", "category|type of object|contract subject", "kind of thing the contract is about", {key: (label, "", ()) for key, label in (("flat", "home"), ("office", "business rooms"), ("vehicle", "vehicle"), ("machine", "machine"), ("service", "service"), ("land", "land or parking"), ("software", "software"), ("insurance", "insurance"))}, weight=1.4),
    choice("term", "contract term|duration type", "how long it runs", {
        "open": ("open-ended|indefinite", "until somebody gives notice", ("<It runs for an indefinite time|There is no fixed end|Term: open-ended>.",)), "fixed": ("fixed term", "ends by itself", ("<It ends by itself without notice|Term: fixed>.",)), "renews": ("renews automatically|auto-renewing", "goes on unless cancelled", ("<It renews for a year at a time unless cancelled|Renews automatically>.",))}, weight=1.6),
    choice("repairs", "repairs paid by|who repairs", "who pays for small repairs", {"owner": ("landlord|lessor", "", ("<Repairs are on the landlord|The owner mends whatever breaks>.",)), "tenant": ("tenant|lessee", "", ("<Small repairs are on the tenant|The tenant mends small things at his own cost>.",)), "shared": ("shared|half each", "", ("Repairs are shared by halves.",))}, unknown=True, weight=1.2),
    flag("pets", "pets allowed|animals allowed", "are animals allowed?", ("<Pets are welcome|The tenant may keep a dog or a cat>.",), ("<No pets|Animals may not be kept>.",), unknown=True, weight=1.2),
    flag("sublet", "subletting allowed|may sublet", "may the tenant let it to others?", ("<Subletting is allowed|The tenant may take in lodgers>.",), ("<No subletting|It may not be passed on to others>.",), unknown=True, weight=1.2),
    flag("smoke", "smoking allowed", "may one smoke there?", ("Smoking is permitted.",), ("<Smoking is forbidden|A non-smoking object>.",), unknown=True, weight=0.9),
    flag("insured", "insurance required|needs insurance", "must the tenant take out insurance?", ("<The tenant takes out insurance|Liability insurance is compulsory for the tenant>.",), ("<No insurance is needed|Insurance is included>.",), unknown=True),
    flag("furnished", "furnished|equipped", "does it come with furniture or equipment?", ("<Furnished|With all equipment>.",), ("<Unfurnished|Let empty>.",), unknown=True),
    scale("strict", "strictness|rule strictness", "how strict the house rules are", [("lenient", ("Be kind to your neighbours, that is the only rule.",)), ("normal", ("The usual house rules apply.",)), ("strict", ("Quiet from eight in the evening; visitors must be announced in writing; breaches end the contract at once.",))], weight=0.8),
)


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
    sheet.texts(0.35, agent=names.company(rng), contract_no=names.code(rng, "C", "L", "MV"), owner_email=names.email(rng, owner, names.domain(rng, owner)), tenant_email=names.email(rng, tenant, names.domain(rng, tenant)), iban=names.iban(rng))
    signed = draw_day(rng, dt.date(2022, 1, 2), dt.date(2027, 6, 30))
    for key, share, low, high in (("signed", 0.5, 0, 0), ("start", 0.7, 5, 60), ("handover", 0.3, 61, 66), ("end", 0.4, 400, 1500), ("notice_by", 0.2, 300, 390)):
        if sheet.maybe(share):
            sheet.day(key, signed + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (("rent", 0.85, 40, 990), ("deposit", 0.5, 100, 990), ("extras", 0.35, 15, 240), ("late_fee", 0.25, 5, 40)):
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
    decide(sheet, DECLARED, share=0.5, term="fixed" if sheet.has("end") and sheet.maybe(0.7) else sheet.rng.choice(("renews",) if sheet.has("end") else ("open", "renews")))
    if sort not in ("flat", "office"):
        for key in ("pets", "smoke", "strict"):
            sheet.decisions.pop(key, None)
    if sort == "service":
        for key in ("sublet", "furnished", "repairs"):
            sheet.decisions.pop(key, None)
    sheet.decisions["sort"] = sort
    sheet.stated.add("sort")


_CLAUSES = (("<The rent is|The tenant pays> {rent} a month<|, plus {extras} for heating and water><|, on day {pay_day} of each month>.", "{rent} <is payable monthly|per month>."), ("<A deposit of|As security> {deposit} <is paid|is held> <at the start|on an account>.",), ("<It begins|The term begins|The contract starts> on {start}<| and ends on {end}>.", "From {start}."), ("It ends on {end}.",), ("<Notice is|Either side may give notice of> {notice_months} months.", "Period of notice: {notice_months} months."), ("<Notice must be given|Cancel> by {notice_by} at the latest.",),
            ("<The keys|The object> <change hands|will be handed over> on {handover}<|, {keys} keys in all>.",), ("{keys} keys are handed over.",), ("<The object lies at|It is situated at> {place}<|, unit {unit}>.",), ("It has {area} square metres<| and {rooms} rooms>.",), ("Late payment costs {late_fee} a time.", "For each reminder {late_fee} is charged."), ("<Payments go to|Pay into> {iban}.",), ("<The contract is kept under|Contract> no. {contract_no}.",), ("<It is managed by|The landlord is represented by> {agent}.",))


def clauses(sheet: Sheet) -> None:
    """Numbered clauses between two parties."""
    sheet.any("<LEASE|RENTAL AGREEMENT|CONTRACT|AGREEMENT (SHORT FORM)><| no. {contract_no}>\n", "<Agreement|Contract> of {signed}\n")
    sheet.any("<between|made between> {owner}<|, {owner_address}> (\"{o}\") and {tenant}<|, {tenant_address}> (\"{t}\")\n".replace("{o}", "landlord").replace("{t}", "tenant"), "{owner} (we) - {tenant} (you)\n")
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


summary = script((("<In short|Summary>: ", ""), ("{owner} <lets|rents out> <the|a> {thing} to {tenant}. ", "{tenant} <has rented|rents> <the|a> {thing} from {owner}. ", "<On {signed}|>{tenant} and {owner} <agreed|signed> on <the|a> {thing}. "), ("Signed {signed}. ", "It was signed on {signed}. ", "")), _CLAUSES)
letter = script((("Dear {tenant},\n\n", "{tenant}\n\n"), ("<herewith the main points of our contract|as agreed, here is what we have settled> on the {thing}. ",)), _CLAUSES, (("<Yours|Regards>,\n{owner}<|\n{owner_address}><|\n{owner_email}>", "{agent}, for {owner}"),))
_HEADING = ("<Contract data sheet|Lease summary|Key facts of the agreement>", "{thing}")
KIND = Kind(
    name="lease", domains=("lease", "rental agreement", "service contract"), pool=DECLARED.pool({"owner": ("landlord", "lessor", "owner"), "tenant": ("tenant", "lessee", "renter"), "money": ("payments", "amounts", "money")}), world=world,
    layouts={"clauses": clauses, "summary": summary, "letter": letter, "sheet": labelled(_HEADING, DECLARED.facts), "data": labelled(_HEADING, DECLARED.facts, data=True), "markdown": markdown(_HEADING, DECLARED.facts)},
    wordy=frozenset(("clauses", "summary", "letter")), exact=frozenset(("data",)))
