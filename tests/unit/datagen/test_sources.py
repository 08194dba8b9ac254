"""The converters: invented rows in each set's format, and samples of the real sets where they are at hand."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from deg_core.datagen.raw import Tally
from deg_core.datagen.sources import SOURCES, load_source
from deg_core.errors import RecordError, UnknownNameError
from deg_core.records import Record, check_record, split_of
from tests.unit.datagen.array_set_files import ARRAY_WRITERS
from tests.unit.datagen.set_files import SKIPS
from tests.unit.datagen.set_files import WRITERS as FLAT_WRITERS

WRITERS = FLAT_WRITERS | ARRAY_WRITERS


@pytest.fixture(params=sorted(WRITERS))
def source(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _load(source: str, folder: Path, tally: Tally | None = None) -> list[Record]:
    if not folder.exists():
        WRITERS[source](folder)
    return list(load_source(source, folder, tally=tally))


def test_every_source_has_rows_to_test_with() -> None:
    assert set(WRITERS) == set(SOURCES)
    assert all(entry.licence and entry.attribution for entry in SOURCES.values())


def test_records_hold_what_they_say(source: str, tmp_path: Path) -> None:
    tally = Tally()
    records = _load(source, tmp_path / source, tally)
    assert records
    for record in records:
        assert check_record(record) == [], record
        assert record.source == source
        assert record.uid.startswith(f"{source}/")
        assert record.context.strip()
    assert len({record.uid for record in records}) == len(records)
    assert (source in SKIPS or source in ARRAY_WRITERS) == bool(tally), tally


def test_the_same_rows_give_the_same_records(source: str, tmp_path: Path) -> None:
    assert _load(source, tmp_path / source) == _load(source, tmp_path / source)


def test_missing_files_are_named(source: str, tmp_path: Path) -> None:
    if source == "nlupp" or source == "sgd":
        pytest.skip("the file that is looked for first is tested for the others")
    with pytest.raises(RecordError, match="empty"):
        list(load_source(source, tmp_path / "empty"))


def test_an_unknown_source_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="squad2"):
        load_source("sqad", tmp_path)


def test_the_table_imports_no_converter() -> None:
    import subprocess

    code = (
        "import sys, deg_core.datagen.sources as s; print([m for m in sys.modules if m.startswith(s.__name__ + '.')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_splits_go_by_document(tmp_path: Path) -> None:
    """All that comes from one dialogue, article or talk is in one split, in sets that share texts too."""
    for source in ("sgd", "squad2", "multidogo"):
        where: dict[str, set[str]] = {}
        for record in _load(source, tmp_path / source):
            key = record.uid.split("/")[2 if source == "multidogo" else 1]
            where.setdefault(key, set()).add(record.split)
            assert record.split == split_of(f"{source}:{key}")
        assert all(len(splits) == 1 for splits in where.values())
    for record in _load("dstc8_spans", tmp_path / "dstc8_spans"):
        assert record.split in {split_of(f"sgd:9_{number:05d}") for number in range(4)}


def test_absent_slots_are_null_and_present_ones_are_found(tmp_path: Path) -> None:
    records = _load("restaurant8k", tmp_path / "restaurant8k")
    nulls = sum(value is None for record in records for value in record.value.values())
    spans = [record.context[slice(*span)] for record in records for span in record.spans.values()]
    assert nulls > 3
    assert {"Brandt", "Friday"} <= set(spans)
    assert any(isinstance(value, int) for record in records for value in record.value.values())


def test_schemas_differ_from_record_to_record(tmp_path: Path) -> None:
    records = _load("hwu64", tmp_path / "hwu64")
    assert len({tuple(record.schema["properties"]) for record in records}) > len(records) // 2


def test_squad_answers(tmp_path: Path) -> None:
    tally = Tally()
    records = _load("squad2", tmp_path / "squad2", tally)
    answers = {value for record in records for value in _flat(record.value)}
    assert answers <= {"Per Aas", "Aas", "1822", None}
    assert "1822" in answers
    assert None in answers or any(len(record.value) < len(record.schema["properties"]) for record in records)
    assert tally == {"bad span": 4, "no answer that holds": 4}


def _flat(value: object) -> list[object]:
    return [leaf for item in value.values() for leaf in _flat(item)] if isinstance(value, dict) else [value]


def test_votes_become_soft_targets(tmp_path: Path) -> None:
    probs = [shares for record in _load("toxic_tweets", tmp_path / "t") for shares in record.decide_probs.values()]
    assert probs
    assert all(abs(sum(shares) - 1) < 1e-9 and len(shares) == 3 for shares in probs)


def test_levels_and_labels(tmp_path: Path) -> None:
    for source in ("emobank", "complex_lcp", "onestop_levels"):
        for record in _load(source, tmp_path / source):
            for name, leaf in record.schema["properties"].items():
                if "x-levels" in leaf and name in record.value:
                    assert set(leaf["x-levels"]) <= {str(level) for level in range(6)}


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_samples_of_the_real_sets_hold(source: str, shared: Path) -> None:
    folder = shared / "data" / SOURCES[source].folder
    if not folder.is_dir():
        pytest.skip(f"the data set {source} is not on this machine")
    records = list(islice(load_source(source, folder), 20))
    assert records
    problems = Counter(str(problem) for record in records for problem in check_record(record))
    assert not problems
