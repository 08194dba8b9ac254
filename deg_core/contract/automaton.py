"""A pattern as an automaton that reads a text from left to right and knows how far it is from a match.

Partial matching in the `regex` engine says whether some continuation of a text matches, not whether a short enough one
does. For patterns of the regular kind (no lookaround, back-reference or word boundary) the automaton says both, so that
a text under construction can be kept completable. Searching is unanchored, as in JSON Schema: the automaton is that of
``.*(pattern).*``. Construction after Thompson 1968 (doi:10.1145/363347.363387), states made deterministic as they are
met; single characters are still judged by the engine, so there is one dialect.
"""

from __future__ import annotations

import heapq
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Final, TypeAlias

import regex

from deg_core.contract.patterns import compile_pattern

MAX_STATES: Final = 4_000
"""Most states of an automaton; a pattern with more, such as one with large repeat counts, has none."""
NEVER: Final = 1 << 60
"""The distance to a match that cannot be reached."""
_CACHED_STEPS: Final = 50_000
_ANY: Final = r"[\s\S]"
_BOTTOM: Final = "(?!)"
_WRITTEN: Final = ((1, 0xD800), (0xE000, 0xFFFD), (0xFFFE, 0x110000))  # code points that texts are made of

State: TypeAlias = frozenset[int]

_TOKEN: Final = regex.compile(
    r"(?<atom>\[(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\]\\])*\]"
    r"|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[pP]\{[^}]*\}|[tnfr]|[^0-9A-Za-z])"
    r"|\(\?!\)|[^\\()|*+?{\[])"
    r"|(?<open>\((?!\?)|\(\?:(?!\\[0-9])|\(\?P<\w+>)"
    r"|(?<close>\))|(?<or>\|)|(?<start>\\A)|(?<end>\\Z)"
    r"|(?<repeat>[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??",
    regex.VERSION1 | regex.DOTALL,
)


class _Irregular(Exception):
    """The pattern uses what an automaton cannot do, or is too large for one."""


class Automaton:
    """The automaton of one pattern. A state is what is left of all texts that end alike; ``start`` is that of ""."""

    def __init__(self, translated: str) -> None:
        self._atoms: list[regex.Pattern[str]] = []
        self._atom_of: dict[str, int] = {}
        self._edges: list[list[tuple[int, int]]] = []  # state -> (atom, state) pairs
        self._free: list[list[tuple[str, int]]] = []  # state -> (condition "", "start" or "end", state) pairs
        begin, entry, self._accept = self._new(), self._new(), self._new()
        self._join(entry, self._atom(_ANY), entry)
        self._join(self._accept, self._atom(_ANY), self._accept)
        first, last = self._write(_Parser(translated).parse())
        self._skip(entry, first)
        self._skip(last, self._accept)
        self._matches: dict[tuple[int, str], bool] = {}  # of a character, or of a range by its first and last
        self._steps: dict[tuple[State, str], State] = {}
        self._states: dict[State, State] = {}
        self._ending = self._accepting()
        if self._accept in self._closure({entry}, {"start", "end"}):
            self._ending |= {begin}  # a state that only the empty text is in
        self._chars, self._bytes = self._distances(1), self._distances(None)
        self.start: State = self._closure({entry}, {"start"}) | {begin}

    def step(self, state: State, char: str) -> State:
        """The state after one more character; empty when nothing that follows could match."""
        known = self._steps.get((state, char))
        if known is None:
            if len(self._steps) >= _CACHED_STEPS:
                self._steps.clear()
                self._states.clear()
            reached = {target for s in state for atom, target in self._edges[s] if self._match(atom, char)}
            known = frozenset(s for s in self._closure(reached, set()) if self._chars[s] < NEVER)
            known = self._states.setdefault(known, known)
            self._steps[state, char] = known
        return known

    def read(self, state: State, text: str) -> State:
        """The state after a text."""
        for char in text:
            state = self.step(state, char)
            if not state:
                break
        return state

    def accepts(self, state: State) -> bool:
        """Whether the text matches if it ends here."""
        return not self._ending.isdisjoint(state)

    def distance(self, state: State) -> tuple[int, int]:
        """The fewest characters, and the fewest UTF-8 bytes, after which a text in this state matches."""
        return min((self._chars[s] for s in state), default=NEVER), min((self._bytes[s] for s in state), default=NEVER)

    def goes_on(self, state: State) -> bool:
        """Whether some longer text matches."""
        return any(self._chars[target] < NEVER for s in state for _, target in self._edges[s])

    def distance_after(self, state: State, chars: str) -> tuple[int, int]:
        """The distance once one of ``chars`` (a range of them) came next, whichever of them is best."""
        reached = {target for s in state for atom, target in self._edges[s] if self._match_one_of(atom, chars)}
        return self.distance(frozenset(reached))

    def _match(self, atom: int, char: str) -> bool:
        known = self._matches.get((atom, char))
        if known is None:
            known = self._matches[atom, char] = self._atoms[atom].fullmatch(char) is not None
        return known

    def _match_one_of(self, atom: int, chars: str) -> bool:
        key = (atom, chars[:1] + chars[-1:])
        known = self._matches.get(key)
        if known is None:
            known = self._matches[key] = self._atoms[atom].search(chars) is not None
        return known

    def _closure(self, states: set[int], conditions: set[str]) -> State:
        """All states that these reach without a character, passing marks of the start or end where they hold."""
        found, waiting = set(states), list(states)
        while waiting:
            for condition, target in self._free[waiting.pop()]:
                if target not in found and (not condition or condition in conditions):
                    found.add(target)
                    waiting.append(target)
        # What matched already goes on matching, whatever else could have.
        return frozenset({self._accept} if self._accept in found and "end" not in conditions else found)

    def _distances(self, weight: int | None) -> list[int]:
        """Least weight from each state to a match: of characters, or (None) of the bytes of the cheapest ones."""
        back: list[list[tuple[int, int]]] = [[] for _ in self._edges]
        for state, edges in enumerate(self._edges):
            for atom, target in edges:
                cost = _cheapest(self._atoms[atom].pattern)
                if cost:
                    back[target].append((weight or cost, state))
            for condition, target in self._free[state]:
                if not condition:
                    back[target].append((0, state))
        best = [NEVER] * len(back)
        heap = [(0, state) for state in sorted(self._ending)]
        while heap:
            far, state = heapq.heappop(heap)
            if far < best[state]:
                best[state] = far
                for cost, before in back[state]:
                    heapq.heappush(heap, (far + cost, before))
        return best

    def _accepting(self) -> State:
        """The states that match if the text ends in them."""
        back: list[list[int]] = [[] for _ in self._free]
        for state, targets in enumerate(self._free):
            for condition, target in targets:
                if condition != "start":
                    back[target].append(state)
        found, waiting = {self._accept}, [self._accept]
        while waiting:
            fresh = set(back[waiting.pop()]) - found
            found |= fresh
            waiting += fresh
        return frozenset(found)

    # Construction

    def _write(self, node: _Node) -> tuple[int, int]:
        """The states of a part of the pattern: the first, and the last."""
        first = self._new()
        if isinstance(node, _Chain):
            return first, self._chained(first, node.parts)
        if isinstance(node, _Repeat):
            return first, self._repeated(first, node)
        last = self._new()
        if isinstance(node, _Fork):
            for part in node.parts:
                begin, end = self._write(part)
                self._skip(first, begin)
                self._skip(end, last)
        elif isinstance(node, _Mark):
            self._skip(first, last, node.condition)
        elif node.text != _BOTTOM:
            self._join(first, self._atom(node.text), last)
        return first, last

    def _chained(self, last: int, parts: Iterable[_Node]) -> int:
        for part in parts:
            begin, end = self._write(part)
            self._skip(last, begin)
            last = end
        return last

    def _repeated(self, first: int, node: _Repeat) -> int:
        """Repeats written out behind ``first``; gives the last state."""
        last = self._chained(first, repeat(node.part, node.low))
        out = self._new()
        self._skip(last, out)
        if node.high is None:
            begin, end = self._write(node.part)
            self._skip(out, begin)
            self._skip(end, out)
            return out
        for _ in range(node.high - node.low):
            begin, end = self._write(node.part)
            self._skip(last, begin)
            self._skip(end, out)
            last = end
        return out

    def _new(self) -> int:
        if len(self._edges) >= MAX_STATES:
            raise _Irregular
        self._edges.append([])
        self._free.append([])
        return len(self._edges) - 1

    def _atom(self, text: str) -> int:
        if text not in self._atom_of:
            self._atom_of[text] = len(self._atoms)
            self._atoms.append(regex.compile(text, regex.VERSION1))
        return self._atom_of[text]

    def _join(self, state: int, atom: int, target: int) -> None:
        self._edges[state].append((atom, target))

    def _skip(self, state: int, target: int, condition: str = "") -> None:
        self._free[state].append((condition, target))


@dataclass(frozen=True, slots=True)
class _Atom:
    text: str


@dataclass(frozen=True, slots=True)
class _Mark:
    condition: str


@dataclass(frozen=True, slots=True)
class _Chain:
    parts: list[_Node]


@dataclass(frozen=True, slots=True)
class _Fork:
    parts: list[_Node]


@dataclass(frozen=True, slots=True)
class _Repeat:
    part: _Node
    low: int
    high: int | None


_Node: TypeAlias = "_Atom | _Mark | _Chain | _Fork | _Repeat"


class _Parser:
    """From the engine's form of a pattern to a tree."""

    def __init__(self, translated: str) -> None:
        self._tokens = _tokens(translated)
        self._next = next(self._tokens, None)

    def parse(self) -> _Node:
        tree = self._fork()
        if self._next is not None:
            raise _Irregular
        return tree

    def _take(self) -> tuple[str, str]:
        taken = self._next
        if taken is None:
            raise _Irregular
        self._next = next(self._tokens, None)
        return taken

    def _fork(self) -> _Node:
        branches = [self._chain()]
        while self._next is not None and self._next[0] == "or":
            self._take()
            branches.append(self._chain())
        return branches[0] if len(branches) == 1 else _Fork(branches)

    def _chain(self) -> _Node:
        parts: list[_Node] = []
        while self._next is not None and self._next[0] not in ("or", "close"):
            kind, text = self._take()
            if kind == "repeat":
                parts.append(_Repeat(parts.pop(), *_bounds(text)))
            elif kind == "open":
                parts.append(self._fork())
                if self._take()[0] != "close":
                    raise _Irregular
            else:
                parts.append(_Atom(text) if kind == "atom" else _Mark(kind))
        return _Chain(parts)


def _tokens(translated: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(translated):
        found = _TOKEN.match(translated, at)
        if found is None or found.lastgroup is None:
            raise _Irregular
        yield found.lastgroup, found[found.lastgroup]
        at = found.end()


def _bounds(text: str) -> tuple[int, int | None]:
    if text in "*+?":
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[text]
    low, comma, high = text[1:-1].partition(",")
    return int(low), (int(high) if high else None) if comma else int(low)


@lru_cache(maxsize=1024)
def _cheapest(atom: str) -> int:
    """UTF-8 bytes of the shortest character that an atom matches; 0 when it matches none."""
    compiled = regex.compile(atom, regex.VERSION1)
    for length, start, stop in ((1, 0, 0x80), (2, 0x80, 0x800), (3, 0x800, 0x10000), (4, 0x10000, 0x110000)):
        if compiled.search(characters(start, stop)):
            return length
    return 0


@lru_cache(maxsize=256)
def characters(start: int, stop: int) -> str:
    """All characters from one code point to before another that a text may hold."""
    codes = array("I")
    for first, end in _WRITTEN:
        codes.extend(range(max(first, start), min(end, stop)))
    return codes.tobytes().decode("utf-32-le" if sys.byteorder == "little" else "utf-32-be")


@lru_cache(maxsize=128)
def automaton_of(source: str) -> Automaton | None:
    """The automaton of a schema's ``pattern``; None when it has none. PatternError when it is not valid."""
    translated = compile_pattern(source).translated
    try:
        return Automaton(translated)
    except _Irregular:
        return None
