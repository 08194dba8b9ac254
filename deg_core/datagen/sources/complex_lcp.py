"""CompLex: how hard a word or phrase of a sentence is to understand, on a scale of 1 to 5, levels balanced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.raw import Tally, table
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "complex_lcp"
FILES = ("single", "multi")

LEVELS = (
    ("very easy", "easy", "neutral", "difficult", "very difficult"),
    ("known to everybody", "common", "less common", "rare", "known to experts only"),
    ("a child knows it", "simple", "medium", "hard", "very hard"),
)
# How much of each level is kept: easy words are two thirds of the set and the hardest level is nearly empty.
_KEPT = {1: 0.75, 2: 0.3, 3: 0.75, 4: 1.0, 5: 1.0}
_MARGIN = 0.1


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; words whose mean lies between two levels are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for file in FILES:
        for number, row in enumerate(table(Path(path) / f"{file}_train.tsv", delimiter="\t", quoted=False)):
            text, word = (row.get("sentence") or "").strip(), (row.get("token") or "").strip()
            if not text or word not in text:
                tally["word not in the sentence"] += 1
                continue
            mean = 1 + 4 * float(row["complexity"])
            level = round(mean)
            if abs(mean % 1 - 0.5) < _MARGIN:
                tally["between two levels"] += 1
                continue
            draft = Draft(SOURCE, f"{file}/{number:05d}", text.lower(), f"{row['corpus']} sentence", text, "sentence")
            if draft.rng.random() > _KEPT[level]:
                continue
            _ask(draft, word, level)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, word: str, level: int) -> None:
    rng = draft.rng
    thing = "word" if " " not in word else "phrase"
    quote = rng.choice(('"{}"', "'{}'", "`{}`", "{}")).format(word)
    easy = rng.random() < 0.2
    item = slot(
        f"ease of {word}|{word} ease"
        if easy
        else f"complexity of {word}|difficulty|{word} difficulty|word level|complexity",
        f"how easy is the {thing} {quote} to understand here, 5 is easiest?|ease of {quote} from 1 (hard) to 5 (easy)"
        if easy
        else f"how hard is the {thing} {quote} to understand here?|difficulty of {quote} for a reader, 5 is hardest|"
        f"complexity of the {thing} {quote} in this sentence, from 1 (very easy) to 5 (very difficult)",
        opaque=True,
    )
    labels = None
    if rng.random() < 0.5:
        names = rng.choice(LEVELS)
        labels = dict(enumerate(reversed(names) if easy else names, start=1))
    draft.rate(item, 6 - level if easy else level, low=1, high=5, labels=labels)
    if level != 3 and rng.random() < (0.6 if level > 3 else 0.2):
        hard = slot(f"{word} is hard|needs explanation", f"is {quote} a hard {thing} for most readers?", opaque=True)
        draft.decide(hard, level > 3)
