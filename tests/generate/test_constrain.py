"""Constrained writing: whatever a model wants, the text meets its constraints or there is an error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deg_core.contract.patterns import PatternTimeout, compile_pattern
from deg_core.engine import constrain as constrain_module
from deg_core.engine.constrain import (
    Constraint,
    PartialMatcher,
    Progress,
    Refused,
    completions,
    decode,
    vocabulary_of,
)
from deg_core.engine.sampling import Sampler
from deg_core.engine.writer import Written
from deg_core.errors import FillError
from tests.generate.writing import assert_valid, generated, random_logits, tokenizer, wishes, write

REGULAR = [
    r"^[A-Z]{3}-\d{4}$", r"\.$", r"^a+b$", r"^[^\s]+@[^\s]+\.(com|org)$", r"^\p{L}+( \p{L}+){1,3}$", "^.{2,5}$",
    r"^\S+\s\S+$", "^é+$", "^😀{2}$", "^日本(語|人)?$", r"^\p{Script=Greek}{2}", "e\u0301$", "^ {6}x$", r"^\n\t",
    "^(ab)*$", "[0-9]", "^[^a-z]+$",
]  # fmt: skip
IRREGULAR = [r"^(?=.*\d)\w+$", r"^(a|b|c)x\1$", r"\bthe\b", r"^(?!the)[a-z]+$", r"^(?=é)\p{L}{2}$", r"(?<=\s)日"]


def limits(patterns: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    lengths = st.one_of(st.just({}), st.integers(0, 12).map(lambda n: {"minLength": n}))
    caps = st.one_of(st.just({}), st.integers(0, 14).map(lambda n: {"maxLength": n}))
    forms = st.one_of(st.just({}), st.sampled_from(patterns).map(lambda p: {"pattern": p}))
    drawn = st.tuples(lengths, caps, forms).map(lambda parts: parts[0] | parts[1] | parts[2])
    return drawn.filter(lambda keywords: keywords.get("minLength", 0) <= keywords.get("maxLength", 99))


samplers = st.sampled_from([Sampler(pointer="/x"), Sampler(0.7, 3, "/x"), Sampler(30.0, 4, "/x")])


@settings(max_examples=60)
@given(
    keywords=limits(REGULAR + IRREGULAR),
    budget=st.integers(1, 24),
    seed=st.integers(0, 2**32),
    end=st.sampled_from([-3.0, 0.0, 4.0, 9.0]),
    sampler=samplers,
)
def test_any_walk_gives_a_valid_text_or_an_error(
    keywords: dict[str, Any], budget: int, seed: int, end: float, sampler: Sampler
):
    field = generated(**keywords)
    assert_valid(field, budget, write(field, budget, random_logits(seed, end), sampler))


@settings(max_examples=60)
@given(keywords=limits(REGULAR), seed=st.integers(0, 2**32), end=st.sampled_from([-9.0, 0.0]), sampler=samplers)
def test_where_a_text_is_possible_one_is_written(keywords: dict[str, Any], seed: int, end: float, sampler: Sampler):
    """The shortest match and minLength fit into maxLength and the budget: then a walk never gets stuck."""
    assume(not ("minLength" in keywords and "pattern" in keywords))
    field = generated(**keywords)
    constraint = Constraint(field)
    budget = 40
    outcome = write(field, budget, random_logits(seed, end), sampler)
    assert isinstance(outcome, FillError if constraint.impossible else Written), outcome
    assert_valid(field, budget, outcome)


@pytest.mark.parametrize(
    ("keywords", "possible"),
    [
        ({"pattern": "^a{4}$", "maxLength": 3}, False),
        ({"pattern": "^[]$"}, False),
        ({"pattern": "^a{4}$", "maxLength": 4}, True),
        ({"pattern": "^(?=b)a{4}$"}, True),  # not regular: nothing is known
        ({"maxLength": 0}, True),
        ({}, True),
    ],
)
def test_what_no_text_can_meet(keywords: dict[str, Any], possible: bool):
    assert Constraint(generated(**keywords)).impossible is not possible


def feed(constraint: Constraint, data: bytes) -> Progress | Refused:
    """A text written byte by byte."""
    vocabulary, now = vocabulary_of(tokenizer()), constraint.start
    single = {piece: token for token, piece in enumerate(tokenizer().pieces()) if piece and len(piece) == 1}
    for byte in data:
        after = constraint.read(now, vocabulary.piece(single[bytes([byte])], now.held))
        if isinstance(after, Refused):
            return after
        now = after
    return now


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="\ufffd"), max_size=6))
def test_characters_that_are_spread_over_tokens(text: str):
    constraint = Constraint(generated())
    now = feed(constraint, text.encode())
    assert isinstance(now, Progress)
    assert (now.text, now.held) == (text, b"")
    assert constraint.complete(now)
    cut = (text + "語").encode()[:-1]
    held = feed(constraint, cut)
    assert isinstance(held, Progress)
    assert (held.text, held.held) == (text, "語".encode()[:2])
    assert not constraint.complete(held)
    assert held.need == 1


@pytest.mark.parametrize(
    "data", [b"\x80", b"\xc0", b"\xc3(", b"\xe0\x80", b"\xed\xa0", b"\xf4\x90", b"\xff", b"\xef\xbf\xbd", b"a\0"]
)
def test_bytes_that_are_no_text(data: bytes):
    assert feed(Constraint(generated()), data) is Refused.NEVER


@pytest.mark.parametrize("data", ["é".encode(), "語".encode(), "😀".encode()])
def test_a_first_byte_is_admitted_only_for_a_character_that_may_follow(data: bytes):
    """Otherwise a text would be stuck in the middle of a character."""
    for pattern in ("^[a-z]+$", "^(?=[a-z])[a-z]+$"):
        assert feed(Constraint(generated(pattern=pattern)), data[:1]) is Refused.NEVER
    text = data.decode()
    for pattern in (f"^{text}$", f"^(?=.){text}$", "^.$"):
        now = feed(Constraint(generated(pattern=pattern, maxLength=1)), data)
        assert isinstance(now, Progress)
        assert now.text == text
    assert feed(Constraint(generated(maxLength=0)), data[:1]) is Refused.LONG
    assert feed(Constraint(generated(pattern=f"^({text}ab|c)$", maxLength=2)), data[:1]) is Refused.LONG


def test_length_counts_code_points():
    constraint = Constraint(generated(maxLength=3, minLength=3))
    for text in ("e\u0301x", "日本語", "😀😀😀", "👩‍👧"):
        now = feed(constraint, text.encode())
        assert isinstance(now, Progress)
        assert constraint.complete(now)
        assert not constraint.closed(now)
        assert feed(constraint, (text + "a").encode()) is Refused.LONG
        assert not constraint.complete(feed(constraint, text[:2].encode()))


def test_held_bytes_become_the_characters_that_begin_so():
    assert completions("é".encode()[:1]) == "".join(map(chr, range(0xC0, 0x100)))
    assert "😀" in completions("😀".encode()[:1])
    assert len(completions("😀".encode()[:3])) == 64
    assert completions(b"\xed\xa0") == ""
    assert completions(b"\xe0") == "".join(map(chr, range(0x800, 0x1000)))
    assert completions(b"\xf4")[-1] == "\U0010ffff"


@given(st.binary(max_size=12))
def test_decoding_in_parts(data: bytes):
    found = decode(data)
    if found is None:
        with pytest.raises(UnicodeDecodeError):
            data.decode()
    else:
        text, held = found
        assert text.encode() + held == data
        assert len(held) < 4


def test_the_matcher_for_other_patterns_gives_up_in_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(constrain_module, "_MATCH_TIME", 0.3)
    matcher = PartialMatcher(compile_pattern(r"^(?=x)(x|xx)+y$"))
    with pytest.raises(PatternTimeout, match="took longer"):
        matcher.read(matcher.start, "x" * 60)
    outcome = write(generated(pattern=r"^(?=x)(x|xx)+y$"), 60, wishes(*["x"] * 60))
    assert isinstance(outcome, FillError)
    assert "took longer than" in outcome.message
