"""``python -m deg_core.datagen.convert --data DIR --out DIR``: public data sets into record files."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from deg_core.datagen.raw import Tally
from deg_core.datagen.sources import SOURCES, load_source
from deg_core.errors import DegError
from deg_core.records.record import Record
from deg_core.records.store import write_records

MANIFEST = "manifest.json"


def convert(name: str, data: Path, out: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Write ``out/NAME.jsonl.gz`` from the source's folder in ``data`` and return its manifest entry."""
    tally, splits = Tally(), Counter[str]()
    folder = data / (SOURCES[name].folder if name in SOURCES else name)

    def counted() -> Iterator[Record]:
        for record in islice(load_source(name, folder, tally=tally), limit):
            splits[record.split] += 1
            yield record

    target = out / f"{name}.jsonl.gz"
    write_records(target, counted())
    source = SOURCES[name]
    return {
        "source": name,
        "licence": source.licence,
        "attribution": source.attribution,
        "file": target.name,
        "records": {split: splits[split] for split in ("train", "val", "test")},
        "skipped": dict(sorted(tally.items())),
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
    }


def update_manifest(out: Path, entries: Sequence[dict[str, Any]]) -> None:
    """Put ``entries`` into ``out/manifest.json``, keeping those of sources that were not converted now."""
    path = out / MANIFEST
    known: dict[str, dict[str, Any]] = {}
    if path.is_file():
        known = {entry["source"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))["sources"]}
    known |= {entry["source"]: entry for entry in entries}
    text = json.dumps({"sources": [known[name] for name in sorted(known)]}, indent=1, ensure_ascii=False) + "\n"
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m deg_core.datagen.convert", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with one folder per data set")
    parser.add_argument("--out", type=Path, required=True, help="folder for NAME.jsonl.gz and manifest.json")
    parser.add_argument("--sources", help="comma-separated names; default: all whose folder is there")
    parser.add_argument("--limit", type=int, help="at most this many records a source")
    args = parser.parse_args(argv)
    names = (
        args.sources.split(",")
        if args.sources
        else [name for name, source in SOURCES.items() if (args.data / source.folder).is_dir()]
    )
    args.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in names:
        try:
            entry = convert(name, args.data, args.out, limit=args.limit)
        except DegError as error:
            sys.stderr.write(f"{name}: {error}\n")
            failed += 1
            continue
        update_manifest(args.out, [entry])
        counts = " ".join(f"{split} {count}" for split, count in entry["records"].items())
        skipped = f"  skipped {sum(entry['skipped'].values())}" if entry["skipped"] else ""
        sys.stdout.write(f"{name}: {counts}{skipped}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
