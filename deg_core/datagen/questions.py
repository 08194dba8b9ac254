"""Questions about a text as fields: the question is the description, the name is what somebody might call it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from deg_core.datagen.wording import Slot, key_words

T = TypeVar("T")
_PLAIN = ("answer", "response", "result", "reply", "a", "q", "value", "finding")


def question_slot(question: str, rng: Random, *, number: int) -> Slot:
    """A field for ``question``; ``number`` is its place among those of the record, from 1."""
    text = " ".join(question.split())
    if text[-1:].isalnum() and rng.random() < 0.8:
        text += "?"
    text = text[:1].upper() + text[1:] if rng.random() < 0.7 else text
    plain = rng.choice(_PLAIN)
    style = rng.randrange(4)
    first = f"{plain} {number}" if style == 0 else f"q{number}" if style == 1 else key_words(question, rng)
    return Slot((first, f"{plain} {number}", f"q{number}"), (text,), opaque=True)


def chunks(items: Sequence[T], rng: Random, *, low: int, high: int) -> list[list[T]]:
    """``items`` shuffled and cut into lists of ``low`` to ``high`` (the last may be shorter)."""
    order = list(items)
    rng.shuffle(order)
    out: list[list[T]] = []
    while order:
        count = rng.randint(low, high)
        out.append(order[:count])
        del order[:count]
    return out
