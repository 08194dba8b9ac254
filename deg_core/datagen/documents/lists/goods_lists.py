"""Lists of goods, and of the parcels that they come in."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, declare
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.goods import KINDS, draw_goods
from deg_core.datagen.documents.lists.invention import decided, shared
from deg_core.datagen.documents.lists.model import Abroad, ListKind, bars, rows

_SORTS_OF_GOODS = {
    "groceries": ("food and drink|groceries|food", "things to eat and drink", ()),
    "office": ("office supplies|office", "paper, desks, office machines", ()),
    "workshop": ("tools and building|hardware|workshop", "tools, paint, building material", ()),
    "services": ("services|work", "work that is done, not goods", ()),
    "clothes": ("clothing|clothes|fashion", "things to wear", ()),
    "electronics": ("electronics|electrical", "electrical devices and their parts", ()),
}

_STOCK = {
    "here": ("in stock|available|on hand", "ready to be sent", ()),
    "late": ("back-ordered|on order|delayed", "comes later", ()),
    "gone": ("sold out|discontinued|unavailable", "cannot be had", ()),
}

_SHELF = {"cafe": "groceries"}

_STOCK_WORDS = {
    "here": ("in stock", "available", "ready to ship"),
    "late": ("on back order", "arrives later", "waiting for supplier"),
    "gone": ("sold out", "no longer available", "cannot be delivered"),
}


def _goods(sheet: Sheet, p: str, at: int) -> None:
    """What a world has not invented already: the name, the count and the price may be there."""
    rng = sheet.rng
    if not sheet.has(f"{p}/name"):
        sort = rng.choice(KINDS)
        (name, price), quantity = draw_goods(rng, sort, 1)[0], rng.choice((1, 1, 1, 2, 2, 3, 4, 6, 10))
        sheet.decisions[f"{p}/sort"] = _SHELF.get(sort, sort)
        sheet.text(f"{p}/name", name)
        sheet.number(f"{p}/quantity", quantity)
        sheet.money(f"{p}/price", price)
        sheet.money(f"{p}/amount", price * quantity)
    if not sheet.has(f"{p}/sku") and shared(sheet, "sku", 0.5):
        sheet.text(f"{p}/sku", names.code(rng))
    if shared(sheet, "maker", 0.4):
        sheet.text(f"{p}/maker", rng.choice((names.shop(rng), names.company(rng), names.surname(rng))))
    if shared(sheet, "ready", 0.4):
        sheet.day(f"{p}/ready", draw_day(rng, dt.date(2025, 1, 2), dt.date(2027, 6, 1)))
    if sheet.lang == "en" and shared(sheet, "stock", 0.5):
        answer = rng.choice(("here", "here", "here", "late", "gone"))
        decided(sheet, f"{p}/stock", answer, _STOCK_WORDS[answer])
    if shared(sheet, "off", 0.3):
        sheet.number(f"{p}/off", rng.choice((5, 10, 15, 20, 25, 30)), after=rng.choice(("%", " %")))
    if shared(sheet, "weight", 0.3):
        sheet.number(f"{p}/weight", Decimal(rng.randrange(2, 240)) / 10, after=" kg")


_SIGNS = (
    "{quantity} x {name} à {price} = {amount}",
    "{quantity} x {name}  {amount}",
    "{name} | {quantity} | {price} | {amount}",
    "{quantity} {name}: {price}",
    "{sku} {name} {quantity} {price} {amount}",
    "{name} ({sku}) {price}",
    "{name}",
)

_HELD_SIGNS = (
    "{name} // {quantity} // {amount}",
    "{amount} < {quantity} * {name}",
    "({sku}) {name} - {price}",
    "{name}",
)

GOODS = ListKind(
    name="goods",
    homes=("invoice", "receipt", "order_confirmation", "shipping_notice", "support"),
    alone=frozenset(("support",)),
    declared=declare(
        ask(
            "name",
            "string",
            "name|item|article|description|product|item name|product name|title",
            "name of the article|article as written on the line|what was bought",
            labels="Item|Article|Description|Product|Name",
            de="bezeichnung|artikel",
        ),
        ask(
            "quantity",
            "integer",
            "quantity|qty|count|number of pieces|units|pieces",
            "how many pieces|quantity of the line|number of units",
            labels="Qty|Quantity|Pcs|Count",
            de="menge|anzahl",
        ),
        ask(
            "price",
            "number",
            "unit price|price|price each|price per unit",
            "price of one piece|unit price|price each",
            labels="Unit price|Price|Each",
            de="einzelpreis",
        ),
        ask(
            "amount",
            "number",
            "amount|line total|total|line amount|sum",
            "amount of the line|quantity times price|line total",
            labels="Amount|Total|Line total|Sum",
            de="betrag|gesamt",
        ),
        ask(
            "sku",
            "string",
            "sku|article number|item number|product code|item code",
            "article number|code of the article",
            labels="SKU|Art. no.|Code|Item no.",
            de="artikelnummer",
        ),
        ask(
            "maker",
            "string",
            "brand|maker|manufacturer|supplier",
            "maker of the article|brand",
            labels="Brand|Maker|Manufacturer",
        ),
        ask(
            "ready",
            "date",
            "delivery date|available on|expected date|ready on",
            "day on which it is delivered|when this article arrives",
            labels="Delivery|Expected|Ready on",
        ),
        choice(
            "stock",
            "availability|stock|stock status|status",
            "whether the article can be delivered|availability",
            _STOCK,
        ),
        ask(
            "off",
            "number",
            "discount|discount percent|rebate",
            "discount on the line in percent",
            labels="Discount|Rebate|Off",
        ),
        ask("weight", "number", "weight|weight kg|kilograms", "weight in kg", labels="Weight|kg"),
        choice(
            "sort", "category|product group|kind of product|department", "what sort of thing it is", _SORTS_OF_GOODS
        ),
    ),
    invent=_goods,
    lead=("name",),
    clear_from={"sort": "name"},
    names=bars(
        "items | line items | lines | positions | articles | products | purchases | goods | order lines | entries"
    ),
    nouns=bars("""
        the articles, one entry for each line | line items | everything that was bought |
        all articles with their details | goods on the document without fees, discounts and totals |
        list of purchased products
    """),
    one=bars("one line | an article | a product that was bought | line item"),
    lines=rows("""
        {quantity} x {name}< at| @| à|,> {price}< =|,| -> {amount}
        {quantity} x {name}<, | - |: >{amount}
        {name}, {quantity} <pcs|pieces|units>< at | @ |, >{price}
        {quantity} {name}
        {name} ({sku})<, | ->{quantity} x {price}
        {name}<: | - >{price}
        {name}, {stock}<, | ->{price}
        {quantity} x {name} ({stock})
        {sku} {name} {quantity} {price} {amount}
        {name} by {maker}, {price}
        {quantity} x {name}, {weight}, delivery {ready}
        {name}
    """),
    held_lines=rows("""
        {name} .. {quantity} .. {price}
        ({quantity}) {name} <for|costing> {price}
        {amount}: {name} times {quantity}
        {name} // {sku} // {stock}
        {name} from {maker}, ready {ready}
        {price} {name}
        {name}
    """),
    sentences=rows("""
        <you bought|we supply|there is|it has> {quantity} x {name} at {price} each<|, {amount} in all>.
        {quantity} <pieces|units> of {name} (article {sku}) <come to|cost> {amount}.
        {name} <costs|is> {price}<| and is {stock}>.
        the {name} is {stock}.
        {quantity} x {name}.
        {name} by {maker}, {price}.
        {name} will be there on {ready}.
        {name}.
    """),
    held_sentences=rows("""
        <take|note> {quantity} of {name}, <each priced at|each for> {price}.
        we have set aside {name}, {stock}, for {amount}.
        our stores <picked|packed> {name} ({quantity}).
        {name} for {price}.
        {name} (code {sku}).
        {name}.
    """),
    headings=rows("""
        <Items|Articles|Goods|Order|Your items|What you bought|Positions>
        <Details of the goods|List of articles>
    """),
    none=rows("""
        <No items|Nothing> <was ordered|were ordered|on this document>.
        There are no <articles|lines|positions> on this <paper|document>.
        <Your basket is empty|The order holds no goods>.
    """),
    plain={
        "name": ("names of all articles|product names|article list|item names",),
        "sku": ("article numbers|product codes|skus",),
        "amount": ("line amounts|amounts of lines",),
        "price": ("unit prices|prices",),
    },
    rest=rows("""
        Subtotal {sum}
        Shipping {sum}
        VAT {rate} {sum}
        Discount -{sum}
        Handling fee {sum}
        Deposit paid {sum}
        Total {sum}
    """),
    abroad={
        "de": Abroad(
            headings=("<Artikel|Positionen|Ihre Artikel|Leistungen>",),
            labels={
                "name": ("Artikel", "Bezeichnung"),
                "quantity": ("Menge", "Anzahl", "Stk."),
                "price": ("Einzelpreis", "Preis"),
                "amount": ("Betrag", "Gesamt"),
                "sku": ("Art.-Nr.",),
                "maker": ("Hersteller", "Marke"),
                "ready": ("Liefertermin",),
                "off": ("Rabatt",),
                "weight": ("Gewicht",),
            },
            lines=_SIGNS,
            held_lines=_HELD_SIGNS,
        ),
        "fr": Abroad(
            headings=("<Articles|Détail de la commande|Prestations>",),
            labels={
                "name": ("Désignation", "Article"),
                "quantity": ("Qté", "Quantité"),
                "price": ("P.U.", "Prix"),
                "amount": ("Montant", "Total"),
                "sku": ("Réf.",),
                "maker": ("Marque",),
                "ready": ("Livraison",),
                "off": ("Remise",),
                "weight": ("Poids",),
            },
            lines=_SIGNS,
            held_lines=_HELD_SIGNS,
        ),
        "es": Abroad(
            headings=("<Artículos|Detalle|Conceptos>",),
            labels={
                "name": ("Descripción", "Artículo"),
                "quantity": ("Cant.", "Unidades"),
                "price": ("Precio",),
                "amount": ("Importe",),
                "sku": ("Ref.",),
                "maker": ("Marca",),
                "ready": ("Entrega",),
                "off": ("Dto.",),
                "weight": ("Peso",),
            },
            lines=_SIGNS,
            held_lines=_HELD_SIGNS,
        ),
    },
)

_PARCEL = {
    "sent": ("shipped|on its way", "", ()),
    "there": ("delivered|arrived", "", ()),
    "wait": ("pending|not yet shipped|waiting", "", ()),
}

_PARCEL_WORDS = {
    "sent": ("on the road", "handed to the courier", "shipped"),
    "there": ("delivered", "signed for", "arrived"),
    "wait": ("still in the warehouse", "being packed", "not yet sent"),
}


def _parcel(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(
        f"{p}/code", rng.choice((names.digits(rng, 12), names.code(rng, "PK", "BOX"), f"1Z{names.digits(rng, 9)}"))
    )
    if shared(sheet, "carrier", 0.6):
        sheet.text(
            f"{p}/carrier",
            rng.choice((f"{names.surname(rng)} Express", "ParcelPigeon", "SwiftVan", "GreenPost", "NordKurier")),
        )
    if shared(sheet, "sent", 0.6):
        sheet.day(f"{p}/sent", dt.date(2025, 5, 2) + dt.timedelta(days=3 * at + rng.randrange(3)))
    state = rng.choice(tuple(_PARCEL))
    decided(sheet, f"{p}/state", state, _PARCEL_WORDS[state])


PARCELS = ListKind(
    name="parcels",
    homes=("order_confirmation", "shipping_notice", "support"),
    declared=declare(
        ask(
            "code",
            "string",
            "tracking number|parcel number|tracking|shipment id",
            "tracking number of the parcel",
            labels="Tracking|Parcel|Shipment",
        ),
        ask("carrier", "string", "carrier|courier|sent with|shipper", "who carries it", labels="Carrier|Courier"),
        ask("sent", "date", "ship date|sent on|dispatch date", "day it left", labels="Sent|Dispatched|Ship date"),
        choice("state", "status|state|progress", "where the parcel is", _PARCEL),
    ),
    invent=_parcel,
    lead=("code",),
    names=bars("parcels | shipments | packages | deliveries | boxes"),
    nouns=bars("one entry for each parcel, with what is in it | shipments of the order | the boxes and their contents"),
    one=bars("a parcel | one shipment | a box"),
    lines=rows("""
        Parcel {code}<|, {carrier}><|, {state}>
        {code} ({carrier}), sent {sent}
        {code}, {state}
        {code}
    """),
    held_lines=rows("""
        Box no. {code} by {carrier}
        {code} / {state} / {sent}
        {code}
    """),
    sentences=rows("""
        parcel {code} <went out|left> on {sent}<| with {carrier}>.
        {code} is {state}.
        there is parcel {code}.
    """),
    held_sentences=rows("""
        look out for {code}, {state}.
        {carrier} carries {code}.
        {code}.
    """),
    headings=rows("""
        <Your parcels|Shipments|Deliveries|The order comes in several boxes>
    """),
    none=rows("""
        Nothing has been sent yet.
    """),
    child=GOODS,
    alone=frozenset(("order_confirmation", "shipping_notice", "support")),
)

GOODS_LISTS = (
    GOODS,
    PARCELS,
)
