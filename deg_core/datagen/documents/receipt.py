"""Receipts from tills: the facts of one, and the kind itself."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import cents, percent
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.facts import Sheet, add_company, draw_lang, new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.invoice import item_fields
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.receipt_fields import POOL
from deg_core.datagen.documents.receipt_layouts import LAYOUTS
from deg_core.datagen.documents.receipt_words import LABELS, STATEMENTS


def world(rng: random.Random, lang: str, wordy: bool, goods: int | None = None) -> Sheet:
    """Shop, goods, amounts, codes and the moment of one purchase."""
    lang = lang if lang != "any" else draw_lang(rng)
    sheet = new_sheet(rng, labels=LABELS, statements=STATEMENTS, lang=lang, wordy=wordy)
    add_company(sheet, "shop", share=0.5)
    if sheet.maybe(0.5):
        sheet.text("shop_name", names.shop(rng))
    moment = dt.datetime.combine(
        draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30)),
        dt.time(rng.randrange(7, 23), rng.randrange(60), rng.choice((0, 0, rng.randrange(1, 60)))),
    )
    if sheet.maybe(0.55):
        sheet.moment("moment", moment)
    else:
        sheet.day("day", moment.date())
    if sheet.maybe(0.2):
        sheet.day("return_by", moment.date() + dt.timedelta(days=rng.choice((14, 28, 30))))
    elif sheet.maybe(0.25):
        sheet.number("return_days", rng.choice((14, 28, 30, 60, 90)))
    _payment(sheet)
    _sums(sheet, goods)
    _codes(sheet)
    return sheet


def _payment(sheet: Sheet) -> None:
    rng, decisions = sheet.rng, sheet.decisions
    decisions["shop_kind"] = rng.choice(
        ("groceries", "groceries", "cafe", "cafe", "office", "workshop", "clothes", "electronics")
    )
    decisions["payment_method"] = rng.choice(("cash", "cash", "debit", "credit", "credit", "phone", "gift", "account"))
    if decisions["payment_method"] in ("debit", "credit"):
        decisions["contactless"] = rng.random() < 0.5
    if decisions["shop_kind"] == "cafe":
        decisions["serving"] = rng.choice(("in", "in", "out", "delivery"))
    else:
        decisions["returns"] = rng.random() < 0.55 or sheet.has("return_by") or sheet.has("return_days")
    if decisions["shop_kind"] == "cafe":
        sheet.drop("return_by", "return_days")
    decisions["refund"] = rng.random() < 0.3
    decisions["copy"] = rng.random() < 0.5
    for key, share in (
        ("payment_method", 0.85),
        ("contactless", 0.6),
        ("serving", 0.75),
        ("returns", 0.5),
        ("refund", 0.35),
        ("copy", 0.3),
    ):
        if not sheet.maybe(share):
            decisions.pop(key, None)


def _sums(sheet: Sheet, goods: int | None = None) -> None:
    rng = sheet.rng
    count = rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9)) if goods is None else goods
    sheet.decisions["positions"] = min(count, 7) - 1
    gross = Decimal(0)
    for at, (text, price) in enumerate(draw_goods(rng, sheet.decisions["shop_kind"], count)):
        quantity = rng.choice((1, 1, 1, 1, 2, 2, 3, 4))
        sheet.text(f"items/{at}/name", text)
        sheet.number(f"items/{at}/quantity", quantity)
        sheet.money(f"items/{at}/price", price)
        sheet.money(f"items/{at}/amount", price * quantity)
        gross += price * quantity
    rate = Decimal(
        rng.choice(
            {"en": ("20", "8.25", "5", "10", "7.7"), "de": ("19", "7"), "fr": ("20", "10"), "es": ("21", "10")}[
                sheet.lang
            ]
        )
    )
    if sheet.maybe(0.25):
        off = cents(gross * Decimal("0.1"))
        sheet.money("discount", off)
        gross -= off
    tax = cents(gross * rate / (100 + rate))
    if sheet.maybe(0.65):
        sheet.money("tax_amount", tax)
        if sheet.maybe(0.6):
            sheet.set("tax_rate", percent(rate, sheet.way.money), float(rate), after=rng.choice(("%", " %")))
    if sheet.maybe(0.5):
        sheet.money("subtotal", gross - tax)
    total = gross
    if sheet.decisions["shop_kind"] == "cafe" and sheet.maybe(0.4):
        tip = cents(gross * Decimal(rng.choice(("0.1", "0.12", "0.15", "0.2"))))
        sheet.money("tip", tip)
        total += tip
    sheet.money("total", total)
    if sheet.decisions.get("payment_method") == "cash" and not sheet.decisions.get("refund") and sheet.maybe(0.75):
        given = (total // 10 + rng.choice((1, 1, 2, 5))) * 10
        sheet.money("cash_given", given)
        sheet.money("change", given - total)


def _codes(sheet: Sheet) -> None:
    rng = sheet.rng
    card = sheet.decisions.get("payment_method") in ("debit", "credit", "phone")
    drawn: tuple[tuple[str, float, str], ...] = (
        ("receipt_no", 0.8, names.code(rng, "R", "B", "T")),
        ("transaction", 0.4, names.digits(rng, rng.randrange(6, 13))),
        ("terminal", 0.45 if card else 0.1, names.digits(rng, 8)),
        ("register", 0.45, f"{rng.randrange(1, 24):0{rng.choice((1, 2, 3))}d}"),
        (
            "auth_code",
            0.6 if card else 0,
            rng.choice((names.digits(rng, 6), f"{names.digits(rng, 4)}{rng.choice('ABCDEFZ')}{rng.choice('KLMNP')}")),
        ),
        (
            "loyalty_no",
            0.3,
            rng.choice(
                (names.digits(rng, 10), f"{names.digits(rng, 4)} {names.digits(rng, 4)} {names.digits(rng, 4)}")
            ),
        ),
        ("table_no", 0.5 if sheet.decisions.get("serving") == "in" else 0, str(rng.randrange(1, 60))),
        ("branch", 0.35, f"{rng.randrange(1, 999):0{rng.choice((1, 3, 4))}d}"),
        (
            "cashier",
            0.5,
            rng.choice(
                (names.given_name(rng), names.person(rng), f"{names.given_name(rng)} {rng.choice('ABCDEFGHKLMRS')}.")
            ),
        ),
        ("card_last4", 0.7 if card else 0, f"{rng.randrange(10000):04d}"),
    )
    for key, share, text in drawn:
        if sheet.maybe(share):
            sheet.text(key, text)
    if sheet.maybe(0.25):
        points = rng.randrange(2, 180)
        sheet.number("points", points)
        if sheet.maybe(0.6):
            sheet.number("points_total", points + rng.randrange(10, 790))


KIND = Kind(
    name="receipt",
    domains=("receipt", "till receipt", "expense receipt", "purchase"),
    pool=POOL,
    world=world,
    layouts=LAYOUTS,
    held_out=frozenset(("table_bill", "bank_alert")),
    langs={
        "till_roll": ("en", "en", "en", "en", "de", "de", "fr", "es"),
        "label_list": ("en", "en", "en", "de", "fr", "es"),
        "scan": ("en", "en", "en", "de", "es"),
        "data": ("en", "en", "en", "de"),
    },
    wordy=frozenset(("mail_receipt", "expense_note", "chat_message")),
    exact=frozenset(("data", "table_row")),
    extra=item_fields,
    counted=True,
)
