"""Arrays in training (SPEC 12.4, 12.6): where gold items start, what a window shows of them, and that what is trained
is what is asked."""

from __future__ import annotations

import random
import re
from collections.abc import MutableSequence
from itertools import pairwise
from typing import Any

import pytest

from deg_core.contract.plan import Mode
from deg_core.protocols.head import MAX_COUNT, ArrayQuery
from deg_core.records.record import Record
from deg_core.training.examples import ExampleBuilder
from deg_core.training.gold import Example, ForkExample
from tests.unit.engine.scripted import RENDERER, array, document, scripted

WORD, YES, MAYBE = {"type": "string"}, {"type": "boolean"}, {"type": ["integer", "null"]}
TEXT = "Name, many. Ann buys 3 tea, 4 milk. Bob buys 1 salt. Cleo buys nothing. Total 8."
ROWS = document(rows=array(document(name=WORD, many=MAYBE)))
VALUE = {"rows": [{"name": "Ann", "many": 3}, {"name": "Bob", "many": 1}, {"name": "Cleo", "many": None}]}


def spans_of(places: dict[str, str], text: str = TEXT) -> dict[str, tuple[int, int]]:
    """Spans of words; ``"from|words"`` are the first words at or after ``from``."""
    found = {}
    for pointer, where in places.items():
        before, _, words = where.rpartition("|")
        at = text.index(words, text.index(before))
        found[pointer] = (at, at + len(words))
    return found


SPANS = {"/rows/0/name": "Ann", "/rows/0/many": "3", "/rows/1/name": "Bob", "/rows/1/many": "1", "/rows/2/name": "Cleo"}


def record(
    schema: dict[str, Any], value: dict[str, Any], places: dict[str, str], text: str = TEXT, **more: Any
) -> Record:
    common = {"uid": "u", "source": "s", "split": "train", "domain": "d"}
    return Record(context=text, schema=schema, value=value, spans=spans_of(places, text), **common, **more)


class Still(random.Random):
    """Leaves everything in its order."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        pass


def build(one: Record, *, context: int = 1000, forks: int = 10_000, rng: random.Random | None = None) -> Example | None:
    builder = ExampleBuilder(RENDERER, max_context_tokens=context, record_fork_tokens=forks)
    return builder.build(one, rng or Still(0))


def lines(fork: ForkExample) -> list[str]:
    return RENDERER.tokenizer.decode(fork.layout.ids).splitlines()


def of(example: Example | None, query: ArrayQuery, pointer: str = "/rows") -> list[ForkExample]:
    forks = example.forks if example is not None else ()
    return [fork for fork in forks if fork.query is query and lines(fork)[0] == f"ARRAY {pointer}"]


def starts(example: Example | None, pointer: str = "/rows") -> list[str]:
    """The texts from each gold start on, of the only anchor fork of the array."""
    (fork,) = of(example, ArrayQuery.ANCHOR, pointer)
    assert example is not None
    return [example.trunk.text[example.trunk.offsets[token][0] :].lstrip() for token in fork.target.starts]


def begin_with(texts: list[str], words: list[str]) -> bool:
    return len(texts) == len(words) and all(a.startswith(b) for a, b in zip(texts, words, strict=True))


# Where items start


def test_an_item_starts_at_its_earliest_span():
    assert begin_with(starts(build(record(ROWS, VALUE, SPANS))), ["Ann", "Bob", "Cleo"])
    late = SPANS | {"/rows/0/name": "tea", "/rows/1/name": "salt"}
    assert begin_with(starts(build(record(ROWS, VALUE, late))), ["3 tea", "1 salt", "Cleo"])


def test_what_siblings_share_locates_no_item():
    shared = SPANS | {f"/rows/{row}/many": "many" for row in range(2)}
    assert begin_with(starts(build(record(ROWS, VALUE, shared))), ["Ann", "Bob", "Cleo"])


def test_an_item_that_has_only_what_siblings_share_starts_there():
    places = {"/rows/0/name": "Name", "/rows/0/many": "3", "/rows/1/name": "Name", "/rows/2/name": "Cleo"}
    assert begin_with(starts(build(record(ROWS, VALUE, places))), ["Name", "3 tea", "Cleo"])


def test_alternatives_locate_no_item():
    one = record(ROWS, VALUE, SPANS, span_alternatives={"/rows/2/name": [(0, 4)]})
    assert begin_with(starts(build(one)), ["Ann", "Bob", "Cleo"])


def test_items_are_taken_in_the_order_of_the_text():
    value = {"rows": VALUE["rows"][::-1]}
    places = {"/rows/2/name": "Ann", "/rows/1/name": "Bob", "/rows/0/name": "Cleo"}
    example = build(record(ROWS, value, places))
    assert begin_with(starts(example), ["Ann", "Bob", "Cleo"])
    names = [fork for fork in example.forks if lines(fork)[0] == "FIELD /rows/*/name"]
    assert [re.search(r'AT: "(\w+)', lines(fork)[1])[1] for fork in names] == ["Ann", "Bob", "Cleo"]
    for fork, words in zip(names, ("Ann", "Bob", "Cleo"), strict=True):
        first, last = example.trunk.offsets[fork.target.starts[0]], example.trunk.offsets[fork.target.ends[0]]
        assert TEXT[first[0] : last[1]].strip() == words


@pytest.mark.parametrize(
    "places",
    [
        {key: words for key, words in SPANS.items() if key != "/rows/2/name"},  # an item without a place
        SPANS | {"/rows/2/name": "Bob"} | {"/rows/1/many": "Bob"},  # two items with one anchor
        {},
    ],
)
def test_an_array_whose_items_have_no_anchors_of_their_own_is_left_out(places: dict[str, str]):
    schema = document(rows=ROWS["properties"]["rows"], total={"type": "integer"})
    example = build(record(schema, VALUE | {"total": 8}, places | {"/total": "8"}))
    assert example is not None
    assert example.skipped == 1
    assert [lines(fork)[0] for fork in example.forks] == ["FIELD /total"]


def test_an_empty_array_trains_that_nothing_starts():
    example = build(record(ROWS, {"rows": []}, {}))
    (fork,) = of(example, ArrayQuery.ANCHOR)
    assert fork.target.starts == ()
    assert fork.region == (0, len(example.trunk.offsets))
    (count,) = of(example, ArrayQuery.COUNT)
    assert count.target.count == 0
    assert (example.skipped, len(example.forks)) == (0, 2)


def test_an_array_that_is_missing_trains_nothing():
    assert build(record(document(rows=array(WORD)), {}, {})) is None


# Counts


@pytest.mark.parametrize(
    ("keywords", "bounds"),
    [
        ({}, (0, MAX_COUNT)),
        ({"minItems": 1}, (1, MAX_COUNT)),
        ({"minItems": 2, "maxItems": 9}, (2, 9)),
        ({"maxItems": 300}, (0, MAX_COUNT)),
        ({"minItems": 3, "maxItems": 3}, (3, 3)),
    ],
)
def test_a_count_is_trained_within_what_the_schema_allows(keywords: dict[str, Any], bounds: tuple[int, int]):
    (fork,) = of(build(record(document(rows=array(YES, **keywords)), {"rows": [True] * 3}, {})), ArrayQuery.COUNT)
    assert (fork.target.count, fork.target.bounds) == (3, bounds)


def test_decided_arrays_are_trained_by_index():
    example = build(record(document(rows=array(YES)), {"rows": [True, False]}, {}))
    assert [lines(fork)[:2] for fork in example.forks] == [
        ["ARRAY /rows", "KIND how many items there are"],
        ["FIELD /rows/0", "ITEM 0 of /rows"],
        ["FIELD /rows/1", "ITEM 1 of /rows"],
    ]
    assert [fork.target.probs.tolist() for fork in example.forks[1:]] == [[1, 0], [0, 1]]


def test_written_texts_are_counted_and_not_trained():
    note = {"type": "string", "x-generate": True}
    example = build(record(document(rows=array(note)), {"rows": ["a", "b"]}, {}))
    assert [(fork.query, fork.target.count) for fork in example.forks] == [(ArrayQuery.COUNT, 2)]


# Arrays in items

NESTED = document(rows=array(document(name=WORD, goods=array(document(what=WORD)))))
NESTED_VALUE = {
    "rows": [
        {"name": "Ann", "goods": [{"what": "tea"}, {"what": "milk"}]},
        {"name": "Bob", "goods": [{"what": "salt"}]},
        {"name": "Cleo", "goods": []},
    ]
}
NESTED_SPANS = {
    "/rows/0/name": "Ann",
    "/rows/0/goods/0/what": "tea",
    "/rows/0/goods/1/what": "milk",
    "/rows/1/name": "Bob",
    "/rows/1/goods/0/what": "salt",
    "/rows/2/name": "Cleo",
}


def test_inner_arrays_are_searched_in_their_item():
    example = build(record(NESTED, NESTED_VALUE, NESTED_SPANS))
    inner = of(example, ArrayQuery.ANCHOR, "/rows/*/goods")
    (outer,) = of(example, ArrayQuery.ANCHOR)
    edges = [*outer.target.starts, len(example.trunk.offsets)]
    assert [fork.region for fork in inner] == list(pairwise(edges))
    assert [len(fork.target.starts) for fork in inner] == [2, 1, 0]
    assert [fork.target.count for fork in of(example, ArrayQuery.COUNT, "/rows/*/goods")] == [2, 1, 0]


def test_an_inner_item_outside_its_own_item_leaves_the_inner_array_out():
    places = NESTED_SPANS | {"/rows/0/goods/1/what": "nothing"}  # which Cleo buys
    example = build(record(NESTED, NESTED_VALUE, places))
    assert example.skipped == 1
    assert len(of(example, ArrayQuery.ANCHOR)) == 1
    assert len(of(example, ArrayQuery.ANCHOR, "/rows/*/goods")) == 2
    assert len([fork for fork in example.forks if lines(fork)[0] == "FIELD /rows/*/name"]) == 3


# Windows

LONG = "".join(f"Person {n} has number {n * 7 + 1000} and says yes. " for n in range(40))
PEOPLE = document(people=array(document(name=WORD, number=MAYBE, yes=YES)))
PEOPLE_VALUE = {"people": [{"name": f"Person {n}", "number": n * 7 + 1000, "yes": True} for n in range(40)]}
PEOPLE_SPANS = {f"/people/{n}/name": f"Person {n}" for n in range(40)}
PEOPLE_SPANS |= {f"/people/{n}/number": f"Person {n} |{n * 7 + 1000}" for n in range(40)}


def windows(one: Record, draws: int = 25) -> list[Example | None]:
    return [build(one, context=120, rng=random.Random(seed)) for seed in range(draws)]


def test_a_window_trains_the_items_that_start_in_it():
    places = spans_of(PEOPLE_SPANS, LONG)
    for example in windows(record(PEOPLE, PEOPLE_VALUE, PEOPLE_SPANS, LONG)):
        assert example is not None
        assert len(example.trunk.offsets) <= 120
        begin = LONG.index(example.trunk.text)
        end = begin + len(example.trunk.text)
        inside = [span for n in range(40) if begin <= (span := places[f"/people/{n}/name"])[0] < end]
        assert begin_with(starts(example, "/people"), [LONG[start : min(stop, end)] for start, stop in inside])
        (anchor,) = of(example, ArrayQuery.ANCHOR, "/people")
        leaves = [fork for fork in example.forks if isinstance(fork.query, Mode)]
        assert {fork.region[0] for fork in leaves if fork.region} <= set(anchor.target.starts)
        names = [fork for fork in leaves if lines(fork)[0] == "FIELD /people/*/name"]
        assert len(names) == sum(stop <= end for _, stop in inside)  # the last may be cut


def test_an_item_that_is_cut_at_its_start_does_not_start_later():
    """Its number may stand in the window, but an item starts where it starts."""
    cut = 0
    for example in windows(record(PEOPLE, PEOPLE_VALUE, PEOPLE_SPANS, LONG)):
        first = re.search(r"Person|\d{4}", example.trunk.text)
        if first is not None and first.group() != "Person":
            cut += 1
            (anchor,) = of(example, ArrayQuery.ANCHOR, "/people")
            assert all("Person" in text[:6] for text in starts(example, "/people"))
            numbers = [fork for fork in example.forks if fork.query is Mode.NUMBER]
            assert all(fork.target.starts[0] > anchor.target.starts[0] for fork in numbers)
    assert cut > 3


def test_a_window_trains_no_count_no_decision_and_no_absence():
    value = {"people": [*PEOPLE_VALUE["people"][:-1], PEOPLE_VALUE["people"][-1] | {"number": None}]}
    places = {key: words for key, words in PEOPLE_SPANS.items() if key != "/people/39/number"}
    seen = set()
    for example in windows(record(PEOPLE, value, places, LONG)):
        queries = {fork.query for fork in example.forks}
        assert queries <= {ArrayQuery.ANCHOR, Mode.SPAN, Mode.NUMBER}
        assert not any(fork.absent for fork in example.forks)
        seen |= queries
    assert len(seen) == 3


def test_an_array_of_which_a_window_shows_nothing_trains_nothing_there():
    schema = document(people=PEOPLE["properties"]["people"], end=WORD, none=array(WORD))
    text = LONG + "filler words " * 100 + "THE END."
    one = record(schema, PEOPLE_VALUE | {"end": "END", "none": []}, PEOPLE_SPANS | {"/end": "END"}, text)
    whole = build(one, context=10_000)
    assert of(whole, ArrayQuery.ANCHOR, "/none")
    shown = 0
    for seed in range(200):
        example = build(one, context=60, rng=random.Random(seed))
        assert not of(example, ArrayQuery.ANCHOR, "/none")
        if "END" in example.trunk.text and "Person" not in example.trunk.text:
            shown += 1
            assert not of(example, ArrayQuery.ANCHOR, "/people")
            assert example.skipped == 0
    assert shown


def test_an_item_without_a_place_leaves_the_array_out_of_windows_too():
    places = {key: words for key, words in PEOPLE_SPANS.items() if not key.startswith("/people/20/")}
    assert set(windows(record(PEOPLE, PEOPLE_VALUE, places, LONG), 8)) == {None}


# Room


def test_forks_about_whole_arrays_are_always_kept():
    example = build(record(NESTED, NESTED_VALUE, NESTED_SPANS), forks=1)
    assert [fork.query for fork in example.forks].count(ArrayQuery.ANCHOR) == 4
    assert not any(isinstance(fork.query, Mode) for fork in example.forks)


# What is trained is what is asked


def asked(schema: dict[str, Any], says: dict[str, Any], text: str = TEXT) -> set[Any]:
    done = scripted(text, schema, says, decoder="hybrid")
    return {(fork.ask.query, fork.ask.layout, fork.ask.region) for fork in done.forks}


def trained(one: Record) -> set[Any]:
    example = build(one)
    assert example is not None
    return {(fork.query, fork.layout, fork.region) for fork in example.forks}


def test_training_and_inference_render_the_same_forks():
    grade = {"type": "integer", "minimum": 1, "maximum": 3}
    item = document(name=WORD, many=MAYBE, kind={"enum": ["buys", "sells"]}, grade=grade)
    schema = document(rows=array(item, title="All rows", description="one\nper person"), total={"type": "integer"})
    rows = [row | {"kind": "buys", "grade": 2} for row in VALUE["rows"]]
    says = {
        "anchor /rows": ["Ann", "Bob", "Cleo"],
        "count /rows": 3,
        "/rows/*/name": lambda fork: fork.first(r"[A-Z]\w+"),
        "/rows/*/many": None,
        "/rows/*/kind": "buys",
        "/rows/*/grade": 2,
        "/total": "8",
    }
    one = record(schema, {"rows": rows, "total": 8}, SPANS | {"/total": "8"})
    assert trained(one) == asked(schema, says)
    assert len(trained(one)) == 2 + 3 * 4 + 1


def test_forks_of_nested_arrays_are_the_same_too():
    says = {
        "anchor /rows": ["Ann", "Bob", "Cleo"],
        "count /rows": 3,
        "/rows/*/name": lambda fork: fork.first(r"[A-Z]\w+"),
        "anchor /rows/*/goods": lambda fork: re.findall("tea|milk|salt", fork.words),
        "count /rows/*/goods": lambda fork: {"Ann": 2, "Bob": 1}.get(fork.places[0].split('"')[1][:3], 0),
        "/rows/*/goods/*/what": lambda fork: fork.first(r"\w+"),
    }
    assert trained(record(NESTED, NESTED_VALUE, NESTED_SPANS)) == asked(NESTED, says)


def test_forks_of_decided_arrays_are_among_those_that_are_asked():
    """Inference asks for eight items before it knows how many there are."""
    schema = document(rows=array(YES))
    says = {"count /rows": 2} | {f"/rows/{index}": True for index in range(8)}
    assert trained(record(schema, {"rows": [True, False]}, {})) < asked(schema, says)
