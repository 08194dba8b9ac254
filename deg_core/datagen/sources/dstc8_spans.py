"""DSTC8 spans: single user turns of the Schema-Guided Dialogues with the slots they fill."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from deg_core.datagen.draft import Draft, Span
from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "dstc8_spans"

_DATE = "day, as the user put it|on which day?|date or weekday named"
SERVICES: dict[str, tuple[str, dict[str, Slot]]] = {
    "Buses_1": (
        "bus booking",
        {
            "from_location": slot(
                "from|origin|departure city|leaving from", "city the bus leaves from|where does the trip start?"
            ),
            "to_location": slot(
                "to|destination|arrival city|going to", "city the bus goes to|where does the trip end?"
            ),
            "leaving_date": slot("date|travel date|departure date|leaving on", _DATE),
        },
    ),
    "Events_1": (
        "event search",
        {
            "city_of_event": slot("city|location|town|where", "city of the event|where should it be?"),
            "date": slot("date|event date|day|when", _DATE),
            "event_name": slot("event|event name|show|title", "name of the event, team or artist|which event?"),
            "subcategory": slot(
                "genre|kind of event|sport or music genre|subcategory", "kind of music or sport|what sort of event?"
            ),
        },
    ),
    "Homes_1": (
        "flat search",
        {
            "area": slot("area|city|location|neighbourhood", "city or area of the flat|where is a flat looked for?"),
            "visit_date": slot("visit date|viewing date|day of visit|when to visit", _DATE),
        },
    ),
    "RentalCars_1": (
        "car rental",
        {
            "pickup_date": slot(
                "pickup date|start date|collection day|from date", "day the car is picked up|from which day?"
            ),
            "pickup_time": slot("pickup time|collection time|start time", "time the car is picked up|at what time?"),
            "pickup_city": slot(
                "pickup city|city|location|rental city", "city the car is picked up in|where is the car needed?"
            ),
            "dropoff_date": slot(
                "return date|dropoff date|end date|until", "day the car is brought back|until which day?"
            ),
        },
    ),
}
NEVER = (
    slot("phone|phone number|contact number", "phone number of the user"),
    slot("name|customer name", "name of the user"),
    slot("email|email address", "email address of the user", kind="email"),
    slot("promo code|voucher", "discount code"),
    slot("budget|max price|price limit", "most the user wants to pay", kind="number"),
)
LEADS = ("", "", "", "", "User: ", "Customer: ", "> ", "Message: ", "Caller: ")
_SILENT_KEPT = 0.2
_WHEN = re.compile(
    r"\d|today|tomorrow|tonight|morning|noon|evening|day\b|week|month|next|later|first|second|third"
    r"|january|february|march|april|may\b|june|july|august|september|october|november|december",
    re.I,
)


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``, split by dialogue; rows whose spans do not hold are counted."""
    tally = Tally() if tally is None else tally
    for service, (domain, slots) in SERVICES.items():
        for number, row in enumerate(read_json(Path(path) / f"{service}_train.json")):
            text = row["userInput"]["text"]
            dialogue = re.match(r"\d+_\d{5}", str(row["id"]))
            if not text.strip() or dialogue is None:
                tally["no text or dialogue"] += 1
                continue
            draft = Draft(
                SOURCE, f"{service}/{number:04d}", dialogue.group(), domain, text, "message", corpus="sgd"
            )  # the dialogues are those of the sgd source
            lead = draft.rng.choice(LEADS)
            draft.context = lead + text
            found = _found(row, text, len(lead))
            if found is None:
                tally["bad span"] += 1
                continue
            if not found and draft.rng.random() > _SILENT_KEPT:
                continue
            _ask(draft, slots, found)
            record = draft.record()
            if record is not None:
                yield record


def _found(row: Mapping[str, object], text: str, shift: int) -> dict[str, Span] | None:
    """The marked span of each slot, or None when one of them does not hold."""
    found: dict[str, Span] = {}
    labels = row.get("labels", ())
    for label in labels if isinstance(labels, list) else ():
        start, end = label["valueSpan"].get("startIndex", 0), label["valueSpan"].get("endIndex", 0)
        if not 0 <= start < end <= len(text):
            return None
        found[label["slot"]] = (start + shift, end + shift)
    return found


def _ask(draft: Draft, slots: Mapping[str, Slot], found: Mapping[str, Span]) -> None:
    rng = draft.rng
    for name, item in slots.items():
        if name in found:
            draft.extract(item, found[name])
        elif rng.random() < 0.45 and not _hinted(name, draft.context, list(found.values())):
            draft.extract(item, None)
    for item in NEVER:
        if rng.random() < 0.05:
            draft.extract(item, None)


def _hinted(name: str, text: str, found: list[Span]) -> bool:
    """Whether a value may stand in the text unmarked: the set marks what is new in a turn, not all that is said."""
    rest = list(text)
    for start, end in found:
        rest[start:end] = " " * (end - start)
    left = "".join(rest)
    if "date" in name or "time" in name:
        return _WHEN.search(left) is not None
    return re.search(r"(?<![.?!:>] )(?<!^)\b[A-Z][a-z]{2,}", left) is not None
