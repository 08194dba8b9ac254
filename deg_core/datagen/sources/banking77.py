"""Banking77: questions to an online bank, one of 77 intents each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, ask_intent, ask_yes_no
from deg_core.datagen.raw import Tally, read_json, table
from deg_core.records.record import Record

SOURCE = "banking77"


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows of unknown labels are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    folder = Path(path)
    intents = {label: _intent(label) for label in read_json(folder / "categories.json")}
    for number, row in enumerate(table(folder / "train.csv")):
        text, label = row["text"].strip(), row["category"]
        if label not in intents or not text:
            tally["unknown intent or no text"] += 1
            continue
        draft = Draft(SOURCE, f"{number:05d}", text.lower(), "banking support", text, "message")
        if draft.rng.random() < 0.85:
            ask_intent(draft, intents, label, high=20)
        if not draft.fields or draft.rng.random() < 0.4:
            ask_yes_no(draft, intents, label)
        record = draft.record()
        if record is not None:
            yield record


def _intent(label: str) -> Intent:
    words = label.replace("_", " ").rstrip("?").strip()
    return Intent(words.lower(), f"the customer writes about {words.lower()}")
