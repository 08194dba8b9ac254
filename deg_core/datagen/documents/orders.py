"""Order confirmations and shipping notices."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import Declared, decide, labelled, markdown, script
from deg_core.datagen.documents.facts import Sheet, add_address, add_person, new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.invoice import item_fields
from deg_core.datagen.documents.kind import Kind, World, Writer
from deg_core.datagen.documents.orders_fields import ORDER, SHIPPING


def _world(declared: Declared, statuses: tuple[str, ...]) -> World:
    def world(rng: random.Random, lang: str, wordy: bool, goods: int | None = None) -> Sheet:
        sheet = new_sheet(rng, labels=declared.labels, statements=declared.statements, lang=lang, wordy=wordy)
        shop = names.shop(rng)
        host = names.domain(rng, shop)
        sheet.text("shop", shop)
        add_person(sheet, "person", titled=0.03)
        add_address(sheet, "other", "en")
        sheet.facts["customer"] = sheet.facts["person_name"]
        sheet.texts(
            0.5,
            customer_email=names.email(
                rng, sheet.facts["person_name"].surface, f"{names.slug(names.surname(rng))}.example"
            ),
            shop_email=f"{rng.choice(('orders', 'help', 'shop', 'hello'))}@{host}",
            customer_no=names.code(rng, "C", "K"),
            tracking_no=rng.choice(
                (names.digits(rng, 12), names.code(rng, "PK", "RR", "TRK"), f"1Z{names.digits(rng, 9)}")
            ),
            carrier=rng.choice(
                (
                    f"{names.surname(rng)} Express",
                    f"{names.place_name(rng)} Parcel",
                    "ParcelPigeon",
                    "SwiftVan",
                    "GreenPost",
                    "NordKurier",
                    "BoxRunner",
                    "Relay24",
                )
            ),
            track_url=names.url(rng, host, f"/track/{names.digits(rng, 6)}", "/track"),
            shop_url=names.url(rng, host, "", "/shop"),
        )
        sheet.texts(
            0.3,
            coupon=rng.choice(
                ("WELCOME10", "SPRING5", "THANKYOU", f"SAVE{rng.randrange(3, 30)}", "FRIENDS", "FREESHIP")
            ),
            pickup=f"{rng.choice(('kiosk', 'parcel shop', 'locker', 'petrol station'))} {names.street(rng, 'en')}",
        )
        sheet.text("order_no", names.code(rng, "ORD", "WEB", "A", "B"))
        if sheet.maybe(0.6):
            sheet.set("ship_to", "{person_address}", composite=True)
        if sheet.maybe(0.3):
            sheet.set("bill_to", "{other_address}", composite=True)
        ordered = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
        for key, share, low, high in (
            ("order_date", 0.55, 0, 0),
            ("ship_date", 0.5, 1, 4),
            ("arrive_date", 0.6, 5, 14),
            ("return_by", 0.3, 30, 60),
        ):
            if sheet.maybe(share):
                sheet.day(key, ordered + dt.timedelta(days=rng.randint(low, high)))
        _amounts(sheet, rng.choice(("office", "workshop", "clothes", "electronics", "groceries")), goods)
        decide(sheet, declared, status=rng.choice(statuses))
        return sheet

    return world


def _amounts(sheet: Sheet, sort: str, count: int | None = None) -> None:
    rng = sheet.rng
    goods = Decimal(0)
    sheet.decisions["sort"] = sort
    lines = rng.choice((1, 1, 2, 3, 4)) if count is None else count
    for at, (text, price) in enumerate(draw_goods(rng, sort, lines)):
        quantity = rng.choice((1, 1, 1, 2, 3, 5))
        sheet.text(f"items/{at}/name", text)
        sheet.number(f"items/{at}/quantity", quantity)
        sheet.money(f"items/{at}/price", price)
        sheet.money(f"items/{at}/amount", price * quantity)
        goods += price * quantity
    extra = {
        key: Decimal(rng.choice(("4.90", "3.50", "7.95", "2.00")))
        for key in ("shipping", "giftwrap")
        if sheet.maybe(0.5 if key == "shipping" else 0.15)
    }
    for key, amount in extra.items():
        sheet.money(key, amount)
    off = Decimal(rng.choice(("1.50", "2.00", "0.90"))) if sheet.maybe(0.3) and goods > 5 else Decimal(0)
    if off:
        sheet.money("discount", off)
    if sheet.maybe(0.7):
        sheet.money("total", goods + sum(extra.values()) - off)
    if sheet.maybe(0.4):
        sheet.money("subtotal", goods)
    if sheet.maybe(0.35):
        sheet.number("weight", Decimal(rng.randrange(3, 240)) / 10)
    if sheet.maybe(0.3):
        sheet.number("parcels", rng.randrange(1, 7))


def _items(sheet: Sheet) -> None:
    if "sort" in sheet.decisions:
        sheet.stated.add("sort")
    if sheet.listed():
        return
    shape = sheet.rng.choice(
        ("{q} x {n}<| - {a}>\n", "- {n}, {q} <pcs|pieces>, {p} each\n", "{n} ({q}) {a}\n", "* {q} {n}\n")
    )
    for at in sorted(key.split("/")[1] for key in sheet.facts if key.endswith("/name") and key.startswith("items/")):
        sheet.put(
            shape.replace("{q}", f"{{items/{at}/quantity}}")
            .replace("{n}", f"{{items/{at}/name}}")
            .replace("{a}", f"{{items/{at}/amount}}")
            .replace("{p}", f"{{items/{at}/price}}")
        )


_MIDDLE = (
    ("<You ordered on|Your order is from|It was placed on> {order_date}.",),
    ("It <leaves|left> our warehouse on {ship_date}.", "<Dispatch|Handed to the courier>: {ship_date}."),
    ("<It should be with you on|We expect it to arrive on|Plan to be at home on> {arrive_date}.", "ETA {arrive_date}."),
    ("<It comes with|We use|The courier is> {carrier}<|, tracking {tracking_no}>.", "Tracking: {tracking_no}."),
    ("<Follow it here|Track it at>: {track_url} .",),
    ("<It goes to|We deliver to|The parcel is addressed to>: {ship_to}.",),
    ("The <invoice|bill> goes to {bill_to}.",),
    ("<The total is|You pay> {total}<|, including {shipping} for shipping>.", "That makes {total}."),
    ("The goods cost {subtotal}.",),
    ("<Shipping|Delivery> costs {shipping}.",),
    ("<Your code|Coupon> {coupon} <saved you|took off> {discount}.", "Discount: {discount}."),
    ("Gift wrapping: {giftwrap}.",),
    ("<Not happy? Send it back by|Returns are free until> {return_by}.",),
    ("You can <collect it|pick it up> at {pickup}.",),
    ("It <weighs|is> {weight} kg<|, in {parcels} parcels>.", "{parcels} parcel(s)."),
    ("Your customer number is {customer_no}.",),
)


_HEAD = (
    "<Order confirmation|Thank you for your order|Your order> {order_no}",
    "{shop}: order {order_no}",
    "<Thanks, {customer}!|Order received>",
)


_SHIP_HEAD = (
    "<Shipping notice|Dispatch note|Your parcel> {order_no}",
    "{shop} - parcel for {customer}",
    "Delivery update",
)


def _mail(opening: tuple[str, ...]) -> Writer:
    body = script(
        (
            (
                "From: {shop} ({shop_email})\nTo: {customer_email}\n",
                "Subject: <order|your order> {order_no}\n",
                "To: {customer}\n",
                "",
            ),
            ("\n<Hi|Hello|Dear> {customer},\n\n", "\n<Hello|Good day>,\n\n"),
            opening,
        ),
        _MIDDLE,
    )

    def write(sheet: Sheet) -> None:
        body(sheet)
        sheet.blank()
        _items(sheet)
        sheet.any(
            "<Questions? Write to|Help:> {shop_email}\n", "<Yours,|Your team at> {shop}\n", "{shop} · {shop_url}\n"
        )

    return write


def _listed(heading: tuple[str, ...], declared: Declared) -> Writer:
    body = labelled(heading, declared.facts)

    def write(sheet: Sheet) -> None:
        body(sheet)
        sheet.blank()
        _items(sheet)

    return write


def _kind(
    name: str,
    declared: Declared,
    statuses: tuple[str, ...],
    domains: tuple[str, ...],
    opening: tuple[str, ...],
    heading: tuple[str, ...],
) -> Kind:
    short = script(
        (("{shop}: ", "<Hi|Hello> {customer}, ", ""), ("order {order_no} ", "parcel {tracking_no} ", "")),
        _MIDDLE,
        keep=0.3,
    )
    return Kind(
        name=name,
        domains=domains,
        pool=declared.pool({"customer": ("customer", "buyer", "recipient"), "amounts": ("amounts", "totals")}),
        world=_world(declared, statuses),
        layouts={
            "mail": _mail(opening),
            "listed": _listed(heading, declared),
            "short": short,
            "data": labelled(heading, declared.facts, data=True),
            "markdown": markdown(heading, declared.facts),
        },
        wordy=frozenset(("mail", "short")),
        exact=frozenset(("data",)),
        extra=item_fields,
        counted=True,
    )


ORDER_KIND = _kind(
    "order_confirmation",
    ORDER,
    ("confirmed", "confirmed", "waiting", "cancelled", "delayed", "shipped"),
    ("order confirmation", "shop mail"),
    (
        "<thank you for your order|we have received your order> {order_no} at {shop}. ",
        "this mail confirms order {order_no}. ",
        "<thanks for shopping|good choice>! ",
    ),
    _HEAD,
)


SHIPPING_KIND = _kind(
    "shipping_notice",
    SHIPPING,
    ("shipped", "shipped", "delayed", "delivered", "partial", "failed"),
    ("shipping notice", "delivery note"),
    (
        "news about <your parcel|order {order_no}> from {shop}. ",
        "<this is about|an update on> your order {order_no}. ",
        "<your parcel|your delivery> from {shop}: ",
    ),
    _SHIP_HEAD,
)
