"""BoolQ: yes/no questions about a passage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft
from deg_core.datagen.questions import question_slot
from deg_core.datagen.raw import Tally, json_lines
from deg_core.records.record import Record

SOURCE = "boolq"


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: a passage with its questions, now and then one of another passage."""
    tally = Tally() if tally is None else tally
    passages: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in json_lines(Path(path) / "dev_part_a.jsonl"):
        if not row["passage"].strip() or not row["question"].strip():
            tally["empty text"] += 1
            continue
        passages.setdefault((row["title"], row["passage"]), []).append(row)
    keys = list(passages)
    for number, (title, passage) in enumerate(keys):
        draft = Draft(SOURCE, f"{number:05d}", title, "encyclopedia passage", passage, "passage")
        rng = draft.rng
        rows = passages[title, passage]
        for index, row in enumerate(rows, start=1):
            item = question_slot(row["question"], rng, number=index)
            if rng.random() < 0.12:
                yes, no = rng.choice((("yes", "no"), ("true", "false"), ("Yes", "No"), ("correct", "incorrect")))
                draft.choose(item, [(yes, None), (no, None)], yes if row["answer"] else no)
            else:
                draft.decide(item, bool(row["answer"]))
        if rng.random() < 0.1:
            other = passages[keys[rng.randrange(len(keys))]][0]
            if other["title"] != title:
                draft.decide(question_slot(other["question"], rng, number=len(rows) + 1), None)
        record = draft.record()
        if record is not None:
            yield record
