"""Automata of patterns: the engine's judgement in every point, and true distances."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from deg_core.contract.automaton import MAX_STATES, NEVER, Automaton, automaton_of, characters
from deg_core.contract.patterns import PatternError, compile_pattern

PATTERNS = [
    "", "a", "^$", "$^", "^$|^ab", r"^[A-Z]{3}-\d{4}$", r"\d{3}", "^a+b$", "^(foo|bar)*$", r"\.$", "(^a|b)+c?$",
    r"^[^\s]+@[^\s]+\.(com|org)$", r"^\p{L}+( \p{L}+){1,3}$", r"^(?:[01]?\d|2[0-3]):[0-5]\d$", "^.{2,5}$", "a.c",
    "^(a?){5}b$", "x|^y|z$", r"^\S+\s\S+$", "^é+$", "[^]", "[]|a", "^(a|ab)(c|bcd)(d*)$", r"\\", r"^\{\}$", "a{0}b",
    "^(a{2}){2,}$", "^😀{2}$", r"[\d\-x]+$", r"^[\D]*$", "[a-c]&&[b-d]", "(?<n>a)b{,3}", "^(a|b$)*$", r"^\u00e9?\x41$",
    "a*?b+?c{1,2}?$", "()|(a)", "^(|a|(b|))c$", r"[\]\[^-]$", r"^\t\n[ ]#$", r"\P{L}\p{Script=Greek}", "^[^]$",
]  # fmt: skip
IRREGULAR = ["^(?=a)b", r"(a)\1", r"\bfoo", r"a\B", "(?!x)y", "(?<=a)b", "(?<n>a)\\k<n>", "(?<!a)b"]
LETTERS = "abcdxyzfor019 .-@:é😀{}[]\\&A\n\tα"
texts = st.text(st.sampled_from(LETTERS), max_size=8)


def machine(pattern: str) -> Automaton:
    made = automaton_of(pattern)
    assert made is not None
    return made


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=15)
@given(text=texts)
def test_it_judges_as_the_engine_does(pattern: str, text: str):
    automaton, compiled = machine(pattern), compile_pattern(pattern)
    state = automaton.read(automaton.start, text)
    assert automaton.accepts(state) is compiled.found_in(text)
    partial = regex.compile(rf"(?s:.*?)(?:{compiled.translated})(?s:.*)", regex.VERSION1)
    assert (automaton.distance(state)[0] < NEVER) is (partial.fullmatch(text, partial=True) is not None)
    assert bool(state) is (automaton.distance(state)[0] < NEVER)


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=15)
@given(text=texts)
def test_distances_are_those_of_the_shortest_match(pattern: str, text: str):
    """From a text at distance n, some character leads to n - 1, none to less, and at 0 the text matches."""
    automaton = machine(pattern)
    state = automaton.read(automaton.start, text)
    left, size = automaton.distance(state)
    assert (left == 0) is automaton.accepts(state) or not state
    assert left <= size <= 4 * left or left == NEVER
    if 0 < left < NEVER:
        alphabet = LETTERS + "BCDEF2345678mg/"
        after = [automaton.distance(automaton.step(state, char))[0] for char in alphabet]
        assert min(after) == left - 1
    for start in (0x20, 0xE0, 0x1F600):
        chars = characters(start, start + 32)
        steps = [automaton.distance(automaton.step(state, char)) for char in chars]
        best = tuple(min(sizes) for sizes in zip(*steps))
        assert automaton.distance_after(state, chars) == best


@pytest.mark.parametrize(
    ("pattern", "least"), [("^😀{2}$", (2, 8)), ("^é$", (1, 2)), ("^日|ab$", (1, 2)), ("^$", (0, 0))]
)
def test_distances_in_bytes(pattern: str, least: tuple[int, int]):
    assert machine(pattern).distance(machine(pattern).start) == least


def test_a_pattern_that_nothing_matches():
    automaton = machine("^[]$")
    assert automaton.distance(automaton.start) == (NEVER, NEVER)
    assert not automaton.step(automaton.start, "a")
    assert not automaton.goes_on(automaton.start)


def test_where_nothing_may_follow():
    automaton = machine("^ab$")
    assert automaton.goes_on(automaton.start)
    end = automaton.read(automaton.start, "ab")
    assert automaton.accepts(end)
    assert not automaton.goes_on(end)
    open_ended = machine("^ab")
    assert open_ended.goes_on(open_ended.read(open_ended.start, "abc"))


@pytest.mark.parametrize("pattern", [*IRREGULAR, f"^a{{{MAX_STATES}}}$", "(a{60}){60}"])
def test_patterns_without_an_automaton(pattern: str):
    assert automaton_of(pattern) is None


def test_what_is_no_pattern_has_none():
    with pytest.raises(PatternError):
        automaton_of("(")


def test_characters_are_those_of_texts():
    assert characters(0x20, 0x23) == ' !"'
    assert characters(0xD7FF, 0xE001) == "\ud7ff\ue000"
    assert "\0" not in characters(0, 5)
    assert "\ufffd" not in characters(0xFF00, 0x10000)
    assert len(characters(0x10000, 0x110000)) == 0x100000
