"""The fill plan: what is asked of the model, as frozen data (SPEC 6). No behaviour beyond lookups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dc_field
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

JSONScalar: TypeAlias = str | int | float | bool | None
JSONValue: TypeAlias = Any  # a value as ``json`` gives it: scalars, lists, dicts with string keys
OnNull: TypeAlias = Literal["null", "omit", "forbid"]


class Mode(StrEnum):
    """How a leaf gets its value (SPEC 3)."""

    CHOICE = "decide.choice"
    SCORE = "decide.score"
    NOUL = "decide.noul"
    SPAN = "extract.span"
    NUMBER = "extract.number"
    DATE = "extract.date"
    GENERATE = "generate"

    @property
    def decides(self) -> bool:
        return self.value.startswith("decide.")

    @property
    def extracts(self) -> bool:
        return self.value.startswith("extract.")


class _Item:
    """The path step "each item of the array"; a class of its own so that a property named ``*`` differs."""

    _instance: _Item | None = None

    def __new__(cls) -> _Item:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "*"

    def __reduce__(self) -> tuple[type[_Item], tuple[()]]:
        return (_Item, ())


ITEM: Final = _Item()
Step: TypeAlias = str | _Item
Path: TypeAlias = tuple[Step, ...]


def escape(step: str) -> str:
    """One RFC 6901 reference token."""
    return step.replace("~", "~0").replace("/", "~1")


def pointer(path: tuple[Step | int, ...]) -> str:
    """RFC 6901 pointer of a path; item steps render as ``*``, concrete indices as numbers."""
    return "".join(f"/{escape(step)}" if isinstance(step, str) else f"/{step!r}" for step in path)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPlan:
    """One leaf of the schema.

    ``options`` holds a choice's values in the caller's order (``None`` for null), ``option_descriptions`` their
    descriptions in the same order (``None`` where there is none). ``levels`` holds a score's admissible integers in
    ascending order and ``level_labels`` their ``x-levels`` labels. ``null_outcome`` is true for a nullable score,
    whose null comes after the levels. ``constraints`` holds the schema keywords that filter values, as
    ``(keyword, value)`` pairs in keyword order: minLength, maxLength, pattern, minimum, maximum, exclusiveMinimum,
    exclusiveMaximum, multipleOf. ``json_type`` is string, number, integer, boolean, or "enum" for a choice.
    """

    path: Path
    mode: Mode
    json_type: str
    required: bool
    nullable: bool
    on_null: OnNull
    title: str | None = None
    description: str | None = None
    options: tuple[JSONScalar, ...] = ()
    option_descriptions: tuple[str | None, ...] = ()
    levels: tuple[int, ...] = ()
    level_labels: tuple[str | None, ...] = ()
    null_outcome: bool = False
    format: str | None = None
    constraints: tuple[tuple[str, JSONValue], ...] = ()
    max_tokens: int | None = None
    fingerprint: str = ""

    @property
    def pointer(self) -> str:
        return pointer(self.path)

    @property
    def constraint(self) -> Mapping[str, JSONValue]:
        return dict(self.constraints)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayPlan:
    """One array node. ``items`` is the path of its item (``path + (ITEM,)``)."""

    path: Path
    min_items: int = 0
    max_items: int | None = None
    unique_items: bool = False
    required: bool = True
    title: str | None = None
    description: str | None = None

    @property
    def pointer(self) -> str:
        return pointer(self.path)

    @property
    def items(self) -> Path:
        """The path of the items."""
        return (*self.path, ITEM)


@dataclass(frozen=True, slots=True, kw_only=True)
class FillPlan:
    """A compiled schema. ``fields`` are the leaves depth-first in schema order.

    ``objects`` are the paths of all objects, which are always emitted, and ``nodes`` those of all objects, arrays and
    leaves in schema order, so that assembly can rebuild the shape. ``schema`` is the input document, kept for the final
    validation.
    """

    fields: tuple[FieldPlan, ...]
    arrays: tuple[ArrayPlan, ...] = ()
    objects: tuple[Path, ...] = ()
    nodes: tuple[Path, ...] = ()
    fingerprint: str = ""
    schema: Mapping[str, JSONValue] = dc_field(default_factory=dict, compare=False, repr=False)

    def __iter__(self) -> Iterator[FieldPlan]:
        return iter(self.fields)

    def field(self, pointer: str) -> FieldPlan:
        """The leaf at a template pointer such as ``/a/b`` or ``/rows/*/name``; KeyError when there is none."""
        for leaf in self.fields:
            if leaf.pointer == pointer:
                return leaf
        raise KeyError(pointer)
