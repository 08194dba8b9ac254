"""Extract outcomes from hand-made logits: which span wins, what it is read as, and when nothing is there."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
import torch
from torch import Tensor

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan
from deg_core.contract.request import Options, parse_options
from deg_core.contract.result import FieldMeta
from deg_core.engine.extract import MISSING, extract
from deg_core.engine.spans import MAX_SPAN_TOKENS, TOP_SPANS, TextSpans
from deg_core.errors import FillError
from deg_core.rendering.layout import TrunkLayout

TEXT = "Order 7731 of 3 May 2024: EUR 1,250.00, paid by Ann Lee <ann@example.org> (in full)."
FAR = -40.0


def read(text: str) -> TrunkLayout:
    """A trunk whose tokens are words with the space before them, and single other characters."""
    offsets = tuple(match.span() for match in re.finditer(r"\s?\w+|\W", text))
    return TrunkLayout(tuple(range(len(offsets) + 1)), 0, offsets, text)


def field_of(leaf: dict[str, Any], *, required: bool = True) -> FieldPlan:
    needed = ["f"] if required else []
    return compile_schema({"type": "object", "properties": {"f": leaf}, "required": needed}).fields[0]


def cover(trunk: TrunkLayout, words: str) -> tuple[int, int]:
    """First and last token of the first place where ``words`` stand."""
    begin = trunk.text.index(words)
    stop = begin + len(words)
    tokens = [t for t, (start, end) in enumerate(trunk.offsets) if start < stop and end > begin]
    return tokens[0], tokens[-1]


def pointing(trunk: TrunkLayout, scores: dict[str, float], null: float = 0.0) -> Tensor:
    """Logits that give each of the words half its score at its start and half at its end, and null its own."""
    logits = torch.full((2, len(trunk.offsets) + 1), FAR)
    logits[:, -1] = null / 2
    for words, score in scores.items():
        first, last = cover(trunk, words)
        logits[0, first], logits[1, last] = score / 2, score / 2
    return logits


def run(
    leaf: dict[str, Any],
    scores: dict[str, float],
    *,
    null: float = 0.0,
    text: str = TEXT,
    required: bool = True,
    temperature: float = 1.0,
    **options: Any,
) -> tuple[Any, FieldMeta]:
    trunk = read(text)
    field = field_of(leaf, required=required)
    return extract(field, pointing(trunk, scores, null), TextSpans(trunk, parse_options(options)), temperature)


def span_of(words: str, text: str = TEXT) -> list[int]:
    return [text.index(words), text.index(words) + len(words)]


STRING, MAYBE = {"type": "string"}, {"type": ["string", "null"]}
NUMBER = {"type": ["number", "null"]}


# Plain strings


def test_a_plain_span_is_trimmed():
    value, meta = run(MAYBE, {" Ann Lee": 9.0})
    assert value == "Ann Lee"
    assert meta.span == span_of("Ann Lee")
    assert meta.mode == "extract.span"
    assert meta.null_reason is None
    value, meta = run(MAYBE, {"(in full).": 9.0})
    assert value == TEXT[meta.span[0] : meta.span[1]]
    assert not value.endswith(".")


def test_confidence_is_the_probability_of_start_and_end():
    trunk = read(TEXT)
    logits = pointing(trunk, {"Ann Lee": 3.0, "7731": 1.0}, null=2.0)
    _, meta = extract(field_of(MAYBE), logits, TextSpans(trunk, Options()), 0.5)
    p = (logits.double() / 0.5).softmax(1)
    first, last = cover(trunk, "Ann Lee")
    assert meta.confidence == pytest.approx(float(p[0, first] * p[1, last]))
    assert meta.p_null == pytest.approx(float(p[0, -1] * p[1, -1]))


def test_spans_run_forward():
    """A start after its end is no span, however likely both are."""
    trunk = read("a b c")
    logits = torch.full((2, 4), FAR)
    logits[0, 2], logits[1, 0] = 9.0, 9.0
    logits[0, 1], logits[1, 1] = 3.0, 3.0
    value, _ = extract(field_of(STRING), logits, TextSpans(trunk, Options()), 1.0)
    assert value in ("c", "a", "b")
    assert value != ""


@pytest.mark.parametrize(("tokens", "whole"), [(MAX_SPAN_TOKENS, True), (MAX_SPAN_TOKENS + 1, False)])
def test_a_span_has_at_most_128_tokens(tokens: int, whole: bool):
    text = " ".join(f"w{n}" for n in range(200))
    words = " ".join(f"w{n}" for n in range(20, 20 + tokens))
    value, _ = run(STRING, {words: 60.0}, text=text)
    assert (value == words) == whole


def test_of_equal_spans_the_first_in_the_text_wins():
    trunk = read("one two three")
    value, meta = extract(field_of(STRING), torch.zeros(2, 4), TextSpans(trunk, Options()), 1.0)
    assert (value, meta.span) == ("one", [0, 3])


def test_blank_spans_are_no_values():
    trunk = read("a   b")
    logits = pointing(trunk, {"a": 1.0})
    blank = trunk.offsets.index((2, 3)) if (2, 3) in trunk.offsets else 1
    logits[0, blank] = logits[1, blank] = 9.0
    value, _ = extract(field_of(STRING), logits, TextSpans(trunk, Options()), 1.0)
    assert value.strip() == value != ""


def test_the_first_32_spans_are_read_then_null():
    """A nullable string looks at the top spans only; a required one goes on until something fits."""
    text = " ".join(f"w{n}" for n in range(40)) + " 77 end"
    trunk = read(text)
    logits = torch.full((2, len(trunk.offsets) + 1), FAR)
    for token in range(40):  # spans of one token each, all likelier than the one that fits
        logits[0, token] = logits[1, token] = 10.0 - token / 100
    first, last = cover(trunk, " 77")
    logits[0, first] = logits[1, last] = -5.0
    pattern = {"pattern": "^[0-9]+$"}
    value, meta = extract(field_of(MAYBE | pattern), logits, TextSpans(trunk, Options()), 1.0)
    assert value is None
    assert meta.null_reason == "pattern"
    value, meta = extract(field_of(STRING | pattern), logits, TextSpans(trunk, Options()), 1.0)
    assert value == "77"
    assert meta.span == [text.index("77"), text.index("77") + 2]
    assert TOP_SPANS == 32


# Typed candidates


@pytest.mark.parametrize(
    ("leaf", "words", "value"),
    [
        ({"type": "integer"}, "7731", 7731),
        ({"type": "number"}, "1,250.00", 1250),
        ({"type": "string", "format": "date"}, "3 May 2024", "2024-05-03"),
        ({"type": "string", "format": "email"}, "ann@example.org", "ann@example.org"),
    ],
)
def test_typed_fields_read_candidates(leaf: dict[str, Any], words: str, value: Any):
    found, meta = run(leaf, {words: 9.0})
    assert found == value
    assert words in TEXT[meta.span[0] : meta.span[1]] or TEXT[meta.span[0] : meta.span[1]] in words


def test_a_typed_field_takes_no_other_span():
    """However likely: only what the grammar finds is a candidate."""
    value, _ = run({"type": "integer", "minimum": 1000}, {"Ann Lee": 30.0, "7731": 1.0}, null=-9)
    assert value == 7731


def test_the_likeliest_candidate_wins():
    assert run(NUMBER, {"7731": 5.0, "1,250.00": 6.0})[0] == 1250
    assert run(NUMBER, {"7731": 6.0, "1,250.00": 5.0})[0] == 7731


def test_a_candidate_inside_a_token_is_scored_by_that_token():
    text = "id:x42y and 7"
    trunk = TrunkLayout((0, 1, 2, 3), 0, ((0, 7), (7, 11), (11, 13)), text)
    logits = torch.tensor([[1.0, 0.0, 2.0, -9.0], [1.0, 0.0, 2.0, -9.0]])
    value, meta = extract(field_of(NUMBER), logits, TextSpans(trunk, Options()), 1.0)
    assert (value, meta.span) == (7, [12, 13])


# Constraints


def test_constraints_filter_candidates():
    value, meta = run(NUMBER | {"maximum": 5000}, {"7731": 9.0, "1,250.00": 5.0})
    assert value == 1250
    assert meta.null_reason is None
    value, _ = run(MAYBE | {"minLength": 5}, {"Ann": 9.0, "Order": 6.0})
    assert len(value) >= 5


@pytest.mark.parametrize(
    ("leaf", "scores", "reason"),
    [
        (NUMBER | {"minimum": 9000}, {"7731": 9.0}, "minimum"),
        (NUMBER | {"maximum": 0}, {"7731": 9.0}, "maximum"),
        (NUMBER | {"exclusiveMaximum": 1}, {"7731": 9.0}, "exclusiveMaximum"),
        (NUMBER | {"multipleOf": 100000}, {"7731": 9.0}, "multipleOf"),
        (MAYBE | {"minLength": 500}, {"Ann": 9.0}, "minLength"),
        (MAYBE | {"pattern": "^#$"}, {"Ann": 9.0}, "pattern"),
    ],
)
def test_a_broken_constraint_is_named(leaf: dict[str, Any], scores: dict[str, float], reason: str):
    value, meta = run(leaf, scores)
    assert value is None
    assert meta.null_reason == reason
    assert meta.span is None
    assert meta.guess is None


def test_the_reason_is_the_likeliest_spans():
    _, meta = run(NUMBER | {"minimum": 9000, "multipleOf": 7}, {"7731": 5.0, "1,250.00": 9.0})
    assert meta.null_reason == "minimum"


def test_an_unlikely_failure_is_no_reason():
    _, meta = run(NUMBER | {"minimum": 9000}, {"7731": -5.0}, null=5.0)
    assert meta.null_reason == "not_found"


# Null


def test_null_wins_when_it_is_likelier():
    value, meta = run(MAYBE, {"Ann Lee": 4.0}, null=5.0)
    assert value is None
    assert meta.null_reason == "not_found"
    assert meta.span is None
    assert meta.confidence == meta.p_null
    assert meta.as_dict()["span"] is None


def test_an_equal_span_beats_null():
    trunk = read("word")
    value, _ = extract(field_of(MAYBE), torch.zeros(2, 2), TextSpans(trunk, Options()), 1.0)
    assert value == "word"


def test_an_optional_field_is_left_out():
    value, meta = run(STRING, {"Ann Lee": 4.0}, null=5.0, required=False)
    assert value is MISSING
    assert meta.null_reason == "not_found"


def test_a_required_field_ignores_null():
    value, meta = run(STRING, {"Ann Lee": 4.0}, null=30.0)
    assert value == "Ann Lee"
    assert meta.p_null > 0.99
    assert meta.confidence < 0.01
    assert run({"type": "integer", "maximum": 2000}, {"7731": 4.0}, null=30.0)[0] in (3, 2024, 1250)


@pytest.mark.parametrize(("margin", "value"), [(0.9, "Ann Lee"), (1.1, None), (-5.0, "Ann Lee"), (None, "Ann Lee")])
def test_the_margin_that_null_gets(margin: float | None, value: str | None):
    assert run(MAYBE, {"Ann Lee": 5.0}, null=4.0, null_margin=margin)[0] == value


def test_a_negative_margin_favours_the_span():
    assert run(MAYBE, {"Ann Lee": 4.0}, null=5.0, null_margin=-0.9)[0] is None
    assert run(MAYBE, {"Ann Lee": 4.0}, null=5.0, null_margin=-1.1)[0] == "Ann Lee"


def test_the_margin_does_not_touch_required_fields():
    assert run(STRING, {"Ann Lee": 4.0}, null=5.0, null_margin=1e6)[0] == "Ann Lee"


def test_a_tempting_span_is_a_guess():
    value, meta = run(NUMBER, {"7731": 4.0}, null=4.5)
    assert value is None
    assert meta.guess == {"value": 7731, "span": span_of("7731"), "confidence": pytest.approx(meta.guess["confidence"])}
    p = math.exp(2.0) / (math.exp(2.0) + math.exp(2.25))
    assert meta.guess["confidence"] == pytest.approx(p * p, rel=1e-3)


def test_an_unlikely_span_is_no_guess():
    _, meta = run(NUMBER, {"7731": 0.0}, null=9.0)
    assert meta.guess is None


# Dates


def test_an_ambiguous_date_is_null_and_says_so():
    leaf = {"type": ["string", "null"], "format": "date"}
    value, meta = run(leaf, {"03/05/2026": 9.0}, text="Due 03/05/2026 at noon")
    assert value is None
    assert meta.null_reason == "unparsable"
    assert meta.ambiguous is True
    assert run(leaf, {"03/05/2026": 9.0}, text="Due 03/05/2026 at noon", date_order="DMY")[0] == "2026-05-03"
    assert run(leaf, {"03/05/2026": 9.0}, text="Due 03/05/2026 at noon", date_order="MDY")[0] == "2026-03-05"


def test_a_clear_date_beats_an_ambiguous_one():
    leaf = {"type": "string", "format": "date"}
    value, meta = run(leaf, {"03/05/2026": 9.0}, text="Due 03/05/2026, signed 2026-01-31")
    assert value == "2026-01-31"
    assert meta.ambiguous is False


def test_an_assumed_offset_is_told():
    leaf = {"type": "string", "format": "date-time"}
    value, meta = run(leaf, {}, text="at 2024-05-03 09:30, sharp", default_offset="+02:00")
    assert value == "2024-05-03T09:30:00+02:00"
    assert meta.assumed_offset is True
    value, meta = run(leaf, {}, text="at 2024-05-03T09:30:00Z, sharp", default_offset="+02:00")
    assert value == "2024-05-03T09:30:00Z"
    assert meta.assumed_offset is False


# Nothing there


@pytest.mark.parametrize("leaf", [MAYBE, NUMBER, {"type": ["string", "null"], "format": "date"}])
def test_an_empty_text_holds_nothing(leaf: dict[str, Any]):
    value, meta = extract(field_of(leaf), torch.zeros(2, 1), TextSpans(read(""), Options()), 1.0)
    assert value is None
    assert meta.null_reason == "not_found"
    assert meta.p_null == 1.0


@pytest.mark.parametrize(
    ("leaf", "text", "says"),
    [
        (STRING, "", "the text is empty"),
        (STRING, " \n ", "nothing in the text reads as string"),
        ({"type": "number"}, "no digits here", "nothing in the text reads as number"),
        ({"type": "string", "format": "email"}, "no at sign", "nothing in the text reads as email"),
        ({"type": "number", "minimum": 5}, "only 3 of it", "'3' fails: minimum"),
        ({"type": "string", "pattern": "^[0-9]+$"}, "words only", "fails: pattern"),
    ],
)
def test_a_required_field_without_a_value_is_an_error(leaf: dict[str, Any], text: str, says: str):
    trunk = read(text)
    with pytest.raises(FillError, match=re.escape(says)) as caught:
        extract(field_of(leaf), torch.zeros(2, len(trunk.offsets) + 1), TextSpans(trunk, Options()), 1.0)
    assert caught.value.pointer == "/f"
    assert "make it nullable" in str(caught.value)


def test_a_required_field_never_makes_a_value_up():
    """Exhaustively: whatever the logits, the value is a candidate of the text."""
    trunk, field = read(TEXT), field_of({"type": "integer", "minimum": 1000})
    for _ in range(20):
        value, meta = extract(field, torch.randn(2, len(trunk.offsets) + 1) * 9, TextSpans(trunk, Options()), 1.0)
        assert value in (7731, 2024, 1250)
        assert str(value) in TEXT[meta.span[0] : meta.span[1]].replace(",", "")
