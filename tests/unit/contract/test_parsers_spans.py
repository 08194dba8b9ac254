"""What is trimmed off a span, and what stays."""

from __future__ import annotations

import pytest

from deg_core.contract.parsers import trim_span


@pytest.mark.parametrize(
    ("text", "covered", "kept"),
    [
        ("to  Priya Raman <p@q.example>", "  Priya Raman <", "Priya Raman"),
        ("by Acme Ltd. Then", " Acme Ltd.", "Acme Ltd."),
        ("to the shop. Then", " shop.", "shop"),
        ("by Acme Inc., London", " Acme Inc.,", "Acme Inc."),
        ('"name":"Tomasz W.","shift"', '":"Tomasz W.","', "Tomasz W."),
        ('"name": "Oyarzun S.L."}', ' "Oyarzun S.L."}', "Oyarzun S.L."),
        ("TSV Ostenmarsch e.V., tennis", " Ostenmarsch e.V.,", "Ostenmarsch e.V."),
        ("at 3:55 p.m., 50 m", " 3:55 p.m.,", "3:55 p.m."),
        ("in Box (4) left", " Box (4)", "Box (4)"),
        ("(Box 4) left", "(Box 4)", "(Box 4)"),
        ("see (Box 4, left)", " (Box 4,", "Box 4"),
        ("in Box 4) left", " Box 4)", "Box 4"),
        ('the "Second Shift", PI', ' "Second Shift",', '"Second Shift"'),
        ('the "Second Shift", PI', ' "Second', "Second"),
        ("call +44 7700 900655.", " +44 7700 900655.", "+44 7700 900655"),
        ("item #31 (x)", " #31", "#31"),
        ("by @luc\n", " @luc\n", "@luc"),
        ("cd /srv/tiles;", " /srv/tiles;", "/srv/tiles"),
        ("run --purge,", " --purge,", "--purge"),
        ("from 27.6 \u00b0C under", " \u00b0C", "\u00b0C"),
        ("only 24,90 \u20ac plus", " 24,90 \u20ac", "24,90 \u20ac"),
        ('unit":"%","st"', '":"%","', "%"),
        ("Q: Does it come assembled? Yes", " Does it come assembled?", "Does it come assembled?"),
        ("[00:31] ...and", "[00:31] ...", "[00:31]"),
        ("\u201eTannenhof\u201c, M\u00fcnchen", "\u201eTannenhof\u201c,", "\u201eTannenhof\u201c"),
        ("\u2018Vekan\u2019 bulbs", "\u2018Vekan\u2019 ", "\u2018Vekan\u2019"),
        ("<h1> wool &quot;Moor&quot;</h1>", " wool &quot;Moor&quot;</", "wool &quot;Moor&quot;"),
        ("\u2022 oats \u2014 rolled", "\u2022 oats \u2014", "oats"),
        ("a: b; c", " b;", "b"),
        ("the dogs' bowls", " dogs'", "dogs"),
        ("so it's fine", " it's", "it's"),
        ("by AT&T's", " AT&T", "AT&T"),
        ("by Joachim, 1940-, in", " Joachim, 1940-,", "Joachim, 1940-"),
        ("C++ rules", "C++", "C++"),
        ("grade A+ given", " A+", "A+"),
        ("in C# or F#,", " F#,", "F#"),
        ("Yahoo! said", "Yahoo!", "Yahoo!"),
        ("vat 20 %.", " 20 %.", "20 %"),
        ("x  \t\n y", "  \t\n ", ""),
        ("a , b", " , ", ","),
    ],
)
def test_trim(text: str, covered: str, kept: str) -> None:
    start = text.index(covered)
    a, b = trim_span(text, start, start + len(covered))
    assert text[a:b] == kept


def test_bounds_are_clamped() -> None:
    assert trim_span("abc", -5, 99) == (0, 3)
    assert trim_span("abc", 2, 1) == (2, 2)
    assert trim_span("", 0, 0) == (0, 0)


def test_a_span_of_nothing_stays_where_it_began() -> None:
    assert trim_span("ab   cd", 2, 5) == (2, 2)
