"""What an answer that copies may consist of: tries over tokens, from a list of spans or from every place of the text.

A trie is walked from its root, token by token. A state is whatever the trie makes of the way so far; ``ends`` gives the
spans [start, end) in code points that the way has spelled, most of them none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias
from unicodedata import category

import regex

from deg_core.contract.parsers import trim_span
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.rendering.layout import TrunkLayout

MOST_TOKENS: Final = 64
"""Tokens of the longest plain string that is copied; of a longer typed span so many are compared."""
_WINDOW: Final = 400  # characters that are encoded anew where a word's end is no token's end
_WORD = regex.compile(r"[^\W_]+")
_SIGNS: Final = frozenset("+-#@/~$€£¥")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")

Span: TypeAlias = tuple[int, int]
Ids: TypeAlias = tuple[int, ...]


class Trie(Protocol):
    """Answers as ways from the root."""

    root: Any

    def children(self, state: Any) -> Mapping[int, Any]:
        """The tokens that may come next, each with the state behind it."""
        ...

    def ends(self, state: Any) -> Sequence[Span]:
        """Places of the answer that may end here, in text order."""
        ...


@dataclass(slots=True)
class _Node:
    children: dict[int, _Node] = field(default_factory=dict)
    ends: list[Span] = field(default_factory=list)


class ListedSpans:
    """Given spans, such as a finder's: numbers, dates, addresses."""

    def __init__(self, text: str, spans: Iterable[Span], tokenizer: Tokenizer) -> None:
        self.root = _Node()
        known: dict[str, Ids] = {}
        for start, end in spans:
            words = text[start:end]
            if words not in known:
                known[words] = tuple(tokenizer.encode(words)[:MOST_TOKENS])
            node = self.root
            for token in known[words]:
                node = node.children.setdefault(token, _Node())
            node.ends.append((start, end))

    def children(self, state: _Node) -> Mapping[int, _Node]:
        return state.children

    def ends(self, state: _Node) -> Sequence[Span]:
        return state.ends


@dataclass(frozen=True, slots=True)
class _Start:
    """A place where a copy may begin. Its first tokens, ``ids`` with their ends, are those of its first word without
    the space before it; then come the text's own tokens from ``follow`` on, or none if that is -1."""

    place: int
    ids: Ids
    stops: tuple[int, ...]
    follow: int


class TextPlaces:
    """Every place of a text where words begin, with the tokens that an answer beginning there would have."""

    def __init__(self, trunk: TrunkLayout, tokenizer: Tokenizer) -> None:
        self.text = trunk.text
        self._ids = trunk.ids[trunk.first : trunk.first + len(trunk.offsets)]
        self._offsets = trunk.offsets
        self._token_at: dict[int, int] = {}
        for token, (begin, _) in enumerate(trunk.offsets):
            self._token_at.setdefault(begin, token)
        self._tokenizer = tokenizer
        self._words: dict[str, tuple[Ids, tuple[int, ...]]] = {}
        self.starts = [self._start(place, end) for place, end in _beginnings(self.text)]
        self.by_first: dict[int, list[int]] = {}
        for index, start in enumerate(self.starts):
            whole = start.follow >= 0 and len(start.ids) <= MOST_TOKENS  # then its first word is a copy already
            if whole or self.ends(index):
                self.by_first.setdefault(start.ids[0], []).append(index)

    def _start(self, place: int, end: int) -> _Start:
        follow = self._token_at.get(end, -1)
        whole = follow >= 0 or end == len(self.text)
        ids, stops = self._encoded(self.text[place : end if whole else place + _WINDOW])
        return _Start(place, ids, tuple(place + stop for stop in stops), follow)

    def _encoded(self, words: str) -> tuple[Ids, tuple[int, ...]]:
        if words not in self._words:
            ids, offsets = self._tokenizer.encode_with_offsets(words)
            self._words[words] = tuple(ids), tuple(end for _, end in offsets)
        return self._words[words]

    def token(self, index: int, depth: int) -> int | None:
        """The token at ``depth`` of the copy that begins at the start ``index``; None behind the last."""
        start = self.starts[index]
        if depth < len(start.ids):
            return start.ids[depth]
        place = start.follow + depth - len(start.ids)
        return self._ids[place] if start.follow >= 0 and place < len(self._ids) else None

    def stop(self, index: int, depth: int) -> int:
        """Where ``depth`` tokens (at least one) of that copy end, in code points."""
        start = self.starts[index]
        if depth <= len(start.ids):
            return start.stops[depth - 1]
        return self._offsets[start.follow + depth - 1 - len(start.ids)][1]

    def ends(
        self, index: int, *, most: int | None = None, allows: Callable[[Span], bool] | None = None
    ) -> tuple[int, ...]:
        """Depths at which that copy may end: after a word, with nothing that would be trimmed, within ``most``
        characters, and where ``allows`` the span."""
        place = self.starts[index].place
        found = []
        for depth in range(1, MOST_TOKENS + 1):
            if self.token(index, depth - 1) is None:
                break
            stop = self.stop(index, depth)
            if most is not None and stop - place > most:
                break
            if self._may_end(index, depth, stop) and (allows is None or allows((place, stop))):
                found.append(depth)
        return tuple(found)

    def _may_end(self, index: int, depth: int, stop: int) -> bool:
        if stop < len(self.text) and not _parts(self.text, stop):
            return False
        if self.token(index, depth) is not None and self.stop(index, depth + 1) <= stop:
            return False  # one character over several tokens
        last = self.text[stop - 1]
        return last.isalnum() or trim_span(self.text, self.starts[index].place, stop)[1] == stop


@dataclass(frozen=True, slots=True)
class _Way:
    """Starts from which the same ``depth`` tokens follow."""

    starts: tuple[int, ...]
    depth: int


class Copies:
    """Every span of the text that a plain string may be, as a suffix trie that is unfolded only where it is walked.

    ``allows`` says which spans meet the field's constraints; None is all of them. Then ways that lead to no end are
    found out before they are taken, which means that all spans are looked at.
    """

    def __init__(
        self, places: TextPlaces, *, most: int | None = None, allows: Callable[[Span], bool] | None = None
    ) -> None:
        self._places, self._most, self._allows = places, most, allows
        self._ends: dict[int, tuple[int, ...]] = {}
        self._bound = allows is not None or most is not None
        self.root = _Way(tuple(index for indices in places.by_first.values() for index in indices), 0)

    def children(self, state: _Way) -> Mapping[int, _Way]:
        if state.depth == 0 and not self._bound:
            return {token: _Way(tuple(indices), 1) for token, indices in self._places.by_first.items()}
        found: dict[int, list[int]] = {}
        for index in state.starts:
            ends = self._ends_of(index)
            token = self._places.token(index, state.depth)
            if token is not None and ends and ends[-1] > state.depth:
                found.setdefault(token, []).append(index)
        return {token: _Way(tuple(indices), state.depth + 1) for token, indices in found.items()}

    def ends(self, state: _Way) -> Sequence[Span]:
        return [
            (self._places.starts[index].place, self._places.stop(index, state.depth))
            for index in state.starts
            if state.depth and _holds(self._ends_of(index), state.depth)
        ]

    def _ends_of(self, index: int) -> tuple[int, ...]:
        if index not in self._ends:
            self._ends[index] = self._places.ends(index, most=self._most, allows=self._allows)
        return self._ends[index]


def _holds(ascending: Sequence[int], value: int) -> bool:
    place = bisect_right(ascending, value)
    return place > 0 and ascending[place - 1] == value


def _beginnings(text: str) -> list[tuple[int, int]]:
    """Where words begin, a sign that belongs to one included, and where that word ends. In scripts without spaces
    every character may begin one."""
    found: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        begin, end = word.span()
        if begin and text[begin - 1] in _SIGNS and (begin == 1 or not text[begin - 2].isalnum()):
            found.append((begin - 1, end))
        found.append((begin, end))
        found += [(place, end) for place in range(begin + 1, end) if _parts(text, place)]
    return found


def _parts(text: str, place: int) -> bool:
    """Whether a word may end and another begin at a place inside the text."""
    before, after = text[place - 1], text[place]
    if category(after).startswith("M"):
        return False  # an accent of the letter before it
    if not (after.isalnum() and (before.isalnum() or category(before).startswith("M"))):
        return True
    return bool(_UNSPACED.match(before) or _UNSPACED.match(after))
