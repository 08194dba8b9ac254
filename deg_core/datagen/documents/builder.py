"""A page under construction: text pieces are appended, and the spans of facts are known because we wrote them.

Templates are plain strings with two marks: ``{key}`` writes a fact and records its place, ``<this|that>`` picks one
wording (alternatives nest, an empty one is allowed). Nothing is ever searched for in the finished text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deg_core.datagen.documents.noise import Noise
from deg_core.errors import RecordError

_ALTERNATIVES = re.compile(r"<([^<>{}|]*(?:\{[^{}]*\}[^<>{}|]*)*(?:\|[^<>]*)+)>")
_REFERENCE = re.compile(r"\{([^{}]+)\}")

Statements = Mapping[str, Mapping[Any, Mapping[str, Sequence[str]]]]
Labels = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a page can say.

    ``surface`` is what is written (with ``composite`` it is a template of other facts), ``value`` its JSON value
    (None: the written text is the value), ``before`` and ``after`` are written around it, outside its span.
    """

    surface: str
    value: str | int | float | None = None
    before: str = ""
    after: str = ""
    composite: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """``lit`` is free text (may get noise), ``gold`` the text of a fact, ``open``/``close`` bound the span of a key."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """The finished text and every place of every fact in it, first place first."""

    context: str
    places: dict[str, list[tuple[int, int]]]


@dataclass
class Page:
    """Facts, decisions and the text so far.

    ``decisions`` maps a key to the option, truth value or level that holds; a decision can be asked about only once
    :meth:`say` has stated it (``stated``).
    """

    rng: random.Random
    lang: str = "en"
    labels: Labels = field(default_factory=dict)
    statements: Statements = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    decisions: dict[str, Any] = field(default_factory=dict)
    stated: set[str] = field(default_factory=set)
    pieces: list[Piece] = field(default_factory=list)
    _label_memo: dict[str, str] = field(default_factory=dict)

    # ---- facts

    def set(self, key: str, surface: str, value: str | int | float | None = None, **around: Any) -> None:
        """Declare a fact; ``around`` are the fields ``before``, ``after`` and ``composite`` of :class:`Fact`."""
        self.facts[key] = Fact(surface, value, **around)

    def drop(self, *keys: str) -> None:
        """Forget facts or decisions, so that no template can use them."""
        for key in keys:
            self.facts.pop(key, None)
            self.decisions.pop(key, None)

    def has(self, *keys: str) -> bool:
        return all(key in self.facts for key in keys)

    def label(self, key: str) -> str:
        """The label of a fact in the page's language, the same one throughout the page."""
        if key not in self._label_memo:
            entry = self.labels.get(key)
            if entry is None:
                raise KeyError(f"no label for {key!r}")
            self._label_memo[key] = self.rng.choice(list(entry.get(self.lang) or entry["en"]))
        return self._label_memo[key]

    # ---- templates

    def choose(self, template: str) -> str:
        """The template with every ``<a|b>`` replaced by one of its wordings, innermost first."""
        while match := _ALTERNATIVES.search(template):
            option = self.rng.choice(match.group(1).split("|"))
            template = template[: match.start()] + option + template[match.end() :]
        return template

    def fits(self, template: str) -> bool:
        """Whether every fact that the (already chosen) template uses exists."""
        return all(self.has(_split_key(ref)[0]) for ref in _REFERENCE.findall(template))

    def expand(self, template: str) -> list[Piece]:
        """Pieces of a template in which every choice has been made."""
        pieces: list[Piece] = []
        last = 0
        for match in _REFERENCE.finditer(template):
            if match.start() > last:
                pieces.append(Piece("lit", template[last : match.start()]))
            pieces.extend(self._fact_pieces(match.group(1)))
            last = match.end()
        if last < len(template):
            pieces.append(Piece("lit", template[last:]))
        return pieces

    def _fact_pieces(self, reference: str) -> list[Piece]:
        key, bare = _split_key(reference)
        if key not in self.facts:
            raise KeyError(f"a template uses {key!r}, which this page does not hold")
        fact = self.facts[key]
        inner = self.expand(fact.surface) if fact.composite else [Piece("gold", fact.surface)]
        pieces = [Piece("open", key), *inner, Piece("close", key)]
        if bare:
            return pieces
        before = [Piece("gold", fact.before)] if fact.before else []
        after = [Piece("gold", fact.after)] if fact.after else []
        return [*before, *pieces, *after]

    def put(self, template: str) -> None:
        """Append a template; KeyError when it uses a fact that is not there."""
        self.pieces.extend(self.expand(self.choose(template)))

    def line(self, template: str = "") -> None:
        """Append a template and a line break."""
        self.put(template)
        self.raw("\n")

    def raw(self, text: str) -> None:
        """Append literal text in which no mark has a meaning; it gets no noise."""
        self.pieces.append(Piece("gold", text))

    def any(self, *templates: str) -> bool:
        """Append one of the templates whose facts are all there; False when there is none."""
        chosen = [self.choose(template) for template in templates]
        fitting = [template for template in chosen if self.fits(template)]
        if not fitting:
            return False
        self.pieces.extend(self.expand(self.rng.choice(fitting)))
        return True

    def say(self, key: str, *, end: str = "\n") -> bool:
        """State a decision in words; False when the page holds none or has no wording for it in its language."""
        if key not in self.decisions:
            return False
        wordings = self.statements[key].get(self.decisions[key], {})
        templates = list(wordings.get(self.lang, ()) or wordings.get("en", ()))
        if not templates or not self.any(*templates):
            return False
        self.stated.add(key)
        self.raw(f".{end}" if end == " " and self._last_letter().isalnum() else end)
        return True

    def _last_letter(self) -> str:
        for piece in reversed(self.pieces):
            if piece.kind in ("lit", "gold") and piece.text.strip():
                return piece.text.rstrip()[-1]
        return ""

    def blank(self) -> None:
        """End the paragraph: exactly one empty line follows, whatever came before."""
        text = "".join(piece.text for piece in self.pieces[-6:] if piece.kind in ("lit", "gold"))
        if text and not text.endswith("\n\n"):
            self.raw("\n" if text.endswith("\n") else "\n\n")

    def cell(self, template: str, width: int, *, right: bool = False) -> None:
        """Append a template padded with spaces to a column width; a longer one is followed by two spaces."""
        pieces = self.expand(self.choose(template))
        taken = length(pieces)
        padding = [Piece("gold", " " * max(2 if taken >= width else 0, width - taken))]
        self.pieces.extend([*padding, *pieces] if right else [*pieces, *padding])

    def finish(self, *, noise: Noise | None = None, upper: bool = False) -> Rendered:
        """The text with its places; noise touches free text only, upper case touches everything."""
        parts: list[str] = []
        places: dict[str, list[tuple[int, int]]] = {}
        opened: list[tuple[str, int]] = []
        position = 0
        for piece in self.pieces:
            if piece.kind == "open":
                opened.append((piece.text, position))
                continue
            if piece.kind == "close":
                key, start = opened.pop()
                if key != piece.text:
                    raise RecordError(f"span of {piece.text!r} closes inside span of {key!r}")
                places.setdefault(key, []).append((start, position))
                continue
            text = noise.apply(piece.text) if noise is not None and piece.kind == "lit" else piece.text
            text = text.upper() if upper else text
            parts.append(text)
            position += len(text)
        context = "".join(parts)
        return _stripped(context, {key: sorted(spans) for key, spans in places.items()})


def length(pieces: Sequence[Piece]) -> int:
    """How many characters pieces come to."""
    return sum(len(piece.text) for piece in pieces if piece.kind in ("lit", "gold"))


def _split_key(reference: str) -> tuple[str, bool]:
    """``key`` or ``key:bare`` (without what is written around the fact)."""
    key, _, mode = reference.partition(":")
    return key, mode == "bare"


def _stripped(context: str, places: dict[str, list[tuple[int, int]]]) -> Rendered:
    """Without blank space at the ends; offsets move along."""
    shift = len(context) - len(context.lstrip())
    text = context.strip()
    return Rendered(text, {key: [(start - shift, end - shift) for start, end in v] for key, v in places.items()})
