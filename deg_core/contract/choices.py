"""Reading enum, and the two supported forms of anyOf and oneOf (SPEC 3 and 4).

- All branches are const or enum: a choice; a branch's description (else its title) describes its values.
- ``[X, {"type": "null"}]``: X with null. Keywords beside the union count as written in X, annotations over X's own.

Null is an outcome of a choice exactly where JSON Schema accepts it: as an enum value, a const, or a null branch. A
``type`` of ``["string", "null"]`` beside an enum without null adds nothing, since the enum still refuses null. Null
stands where it is written: last in ``[X, null]``, first in ``[null, X]``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import thread_time
from typing import TYPE_CHECKING, Final

from deg_core.contract.arithmetic import is_number, plain
from deg_core.contract.jsonvalue import Loc, show
from deg_core.contract.keywords import ALLOWED, ANNOTATIONS, APPLIES, EXTENSIONS, TYPES, UNIONS, UNSUPPORTED
from deg_core.contract.leaves import format_name, number_constraints, refuse_extensions, string_constraints
from deg_core.contract.nodes import LeafNode, Node, Site
from deg_core.contract.plan import JSONScalar, JSONValue, Mode
from deg_core.contract.violations import scalar_violations

if TYPE_CHECKING:
    from deg_core.contract.schema import Reader

MIN_OPTIONS: Final = 2
MAX_OPTIONS: Final = 255

_TYPE_OF: Final = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
# Annotations that belong to the place where they stand and are not moved into a branch.
_OF_THE_DOCUMENT: Final = frozenset(("$defs", "definitions", "$id", "$anchor", "$schema", "$comment"))
_BRANCH: Final = ANNOTATIONS | {"const", "enum", "type"}


@dataclass(frozen=True, slots=True)
class _Option:
    """One value of a choice, where it is written, and its description."""

    value: JSONValue
    loc: Loc
    description: str | None = None


def read_enum(reader: Reader, site: Site) -> LeafNode | None:
    """A choice among the values of ``enum``."""
    values = site.schema["enum"]
    if not isinstance(values, list):
        return None
    refuse_extensions(reader, site, "an enum")
    types = allowed_types(reader, site)
    present = {_TYPE_OF.get(type(value), "") for value in values}
    kinds = [kind for kind in TYPES if kind in present or (kind == "number" and "integer" in present)]
    allowed = frozenset().union(*(ALLOWED[kind] for kind in kinds)) if kinds else ALLOWED["string"]
    reader.keywords(site, allowed | {"enum"}, "an enum" if types is None else " or ".join(sorted(types)))
    base = site.at("enum")
    options = [_Option(value, (*base, index)) for index, value in enumerate(values)]
    _check_constraints(reader, site, options)
    return choice(reader, site, options, types)


def allowed_types(reader: Reader, site: Site) -> frozenset[str] | None:
    """The types that a ``type`` beside listed values allows; None when there is none (or it was reported)."""
    raw = site.schema.get("type")
    names = [raw] if isinstance(raw, str) else raw
    if not isinstance(names, list) or not all(name in (*TYPES, "null") for name in names):
        return None
    if len([name for name in names if name != "null"]) > 1:
        advice = "; drop type, the listed values already say it"
        reader.problems.add(site.at("type"), "union-type", found=show(raw), advice=advice)
        return None
    return frozenset(names)


def choice(reader: Reader, site: Site, options: list[_Option], types: frozenset[str] | None) -> LeafNode | None:
    """The leaf of a list of values, which must be different scalars of the given types, 2 to 255 of them."""
    reader.work.count_listed(site.loc, len(options))
    kept: dict[tuple[bool, JSONScalar], _Option] = {}
    for option in options:
        value = option.value
        if isinstance(value, (dict, list)):
            reader.problems.add(option.loc, "enum-scalar", found=show(value))
            continue
        _check_type(reader, option, types)
        key = (isinstance(value, bool), value)
        if key in kept:
            place = "/".join(map(str, kept[key].loc))
            reader.problems.add(option.loc, "enum-duplicate", found=show(value), first=place)
            continue
        kept[key] = option
    _check_count(reader, site, len(options), len(kept))
    return LeafNode(
        mode=Mode.CHOICE,
        json_type="enum",
        nullable=any(value is None for _, value in kept),
        title=site.text("title"),
        description=site.text("description"),
        options=tuple(plain(option.value) if is_number(option.value) else option.value for option in kept.values()),
        option_descriptions=tuple(option.description for option in kept.values()),
    )


def _check_count(reader: Reader, site: Site, listed: int, different: int) -> None:
    if different > MAX_OPTIONS:
        advice = "; copy the text with a string field and map it yourself, or choose in two steps"
    elif listed < MIN_OPTIONS:
        advice = "; a single value has nothing to decide, so leave the field out"
    else:
        return
    loc = next((site.at(keyword) for keyword in ("enum", *UNIONS) if keyword in site.schema), site.loc)
    found = max(listed if listed < MIN_OPTIONS else different, 0)
    values = "value" if found == 1 else "values"
    reader.problems.add(loc, "enum-count", found=found, values=values, advice=advice)


def _check_type(reader: Reader, option: _Option, types: frozenset[str] | None) -> None:
    value = option.value
    if types is None or isinstance(value, (dict, list)) or _fits(value, types, reader.draft):
        return
    reader.problems.add(option.loc, "enum-type", found=show(value), type=" or ".join(sorted(types)))


def _fits(value: JSONValue, types: frozenset[str], draft: str) -> bool:
    kind = _TYPE_OF[type(value)]
    if kind in types or (kind == "integer" and "number" in types):
        return True
    # From draft-06 on, 1.0 is an integer.
    return kind == "number" and "integer" in types and value == int(value) and draft != "draft-04"


def _check_constraints(reader: Reader, site: Site, options: list[_Option]) -> None:
    """Keywords beside an enum must leave every value valid, since the final value is checked against them."""
    beside = [keyword for keyword in site.schema if keyword in APPLIES]
    if not beside:
        return
    before = len(reader.problems)
    constraints: dict[str, JSONValue] = {**dict(string_constraints(reader, site)), **number_constraints(reader, site)}
    if (name := format_name(reader, site)) is not None:
        constraints["format"] = name
    if len(reader.problems) > before:
        return
    for option in options:
        if isinstance(option.value, (dict, list)):
            continue
        start = thread_time()
        try:
            violated = scalar_violations(option.value, constraints, strict=True)
        except TimeoutError:
            violated = []
            reader.problems.add(site.at("pattern"), "pattern-time", found=show(constraints["pattern"]))
        reader.work.count_search(thread_time() - start, site)
        for keyword in violated:
            limit = show(constraints[keyword])
            reader.problems.add(option.loc, "enum-constraint", found=show(option.value), keyword=keyword, limit=limit)


# Unions


@dataclass(frozen=True, slots=True)
class _Branch:
    """One branch of a union, as written and with its references followed."""

    written: Site
    site: Site

    @property
    def is_null(self) -> bool:
        schema = self.site.schema
        if "const" in schema:
            return schema["const"] is None
        if "enum" in schema:
            return bool(schema["enum"] == [None])
        return schema.get("type") in ("null", ["null"])

    @property
    def is_one_value(self) -> bool:
        schema = self.site.schema
        return "const" in schema or (isinstance(schema.get("enum"), list) and len(schema["enum"]) < MIN_OPTIONS)

    @property
    def is_values(self) -> bool:
        schema = self.site.schema
        return self.is_null or (("const" in schema or "enum" in schema) and not any(u in schema for u in UNIONS))


def read_union(reader: Reader, site: Site) -> Node | None:
    """anyOf or oneOf in one of its two supported forms."""
    keyword = "anyOf" if "anyOf" in site.schema else "oneOf"
    if "anyOf" in site.schema and "oneOf" in site.schema:
        reader.problems.add(site.loc, "union-both")
        return None
    if "enum" in site.schema:
        reader.problems.add(site.at("enum"), "union-enum", keyword=keyword)
        return None
    raw = site.schema[keyword]
    if not isinstance(raw, list) or not raw:
        return None
    branches = _branches(reader, site, keyword, raw)
    if branches is None:
        return None
    others = [branch for branch in branches if not branch.is_null]
    nulls = len(branches) - len(others)
    if nulls == 1 and len(others) == 1 and not others[0].is_one_value:
        return _read_nullable(reader, site, keyword, branches)
    if all(branch.is_values for branch in branches):
        return _read_values(reader, site, keyword, branches)
    _report_form(reader, site, keyword, branches)
    return None


def _branches(reader: Reader, site: Site, keyword: str, raw: list[JSONValue]) -> list[_Branch] | None:
    """The branches with their references followed; None when one of them was reported."""
    branches: list[_Branch] = []
    whole = True
    for index, schema in enumerate(raw):
        loc = (*site.at(keyword), index)
        if not isinstance(schema, dict):
            if isinstance(schema, bool):
                reader.problems.add(loc, "boolean-schema", found=show(schema))
            whole = False
            continue
        written = reader.site(schema, loc, site.resource)
        followed = reader.follow_branch(written)
        if followed is None:
            whole = False
        else:
            branches.append(_Branch(written, followed))
    return branches if whole else None


def _report_form(reader: Reader, site: Site, keyword: str, branches: list[_Branch]) -> None:
    others = [branch for branch in branches if not branch.is_null]
    kinds = []
    for branch in others:
        schema = branch.site.schema
        kind = "values" if "const" in schema or "enum" in schema else schema.get("type", "another schema")
        kinds.append(kind if isinstance(kind, str) else show(kind))
    words = ", ".join(dict.fromkeys(kinds))
    if len(branches) == 1:
        found = "found a single branch: write it without the union"
    elif set(kinds) == {"object"}:
        found = "found alternatives of object: use one object with optional properties, and an enum that names the kind"
    else:
        found = f"found branches of {words}: use one type, or one field for each"
    reader.problems.add(site.at(keyword), "union-form", keyword=keyword, found=found)
    for branch in others:
        # Report what is wrong inside the branches too.
        if "const" not in branch.site.schema and ("type" in branch.site.schema or "enum" in branch.site.schema):
            reader.read_site(branch.site, via_ref=True)


def _read_values(reader: Reader, site: Site, keyword: str, branches: list[_Branch]) -> LeafNode | None:
    """The const/enum form."""
    refuse_extensions(reader, site, "a choice")
    for sibling in site.schema:
        if sibling == keyword or sibling == "type" or sibling in ANNOTATIONS or sibling in EXTENSIONS:
            continue
        if sibling in APPLIES or sibling == "const":
            advice = "the branches already list the values, so drop it"
            reader.problems.add(site.at(sibling), "union-sibling", keyword=sibling, union=keyword, advice=advice)
        else:
            reader.refuse_keyword(site, sibling, "a choice")
    types = allowed_types(reader, site)
    options: list[_Option] = []
    for branch in branches:
        options.extend(_branch_options(reader, branch))
    return choice(reader, site, options, types)


def _branch_options(reader: Reader, branch: _Branch) -> list[_Option]:
    site = branch.site
    for keyword in site.schema:
        if keyword in _BRANCH or (keyword == "x-generate" and site.schema[keyword] is False):
            continue
        if keyword in APPLIES or keyword in EXTENSIONS or keyword in UNSUPPORTED:
            reader.problems.add(site.at(keyword), "branch-keyword", keyword=keyword)
        else:
            reader.refuse_keyword(site, keyword, None)
    description = site.text("description") or site.text("title")
    if "const" in site.schema and "enum" in site.schema:
        reader.problems.add(site.at("enum"), "branch-keyword", keyword="enum beside const")
    if "const" in site.schema:
        options = [_Option(site.schema["const"], site.at("const"), description)]
    elif "enum" in site.schema:
        values = site.schema["enum"] if isinstance(site.schema["enum"], list) else []
        options = [_Option(value, (*site.at("enum"), i), description) for i, value in enumerate(values)]
    else:
        return [_Option(None, site.loc, description)]
    types = allowed_types(reader, site)
    for option in options:
        _check_type(reader, option, types)
    return options


def _read_nullable(reader: Reader, site: Site, keyword: str, branches: list[_Branch]) -> Node | None:
    """The nullable form: the other branch, under the keywords beside the union, with null."""
    null, other = branches if branches[0].is_null else reversed(branches)
    for name in null.site.schema:
        if name not in _BRANCH:
            reader.problems.add(null.site.at(name), "branch-keyword", keyword=name)
    beside = {name: value for name, value in site.schema.items() if name != keyword and name not in _OF_THE_DOCUMENT}
    places = {name: site.at(name) for name in beside}
    for name in beside:
        if name in other.site.schema and name not in ANNOTATIONS:
            advice = "it stands in the branch too; keep one of them"
            reader.problems.add(places[name], "union-sibling", keyword=name, union=keyword, advice=advice)
    node: Node | None
    if beside.keys() <= ANNOTATIONS and "$ref" in other.written.schema:
        # The target of a reference is read once, however many fields refer to it.
        node = reader.read_site(other.written, via_ref=False)
    else:
        node = reader.read_site(other.site.overlaid(beside, places), via_ref=True)
    if node is None:
        return None
    node = annotated(node, site)
    if not isinstance(node, LeafNode):
        kind = "array" if hasattr(node, "item") else "object"
        advice = "let an empty array say that nothing is there" if kind == "array" else "make its properties nullable"
        reader.problems.add(site.at(keyword), "nullable-container", kind=kind, advice=advice)
        return None
    if node.nullable and keyword == "oneOf":
        reader.problems.add(site.at(keyword), "one-of-null")
    if node.mode is Mode.GENERATE:
        advice = "; generated text is always there, so drop null"
        loc = places.get("x-generate") or other.site.at("x-generate")
        reader.problems.add(loc, "generate-place", found="a nullable string", advice=advice)
    if node.mode is Mode.CHOICE and not node.nullable and len(node.options) == MAX_OPTIONS:
        _check_count(reader, site, MAX_OPTIONS + 1, MAX_OPTIONS + 1)
    described = null.site.text("description") or null.site.text("title")
    return _with_null(node, first=branches[0].is_null, description=described)


def annotated(node: Node, site: Site) -> Node:
    """The node under the title and description of another site, where that has them."""
    title, description = site.text("title"), site.text("description")
    if title is None and description is None:
        return node
    return replace(
        node,
        title=node.title if title is None else title,
        description=node.description if description is None else description,
    )


def _with_null(node: LeafNode, *, first: bool, description: str | None) -> LeafNode:
    """The leaf with null as one more outcome."""
    if node.nullable:
        return node
    if node.mode is Mode.NOUL:
        options, descriptions = (True, False, None), (None, None, description)
        return replace(
            node, mode=Mode.CHOICE, json_type="enum", nullable=True, options=options, option_descriptions=descriptions
        )
    if node.mode is not Mode.CHOICE:
        return replace(node, nullable=True)
    at = 0 if first else len(node.options)
    return replace(
        node,
        nullable=True,
        options=(*node.options[:at], None, *node.options[at:]),
        option_descriptions=(*node.option_descriptions[:at], description, *node.option_descriptions[at:]),
    )
