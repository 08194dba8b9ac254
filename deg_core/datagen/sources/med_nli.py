"""MED: does one sentence follow from another when a word in it is made wider or narrower."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, table
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "med_nli"

FRAMES = (
    ("Premise: ", "\nHypothesis: "), ("Sentence 1: ", "\nSentence 2: "), ("Given: ", "\nClaim: "), ("A: ", "\nB: "),
    ("Source: ", "\nSummary: "), ("Fact: ", " Statement: "), ("", "\n=> "),
)  # fmt: skip
FOLLOWS = slot(
    "follows|entailed|is entailed|supported|claim supported|consistent",
    "does the second sentence follow from the first?|true if the first sentence makes the second certain|"
    "Must the second statement be true when the first is?|whether the first statement proves the second",
    opaque=True,
)
RELATION = slot(
    "relation|label|verdict|entailment",
    "how the second sentence relates to the first|does the first sentence prove the second?",
    opaque=True,
)
LABELS = (
    (Intent("entailment", "the second follows from the first"), Intent("neutral", "it may or may not be true")),
    (Intent("follows", "it must be true"), Intent("does not follow", "it could be false")),
    (Intent("supported", "the first proves it"), Intent("not enough information", "the first does not prove it")),
)


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows without the two sentences or a known label are counted."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(table(Path(path) / "MED.tsv", delimiter="\t", quoted=False)):
        first, second = (row.get("sentence1") or "").strip(), (row.get("sentence2") or "").strip()
        label = (row.get("gold_label") or "").strip()
        if not first or not second or label not in ("entailment", "neutral"):
            tally["no sentence or label"] += 1
            continue
        # Pairs made from one sentence turn around, so both sentences decide the group.
        draft = Draft(SOURCE, f"{number:04d}", min(first, second).lower(), "sentence pair", "", "text")
        rng = draft.rng
        lead, middle = rng.choice(FRAMES)
        draft.context = f"{lead}{first}{middle}{second}"
        if rng.random() < 0.7:
            draft.decide(FOLLOWS, label == "entailment")
        else:
            options = worded(rng.choice(LABELS), rng)
            draft.choose(RELATION, options, options[0 if label == "entailment" else 1][0])
        record = draft.record()
        if record is not None:
            yield record
