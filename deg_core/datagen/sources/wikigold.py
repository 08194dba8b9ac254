"""WikiGold: names in sentences of an encyclopedia, four types."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.ner import ORGANISATION, OTHER, PERSON, PLACE, name_records, read_columns
from deg_core.datagen.raw import Tally, read_text
from deg_core.records.record import Record

SOURCE = "wikigold"
SLOTS = {"PER": PERSON, "LOC": PLACE, "ORG": ORGANISATION, "MISC": OTHER}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; sentences whose tokens do not fit are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    text = read_text(Path(path) / "wikigold.conll.txt")
    sentences = [("", sentence) for sentence in read_columns(text, token=0, tag=-1)]
    yield from name_records(
        sentences, SLOTS, source=SOURCE, domain="encyclopedia sentence", noun="sentence", tally=tally
    )
