"""AE-110k: attributes of products in shop titles, copied word for word, and those that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft, occurrences
from deg_core.datagen.intents import Intent, ask_intent
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "ae110k"

CATEGORY = slot(
    "category|product category|product type|department|kind of product",
    "what kind of product is it?|shop category of the product|section of the shop",
)
CATEGORIES = {
    name: Intent(words, f"the product is {words}")
    for name, words in {
        "Shirts": "shirts", "Eyewear": "eyewear", "Shorts": "shorts", "Guitar": "guitars and parts",
        "Swimwear": "swimwear", "Lure": "fishing lures", "Fishing Rod": "fishing rods", "Baseball Caps": "caps",
        "Stove": "camping stoves", "Helmet": "helmets", "Kitchen": "kitchen tools", "Phones": "phone accessories",
        "Toys": "toys", "Jewellery": "jewellery", "Lamps": "lamps", "Books": "books", "Garden": "garden tools",
        "Furniture": "furniture", "Cosmetics": "cosmetics", "Pets": "pet supplies",
    }.items()
}  # fmt: skip
SYNONYMS = {
    "Brand Name": ("brand", "manufacturer", "maker", "brand name"),
    "Model Number": ("model number", "model", "model code", "part number", "article number"),
    "Gender": ("gender", "for whom", "target gender", "sex"),
    "Sport Type": ("sport type", "sport", "activity", "used for"),
    "Fabric Type": ("fabric type", "fabric", "cloth"),
    "Pattern": ("pattern", "pattern type", "print"),
    "Material": ("material", "made of", "main material"),
    "Lenses Optical Attribute": ("lenses optical attribute", "lens feature", "optical property of lenses"),
    "Weight": ("weight", "item weight", "mass"),
    "Length": ("length", "item length", "size length"),
    "Color": ("color", "colour"),
    "Size": ("size", "sizes"),
    "Quantity": ("quantity", "pieces", "pack size"),
    "Style": ("style", "look"),
    "Season": ("season", "for season"),
}
NOTES = {
    "Brand Name": ("brand of the product", "who makes it?", "brand exactly as in the title"),
    "Model Number": ("model or part number", "code of the model", "the maker's model designation"),
    "Gender": ("whom it is made for: men, women, kids", "target group by gender"),
    "Sport Type": ("sport it is meant for", "which sport or activity is it for?"),
    "Fabric Type": ("kind of fabric", "what cloth is it made of?"),
    "Material": ("main material", "what is it made of?"),
    "Pattern": ("pattern or print on it", "visual pattern"),
}
# Things a shop title does not say, each with a check that this one does not.
NEVER = (
    (slot("price|unit price|cost", "price asked for the product", kind="number"), re.compile(r"[$£€]|\bprice\b", re.I)),
    (slot("warranty|guarantee", "length of the warranty"), re.compile(r"warrant|guarant|year", re.I)),
    (slot("ean|barcode|gtin", "13-digit barcode", opaque=True), re.compile(r"\d{8}")),
    (slot("seller|seller name|shop name", "name of the shop that sells it"), re.compile(r"store|shop|seller", re.I)),
    (slot("delivery time|shipping time", "days until delivery"), re.compile(r"deliver|ship|day", re.I)),
    (slot("rating|customer rating|stars", "average customer rating", kind="number"), re.compile(r"star|rating", re.I)),
)  # fmt: skip
LEADS = ("", "", "", "", "Product: ", "Title: ", "Item: ", "Listing title: ", "Name: ")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: each title once or twice, with other attributes and wordings."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(json_lines(Path(path) / "train.jsonl")):
        for variant in range(2 if len(row["target_scores"]) > 2 else 1):
            group = row["input"].strip().lower()
            draft = Draft(SOURCE, f"{number:05d}/{variant}", group, "product title", row["input"], "title")
            draft.context = draft.rng.choice(LEADS) + row["input"]
            for name, values in row["target_scores"].items():
                _ask(draft, name, list(values), tally)
            for item, present in NEVER:
                if draft.rng.random() < 0.08 and not present.search(draft.context):
                    draft.extract(item, None)
            if row["category"] in CATEGORIES and draft.rng.random() < 0.3:
                ask_intent(draft, CATEGORIES, row["category"], item=CATEGORY, high=12)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, name: str, values: list[str], tally: Tally) -> None:
    item = _slot(name)
    if values == ["n/a"]:
        draft.extract(item, None)
        return
    if len(values) != 1 or draft.rng.random() < 0.1:
        return
    found = occurrences(draft.context, values[0]) or occurrences(draft.context, values[0], words=False)
    if not found:
        tally["value not in the title"] += 1
        return
    draft.extract(item, found[0], alternatives=found[1:])


def _slot(name: str) -> Slot:
    words = re.sub(r"\s*[(/].*", "", name).strip().lower() if "(" in name else name.replace(" / ", " or ").lower()
    return Slot(SYNONYMS.get(name, (words, f"product {words}")), NOTES.get(name, ()))
