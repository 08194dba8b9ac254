"""Tweets judged as hate speech, offensive or neither, with the annotators' votes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "toxic_tweets"

KINDS = ("hate_speech", "offensive_language", "neither")
LABEL = slot(
    "label|moderation label|category|verdict|content class|toxicity",
    "what kind of language is it?|result of content moderation|class of the post",
)
LABELS = (
    (
        Intent("hate speech", "it attacks a group of people"),
        Intent("offensive language", "vulgar or insulting words, but no attack on a group"),
        Intent("neither", "harmless"),
    ),
    (
        Intent("hateful", "hatred against people for what they are"),
        Intent("offensive", "rude or obscene words"),
        Intent("clean", "nothing to object to"),
    ),
    (
        Intent("remove", "hate against a group"),
        Intent("warn", "rude or obscene, but not hateful"),
        Intent("allow", "nothing wrong with it"),
    ),
)
OFFENSIVE = slot(
    "is offensive|offensive|toxic|needs review|is rude|profanity",
    "does the post hold offensive language?|true if the words are vulgar, insulting or hateful|"
    "Should a moderator look at it?",
)
HATEFUL = slot(
    "is hate speech|hateful|hate speech|attacks a group",
    "is it hate against a group of people?|true if it attacks people for what they are",
)
# Offensive posts are more than half of the set.
_KEPT = {"0": 1.0, "1": 0.32, "2": 0.55}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``, classes about balanced; votes become soft targets of the choice."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(json_lines(Path(path) / "train.jsonl")):
        text = row["tweet"].strip()
        votes = [int(row[kind]) for kind in KINDS]
        if not text or row["class"] not in _KEPT or not sum(votes):
            tally["no text or votes"] += 1
            continue
        draft = Draft(SOURCE, f"{number:05d}", text.lower(), "social media post", text, "post")
        if draft.rng.random() < _KEPT[row["class"]]:
            _ask(draft, int(row["class"]), votes)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, kind: int, votes: list[int]) -> None:
    rng = draft.rng
    clear = max(votes) / sum(votes) > 0.6
    way = rng.random()
    if way < 0.6:
        options = worded(rng.choice(LABELS), rng)
        shares = {value: count / sum(votes) for (value, _), count in zip(options, votes, strict=True)}
        draft.choose(LABEL, options, options[kind][0], shares=shares)
    if (way >= 0.45 and clear) or not draft.fields:
        draft.decide(OFFENSIVE, kind != 2)
    if clear and kind != 1 and rng.random() < 0.35:
        draft.decide(HATEFUL, kind == 0)
