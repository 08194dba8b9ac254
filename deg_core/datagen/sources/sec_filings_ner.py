"""SEC filings: parties and places in sentences of loan agreements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.ner import name_records, read_columns
from deg_core.datagen.raw import Tally, read_text
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "sec_filings_ner"
SLOTS = {
    "PER": slot(
        "party role|party|person or role",
        "person, or the role a party has in the contract (Borrower, Lender)",
        opaque=True,
    ),
    "ORG": slot(
        "organisation|company|bank or company",
        "company or bank that is named, or the word that stands for it",
        opaque=True,
    ),
    "LOC": slot("place|location|state or city", "place that is named: state, city, street|which place is named?"),
}


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; sentences whose tokens do not fit are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    text = read_text(Path(path) / "FIN5.txt")
    sentences = [(_group(index), sentence) for index, sentence in enumerate(read_columns(text, token=0, tag=-1))]
    yield from name_records(
        sentences, SLOTS, source=SOURCE, domain="loan agreement", noun="clause", tally=tally, silent=0.1
    )


def _group(index: int) -> str:
    """Five agreements stand one after the other without marks: runs of sentences are kept together."""
    return f"part {index // 40}"
