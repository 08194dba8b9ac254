"""The pages as they are served: policy, types, keys, and a description of the API that is whole and escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import Mode
from deg_serve.engine import ModelEngine
from deg_serve.http.app import create_app
from deg_serve.http.docs_page import docs_page
from deg_serve.settings import ServeSettings

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "deg_serve" / "page"
FILES = sorted(path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_file())
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}


@pytest.fixture(scope="module")
def engine(tiny_models) -> ModelEngine:
    return ModelEngine(tiny_models["int8"])


@pytest.fixture(scope="module")
def client(engine: ModelEngine) -> Iterator[TestClient[Any]]:
    app = create_app(engine, ServeSettings(api_keys=("a-key-of-this-test",)))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_pages_need_no_key_and_carry_the_policy(client: TestClient[Any], path: str):
    reply = client.get(path)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["content-security-policy"] == POLICY
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert client.get("/v1/models").status_code == 401


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_what_a_page_names_is_served_and_nothing_stands_inline(client: TestClient[Any], path: str):
    html = client.get(path).text
    named = re.findall(r'(?:src|href)="([^"#]+)"', html)
    assert any(name.startswith("page/") for name in named)
    for name in named:
        reply = client.get("/" if name == "." else f"/{name}")
        assert reply.status_code == 200, name
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)
    assert not re.search(r"<script(?![^>]*\ssrc=)", html)


def test_every_file_is_served_with_its_type(client: TestClient[Any]):
    for name in set(FILES) - {"index.html"}:
        reply = client.get(f"/page/{name}")
        assert reply.status_code == 200
        assert reply.content == (PAGE / name).read_bytes()
        assert reply.headers["content-type"].startswith(TYPES.get(Path(name).suffix, "text/plain"))
        assert reply.headers["content-security-policy"] == POLICY


def test_nothing_else_is_served(client: TestClient[Any]):
    for name in ("nothing.js", "../http/app.py", "%2e%2e/http/app.py", "gallery", "", "index.html"):
        assert client.get(f"/page/{name}").status_code == 404


def test_the_page_asks_nobody_else_and_parses_no_strangers_html():
    unsafe = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|https?://"
    for name in FILES:
        if not name.endswith((".js", ".css", ".html")):
            continue
        source = (PAGE / name).read_text("utf-8")
        assert not re.search(unsafe, source), name
        for module in re.findall(r'from "\./([^"]+)"', source):
            assert (PAGE / module).is_file()


def test_the_gallery_holds_what_it_lists():
    listed = [entry["id"] for entry in json.loads((PAGE / "gallery" / "index.json").read_text("utf-8"))]
    held = {path.name.removesuffix(".schema.json") for path in (PAGE / "gallery").glob("*.schema.json")}
    assert sorted(listed) == sorted(held)
    modes = {}
    for name in listed:
        assert (PAGE / "gallery" / f"{name}.txt").read_text("utf-8").strip()
        plan = compile_schema(json.loads((PAGE / "gallery" / f"{name}.schema.json").read_text("utf-8")))
        modes[name] = {field.mode for field in plan.fields}
        depth = max((array.pointer.count("/*") for array in plan.arrays), default=-1)
        assert depth == {"order_lines": 0, "shipments": 1}.get(name, -1)
    assert {mode.value.split(".")[0] for mode in modes["incident"]} == {"decide"}
    assert Mode.GENERATE in modes["meeting"]


@pytest.mark.parametrize("name", ["invoice", "receipt", "support_mail", "job_ad"])
def test_the_gallery_shows_the_examples_of_the_project(name: str):
    for suffix in (".txt", ".schema.json"):
        assert (PAGE / "gallery" / (name + suffix)).read_bytes() == (ROOT / "examples" / (name + suffix)).read_bytes()


def test_the_description_has_every_route_type_and_key(client: TestClient[Any]):
    document = client.get("/openapi.json").json()
    html = client.get("/docs").text
    for path, methods in document["paths"].items():
        for method in methods:
            assert f'<span class="method">{method.upper()}</span> <code>{path}</code>' in html
    anchors = set(re.findall(r'id="([^"]+)"', html))
    for name, schema in document["components"]["schemas"].items():
        assert f"type-{name}" in anchors
        for key in schema.get("properties", {}):
            assert f"<code>{key}</code>" in html
    assert {link for link in re.findall(r'href="#([^"]+)"', html)} <= anchors


def test_the_description_escapes_whatever_a_document_holds():
    bad = "<img src=x onerror=alert(1)>\"'&"
    kind = {
        "type": "object",
        "required": [bad],
        "description": bad,
        "properties": {bad: {"enum": [bad], "default": bad}},
    }
    also = {"anyOf": [{"$ref": f"#/components/schemas/{bad}"}, {"const": bad}, {"type": "string", "pattern": bad}]}
    operation = {
        "summary": bad,
        "description": bad,
        "parameters": [{"name": bad, "in": bad, "schema": also}],
        "requestBody": {"content": {bad: {"schema": also}}},
        "responses": {bad: {"description": bad, "content": {bad: {}}}},
    }
    html = docs_page(
        {
            "info": {"title": bad, "version": bad},
            "paths": {f"/{bad}": {"post": operation}},
            "components": {"schemas": {bad: kind, "Other": also}},
        }
    )
    assert "<img" not in html
    assert "&lt;img" in html
    assert not re.search(r'="[^"]*"[\w\'&]', html)
