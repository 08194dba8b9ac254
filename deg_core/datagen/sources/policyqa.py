"""PolicyQA: questions about segments of privacy policies, with others that the segment does not answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.sources.squad2 import passage_records
from deg_core.records.record import Record

SOURCE = "policyqa"
_OPEN = frozenset(["what", "which", "who", "whom", "whose", "when", "where", "why", "how"])


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``, split by website; answers that do not hold are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    data = read_json(Path(path) / "dev.json")["data"]
    by_topic: dict[str, list[str]] = {}
    for policy in data:
        for paragraph in policy["paragraphs"]:
            for entry in paragraph["qas"]:
                by_topic.setdefault(_topic(entry), []).append(entry["question"])
    for questions in by_topic.values():
        questions[:] = [question for question in questions if _asks_for_text(question)]
    for policy in data:
        for number, paragraph in enumerate(policy["paragraphs"]):
            uid = f"{policy['title']}/{number:03d}"
            asked = [entry for entry in paragraph["qas"] if _asks_for_text(entry["question"])]
            tally["yes/no question answered by a passage"] += len(paragraph["qas"]) - len(asked)
            yield from passage_records(
                {**paragraph, "qas": _with_unanswered(uid, asked, paragraph["qas"], by_topic)},
                source=SOURCE,
                uid=uid,
                group=policy["title"],
                domain="privacy policy",
                noun="policy",
                tally=tally,
            )


def _topic(entry: Mapping[str, Any]) -> str:
    return str(entry["type"]).partition("|||")[0]


def _asks_for_text(question: str) -> bool:
    """Whether a span can answer it; what begins with "do you" wants a yes or a no."""
    words = question.lower().split()
    return any(word in _OPEN for word in words[:3])


def _with_unanswered(uid: str, asked: list[Any], entries: list[Any], by_topic: Mapping[str, list[str]]) -> list[Any]:
    """Each of ``asked`` once, and up to half as many on topics that nobody marked in this segment (``entries``)."""
    rng = Random(f"{SOURCE}/{uid}")
    once = list({entry["question"]: entry for entry in asked}.values())
    here = {_topic(entry) for entry in entries} | {"Other"}
    topics = sorted(topic for topic in by_topic if topic not in here and by_topic[topic])
    for topic in rng.sample(topics, min(len(topics), rng.randint(0, (len(once) + 1) // 2))):
        once.append({"question": rng.choice(by_topic[topic]), "is_impossible": True, "answers": []})
    return once
