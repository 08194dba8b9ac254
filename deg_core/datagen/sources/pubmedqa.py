"""PubMedQA: does an abstract answer its question with yes, no or maybe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.questions import question_slot
from deg_core.datagen.raw import Tally, read_json
from deg_core.records.record import Record

SOURCE = "pubmedqa"

ANSWERS = (
    ({"yes": "yes", "no": "no", "maybe": "maybe"}, None),
    ({"yes": "yes", "no": "no", "maybe": "unclear"}, None),
    ({"yes": "supported", "no": "not supported", "maybe": "mixed"}, None),
    (
        {"yes": "yes", "no": "no", "maybe": "maybe"},
        {"yes": "the results say so", "no": "the results speak against it", "maybe": "the results leave it open"},
    ),
)


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; other answers than the three are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for key, row in read_json(Path(path) / "train.json").items():
        answer = row["final_decision"]
        if answer not in ("yes", "no", "maybe"):
            tally["no decision"] += 1
            continue
        draft = Draft(SOURCE, key, key, "research abstract", "", "abstract")
        rng = draft.rng
        labels = row.get("LABELS") or []
        if len(labels) == len(row["CONTEXTS"]) and rng.random() < 0.5:
            parts = [f"{label.capitalize()}: {part}" for label, part in zip(labels, row["CONTEXTS"], strict=True)]
            draft.context = "\n".join(parts)
        else:
            draft.context = " ".join(row["CONTEXTS"])
        item = question_slot(row["QUESTION"], rng, number=1)
        if answer != "maybe" and rng.random() < 0.4:
            draft.decide(item, answer == "yes")
        else:
            names, notes = rng.choice(ANSWERS)
            options = [(name, notes[kind] if notes else None) for kind, name in names.items()]
            draft.choose(item, options, names[answer])
        record = draft.record()
        if record is not None:
            yield record
