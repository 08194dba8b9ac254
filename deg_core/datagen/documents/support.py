"""Messages to a help desk: the facts of one, and the kind itself."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.facts import Sheet, add_person, new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.support_fields import POOL
from deg_core.datagen.documents.support_layouts import LAYOUTS
from deg_core.datagen.documents.support_statements import STATEMENTS
from deg_core.datagen.documents.support_words import LABELS, MOODS, PROBLEMS


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Customer, shop, product, identifiers, days, amounts, and what is felt and wanted."""
    sheet = new_sheet(rng, labels=LABELS, statements=STATEMENTS, lang=lang, wordy=wordy)
    add_person(sheet, "sender", share=0.6)
    _desk(sheet)
    sheet.text(
        "product", draw_goods(rng, rng.choice(("office", "workshop", "clothes", "electronics", "electronics")), 1)[0][0]
    )
    if sheet.maybe(0.5):
        sheet.text(
            "plan",
            rng.choice(
                (
                    "Basic",
                    "Home 50",
                    "Family",
                    "Pro",
                    "Business Plus",
                    "Flex",
                    "Start",
                    "Premium",
                    "Student",
                    "Unlimited XL",
                )
            ),
        )
    for key, share, prefixes in (
        ("order_no", 0.6, ("ORD", "B", "WEB", "A")),
        ("ticket_no", 0.35, ("T", "CASE", "SUP", "HD")),
        ("customer_no", 0.4, ("K", "C", "CU")),
        ("serial_no", 0.3, ("SN", "X", "L")),
        ("tracking_no", 0.3, ("JD", "1Z", "RR", "PK")),
        ("invoice_no", 0.35, ("INV", "RE", "F")),
    ):
        if sheet.maybe(share):
            sheet.text(key, names.code(rng, *prefixes))
    if sheet.maybe(0.3):
        sheet.text(
            "error_code",
            rng.choice(
                (
                    f"E{rng.randrange(1, 99):02d}",
                    f"ERR_{rng.choice(('AUTH', 'CONN', 'TIMEOUT', 'DISK'))}",
                    f"0x{rng.randrange(4096, 65535):04X}",
                    f"{rng.choice((403, 404, 500, 502, 503))}",
                    f"F-{rng.randrange(100, 999)}",
                )
            ),
        )
    _days_and_amounts(sheet)
    _decisions(sheet)
    if sheet.decisions["category"] in ("defect", "howto"):
        # these talk of batteries and displays
        sheet.text("product", draw_goods(rng, "electronics", 1)[0][0])
    return sheet


def _desk(sheet: Sheet) -> None:
    rng = sheet.rng
    shop = names.shop(rng)
    host = names.domain(rng, shop)
    sheet.text("desk_name", shop)
    if sheet.maybe(0.5):
        sheet.text(
            "agent_name",
            rng.choice((names.given_name(rng), names.person(rng), f"{rng.choice(('Mr', 'Ms'))} {names.surname(rng)}")),
        )
    if sheet.maybe(0.6):
        sheet.text(
            "desk_email", f"{rng.choice(('support', 'help', 'service', 'info', 'care', 'hello', 'returns'))}@{host}"
        )
    if sheet.maybe(0.2):
        sheet.text("desk_phone", names.phone(rng))
    if sheet.maybe(0.3):
        sheet.text("sender_company", names.company(rng))
    sheet.text("rival", names.shop(rng))


def _days_and_amounts(sheet: Sheet) -> None:
    rng = sheet.rng
    ordered = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    for key, share, low, high in (
        ("order_date", 0.5, 0, 0),
        ("promised_date", 0.35, 3, 10),
        ("delivery_date", 0.3, 3, 14),
        ("problem_date", 0.35, 15, 50),
        ("sent_date", 0.4, 51, 70),
        ("deadline", 0.35, 75, 100),
    ):
        if sheet.maybe(share):
            sheet.day(key, ordered + dt.timedelta(days=rng.randint(low, high)))
    price = draw_price(rng, 9, 900)
    sheet.money("charged", price)
    sheet.money("expected", price - draw_price(rng, 1, float(price) * 0.6 + 1))
    if sheet.maybe(0.5):
        sheet.money("refund_amount", price if sheet.maybe(0.4) else draw_price(rng, 5, 300))
    if sheet.maybe(0.4):
        sheet.money("price", Decimal(price) + Decimal(rng.choice(("0", "10", "4.5"))))
    sheet.number("quantity", rng.randrange(2, 40))
    sheet.number("waiting_days", rng.randrange(4, 60))


def _decisions(sheet: Sheet) -> None:
    rng, decisions = sheet.rng, sheet.decisions
    category = rng.choice(tuple(PROBLEMS))
    mood = {
        "praise": ("friendly", "friendly", "joking"),
        "outage": ("angry", "annoyed", "worried", "neutral"),
        "wish": ("friendly", "neutral", "joking"),
        "howto": ("friendly", "neutral", "annoyed"),
    }.get(category, tuple(MOODS))
    tone = rng.choice(mood)
    wishes = {
        "billing": ("refund", "info", "call", "discount"),
        "delivery": ("refund", "replace", "info", "discount"),
        "defect": ("refund", "replace", "repair", "repair"),
        "login": ("info", "call"),
        "cancel": ("cancel", "refund"),
        "howto": ("info", "call"),
        "praise": ("none",),
        "wish": ("none", "info"),
        "outage": ("call", "discount", "info"),
        "privacy": ("info",),
        "address": ("none", "info"),
    }[category]
    urgent = {"praise": (0,), "wish": (0, 1), "outage": (2, 3, 4, 4), "howto": (0, 1, 2, 3)}.get(
        category, (0, 1, 2, 3, 4)
    )
    decisions.update(category=category, tone=tone, wish=rng.choice(wishes), urgency=rng.choice(urgent))
    feeling = {
        "angry": (0, 0, 1),
        "annoyed": (1, 1, 2),
        "neutral": (1, 2, 3),
        "friendly": (3, 4),
        "worried": (1, 2),
        "joking": (2, 3),
    }[tone]
    decisions["satisfaction"] = 4 if category == "praise" else rng.choice(feeling)
    decisions["angry"] = tone == "angry"
    for key, chance in (
        ("attachment", 0.55),
        ("contacted", 0.5),
        ("legal", 0.5),
        ("leaving", 0.5),
        ("callback", 0.5),
        ("solved", 0.3),
        ("warranty", 0.6),
    ):
        decisions[key] = rng.random() < chance
    if decisions["wish"] == "call":
        decisions["callback"] = True
    if tone in ("friendly", "joking") or category in ("praise", "howto", "wish"):
        decisions["legal"] = decisions["leaving"] = False
    if category in ("praise", "wish", "howto", "address"):
        for key in ("solved", "legal", "contacted", "callback", "leaving"):
            decisions.pop(key)
    if category != "defect":
        decisions.pop("warranty")
    if decisions.get("solved"):
        decisions.update(urgency=0, wish="none", legal=False, callback=False, leaving=False)
    if category == "cancel":
        decisions["wish"] = "cancel"
    for key, share in (
        ("wish", 0.75),
        ("urgency", 0.7),
        ("satisfaction", 0.3),
        ("angry", 0.25),
        ("attachment", 0.5),
        ("contacted", 0.4),
        ("legal", 0.35),
        ("leaving", 0.3),
        ("callback", 0.3),
        ("solved", 0.3),
        ("warranty", 0.6),
    ):
        # a settled matter changes what everything else means, so it is always said
        if not sheet.maybe(share) and not (key == "solved" and decisions.get("solved")):
            decisions.pop(key, None)


KIND = Kind(
    name="support",
    domains=("support mail", "customer message", "support_ticket", "help desk"),
    pool=POOL,
    world=world,
    layouts=LAYOUTS,
    held_out=frozenset(("review_site", "voicemail")),
    wordy=frozenset(("plain_mail", "quoted", "chat", "text_message", "letter", "review_site", "voicemail")),
    exact=frozenset(("json_ticket", "table_row")),
)
