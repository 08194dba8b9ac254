"""How a field is named and described: many spellings of one meaning, drawn by a seeded generator.

A converter says what a slot means in plain words. What a user would have written for it (snake_case or Title Case,
terse or spelled out, with or without a description) is drawn here, one style a record.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

Describe = Literal["all", "some", "none"]

# Weights follow what schemas in public collections look like: snake_case and camelCase first, then the rest.
_CASES = ("snake", "camel", "title", "spaced", "kebab", "pascal", "upper", "sentence")
_CASE_WEIGHTS = (40, 24, 8, 9, 5, 5, 5, 4)
_WORD = re.compile(r"[A-Za-z0-9]+(?:'[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Slot:
    """What one field means. ``names`` are lower-case words; the first is the plainest.

    ``kind`` says what the text may be read as: text, integer, number, date, email, uri. ``opaque`` names need a
    description to be understood.
    """

    names: tuple[str, ...]
    descriptions: tuple[str, ...] = ()
    kind: str = "text"
    opaque: bool = False


def slot(names: str, descriptions: str = "", *, kind: str = "text", opaque: bool = False) -> Slot:
    """A :class:`Slot` from ``|``-separated names and descriptions."""
    return Slot(
        tuple(part.strip() for part in names.split("|") if part.strip()),
        tuple(part.strip() for part in descriptions.split("|") if part.strip()),
        kind,
        opaque,
    )


def spell(words: str, case: str) -> str:
    """``words`` in one naming style: snake, camel, pascal, title, sentence, spaced, kebab, upper."""
    parts = [part.replace("'", "") for part in _WORD.findall(words)]
    lower = [part.lower() for part in parts]
    capital = [part[:1].upper() + part[1:] for part in parts]
    match case:
        case "snake":
            return "_".join(lower)
        case "upper":
            return "_".join(lower).upper()
        case "kebab":
            return "-".join(lower)
        case "camel":
            return lower[0] + "".join(part[:1].upper() + part[1:].lower() for part in parts[1:]) if lower else ""
        case "pascal":
            return "".join(part[:1].upper() + part[1:].lower() for part in parts)
        case "title":
            return " ".join(capital)
        case "sentence":
            return " ".join([capital[0], *lower[1:]]) if parts else ""
        case _:
            return " ".join(lower)


@dataclass(frozen=True, slots=True)
class Style:
    """One writer's habits, held for a whole record."""

    case: str
    describe: Describe
    capital: bool
    stop: bool
    mark_null: bool
    titles: bool
    noun: str

    @staticmethod
    def draw(rng: Random, *, noun: str = "text") -> Style:
        return Style(
            case=rng.choices(_CASES, _CASE_WEIGHTS)[0],
            describe=rng.choices(("all", "some", "none"), (45, 25, 30))[0],
            capital=rng.random() < 0.7,
            stop=rng.random() < 0.3,
            mark_null=rng.random() < 0.3,
            titles=rng.random() < 0.06,
            noun=noun,
        )

    def name(self, words: str) -> str:
        return spell(words, self.case)

    def polish(self, text: str) -> str:
        """The description as this writer would end and begin it; questions keep their mark."""
        text = text.strip()
        if self.capital:
            text = text[:1].upper() + text[1:]
        elif len(text) > 1 and text[1].islower():
            text = text[:1].lower() + text[1:]
        return text + "." if self.stop and text[-1:].isalnum() else text


_ABOUT = (
    "the {name}",
    "{name}",
    "the {name} given in the {noun}",
    "{name} as written",
    "what is the {name}?",
    "the {name}, copied from the {noun}",
    "{name} mentioned in the {noun}",
    "exact {name} from the {noun}",
)
_NULL_NOTES = (
    ", null if not given",
    " (null when absent)",
    ", if stated",
    " (optional)",
    "; null if it is not mentioned",
    ", or null",
    ", if any",
    " - leave null when missing",
)


def describe(slot: Slot, name: str, style: Style, rng: Random, *, nullable: bool, copied: bool) -> str | None:
    """A description of ``slot`` in ``style``, or None when this writer leaves it out.

    ``copied`` fields are extracted, so that "as written" fits them; others take only the slot's own descriptions.
    """
    wanted = style.describe == "all" or (style.describe == "some" and rng.random() < 0.5)
    if not (wanted or slot.opaque) or not (slot.descriptions or copied):
        return None
    if slot.descriptions and (slot.opaque or not copied or rng.random() < 0.8):
        text = rng.choice(slot.descriptions).replace("{noun}", style.noun)
    else:
        text = rng.choice(_ABOUT).format(name=name, noun=style.noun)
    text = style.polish(text)
    if nullable and style.mark_null and rng.random() < 0.7:
        note = rng.choice(_NULL_NOTES)
        text = text if text.endswith("?") else text.rstrip(".") + note
    return text


def key_words(question: str, rng: Random, *, at_most: int = 5) -> str:
    """A few content words of a question, as a field name somebody might have made of it."""
    words = [word for word in _WORD.findall(question) if word.lower() not in _STOP]
    if not words:
        return "answer"
    count = rng.randint(2, at_most)
    start = 0 if len(words) <= count or rng.random() < 0.6 else rng.randrange(len(words) - count + 1)
    return " ".join(word.lower() for word in words[start : start + count])


_STOP_WORDS = (
    "a an the of in on at to for from by with and or is are was were be been being do does did has have had what which "
    "who whom whose when where why how that this these those it its their there as than then into about many much can "
    "could would should will shall may might must not no s they he she his her"
)
_STOP = frozenset(_STOP_WORDS.split())


def pick_names(slots: Sequence[Slot], style: Style, rng: Random) -> list[tuple[str, str] | None]:
    """For each slot a ``(spelled, words)`` name that no earlier slot has, or None when all its names are taken."""
    taken: set[str] = set()
    out: list[tuple[str, str] | None] = []
    for item in slots:
        # The plainest name is the likeliest, but synonyms together are as likely.
        order = list(item.names)
        if len(order) > 1 and rng.random() < 0.6:
            rng.shuffle(order)
        for words in order:
            spelled = style.name(words)
            if spelled and spelled.lower() not in taken:
                taken.add(spelled.lower())
                out.append((spelled, words))
                break
        else:
            out.append(None)
    return out
