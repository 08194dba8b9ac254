"""The reference page explains every check, under the address that failures name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deg_core.conformance.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]
CHECKS = [check for checks in CATALOGUE.values() for check in checks]


def anchors(page: str) -> list[str]:
    """The anchors of a page's headings, as they are made from the headings' words."""
    titles = re.findall(r"^#+ (.+)$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.kind}-{check.name}")
def test_a_check_is_explained_where_it_says(check):
    page, _, anchor = check.page.partition("#")
    assert anchors(page).count(anchor) == 1
    assert (check.function.__doc__ or "").strip()


def test_no_check_is_explained_that_is_not_there():
    explained = [anchor for anchor in anchors(CHECKS[0].page.partition("#")[0])]
    kinds = tuple(f"{kind.value.replace(' ', '-')}-" for kind in CATALOGUE)
    assert sorted(each for each in explained if each.startswith(kinds)) == sorted(
        check.page.partition("#")[2] for check in CHECKS
    )


def test_names_are_told_apart():
    for checks in CATALOGUE.values():
        names = [check.name for check in checks]
        assert len(set(names)) == len(names)
