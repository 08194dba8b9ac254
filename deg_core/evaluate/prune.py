"""A record without its arrays and written texts, for builds that do not fill these."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from deg_core.contract.compiler import compile_schema
from deg_core.contract.metaschema import draft_of
from deg_core.contract.plan import ITEM, FillPlan, Mode, pointer
from deg_core.contract.problems import Problems
from deg_core.contract.refs import Resource, enter, resolve
from deg_core.records import Record

Keys = tuple[str, ...]
Spans = Mapping[str, tuple[int, int]]


def prune(
    schema: Mapping[str, Any], value: Mapping[str, Any], spans: Spans
) -> tuple[dict[str, Any], dict[str, Any], dict[str, tuple[int, int]]]:
    """Schema, value and spans without array and ``x-generate`` properties; everything else stays as it is.

    An object that loses all of its properties stays, empty. A ``$ref`` that led into a removed property is replaced by
    what it led to. Raises SchemaError when the schema does not compile.
    """
    removed = removals(compile_schema(schema))
    left = _without(value, removed)
    return _prune_schema(schema, removed), left, {k: v for k, v in spans.items() if not _under(k, removed)}


def prune_record(record: Record) -> Record | None:
    """``prune`` for a whole record; None when no field is left."""
    plan = compile_schema(record.schema)
    removed = removals(plan)
    if all(ITEM in field.path or field.mode is Mode.GENERATE for field in plan.fields):
        return None
    if not removed:
        return record

    def kept(marked: Mapping[str, Any]) -> dict[str, Any]:
        return {place: entry for place, entry in marked.items() if not _under(place, removed)}

    return msgspec.structs.replace(
        record,
        schema=_prune_schema(record.schema, removed),
        value=_without(record.value, removed),
        spans=kept(record.spans),
        span_alternatives=kept(record.span_alternatives),
        span_probs=kept(record.span_probs),
        decide_probs=kept(record.decide_probs),
    )


def removals(plan: FillPlan) -> list[Keys]:
    """The paths of the outermost arrays and of the written texts outside them."""
    paths = [array.path for array in plan.arrays]
    paths += [field.path for field in plan.fields if field.mode is Mode.GENERATE]
    return [tuple(str(step) for step in path) for path in paths if ITEM not in path]


def _under(place: str, removed: list[Keys]) -> bool:
    return any(place == root or place.startswith(root + "/") for root in map(pointer, removed))


def _without(value: Mapping[str, Any], removed: list[Keys]) -> dict[str, Any]:
    left: dict[str, Any] = json.loads(json.dumps(value))
    for *parents, last in removed:
        node: Any = left
        for step in parents:
            node = node.get(step) if isinstance(node, dict) else None
        if isinstance(node, dict):
            node.pop(last, None)
    return left


def _prune_schema(schema: Mapping[str, Any], removed: list[Keys]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(schema))
    targets = _Targets(document)
    for *parents, last in removed:
        node = document
        for step in parents:
            node = targets.end(node["properties"][step])
        # A definition used in two places is edited once for both: what is an array in one is an array in the other.
        node["properties"].pop(last, None)
        if "required" in node:
            node["required"] = [name for name in node["required"] if name != last]
            if not node["required"]:
                del node["required"]  # draft-04 allows no empty list
    targets.mend()
    return document


class _Targets:
    """Where each ``$ref`` of a document leads, noted before anything is removed."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.draft = draft_of(document) or "2020-12"
        self.found: list[tuple[dict[str, Any], dict[str, Any]]] = list(self._walk())
        self.by_node = {id(node): target for node, target in self.found}

    def end(self, node: dict[str, Any]) -> dict[str, Any]:
        """The schema that a node stands for, its references followed."""
        while id(node) in self.by_node:
            node = self.by_node[id(node)]
        return node

    def mend(self) -> None:
        """Write out every target that is no longer where its reference says."""
        still = {id(node): target for node, target in self._walk()}
        for node, target in self.found:
            if still.get(id(node)) is not target:
                written = self._written(node)
                node.clear()
                node.update(written)

    def _written(self, node: dict[str, Any]) -> dict[str, Any]:
        """A node with its references written out; what stands beside one wins, as it does when compiled."""
        if id(node) not in self.by_node:
            return node
        beside = {keyword: entry for keyword, entry in node.items() if keyword != "$ref"}
        return {**self._written(self.by_node[id(node)]), **beside}

    def _walk(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Each schema with a reference that resolves, and its target."""
        pending: list[tuple[Any, tuple[str | int, ...], Resource]] = [(self.document, (), Resource(self.document, ()))]
        while pending:
            node, loc, around = pending.pop()
            if isinstance(node, list):
                pending += [(entry, (*loc, index), around) for index, entry in enumerate(node)]
            if not isinstance(node, dict):
                continue
            resource = enter(node, loc, around, self.draft)
            pending += [(entry, (*loc, key), resource) for key, entry in node.items()]
            if isinstance(node.get("$ref"), str):
                target = resolve(node["$ref"], resource, loc=loc, draft=self.draft, problems=Problems())
                if target is not None and isinstance(target.schema, dict):
                    yield node, target.schema
