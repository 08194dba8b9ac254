"""E2E: one-sentence descriptions of restaurants with the facts they tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft, occurrences
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, table
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "e2e"

NAME = slot(
    "name|restaurant name|venue|place name|restaurant", "name of the place|what is it called?|the venue described"
)
NEAR = slot(
    "near|landmark|close to|nearby place|neighbour", "place it is close to|what is it near?|landmark next to it"
)
FAMILY = slot(
    "family friendly|kid friendly|good for children|suitable for families|children welcome",
    "are families welcome?|true if children are welcome|Is it suitable for families with kids?",
)
FOOD = slot("food|cuisine|food type|kind of food", "what food is served?|cuisine of the place")
AREA = slot("area|location|part of town|where", "part of town|where is it?")
PRICE = slot("price range|prices|price level|cost|price", "how expensive it is|price range named|what do meals cost?")
RATING = slot("customer rating|rating|stars|score", "rating by customers|how do customers rate it?")
KIND = slot("type|venue type|kind of place|eat type", "what sort of place is it?")
NEVER = (
    slot("phone|phone number", "number to book a table"),
    slot("opening hours|hours|open", "when the place is open"),
    slot("chef|owner|chef name", "name of the chef"),
    slot("signature dish|dish", "dish the place is known for"),
    slot("website|url", "address of the web site", kind="uri"),
    slot("street|street address", "street and number"),
)
FOODS = ("English", "Chinese", "French", "Italian", "Indian", "Japanese", "Thai", "Mexican", "Greek", "Fast food")
AREAS = ("riverside", "city centre", "suburbs", "harbour", "old town", "airport", "countryside")
KINDS = ("coffee shop", "pub", "restaurant", "bakery", "food truck", "bar")
PRICE_WORDS = ("cheap", "moderate", "high")
PRICE_MONEY = ("less than £20", "£20-25", "more than £30")
RATING_WORDS = ("low", "average", "high")
RATING_STARS = ("1 out of 5", "3 out of 5", "5 out of 5")
_MR = re.compile(r"([\w ]+)\[([^\]]*)\]")
# A text may leave out what its facts hold: a field is asked where the text touches on it, and a null where it does not.
CUES = {
    "food": re.compile(r"chinese|english|british|fish and chips|food|cuisine|serv|dish|meal", re.I),
    "area": re.compile(r"river|city|cent(?:re|er)|town", re.I),
    "priceRange": re.compile(r"cheap|pric|cost|expens|£|\d\d|afford|inexpens|moderate|low|high", re.I),
    "customer rating": re.compile(r"rat|star|out of|customer|review|score|average|\bof 5\b", re.I),
    "familyFriendly": re.compile(r"famil|kid|child|adult", re.I),
}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; texts with the same facts go into the same split."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(table(Path(path) / "devset.csv")):
        text, facts = row["ref"].strip(), {key.strip(): value for key, value in _MR.findall(row["mr"])}
        if not text or "name" not in facts:
            tally["no text or name"] += 1
            continue
        draft = Draft(SOURCE, f"{number:05d}", row["mr"], "restaurant description", text, "description")
        _ask_copied(draft, facts, tally)
        _ask_decided(draft, facts)
        record = draft.record()
        if record is not None:
            yield record


def _ask_copied(draft: Draft, facts: dict[str, str], tally: Tally) -> None:
    rng = draft.rng
    for key, item in (("name", NAME), ("near", NEAR)):
        if key not in facts:
            if rng.random() < 0.8:
                draft.extract(item, None)
            continue
        found = occurrences(draft.context, facts[key])
        if not found:
            tally[f"{key} not in the text"] += 1
        elif rng.random() < 0.9:
            draft.extract(item, found[0], alternatives=found[1:])
    for item in NEVER:
        if rng.random() < 0.04:
            draft.extract(item, None)


def _ask_decided(draft: Draft, facts: dict[str, str]) -> None:
    rng, text = draft.rng, draft.context
    value = facts.get("familyFriendly")
    touched = bool(CUES["familyFriendly"].search(text))
    if value and touched and rng.random() < 0.8:
        draft.decide(FAMILY, value == "yes")
    elif not value and not touched and rng.random() < 0.3:
        draft.decide(FAMILY, None)
    if (food := facts.get("food")) and food.lower() in text.lower():
        _choice(draft, FOOD, FOODS, food)
    elif not food and not re.search("chinese|english|british", text, re.I):
        _choice(draft, FOOD, FOODS, None)
    if (area := facts.get("area")) and area.split()[0][:5].lower() in text.lower():
        _choice(draft, AREA, AREAS, area)
    elif not area and not CUES["area"].search(text):
        _choice(draft, AREA, AREAS, None)
    if (kind := facts.get("eatType")) and kind in text.lower():
        _choice(draft, KIND, KINDS, kind, keep=0.4)
    price, rating = facts.get("priceRange"), facts.get("customer rating")
    if price is not None and CUES["priceRange"].search(text):
        _choice(draft, PRICE, PRICE_WORDS if price in PRICE_WORDS else PRICE_MONEY, price)
    elif price is None and not CUES["priceRange"].search(text):
        _choice(draft, PRICE, rng.choice((PRICE_WORDS, PRICE_MONEY)), None)
    if rating is not None and CUES["customer rating"].search(text):
        if rating in RATING_STARS and rng.random() < 0.5:
            draft.rate(RATING, int(rating[0]), low=1, high=5)
        else:
            _choice(draft, RATING, RATING_WORDS if rating in RATING_WORDS else RATING_STARS, rating)
    elif rating is None and not CUES["customer rating"].search(text):
        _choice(draft, RATING, rng.choice((RATING_WORDS, RATING_STARS)), None)


def _choice(draft: Draft, item: Slot, values: tuple[str, ...], answer: str | None, *, keep: float = 0.7) -> None:
    """A choice of some of ``values`` with the answer among them; null is an option when it is right, or at times."""
    rng = draft.rng
    if rng.random() > keep:
        return
    if len(values) > 3:
        rest = [value for value in values if value != answer]
        values = (*((answer,) if answer else ()), *rng.sample(rest, rng.randint(2, len(rest))))
    if all(value.isascii() and not value[0].isdigit() for value in values):
        options = worded([Intent(value, value) for value in values], rng)
        options = [(value, text if text != value else None) for value, text in options]
        pairs = dict(zip(values, options, strict=True))
    else:
        pairs = {value: (value, None) for value in values}
    drawn = [*pairs.values(), *([(None, None)] if answer is None or rng.random() < 0.25 else [])]
    draft.choose(item, drawn, None if answer is None else pairs[answer][0], shuffle=len(values) > 3)
