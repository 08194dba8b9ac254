"""StrategyQA: yes/no questions that follow from a few facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.questions import question_slot
from deg_core.datagen.raw import Tally, json_lines
from deg_core.records.record import Record

SOURCE = "strategyqa"


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: the facts are the context, as sentences or as a list."""
    tally = Tally() if tally is None else tally
    for row in json_lines(Path(path) / "train.jsonl"):
        facts = [" ".join(fact.split()) for fact in row["facts"] if fact.strip()]
        if not facts:
            tally["no facts"] += 1
            continue
        draft = Draft(SOURCE, row["qid"], row["term"].lower(), "facts", "", "text")
        rng = draft.rng
        mark = rng.choice((" ", " ", "\n", "\n- "))
        draft.context = (mark.lstrip("\n") if mark == "\n- " else "") + mark.join(facts)
        item = question_slot(row["question"], rng, number=1)
        if rng.random() < 0.1:
            yes, no = rng.choice((("yes", "no"), ("Yes", "No"), ("true", "false")))
            draft.choose(item, [(yes, None), (no, None)], yes if row["answer"] else no)
        else:
            draft.decide(item, bool(row["answer"]))
        record = draft.record()
        if record is not None:
            yield record
