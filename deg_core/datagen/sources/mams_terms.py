"""MAMS: the things a restaurant review names, each with what it thinks of it, as an array."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from deg_core.datagen.array_draft import Cell, Column
from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, read_text
from deg_core.datagen.wording import slot
from deg_core.errors import RecordError
from deg_core.records.record import Record

SOURCE = "mams_terms"

TERM = slot(
    "term|aspect|thing|target|aspect term|subject|mentioned",
    "what is spoken of, as written|the thing that is praised, criticised or just mentioned|words in the {noun}",
)
OPINIONS = slot(
    "opinions|aspects|aspect sentiments|feedback items|judgements|points",
    "every thing the {noun} mentions, with what it thinks of it|one entry for each aspect named in the {noun}|"
    "aspects and the polarity of the opinion on each",
)
NAMED = slot(
    "aspects|aspect terms|mentioned things|targets|topics",
    "all aspects of the restaurant that the {noun} names|the things spoken of, in order|aspect terms in the {noun}",
    opaque=True,
)
POLARITY = slot(
    "polarity|sentiment|opinion|judgement|attitude",
    "what the {noun} thinks of it|is it praised, criticised or only mentioned?|polarity of the opinion",
)
POLARITIES = {
    "positive": Intent("positive", "the review likes it"),
    "negative": Intent("negative", "the review dislikes it"),
    "neutral": Intent("neutral", "it is mentioned without a judgement"),
}
_PLAIN_SHARE = 0.2


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the aspect terms in folder ``path``; texts are split as in the set's aspect categories."""
    tally = Tally() if tally is None else tally
    for part in ("train", "val"):
        file = Path(path) / f"ATSA_{part}.xml"
        try:
            root = ElementTree.fromstring(read_text(file))
        except ElementTree.ParseError as error:
            raise RecordError(f"{file}: not XML: {error}") from error
        for number, sentence in enumerate(root.iter("sentence")):
            text = sentence.findtext("text") or ""
            terms = [
                (int(entry.get("from", -1)), int(entry.get("to", -1)), entry.get("polarity", ""))
                for entry in sentence.iter("aspectTerm")
            ]
            if not terms or any(
                not 0 <= start < end <= len(text) or mood not in POLARITIES for start, end, mood in terms
            ):
                tally["no terms, or a place or polarity that is not one"] += 1
                continue
            draft = Draft(
                SOURCE, f"{part}/{number:04d}", text.strip().lower(), "restaurant review", text, "review", "mams_absa"
            )
            if not _ask(draft, terms):
                tally["terms that share a place"] += 1
                continue
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, terms: list[tuple[int, int, str]]) -> bool:
    rng = draft.rng
    if rng.random() < _PLAIN_SHARE:
        return draft.array(NAMED, [Column(TERM)], [[(start, end)] for start, end, _ in terms], plain=True)
    order = list(POLARITIES)
    rng.shuffle(order)
    pairs = dict(zip(order, worded([POLARITIES[name] for name in order], rng), strict=True))
    rows: list[list[Cell]] = [[(start, end), pairs[mood][0]] for start, end, mood in terms]
    columns = [Column(TERM), Column(POLARITY, tuple(pairs.values()))]
    if rng.random() < 0.25:
        columns.reverse()
        rows = [row[::-1] for row in rows]
    return draft.array(OPINIONS, columns, rows)
