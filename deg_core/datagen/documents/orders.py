"""Order confirmations and shipping notices."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import Declared, ask, choice, decide, declare, flag, labelled, markdown, script
from deg_core.datagen.documents.facts import Sheet, add_address, add_person, new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.invoice import item_fields
from deg_core.datagen.documents.kind import Kind

_DAYS = "order_date ship_date arrive_date return_by"
_IDS = "order_no customer_no tracking_no coupon sku"
_SUMS = "total subtotal shipping discount giftwrap"

_SHARED = (
    ask("shop", "string", "shop|seller|store|merchant", "shop that sold the goods|name of the seller", labels="Shop|Seller|Store", near="customer carrier", weight=1.6),
    ask("customer", "string", "customer|customer name|buyer|recipient name", "name of the customer", labels="Customer|Name|Ordered by", near="shop pickup", weight=1.6, group="customer"),
    ask("customer_email", "email", "customer email|buyer email", "e-mail address of the customer", labels="Your e-mail|E-mail", vague="email", near="shop_email", group="customer"),
    ask("shop_email", "email", "shop email|support email|contact email", "e-mail address of the shop", labels="Our e-mail|Help", vague="email", near="customer_email", other_party=True),
    ask("ship_to", "string", "shipping address|delivery address|ship to", "address the goods go to", labels="Ship to|Delivery address|Deliver to", vague="address", near="bill_to pickup", group="customer", weight=1.3),
    ask("bill_to", "string", "billing address|invoice address", "address for the invoice", labels="Bill to|Billing address", near="ship_to", group="customer", other_party=True),
    ask("order_no", "string", "order number|order id|order no", "number of the order", labels="Order|Order no.|Order number|Order ID", vague="number", de="Bestellnummer", near=_IDS, weight=2),
    ask("customer_no", "string", "customer number|account number", "number of the customer", labels="Customer no.|Account", near=_IDS),
    ask("tracking_no", "string", "tracking number|tracking code|parcel number", "tracking number of the parcel", labels="Tracking no.|Tracking|Parcel no.|Shipment", de="Sendungsnummer", near=_IDS, weight=1.4),
    ask("carrier", "string", "carrier|courier|shipping company|delivery service", "company that brings the parcel", labels="Carrier|Sent with|Courier", near="shop", weight=1.4),
    ask("coupon", "string", "coupon code|promo code|voucher", "code of the coupon that was used", labels="Coupon|Promo code", near=_IDS),
    ask("track_url", "uri", "tracking url|tracking link", "web address for following the parcel", labels="Track it|Tracking link", near="shop_url"),
    ask("shop_url", "uri", "shop url|website", "web address of the shop", labels="Online shop|Web", near="track_url", weight=0.7),
    ask("pickup", "string", "pickup point|pickup location|collection point", "place where the parcel can be collected", labels="Pick-up point|Collect at", near="ship_to carrier"),
    ask("order_date", "date", "order date|ordered on|date of order", "day of the order", labels="Ordered|Order date|Date of order", near=_DAYS, weight=1.4),
    ask("ship_date", "date", "ship date|shipped on|dispatch date", "day on which the goods leave or left", labels="Dispatch|Shipped|Ships on", near=_DAYS, weight=1.3),
    ask("arrive_date", "date", "delivery date|expected delivery|arrival date|eta", "day on which the parcel should arrive", labels="Expected delivery|Arrives|Delivery|ETA", near=_DAYS, weight=1.6),
    ask("return_by", "date", "return deadline|return by", "last day for sending goods back", labels="Returns until|Return by", near=_DAYS),
    ask("weight", "number", "parcel weight|weight kg", "weight of the parcel in kilograms", labels="Weight (kg)|Weight in kg", near="parcels total"),
    ask("parcels", "integer", "number of parcels|parcels|packages", "number of parcels", labels="Parcels|Packages", near="weight items/0/quantity"),
    ask("total", "number", "total|order total|total amount", "total of the order", labels="Total|Order total|To pay", vague="amount", near=_SUMS, weight=1.8, group="amounts"),
    ask("subtotal", "number", "subtotal|goods total|items total", "price of the goods without shipping", labels="Subtotal|Goods", near=_SUMS, group="amounts"),
    ask("shipping", "number", "shipping cost|delivery fee|postage", "cost of shipping", labels="Shipping|Delivery fee|Postage", near=_SUMS, group="amounts", weight=1.2),
    ask("discount", "number", "discount|savings", "amount taken off", labels="Discount|You save", near=_SUMS, group="amounts"),
    ask("giftwrap", "number", "gift wrap fee|gift wrapping cost", "charge for gift wrapping", labels="Gift wrap", near=_SUMS, group="amounts", weight=0.8),
    flag("express", "express delivery|is express", "is it sent by express?", ("<Express|Next-day delivery|Overnight service>.", "It <goes|travels> by express."), ("<Standard|Economy> delivery.", "Sent the ordinary way."), weight=1.2),
    flag("signature", "signature required|needs signature", "must somebody sign for the parcel?", ("A signature is <required|needed>.", "<Somebody must sign|The driver asks for a signature>."), ("<No signature needed|It can be left at the door>.",), unknown=True),
    flag("gift", "is gift|gift", "is the order a present?", ("<Gift order|Sent as a gift|With your gift card message>.",), ("<Not a gift|No gift wrapping>.",), implied_by=("giftwrap",), unknown=True),
    choice("pay", "payment method|paid with", "how the order is paid", {
        "card": ("credit card|card", "", ("<Paid by|Charged to your> <credit card|Visa|Mastercard>.",)), "invoice": ("invoice|on account", "pay later by transfer", ("<Purchase on account|You pay by invoice, within 14 days>.",)),
        "wallet": ("online wallet", "an online payment service", ("Paid <with|through> <PayPal|Apple Pay>.",)), "cod": ("cash on delivery", "paid to the driver", ("<Cash on delivery|You pay the driver>.",)), "prepay": ("prepayment|bank transfer in advance", "transfer before shipping", ("<Payment in advance by transfer|We ship once your transfer is here>.",)),
        "gift": ("gift card", "", ("<Paid with|Taken from> your gift card.",))}, unknown=True, weight=1.4),
)

_PROGRESS = {
    "confirmed": ("confirmed|accepted", "taken down, nothing sent yet", ("<Your order is confirmed|We have your order and are packing it|Status: confirmed>.",)), "waiting": ("awaiting payment|on hold for payment", "not packed until paid", ("<We wait for your payment|Status: payment pending>.",)),
    "shipped": ("shipped|on its way", "has left the warehouse", ("<It is on its way|Your parcel has left us|Status: shipped>.",)), "delayed": ("delayed|late", "comes later than announced", ("<Sorry, it takes longer than planned|There is a delay at the depot|Status: delayed>.",)),
    "delivered": ("delivered", "has arrived", ("<It was handed over|Your parcel has arrived|Status: delivered>.",)), "partial": ("partly shipped|partial shipment", "only some of it is sent", ("<Part of your order is on its way, the rest follows|Status: partly shipped>.",)),
    "failed": ("delivery failed|not delivered", "the driver found nobody", ("<Nobody was at home, so we could not deliver|Status: delivery attempt failed>.",)), "cancelled": ("cancelled", "", ("<Your order has been cancelled|Status: cancelled>.",)),
}
ORDER = declare(*_SHARED, choice("status", "status|order status|state", "where the order stands", {key: _PROGRESS[key] for key in ("confirmed", "waiting", "cancelled", "delayed", "shipped")}, weight=1.8),
                choice("sort", "category|kind of goods", "kind of goods", {key: (label, "", ()) for key, label in (("clothes", "clothing"), ("electronics", "electronics"), ("groceries", "food"), ("office", "office supplies"), ("workshop", "tools and hardware"), ("toys", "toys"), ("books", "books"), ("garden", "garden"))}, weight=1.2))
SHIPPING = declare(*_SHARED, choice("status", "status|shipment status|state", "where the parcel is", {key: _PROGRESS[key] for key in ("shipped", "delayed", "delivered", "partial", "failed")}, weight=2))


def _world(declared: Declared, statuses: tuple[str, ...]):  # noqa: ANN202
    def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
        sheet = new_sheet(rng, labels=declared.labels, statements=declared.statements, lang=lang, wordy=wordy)
        shop = names.shop(rng)
        host = names.domain(rng, shop)
        sheet.text("shop", shop)
        add_person(sheet, "person", titled=0.03)
        add_address(sheet, "other", "en")
        sheet.facts["customer"] = sheet.facts["person_name"]
        sheet.texts(0.5, customer_email=names.email(rng, sheet.facts["person_name"].surface, f"{names.slug(names.surname(rng))}.example"), shop_email=f"{rng.choice(('orders', 'help', 'shop', 'hello'))}@{host}", customer_no=names.code(rng, "C", "K"),
                    tracking_no=rng.choice((names.digits(rng, 12), names.code(rng, "PK", "RR", "TRK"), f"1Z{names.digits(rng, 9)}")), carrier=rng.choice((f"{names.surname(rng)} Express", f"{names.place_name(rng)} Parcel", "ParcelPigeon", "SwiftVan", "GreenPost", "NordKurier", "BoxRunner", "Relay24")),
                    track_url=names.url(rng, host, f"/track/{names.digits(rng, 6)}", "/track"), shop_url=names.url(rng, host, "", "/shop"))
        sheet.texts(0.3, coupon=rng.choice(("WELCOME10", "SPRING5", "THANKYOU", f"SAVE{rng.randrange(3, 30)}", "FRIENDS", "FREESHIP")), pickup=f"{rng.choice(('kiosk', 'parcel shop', 'locker', 'petrol station'))} {names.street(rng, 'en')}")
        sheet.text("order_no", names.code(rng, "ORD", "WEB", "A", "B"))
        if sheet.maybe(0.6):
            sheet.set("ship_to", "{person_address}", composite=True)
        if sheet.maybe(0.3):
            sheet.set("bill_to", "{other_address}", composite=True)
        ordered = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
        for key, share, low, high in (("order_date", 0.55, 0, 0), ("ship_date", 0.5, 1, 4), ("arrive_date", 0.6, 5, 14), ("return_by", 0.3, 30, 60)):
            if sheet.maybe(share):
                sheet.day(key, ordered + dt.timedelta(days=rng.randint(low, high)))
        _amounts(sheet, rng.choice(("office", "workshop", "clothes", "electronics", "groceries")))
        decide(sheet, declared, status=rng.choice(statuses))
        return sheet

    return world


def _amounts(sheet: Sheet, sort: str) -> None:
    rng = sheet.rng
    goods = Decimal(0)
    sheet.decisions["sort"] = sort
    for at, (text, price) in enumerate(draw_goods(rng, sort, rng.choice((1, 1, 2, 3, 4)))):
        quantity = rng.choice((1, 1, 1, 2, 3, 5))
        sheet.text(f"items/{at}/name", text)
        sheet.number(f"items/{at}/quantity", quantity)
        sheet.money(f"items/{at}/price", price)
        sheet.money(f"items/{at}/amount", price * quantity)
        goods += price * quantity
    extra = {key: Decimal(rng.choice(("4.90", "3.50", "7.95", "2.00"))) for key in ("shipping", "giftwrap") if sheet.maybe(0.5 if key == "shipping" else 0.15)}
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
    shape = sheet.rng.choice(("{q} x {n}<| - {a}>\n", "- {n}, {q} <pcs|pieces>, {p} each\n", "{n} ({q}) {a}\n", "* {q} {n}\n"))
    for at in sorted(key.split("/")[1] for key in sheet.facts if key.endswith("/name") and key.startswith("items/")):
        sheet.put(shape.replace("{q}", f"{{items/{at}/quantity}}").replace("{n}", f"{{items/{at}/name}}").replace("{a}", f"{{items/{at}/amount}}").replace("{p}", f"{{items/{at}/price}}"))
    if "sort" in sheet.decisions:
        sheet.stated.add("sort")


_MIDDLE = (("<You ordered on|Your order is from|It was placed on> {order_date}.",), ("It <leaves|left> our warehouse on {ship_date}.", "<Dispatch|Handed to the courier>: {ship_date}."), ("<It should be with you on|We expect it to arrive on|Plan to be at home on> {arrive_date}.", "ETA {arrive_date}."),
           ("<It comes with|We use|The courier is> {carrier}<|, tracking {tracking_no}>.", "Tracking: {tracking_no}."), ("<Follow it here|Track it at>: {track_url} .",), ("<It goes to|We deliver to|The parcel is addressed to>: {ship_to}.",), ("The <invoice|bill> goes to {bill_to}.",), ("<The total is|You pay> {total}<|, including {shipping} for shipping>.", "That makes {total}."),
           ("The goods cost {subtotal}.",), ("<Shipping|Delivery> costs {shipping}.",), ("<Your code|Coupon> {coupon} <saved you|took off> {discount}.", "Discount: {discount}."), ("Gift wrapping: {giftwrap}.",), ("<Not happy? Send it back by|Returns are free until> {return_by}.",), ("You can <collect it|pick it up> at {pickup}.",), ("It <weighs|is> {weight} kg<|, in {parcels} parcels>.", "{parcels} parcel(s)."), ("Your customer number is {customer_no}.",))
_HEAD = ("<Order confirmation|Thank you for your order|Your order> {order_no}", "{shop}: order {order_no}", "<Thanks, {customer}!|Order received>")
_SHIP_HEAD = ("<Shipping notice|Dispatch note|Your parcel> {order_no}", "{shop} - parcel for {customer}", "Delivery update")


def _mail(opening: tuple[str, ...]):  # noqa: ANN202
    body = script((("From: {shop} ({shop_email})\nTo: {customer_email}\n", "Subject: <order|your order> {order_no}\n", "To: {customer}\n", ""), ("\n<Hi|Hello|Dear> {customer},\n\n", "\n<Hello|Good day>,\n\n"), opening), _MIDDLE)

    def write(sheet: Sheet) -> None:
        body(sheet)
        sheet.blank()
        _items(sheet)
        sheet.any("<Questions? Write to|Help:> {shop_email}\n", "<Yours,|Your team at> {shop}\n", "{shop} · {shop_url}\n")

    return write


def _listed(heading: tuple[str, ...], declared: Declared):  # noqa: ANN202
    body = labelled(heading, declared.facts)

    def write(sheet: Sheet) -> None:
        body(sheet)
        sheet.blank()
        _items(sheet)

    return write


def _kind(name: str, declared: Declared, statuses: tuple[str, ...], domains: tuple[str, ...], opening: tuple[str, ...], heading: tuple[str, ...]) -> Kind:
    short = script((("{shop}: ", "<Hi|Hello> {customer}, ", ""), ("order {order_no} ", "parcel {tracking_no} ", "")), _MIDDLE, keep=0.3)
    return Kind(name=name, domains=domains, pool=declared.pool({"customer": ("customer", "buyer", "recipient"), "amounts": ("amounts", "totals")}), world=_world(declared, statuses),
                layouts={"mail": _mail(opening), "listed": _listed(heading, declared), "short": short, "data": labelled(heading, declared.facts, data=True), "markdown": markdown(heading, declared.facts)},
                wordy=frozenset(("mail", "short")), exact=frozenset(("data",)), extra=item_fields)


ORDER_KIND = _kind("order_confirmation", ORDER, ("confirmed", "confirmed", "waiting", "cancelled", "delayed", "shipped"), ("order confirmation", "shop mail"), ("<thank you for your order|we have received your order> {order_no} at {shop}. ", "this mail confirms order {order_no}. ", "<thanks for shopping|good choice>! "), _HEAD)
SHIPPING_KIND = _kind("shipping_notice", SHIPPING, ("shipped", "shipped", "delayed", "delivered", "partial", "failed"), ("shipping notice", "delivery note"), ("news about <your parcel|order {order_no}> from {shop}. ", "<this is about|an update on> your order {order_no}. ", "<your parcel|your delivery> from {shop}: "), _SHIP_HEAD)
