"""The reference page on the schema subset is what the code says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from deg_core.contract.keywords import KNOWN
from deg_core.contract.rules import RULES, reference_page

ROOT = Path(__file__).parents[3]


def test_the_page_is_current():
    page = (ROOT / "docs" / "reference" / "schema_subset.md").read_text(encoding="utf-8")
    assert page == reference_page(), "run: python -m deg_core.contract.rules > docs/reference/schema_subset.md"


def test_the_command_prints_it():
    command = [sys.executable, "-X", "utf8", "-m", "deg_core.contract.rules"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=True)
    assert done.stdout == reference_page()


def test_every_keyword_is_on_the_page():
    page = reference_page()
    assert [keyword for keyword in KNOWN if f"`{keyword}`" not in page] == []


def test_every_rule_says_something_that_can_be_filled():
    import string

    for name, rule in RULES.items():
        fields = {field for _, field, _, _ in string.Formatter().parse(rule.says) if field}
        assert rule.says.format(**dict.fromkeys(fields, "x")), name
