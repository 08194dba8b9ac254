"""Writes invented records to a file: ``python -m deg_core.datagen.generate --count N --seed S --out FILE.jsonl.gz``."""

from __future__ import annotations

import argparse
import gzip
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from deg_core.datagen.documents import KINDS, generate_many
from deg_core.errors import DegError
from deg_core.records.record import Record


def write_records(records: Iterable[Record], out: Path) -> int:
    """Write records as JSON lines (gzip when the name ends in .gz), whole or not at all; returns how many.

    The gzip header holds neither time nor name, so equal records give equal bytes.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    draft = out.with_name(out.name + ".part")
    encoder = msgspec.json.Encoder()
    count = 0
    try:
        with draft.open("wb") as raw:
            stream = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) if out.suffix == ".gz" else raw
            for record in records:
                stream.write(encoder.encode(record) + b"\n")
                count += 1
            if stream is not raw:
                stream.close()
        os.replace(draft, out)
    finally:
        draft.unlink(missing_ok=True)
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m deg_core.datagen.generate", description=__doc__)
    parser.add_argument("--count", type=int, required=True, help="number of records")
    parser.add_argument("--seed", type=int, default=0, help="moves the whole series (default 0)")
    parser.add_argument("--split", choices=("train", "val", "test"), default="train", help="test uses held-out layouts")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines file, gzip when it ends in .gz")
    parser.add_argument(
        "--kinds",
        nargs="+",
        default=list(KINDS),
        help=f"kinds to write, in turn (default all; one named twice comes twice as often): {' '.join(KINDS)}",
    )
    parser.add_argument(
        "--arrays",
        choices=("only", "some", "none"),
        default="some",
        help="records that ask for a list: only these, about 35 %% of all (default), or none",
    )
    parser.add_argument("--layout", help="how records without a list are written down (default: drawn for each)")
    options = parser.parse_args(arguments)
    if options.count < 1:
        parser.error(f"--count is {options.count}; give at least 1")
    try:
        records = generate_many(
            options.count, options.seed, options.split, options.kinds, arrays=options.arrays, layout=options.layout
        )
        count = write_records(records, options.out)
    except DegError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stderr.write(f"{count} records in {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
