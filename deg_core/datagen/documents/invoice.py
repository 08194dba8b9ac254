"""Invoices: the facts of one, and the kind itself."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import cents, percent
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.facts import Sheet, add_company, add_person, draw_lang, new_sheet
from deg_core.datagen.documents.fields import Field, FieldType
from deg_core.datagen.documents.goods import KINDS as GOODS_KINDS
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.invoice_fields import POOL
from deg_core.datagen.documents.invoice_labels import LABELS
from deg_core.datagen.documents.invoice_layouts import HELD_OUT, LANGS, LAYOUTS
from deg_core.datagen.documents.invoice_words import STATEMENTS
from deg_core.datagen.documents.kind import Kind

_RATES = {
    "en": ("20", "8.25", "5", "10", "13", "7.7"),
    "de": ("19", "7", "8.1"),
    "fr": ("20", "5.5", "10"),
    "es": ("21", "10"),
}
_STATES = (
    "open",
    "open",
    "open",
    "open",
    "paid",
    "paid",
    "part",
    "part",
    "overdue",
    "overdue",
    "disputed",
    "cancelled",
)


def world(rng: random.Random, lang: str, wordy: bool, goods: int | None = None) -> Sheet:
    """Seller, buyer, goods, amounts, dates and identifiers of one invoice; about 40 % of the optional facts are out.

    ``goods`` fixes how many lines there are.
    """
    lang = lang if lang != "any" else draw_lang(rng)
    sheet = new_sheet(rng, labels=LABELS, statements=STATEMENTS, lang=lang, wordy=wordy)
    add_company(sheet, "seller", share=0.66)
    if sheet.maybe(0.7):
        add_company(sheet, "buyer", share=0.5)
    else:
        add_person(sheet, "buyer")
    _identifiers(sheet)
    _days(sheet)
    _state(sheet)
    _money(sheet, goods)
    _bank(sheet)
    for key, share in (
        ("payment_method", 0.7),
        ("vat_included", 0.45),
        ("reverse_charge", 0.15),
        ("early_offer", 0.4),
        ("has_attachment", 0.5),
        ("partial_allowed", 0.2),
    ):
        if not sheet.maybe(share):
            sheet.decisions.pop(key, None)
    return sheet


def _identifiers(sheet: Sheet) -> None:
    rng = sheet.rng
    sheet.text("invoice_no", names.code(rng, "INV", "RE", "R", "F", "IN", "RG"))
    for key, share, prefixes in (
        ("order_no", 0.55, ("PO", "B", "ORD", "A")),
        ("customer_no", 0.5, ("K", "C", "CUST", "KD")),
        ("delivery_no", 0.3, ("DN", "LS", "D")),
        ("payment_ref", 0.3, ("REF", "P", "ZR")),
    ):
        if sheet.maybe(share):
            sheet.text(key, names.code(rng, *prefixes))
    if sheet.maybe(0.3):
        sheet.text(
            "project",
            rng.choice(
                (
                    f"refit {names.place_name(rng)} office",
                    f"Phase {rng.randrange(1, 5)}",
                    f"{names.place_name(rng)} site",
                    f"{rng.choice(('spring', 'summer', 'autumn', 'winter'))} campaign",
                    f"workshop {names.place_name(rng)}",
                    f"Project {rng.choice(('Heron', 'Lighthouse', 'Comet', 'Maple', 'Otter'))}",
                )
            ),
        )


def _days(sheet: Sheet) -> None:
    rng = sheet.rng
    issued = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    terms = rng.choice((7, 10, 14, 14, 15, 21, 30, 30, 45, 60))
    sheet.day("issue_date", issued)
    if sheet.maybe(0.62):
        sheet.day("due_date", issued + dt.timedelta(days=terms))
    if sheet.maybe(0.35):
        sheet.number("terms_days", terms)
    if sheet.maybe(0.45):
        sheet.day("delivery_date", issued - dt.timedelta(days=rng.randrange(0, 12)))
    if sheet.maybe(0.4):
        sheet.day("order_date", issued - dt.timedelta(days=rng.randrange(13, 50)))
    if sheet.maybe(0.15):
        first = issued.replace(day=1) - dt.timedelta(days=rng.choice((31, 61, 92)))
        sheet.day("period_start", first)
        sheet.day("period_end", first + dt.timedelta(days=rng.choice((27, 29, 30))))


def _state(sheet: Sheet) -> None:
    """What kind of paper it is and where the payment stands, so that the two agree."""
    rng = sheet.rng
    state = rng.choice(_STATES)
    kinds = {"overdue": ("reminder", "reminder", "invoice"), "paid": ("invoice", "invoice", "deposit")}
    doc_type = rng.choice(kinds.get(state, ("invoice", "invoice", "invoice", "credit", "proforma", "deposit")))
    if doc_type in ("credit", "proforma"):
        state = "open"
    sheet.decisions.update(
        state=state,
        doc_type=doc_type,
        payment_method=rng.choice(
            ("transfer", "transfer", "transfer", "debit", "card", "card", "cash", "wallet", "cheque", "instalments")
        ),
    )
    if doc_type == "credit":
        sheet.drop("due_date", "terms_days", "payment_method")
        sheet.decisions.pop("state", None)
    if doc_type == "proforma" or (state == "open" and sheet.maybe(0.5)):
        sheet.decisions.pop("state", None)
    if doc_type == "reminder":
        sheet.decisions["reminder_level"] = rng.choice((1, 2, 3))
    elif sheet.maybe(0.1) and state in ("open", "paid"):
        sheet.decisions["reminder_level"] = 0
    sheet.decisions.update(
        vat_included=rng.random() < 0.5,
        reverse_charge=rng.random() < 0.6,
        early_offer=False,
        has_attachment=rng.random() < 0.6,
        partial_allowed=rng.random() < 0.5,
    )
    if state not in ("open",) or doc_type == "credit":
        sheet.decisions.pop("partial_allowed")
        sheet.decisions.pop("early_offer")
    elif sheet.maybe(0.55):
        sheet.number("early_rate", Decimal(rng.choice(("2", "3", "1.5", "2.5"))))
        sheet.decisions["early_offer"] = True
    if sheet.decisions.get("payment_method") == "instalments":
        sheet.decisions.pop("partial_allowed", None)
    if sheet.maybe(0.2):
        sheet.number("late_rate", Decimal(rng.choice(("8", "5", "9.5", "1.5", "4"))))


def _money(sheet: Sheet, goods: int | None = None) -> None:
    rng, decisions = sheet.rng, sheet.decisions
    kind = rng.choice(GOODS_KINDS)
    decisions["goods_kind"] = "groceries" if kind == "cafe" else kind
    net = Decimal(0)
    count = rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6)) if goods is None else goods
    for at, (text, price) in enumerate(draw_goods(rng, kind, count)):
        quantity = rng.choice((1, 1, 1, 2, 3, 4, 5, 6, 10, 12, 20, 25, 40))
        sheet.text(f"items/{at}/name", text)
        sheet.number(f"items/{at}/quantity", quantity)
        sheet.money(f"items/{at}/price", price)
        sheet.money(f"items/{at}/amount", price * quantity)
        sheet.text(f"items/{at}/sku", names.code(rng))
        net += price * quantity
    rate = Decimal(rng.choice(_RATES[sheet.lang]))
    freight = Decimal(rng.choice(("4.90", "6.50", "12.00", "29.00", "8.95"))) if sheet.maybe(0.4) else Decimal(0)
    off = cents(net * Decimal(rng.choice(("0.05", "0.1", "0.03")))) if sheet.maybe(0.25) else Decimal(0)
    net = net + freight - off
    if decisions.get("reverse_charge") and sheet.maybe(0.3):
        tax = Decimal(0)
    else:
        decisions.pop("reverse_charge", None) if sheet.maybe(0.8) else decisions.update(reverse_charge=False)
        tax = cents(net * rate / 100)
    total = net + tax
    sheet.money("total", total)
    if sheet.maybe(0.65) and tax:
        sheet.money("subtotal", net)
    if sheet.maybe(0.7) and tax:
        sheet.money("tax_amount", tax)
        if sheet.maybe(0.75):
            sheet.set("tax_rate", percent(rate, sheet.way.money), float(rate), after=rng.choice(("%", " %")))
    if freight:
        sheet.money("shipping", freight)
    if off:
        sheet.money("discount", off)
    _payments(sheet, total)


def _payments(sheet: Sheet, total: Decimal) -> None:
    """Payments so far, in step with the state of the invoice."""
    rng = sheet.rng
    state = sheet.decisions.get("state")
    if state == "paid" and sheet.maybe(0.6):
        sheet.money("paid", total)
    if state == "part":
        part = cents(total * Decimal(rng.choice(("0.25", "0.3", "0.4", "0.5"))))
        sheet.money("paid", part)
        sheet.money("due", total - part)
    elif state in (None, "open", "overdue") and sheet.decisions.get("doc_type") != "credit" and sheet.maybe(0.3):
        sheet.money("due", total)
    if state in ("paid", "part") and sheet.maybe(0.6):
        sheet.day("paid_date", draw_day(rng, dt.date(2023, 2, 1), dt.date(2027, 7, 1)))


def _bank(sheet: Sheet) -> None:
    rng = sheet.rng
    if sheet.maybe(0.55) and sheet.decisions.get("doc_type") != "credit":
        sheet.text("iban", names.iban(rng))
        if sheet.maybe(0.55):
            sheet.text("bic", names.bic(rng))
        if sheet.maybe(0.5):
            sheet.text(
                "bank",
                rng.choice(
                    (
                        f"Bank of {names.place_name(rng)}",
                        f"Sparkasse {names.place_name(rng)}",
                        f"{names.surname(rng)} Bank",
                        f"Volksbank {names.place_name(rng)}",
                        f"First {names.place_name(rng)} Bank",
                        f"{names.place_name(rng)} Savings",
                    )
                ),
            )


_ITEM_PARTS: tuple[tuple[str, FieldType, str], ...] = (
    ("quantity", "integer", "quantity"),
    ("price", "number", "unit price"),
    ("amount", "number", "line total"),
    ("sku", "string", "article number"),
)


def item_fields(sheet: Sheet) -> Sequence[Field]:
    """Questions about single items of this document, by their names; also about an item that is not there."""
    rng = sheet.rng
    fields: list[Field] = []
    at = 0
    while sheet.has(f"items/{at}/name"):
        thing = sheet.facts[f"items/{at}/name"].surface
        word = names.slug(thing, " ")
        for part, kind, shown in rng.sample(_ITEM_PARTS, 2):
            fields.append(
                Field(
                    key=f"items/{at}/{part}",
                    type=kind,
                    names=(f"{word} {part}", f"{part} {word}"),
                    vague=(part,),
                    hints=(f"{shown} of {thing}", f'{shown} of the item "{thing}"', f"{thing}: {shown}"),
                    weight=0.5,
                )
            )
        at += 1
    return [*fields, *_missing_item(sheet, at)] if at else fields


def _missing_item(sheet: Sheet, count: int) -> list[Field]:
    """Questions about a thing that was not bought."""
    thing = draw_goods(sheet.rng, sheet.rng.choice(GOODS_KINDS), 1)[0][0].lower()
    bought = " ".join(sheet.facts[f"items/{at}/name"].surface.lower() for at in range(count))
    word = names.slug(thing, " ")
    if any(part in bought for part in thing.split()):
        return []
    parts: tuple[tuple[str, FieldType], ...] = (("price", "number"), ("quantity", "integer"))
    return [
        Field(
            key=f"missing/{word}/{part}",
            type=kind,
            names=(f"{word} {part}",),
            vague=(part,),
            hints=(f"{part} of {thing}; null if it is not among the items",),
            near=("items/0/name",),
            weight=0.25,
        )
        for part, kind in parts
    ]


KIND = Kind(
    name="invoice",
    domains=("invoice", "invoice", "bill", "accounts payable", "billing letter"),
    pool=POOL,
    world=world,
    layouts=LAYOUTS,
    held_out=HELD_OUT,
    langs=LANGS,
    wordy=frozenset(("prose_mail", "quoted_reply", "reminder_letter", "memo", "sms", "phone_note")),
    exact=frozenset(("data", "export_row", "table_row")),
    extra=item_fields,
    counted=True,
)
