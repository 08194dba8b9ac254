"""CLINC150: short requests, one of 150 intents in ten domains, and some that fit none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import OTHER, Intent, ask_intent, ask_yes_no, worded
from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.wording import slot, spell
from deg_core.records.record import Record

SOURCE = "clinc150"
OUT_OF_SCOPE = "oos"
DOMAIN = slot(
    "domain|area|department|topic|team|subject",
    "subject area of the request|which area does it belong to?|the team that should answer",
)


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows of unknown labels are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    folder = Path(path)
    domains = {
        name: Intent(name.replace("_", " "), f"the request is about {name.replace('_', ' ')}")
        for name in read_json(folder / "domains.json")
    }
    intents = {
        label: Intent(label.replace("_", " "), f"the user asks about {label.replace('_', ' ')}", domain)
        for domain, labels in read_json(folder / "domains.json").items()
        for label in labels
    }
    parts = read_json(folder / "train_val.json")
    for part in sorted(parts):
        for number, (text, label) in enumerate(parts[part]):
            if not text.strip() or (label not in intents and label != OUT_OF_SCOPE):
                tally["unknown intent or no text"] += 1
                continue
            draft = Draft(SOURCE, f"{part}/{number:05d}", text.strip().lower(), "assistant request", text, "request")
            if label == OUT_OF_SCOPE:
                _ask_out_of_scope(draft, intents)
            else:
                _ask(draft, intents, domains, label)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, intents: dict[str, Intent], domains: dict[str, Intent], label: str) -> None:
    rng = draft.rng
    if rng.random() < 0.85:
        ask_intent(draft, intents, label, high=20)
    if rng.random() < 0.3:
        ask_intent(draft, domains, intents[label].group, item=DOMAIN, high=10)
    if not draft.fields or rng.random() < 0.3:
        ask_yes_no(draft, intents, label)


def _ask_out_of_scope(draft: Draft, intents: dict[str, Intent]) -> None:
    """Nothing fits: the last resort is right among any labels, and every yes/no is no."""
    rng = draft.rng
    labels = rng.sample(sorted(intents), rng.randint(2, 12))
    options = [pair for pair in worded([intents[label] for label in labels], rng) if isinstance(pair[0], str)]
    other = spell(rng.choice((*OTHER, "out of scope", "not supported")), rng.choice(("snake", "spaced", "title")))
    if len(options) >= 2 and other not in [value for value, _ in options]:
        intent = slot("intent|category|label|skill", "which of these does the user want?|intent of the request")
        draft.choose(intent, [*options, (other, None)], other)
    item = intents[rng.choice(labels)]
    draft.decide(slot(f"is {item.words}", f"is the request about {item.words}?"), answer=False)
