"""What may be written next, so that a text keeps to its field's minLength, maxLength and pattern (SPEC 4 and 12.3).

A token is admissible when the text with it can still become one that meets all constraints: not longer than maxLength,
and for a pattern some continuation that matches and fits. Bytes of a character that is spread over tokens are held
until it is whole. Never admissible are control tokens, bytes that are not UTF-8, U+0000 and U+FFFD. White space may not
begin a text nor run on for more than ``MAX_SPACES`` characters, and control characters other than tab and line break
are left out; where a pattern leaves nothing else, it overrules this (``Progress.untidy``).
"""

from __future__ import annotations

import codecs
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from time import perf_counter
from typing import Any, Final, Protocol, TypeAlias
from weakref import WeakKeyDictionary

import regex

from deg_core.contract.automaton import NEVER, automaton_of, characters
from deg_core.contract.patterns import TIMEOUT, Pattern, PatternTimeout, compile_pattern
from deg_core.contract.plan import FieldPlan
from deg_core.protocols.tokenizer import Tokenizer

MAX_SPACES: Final = 4
"""Most white-space characters in a row."""
_SAMPLE: Final = 256  # characters tried, of those that held bytes may become, where a pattern has no automaton
_MATCH_TIME: Final = 5.0  # seconds that partial matching may take for one text
_UNWRITTEN: Final = ("\0", "\ufffd")

Piece: TypeAlias = tuple[str, bytes]  # whole characters, and the bytes of one that is not whole yet


class Refused(Enum):
    """Why a token is not admissible."""

    NEVER = "no text that meets the constraints goes on so"
    LONG = "it would, but does not fit into maxLength"


@dataclass(frozen=True, slots=True)
class Progress:
    """A text under construction: its whole characters, held bytes, what the pattern knows of it, the white space at its
    end, and a number of tokens within which it can be brought to an end, of one byte each. ``untidy`` says that the
    last token broke the rules of white space."""

    text: str
    held: bytes
    state: Any
    need: int
    spaces: int = 0
    untidy: bool = False


class Acceptor(Protocol):
    """A pattern that reads a text from left to right; ``Automaton`` is one."""

    start: Any

    def read(self, state: Any, text: str) -> Any:
        """The state after more text; falsy when nothing that follows could match."""
        ...

    def accepts(self, state: Any) -> bool: ...

    def goes_on(self, state: Any) -> bool: ...

    def distance(self, state: Any) -> tuple[int, int]: ...

    def distance_after(self, state: Any, chars: str) -> tuple[int, int]: ...


class PartialMatcher:
    """An acceptor for patterns beyond automata, by the engine's partial matching. It knows whether a text may go on to
    a match, not how far off that is."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern
        self._partial = _partial(pattern.translated)
        self._left = _MATCH_TIME
        self._asked: tuple[str] | None = None  # what ``distance_after`` was asked about last, and its answers
        self._answers: dict[str, bool] = {}
        self.start: tuple[str] | None = ("",) if self._matches("") else None

    def _matches(self, text: str) -> bool:
        begun = perf_counter()
        try:
            found = self._partial.fullmatch(text, partial=True, timeout=min(TIMEOUT, self._left))
        except TimeoutError:
            raise PatternTimeout(
                f"the pattern {self._pattern.source!r} took longer than {TIMEOUT} s, or {_MATCH_TIME} s in all"
            ) from None
        self._left = max(self._left - (perf_counter() - begun), 1e-6)
        return found is not None

    def read(self, state: tuple[str], text: str) -> tuple[str] | None:
        after = state[0] + text
        return (after,) if self._matches(after) else None

    def accepts(self, state: tuple[str] | None) -> bool:
        return state is not None and self._pattern.found_in(state[0])

    def goes_on(self, state: tuple[str]) -> bool:
        return True

    def distance(self, state: tuple[str] | None) -> tuple[int, int]:
        if state is None:
            return NEVER, NEVER
        return (0, 0) if self.accepts(state) else (1, 1)

    def distance_after(self, state: tuple[str], chars: str) -> tuple[int, int]:
        """As far as the characters that the pattern names, and a sample of the others, can tell."""
        if state != self._asked:
            self._asked, self._answers = state, {}
        key = chars[:1] + chars[-1:]
        if key not in self._answers:
            named = (char for char in self._pattern.source if char in chars)
            tried = (*named, *chars[:: len(chars) // _SAMPLE + 1])
            self._answers[key] = any(self._matches(state[0] + char) for char in tried)
        return (0, 0) if self._answers[key] else (NEVER, NEVER)


@lru_cache(maxsize=128)
def _partial(translated: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?s:.*?)(?:{translated})(?s:.*)", regex.VERSION1)


def _acceptor_of(source: str) -> Acceptor:
    return automaton_of(source) or PartialMatcher(compile_pattern(source))


class Constraint:
    """The constraints of one generated field. ``impossible`` says that no text meets them, as far as can be told."""

    def __init__(self, field: FieldPlan) -> None:
        limits = field.constraint
        self.pattern: str | None = limits.get("pattern")
        self.least = int(limits.get("minLength") or 0)
        most = limits.get("maxLength")
        self.most: float = math.inf if most is None else int(most)
        self._acceptor = _acceptor_of(self.pattern or "")
        chars, size = self._acceptor.distance(self._acceptor.start)
        self.start = Progress("", b"", self._acceptor.start, max(size, self.least))
        self.impossible = max(chars, self.least) > min(self.most, NEVER - 1)

    def complete(self, progress: Progress) -> bool:
        """Whether the text may end here."""
        return not progress.held and len(progress.text) >= self.least and self._acceptor.accepts(progress.state)

    def closed(self, progress: Progress) -> bool:
        """Whether it is plain that nothing may follow. A text of maxLength is not: the model may want to end it there,
        or be stopped, and that is not the same."""
        return not progress.held and (self.most == 0 or not self._acceptor.goes_on(progress.state))

    def holds(self, text: str) -> bool:
        """Whether a whole text meets the constraints."""
        state = self._acceptor.read(self._acceptor.start, text)
        return self.least <= len(text) <= self.most and bool(state) and self._acceptor.accepts(state)

    def read(self, before: Progress, piece: Piece | None) -> Progress | Refused:
        """The text with one more token's characters, or why it may not follow."""
        if piece is None or any(char in piece[0] for char in _UNWRITTEN):
            return Refused.NEVER
        chars, held = piece
        state = self._acceptor.read(before.state, chars)
        if not state:
            return Refused.NEVER
        left, size = self._distance(state, held)
        if left >= NEVER:
            return Refused.NEVER
        text = before.text + chars
        begun = bool(held)
        if len(text) + begun + left > self.most:
            return Refused.LONG
        need = _missing(held) + max(size, self.least - len(text) - begun)
        return Progress(text, held, state, need, *_white_space(before, chars))

    def _distance(self, state: Any, held: bytes) -> tuple[int, int]:
        """Characters and bytes to a match, behind the character that held bytes begin."""
        return self._acceptor.distance_after(state, completions(held)) if held else self._acceptor.distance(state)


class Vocabulary:
    """A tokenizer's ids as pieces of text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._bytes: Sequence[bytes | None] = tokenizer.pieces()
        self._pieces = [decode(piece) if piece else None for piece in self._bytes]

    def piece(self, token: int, held: bytes) -> Piece | None:
        """What a token adds behind held bytes; None when that is no text."""
        if not 0 <= token < len(self._bytes):
            return None
        added = self._bytes[token]
        return self._pieces[token] if not held or not added else decode(held + added)


_vocabularies: WeakKeyDictionary[Tokenizer, Vocabulary] = WeakKeyDictionary()


def vocabulary_of(tokenizer: Tokenizer) -> Vocabulary:
    """The tokenizer's vocabulary, made once."""
    if tokenizer not in _vocabularies:
        _vocabularies[tokenizer] = Vocabulary(tokenizer)
    return _vocabularies[tokenizer]


def decode(data: bytes) -> Piece | None:
    """Characters and the bytes at the end that may become one; None when the bytes are not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        return decoder.decode(data), decoder.getstate()[0]
    except UnicodeDecodeError:
        return None


def completions(held: bytes) -> str:
    """The characters that begin with these bytes; none for the bytes of a surrogate."""
    length = _length(held)
    value = held[0] & (0x7F >> length)
    for byte in held[1:]:
        value = value << 6 | byte & 0x3F
    shift = 6 * _missing(held)
    first = (0x80, 0x800, 0x10000)[length - 2]
    return characters(max(value << shift, first), min((value + 1) << shift, 0x110000))


def _length(held: bytes) -> int:
    """UTF-8 bytes of the character that begins so."""
    return 2 if held[0] < 0xE0 else 3 if held[0] < 0xF0 else 4


def _missing(held: bytes) -> int:
    return _length(held) - len(held) if held else 0


def _white_space(before: Progress, chars: str) -> tuple[int, bool]:
    """White space at the end of the text with ``chars``, and whether it has too much or a control character."""
    spaces, begun, untidy = before.spaces, bool(before.text), False
    for char in chars:
        spaces = spaces + 1 if char.isspace() else 0
        begun = begun or not spaces
        control = (char < " " and char not in "\t\n") or "\x7f" <= char < "\xa0"
        untidy = untidy or control or not begun or spaces > MAX_SPACES
    return spaces, untidy
