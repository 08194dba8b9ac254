"""Taskmaster-4: coffee orders in short dialogues, the ordered drinks as an array."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deg_core.datagen.array_draft import Cell, Column
from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "taskmaster4"
FILES = ("data_00", "data_03", "data_05")

ITEMS = slot(
    "items|order items|drinks|ordered drinks|beverages|order",
    "the drinks that were ordered, one entry each|every drink of the order|what the customer orders",
)
DRINK = slot(
    "drink|item|name|beverage|product|drink name",
    "name of the drink, as the customer says it|which drink?|what is ordered",
)
MILK = slot(
    "milk|milk type|milk option|kind of milk",
    "the milk the customer wants in it|milk, as said; null when none is named",
)
SHOTS = slot(
    "shots|espresso shots|number of shots", "how many shots of espresso, as said|single, double, triple or more"
)
CAFFEINE = slot(
    "decaf|caffeine|caffeine option", "the word for decaf, when this drink is to be without caffeine", opaque=True
)
ICED = slot("hot or iced|temperature|served", "the word that says whether it is hot or iced, if any", opaque=True)
DRINKS = slot("drinks|ordered drinks|items|drink names", "names of all drinks that were ordered, as said", opaque=True)
OPTIONS = {
    "milk-options": MILK,
    "espresso-shots": SHOTS,
    "caffeine": CAFFEINE,
    "hot-or-iced": ICED,
}
_FORMS = {
    "decaf": r"decaf(?:f?einated)?|de-caf",
    "iced": r"iced?",
    "non-fat": r"non-?\s?fat|nonfat|skim(?:med)?|fat[- ]free",
    "2%": r"2\s?%|2 ?percent|two percent",
}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the dialogues in folder ``path`` whose final order can be found in what the customer says."""
    tally = Tally() if tally is None else tally
    for file in FILES:
        for dialogue in read_json(Path(path) / f"{file}.json"):
            order = _final_order(dialogue)
            if order is None:
                tally["no order details"] += 1
                continue
            record = _record(dialogue, order, tally)
            if record is not None:
                yield record


def _final_order(dialogue: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The items of the last order that the till shows; None when it shows none that can be read."""
    shown, last = None, None
    for turn in dialogue["utterances"]:
        for note in turn["annotations"]:
            if note["name"] == "api_response":
                shown = note["value"]
            elif note["name"] == "response" and shown == "get_order_details":
                try:
                    last = json.loads(note["value"])
                except json.JSONDecodeError:
                    return None
    items = last.get("menu_items") if isinstance(last, dict) else None
    return items or None


def _record(dialogue: dict[str, Any], order: list[dict[str, Any]], tally: Tally) -> Record | None:
    key = dialogue["conversation_id"]
    draft = Draft(SOURCE, key, key, "coffee order", "", "dialogue")
    said = _write(draft, dialogue["utterances"])
    names = _names(draft.context, order, said)
    if names is None:
        tally["drinks not named once each by the customer"] += 1
        return None
    rows: list[list[Cell]] = [[place] for place in names]
    columns = [Column(DRINK)]
    for option, item in OPTIONS.items():
        cells = _option_cells(draft.context, order, names, said, option)
        if cells is None:
            tally[f"{option} not found where it is expected"] += 1
            continue
        if any(cells) or (option == "milk-options" and draft.rng.random() < 0.3):
            columns.append(Column(item))
            for row, cell in zip(rows, cells, strict=True):
                row.append(cell)
    if draft.rng.random() < (0.4 if len(columns) == 1 else 0.12):
        made = draft.array(DRINKS, columns[:1], [row[:1] for row in rows], plain=True)
    else:
        made = draft.array(ITEMS, columns, rows)
    if not made:
        tally["drinks without a place of their own"] += 1
        return None
    return draft.record()


def _write(draft: Draft, turns: list[dict[str, Any]]) -> list[Span]:
    """Put the dialogue into the draft's context; where the customer speaks."""
    rng = draft.rng
    who = rng.choice((("Customer: ", "Barista: "), ("user: ", "assistant: "), ("- ", "- "), ("A: ", "B: ")))
    text, said = "", []
    for turn in turns:
        lead = who[0] if turn["speaker"] == "user" else who[1]
        text += ("\n" if text else "") + lead
        start = len(text)
        text += " ".join(turn["text"].split())
        if turn["speaker"] == "user":
            said.append((start, len(text)))
    draft.context = text
    return said


def _inside(span: Span, parts: list[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in parts)


def _names(text: str, order: list[dict[str, Any]], said: list[Span]) -> list[Span] | None:
    """The customer's word for each item; every name must be said exactly as often as it was ordered."""
    if len(text.lower()) != len(text):
        return None
    wanted = [" ".join(str(item.get("menu_item_name", "")).lower().split()) for item in order]
    places: dict[str, list[Span]] = {}
    longer: list[Span] = []
    for name in sorted(set(wanted), key=len, reverse=True):
        if not name:
            return None
        hits = [hit for hit in occurrences(text.lower(), name) if _inside(hit, said)]
        hits = [hit for hit in hits if not any(a <= hit[0] and hit[1] <= b for a, b in longer)]
        longer += hits
        if len(hits) != wanted.count(name):
            return None
        places[name] = hits
    return [places[name].pop(0) for name in wanted]


def _option_cells(
    text: str, order: list[dict[str, Any]], names: list[Span], said: list[Span], option: str
) -> list[Cell] | None:
    """Where the option of each item is said; None when one is ordered and not said exactly once near its drink."""
    cells: list[Cell] = []
    for item, name in zip(order, names, strict=True):
        values = [
            a.get("option", "") for a in item.get("attributes", ()) if a.get("attribute_id", "").lower() == option
        ]
        if len(values) > 1:
            return None
        word = re.sub(r"\s*milk$", "", str(values[0]).strip().lower()) if values else ""
        if not word:
            cells.append(None)
            continue
        form = _FORMS.get(word, re.escape(word))
        tail = r"(?:[ -]milk)?" if option == "milk-options" else ""
        pattern = re.compile(rf"(?<!\w)(?:{form}){tail}(?!\w)", re.I)
        hits = [hit.span() for hit in pattern.finditer(text) if _inside(hit.span(), said)]
        if len(order) > 1:
            hits = [hit for hit in hits if min(names, key=lambda other: _gap(other, hit)) == name]
        if len(hits) != 1:
            return None
        cells.append(hits[0])
    if not any(cells) and re.search({"milk-options": r"milk", "caffeine": r"caf", "hot-or-iced": r"\bice|\bhot\b"}.get(
        option, r"shot|single|double|triple"), text, re.I):  # fmt: skip
        return None
    return cells


def _gap(name: Span, other: Span) -> int:
    """How far two places are apart."""
    return max(other[0] - name[1], name[0] - other[1], 0)
