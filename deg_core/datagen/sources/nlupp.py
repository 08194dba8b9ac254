"""NLU++ banking: several yes/no questions about one message, and what it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft
from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "nlupp"

SLOTS = {
    "date": slot("date|day", "the date named|which day?"),
    "date_period": slot("period|date period|time span", "length or name of a period of days, months or years"),
    "date_from": slot("from date|start date|since", "day on which a period begins"),
    "date_to": slot("to date|end date|until", "day on which a period ends"),
    "time": slot("time|clock time|time of day", "the time of day named|at what time?"),
    "time_from": slot("from time|start time", "time of day from which it holds"),
    "time_to": slot("to time|end time", "time of day until which it holds"),
    "time_period": slot("duration|time period", "length of time in hours or minutes"),
    "person_name": slot("person|name|person name", "name of a person|who is named?"),
    "number": slot("number|count|how many", "a number of things, not of money", kind="integer", opaque=True),
    "amount_of_money": slot("amount|sum|amount of money", "sum of money named|how much money?"),
    "company_name": slot("company|merchant|company name", "company that is named|which company?"),
    "shopping_category": slot("category|spending category|expense type", "what the money was spent on"),
}
WORDS = {
    "cancel_close_leave_freeze": "cancel or close", "make_open_apply_setup_get_activate": "open or set up",
    "transfer_payment_deposit": "transfer or payment", "wrong_notworking_notshowing": "something wrong",
    "lost_stolen": "lost or stolen", "more_higher_after": "more or higher", "less_lower_before": "less or lower",
    "fees_interests": "fees or interest",
}  # fmt: skip
_TEMPTING = {
    "date": ("date_from", "date_to", "time"), "time": ("time_from", "time_to", "date"),
    "date_from": ("date", "date_to"), "date_to": ("date", "date_from"), "time_from": ("time", "time_to"),
    "time_to": ("time", "time_from"), "date_period": ("time_period", "date"), "amount_of_money": ("number",),
    "number": ("amount_of_money",), "person_name": ("company_name",), "company_name": ("person_name",),
}  # fmt: skip


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows with spans that do not hold are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    folder = Path(path)
    ontology = read_json(folder / "ontology.json")["intents"]
    intents = {
        name: entry["description"] for name, entry in ontology.items() if {"banking", "general"} & set(entry["domain"])
    }
    for file in sorted((folder / "banking").glob("fold*.json*"), key=lambda item: (len(item.name), item.name)):
        for number, row in enumerate(read_json(file)):
            text = row["text"]
            draft = Draft(
                SOURCE,
                f"{file.name.partition('.')[0]}/{number:03d}",
                text.strip().lower(),
                "banking message",
                text,
                "message",
            )
            if not text.strip():
                tally["empty text"] += 1
                continue
            _ask_intents(draft, set(row.get("intents", ())), intents)
            _ask_slots(draft, row.get("slots", {}), tally)
            record = draft.record()
            if record is not None:
                yield record


def _ask_intents(draft: Draft, held: set[str], intents: Mapping[str, str]) -> None:
    """As many that hold as do not, so that neither answer is the safe one."""
    rng = draft.rng
    yes = rng.sample(sorted(held & set(intents)), min(len(held & set(intents)), rng.randint(1, 3)))
    # "request_info" is held by most questions and by no clear rule: its absence proves nothing.
    no_pool = sorted(set(intents) - held - {"request_info", "acknowledge", "how"})
    no = rng.sample(no_pool, max(1, len(yes)) if rng.random() < 0.8 else 1)
    for name in [*yes, *no]:
        words = WORDS.get(name, name.replace("_", " "))
        question = intents[name]
        clause = question.removeprefix("is the intent ").rstrip("?")
        text = rng.choice((question, f"true if the intent is {clause}", f"the customer's intent is {clause}"))
        lead = rng.choice(("about ", "is ", "", "mentions ", "intent "))
        draft.decide(Slot((f"{lead}{words}", words), (text,), opaque=rng.random() < 0.7), name in held)


def _ask_slots(draft: Draft, slots: Mapping[str, Any], tally: Tally) -> None:
    rng = draft.rng
    for name, entry in slots.items():
        if name not in SLOTS or "span" not in entry:
            continue
        start, end = entry["span"]
        if draft.context[start:end] != entry["text"]:
            tally["bad span"] += 1
            continue
        draft.extract(SLOTS[name], (start, end))
    tempting = [other for name in slots for other in _TEMPTING.get(name, ()) if other not in slots]
    for name in rng.sample(tempting, min(len(tempting), rng.choice((0, 1, 1)))):
        draft.extract(SLOTS[name], None)
    if not slots and rng.random() < 0.3:
        draft.extract(SLOTS[rng.choice(sorted(SLOTS))], None)
