"""``compile_schema``: schema document to fill plan (SPEC 2 to 6). Pure: no clock, no environment, input untouched."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import Final

from deg_core.contract.fingerprint import field_fingerprint, plan_fingerprint
from deg_core.contract.jsonvalue import checked_copy
from deg_core.contract.limits import MAX_FIELDS, MAX_LISTED, MAX_NESTING
from deg_core.contract.nodes import ArrayNode, LeafNode, Node, ObjectNode
from deg_core.contract.plan import ITEM, ArrayPlan, FieldPlan, FillPlan, JSONValue, Mode, OnNull, Path
from deg_core.contract.problems import Found, Problems
from deg_core.contract.schema import Reader
from deg_core.errors import SchemaError

_CACHE_SIZE: Final = 256
_CACHE_TEXT: Final = 100_000
_cache: OrderedDict[str, FillPlan] = OrderedDict()
_cache_lock = Lock()


def compile_schema(schema: Mapping[str, JSONValue]) -> FillPlan:
    """The fill plan of a JSON Schema.

    The plan keeps a private copy of the document, so that later changes to the input do not reach it. Plans of the
    last few hundred schemas are kept and given again for an equal document (equal in its order of keys too).

    Raises:
        SchemaError: with every problem of the document as ``{loc, msg}``.
    """
    plan, problems = _compile(schema)
    if plan is None:
        raise SchemaError(problems.as_problems())
    return plan


def schema_problems(schema: Mapping[str, JSONValue]) -> list[Found]:
    """Every problem of a schema with the id of the rule that it breaks (`deg_core.contract.rules`); empty when none."""
    return _compile(schema)[1].found


def compile_valid(schema: Mapping[str, JSONValue]) -> FillPlan:
    """`compile_schema` without the cache and without the check that the document is a JSON Schema of its draft.

    For measuring what that check costs, and only for documents that passed it: of others, anything may come.

    Raises:
        SchemaError: with every problem that is found.
    """
    problems = Problems()
    plan = _read(checked_copy(schema, problems), problems, check_draft=False)
    if plan is None:
        raise SchemaError(problems.as_problems())
    return plan


def forget_plans() -> None:
    """Empty the cache, so that the next `compile_schema` does all of its work."""
    with _cache_lock:
        _cache.clear()


def _compile(schema: object) -> tuple[FillPlan | None, Problems]:
    problems = Problems()
    if not isinstance(schema, Mapping):
        problems.add((), "not-a-schema", found=_kind(schema))
        return None, problems
    members = schema.get("properties")
    if isinstance(members, Mapping) and len(members) >= MAX_FIELDS:  # seen at once, so that no work is done on it
        problems.add((), "size", limit=MAX_FIELDS)
        return None, problems
    document = checked_copy(schema, problems)
    if len(problems):
        return None, problems
    key = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    known = _recall(key)
    if known is not None:
        return known, problems
    plan = _read(document, problems)
    if plan is not None:
        _remember(key, plan)
    return plan, problems


def _read(document: dict[str, JSONValue], problems: Problems, *, check_draft: bool = True) -> FillPlan | None:
    root = Reader(document, problems, check_draft=check_draft).root()
    if root is None or len(problems):
        return None
    plan = _Unfolding(problems).plan(root, document)
    return None if len(problems) else plan


def _kind(value: object) -> str:
    return "null" if value is None else f"a {type(value).__name__}"


def _recall(key: str) -> FillPlan | None:
    with _cache_lock:
        plan = _cache.get(key)
        if plan is not None:
            _cache.move_to_end(key)
        return plan


def _remember(key: str, plan: FillPlan) -> None:
    if len(key) > _CACHE_TEXT:
        return
    with _cache_lock:
        _cache[key] = plan
        if len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)


class _Unfolding:
    """Nodes to leaves with paths, depth-first in schema order."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.listed = 0
        self.fields: list[FieldPlan] = []
        self.arrays: list[ArrayPlan] = []
        self.objects: list[Path] = []
        self.nodes: list[Path] = []

    def plan(self, root: ObjectNode, document: dict[str, JSONValue]) -> FillPlan:
        """The plan of the whole document."""
        self.unfold(root, (), (), required=True)
        return FillPlan(
            fields=tuple(self.fields),
            arrays=tuple(self.arrays),
            objects=tuple(self.objects),
            nodes=tuple(self.nodes),
            fingerprint=plan_fingerprint(self.fields),
            schema=document,
        )

    def unfold(self, node: Node, path: Path, around: tuple[ArrayPlan, ...], *, required: bool) -> None:
        """Add a node and what is in it; ``around`` are the arrays that it stands in, outermost first."""
        if len(self.nodes) >= MAX_FIELDS:
            self.problems.add((), "size", limit=MAX_FIELDS)
            return
        self.nodes.append(path)
        if isinstance(node, LeafNode):
            self.listed += len(node.options)
            if self.listed > MAX_LISTED:
                self.problems.add((), "listed", limit=MAX_LISTED)
                return
            self.fields.append(_field(node, path, around, required=required))
            return
        if len(path) >= MAX_NESTING:
            self.problems.add(node.loc, "nesting", limit=MAX_NESTING)
            return
        if isinstance(node, ObjectNode):
            self.objects.append(path)
            for name, child, needed in node.properties:
                self.unfold(child, (*path, name), around, required=needed)
                if len(self.problems):
                    return
            return
        array = ArrayPlan(
            path=path,
            min_items=node.min_items,
            max_items=node.max_items,
            unique_items=node.unique_items,
            required=required,
            title=node.title,
            description=node.description,
        )
        self.arrays.append(array)
        self.unfold(_instructed(node), (*path, ITEM), (*around, array), required=True)


def _instructed(array: ArrayNode) -> Node:
    """The item of an array. Scalar items without a title and description of their own have the array's.

    Usually only the array is described ("all people named in the text"), and a leaf's title and description are its
    only instructions to the model.
    """
    item = array.item
    if isinstance(item, ObjectNode) or item.title is not None or item.description is not None:
        return item
    return replace(item, title=array.title, description=array.description)


def _field(node: LeafNode, path: Path, around: tuple[ArrayPlan, ...], *, required: bool) -> FieldPlan:
    on_null: OnNull = "null" if node.nullable else "forbid" if required else "omit"
    field = FieldPlan(
        path=path,
        mode=node.mode,
        json_type=node.json_type,
        required=required,
        nullable=node.nullable,
        on_null=on_null,
        title=node.title,
        description=node.description,
        options=node.options,
        option_descriptions=node.option_descriptions,
        levels=node.levels,
        level_labels=node.level_labels,
        null_outcome=node.nullable and node.mode is Mode.SCORE,
        format=node.format,
        constraints=node.constraints,
        max_tokens=node.max_tokens,
    )
    return replace(field, fingerprint=field_fingerprint(field, around))
