"""Texts, schemas and answers written for this project: records already, passed through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.raw import Tally
from deg_core.records.check import check_record
from deg_core.records.record import Record
from deg_core.records.store import read_records

SOURCE = "authored"


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """The records in folder ``path`` with the split they came with.

    Left out and counted in ``tally`` are repeated uids, and records whose spans read otherwise without a request
    option (a date order, a default offset) that a record cannot carry.
    """
    tally = Tally() if tally is None else tally
    seen: set[str] = set()
    for record in read_records(path):
        if record.uid in seen:
            tally["repeated uid"] += 1
            continue
        seen.add(record.uid)
        if check_record(record):
            tally["does not hold by the default conventions"] += 1
            continue
        yield record
