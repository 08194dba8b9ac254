"""Labels of intent sets as choices and yes/no questions, worded in many ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from deg_core.datagen.draft import Draft
from deg_core.datagen.wording import Slot, slot, spell

INTENT = slot(
    "intent|category|request type|topic|label|user intent|message type|query type|class|reason|purpose|kind|route",
    "What the {noun} is about|the intent behind the {noun}|What does the writer want?|category of the {noun}|"
    "which of these fits the {noun} best?|how the {noun} should be routed|type of request",
)
_OPTION_CASES = ("snake", "spaced", "title", "sentence", "kebab", "upper", "camel")
_OPTION_WEIGHTS = (34, 28, 10, 8, 8, 6, 6)
OTHER = ("other", "none of these", "something else", "unknown", "none of the above", "no match")


@dataclass(frozen=True, slots=True)
class Intent:
    """One label: ``words`` name it, ``clause`` says when it holds ("the user wants ..."), ``group`` its neighbours."""

    words: str
    clause: str
    group: str = ""


def parse_intents(text: str) -> dict[str, Intent]:
    """Intents from lines ``label = words = clause``, or ``label = clause``; a line ``[group]`` starts a group."""
    out: dict[str, Intent] = {}
    group = ""
    for line in text.strip().splitlines():
        line = line.strip()
        if line.startswith("["):
            group = line.strip("[]")
        elif line:
            label, *words, clause = (part.strip() for part in line.split("="))
            out[label] = Intent(words[0] if words else label.replace("_", " ").rstrip("?").lower(), clause, group)
    return out


def neighbours(intents: Mapping[str, Intent], gold: str, rng: Random, count: int) -> list[str]:
    """``count`` other labels, about half of them close: of the same group, or sharing a word."""
    mine = set(intents[gold].words.lower().split())
    close = [
        label
        for label, item in intents.items()
        if label != gold
        and ((item.group and item.group == intents[gold].group) or mine & set(item.words.lower().split()))
    ]
    near = rng.sample(close, min(len(close), rng.randint(count // 3, count))) if count else []
    rest = [label for label in intents if label != gold and label not in near]
    return near + rng.sample(rest, min(len(rest), count - len(near)))


def worded(options: Sequence[Intent], rng: Random) -> list[tuple[Any, str | None]]:
    """``(value, description)`` for each option, all in one way: plain labels, described labels, codes, or clauses."""
    way = rng.choices(("plain", "described", "coded", "clause"), (55, 25, 8, 12))[0]
    case = rng.choices(_OPTION_CASES, _OPTION_WEIGHTS)[0]
    if way == "clause":
        return [(item.clause, None) for item in options]
    if way == "coded":
        codes = _codes(len(options), rng)
        clauses = rng.random() < 0.5
        return [(code, item.clause if clauses else item.words) for code, item in zip(codes, options, strict=True)]
    if way == "described":
        some = rng.random() < 0.3
        return [(spell(item.words, case), None if some and rng.random() < 0.5 else item.clause) for item in options]
    return [(spell(item.words, case), None) for item in options]


def _codes(count: int, rng: Random) -> list[Any]:
    kind = rng.randrange(4)
    if kind == 0 and count <= 26:
        return [chr(ord("A") + index) for index in range(count)]
    if kind == 1:
        return list(range(1, count + 1))
    lead = rng.choice(("C", "T", "opt", "q", "R", "cat"))
    return [f"{lead}{index:02d}" if kind == 2 else f"{lead}_{index}" for index in range(1, count + 1)]


def ask_intent(
    draft: Draft, intents: Mapping[str, Intent], gold: str, *, item: Slot = INTENT, low: int = 3, high: int = 15
) -> None:
    """A choice with the right label among near and far ones; now and then "other", at times the right answer."""
    rng = draft.rng
    count = min(len(intents), rng.randint(low, high))
    labels = neighbours(intents, gold, rng, count - 1)
    options = worded([intents[gold], *(intents[label] for label in labels)], rng)
    answer = options[0][0]
    if rng.random() < 0.15 and isinstance(answer, str):
        other = spell(rng.choice(OTHER), rng.choice(("snake", "spaced", "title")))
        if other not in [value for value, _ in options]:
            described = any(text for _, text in options)
            options.append((other, "nothing above fits" if described and rng.random() < 0.5 else None))
            # Leave the right label out only where no close label stands in for it.
            if rng.random() < 0.35 and len(options) > 3:
                far = _far(intents, gold, rng, len(options) - 2)
                if len(far) == len(options) - 2:
                    options = [*worded([intents[label] for label in far], rng), options[-1]]
                    options = [pair for pair in options if isinstance(pair[0], str)]
                    answer = other
    values = [str(value) for value, _ in options]
    if len(set(values)) == len(values) and len(values) >= 2:
        draft.choose(item, options, answer)


def _far(intents: Mapping[str, Intent], gold: str, rng: Random, count: int) -> list[str]:
    mine = set(intents[gold].words.lower().split())
    far = [
        label
        for label, item in intents.items()
        if label != gold
        and not (item.group and item.group == intents[gold].group)
        and not mine & set(item.words.lower().split())
    ]
    return rng.sample(far, min(len(far), count))


_YES_NO = (
    "true if {clause}",
    "True when {clause}",
    "is it the case that {clause}?",
    "Does this hold: {clause}?",
    "whether {clause}",
    "{clause}",
    "is the {noun} about {words}?",
    "Is this about {words}?",
    "yes if the topic is {words}",
)


def ask_yes_no(draft: Draft, intents: Mapping[str, Intent], gold: str) -> None:
    """A boolean about one label: the right one half of the time, else a close or far one."""
    rng = draft.rng
    answer = rng.random() < 0.5
    label = gold if answer else neighbours(intents, gold, rng, 1)[0]
    item = intents[label]
    text = rng.choice(_YES_NO).format(clause=item.clause, words=item.words, noun=draft.noun)
    lead = rng.choice(("is ", "is ", "", "about ", "flag "))
    short = slot(f"{lead}{item.words}", text)
    draft.decide(Slot(short.names, short.descriptions, opaque=rng.random() < 0.8), answer)
