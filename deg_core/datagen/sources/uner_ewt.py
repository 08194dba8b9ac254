"""Universal NER on English EWT: names in mail, reviews, blogs and answers, with the raw sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.ner import ORGANISATION, PERSON, PLACE, name_records, read_columns
from deg_core.datagen.raw import Tally, read_text
from deg_core.records.record import Record

SOURCE = "uner_ewt"
SLOTS = {"PER": PERSON, "LOC": PLACE, "ORG": ORGANISATION}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; sentences whose tokens do not fit are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    blocks = re.split(r"(?=# newdoc id = )", read_text(Path(path) / "dev.iob2"))
    sentences = []
    for block in blocks:
        found = re.match(r"# newdoc id = (\S+)", block)
        group = found.group(1) if found else ""
        sentences += [(group, sentence) for sentence in read_columns(block, token=1, tag=2, separator="\t")]
    yield from name_records(sentences, SLOTS, source=SOURCE, domain="web text", noun="text", tally=tally)
