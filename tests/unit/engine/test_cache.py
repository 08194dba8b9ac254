"""Texts that were read are kept within a bound in bytes, the least recently used go first; threads may share them."""

from __future__ import annotations

import random
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.engine.cache import TrunkCache
from deg_core.engine.engine import Model


def cache(limit: int) -> TrunkCache[str]:
    return TrunkCache(limit, len)


def read(kept: TrunkCache[str], key: str, size: int = 1) -> bool:
    """Ask for a key; whether it had to be read."""
    reads = []

    def make() -> str:
        reads.append(key)
        return key[0] * size

    assert kept.get(key, make) == key[0] * size
    return bool(reads)


def test_what_was_read_is_not_read_again():
    kept = cache(10)
    assert [read(kept, "a"), read(kept, "a"), read(kept, "b"), read(kept, "a")] == [True, False, True, False]
    assert (kept.hits, kept.misses, len(kept), kept.bytes) == (2, 2, 2, 2)


def test_the_very_object_is_given():
    kept: TrunkCache[list[int]] = TrunkCache(10, len)
    first = kept.get("a", lambda: [1])
    assert kept.get("a", lambda: [1]) is first


def test_the_least_recently_used_goes_first():
    kept = cache(3)
    for key in "abc":
        read(kept, key)
    assert not read(kept, "a")  # now b is the oldest
    assert read(kept, "d")
    assert [read(kept, key) for key in "acd"] == [False] * 3
    assert read(kept, "b")


def test_a_large_entry_pushes_out_as_many_as_it_needs():
    kept = cache(10)
    for key in "abcd":
        read(kept, key, 2)
    read(kept, "e", 6)
    assert (kept.bytes, len(kept)) == (10, 3)
    assert [read(kept, key, 2) for key in "cd"] == [False, False]


@pytest.mark.parametrize("limit", [0, 4])
def test_what_is_larger_than_the_bound_is_not_kept_and_pushes_nothing_out(limit: int):
    kept = cache(limit)
    read(kept, "a", limit)
    before = len(kept)
    assert read(kept, "b", limit + 1)
    assert read(kept, "b", limit + 1)
    assert (len(kept), kept.bytes) == (before, limit)


def test_a_reading_that_fails_leaves_nothing():
    kept = cache(9)

    def fail() -> str:
        raise ValueError("unreadable")

    with pytest.raises(ValueError, match="unreadable"):
        kept.get("a", fail)
    assert len(kept) == kept.bytes == 0
    assert read(kept, "a")


def test_clearing_forgets():
    kept = cache(9)
    read(kept, "a", 3)
    kept.clear()
    assert (len(kept), kept.bytes) == (0, 0)
    assert read(kept, "a", 3)


@given(st.integers(0, 12), st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4)), max_size=40))
def test_it_is_the_textbook_cache(limit: int, asked: Sequence[tuple[str, int]]):
    kept, model = cache(limit), OrderedDict[str, int]()
    for letter, size in asked:
        key = f"{letter}{size}"
        assert read(kept, key, size) == (key not in model)
        model[key] = size
        model.move_to_end(key)
        if size > limit:
            del model[key]
        while sum(model.values()) > limit:
            model.popitem(last=False)
        assert (len(kept), kept.bytes) == (len(model), sum(model.values()))
        assert kept.bytes <= limit


def test_threads_share_it():
    kept = cache(20)
    failures: list[object] = []

    def work(seed: int) -> None:
        dice = random.Random(seed)
        try:
            for _ in range(2000):
                letter = dice.choice("abcdefghijkl")
                read(kept, letter, ord(letter) % 7)
                if not 0 <= kept.bytes <= 20 or len(kept) > 12:
                    failures.append((kept.bytes, len(kept)))
        except Exception as error:
            failures.append(error)
            raise

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
    assert kept.bytes == sum(size for _, size in kept._kept.values())
    assert kept.hits + kept.misses == 6 * 2000


def test_a_model_keeps_texts_by_their_words_within_its_bound(tiny_models: Mapping[str, Model]):
    model = tiny_models["int8"]
    one = model.context("Pay 12 EUR.").bytes
    kept = Model(model.spec, model.body, model.renderer, model.heads, model.compute, cache_bytes=one * 2 + one // 2)
    schema = {"type": "object", "properties": {"n": {"type": "number"}, "yes": {"type": "boolean"}}}
    results = [kept.fill(text, schema) for text in ("Pay 12 EUR.", "Pay 13 EUR.", "Pay 12 EUR.")]
    assert results[0] == results[2]
    assert (kept.cache.hits, kept.cache.misses, len(kept.cache)) == (1, 2, 2)
    kept.fill("Pay 14 EUR.", schema)  # which pushes 13 out
    kept.fill("Pay 12 EUR.", {"type": "object", "properties": {"other": {"type": "boolean"}}})
    assert (kept.cache.hits, kept.cache.misses) == (2, 3)
    assert kept.cache.bytes <= kept.cache.limit
    kept.fill("Pay 99 EUR. " * 60, schema)  # too large to be kept
    assert (len(kept.cache), kept.cache.misses) == (2, 4)
