"""Reviews of products: the facts of one, its layouts, the kind."""

from __future__ import annotations

import datetime as dt
import random

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import (
    decide,
    labelled,
    script,
)
from deg_core.datagen.documents.facts import Sheet, Writer, new_sheet
from deg_core.datagen.documents.goods import draw_goods
from deg_core.datagen.documents.kind import Kind
from deg_core.datagen.documents.review_fields import REVIEW

_GOOD = (
    "the battery life",
    "the friendly packaging",
    "the sound",
    "the soft handle",
    "how light it is",
    "the clear manual",
    "the colour",
    "the sturdy hinge",
)


_BAD = (
    "the noise",
    "the short cable",
    "the smell of plastic",
    "the tiny buttons",
    "the slow app",
    "the flimsy lid",
    "the blinding light",
    "the missing case",
)


def review_world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """One review: who, what, when, how much, how good."""
    sheet = new_sheet(rng, labels=REVIEW.labels, statements=REVIEW.statements, lang=lang, wordy=wordy)
    things = draw_goods(rng, rng.choice(("electronics", "clothes", "office", "workshop")), 2)
    sheet.text("product", things[0][0])
    sheet.text(
        "author",
        rng.choice(
            (names.person(rng), f"{names.given_name(rng)} {rng.choice('ABCDEFGHKLMRST')}.", names.given_name(rng))
        ),
    )
    sheet.texts(0.5, shop=names.shop(rng), good=rng.choice(_GOOD), bad=rng.choice(_BAD), city=names.place_name(rng))
    sheet.texts(
        0.3,
        helper=names.person(rng),
        rival=f"{names.shop(rng).split()[-1]} {rng.choice('XZKL')}{rng.randrange(2, 90)}",
        title=rng.choice(
            ("Well...", "My verdict", "Read this first", "Three months on", "From a sceptic", "A long story")
        ),
    )
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


_OPINIONS = (
    (
        "<I bought it|Bought> <at|from> {shop}<| on {bought}><| for {price}>.",
        "<Bought|Ordered> on {bought}.",
        "I paid {price}.",
    ),
    ("<What I like is|Best of all:|Big plus:> {good}.", "To me {good} <won me over|deserves praise>."),
    ("<What annoys me is|Less good:|My only quarrel is with> {bad}.", "Sadly {bad} <is a nuisance|gets on my nerves>."),
    ("I have <used it|had it> for {weeks} weeks.",),
    ("It <failed|gave up> on {broke}<|; the repair would cost {repair}>.",),
    ("<Compared with|Next to> the {rival} it <holds its own|looks pale>.", "My old {rival} was different."),
    ("{helper} <served me|was at the counter>.",),
    ("I <took|ordered> {pieces} of them.",),
    ("{helpful} people found this helpful.",),
    ("A repair costs {repair}.",),
)


def _judged(write: Writer) -> Writer:
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


REVIEW_KIND = Kind(
    name="review",
    domains=("product review", "review", "customer opinion"),
    pool=REVIEW.pool(),
    world=review_world,
    layouts={
        "site": _judged(site),
        "letter": _judged(letter),
        "short": _judged(short),
        "export": _judged(labelled(("<Review|Customer review>",), REVIEW.facts)),
        "data": _judged(labelled((), REVIEW.facts, data=True)),
    },
    wordy=frozenset(("site", "letter", "short")),
    exact=frozenset(("data",)),
)
