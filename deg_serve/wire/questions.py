"""Questions, whatever the wire, and the field schema of each (SPEC 9.1).

Each question of a request is a property of one schema, so the input is read once and no answer depends on another
question. A choice of one option and a scale of one level have their answer already and are not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

MAX_OPTIONS: Final = 255
MAX_LEVELS: Final = 10

FORMATS: Final = ("date", "date-time", "email", "uri", "uuid")
VALUE_TYPES: Final = ("string", "number", "integer", *FORMATS)


@dataclass(frozen=True, slots=True)
class YesNo:
    """Is it so? ``yes`` and ``no`` say what each answer means."""

    text: str
    yes: str = ""
    no: str = ""

    def schema(self) -> dict[str, Any]:
        sides = (("Yes means: ", self.yes), ("No means: ", self.no))
        lines = [self.text, *(lead + side for lead, side in sides if side)]
        return {"type": "boolean", **_described("\n".join(line for line in lines if line))}


@dataclass(frozen=True, slots=True)
class Choice:
    """Which one? ``options`` are values with their descriptions ("" for none)."""

    text: str
    options: tuple[tuple[str | bool, str], ...]

    def schema(self) -> dict[str, Any] | None:
        if len(self.options) < 2:
            return None
        if not any(description for _, description in self.options):
            return {"enum": [value for value, _ in self.options], **_described(self.text)}
        branches = [{"const": value, **_described(description)} for value, description in self.options]
        return {"oneOf": branches, **_described(self.text)}


@dataclass(frozen=True, slots=True)
class Score:
    """How much? ``levels`` are their labels, lowest first ("" for none)."""

    text: str
    levels: tuple[str, ...]

    def schema(self) -> dict[str, Any] | None:
        if len(self.levels) < 2:
            return None
        labels = {str(level): label for level, label in enumerate(self.levels) if label}
        scale = {"type": "integer", "minimum": 0, "maximum": len(self.levels) - 1}
        return scale | ({"x-levels": labels} if labels else {}) | _described(self.text)


@dataclass(frozen=True, slots=True)
class Extract:
    """What does the text say? ``value_type`` is one of ``VALUE_TYPES``; ``constraints`` are schema keywords."""

    text: str
    value_type: str
    constraints: Mapping[str, Any]

    def schema(self) -> dict[str, Any]:
        form = {"format": self.value_type} if self.value_type in FORMATS else {}
        kind = "string" if form else self.value_type
        return {"type": [kind, "null"], **form, **self.constraints, **_described(self.text)}


@dataclass(frozen=True, slots=True)
class Generate:
    """Write it. ``constraints`` are schema keywords, ``x-max-tokens`` among them."""

    text: str
    constraints: Mapping[str, Any]

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "x-generate": True, **self.constraints, **_described(self.text)}


Question: TypeAlias = YesNo | Choice | Score | Extract | Generate


def schema_of(questions: Mapping[str, Question]) -> dict[str, Any] | None:
    """One schema for all questions that have to be asked, by property name; None when there are none."""
    fields = {name: schema for name, question in questions.items() if (schema := question.schema()) is not None}
    if not fields:
        return None
    return {"type": "object", "properties": fields, "required": list(fields)}


def _described(text: str) -> dict[str, str]:
    return {"description": text} if text else {}
