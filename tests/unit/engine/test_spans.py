"""Spans of a text against trying all of them: the same best one, found once however often it is asked for."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from deg_core.contract.compiler import compile_schema
from deg_core.contract.parsers import trim_span, violated
from deg_core.contract.plan import FieldPlan
from deg_core.contract.request import Options
from deg_core.engine import spans as engine_spans
from deg_core.engine.pairs import Independent
from deg_core.engine.spans import MAX_SPAN_TOKENS, TOP_SPANS, TextSpans
from deg_core.rendering.layout import TrunkLayout

PIECES = ["Order 7731", "EUR 1,250.00", "(Ann Lee)", "a.b", "\n", "x", "Inc.", "…", "ÄÖ ü", '"so"', "  "]
texts = st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join)
leaves = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "pattern": "^[A-Z]"},
        {"type": "string", "maxLength": 2},
        {"type": "string", "minLength": 30},
        {"type": "string", "pattern": "zz"},
    ]
)


def field_of(leaf: dict[str, Any], name: str = "f") -> FieldPlan:
    return compile_schema({"type": "object", "properties": {name: leaf}, "required": [name]}).fields[0]


def spans_of(text: str) -> TextSpans:
    offsets = tuple(match.span() for match in re.finditer(r"\s?\w+|\W", text))
    return TextSpans(TrunkLayout((), 0, offsets, text), Options())


def log_p_of(spans: TextSpans, seed: int, steps: float) -> Tensor:
    """Random log-probabilities; coarse ``steps`` make many of them equal."""
    chance = torch.Generator().manual_seed(seed)
    logits = torch.randn(2, len(spans.trunk.offsets) + 1, generator=chance, dtype=torch.float64)
    return (logits / steps).round() * steps if steps else logits


def tried(field: FieldPlan, spans: TextSpans, log_p: Tensor) -> tuple[float, int, int] | None:
    """The best valid span of all, of equals the first in the text."""
    best = None
    trunk = spans.trunk
    for first in range(len(trunk.offsets)):
        for last in range(first, min(first + MAX_SPAN_TOKENS, len(trunk.offsets))):
            start, end = trim_span(trunk.text, trunk.offsets[first][0], trunk.offsets[last][1])
            score = float(log_p[0, first] + log_p[1, last])
            if start < end and violated(field, trunk.text[start:end]) is None and (best is None or score > best[0]):
                best = (score, start, end)
    return best


@given(texts, leaves, st.integers(0, 2**31), st.sampled_from([0.0, 1.0, 100.0]))
def test_the_best_valid_span_is_the_best_of_all(text: str, leaf: dict[str, Any], seed: int, steps: float):
    field, spans = field_of(leaf), spans_of(text)
    log_p = log_p_of(spans, seed, steps)
    for _ in range(2):  # the second time from what is known
        ranked = spans.ranked(field, Independent(log_p))
        found = next((s for s in ranked if spans.read(field, s.start, s.end).null_reason is None), None)
        assert (found and (found.score, found.start, found.end)) == tried(field, spans, log_p)


@given(texts, st.integers(0, 2**31), st.sampled_from([0.0, 1.0]))
def test_spans_come_best_first_and_once(text: str, seed: int, steps: float):
    spans = spans_of(text)
    log_p = log_p_of(spans, seed, steps)
    nullable = field_of({"type": ["string", "null"]})
    ranked = [(found.start, found.end) for found in spans.ranked(nullable, Independent(log_p))]
    scores = [found.score for found in spans.ranked(nullable, Independent(log_p))]
    assert scores == sorted(scores, reverse=True)
    assert len(set(ranked)) == len(ranked) <= TOP_SPANS


def test_of_very_many_equals_the_first_come_first():
    text = " ".join("ab" for _ in range(300))
    spans = spans_of(text)
    pairs = Independent(torch.zeros(2, len(spans.trunk.offsets) + 1))
    ranked = list(spans.ranked(field_of({"type": ["string", "null"]}), pairs))
    assert [(found.start, found.end) for found in ranked[:3]] == [(0, 2), (0, 5), (0, 8)]
    assert len(ranked) == TOP_SPANS


def test_a_long_text_is_read_through_once(monkeypatch: pytest.MonkeyPatch):
    """What no span of a text can be is found out once, not for every item that asks."""
    reads: list[str] = []

    def counting(field: FieldPlan, value: object) -> str | None:
        reads.append(str(value))
        return violated(field, value)

    monkeypatch.setattr(engine_spans, "violated", counting)
    spans = spans_of(" ".join(f"w{number}" for number in range(120)))
    one, same = (field_of({"type": "string", "pattern": "zz"}, name) for name in ("one", "same"))
    other = field_of({"type": "string", "pattern": "w119$", "minLength": 200})
    for seed in range(5):
        log_p = log_p_of(spans, seed, 0.0)
        for field in (one, same):
            tried_out = [spans.read(field, s.start, s.end).null_reason for s in spans.ranked(field, Independent(log_p))]
            assert set(tried_out) == {"pattern"}
    assert len(reads) == 120 * 121 // 2
    ranked = spans.ranked(other, Independent(log_p))
    last = [found.end for found in ranked if spans.read(other, found.start, found.end).value]
    assert set(last) == {len(spans.trunk.text)}


@pytest.mark.parametrize("text", ["", " ", " \n\t\u2003 "])
def test_a_blank_text_has_no_spans(text: str):
    spans = spans_of(text)
    log_p = torch.zeros(2, len(spans.trunk.offsets) + 1)
    for leaf in ({"type": "string"}, {"type": "number"}, {"type": "string", "format": "date"}):
        assert list(spans.ranked(field_of(leaf), Independent(log_p))) == []
