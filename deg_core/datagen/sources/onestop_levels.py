"""OneStopEnglish: the reading level of a news text, one of three."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "onestop_levels"

ORDER = ("elementary", "intermediate", "advanced")
LEVEL = slot(
    "reading level|level|difficulty|language level|for learners",
    "how hard is the text for a learner of English?|reading level of the text|which learners can read it?",
)
LABELS = (
    (
        Intent("elementary", "short sentences and common words"),
        Intent("intermediate", "longer sentences, some less common words"),
        Intent("advanced", "written for native readers"),
    ),
    (
        Intent("easy", "beginners can read it"),
        Intent("medium", "learners with some practice can read it"),
        Intent("hard", "only good readers can read it"),
    ),
    (Intent("A2", "elementary"), Intent("B1", "intermediate"), Intent("C1", "advanced")),
)
_LENGTHS = (500, 900, 1500, 2600)


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: two parts of each text, cut between paragraphs, split by article."""
    tally = Tally() if tally is None else tally
    for row in json_lines(Path(path) / "train.jsonl"):
        paragraphs = [part.strip() for part in row["text"].split("\n") if part.strip()]
        if row["level"] not in ORDER or not paragraphs:
            tally["no text or level"] += 1
            continue
        for variant in range(2):
            draft = Draft(SOURCE, f"{row['article']}/{row['level']}/{variant}", row["article"], "news text", "", "text")
            rng = draft.rng
            limit = rng.choice(_LENGTHS)
            # A text at the end of an article differs as much between levels as one at its start.
            start = rng.randrange(max(1, len(paragraphs) - 2)) if variant else 0
            kept = [paragraphs[start]]
            for part in paragraphs[start + 1 :]:
                if sum(map(len, kept)) + len(part) > limit:
                    break
                kept.append(part)
            draft.context = "\n".join(kept)
            _ask(draft, ORDER.index(row["level"]))
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, level: int) -> None:
    rng = draft.rng
    if rng.random() < 0.5:
        low = rng.choice((0, 1))
        names = [item.words for item in rng.choice(LABELS)]
        draft.rate(LEVEL, level + low, low=low, high=low + 2, labels=dict(enumerate(names, start=low)))
        return
    options = worded(rng.choice(LABELS), rng)
    draft.choose(LEVEL, options, options[level][0], shuffle=rng.random() < 0.7)
