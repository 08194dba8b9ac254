"""The page of parity and independence says what is measured."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("transformers")

from tests.parity.tables import PAGE, independence, names, parity

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| ") and not re.match(r"\| (shape|-)", line)
]
BOUNDS = (1e-4, 1e-4, 1e-4, 5e-3)  # gradients through a random delta rule are ill-conditioned


def test_every_shape_has_its_rows():
    assert [row[0] for row in ROWS if len(row) == 7] == names()
    assert [tuple(row[:2]) for row in ROWS if len(row) == 6] == [
        (name, compute) for name in names() for compute in ("fp32", "int8")
    ]


def test_what_the_page_says_is_good():
    for row in ROWS:
        if len(row) == 7:
            assert all(float(cell) < bound for cell, bound in zip(row[1:5], BOUNDS, strict=True)), row
        else:
            assert {eval_fraction(cell) for cell in row[2:5]} == {1.0}, row
            assert row[5] == "same", row


def eval_fraction(cell: str) -> float:
    same, total = cell.split("/")
    return int(same) / int(total)


@pytest.mark.parametrize("name", ["qwen 0.8b", "lfm2 1.2b", "llama grouped"])
def test_a_row_measured_anew(name: str):
    """Errors depend on the processor's rounding, so they are of the size that the page says; bits are bits."""
    (said,) = (row for row in ROWS if len(row) == 7 and row[0] == name)
    for found, page in zip(parity(name)[1:], said[1:], strict=True):
        assert float(found) < max(10 * float(page), 1e-6)
    assert [list(row) for row in independence(name)] == [row for row in ROWS if len(row) == 6 and row[0] == name]
