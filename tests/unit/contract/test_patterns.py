r"""Patterns mean what ECMA-262 says, and what it does not know is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.contract.patterns import PatternError, PatternTimeout, compile_pattern, pattern_cost, pattern_problem

# (pattern, texts that it is found in, texts that it is not found in)
MEANING = [
    ("b", ["abc"], ["ac", ""]),
    ("^a$", ["a"], ["a\n", "ba", "a\nb"]),
    ("^.$", ["a", "é", "😀", "\x85"], ["\n", "\r", "\u2028", "\u2029", ""]),
    (r"^\d+$", ["019"], ["٣", "a"]),
    (r"^\D$", ["٣", "a"], ["3"]),
    (r"^\w$", ["a", "_", "7"], ["é", "-"]),
    (r"^\W$", ["é", "-"], ["a"]),
    (r"^\s$", [" ", "\ufeff", "\u00a0", "\u2003", "\n", "\x0b"], ["\x85", "\x1c", "a", "\u200b"]),
    (r"^\S$", ["\x85", "a"], [" ", "\ufeff"]),
    (r"^[\s\S]$", ["\n", "é"], ["", "ab"]),
    (r"^[\D]$", ["a", "٣"], ["3"]),
    (r"^[^\W]$", ["a"], ["é"]),
    (r"^[a\S]$", ["a", "b"], [" "]),
    (r"\bcat\b", ["a cat sat", "écaté".replace("é", " ")], ["concat"]),
    (r"\bé", ["aé"], ["é"]),
    (r"\Bé", ["é"], ["aé"]),
    (r"^\p{L}+$", ["Žofie", "北京"], ["a1", ""]),
    (r"^\p{Script=Greek}$", ["α"], ["a"]),
    (r"^\P{L}$", ["1"], ["a"]),
    (r"^[\p{Lu}\d]+$", ["Ž1"], ["ž"]),
    (r"^\u0041\x42\u{43}\cJ\t$", ["ABC\n\t"], ["ABC"]),
    (r"^\ud83d\ude00$", ["😀"], ["x"]),
    (r"^\u{1F600}$", ["😀"], ["x"]),
    (r"^\/\-\.\#\@\ $", ["/-.#@ "], ["x"]),
    (r"^(?<y>\d)\k<y>$", ["11"], ["12"]),
    (r"^(a)\1$", ["aa"], ["ab"]),
    (r"^(a)\1(?:0)$", ["aa0"], ["a\x08"]),
    (r"^(?:ab){2}$", ["abab"], ["ab"]),
    (r"^a{,3}$", ["a{,3}"], ["aa"]),
    (r"^{a}$", ["{a}"], ["a"]),
    (r"^a]$", ["a]"], ["a"]),
    (r"^[a-c-]$", ["-", "b"], ["d"]),
    (r"^[\w-]$", ["-", "b"], [" "]),
    (r"^[\w-z]$", ["-", "z"], [" "]),
    (r"^[[]$", ["["], ["a"]),
    (r"^[a&&b]$", ["&", "a"], ["c"]),
    (r"^[a||b~~-]$", ["|", "~", "-"], ["c"]),
    (r"^[\b]$", ["\x08"], ["b"]),
    (r"^[\]\\^]$", ["]", "\\", "^"], ["a"]),
    (r"^[^]$", ["\n", "a"], ["", "ab"]),
    (r"[]", [], ["", "a"]),
    (r"^a # b$", ["a # b"], ["a"]),
    ("^é̂~ &$", ["é̂~ &"], ["e"]),
    (r"(?<=a)b(?!c)", ["abd"], ["abc", "cb"]),
    (r"^a+?b*?$", ["aab"], ["b"]),
    (r"", ["", "a"], []),
    (r"^\0$", ["\x00"], ["0"]),
]


@pytest.mark.parametrize(("source", "found", "missed"), MEANING)
def test_meaning(source: str, found: list[str], missed: list[str]):
    pattern = compile_pattern(source)
    assert [text for text in found if not pattern.found_in(text)] == []
    assert [text for text in missed if pattern.found_in(text)] == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("(", "not closed at position 1"),
        (")", "has no ("),
        ("[a", "not closed at position 0"),
        ("*a", "nothing to repeat"),
        ("a**", "nothing to repeat"),
        ("a++", "possessive"),
        ("a{3,2}", "reversed"),
        ("a{9999999999}", "too large"),
        ("[z-a]", "reversed"),
        ("\\", "lone \\"),
        (r"\A", "not in ECMA-262"),
        (r"\Z", "not in ECMA-262"),
        (r"\h", "not in ECMA-262"),
        ("(?i)a", "not in ECMA-262"),
        ("(?P<n>a)", "not in ECMA-262"),
        ("(?>a)", "not in ECMA-262"),
        ("(?<1>a)", "group name"),
        (r"\p", "needs a property"),
        (r"\p{Nonsense}", ""),
        (r"\u12", "four hexadecimal digits"),
        (r"\u{110000}", "not a code point"),
        (r"\1", ""),
        (r"\k<x>", ""),
        ("a" * 10_001, "longer than 10000"),
        (r"\d" * 501, "longer than 10000"),
        ("(?:a{200}){200}", "written out"),
        ("(" * 60 + ")" * 60, "nested deeper"),
    ],
)
def test_refused(source: str, why: str):
    with pytest.raises(PatternError) as caught:
        compile_pattern(source)
    assert why in str(caught.value)
    assert pattern_problem(source) == str(caught.value)


def test_a_search_without_end_is_given_up():
    with pytest.raises(PatternTimeout):
        compile_pattern("(x+x+)+y").found_in("x" * 5000)


@given(st.text(alphabet="ab()[]{}*+?|^$.\\dwsbBpPux01,-<>=!:k é", max_size=12))
def test_any_text_is_a_pattern_or_refused(source: str):
    why = pattern_problem(source)
    if why is None:
        compile_pattern(source).found_in("abé 01")
        assert pattern_cost(source) >= len(source)
