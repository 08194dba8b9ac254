"""WNUT-17: rare and new names in posts, six types."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.ner import PERSON, PLACE, name_records, read_columns
from deg_core.datagen.raw import Tally, read_text
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "wnut17"
SLOTS = {
    "person": PERSON,
    "location": PLACE,
    "corporation": slot("company|business|corporation", "company that is named|which business is mentioned?"),
    "group": slot("group|band or team|club", "band, team or other group that is not a company", opaque=True),
    "product": slot("product|product name|device or brand", "product that is named|which product is mentioned?"),
    "creative-work": slot(
        "work|title of work|song or film|show", "film, song, book or show that is named", opaque=True
    ),
}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; sentences whose tokens do not fit are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for part in ("train", "dev"):
        text = read_text(Path(path) / f"{part}.conll").replace("\r", "")
        sentences = [("", sentence) for sentence in read_columns(text, token=0, tag=-1)]
        yield from name_records(
            sentences, SLOTS, source=SOURCE, domain="post", noun="post", tally=tally, prefix=f"{part}/"
        )
