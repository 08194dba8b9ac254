"""QED: questions that people typed into a search engine, answered by a span of a paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.questions import question_slot
from deg_core.datagen.raw import Tally, json_lines
from deg_core.records.record import Record

SOURCE = "qed_nq"


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: the paragraph's question, sometimes one of another article beside it."""
    tally = Tally() if tally is None else tally
    rows: list[dict[str, Any]] = list(json_lines(Path(path) / "dev.jsonl"))
    for row in rows:
        spans = _answer(row, tally)
        if not spans:
            continue
        draft = Draft(SOURCE, str(row["id"]), row["title"], "encyclopedia passage", row["paragraph"], "paragraph")
        rng = draft.rng
        draft.extract(question_slot(row["question"], rng, number=1), spans[0], alternatives=spans[1:], typed=False)
        if rng.random() < 0.45:
            other = _stranger(row, rows, rng)
            draft.extract(question_slot(other["question"], rng, number=2), None, typed=False)
        record = draft.record()
        if record is not None:
            yield record


def _answer(row: dict[str, Any], tally: Tally) -> list[Span]:
    """The answer's place, then where else a name of two words or more stands; empty when it is not one whole span."""
    text = row["paragraph"]
    whole = [parts[0] for parts in row["answers"] if len(parts) == 1]
    held = [part for part in whole if text[part["start"] : part["end"]] == part["string"]]
    if not held:
        tally["no single span that holds"] += 1
        return []
    best = min(held, key=lambda part: (part["end"] - part["start"], part["start"]))
    place = (best["start"], best["end"])
    if best["string"][:1].isupper() and " " in best["string"]:
        return [place, *(span for span in occurrences(text, best["string"]) if span != place)]
    return [place]


def _stranger(row: dict[str, Any], rows: list[dict[str, Any]], rng: Random) -> dict[str, Any]:
    """A row of another article, rather one that shares a word with the question, so that null is not too easy."""
    mine = set(row["question"].lower().split())
    drawn = [other for other in rng.sample(rows, min(len(rows), 40)) if other["title"] != row["title"]]
    return max(drawn or rows, key=lambda other: len(mine & set(other["question"].lower().split())))
