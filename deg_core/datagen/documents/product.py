"""Product listings and reviews of products and places."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, markdown, scale, say_rest, script
from deg_core.datagen.documents.facts import Sheet, new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.kind import Kind

_SORTS = (("electronics", "electronics"), ("clothes", "clothing"), ("office", "office supplies"), ("workshop", "tools and hardware"), ("groceries", "food"), ("toys", "toys"), ("garden", "garden"), ("books", "books"))
_SUMS = "price old_price shipping unit_price"

LISTING = declare(
    ask("product", "string", "product name|product|title|item name", "name of the product", labels="Product|Item|Article", near="brand seller", weight=2),
    ask("brand", "string", "brand|manufacturer|make", "brand or maker", labels="Brand|Made by|Maker", near="seller product", weight=1.7),
    ask("seller", "string", "seller|sold by|shop", "who sells it", labels="Sold by|Seller", near="brand", other_party=True, weight=1.3),
    ask("model", "string", "model|model number|type", "model number", labels="Model|Type|Model no.", near="sku ean", weight=1.4),
    ask("sku", "string", "sku|article number|item number", "article number of the shop", labels="SKU|Art. no.|Item no.", near="model ean", weight=1.4),
    ask("ean", "string", "ean|gtin|barcode", "EAN (barcode number)", labels="EAN|GTIN|Barcode", near="model sku"),
    ask("colour", "string", "color|colour", "colour", labels="Colour|Color", near="material country", weight=1.4),
    ask("material", "string", "material|fabric|made of", "material", labels="Material|Made of", near="colour country", weight=1.4),
    ask("country", "string", "country of origin|made in", "country where it is made", labels="Origin|Made in", near="colour material"),
    ask("size", "string", "size|dimensions", "size or dimensions", labels="Size|Dimensions|Measures", near="weight colour", weight=1.2),
    ask("price", "number", "price|current price|sale price", "price today", labels="Price|Now|Today", vague="amount", near=_SUMS, weight=2),
    ask("old_price", "number", "old price|list price|regular price", "price before the reduction", labels="Was|List price|RRP", near=_SUMS, weight=1.3),
    ask("shipping", "number", "shipping cost|delivery cost", "cost of shipping", labels="Shipping|Delivery", near=_SUMS),
    ask("unit_price", "number", "unit price|price per unit|base price", "price per kilogram, litre or piece", labels="Unit price|Per unit", near=_SUMS, weight=0.9),
    ask("weight", "number", "weight kg|weight", "weight in kilograms", labels="Weight (kg)|Net weight kg", near="power stock warranty", weight=1.2),
    ask("power", "integer", "power watts|wattage", "power in watts", labels="Power (W)|Watts", near="weight stock warranty pieces"),
    ask("stock", "integer", "stock|in stock quantity|units available", "number of pieces in stock", labels="In stock|Stock|Available pieces", near="pieces power warranty reviews", weight=1.1),
    ask("pieces", "integer", "pack size|pieces per pack", "number of pieces in a pack", labels="Pack of|Pieces", near="stock warranty reviews"),
    ask("warranty", "integer", "warranty months|guarantee months", "months of warranty", labels="Warranty (months)|Guarantee months", near="stock pieces power", weight=1.1),
    ask("stars", "number", "rating|average rating", "average rating by customers", labels="Rating|Stars", near="weight reviews", weight=1.1),
    ask("reviews", "integer", "number of reviews|review count", "number of ratings", labels="Reviews|Ratings", near="stock pieces warranty"),
    ask("release", "date", "release date|available from|on sale from", "day from which it can be bought", labels="Available from|Released", near="sale_end", weight=1),
    ask("sale_end", "date", "offer ends|sale end|valid until", "last day of the offer", labels="Offer until|Deal ends", near="release", weight=1.1),
    ask("link", "uri", "product url|url|link", "web address of the product", labels="Link|Manual|See", near="seller", weight=0.8),
    choice("sort", "category|department|product group", "kind of goods", {key: (label, "", ()) for key, label in _SORTS}, weight=2),
    choice("state", "condition|item condition", "condition of the piece", {"new": ("new", "", ("<Brand new, in the box|Condition: new>.",)), "used": ("used|second hand", "", ("<Second hand, with scratches|Used for a year>.",)), "refurbished": ("refurbished", "repaired and checked", ("<Refurbished by the maker|Reconditioned and tested>.",)), "broken": ("defective|for parts", "", ("<Broken, for parts only|Does not work, for hobbyists>.",))}, weight=1.6, unknown=True),
    choice("supply", "availability|stock status", "can it be had?", {"now": ("in stock", "", ("<In stock, ships today|Ready to ship>.",)), "soon": ("available soon|pre-order", "", ("<Pre-order now|Back in two weeks>.",)), "few": ("low stock|few left", "", ("<Only a handful left|Almost gone>.",)), "out": ("out of stock|sold out", "", ("<Sold out|Currently not available>.",))}, implied_by="stock", weight=1.6, unknown=True),
    choice("users", "target group|for whom", "who it is for", {"kids": ("children", "", ("<For children|For little hands>.",)), "men": ("men", "", ("For <men|him>.",)), "women": ("women", "", ("For <women|her>.",)), "all": ("everybody|unisex", "", ("<For everybody|Unisex>.",)), "pros": ("professionals", "", ("<For professionals|Built for daily trade use>.",))}, weight=1.1),
    flag("vegan", "vegan|animal free", "is it free of animal products?", ("<Vegan|Free of animal products>.",), ("<Contains leather|With real wool>.",), unknown=True, weight=0.9),
    flag("water", "waterproof|water resistant", "does it stand water?", ("<Waterproof|May be used in the rain>.",), ("<Keep it dry|Not for wet rooms>.",), unknown=True, weight=1.1),
    flag("battery", "batteries included|battery included", "are batteries included?", ("<Batteries included|With battery>.",), ("<Batteries not included|Battery sold separately>.",), unknown=True, weight=1),
    flag("returnable", "returnable|returns allowed", "can it be sent back?", ("<Free returns within a month|You may send it back>.",), ("<No returns on this article|Cannot be sent back>.",), unknown=True, weight=1.1),
)

REVIEW = declare(
    ask("product", "string", "product|item reviewed|reviewed item", "thing or place that is reviewed", labels="Product|Reviewed", near="shop author", weight=2),
    ask("author", "string", "reviewer|author|reviewer name", "name of the reviewer", labels="By|Reviewer", near="helper shop", weight=1.6),
    ask("shop", "string", "shop|store|bought at", "where it was bought", labels="Bought at|Shop", near="author product", weight=1.2),
    ask("helper", "string", "employee named|staff member|clerk", "member of staff who is named", labels="Served by", near="author", other_party=True, weight=1.1),
    ask("rival", "string", "compared with|competitor product|alternative", "other product it is compared with", labels="Compared with", near="product", weight=1.1),
    ask("city", "string", "reviewer city|city|from", "town of the reviewer", labels="From|Town", near="shop author"),
    ask("day", "date", "review date|date|written on", "day of the review", labels="Date|Written", near="bought broke", weight=1.4),
    ask("bought", "date", "purchase date|bought on", "day of the purchase", labels="Bought on", near="day broke", weight=1.2),
    ask("broke", "date", "broke on|failed on", "day on which it failed", labels="Failed on", near="day bought"),
    ask("price", "number", "price paid|price", "what the reviewer paid", labels="Paid|Price", near="repair", weight=1.3),
    ask("repair", "number", "repair cost", "what the repair cost or would cost", labels="Repair cost", near="price"),
    ask("weeks", "integer", "weeks used|used for weeks", "how many weeks it has been used", labels="Used for (weeks)", near="helpful pieces", weight=1.1),
    ask("helpful", "integer", "helpful votes|likes", "how many found the review helpful", labels="Helpful votes|Likes", near="weeks pieces", weight=0.9),
    ask("pieces", "integer", "number bought|quantity", "how many pieces were bought", labels="Pieces", near="weeks helpful"),
    ask("good", "string", "best feature|pro|advantage", "what is praised", labels="Plus|Pro", near="bad", weight=1.5),
    ask("bad", "string", "worst feature|con|drawback", "what is criticised", labels="Minus|Con", near="good", weight=1.5),
    ask("title", "string", "headline|review title", "headline of the review", labels="Title", near="product"),
    scale("stars", "stars|rating|star rating", "how many stars the reviewer would give by the words used", [
        ("very bad|one star", ("<Dreadful, a waste of money|Rubbish. Stay away|The worst I ever bought>.",)), ("bad|two stars", ("<Rather poor|Disappointing, I expected more>.",)), ("mixed|three stars", ("<It is all right, nothing more|So-so, some good, some bad>.",)), ("good|four stars", ("<Good, with small weaknesses|I like it, though it is not perfect>.",)), ("excellent|five stars", ("<Simply perfect|Outstanding, could not be better|Absolutely love it>.",))], weight=2.5),
    choice("mood", "sentiment|polarity", "overall judgement", {"neg": ("negative", "", ()), "mix": ("mixed|neutral", "", ()), "pos": ("positive", "", ())}, weight=1.8),
    choice("aspect", "main topic|aspect|focus", "what the review is mostly about", {"quality": ("quality", "", ("<The workmanship decides here|It is all about how it is made>.",)), "service": ("customer service", "", ("<What stays in mind is how they treated me|The hotline is the real story>.",)), "delivery": ("delivery", "", ("<Mostly I want to talk about the courier|The parcel journey was the thing>.",)), "cost": ("value for money|price", "", ("<It comes down to the price|The question is whether it is worth the money>.",)), "use": ("ease of use", "", ("<The main point is how it handles|What counts is how simple it is>.",))}, weight=1.4),
    flag("recommend", "would recommend|recommended", "does the reviewer recommend it?", ("<I recommend it|Buy it!|Tell your friends>.",), ("<I cannot recommend it|Do not buy it|Look for something else>.",), weight=1.6),
    flag("again", "would buy again|buy again", "would the reviewer buy it again?", ("<I'd buy it again|The next one is ordered already>.",), ("<Never again|I would not buy it a second time>.",), weight=1.3),
    flag("sent_back", "returned|sent back", "was it sent back?", ("<I sent it back|It went straight back>.",), ("<I kept it|I am keeping it>.",), unknown=True, weight=1.2),
    flag("gift", "was a gift|bought as gift", "was it bought for somebody else?", ("<Bought it for my <niece|father|neighbour>>.", "It was a present."), ("<Bought for myself|It is for my own use>.",), unknown=True),
    flag("verified", "verified purchase|verified buyer", "is the purchase confirmed by the site?", ("<Verified purchase|Purchase confirmed>.",), ("<Purchase not verified|Purchase unconfirmed>.",), unknown=True, weight=0.9),
)


def listing_world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """One product: names, numbers, prices, properties."""
    sheet = new_sheet(rng, labels=LISTING.labels, statements=LISTING.statements, lang=lang, wordy=wordy)
    sort = rng.choice(("electronics", "clothes", "office", "workshop"))
    name, price = draw_goods(rng, sort, 1)[0]
    brand = rng.choice((names.surname(rng), names.place_name(rng), names.given_name(rng), f"{names.surname(rng)} & {names.surname(rng)}", names.slug(names.place_name(rng), "").upper()[:5]))
    sheet.text("product", name[0].upper() + name[1:])
    sheet.text("brand", brand)
    sheet.texts(0.5, seller=names.shop(rng), model=f"{rng.choice('ABCDKLMRTX')}{rng.choice(('', '-'))}{rng.randrange(10, 9999)}{rng.choice(('', 'i', ' Pro', 'B'))}", sku=names.code(rng, "A", "SKU"), colour=rng.choice(("slate", "off-white", "forest green", "midnight blue", "coral", "anthracite", "sand", "cherry red")), size=rng.choice(("M", "42", "XL", "60 x 40 x 12 cm", "15 inch", "2.4 m", "A4", "120 ml")))
    sheet.texts(0.35, ean=names.digits(rng, 13), material=rng.choice(("solid oak", "organic cotton", "stainless steel", "recycled plastic", "merino wool", "borosilicate glass", "vegetable-tanned leather", "ABS")), country=rng.choice(("Portugal", "Germany", "Vietnam", "Turkey", "Poland", "Japan", "Italy")), link=names.url(rng, names.domain(rng, brand), f"/p/{names.digits(rng, 5)}", "/manual"))
    if sheet.maybe(0.85):
        sheet.money("price", price)
    for key, share, amount in (("old_price", 0.35, price + draw_price(rng, 2, 60)), ("shipping", 0.3, Decimal("4.90")), ("unit_price", 0.15, draw_price(rng, 0.5, 9))):
        if sheet.maybe(share):
            sheet.money(key, amount)
    for key, share, low, high in (("power", 0.25 if sort in ("electronics", "workshop") else 0, 5, 950), ("stock", 0.3, 2, 400), ("pieces", 0.2, 2, 60), ("reviews", 0.3, 3, 900)):
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


_PROPS = (("<In|Colour:> {colour}.",), ("<Made of|Material:> {material}.",), ("Made in {country}.",), ("<Size|Measures> {size}.",), ("<It weighs|Weight:> {weight} kg.",), ("{power} watts.", "<Draws|Power> {power} W."), ("{pieces} pieces <to a pack|in the box>.",), ("{warranty} months <of warranty|guarantee>.",), ("<Now|Today only|Price:> {price}<|, was {old_price}>.", "<Yours for|Only> {price}."), ("<List price|RRP> {old_price}.",), ("<Shipping|Delivery> {shipping}.",), ("({unit_price} per unit)",), ("<We have|There are> {stock} <left|in stock>.",), ("<Rated|Customers give it> {stars} out of 5<| ({reviews} ratings)>.",), ("{reviews} customers have written about it.",), ("<On sale|Available> from {release}.",), ("The offer <ends|is valid until> {sale_end}.",), ("Model {model}<|, item no. {sku}>.", "<Item|Art.> no. {sku}."), ("EAN {ean}.",), ("<Sold|Shipped> by {seller}.",), ("<More at|Manual:> {link} .",))


def _sorted(write: Callable[[Sheet], None]) -> Callable[[Sheet], None]:
    """The kind of goods follows from the product's name."""

    def wrapped(sheet: Sheet) -> None:
        write(sheet)
        sheet.stated.add("sort")

    return wrapped


def advert(sheet: Sheet) -> None:
    """A private small ad."""
    sheet.any("<For sale|Selling|To give away for {price}>: {product} <by|from> {brand}<|, {colour}>. ", "{brand} {product}. ")
    script((), _PROPS, keep=0.5)(sheet)


title_line = script((("{brand} {product}<| {model}><| {colour}><| {size}>", "{product} {brand}<| {material}>"), (", ", " - ", " | ")), _PROPS, keep=0.25, end=" ")
shop_text = script((("{product}\n", "{brand} {product}\n"), ("<Meet|Discover|Here comes> the {product} <by|from> {brand}. ", "")), _PROPS)
_HEAD = ("{product}", "{brand} {product}", "<Product data|Data sheet>")
LISTING_KIND = Kind(name="product_listing", domains=("product listing", "shop page", "small ad"), pool=LISTING.pool(), world=listing_world,
                    layouts={"advert": _sorted(advert), "title_line": _sorted(title_line), "shop_text": _sorted(shop_text), "sheet": _sorted(labelled(_HEAD, LISTING.facts)), "data": labelled(_HEAD, LISTING.facts, data=True), "markdown": _sorted(markdown(("{product}", "{brand} {product}"), LISTING.facts))},
                    wordy=frozenset(("advert", "shop_text")), exact=frozenset(("data",)))


_GOOD = ("the battery life", "the friendly packaging", "the sound", "the soft handle", "how light it is", "the clear manual", "the colour", "the sturdy hinge")
_BAD = ("the noise", "the short cable", "the smell of plastic", "the tiny buttons", "the slow app", "the flimsy lid", "the blinding light", "the missing case")


def review_world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """One review: who, what, when, how much, how good."""
    sheet = new_sheet(rng, labels=REVIEW.labels, statements=REVIEW.statements, lang=lang, wordy=wordy)
    things = draw_goods(rng, rng.choice(("electronics", "clothes", "office", "workshop")), 2)
    sheet.text("product", things[0][0])
    sheet.text("author", rng.choice((names.person(rng), f"{names.given_name(rng)} {rng.choice('ABCDEFGHKLMRST')}.", names.given_name(rng))))
    sheet.texts(0.5, shop=names.shop(rng), good=rng.choice(_GOOD), bad=rng.choice(_BAD), city=names.place_name(rng))
    sheet.texts(0.3, helper=names.person(rng), rival=f"{names.shop(rng).split()[-1]} {rng.choice('XZKL')}{rng.randrange(2, 90)}", title=rng.choice(("Well...", "My verdict", "Read this first", "Three months on", "From a sceptic", "A long story")))
    bought = draw_day(rng, dt.date(2023, 1, 1), dt.date(2027, 5, 1))
    for key, share, low, high in (("bought", 0.45, 0, 0), ("broke", 0.2, 20, 60), ("day", 0.45, 61, 200)):
        if sheet.maybe(share):
            sheet.day(key, bought + dt.timedelta(days=rng.randint(low, high)))
    for key, share, amount in (("price", 0.5, things[0][1]), ("repair", 0.15, draw_price(rng, 5, 80))):
        if sheet.maybe(share):
            sheet.money(key, amount)
    for key, share, low, high in (("weeks", 0.35, 2, 60), ("helpful", 0.25, 2, 200), ("pieces", 0.2, 2, 12)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    stars = rng.randrange(5)
    good = stars >= 3 if stars != 2 else rng.random() < 0.5
    decide(sheet, REVIEW, stars=stars, recommend=good, again=good, sent_back=not good and rng.random() < 0.6)
    sheet.decisions["stars"] = stars
    sheet.decisions["mood"] = ("neg", "neg", "mix", "pos", "pos")[stars]
    return sheet


_OPINIONS = (("<I bought it|Bought> <at|from> {shop}<| on {bought}><| for {price}>.", "<Bought|Ordered> on {bought}.", "I paid {price}."), ("<What I like is|Best of all:|Big plus:> {good}.", "{good} <won me over|deserves praise>."), ("<What annoys me is|Less good:|My only quarrel is with> {bad}.", "{bad} <is a nuisance|gets on my nerves>."), ("I have <used it|had it> for {weeks} weeks.",), ("It <failed|gave up> on {broke}<|; the repair would cost {repair}>.",), ("<Compared with|Next to> the {rival} it <holds its own|looks pale>.", "My old {rival} was different."), ("{helper} <served me|was at the counter>.",), ("I <took|ordered> {pieces} of them.",), ("{helpful} people found this helpful.",), ("A repair costs {repair}.",))


def _judged(write: Callable[[Sheet], None]) -> Callable[[Sheet], None]:
    """The overall judgement can be asked once the stars have been put into words."""

    def wrapped(sheet: Sheet) -> None:
        write(sheet)
        if "stars" in sheet.stated:
            sheet.stated.add("mood")

    return wrapped


def site(sheet: Sheet) -> None:
    """A review on a shop's site."""
    sheet.any("{title}\n", "")
    sheet.any("<by|Review by> {author}<|, {city}><| on {day}>\n", "{author}<| from {city}><|, {day}>\n")
    sheet.any("<The|My> {product}: ", "{product}. ", "<A word about|On> the {product}. ")
    sheet.say("stars", end=" ")
    script((), _OPINIONS)(sheet)


def letter(sheet: Sheet) -> None:
    """A friend is told about it."""
    sheet.put("<You asked about|Remember|Let me tell you about> the {product}<?|.> ")
    script((), _OPINIONS)(sheet)
    sheet.any("<Yours|Love|Bye>, {author}", "- {author}<|, {city}>")


short = script((("{product}: ", "{author} on the {product}: ", "{product} ({shop}) "),), _OPINIONS, keep=0.3)
REVIEW_KIND = Kind(name="review", domains=("product review", "review", "customer opinion"), pool=REVIEW.pool(), world=review_world,
                   layouts={"site": _judged(site), "letter": _judged(letter), "short": _judged(short), "export": _judged(labelled(("<Review|Customer review>",), REVIEW.facts)), "data": _judged(labelled((), REVIEW.facts, data=True))},
                   wordy=frozenset(("site", "letter", "short")), exact=frozenset(("data",)))
