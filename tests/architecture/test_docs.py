"""Reference pages say what the code says."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import msgspec
import pytest

from deg_core.plugins import hookspecs
from deg_core.plugins.checkpoint import DegJson
from deg_core.plugins.manager import hook_names

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


@pytest.mark.parametrize("hook", hook_names())
def test_every_hook_is_documented_with_its_true_signature(hook: str):
    page = (REFERENCE / "hooks.md").read_text("utf-8")
    signature = str(inspect.signature(getattr(hookspecs, hook))).replace("'", "")
    assert f"## {hook}\n\n```python\ndef {hook}{signature}\n```\n" in page


def test_no_hook_is_documented_that_is_not_there():
    page = (REFERENCE / "hooks.md").read_text("utf-8")
    assert set(re.findall(r"^## (deg_\w+)$", page, re.MULTILINE)) == set(hook_names())


@pytest.mark.parametrize("hook", hook_names())
def test_every_hook_documents_itself(hook: str):
    doc = inspect.getdoc(getattr(hookspecs, hook)) or ""
    assert "Call ``register(" in doc
    assert "Fires once" in doc


def test_every_field_of_deg_json_is_documented():
    page = (REFERENCE / "deg_json.md").read_text("utf-8")
    documented = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(documented) == sorted(field.name for field in msgspec.structs.fields(DegJson))
