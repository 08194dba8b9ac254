"""The API's description for people: one HTML page made from the OpenAPI document, without scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

_REFERENCE: Final = "#/components/schemas/"
_LIMITS: Final = (
    ("minimum", "from {}"),
    ("maximum", "to {}"),
    ("exclusiveMinimum", "more than {}"),
    ("exclusiveMaximum", "less than {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
    ("pattern", "matches {}"),
)


def docs_page(document: Mapping[str, Any]) -> str:
    """The page for an OpenAPI 3.1 ``document``. Everything that comes from it is escaped."""
    operations = [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    components = document.get("components", {}).get("schemas", {})
    title, version = escape(document["info"]["title"]), escape(document["info"]["version"])
    routes = "".join(_operation(path, method, operation) for path, method, operation in operations)
    types = "".join(_component(name, components[name]) for name in sorted(components))
    contents = "".join(
        f'<li><a href="#{_route_id(path, method)}"><code>{method.upper()} {escape(path)}</code></a></li>'
        for path, method, _ in operations
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}: API</title>
<link rel="icon" href="page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="page/base.css">
<link rel="stylesheet" href="page/docs.css">
<script src="page/theme.js"></script>
</head>
<body class="docs">
<header class="top"><p class="brand">deg <span class="brand-note">API</span></p>
<nav class="top-links" aria-label="Pages"><a href=".">Playground</a> <a href="openapi.json">OpenAPI</a></nav></header>
<main>
<h1>HTTP API</h1>
<p>{title}, version {version}</p>
<p>Bodies are JSON. Where the server has API keys, a request carries <code>Authorization: Bearer KEY</code> or
<code>x-api-key: KEY</code>. Every reply has its id in <code>x-request-id</code>.</p>
<nav aria-label="Routes"><ul class="contents">{contents}</ul></nav>
<section aria-labelledby="routes"><h2 id="routes">Routes</h2>{routes}</section>
<section aria-labelledby="types"><h2 id="types">Types</h2>{types}</section>
</main>
</body>
</html>
"""


def _route_id(path: str, method: str) -> str:
    return escape(f"{method}{path.replace('/', '-')}")


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> str:
    ident = _route_id(path, method)
    rows = [(f"<code>{escape(name)}</code>, {_in(given)}", given) for name, given in _parameters(operation)]
    body = operation.get("requestBody")
    if body:
        rows.append(("request body", body))
    rows += [(_status(status), response) for status, response in operation.get("responses", {}).items()]
    cells = [(label, _media(given), _paragraph(given)) for label, given in rows]
    return (
        f'<article aria-labelledby="{ident}"><h3 id="{ident}"><span class="method">{method.upper()}</span> '
        f"<code>{escape(path)}</code></h3><p>{escape(operation.get('summary', ''))}</p>{_paragraph(operation)}"
        f"{_table(ident, ('part', 'type', 'meaning'), cells)}</article>"
    )


def _table(ident: str, heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of HTML cells, the first of each row its head; it scrolls by itself where the page is narrow."""
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>' for first, *rest in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="group" aria-labelledby="{ident}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _parameters(operation: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(str(given.get("name", "")), given) for given in operation.get("parameters", ())]


def _in(given: Mapping[str, Any]) -> str:
    return escape(f"in the {given.get('in', 'request')}")


def _status(status: str) -> str:
    return "any other status" if status == "default" else f"status {escape(status)}"


def _media(given: Mapping[str, Any]) -> str:
    content = given.get("content", {})
    kinds = [_kind(media["schema"]) if "schema" in media else escape(name) for name, media in content.items()]
    if "schema" in given:
        kinds.append(_kind(given["schema"]))
    return " or ".join(dict.fromkeys(kinds)) or "nothing"


def _component(name: str, schema: Mapping[str, Any]) -> str:
    ident = f"type-{escape(name)}"
    head = f'<article aria-labelledby="{ident}"><h3 id="{ident}"><code>{escape(name)}</code></h3>{_paragraph(schema)}'
    properties = schema.get("properties")
    if not properties:
        return f"{head}<p>{_kind(schema)}</p></article>"
    required = set(schema.get("required", ()))
    rows = [_property(key, value, key in required) for key, value in properties.items()]
    return f"{head}{_table(ident, ('key', 'type', 'default'), rows)}</article>"


def _property(name: str, schema: Mapping[str, Any], required: bool) -> tuple[str, str, str]:
    default = (
        "required" if required else f"<code>{_json(schema['default'])}</code>" if "default" in schema else "absent"
    )
    told = schema.get("description")
    kind = _kind(schema) + (f"<br>{escape(told)}" if told else "")
    return f"<code>{escape(name)}</code>", kind, default


def _kind(schema: Any) -> str:
    """What a value is, in a phrase; types that have a name are links."""
    if not isinstance(schema, Mapping) or not schema:
        return "any JSON value"
    if "$ref" in schema:
        name = escape(str(schema["$ref"]).removeprefix(_REFERENCE))
        return f'<a href="#type-{name}"><code>{name}</code></a>'
    if "const" in schema:
        return f"<code>{_json(schema['const'])}</code>"
    if "enum" in schema:
        return _either(f"<code>{_json(value)}</code>" for value in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return _either(_kind(branch) for branch in schema[union])
    named = schema.get("type", "any JSON value")
    kinds = [named] if isinstance(named, str) else list(named)
    limits = "".join(f", {escape(told.format(schema[key]))}" for key, told in _LIMITS if key in schema)
    return _either(_plain(kind, schema) for kind in kinds) + limits


def _plain(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "array" and "items" in schema:
        return f"list of {_kind(schema['items'])}"
    values = schema.get("additionalProperties")
    if kind == "object" and isinstance(values, Mapping) and values:
        return f"object whose values are {_kind(values)}"
    return escape(kind)


def _either(kinds: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(kinds))


def _paragraph(given: Mapping[str, Any]) -> str:
    told = given.get("description")
    return f"<p>{escape(str(told))}</p>" if told else ""


def _json(value: Any) -> str:
    return escape(json.dumps(value, ensure_ascii=False))
