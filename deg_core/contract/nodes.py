"""The supported subset as a small frozen tree: what a schema means, before paths are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from deg_core.contract.jsonvalue import Loc
from deg_core.contract.plan import JSONScalar, JSONValue, Mode
from deg_core.contract.refs import Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafNode:
    """One value to fill. The attributes are those of `FieldPlan`, without what depends on where the leaf stands."""

    mode: Mode
    json_type: str
    nullable: bool = False
    title: str | None = None
    description: str | None = None
    options: tuple[JSONScalar, ...] = ()
    option_descriptions: tuple[str | None, ...] = ()
    levels: tuple[int, ...] = ()
    level_labels: tuple[str | None, ...] = ()
    format: str | None = None
    constraints: tuple[tuple[str, JSONValue], ...] = ()
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayNode:
    """An array of one kind of item."""

    loc: Loc
    item: Node
    min_items: int = 0
    max_items: int | None = None
    unique_items: bool = False
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectNode:
    """An object: its properties in schema order, each with whether it is required."""

    loc: Loc
    properties: tuple[tuple[str, Node, bool], ...]
    title: str | None = None
    description: str | None = None


Node: TypeAlias = LeafNode | ArrayNode | ObjectNode


@dataclass(frozen=True, slots=True)
class Site:
    """A schema at its place in the document.

    ``moved`` gives the place of keywords that were written elsewhere (beside a ``$ref`` or a nullable ``anyOf``) and
    that take part here, so that a problem with them points at where they stand.
    """

    schema: dict[str, JSONValue]
    loc: Loc
    resource: Resource
    moved: Mapping[str, Loc] = field(default_factory=dict)

    def at(self, keyword: str) -> Loc:
        """The place of a keyword."""
        return self.moved.get(keyword) or (*self.loc, keyword)

    def text(self, keyword: str) -> str | None:
        """The value of a text keyword; None when it is absent (or malformed, which the meta-schema check reports)."""
        value = self.schema.get(keyword)
        return value if isinstance(value, str) else None

    def overlaid(self, keywords: Mapping[str, JSONValue], places: Mapping[str, Loc]) -> Site:
        """This site with further keywords, which win over its own."""
        return Site({**self.schema, **keywords}, self.loc, self.resource, {**self.moved, **places})
