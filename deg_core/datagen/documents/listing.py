"""Product listings: the facts of one, its layouts, the kind."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import (
    decide,
    labelled,
    markdown,
    script,
)
from deg_core.datagen.documents.facts import Sheet, Writer, new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.listing_fields import LISTING


def listing_world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """One product: names, numbers, prices, properties."""
    sheet = new_sheet(rng, labels=LISTING.labels, statements=LISTING.statements, lang=lang, wordy=wordy)
    sort = rng.choice(("electronics", "clothes", "office", "workshop"))
    name, price = draw_goods(rng, sort, 1)[0]
    brand = rng.choice(
        (
            names.surname(rng),
            names.place_name(rng),
            names.given_name(rng),
            f"{names.surname(rng)} & {names.surname(rng)}",
            names.slug(names.place_name(rng), "").upper()[:5],
        )
    )
    sheet.text("product", name[0].upper() + name[1:])
    sheet.text("brand", brand)
    sheet.texts(
        0.5,
        seller=names.shop(rng),
        model=f"{rng.choice('ABCDKLMRTX')}{rng.choice(('', '-'))}{rng.randrange(10, 9999)}"
        + rng.choice(("", "i", " Pro", "B")),
        sku=names.code(rng, "A", "SKU"),
        colour=rng.choice(
            ("slate", "off-white", "forest green", "midnight blue", "coral", "anthracite", "sand", "cherry red")
        ),
        size=rng.choice(("M", "42", "XL", "60 x 40 x 12 cm", "15 inch", "2.4 m", "A4", "120 ml")),
    )
    sheet.texts(
        0.35,
        ean=names.digits(rng, 13),
        material=rng.choice(
            (
                "solid oak",
                "organic cotton",
                "stainless steel",
                "recycled plastic",
                "merino wool",
                "borosilicate glass",
                "vegetable-tanned leather",
                "ABS",
            )
        ),
        country=rng.choice(("Portugal", "Germany", "Vietnam", "Turkey", "Poland", "Japan", "Italy")),
        link=names.url(rng, names.domain(rng, brand), f"/p/{names.digits(rng, 5)}", "/manual"),
    )
    if sheet.maybe(0.85):
        sheet.money("price", price)
    for key, share, amount in (
        ("old_price", 0.35, price + draw_price(rng, 2, 60)),
        ("shipping", 0.3, Decimal("4.90")),
        ("unit_price", 0.15, draw_price(rng, 0.5, 9)),
    ):
        if sheet.maybe(share):
            sheet.money(key, amount)
    for key, share, low, high in (
        ("power", 0.25 if sort in ("electronics", "workshop") else 0, 5, 950),
        ("stock", 0.3, 2, 400),
        ("pieces", 0.2, 2, 60),
        ("reviews", 0.3, 3, 900),
    ):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    if sheet.maybe(0.3):
        sheet.number("warranty", rng.choice((12, 24, 36, 60)))
    for key, share, low, high in (("weight", 0.35, 1, 300), ("stars", 0.3, 21, 50)):
        if sheet.maybe(share):
            sheet.number(key, Decimal(rng.randrange(low, high)) / 10)
    day = draw_day(rng, dt.date(2024, 1, 1), dt.date(2027, 9, 1))
    for key, share, shift in (("release", 0.25, 0), ("sale_end", 0.3, rng.randrange(5, 50))):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=shift))
    decide(sheet, LISTING, share=0.45)
    sheet.decisions["sort"] = sort
    if sheet.has("stock"):
        sheet.decisions.pop("supply", None)
    return sheet


_PROPS = (
    ("<In|Colour:> {colour}.",),
    ("<Made of|Material:> {material}.",),
    ("Made in {country}.",),
    ("<Size|Measures> {size}.",),
    ("<It weighs|Weight:> {weight} kg.",),
    ("{power} watts.", "<Draws|Power> {power} W."),
    ("{pieces} pieces <to a pack|in the box>.",),
    ("{warranty} months <of warranty|guarantee>.",),
    ("<Now|Today only|Price:> {price}<|, was {old_price}>.", "<Yours for|Only> {price}."),
    ("<List price|RRP> {old_price}.",),
    ("<Shipping|Delivery> {shipping}.",),
    ("({unit_price} per unit)",),
    ("<We have|There are> {stock} <left|in stock>.",),
    ("<Rated|Customers give it> {stars} out of 5<| ({reviews} ratings)>.",),
    ("{reviews} customers have written about it.",),
    ("<On sale|Available> from {release}.",),
    ("The offer <ends|is valid until> {sale_end}.",),
    ("Model {model}<|, item no. {sku}>.", "<Item|Art.> no. {sku}."),
    ("EAN {ean}.",),
    ("<Sold|Shipped> by {seller}.",),
    ("<More at|Manual:> {link} .",),
)


def _sorted(write: Writer) -> Writer:
    """The kind of goods follows from the product's name."""

    def wrapped(sheet: Sheet) -> None:
        write(sheet)
        sheet.stated.add("sort")

    return wrapped


def advert(sheet: Sheet) -> None:
    """A private small ad."""
    sheet.any(
        "<For sale|Selling|To give away for {price}>: {product} <by|from> {brand}<|, {colour}>. ", "{brand} {product}. "
    )
    script((), _PROPS, keep=0.5)(sheet)


title_line = script(
    (("{brand} {product}<| {model}><| {colour}><| {size}>", "{product} {brand}<| {material}>"), (", ", " - ", " | ")),
    _PROPS,
    keep=0.25,
    end=" ",
)


shop_text = script(
    (("{product}\n", "{brand} {product}\n"), ("<Meet|Discover|Here comes> the {product} <by|from> {brand}. ", "")),
    _PROPS,
)


_HEAD = ("{product}", "{brand} {product}", "<Product data|Data sheet>")


LISTING_KIND = Kind(
    name="product_listing",
    domains=("product listing", "shop page", "small ad"),
    pool=LISTING.pool(),
    world=listing_world,
    layouts={
        "advert": _sorted(advert),
        "title_line": _sorted(title_line),
        "shop_text": _sorted(shop_text),
        "sheet": _sorted(labelled(_HEAD, LISTING.facts)),
        "data": labelled(_HEAD, LISTING.facts, data=True),
        "markdown": _sorted(markdown(("{product}", "{brand} {product}"), LISTING.facts)),
    },
    wordy=frozenset(("advert", "shop_text")),
    exact=frozenset(("data",)),
)
