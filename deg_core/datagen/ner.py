"""Sentences with tagged tokens as texts with one nullable field a type of name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.raw import Tally
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

PERSON = slot(
    "person|person name|name|who|individual|people mentioned",
    "name of the person who is mentioned|which person is named?|full name of a person, as written|"
    "a person named in the text",
)
PLACE = slot(
    "location|place|place name|where|city or country",
    "place that is named|which place is mentioned?|name of a city, country or other place|geographical name",
)
ORGANISATION = slot(
    "organisation|organization|company or institution|org|company",
    "organisation that is named: company, party, team, institution|which organisation is mentioned?|"
    "name of a company, club or public body",
    opaque=True,
)
OTHER = slot(
    "other name|work or event|named thing|title or product",
    "a named thing that is no person, place or organisation: a work, event, nationality or product",
    opaque=True,
)
# Never named in these texts as such; asked now and then where no digits could stand for them.
NUMBERS = (
    slot("phone number|phone", "phone number in the text"),
    slot("price|amount", "price that is named", kind="number"),
    slot("order number|reference", "number of an order or case"),
)
_NO_SPACE_BEFORE = re.compile(r"(?:[.,;:!?%)\]}\u2019\u201d]+|'(?:s|re|ve|ll|d|m|S)|n't|\.\.\.)$")
_NO_SPACE_AFTER = frozenset("([{$#@\u00a3\u201c\u2018")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens with one tag each: O, or a type after ``B-`` or ``I-``. ``text`` is the raw sentence when it is known."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    text: str | None = None


def read_columns(text: str, *, token: int, tag: int, separator: str | None = None) -> Iterator[Sentence]:
    """Sentences of a column file, ended by blank lines; a ``# text = `` line gives the raw text."""
    tokens: list[str] = []
    tags: list[str] = []
    raw: str | None = None
    for line in [*text.split("\n"), ""]:
        if line.startswith("# text = "):
            raw = line.removeprefix("# text = ").strip()
        parts = line.split(separator) if line.strip() else []
        comment = line.startswith("# ") and len(parts) > 2 and "=" in line
        if line.startswith("-DOCSTART-") or comment:
            continue
        if not parts:
            if tokens:
                yield Sentence(tuple(tokens), tuple(tags), raw)
            tokens, tags, raw = [], [], None
        elif len(parts) > max(token, tag if tag >= 0 else 0):
            tokens.append(parts[token].strip())
            tags.append(parts[tag].strip())


def place_tokens(sentence: Sentence) -> tuple[str, list[Span]] | None:
    """The text and the span of each token: by the raw text, else joined as print would have it. None if they differ."""
    if sentence.text is not None:
        spans: list[Span] = []
        at = 0
        for word in sentence.tokens:
            start = sentence.text.find(word, at)
            if start < 0 or sentence.text[at:start].strip():
                return None
            at = start + len(word)
            spans.append((start, at))
        return sentence.text, spans
    text = ""
    spans = []
    for index, word in enumerate(sentence.tokens):
        before = sentence.tokens[index - 1] if index else ""
        glued = not text or _NO_SPACE_BEFORE.fullmatch(word) or before in _NO_SPACE_AFTER
        text += word if glued else f" {word}"
        spans.append((len(text) - len(word), len(text)))
    return text, spans


def mentions(sentence: Sentence, spans: Sequence[Span]) -> list[tuple[str, Span]]:
    """Type and span of each name; an ``I-`` tag after another type or O begins one (IOB1 and IOB2 alike)."""
    out: list[tuple[str, Span]] = []
    before = "O"
    for tag, span in zip(sentence.tags, spans, strict=True):
        kind = tag.partition("-")[2] if tag[:2] in ("B-", "I-") else ""
        if kind:
            if out and before.partition("-")[2] == kind and before != "O" and not tag.startswith("B-"):
                out[-1] = (kind, (out[-1][1][0], span[1]))
            else:
                out.append((kind, span))
        before = tag if kind else "O"
    return out


def name_records(
    sentences: Sequence[tuple[str, Sentence]],
    slots: Mapping[str, Slot],
    *,
    source: str,
    domain: str,
    noun: str,
    tally: Tally,
    prefix: str = "",
    silent: float = 0.12,
) -> Iterator[Record]:
    """Records of ``(group, sentence)`` pairs: a type named once is asked, one not named is asked and null.

    A type named several times is not asked, since one field could not hold it. Of sentences without names the share
    ``silent`` is kept. ``prefix`` begins the uids of one file of several.
    """
    for number, (group, sentence) in enumerate(sentences):
        placed = place_tokens(sentence)
        if placed is None or len(sentence.tokens) < 4:
            tally["too short, or tokens do not fit the text"] += 1
            continue
        text, spans = placed
        draft = Draft(source, f"{prefix}{number:05d}", group or text.lower(), domain, text, noun)
        rng = draft.rng
        found: dict[str, list[Span]] = {}
        for kind, span in mentions(sentence, spans):
            found.setdefault(kind, []).append(span)
        if not found and rng.random() > silent:
            continue
        for kind, item in slots.items():
            places = found.get(kind, [])
            texts = {text[slice(*span)] for span in places}
            if len(texts) == 1:
                same = [*places[1:], *(span for span in occurrences(text, next(iter(texts))) if span not in places)]
                draft.extract(item, places[0], alternatives=same)
            elif not places and rng.random() < (0.38 if found else 0.6):
                draft.extract(item, None)
        if rng.random() < 0.06 and not any(letter.isdigit() for letter in text):
            draft.extract(rng.choice(NUMBERS), None)
        record = draft.record()
        if record is not None:
            yield record
