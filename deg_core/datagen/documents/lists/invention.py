"""What inventing an item needs: decisions with their words, shares of items that have a fact, days and times."""

from __future__ import annotations

import datetime as dt

from deg_core.datagen.documents.dates import draw_day, write_clock
from deg_core.datagen.documents.facts import Sheet


def decided(sheet: Sheet, key: str, answer: object, words: tuple[str, ...]) -> None:
    """A decision about an item, and the words on the page that say it."""
    sheet.decisions[key] = answer
    sheet.text(key, sheet.rng.choice(words))


def shared(sheet: Sheet, key: str, share: float) -> bool:
    """Whether this item has the fact: the page has it for all items, for most, or for none."""
    memo = f"share/{key}"
    if memo not in sheet.decisions:
        sheet.decisions[memo] = sheet.rng.choice((1.0, 1.0, 0.6, 0.85)) if sheet.rng.random() < share else 0.0
    return sheet.rng.random() < float(sheet.decisions[memo])


def week(sheet: Sheet, key: str, first: dt.date | None = None) -> None:
    """A day in the style of the page."""
    start = first or dt.date(2023, 1, 2)
    sheet.day(key, draw_day(sheet.rng, start, start + dt.timedelta(days=1500 if first is None else 60)))


def clock(sheet: Sheet, key: str, hour: int) -> None:
    """A time of day as the page writes it."""
    sheet.text(key, write_clock(dt.time(hour % 24, sheet.rng.choice((0, 0, 15, 30, 45))), sheet.way.clock))
