"""RESTAURANTS-8K: turns of restaurant bookings with spans for people, date, time and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "restaurant8k"

SLOTS = {
    "people": slot(
        "people|party size|guests|number of people|covers|group size|number of guests|diners|seats|headcount",
        "how many people the table is for|number of guests in the party|size of the party|"
        "how many will be dining?|the people the booking is for|for how many people is the table?|seats needed",
        kind="integer",
    ),
    "date": slot(
        "date|booking date|day|reservation date|reservation day|visit date|dining date|when",
        "day of the reservation|the day the guest wants to come|on which day is the table wanted?|"
        "date of the booking as the guest put it|calendar day or weekday of the visit",
        kind="date",
    ),
    "time": slot(
        "time|booking time|arrival time|reservation time|hour|slot time|table time|start time",
        "time of day of the reservation|when the party will arrive|at what time is the table wanted?|"
        "clock time or part of the day asked for|time for the table",
    ),
    "first_name": slot(
        "first name|given name|forename|guest first name|customer first name|name given",
        "first name of the guest|given name the table is booked under|the person's forename|"
        "what is the guest's first name?",
    ),
    "last_name": slot(
        "last name|surname|family name|guest last name|customer surname|name family",
        "surname of the guest|family name the table is booked under|the person's last name|"
        "what is the guest's surname?",
    ),
}
# Fields that no turn of this set fills: asked now and then, so that a tempting time or name is not taken for them.
NEVER = (
    slot("phone number|contact number|phone|mobile", "number to call the guest back on|phone number of the guest"),
    slot("email|email address", "address for the confirmation", kind="email"),
    slot("end time|until|departure time", "when the party will leave|time by which the table is free again"),
    slot("children|number of children|high chairs", "how many high chairs are needed", kind="integer"),
    slot("booking reference|reservation number|confirmation code", "reference of an existing booking"),
    slot("dish|dish ordered|menu item", "dish the guest asks for"),
    slot("deposit|deposit amount", "money paid in advance", kind="number"),
    slot("company|organisation|company name", "company that books"),
)
# Turns in which no slot is filled are a third of the set; fewer teach null as well.
_SILENT_KEPT = 0.35
LEADS = ("", "", "", "", "Guest: ", "Customer: ", "> ", "Message: ", "user: ", "Caller: ")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows whose spans do not hold are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(read_json(Path(path) / "train.json")):
        text = row["userInput"]["text"]
        if not text.strip():
            tally["empty text"] += 1
            continue
        draft = Draft(SOURCE, f"{number:05d}", text.strip().lower(), "restaurant booking", text, "message")
        lead = draft.rng.choice(LEADS)
        draft.context = lead + text
        found = _found(row, text, len(lead))
        if found is None:
            tally["bad span"] += 1
            continue
        if not found and draft.rng.random() > _SILENT_KEPT:
            continue
        _ask(draft, found, row.get("context", {}).get("requestedSlots", []))
        record = draft.record()
        if record is not None:
            yield record


def _found(row: Mapping[str, Any], text: str, shift: int) -> dict[str, Span] | None:
    """The marked span of each slot, or None when one of them does not hold."""
    found: dict[str, Span] = {}
    for label in row.get("labels", ()):
        start, end = label["valueSpan"].get("startIndex", 0), label["valueSpan"].get("endIndex", 0)
        if label["slot"] not in SLOTS or not 0 <= start < end <= len(text):
            return None
        found[label["slot"]] = (start + shift, end + shift)
    return found


def _ask(draft: Draft, found: Mapping[str, Span], requested: list[str]) -> None:
    """All that was said (mostly), some of what was not, and now and then something nobody says here."""
    rng = draft.rng
    for name, item in SLOTS.items():
        if name in found:
            if len(found) == 1 or rng.random() < 0.9:
                span = found[name]
                text = draft.context[slice(*span)]
                same = occurrences(draft.context, text) if name in ("first_name", "last_name") else []
                draft.extract(item, span, alternatives=same)
        elif rng.random() < (0.45 if found or name in requested else 0.35):
            draft.extract(item, None)
    for item in NEVER:
        if rng.random() < 0.04:
            draft.extract(item, None)
    if not draft.fields:
        name = next(iter(found), "time")
        draft.extract(SLOTS[name], found.get(name))
