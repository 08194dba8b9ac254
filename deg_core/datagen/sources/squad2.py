"""SQuAD 2.0: several questions about a passage in one schema, those without an answer as null."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.questions import chunks, question_slot
from deg_core.datagen.raw import Tally, read_json
from deg_core.records.record import Record

SOURCE = "squad2"


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; answers that do not stand where they say are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for article in read_json(Path(path) / "dev_part_a.json")["data"]:
        for number, paragraph in enumerate(article["paragraphs"]):
            yield from passage_records(
                paragraph,
                source=SOURCE,
                uid=f"{article['title']}/{number:03d}",
                group=article["title"],
                domain="encyclopedia passage",
                noun="passage",
                tally=tally,
            )


def passage_records(
    paragraph: Mapping[str, Any], *, source: str, uid: str, group: str, domain: str, noun: str, tally: Tally
) -> Iterator[Record]:
    """The records of one SQuAD-format paragraph, two to seven questions each."""
    context = paragraph["context"]
    questions = []
    for entry in paragraph["qas"]:
        place = _answer(context, entry, tally)
        if place is not None:
            questions.append((entry["question"], place))
    seed = Random(f"{source}/{uid}")
    for part, group_of in enumerate(chunks(questions, seed, low=2, high=7)):
        draft = Draft(source, f"{uid}/{part}", group, domain, context, noun)
        for index, (question, spans) in enumerate(group_of, start=1):
            item = question_slot(question, draft.rng, number=index)
            draft.extract(item, spans[0] if spans else None, alternatives=spans[1:], typed=False)
        record = draft.record()
        if record is not None:
            yield record


def _answer(context: str, entry: Mapping[str, Any], tally: Tally) -> list[Span] | None:
    """The answer's places, the chosen one first; empty when there is none; None when the row does not hold.

    Annotators differ: the commonest text wins, the shorter one in a tie. Other annotated places of the same text,
    and none but those, are as right.
    """
    if entry.get("is_impossible"):
        return []
    spans: list[Span] = []
    for answer in entry["answers"]:
        start = answer["answer_start"]
        end = start + len(answer["text"])
        if not answer["text"].strip() or context[start:end] != answer["text"]:
            tally["bad span"] += 1
            continue
        spans.append((start, end))
    if not spans:
        tally["no answer that holds"] += 1
        return None
    counts = Counter(context[slice(*span)] for span in spans)
    best = min(counts, key=lambda text: (-counts[text], len(text), text))
    chosen = [span for span in dict.fromkeys(spans) if context[slice(*span)] == best]
    # A proper name is as right wherever it stands; other texts only where an annotator put them.
    if best[:1].isupper() and " " in best:
        chosen += [span for span in occurrences(context, best) if span not in chosen]
    return chosen
