"""``POST /v1/systemone``: the types of the TypeSafe Jev wire, with deg's ``extract``, ``generate`` and ``options``.

Replies may grow, and their readers ignore what they do not know.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct, field

from deg_serve.wire.decisions import ValueType

ALIASES: Final = ("jev-latest", "jev-preview", "clef-flash")

TextLike: TypeAlias = str | dict[str, Any] | list[Any]


class Sides(Struct, frozen=True, kw_only=True):
    """What yes and what no means."""

    true: TextLike | None = None
    false: TextLike | None = None


class NoulQuestion(Struct, frozen=True, kw_only=True, tag_field="type", tag="noul"):
    """Is it so? Needs instructions or a described side."""

    instructions: TextLike | None = None
    criteria: Sides | None = None


class ChoiceQuestion(Struct, frozen=True, kw_only=True, tag_field="type", tag="choice"):
    """Which one? ``criteria`` maps each option to its description or null."""

    criteria: dict[str, TextLike | None]
    instructions: TextLike | None = None


class ScoreQuestion(Struct, frozen=True, kw_only=True, tag_field="type", tag="score"):
    """How much? ``criteria`` are the levels, lowest first."""

    criteria: list[TextLike]
    instructions: TextLike | None = None


class ExtractQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="extract"):
    """deg: what does the text say? The value is copied from it, or null."""

    instructions: TextLike | None = None
    value_type: ValueType = "string"
    pattern: str | None = None
    min_length: int | None = field(default=None, name="minLength")
    max_length: int | None = field(default=None, name="maxLength")


class GenerateQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="generate"):
    """deg: write it, within at most ``max_tokens`` tokens."""

    instructions: TextLike | None = None
    pattern: str | None = None
    min_length: int | None = field(default=None, name="minLength")
    max_length: int | None = field(default=None, name="maxLength")
    max_tokens: int | None = None


SystemOneQuestion: TypeAlias = NoulQuestion | ChoiceQuestion | ScoreQuestion | ExtractQuestion | GenerateQuestion


class SystemOneRequest(Struct, frozen=True, kw_only=True):
    """One request. ``state`` is what is read, ``questions`` are by id, ``options`` deg's own (SPEC 9)."""

    state: TextLike
    model: str
    questions: dict[str, SystemOneQuestion]
    options: dict[str, Any] | None = None


# Reply


class NoulAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="noul"):
    """The probability that it is so."""

    noul: float


class ChoiceAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="choice"):
    """The most probable option, and all of them in the order of the request."""

    choice: str
    confidence: float
    probabilities: dict[str, float]


class ScoreAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="score"):
    """The expected level; ``legend`` repeats the levels as they were sent."""

    score: float
    confidence: float
    legend: dict[str, Any]
    probabilities: dict[str, float]


class ExtractAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="extract"):
    """deg: ``span`` counts code points of the rendered state; ``null_reason`` says why there is no value."""

    value: str | float | int | None
    span: list[int] | None
    confidence: float
    null_reason: str | msgspec.UnsetType = msgspec.UNSET


class GenerateAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="generate"):
    """deg: a written text."""

    text: str
    output_tokens: int


SystemOneAnswer: TypeAlias = NoulAnswer | ChoiceAnswer | ScoreAnswer | ExtractAnswer | GenerateAnswer


class SystemOneUsage(Struct, frozen=True, kw_only=True):
    """Tokens read and written."""

    input_tokens: int
    output_tokens: int


class SystemOneReply(Struct, frozen=True, kw_only=True):
    """Answers by id, in the order of the request."""

    model: str
    answers: dict[str, SystemOneAnswer]
    usage: SystemOneUsage


class SystemOneErrorBody(Struct, frozen=True, kw_only=True):
    """The body of every error: a sentence, an object with ``error_type``, or a list of ``{type, loc, msg, input}``."""

    detail: str | dict[str, Any] | list[dict[str, Any]]
