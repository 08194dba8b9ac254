"""A record without its written texts, which are not scored, and where asked without its arrays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from deg_core.contract.compiler import compile_schema
from deg_core.contract.metaschema import draft_of
from deg_core.contract.plan import ITEM, FillPlan, Mode, Path, Step, pointer
from deg_core.contract.problems import Problems
from deg_core.contract.refs import Resource, enter, resolve
from deg_core.evaluate.comparison import children
from deg_core.records import Record

Spans = Mapping[str, tuple[int, int]]


def prune(
    schema: Mapping[str, Any], value: Mapping[str, Any], spans: Spans, *, arrays: bool = False
) -> tuple[dict[str, Any], dict[str, Any], dict[str, tuple[int, int]]]:
    """Schema, value and spans without ``x-generate`` properties, and without arrays unless ``arrays`` keeps them;
    everything else stays as it is.

    An object that loses all of its properties stays, empty; an array that holds nothing but written texts goes. A
    ``$ref`` that led into a removed property is replaced by what it led to. Raises SchemaError when the schema does not
    compile.
    """
    removed = removals(compile_schema(schema), arrays=arrays)
    left = _without(value, removed)
    return _prune_schema(schema, removed), left, {k: v for k, v in spans.items() if not _under(k, removed)}


def prune_record(record: Record, *, arrays: bool = False) -> Record | None:
    """``prune`` for a whole record; None when no field is left."""
    plan = compile_schema(record.schema)
    removed = removals(plan, arrays=arrays)
    if all(field.mode is Mode.GENERATE or _inside(field.path, removed) for field in plan.fields):
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


def removals(plan: FillPlan, *, arrays: bool = False) -> list[Path]:
    """The paths of what is taken out, none of them inside another: arrays (with ``arrays`` only those that hold nothing
    but written texts), and written texts outside these."""
    read = [field.path for field in plan.fields if field.mode is not Mode.GENERATE]
    gone = [array.path for array in plan.arrays if not arrays or not any(_inside(leaf, [array.path]) for leaf in read)]
    outermost = [path for path in gone if not _inside(path[:-1], gone)]
    written = [field.path for field in plan.fields if field.mode is Mode.GENERATE]
    return outermost + [path for path in written if not _inside(path, outermost)]


def _inside(path: Path, roots: list[Path]) -> bool:
    """Whether a path is one of ``roots`` or leads through one."""
    return any(path[: len(root)] == root for root in roots)


def _under(place: str, removed: list[Path]) -> bool:
    """Whether a concrete pointer is at or below one of the paths."""
    tokens = place.split("/")[1:]
    return any(len(tokens) >= len(path) and all(map(_is_at, tokens, path)) for path in removed)


def _is_at(token: str, step: Step) -> bool:
    return token.isdecimal() if step is ITEM else token == pointer((step,))[1:]


def _without(value: Mapping[str, Any], removed: list[Path]) -> dict[str, Any]:
    left: dict[str, Any] = json.loads(json.dumps(value))
    for *parents, last in removed:
        nodes: list[Any] = [left]
        for step in parents:
            nodes = [inner for node in nodes for inner in children(node, step)]
        for node in nodes:
            if isinstance(node, dict):
                node.pop(last, None)
    return left


def _prune_schema(schema: Mapping[str, Any], removed: list[Path]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(schema))
    targets = _Targets(document)
    for *parents, last in removed:
        node = document
        for step in parents:
            node = targets.end(node["items"] if step is ITEM else node["properties"][step])
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
