"""Following local references (SPEC 5): ``#`` and ``#/...``, with pointer escapes, through ``$id`` boundaries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from deg_core.contract.jsonvalue import Loc, show
from deg_core.contract.plan import JSONValue, escape
from deg_core.contract.problems import Problems

_BAD_ESCAPE: Final = re.compile(r"~(?![01])")
_BAD_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_INDEX: Final = re.compile(r"(?:0|[1-9][0-9]*)\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Resource:
    """A schema with an identity of its own (the root, or a subschema with ``$id``): what ``#`` means inside it."""

    schema: JSONValue
    loc: Loc


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads: the schema, its place in the document, and the resource that it belongs to."""

    schema: JSONValue
    loc: Loc
    resource: Resource


def enter(schema: JSONValue, loc: Loc, resource: Resource, draft: str) -> Resource:
    """The resource that references inside ``schema`` start from: the schema itself when it has an ``$id``.

    Before 2019-09 an ``$id`` beside a ``$ref`` is ignored, and one that is only a fragment is an anchor.
    """
    if not isinstance(schema, dict) or schema is resource.schema:
        return resource
    name = schema.get("id" if draft == "draft-04" else "$id")
    if not isinstance(name, str) or name.startswith("#"):
        return resource
    if "$ref" in schema and draft in ("draft-04", "draft-06", "draft-07"):
        return resource
    return Resource(schema, loc)


def resolve(ref: str, resource: Resource, *, loc: Loc, draft: str, problems: Problems) -> Target | None:
    """The target of a local reference written at ``loc``; None, with the problem reported, when there is none."""
    tokens = _tokens(ref, loc, problems)
    if tokens is None:
        return None
    schema, place = resource.schema, resource.loc
    for depth, token in enumerate(tokens):
        step: str | int = token
        if isinstance(schema, list) and _INDEX.match(token) and len(token) < 9 and int(token) < len(schema):
            step = int(token)
            schema = schema[step]
        elif isinstance(schema, dict) and token in schema:
            schema = schema[token]
        else:
            parent = "#" + "".join("/" + escape(t) for t in tokens[:depth])
            hint = problems.hint(token, schema) if isinstance(schema, dict) else ""
            problems.add(loc, "ref-missing", found=show(ref), part=show(token), parent=show(parent), hint=hint)
            return None
        place = (*place, step)
        resource = enter(schema, place, resource, draft)
    return Target(schema, place, resource)


def _tokens(ref: str, loc: Loc, problems: Problems) -> list[str] | None:
    """The reference tokens of a local pointer, unescaped."""
    if not ref.startswith("#"):
        problems.add(loc, "ref-remote", found=show(ref))
        return None
    pointer = ref[1:]
    if pointer and not pointer.startswith("/"):
        problems.add(loc, "ref-anchor", found=show(ref))
        return None
    if _BAD_PERCENT.search(pointer):
        problems.add(loc, "ref-pointer", found=show(ref), why="% is not followed by two hexadecimal digits")
        return None
    try:
        pointer = unquote(pointer, errors="strict")
    except UnicodeDecodeError:
        problems.add(loc, "ref-pointer", found=show(ref), why="its percent-escapes are not UTF-8")
        return None
    if _BAD_ESCAPE.search(pointer):
        problems.add(loc, "ref-pointer", found=show(ref), why="~ is not followed by 0 or 1")
        return None
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
