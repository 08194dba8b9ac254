"""English cardinal number words, "three" to "two hundred and five thousand": grammar and value."""

from __future__ import annotations

import re
from copy import copy
from decimal import Decimal

from deg_core.contract.parsers.result import Span

_UNIT_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TEN_NAMES = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: value for value, word in enumerate(_UNIT_NAMES.split())}
_TENS = {word: 10 * value for value, word in enumerate(_TEN_NAMES.split(), start=2)}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HALVED = {"dozen": 12, "hundred": 100, **_SCALES}
_BELOW_HUNDRED = {*_UNITS, *_TENS}
_WORDS = {*_UNITS, *_TENS, *_SCALES, "hundred", "dozen", "half", "a", "an", "and"}
_TOKEN = re.compile(r"[A-Za-z]+")
_MAX_WORDS = 24
_GAP = re.compile(r"(?:[ \u00a0]|-|, ?|\n)")


class _Value:
    """A value built word by word; ``take`` says whether the word may follow."""

    __slots__ = ("allow", "below", "last_scale", "total")

    def __init__(self) -> None:
        self.total = 0
        self.below: int | None = None
        self.allow = 1000
        self.last_scale: int | None = None

    @property
    def value(self) -> Decimal:
        return Decimal(self.total + (self.below or 0))

    def _add(self, value: int, room: int) -> bool:
        if value >= self.allow:
            return False
        self.below = (self.below or 0) + value
        self.allow = room
        return True

    def take(self, word: str) -> bool:
        if word in _UNITS:
            return (self.below is None or _UNITS[word] > 0) and self._add(_UNITS[word], 0)
        if word in _TENS:
            return self._add(_TENS[word], 10)
        if word == "hundred":
            if self.below is None or not 1 <= self.below <= 99:
                return False
            self.below, self.allow = self.below * 100, 100
            return True
        if self.below is None or not self.below:
            return False
        if word == "dozen":
            if self.total:
                return False
            self.total, self.below, self.allow = self.below * 12, 0, 0
            return True
        scale = _SCALES[word]
        if self.last_scale is not None and scale >= self.last_scale:
            return False
        self.total += self.below * scale
        self.below, self.allow, self.last_scale = 0, 1000, scale
        return True


def _start(words: list[str]) -> tuple[_Value, int] | None:
    """The value and word count of an opening: ``a hundred``, ``half a million``, or a number word."""
    state = _Value()
    if words[:2] == ["half", "a"] and len(words) > 2 and words[2] in _HALVED:
        state.total, state.allow, state.below = _HALVED[words[2]] // 2, 0, 0
        return state, 3
    if words[0] in ("a", "an"):
        if len(words) < 2 or words[1] not in ("hundred", "dozen", *_SCALES):
            return None
        state.below = 1
        return (state, 2) if state.take(words[1]) else None
    if words[0] in _UNITS or words[0] in _TENS:
        state.take(words[0])
        return state, 1
    return None


def _after_and(state: _Value, tail: list[str]) -> _Value | None:
    """The value with the word after ``and``; None where ``and`` joins two numbers (``two hundred and ten hundred``)."""
    large = state.total or (state.below or 0) >= 100
    if not (large and tail and tail[0] in _BELOW_HUNDRED):
        return None
    after = copy(state)
    if not after.take(tail[0]):
        return None
    scaled = len(tail) > 1 and (tail[1] == "hundred" or tail[1] in _SCALES)
    return None if scaled and not copy(after).take(tail[1]) else after


def _and_a_half(state: _Value, words: list[str], used: int) -> tuple[Decimal, int]:
    """``two and a half`` has a scale behind it at most: ``two and a half million``."""
    value = state.value + Decimal("0.5")
    if used < len(words) and not state.total:
        factor = {"hundred": 100, "dozen": 12, **_SCALES}.get(words[used])
        if factor is not None:
            return value * factor, used + 1
    return value, used


def _longest(words: list[str]) -> tuple[Decimal, int] | None:
    """Value and length of the longest number phrase at the head of the words."""
    begun = _start(words)
    if begun is None:
        return None
    state, used = begun
    while used < len(words):
        word = words[used]
        if word == "and":
            tail = words[used + 1 : used + 3]
            if tail == ["a", "half"] and words[used - 1] in _BELOW_HUNDRED:
                return _and_a_half(state, words, used + 3)
            joined = _after_and(state, tail)
            if joined is None:
                break
            state = joined
            used += 2
        elif word in ("a", "an", "half") or not state.take(word):
            break
        else:
            used += 1
    return state.value, used


def find_number_words(text: str) -> list[Span]:
    """Spans of English cardinals, longest first at each place and not overlapping; one pass."""
    spans: list[Span] = []
    phrase: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(text):
        word, (a, b) = match.group().lower(), match.span()
        known = word in _WORDS and not _inside_word(text, a, b)
        if phrase and not (known and _GAP.fullmatch(text, phrase[-1][2], a)):
            spans += _phrases(phrase)
            phrase = []
        if known:
            phrase.append((word, a, b))
    return spans + _phrases(phrase)


def _inside_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return before == "_" or before.isalnum() or after == "_" or after.isalnum()


def _phrases(phrase: list[tuple[str, int, int]]) -> list[Span]:
    spans, index = [], 0
    while index < len(phrase):
        found = _longest([word for word, _, _ in phrase[index : index + _MAX_WORDS]])
        if found is None:
            index += 1
            continue
        spans.append((phrase[index][1], phrase[index + found[1] - 1][2]))
        index += found[1]
    return spans


def parse_number_words(text: str) -> Decimal | None:
    """The value of a text that is one English cardinal and nothing else."""
    if len(text) > 200:
        return None
    words = [match.group().lower() for match in _TOKEN.finditer(text)]
    if not words or len(words) > _MAX_WORDS or any(word not in _WORDS for word in words):
        return None
    if _TOKEN.sub("", text).strip(" \u00a0-,\n"):
        return None
    found = _longest(words)
    return found[0] if found is not None and found[1] == len(words) else None
