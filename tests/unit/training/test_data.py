"""Drawing records: only those for training, each once an epoch, and on from where a run stopped."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from deg_core.errors import TrainingError
from deg_core.records.record import Record
from deg_core.training.config import Source
from deg_core.training.data import RecordPool, Sampler


def write(path: Path, count: int, *, split: str = "train", name: str = "r") -> Path:
    """``count`` records of a split; a ``.gz`` path is compressed."""
    records = [
        Record(uid=f"{name}{n}", source=name, split=split, domain="d", context="x", schema={"type": "object"}, value={})
        for n in range(count)
    ]
    data = b"\n".join(map(msgspec.json.encode, records)) + b"\n\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def uids(source: RecordPool | Sampler, count: int) -> list[str]:
    return [source.draw().uid for _ in range(count)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_each_record_comes_once_an_epoch(tmp_path: Path, name: str):
    pool = RecordPool(Source(write(tmp_path / name, 7)), seed=0)
    assert len(pool) == 7
    epochs = [uids(pool, 7) for _ in range(3)]
    assert all(sorted(epoch) == [f"r{n}" for n in range(7)] for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == 3


def test_only_training_records_are_drawn(tmp_path: Path):
    write(tmp_path / "set/a.jsonl", 3)
    write(tmp_path / "set/b.jsonl.gz", 2, name="s")
    write(tmp_path / "set/c.jsonl", 4, split="val", name="v")
    write(tmp_path / "set/d.jsonl", 4, split="test", name="t")
    pool = RecordPool(Source(tmp_path / "set"), seed=0)
    assert sorted(uids(pool, 5)) == ["r0", "r1", "r2", "s0", "s1"]


def test_a_source_without_training_records_is_refused(tmp_path: Path):
    for path in (write(tmp_path / "val.jsonl", 3, split="val"), write(tmp_path / "empty.jsonl", 0)):
        with pytest.raises(TrainingError, match=f'{path.name} holds no record with split "train"'):
            RecordPool(Source(path), seed=0)


def test_a_source_that_is_not_there_is_refused(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    for name in ("nothing.jsonl", "folder"):
        with pytest.raises(TrainingError, match="neither a records file"):
            RecordPool(Source(tmp_path / name), seed=0)


def test_a_line_that_is_no_record_is_named(tmp_path: Path):
    path = write(tmp_path / "a.jsonl", 2)
    path.write_bytes(path.read_bytes() + b'{"uid": 3}\n')
    with pytest.raises(TrainingError, match=r"a\.jsonl:4: not a record"):
        RecordPool(Source(path), seed=0)
    path.write_bytes(b'{"split": "train", "uid": "only this"}\n')
    pool = RecordPool(Source(path), seed=0)
    with pytest.raises(TrainingError, match=r"source a\.jsonl: .*only this.* is no record"):
        pool.draw()


def test_a_pool_goes_on_where_it_stopped(tmp_path: Path):
    source = Source(write(tmp_path / "a.jsonl", 5))
    pool, again = RecordPool(source, seed=1), RecordPool(source, seed=1)
    uids(pool, 8)
    again.restore(pool.state())
    assert uids(again, 12) == uids(pool, 12)


def test_a_changed_source_starts_a_new_epoch(tmp_path: Path):
    pool = RecordPool(Source(write(tmp_path / "a.jsonl", 5)), seed=1)
    uids(pool, 3)
    state = pool.state()
    changed = RecordPool(Source(write(tmp_path / "a.jsonl", 9)), seed=1)
    changed.restore(state)
    assert sorted(uids(changed, 9)) == [f"r{n}" for n in range(9)]


def test_the_seed_decides(tmp_path: Path):
    source = Source(write(tmp_path / "a.jsonl", 20))
    assert uids(RecordPool(source, seed=1), 20) == uids(RecordPool(source, seed=1), 20)
    assert uids(RecordPool(source, seed=1), 20) != uids(RecordPool(source, seed=2), 20)


def test_sources_are_drawn_by_weight(tmp_path: Path):
    sources = [
        Source(write(tmp_path / f"{name}.jsonl", 50, name=name), weight) for name, weight in (("a", 3.0), ("b", 1.0))
    ]
    drawn = Counter(Sampler(sources, seed=0).draw().source for _ in range(1)) + Counter(
        uid[0] for uid in uids(Sampler(sources, seed=0), 2000)
    )
    assert drawn["a"] / drawn["b"] == pytest.approx(3, rel=0.2)


def test_a_sampler_goes_on_where_it_stopped(tmp_path: Path):
    sources = [Source(write(tmp_path / f"{name}.jsonl", 6, name=name)) for name in "ab"]
    sampler, again = Sampler(sources, seed=0), Sampler(sources, seed=0)
    uids(sampler, 17)
    again.restore(sampler.state())
    assert uids(again, 20) == uids(sampler, 20)


def test_sources_of_one_name_are_kept_apart(tmp_path: Path):
    """Folders often hold files called alike; each has its own position, and its own hash in the provenance."""
    sources = [Source(write(tmp_path / name / "train.jsonl", size, name=name)) for name, size in (("a", 6), ("b", 9))]
    sampler, again = Sampler(sources, seed=0), Sampler(sources, seed=0)
    assert [pool.name for pool in sampler.pools] == ["train.jsonl", "train.jsonl#2"]
    uids(sampler, 17)
    again.restore(sampler.state())
    assert uids(again, 20) == uids(sampler, 20)


def test_a_new_source_beside_old_ones_is_no_trouble(tmp_path: Path):
    first, second = (Source(write(tmp_path / f"{name}.jsonl", 6, name=name)) for name in "ab")
    sampler = Sampler([first], seed=0)
    uids(sampler, 4)
    grown = Sampler([first, second], seed=0)
    grown.restore(sampler.state())
    assert {uid[0] for uid in uids(grown, 30)} == {"a", "b"}
