"""What can be asked of a kind of document: field definitions as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

FieldType = Literal[
    "string", "number", "integer", "date", "date-time", "email", "uri", "uuid", "choice", "boolean", "scale"
]
EXTRACTED = {"string", "number", "integer", "date", "date-time", "email", "uri", "uuid"}


@dataclass(frozen=True, slots=True)
class Option:
    """One answer of a choice: the decision's id, wordings for the option, and descriptions of it."""

    id: Any
    labels: tuple[str, ...]
    about: tuple[str, ...] = ()


CURRENCY_OPTIONS = tuple(
    Option(code, (code,), (about,))
    for code, about in (
        ("EUR", "euro"),
        ("USD", "US dollar"),
        ("GBP", "pound sterling"),
        ("CHF", "Swiss franc"),
        ("CAD", "Canadian dollar"),
        ("AUD", "Australian dollar"),
        ("SEK", "Swedish krona"),
        ("PLN", "Polish zloty"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A question that a kind of document can be asked.

    ``key`` names a fact (extracted types) or a decision (choice, boolean, scale). ``names`` are property names in
    words that are clear alone; ``vague`` ones are used with a description only. ``nouns`` are exact noun phrases that
    descriptions are built from; ``hints`` are whole descriptions. ``near`` lists facts of the same type that tempt
    when this one is missing: without one of them in the text, its absence is not asked about. ``implied_by`` lists
    facts and decisions that half answer it: with one of them in the text, its absence is not asked about either.
    ``levels`` are the wordings of a scale from low to high; its decision is an index into them. ``unknown`` allows
    asking for a decision that the text does not state (the answer is null). ``other_party`` marks facts of the party
    that is not the usual subject. ``group`` is the nested object this belongs to.
    """

    key: str
    type: FieldType
    names: tuple[str, ...]
    nouns: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    de: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    implied_by: tuple[str, ...] = ()
    group: str = ""
    options: tuple[Option, ...] = ()
    levels: tuple[tuple[str, ...], ...] = ()
    unknown: bool = False
    other_party: bool = False
    weight: float = 1.0

    @property
    def extracted(self) -> bool:
        return self.type in EXTRACTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """All fields of a kind. ``groups`` gives names for the nested objects; ``domain`` wordings for records."""

    fields: tuple[Field, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keys = [one.key for one in self.fields]
        doubles = {key for key in keys if keys.count(key) > 1}
        if doubles:
            raise ValueError(f"a field pool holds {sorted(doubles)} more than once")
