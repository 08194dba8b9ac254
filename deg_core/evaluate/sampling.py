"""A seeded sample of records: the same ones whatever the order of files, and each smaller sample part of a larger."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable
from pathlib import Path

from deg_core.errors import RecordError
from deg_core.records import Record, Split, read_records


def sample(records: Iterable[Record], *, per_source: int | None = None, seed: int = 0) -> list[Record]:
    """At most ``per_source`` records of each source (None: all), ordered by source and then by their draw.

    A record's draw is a hash of ``seed``, source and uid, and the lowest draws are taken: so the sample depends on no
    order, and that of 20 is part of that of 200. ``records`` is read once and only the sample is kept.
    """
    if per_source is not None and per_source < 1:
        raise ValueError(f"per_source is {per_source}; at least 1 is needed, or None for all")
    kept: dict[str, list[tuple[int, str, int, Record]]] = {}
    for place, record in enumerate(records):
        heap = kept.setdefault(record.source, [])
        # Negated, since the heap gives up its smallest: that is then the highest draw.
        entry = (-draw(record, seed), record.uid, place, record)
        if per_source is None or len(heap) < per_source:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    return [entry[-1] for source in sorted(kept) for entry in sorted(kept[source], key=lambda e: (-e[0], e[1], e[2]))]


def draw(record: Record, seed: int) -> int:
    """A record's place in the order of draws: 64 bits."""
    text = f"{seed}\n{record.source}\n{record.uid}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def load_sample(
    paths: Iterable[Path], *, split: Split | None, per_source: int | None = None, seed: int = 0
) -> list[Record]:
    """``sample`` over the record files at ``paths`` (files, or folders of them).

    Raises RecordError when a file cannot be read or none of them holds a record of ``split``.
    """
    places = list(paths)
    found = sample(
        (record for path in places for record in read_records(path, split=split)), per_source=per_source, seed=seed
    )
    if not found:
        where = ", ".join(map(str, places)) or "(no files)"
        what = "no record" if split is None else f"no record of split {split!r}"
        raise RecordError(f"{where}: {what}; give other files or another split (train, val, test)")
    return found
