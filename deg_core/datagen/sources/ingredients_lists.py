"""Ingredient lines put together into the list of a recipe: an array of ingredients."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

from deg_core.datagen.array_draft import Cell, Column
from deg_core.datagen.draft import Draft, Span
from deg_core.datagen.raw import Tally, table
from deg_core.datagen.sources.ingredients import FILES, NAME, PREPARATION, QUANTITY, UNIT, amount_of, places_of
from deg_core.datagen.sources.ingredients import SOURCE as LINES
from deg_core.datagen.wording import slot
from deg_core.records.record import Record
from deg_core.records.split import split_of

SOURCE = "ingredients_lists"

LIST = slot(
    "ingredients|ingredient list|items|shopping list|components|what is needed|groceries",
    "everything that goes into the dish, in order|one entry for each ingredient line|the ingredients of the recipe",
)
_HEADINGS = ("", "", "Ingredients", "Ingredients:", "INGREDIENTS", "You will need:", "Shopping list", "For the dish:")
_SECTIONS = (
    "For the sauce:",
    "For the dressing",
    "To serve",
    "For the filling:",
    "For the topping",
    "For the marinade",
)
_ENDINGS = (
    "", "", "", "Serves 4.", "Method: heat the oven first, then read on.", "Preparation takes 40 minutes.",
    "Allow 2 hours for chilling.", "See the notes on page 12.", "Chop everything before you start.",
)  # fmt: skip
_JOINTS = ("\n", "\n", "\n", "\n- ", "\n* ", "\n• ", "; ", "\n\n", " | ", ", then ")
_KEPT = 0.15
"""Share of the lines that start a list: more lists would drown the other sources."""


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: 2 to 40 lines of one split joined to a list.

    A line is in the split that it has on its own in the set's single lines. Only lines whose asked parts are in the
    text word for word, or missing beyond doubt, are put together.
    """
    tally = Tally() if tally is None else tally
    for file in FILES:
        for number, start, rows in _groups(Path(path) / f"{file}-ingredients-snapshot-2017.csv"):
            draft = Draft(SOURCE, f"{file}/{number:05d}", start, "recipe", "", "ingredient list", LINES)
            if not _ask(draft, rows, tally):
                tally["fewer than two lines that hold"] += 1
                continue
            record = draft.record()
            if record is not None:
                yield record


def _groups(path: Path) -> Iterator[tuple[int, str, list[dict[str, str]]]]:
    """Runs of neighbouring lines of one split, with the number and group of the first."""
    waiting: dict[str, list[dict[str, str]]] = {}
    starts: dict[str, tuple[int, str, int]] = {}
    for number, row in enumerate(table(path)):
        group = row["input"].strip().lower()
        split = split_of(f"{LINES}:{group}")
        if split not in starts:
            rng = Random(f"{SOURCE}/start/{path.name}/{number}")
            if rng.random() > (_KEPT if split == "train" else 0.25):
                continue
            starts[split] = (number, group, round(math.exp(rng.uniform(math.log(2), math.log(26)))) + 2)
        waiting.setdefault(split, []).append(row)
        first, key, wanted = starts[split]
        if len(waiting[split]) >= wanted:
            yield first, key, waiting.pop(split)
            del starts[split]


def _ask(draft: Draft, rows: list[dict[str, str]], tally: Tally) -> bool:
    rng = draft.rng
    with_amount, with_preparation = rng.random() < 0.75, rng.random() < 0.4
    kept: list[tuple[str, list[Span | None]]] = []
    for row in rows:
        cells = _cells(row, with_amount=with_amount, with_preparation=with_preparation)
        if cells is None:
            tally["a part not word for word in the line"] += 1
        else:
            kept.append((row["input"].strip(), cells))
    if len(kept) < 2:
        return False
    columns = [Column(NAME)]
    columns += [Column(QUANTITY), Column(UNIT)] if with_amount else []
    columns += [Column(PREPARATION)] if with_preparation else []
    draft.context, placed = _written(rng, kept)
    cells_of: list[list[Cell]] = [list(row) for row in placed]
    if len(columns) == 1 and rng.random() < 0.6:
        return draft.array(LIST, columns, cells_of, plain=True)
    order = list(range(len(columns)))
    if rng.random() < 0.5:
        rng.shuffle(order)
    return draft.array(LIST, [columns[at] for at in order], [[row[at] for at in order] for row in cells_of])


def _cells(row: dict[str, str], *, with_amount: bool, with_preparation: bool) -> list[Span | None] | None:
    """Where the asked parts stand in one line; None when that is not sure."""
    text, name = row["input"].strip(), row["name"].strip()
    found = places_of(text, name)
    if not text or len(found) != 1:
        return None
    cells: list[Span | None] = [found[0]]
    if with_amount:
        amount = amount_of(text, row["quantity"].strip(), row["unit"].strip())
        if amount is not None and (amount[1] is not None or not row["unit"].strip()):
            cells += list(amount)
        elif not row["quantity"].strip() and not row["unit"].strip() and not any(letter.isnumeric() for letter in text):
            cells += [None, None]
        else:
            return None
    if with_preparation:
        value = row["preparation"].strip()
        where = places_of(text, value) if value else []
        if value and len(where) != 1:
            return None
        cells.append(where[0] if where else None)
    return cells


def _written(rng: Random, kept: list[tuple[str, list[Span | None]]]) -> tuple[str, list[list[Span | None]]]:
    """The list as a text, and the cells moved to where their line stands in it."""
    joint, numbered = rng.choice(_JOINTS), rng.random() < 0.12
    text = heading + "\n" if (heading := rng.choice(_HEADINGS)) else ""
    if joint.strip(" ").startswith("\n") and len(joint) == 3:
        text += joint[1:]
    placed: list[list[Span | None]] = []
    for at, (line, cells) in enumerate(kept):
        if at:
            text += joint
            if "\n" in joint and rng.random() < 0.05:
                text += f"{rng.choice(_SECTIONS)}\n{joint[1:]}"
        if numbered and "\n" in joint:
            text += f"{at + 1}) "
        base = len(text)
        placed.append([cell and (cell[0] + base, cell[1] + base) for cell in cells])
        text += line
    ending = rng.choice(_ENDINGS)
    return (f"{text}\n\n{ending}" if ending else text), placed
