"""Broad Twitter Corpus: people, places and organisations in tweets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.ner import ORGANISATION, PERSON, PLACE, name_records, read_columns
from deg_core.datagen.raw import Tally, read_text
from deg_core.records.record import Record

SOURCE = "btc"
SLOTS = {"PER": PERSON, "LOC": PLACE, "ORG": ORGANISATION}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; sentences whose tokens do not fit are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for part in ("train", "dev"):
        text = read_text(Path(path) / f"{part}.conll").replace("\r", "")
        sentences = [("", sentence) for sentence in read_columns(text, token=0, tag=-1)]
        yield from name_records(
            sentences, SLOTS, source=SOURCE, domain="tweet", noun="tweet", tally=tally, prefix=f"{part}/"
        )
