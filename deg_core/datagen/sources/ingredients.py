"""Ingredient lines of recipes: name, quantity, unit, preparation and what else is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.raw import Tally, table
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "ingredients"
FILES = ("bbc", "cookstr")

NAME = slot(
    "ingredient|name|item|food|ingredient name|product",
    "name of the ingredient|what is it?|the food itself, without amounts",
)
QUANTITY = slot(
    "quantity|amount|qty|how much|number", "how much of it, as a number|amount without the unit", kind="number"
)
UNIT = slot("unit|measure|unit of measure|measured in", "unit of the amount, as written|which unit?")
SIZE = slot("size|size of item", "size word such as large or small", opaque=True)
PREPARATION = slot(
    "preparation|prep|how prepared|instruction", "how it is prepared, such as finely chopped|what is done to it first?"
)
COMMENT = slot("comment|note|remark|extra note", "further remark on the ingredient", opaque=True)
PURPOSE = slot("purpose|used for|what for", "what it is for, such as to garnish", opaque=True)
ABSENT = (
    (slot("brand|brand name", "brand of the product"), 0.06),
    (slot("price|cost", "price of the ingredient", kind="number"), 0.04),
    (slot("calories|energy", "calories", kind="number"), 0.04),
)
# All 107,000 lines would drown the other sources.
_KEPT = 0.3
# Units are stored lemmatised; the text may hold them short, long, or in the plural.
_UNIT_FORMS = {
    "tbsp": r"tbsps?\.?|tablespoons?",
    "tsp": r"tsps?\.?|teaspoons?",
    "tablespoon": r"tablespoons?|tbsps?\.?",
    "teaspoon": r"teaspoons?|tsps?\.?",
    "oz": r"oz\.?|ounces?",
    "ounce": r"ounces?|oz\.?",
    "lb": r"lbs?\.?|pounds?",
    "pound": r"pounds?|lbs?\.?",
    "g": r"g",
    "kg": r"kg",
    "ml": r"ml",
    "leaf": r"lea(?:f|ves)",
    "bunch": r"bunch(?:es)?",
    "pinch": r"pinch(?:es)?",
    "loaf": r"loa(?:f|ves)",
    "box": r"box(?:es)?",
}
LEADS = ("", "", "", "", "", "", "- ", "* ", "Ingredient: ", "• ")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: a sample of the lines, one a record.

    The set stores parts in dictionary form, so only those that stand in the line word for word are asked for.
    """
    tally = Tally() if tally is None else tally
    for file in FILES:
        for number, row in enumerate(table(Path(path) / f"{file}-ingredients-snapshot-2017.csv")):
            uid = f"{file}/{number:05d}"
            text = row["input"].strip()
            if Random(f"{SOURCE}/sample/{uid}").random() > _KEPT:
                continue
            name = row["name"].strip()
            if not text or len(places_of(text, name)) != 1:
                tally["name not word for word in the line"] += 1
                continue
            draft = Draft(SOURCE, uid, text.lower(), "ingredient line", "", "line")
            draft.context = draft.rng.choice(LEADS) + text
            _ask(draft, row, name)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, row: dict[str, str], name: str) -> None:
    rng, text = draft.rng, draft.context
    draft.extract(NAME, places_of(text, name)[0])
    amount = amount_of(text, row["quantity"].strip(), row["unit"].strip())
    if amount is not None:
        quantity, unit = amount
        if quantity is not None:
            draft.extract(QUANTITY, quantity)
        if unit is not None:
            draft.extract(UNIT, unit)
        elif not row["unit"].strip() and rng.random() < 0.5:
            draft.extract(UNIT, None)
    elif not row["quantity"].strip() and not re.search(r"\d|[\u00bc-\u00be]", text) and rng.random() < 0.6:
        draft.extract(QUANTITY, None)
    for key, item in (("preparation", PREPARATION), ("comment", COMMENT), ("purpose", PURPOSE), ("size", SIZE)):
        value = row[key].strip()
        found = places_of(text, value) if value else []
        if len(found) == 1:
            draft.extract(item, found[0])
        elif not value and rng.random() < (0.3 if key == "preparation" else 0.12):
            draft.extract(item, None)
    for item, share in ABSENT:
        if rng.random() < share:
            draft.extract(item, None)


def amount_of(text: str, quantity: str, unit: str) -> tuple[Span | None, Span | None] | None:
    """Where the one quantity and its unit stand; None when there is no quantity, or several."""
    if not re.fullmatch(r"\d+(?:\.\d+)?|\d*#\d+\$\d+", quantity) or " " in unit:
        return None
    if "#" in quantity:
        return None  # fractions are written in too many ways to be sure which characters are meant
    numbers = [match.span() for match in re.finditer(r"(?<![\d.,/])\d+(?:\.\d+)?(?![\d.,/])", text)]
    hits = [span for span in numbers if float(text[slice(*span)]) == float(quantity)]
    if len(hits) != 1 or re.search(r"[\u00bc-\u00be\u2150-\u215e]|\d ?[-–x×] ?\d|\d/\d", text):
        return None
    if not unit:
        return hits[0], None
    form = _UNIT_FORMS.get(unit, re.escape(unit) + "(?:e?s)?")
    after = re.compile(rf"\s?({form})(?![A-Za-z])", re.I).match(text, hits[0][1])
    return hits[0], after.span(1) if after else None


def places_of(text: str, part: str) -> list[Span]:
    """Where ``part`` stands word for word, case aside."""
    return occurrences(text.lower(), part.lower()) if part and len(text.lower()) == len(text) else []
