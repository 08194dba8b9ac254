"""Trim a token span to the words it means (SPEC 12.3).

Tokens carry whitespace and punctuation in: `` Acme Ltd.`` for ``Acme Ltd``. What is cut: outer whitespace, control
characters and sentence punctuation. What stays: balanced brackets and quotes that hold the whole or a part
(``Box (4)``, ``"Second Shift"``), signs that begin a value (``+44``, ``#31``, ``@luc``, ``/srv``, ``-2``), a question
or exclamation mark that ends a sentence, an open range of years (``1940-``), and the full stop of an abbreviation
(``Inc.``, ``e.V.``, ``T.``). Quotes of a JSON string are syntax and are cut.
"""

from __future__ import annotations

import re

from deg_core.contract.parsers.result import Span

_PAIRS = {")": "(", "]": "[", "}": "{", "\u00bb": "\u00ab", "\u201d": "\u201c", "\u203a": "\u2039", ">": "<"}
_OPENERS = {opener: closer for closer, opener in _PAIRS.items()}
_SAME = "\"'`*_~"
_LOW_QUOTES = {"\u201e": "\u201c\u201d", "\u201a": "\u2018\u2019", "\u2018": "\u2019"}
_LEADING = frozenset(".,;:!?)]}>|=\u2026\u2022\u00b7\u2013\u2014\u2192\u00bb\u201d\u2019\\")
_TRAILING = frozenset(",;:([{<|=\u2026\u2022\u00b7\u2013\u2014-\u2192\u00ab\u201c\u201e/\\&@")
_ABBREVIATION_LIST = (
    "inc ltd co corp llc plc bros dept no nos vol ed eds jr sr st ave rd blvd mt ft dr mr mrs ms prof rev hon capt sgt "
    "lt col gen gov sen rep sec approx est fig al etc vs ca cf ger coll priv enc tel ext hrs min max str bhf geb nr "
    "jan feb mar apr jun jul aug sep sept oct nov dec mfg intl assn univ gmbh ges pty"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_LIST.split())
_WORD_BEFORE = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*$")


_JSON_BEFORE = re.compile(
    r"\"[^\S\n]?:[^\S\n]?$|[\[{,:]$"
)  # what stands before a string in JSON: its quotes are syntax
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,7}|#\d{1,6});$")
_BARE = _LEADING | _TRAILING | frozenset(_SAME) | frozenset(_PAIRS) | frozenset(_OPENERS)


def _has_word(text: str, start: int, end: int) -> bool:
    return any(char.isalnum() for char in text[start:end])


def _is_abbreviation(text: str, start: int, dot: int) -> bool:
    """Whether the full stop at ``dot`` belongs to the word before it."""
    match = _WORD_BEFORE.search(text, max(start, dot - 24), dot)
    if match is None:
        return False
    word = match.group()
    if len(word) == 1 or "." in word or word.lower() in _ABBREVIATIONS:
        return True
    after = text[dot + 1 : dot + 4]
    return bool(re.match(r"\s?[,;:)]|[,)]", after)) or bool(re.match(r" [a-z]", after))


def _cut_front(text: str, start: int, end: int) -> int:
    """How many characters to cut at the front: 0 or 1."""
    char = text[start]
    if char.isspace() or char < " " or char in "\ufeff\u200b":
        return 1
    if char in _OPENERS:
        return 0 if text.find(_OPENERS[char], start + 1, end) >= 0 else 1
    if char in _LOW_QUOTES:
        return 0 if any(text.find(closer, start + 1, end) >= 0 for closer in _LOW_QUOTES[char]) else 1
    if char == '"' and _JSON_BEFORE.search(text, max(0, start - 4), start):
        return 1
    if char in _SAME:
        mate = text.find(char, start + 1, end)
        return 0 if mate >= 0 and _has_word(text, start, mate) else 1
    return 1 if char in _LEADING and not (char == "!" and text[start + 1 : start + 2].isdecimal()) else 0


def _cut_back(text: str, start: int, end: int) -> int:
    """How many characters to cut at the back: 0 or 1."""
    char = text[end - 1]
    if char.isspace() or char < " " or char in "\ufeff\u200b":
        return 1
    if char == "\u201c" and "\u201e" in text[max(start, end - 400) : end - 1]:
        return 0
    if char == "\u2019" and "\u201a" in text[max(start, end - 400) : end - 1]:
        return 0
    if char in _PAIRS:
        opener = _PAIRS[char]
        return 0 if text.count(opener, start, end) >= text.count(char, start, end) else 1
    if char in _SAME:
        mate = text.rfind(char, start, end - 1)
        return 0 if text.count(char, start, end) % 2 == 0 and _has_word(text, mate, end) else 1
    if char == ";" and _ENTITY.search(text, max(start, end - 10), end):
        return 0
    if char == ".":
        return 0 if _is_abbreviation(text, start, end - 1) else 1
    if char == "-" and text[end - 2].isdecimal() and not text[end : end + 1].isalnum():
        return 0
    return 1 if char in _TRAILING else 0


def trim_span(text: str, start: int, end: int) -> Span:
    """The span without outer whitespace and the boundary punctuation a token carried in.

    ``0 <= start <= end <= len(text)`` is expected and clamped. Idempotent; a span of nothing but what is cut becomes
    ``(start, start)``. A span of one punctuation character stays, since then nothing else can be meant.
    """
    start = min(max(start, 0), len(text))
    end = min(max(end, start), len(text))
    origin = start
    while end > start and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end == start:
        return origin, origin
    kept = (start, end)
    while end - start > 1:
        cut = _cut_front(text, start, end)
        start += cut
        back = _cut_back(text, start, end) if end > start else 0
        end -= back
        if not cut and not back:
            break
    rest = text[start:end]
    return kept if not rest.strip() or rest in _BARE else (start, end)
