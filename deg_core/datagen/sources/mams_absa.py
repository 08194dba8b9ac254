"""MAMS: what a restaurant review thinks of each of several aspects, one choice an aspect."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, read_text
from deg_core.datagen.wording import Slot, slot
from deg_core.errors import RecordError
from deg_core.records.record import Record

SOURCE = "mams_absa"

ASPECTS = {
    "food": slot("food|dishes|food quality|meals", "what the review thinks of the food|opinion on what was eaten"),
    "staff": slot(
        "staff|waiters|personnel|employees", "what the review thinks of the people who work there|opinion on the staff"
    ),
    "service": slot(
        "service|service quality|table service",
        "what the review thinks of the service|opinion on how guests were served",
    ),
    "place": slot(
        "place|premises|seating|venue", "what the review thinks of the rooms and tables|opinion on the place itself"
    ),
    "menu": slot("menu|menu choice|selection", "what the review thinks of the menu|opinion on the choice of dishes"),
    "price": slot("price|prices|value for money|cost", "what the review thinks of the prices|opinion on the cost"),
    "ambience": slot(
        "ambience|atmosphere|mood of place|decor",
        "what the review thinks of the atmosphere|opinion on the mood of the place",
    ),
}
POLARITIES = {
    "positive": Intent("positive", "the review likes it"),
    "negative": Intent("negative", "the review dislikes it"),
    "neutral": Intent("neutral", "it is mentioned without a judgement"),
}
ABSENT = ("not mentioned", "none", "absent", "no opinion given", "not discussed")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the aspect categories in folder ``path``: a choice an aspect, and some for aspects not named."""
    tally = Tally() if tally is None else tally
    for part in ("train", "val"):
        file = Path(path) / f"ACSA_{part}.xml"
        try:
            root = ElementTree.fromstring(read_text(file))
        except ElementTree.ParseError as error:
            raise RecordError(f"{file}: not XML: {error}") from error
        for number, sentence in enumerate(root.iter("sentence")):
            text = (sentence.findtext("text") or "").strip()
            opinions = {
                entry.get("category", ""): entry.get("polarity", "") for entry in sentence.iter("aspectCategory")
            }
            opinions = {name: polarity for name, polarity in opinions.items() if name in ASPECTS}
            if not text or not opinions or not set(opinions.values()) <= set(POLARITIES):
                tally["no text, or no aspect but miscellaneous"] += 1
                continue
            draft = Draft(SOURCE, f"{part}/{number:04d}", text.lower(), "restaurant review", text, "review")
            _ask(draft, opinions)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, opinions: dict[str, str]) -> None:
    """The wording of the options is one for the whole record, as a schema's author would have it."""
    rng = draft.rng
    absent = [name for name in ASPECTS if name not in opinions]
    asked = {name: polarity for name, polarity in opinions.items() if rng.random() < 0.95}
    extra = rng.sample(absent, rng.choice((0, 0, 1, 1, 2)))
    pairs = dict(zip(POLARITIES, worded(list(POLARITIES.values()), rng), strict=True))
    missing = None if rng.random() < 0.5 else rng.choice(ABSENT)
    offers_missing = bool(extra) or rng.random() < 0.3
    tail = rng.choice(("", "", " sentiment", " opinion", " polarity"))
    order = list(POLARITIES)
    rng.shuffle(order)
    for name in [*asked, *extra]:
        item = ASPECTS[name]
        named = Slot(tuple(f"{words}{tail}" for words in item.names), item.descriptions, opaque=not tail)
        options = [pairs[polarity] for polarity in order] + ([(missing, None)] if offers_missing else [])
        answer = pairs[asked[name]][0] if name in asked else missing
        draft.choose(named, options, answer, shuffle=False)
