"""Drawing records from weighted sources, seeded and resumable."""

from __future__ import annotations

import gzip
import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from deg_core.errors import TrainingError
from deg_core.records.record import Record
from deg_core.training.config import Source


class RecordPool:
    """The training records of one source, kept as raw lines and decoded when drawn; each epoch is a new shuffle."""

    def __init__(self, source: Source, seed: int, name: str | None = None) -> None:
        """``name`` tells sources apart that are called alike; the file's or folder's own name by default."""
        self.weight = source.weight
        self.name = name or source.path.name
        digest = hashlib.sha256()
        self._lines: list[bytes] = []
        for path in _files(source.path):
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            digest.update(data)
            self._lines += _train_lines(path, data)
        if not self._lines:
            raise TrainingError(f'{source.path} holds no record with split "train"')
        self.sha256 = digest.hexdigest()
        self._seed, self._epoch, self._at = seed, 0, 0
        self._order = self._shuffled()

    def __len__(self) -> int:
        return len(self._lines)

    def draw(self) -> Record:
        """The next record of this source."""
        if self._at == len(self._order):
            self._epoch, self._at = self._epoch + 1, 0
            self._order = self._shuffled()
        line = self._lines[self._order[self._at]]
        self._at += 1
        try:
            return _decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise TrainingError(f"source {self.name}: {line[:80]!r}... is no record: {error}") from error

    def state(self) -> dict[str, Any]:
        """Position to resume from."""
        return {"epoch": self._epoch, "at": self._at, "sha256": self.sha256}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue at ``state``; a source whose content changed starts a fresh epoch instead."""
        if state["sha256"] == self.sha256:
            self._epoch, self._at = state["epoch"], state["at"]
        else:
            self._epoch, self._at = state["epoch"] + 1, 0
        self._order = self._shuffled()

    def _shuffled(self) -> list[int]:
        order = list(range(len(self._lines)))
        random.Random(f"{self._seed}/{self.name}/{self._epoch}").shuffle(order)
        return order


class Sampler:
    """Draws sources by weight and records from them."""

    def __init__(self, sources: Sequence[Source], seed: int) -> None:
        self.pools = []
        seen: Counter[str] = Counter()
        for source in sources:
            name = source.path.name
            seen[name] += 1
            self.pools.append(RecordPool(source, seed, name if seen[name] == 1 else f"{name}#{seen[name]}"))
        self._rng = random.Random(seed)

    def draw(self) -> Record:
        """One record."""
        (pool,) = self._rng.choices(self.pools, weights=[pool.weight for pool in self.pools])
        return pool.draw()

    def state(self) -> dict[str, Any]:
        """Everything needed to go on drawing the same sequence."""
        return {"rng": self._rng.getstate(), "pools": {pool.name: pool.state() for pool in self.pools}}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where ``state`` was taken."""
        self._rng.setstate(state["rng"])
        for pool in self.pools:
            if pool.name in state["pools"]:
                pool.restore(state["pools"][pool.name])


class _SplitOnly(msgspec.Struct):
    split: str


_decoder = msgspec.json.Decoder(Record)
_split_decoder = msgspec.json.Decoder(_SplitOnly)


def _train_lines(path: Path, data: bytes) -> list[bytes]:
    """The lines of a records file whose split is "train". Raises TrainingError naming the first bad line."""
    lines = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            split = _split_decoder.decode(line).split
        except msgspec.MsgspecError as error:
            raise TrainingError(f"{path}:{number}: not a record: {error}") from error
        if split == "train":
            lines.append(line)
    return lines


def _files(path: Path) -> list[Path]:
    found = sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]
    if not found or not all(file.is_file() for file in found):
        raise TrainingError(f"{path} is neither a records file (.jsonl, .jsonl.gz) nor a folder of them")
    return found
