"""EmoBank: valence, arousal and dominance of sentences on scales of 1 to 5, levels balanced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "emobank"

SCALES = {
    "V": slot(
        "valence|sentiment|mood|positivity|tone|pleasantness|how positive|feeling",
        "how pleasant the feeling is, from 1 (very negative) to 5 (very positive)|"
        "sentiment of the sentence, 5 is best|How positive does the text sound?|mood of the writer, higher is happier",
    ),
    "A": slot(
        "arousal|excitement|intensity|energy|agitation|how excited",
        "how excited the feeling is, from 1 (calm) to 5 (very excited)|strength of the emotion, 5 is strongest|"
        "How agitated does the text sound?|energy of the writer, higher is more agitated",
    ),
    "D": slot(
        "dominance|control|sense of control|power|confidence shown",
        "how much in control the writer feels, from 1 (helpless) to 5 (in full control)|"
        "Does the writer sound in control? 5 is most|feeling of power over the situation, higher is stronger",
    ),
}
LEVELS = {
    "V": (
        ("very negative", "negative", "neutral", "positive", "very positive"),
        ("awful", "unpleasant", "neither", "pleasant", "wonderful"),
        ("very sad or angry", "a bit negative", "no clear feeling", "a bit positive", "very happy"),
    ),
    "A": (
        ("very calm", "calm", "moderate", "excited", "very excited"),
        ("asleep", "relaxed", "awake", "agitated", "frantic"),
    ),
    "D": (
        ("helpless", "weak", "neutral", "in control", "dominant"),
        ("powerless", "unsure", "balanced", "confident", "commanding"),
    ),
}
POSITIVE = slot(
    "is positive|positive|good news|sounds happy|pleasant",
    "is the feeling of the text positive?|true if the text sounds pleasant|Does the writer feel good about it?",
)
NEGATIVE = slot(
    "is negative|negative|sounds unhappy|unpleasant|bad news",
    "is the feeling of the text negative?|true if the text sounds unpleasant|Is this about something bad?",
)
SENTIMENT = slot(
    "sentiment|polarity|tone|feeling",
    "overall feeling of the text|is it positive, negative or neither?|polarity of the sentence",
)
POLARITIES = (
    Intent("negative", "the text sounds unpleasant"),
    Intent("neutral", "no clear feeling either way"),
    Intent("positive", "the text sounds pleasant"),
)
# Means of many raters crowd around 3: the distance from it is stretched, so that the ends of the scale are used.
_STRETCH = 1.7
# A level this near to the next one could be either; such a scale is not asked for the row.
_MARGIN = 0.12
# What is kept of each level, so that none is right more than about a third of the time.
_KEPT = {
    "V": {1: 1.0, 2: 0.5, 3: 0.1, 4: 0.45, 5: 1.0},
    "A": {1: 1.0, 2: 1.0, 3: 0.06, 4: 0.5, 5: 1.0},
    "D": {1: 1.0, 2: 1.0, 3: 0.05, 4: 0.5, 5: 1.0},
}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; the middle levels, nine tenths of the set, are thinned."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(json_lines(Path(path) / "train_dev.jsonl")):
        text = row["text"].strip()
        if sum(letter.isalpha() for letter in text) < 8:
            tally["too short"] += 1
            continue
        document = "_".join(row["id"].split("_")[:-2]) or row["id"]
        draft = Draft(SOURCE, f"{number:05d}", document, "sentence", text, "sentence")
        _ask(draft, row)
        record = draft.record()
        if record is not None:
            yield record


def _ask(draft: Draft, row: Mapping[str, Any]) -> None:
    rng = draft.rng
    for key, item in SCALES.items():
        place = min(5.0, max(1.0, 3 + _STRETCH * (float(row[key]) - 3)))
        if abs(place % 1 - 0.5) < _MARGIN:
            continue
        level = round(place)
        if rng.random() < _KEPT[key][level]:
            names = rng.choice(LEVELS[key])
            labels = {index: name for index, name in enumerate(names, start=1)} if rng.random() < 0.55 else None
            if labels and rng.random() < 0.2:
                labels = {level: name for level, name in labels.items() if level in (1, 5)}
            draft.rate(item, level, low=1, high=5, labels=labels)
    valence = float(row["V"])
    clear = valence >= 3.6 or valence <= 2.4
    if clear and rng.random() < 0.35:
        positive = rng.random() < 0.5
        draft.decide(POSITIVE if positive else NEGATIVE, (valence > 3) == positive)
    if (clear or (2.9 <= valence <= 3.1 and rng.random() < 0.06)) and rng.random() < 0.3:
        options = worded(POLARITIES, rng)
        draft.choose(SENTIMENT, options, options[1 if not clear else 2 if valence > 3 else 0][0])
