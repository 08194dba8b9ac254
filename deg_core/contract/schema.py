"""Reading a schema document into nodes; what is outside the supported subset is reported with its place (SPEC 3 to 5).

`Reader` holds what one reading needs: the problems so far, the draft, which targets of ``$ref`` are known or being
read. Leaves are read by `deg_core.contract.leaves`, enums and unions by `deg_core.contract.choices`.
"""

from __future__ import annotations

from typing import Final

from deg_core.contract import choices, leaves
from deg_core.contract.jsonvalue import Loc, show
from deg_core.contract.keywords import (
    ALLOWED,
    ANNOTATIONS,
    APPLIES,
    EXTENSIONS,
    FOREIGN,
    KNOWN,
    TYPES,
    UNSUPPORTED,
    applies_to,
)
from deg_core.contract.limits import MAX_NESTING, LimitReached, Work
from deg_core.contract.metaschema import MetaCheck, draft_names, draft_of
from deg_core.contract.nodes import ArrayNode, LeafNode, Node, ObjectNode, Site
from deg_core.contract.plan import JSONValue, Mode, pointer
from deg_core.contract.problems import Problems
from deg_core.contract.refs import Resource, Target, enter, resolve

_BESIDE_REF: Final = ANNOTATIONS | {"x-max-tokens", "x-levels"}
_CARRIED: Final = ("title", "description", "x-max-tokens", "x-levels")
_TYPED: Final = ANNOTATIONS | EXTENSIONS | {"type"} | frozenset(APPLIES)
_ANYWHERE: Final = frozenset(("type", "enum", "anyOf", "oneOf", "$ref"))


class Reader:
    """One reading of one document. Problems go to ``problems``; methods give None where they reported one.

    ``check_draft=False`` leaves out the check against the draft's meta-schema, for documents that passed it.
    """

    def __init__(self, document: dict[str, JSONValue], problems: Problems, *, check_draft: bool = True) -> None:
        self.problems = problems
        draft = draft_of(document)
        if draft is None:
            problems.add(("$schema",), "draft", found=show(document.get("$schema")), allowed=draft_names())
        self.draft = draft or "2020-12"
        self.document = document
        self.meta = MetaCheck(self.draft, problems, enabled=check_draft)
        self.work = Work(problems)
        self._targets: dict[Loc, Node | None] = {}
        # Places being read, outermost first; true for those that a $ref led to.
        self._active: dict[Loc, bool] = {}

    def root(self) -> ObjectNode | None:
        """The root object; None when problems were reported."""
        self.meta.check(self.document, ())
        try:
            node = self.read(self.document, (), Resource(self.document, ()))
        except LimitReached:
            return None
        if node is None or isinstance(node, ObjectNode):
            return node
        found = show(self.document["type"]) if "type" in self.document else "another kind of schema"
        self.problems.add((), "root-object", found=found)
        return None

    def read(self, schema: JSONValue, loc: Loc, resource: Resource) -> Node | None:
        """The node of the schema at ``loc``."""
        if not isinstance(schema, dict):
            if isinstance(schema, bool):
                self.problems.add(loc, "boolean-schema", found=show(schema))
            return None
        return self.read_site(self.site(schema, loc, resource), via_ref=False)

    def site(self, schema: dict[str, JSONValue], loc: Loc, resource: Resource) -> Site:
        """A schema that stands at ``loc``, inside ``resource``."""
        return Site(schema, loc, enter(schema, loc, resource, self.draft))

    def read_site(self, site: Site, *, via_ref: bool) -> Node | None:
        """The node of a site, with guards against endless and too deep reading."""
        self.work.count_read()
        if len(self._active) >= MAX_NESTING:
            self.problems.add(site.loc, "nesting", limit=MAX_NESTING)
            return None
        fresh = site.loc not in self._active
        if fresh:
            self._active[site.loc] = via_ref
        try:
            return self._dispatch(site)
        finally:
            if fresh:
                del self._active[site.loc]

    def _dispatch(self, site: Site) -> Node | None:
        schema = site.schema
        named = schema.get("$schema")
        if named is not None and site.loc and isinstance(named, str) and draft_of(schema) != self.draft:
            self.problems.add(site.at("$schema"), "draft-nested", found=show(named), draft=self.draft)
        if "$ref" in schema:
            return self._follow(site)
        if "anyOf" in schema or "oneOf" in schema:
            return choices.read_union(self, site)
        if "enum" in schema:
            return choices.read_enum(self, site)
        kind = self._kind(site)
        if kind is None:
            return None
        name, nullable = kind
        self.keywords(site, ALLOWED[name], name)
        if name == "object":
            return self._object(site)
        if name == "array":
            return self._array(site)
        if name == "string":
            return leaves.read_string(self, site, nullable=nullable)
        if name == "boolean":
            return leaves.read_boolean(self, site, nullable=nullable)
        return leaves.read_number(self, site, name, nullable=nullable)

    # Types and keywords

    def _kind(self, site: Site) -> tuple[str, bool] | None:
        """The one type of a schema, and whether null is allowed beside it."""
        if "type" not in site.schema:
            self._no_type(site)
            return None
        raw = site.schema["type"]
        names = [raw] if isinstance(raw, str) else raw
        if not isinstance(names, list) or not all(name in (*TYPES, "null") for name in names):
            self.keywords(site, _TYPED, None)
            self._look_inside(site)
            return None
        kinds = [name for name in names if name != "null"]
        nullable = len(kinds) < len(names)
        if not kinds:
            self.keywords(site, ALLOWED["string"], None)
            self.problems.add(site.at("type"), "null-only")
            return None
        if len(kinds) > 1:
            self.keywords(site, frozenset().union(*(ALLOWED[kind] for kind in kinds)), None)
            advice = (
                '; use "number", which covers integers'
                if set(kinds) == {"number", "integer"}
                else "; choose one of the types"
            )
            self.problems.add(site.at("type"), "union-type", found=show(raw), advice=advice)
            self._look_inside(site)
            return None
        if nullable and kinds[0] in ("object", "array"):
            advice = (
                "make its properties nullable"
                if kinds[0] == "object"
                else "let an empty array say that nothing is there"
            )
            self.problems.add(site.at("type"), "nullable-container", kind=kinds[0], advice=advice)
        return kinds[0], nullable

    def _no_type(self, site: Site) -> None:
        self.keywords(site, _TYPED, None)
        self._look_inside(site)
        if any(keyword in UNSUPPORTED for keyword in site.schema):
            return
        seen = next((keyword for keyword in site.schema if keyword in APPLIES), None)
        advice = "" if seen is None else f'; {seen} goes with "type": "{APPLIES[seen][0]}"'
        self.problems.add(site.loc, "type-missing", allowed=", ".join(TYPES), advice=advice)

    def _look_inside(self, site: Site) -> None:
        """Report what is wrong further inside a schema whose own type was refused already."""
        if "properties" in site.schema:
            self._object(site)
        if "items" in site.schema:
            self._array(site)

    def keywords(self, site: Site, allowed: frozenset[str], kind: str | None) -> None:
        """Report every keyword of the site that is not in ``allowed``. ``kind`` names the type, for the sentence."""
        for keyword in site.schema:
            if keyword not in allowed and not (self.draft == "draft-04" and keyword == "id"):
                self.refuse_keyword(site, keyword, kind)

    def refuse_keyword(self, site: Site, keyword: str, kind: str | None) -> None:
        """Report a keyword by what it is: unsupported, not for this type, or unknown."""
        loc = site.at(keyword)
        if keyword in UNSUPPORTED:
            entry = UNSUPPORTED[keyword]
            instead = f"; instead, {entry.instead}" if entry.instead else ""
            self.problems.add(loc, "unsupported", keyword=keyword, why=entry.why, instead=instead)
        elif keyword in APPLIES:
            found = kind or "this schema"
            self.problems.add(loc, "keyword-type", keyword=keyword, type=found, allowed=applies_to(keyword))
        elif keyword.startswith("x-"):
            hint = self.problems.hint(keyword, sorted(EXTENSIONS))
            self.problems.add(loc, "unknown-extension", keyword=show(keyword), hint=hint)
        else:
            hint = FOREIGN.get(keyword) or self.problems.hint(keyword, KNOWN)
            self.problems.add(loc, "unknown-keyword", keyword=show(keyword), hint=hint)

    # References

    def _follow(self, site: Site) -> Node | None:
        """The node that a ``$ref`` leads to, under the annotations beside it."""
        self._ref_siblings(site)
        ref = site.text("$ref")
        if ref is None:
            return None
        target = resolve(ref, site.resource, loc=site.at("$ref"), draft=self.draft, problems=self.problems)
        if target is None:
            return None
        if target.loc in self._active:
            self.problems.add(site.at("$ref"), "ref-cycle", cycle=self._cycle(target.loc))
            return None
        if not isinstance(target.schema, dict):
            self.meta.check(target.schema, target.loc)
            return self.read(target.schema, target.loc, target.resource)
        carried = _carried(site)
        if any(keyword in EXTENSIONS for keyword in carried):
            self.meta.check(target.schema, target.loc)
            places = {keyword: site.at(keyword) for keyword in carried}
            return self.read_site(
                Site(target.schema, target.loc, target.resource).overlaid(carried, places), via_ref=True
            )
        node = self._target(target)
        return None if node is None else choices.annotated(node, site)

    def _target(self, target: Target) -> Node | None:
        """The node of a reference's target, read once however often it is referred to."""
        if target.loc not in self._targets:
            self.meta.check(target.schema, target.loc)
            self._targets[target.loc] = self.read_site(Site(target.schema, target.loc, target.resource), via_ref=True)
        return self._targets[target.loc]

    def follow_branch(self, site: Site) -> Site | None:
        """The site that a union branch means once its references are followed; None with the problem reported.

        Annotations beside the references win over the target's.
        """
        passed: set[Loc] = {site.loc}
        while "$ref" in site.schema:
            self.work.count_read()
            self._ref_siblings(site)
            ref = site.text("$ref")
            if ref is None:
                return None
            target = resolve(ref, site.resource, loc=site.at("$ref"), draft=self.draft, problems=self.problems)
            if target is None:
                return None
            if target.loc in passed or target.loc in self._active:
                self.problems.add(site.at("$ref"), "ref-cycle", cycle=self._cycle(target.loc))
                return None
            if len(passed) >= MAX_NESTING:
                self.problems.add(site.loc, "nesting", limit=MAX_NESTING)
                return None
            passed.add(target.loc)
            self.meta.check(target.schema, target.loc)
            if not isinstance(target.schema, dict):
                if isinstance(target.schema, bool):
                    self.problems.add(target.loc, "boolean-schema", found=show(target.schema))
                return None
            carried = _carried(site)
            places = {keyword: site.at(keyword) for keyword in carried}
            site = Site(target.schema, target.loc, target.resource).overlaid(carried, places)
        return site

    def _ref_siblings(self, site: Site) -> None:
        for keyword, value in site.schema.items():
            if keyword == "$ref" or keyword in _BESIDE_REF or (keyword == "x-generate" and value is False):
                continue
            if keyword == "x-generate" and keyword in site.moved:
                continue
            if keyword in UNSUPPORTED or keyword in APPLIES or keyword in _ANYWHERE or keyword in EXTENSIONS:
                self.problems.add(site.at(keyword), "ref-sibling", keyword=keyword)
            else:
                self.refuse_keyword(site, keyword, None)

    def _cycle(self, start: Loc) -> str:
        """The round that leads back to ``start``, as pointers."""
        places = list(self._active)
        later = places[places.index(start) + 1 :] if start in self._active else []
        steps = [start, *(loc for loc in later if self._active[loc]), start]
        return " -> ".join("#" + pointer(loc) for loc in steps)

    # Containers

    def _object(self, site: Site) -> ObjectNode | None:
        schema = site.schema
        leaves.refuse_extensions(self, site, "an object")
        if not isinstance(schema.get("additionalProperties", True), bool):
            self.problems.add(site.at("additionalProperties"), "additional-schema")
        declared = schema.get("properties", {})
        if not isinstance(declared, dict):
            return None
        required = self._required(site, declared)
        properties: list[tuple[str, Node, bool]] = []
        base = site.at("properties")
        for name, schema_of_name in declared.items():
            node = self.read(schema_of_name, (*base, name), site.resource)
            if node is not None:
                properties.append((name, node, name in required))
        return ObjectNode(
            loc=site.loc, properties=tuple(properties), title=site.text("title"), description=site.text("description")
        )

    def _required(self, site: Site, declared: dict[str, JSONValue]) -> frozenset[str]:
        names = site.schema.get("required", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return frozenset()
        for index, name in enumerate(names):
            if name not in declared:
                hint = self.problems.hint(name, declared)
                self.problems.add((*site.at("required"), index), "required-unknown", found=show(name), hint=hint)
        return frozenset(names)

    def _array(self, site: Site) -> ArrayNode | None:
        schema = site.schema
        generates = leaves.generates(self, site)
        if "x-generate" in site.moved:
            self.problems.add(site.at("x-generate"), "generate-place", found="an array of arrays", advice="")
        tokens = leaves.max_tokens(self, site, generates=generates)
        if "x-levels" in schema:
            self.problems.add(site.at("x-levels"), "levels-place", found="an array")
        low = leaves.count(schema.get("minItems")) or 0
        high = leaves.count(schema.get("maxItems"))
        if high is not None and low > high:
            self.problems.add(site.at("minItems"), "items-count", low=low, high=high)
        item = self._item(site, generates=generates, tokens=tokens)
        if item is None:
            return None
        unique = schema.get("uniqueItems") is True
        values = _decided_values(item)
        if unique and values is not None and low > values:
            self.problems.add(site.at("minItems"), "items-unique", low=low, found=values)
        return ArrayNode(
            loc=site.loc,
            item=item,
            min_items=low,
            max_items=high,
            unique_items=unique,
            title=site.text("title"),
            description=site.text("description"),
        )

    def _item(self, site: Site, *, generates: bool, tokens: int | None) -> Node | None:
        """The node of ``items``. An array's ``x-generate`` and ``x-max-tokens`` count as written on the items."""
        if "items" not in site.schema:
            if "prefixItems" not in site.schema:
                self.problems.add(site.loc, "items-missing")
            return None
        items = site.schema["items"]
        loc = site.at("items")
        if isinstance(items, list):
            self.problems.add(loc, "items-tuple")
            return None
        if not generates or not isinstance(items, dict):
            return self.read(items, loc, site.resource)
        given: dict[str, JSONValue] = {"x-generate": True}
        if tokens is not None and "x-max-tokens" not in items:
            given["x-max-tokens"] = tokens
        item = self.site(items, loc, site.resource)
        return self.read_site(item.overlaid(given, {keyword: site.at(keyword) for keyword in given}), via_ref=False)


def _decided_values(item: Node) -> int | None:
    """How many different values a decided item can have; None for any other item."""
    if not isinstance(item, LeafNode) or not item.mode.decides:
        return None
    if item.mode is Mode.NOUL:
        return 2
    return len(item.options) if item.mode is Mode.CHOICE else len(item.levels) + item.nullable


def _carried(site: Site) -> dict[str, JSONValue]:
    """What a site with a ``$ref`` says about the target: annotations, and an ``x-generate`` moved from an array."""
    carried: dict[str, JSONValue] = {keyword: site.schema[keyword] for keyword in _CARRIED if keyword in site.schema}
    if "x-generate" in site.moved:
        carried["x-generate"] = site.schema["x-generate"]
    return carried
