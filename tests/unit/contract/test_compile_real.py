"""Schemas from the wild: compiled, or refused by known rules; and what compiles agrees with the meta-schema."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path

import jsonschema
import pytest

from deg_core.contract.compiler import compile_schema, schema_problems
from deg_core.contract.metaschema import MetaCheck, draft_of
from deg_core.contract.problems import Problems
from deg_core.contract.rules import RULES

SHARED = Path(os.environ.get("DEG_SHARED", Path(__file__).parents[4] / "shared"))
SCHEMAS = SHARED / "schemas"
AUTHORED = SHARED / "data" / "authored"
JUDGES = {
    "draft-04": jsonschema.Draft4Validator,
    "draft-06": jsonschema.Draft6Validator,
    "draft-07": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
    "2020-12": jsonschema.Draft202012Validator,
}

pytestmark = pytest.mark.skipif(
    not SCHEMAS.is_dir(), reason="the schema collections are not beside the checkout (DEG_SHARED)"
)


def documents() -> list[Path]:
    folders = ("schemastore", "iglu_central", "ans", "jsonschemabench_glaiveai2k", "jsonschemabench_kubernetes")
    return [path for folder in folders for path in sorted((SCHEMAS / folder).rglob("*.json"))]


def test_every_document_is_compiled_or_refused_by_known_rules():
    compiled = 0
    for path in documents():
        document = json.loads(path.read_text(encoding="utf-8"))
        before = copy.deepcopy(document)
        found = schema_problems(document)
        assert document == before
        assert all(problem.rule in RULES and RULES[problem.rule].title for problem in found), path
        if not found:
            compiled += 1
            assert compile_schema(document).fingerprint
    assert compiled >= 90


def test_the_schema_check_agrees_with_the_meta_schema():
    for path in documents():
        document = json.loads(path.read_text(encoding="utf-8"))
        draft = draft_of(document)
        if draft is None:
            continue
        problems = Problems()
        MetaCheck(draft, problems).check(document, ())
        judge = JUDGES[draft](JUDGES[draft].META_SCHEMA)
        assert (len(problems) == 0) == judge.is_valid(document), path


@pytest.mark.skipif(not AUTHORED.is_dir(), reason="the authored records are not beside the checkout (DEG_SHARED)")
def test_authored_schemas_compile():
    for path in sorted(AUTHORED.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[::8]:
            compile_schema(json.loads(line)["schema"])
