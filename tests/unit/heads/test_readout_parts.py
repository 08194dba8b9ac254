"""The parts of readout heads against plain definitions: spelled answers, tries over a text, the beam search."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deg_backbones.llama.model import LlamaFamily
from deg_core.rendering.layout import Renderer
from deg_core.rendering.readout import labels
from deg_heads.readout.search import search
from deg_heads.readout.sources import MOST_TOKENS, Copies, ListedSpans, Span, TextPlaces, Trie
from deg_heads.readout.spelling import follow, log_sum, normalised, one_token_each, spell
from tests.fixtures.tiny import tiny_tokenizer
from tests.unit.heads.speaking import Row, Speaker

TOKENIZER = tiny_tokenizer()
RENDERER = Renderer(LlamaFamily(), TOKENIZER)
VOCABULARY = 20
ROOT = Row((7, 3))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.lists(
    st.sampled_from(
        ["total", "-5", "+44 20", "Ann", "Ltd.", "(a)", "x_y", "é", "e\u0301f", "日本", "1.5", '"q"', "🙂"]
    ),
    max_size=8,
).map(" ".join)

answers = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple), min_size=1, max_size=8, unique=True)


# Spelling


def brute(speaker: Speaker, given: list[tuple[int, ...]], row: Row) -> list[float]:
    """By the chain rule; where others go on, the answer ends with what they leave."""
    found = []
    for answer in given:
        further = {other[len(answer)] for other in given if other[: len(answer)] == answer and other != answer}
        after = speaker.log_p(Row((*row.ids, *answer), row.blank))
        left = 1 - sum(math.exp(float(after[token])) for token in further)
        found.append(speaker.chain(answer, row) + (math.log(left) if further else 0.0))
    return found


@given(answers)
def test_answers_are_spelled_by_the_chain_rule(given_answers: list[tuple[int, ...]]):
    speaker = Speaker(VOCABULARY)
    rows = [ROOT, Row((1,), blank=True)]

    def asking():
        return (yield from spell([speaker.heard(row) for row in rows], given_answers))

    running = asking()
    try:
        found = speaker.answer(running)
    except StopIteration as stop:  # all could be read at once
        assert one_token_each(given_answers)
        found = stop.value
    for row, log_p in zip(rows, found, strict=True):
        assert log_p == pytest.approx(brute(speaker, given_answers, row), abs=1e-4)
        assert log_sum(log_p) < 1e-4


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_two_ways_are_followed_side_by_side(way: list[int], beside: list[int]):
    speaker = Speaker(VOCABULARY)

    def asking():
        return (yield from follow(speaker.heard(ROOT), tuple(way), tuple(beside)))

    total, other, heard = speaker.answer(asking())
    assert total == pytest.approx(speaker.chain(way, ROOT), abs=1e-4)
    assert other == pytest.approx(speaker.chain(beside, ROOT), abs=1e-4)
    assert torch.equal(heard.log_p_V, speaker.log_p(Row((*ROOT.ids, *way))))


def test_normalised_is_a_distribution():
    assert math.fsum(map(math.exp, normalised([-700.0, -701.0, -702.5]))) == pytest.approx(1.0)


# Labels


@pytest.mark.parametrize("count", [2, 26, 27, 60, 255])
def test_labels_are_distinct_and_none_begins_another(count: int):
    made = labels(count, TOKENIZER)
    assert len(set(made)) == len(made) == count
    assert len({len(label) for label in made}) == 1
    assert labels(count, TOKENIZER) == made
    assert all(label[0] == " " for label in made)


def test_labels_of_one_token_are_preferred_where_they_suffice():
    class Merged:
        """Every pair that begins with a letter up to M is one token."""

        def encode(self, text: str) -> list[int]:
            return [0] if len(text) < 3 or text[1] <= "M" else [0, 1]

    merged = Merged()
    assert all(label[1] <= "M" for label in labels(255, merged))
    assert labels(400, merged)[-1][1] > "M"


# Tries


def ways(trie: Trie, limit: int = 3) -> dict[tuple[int, ...], tuple[Span, ...]]:
    """All ways of at most ``limit`` tokens that end."""
    found: dict[tuple[int, ...], tuple[Span, ...]] = {}
    open_ways = [((), trie.root)]
    while open_ways:
        ids, state = open_ways.pop()
        if ends := trie.ends(state):
            found[ids] = tuple(ends)
        if len(ids) < limit:
            open_ways += [((*ids, token), after) for token, after in trie.children(state).items()]
    return found


@given(TEXTS)
def test_what_is_spelled_stands_in_the_text(text: str):
    trie = Copies(TextPlaces(RENDERER.trunk(text), TOKENIZER))
    for ids, spans in ways(trie).items():
        assert list(spans) == sorted(set(spans))
        for start, end in spans:
            assert TOKENIZER.decode(ids) == text[start:end]
            assert text[start:end] == text[start:end].strip()


@given(TEXTS)
def test_every_word_can_be_copied(text: str):
    trie = Copies(TextPlaces(RENDERER.trunk(text), TOKENIZER))
    spans = {span for found in ways(trie, MOST_TOKENS if len(text) < 20 else 4).values() for span in found}
    place = 0
    for word in text.split(" "):
        if word.isascii() and word.isalpha() and len(TOKENIZER.encode(word)) <= 4:
            assert (place, place + len(word)) in spans
        place += len(word) + 1


def test_ends_are_where_words_end():
    text = 'Acme Ltd. (Bern) pays CHF 1,250.50 on "May 3"; x'
    trie = Copies(TextPlaces(RENDERER.trunk(text), TOKENIZER))
    spans = {text[slice(*span)] for found in ways(trie, 30).values() for span in found}
    assert {"Acme", "Acme Ltd.", "Bern", "CHF 1,250.50", "1,250.50", "May 3", "x"} <= spans
    assert not spans & {"Ac", "Acme Ltd. (", "1,25", "CHF 1,", "pays CHF ", "x;", ""}


@given(TEXTS, st.integers(1, 12))
def test_constraints_leave_only_ways_that_lead_to_an_end(text: str, most: int):
    trunk = RENDERER.trunk(text)
    places = TextPlaces(trunk, TOKENIZER)

    def allows(span: Span) -> bool:
        return "a" in text[slice(*span)]

    bound, free = Copies(places, most=most, allows=allows), Copies(places)
    allowed = {
        span
        for spans in ways(free, 12).values()
        for span in spans
        if span[1] - span[0] <= most and allows(span) and len(text[slice(*span)].encode()) <= 12
    }
    found = {span for spans in ways(bound, MOST_TOKENS).values() for span in spans}
    assert allowed <= found
    assert all(span[1] - span[0] <= most and allows(span) for span in found)

    def dead_ends(state: object) -> bool:
        children = bound.children(state)
        return not (children or bound.ends(state)) or any(map(dead_ends, children.values()))

    assert not found or not dead_ends(bound.root)


def test_listed_spans_share_their_beginnings_and_equal_ones_their_end():
    text = "10 then 12, 10 and 1"
    spans = [(0, 2), (8, 10), (12, 14), (19, 20)]
    found = ways(ListedSpans(text, spans, TOKENIZER))
    assert found == {
        tuple(TOKENIZER.encode("10")): ((0, 2), (12, 14)),
        tuple(TOKENIZER.encode("12")): ((8, 10),),
        tuple(TOKENIZER.encode("1")): ((19, 20),),
    }


def test_an_empty_text_has_nothing_to_copy():
    for text in ("", "  \n", "..."):
        trie = Copies(TextPlaces(RENDERER.trunk(text), TOKENIZER))
        assert not trie.children(trie.root)


# Search


class Listed:
    """A trie of token sequences, each its own span."""

    def __init__(self, answers: list[tuple[int, ...]]) -> None:
        self.root: tuple[int, ...] = ()
        self._answers = answers

    def children(self, state: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        depth = len(state)
        return {
            answer[depth]: answer[: depth + 1]
            for answer in self._answers
            if len(answer) > depth and answer[:depth] == state
        }

    def ends(self, state: tuple[int, ...]) -> list[Span]:
        return [(place, place + 1) for place, answer in enumerate(self._answers) if answer == state]


@given(answers)
def test_a_wide_search_finds_the_best_with_its_score(given_answers: list[tuple[int, ...]]):
    speaker = Speaker(VOCABULARY)
    closing = torch.tensor([17, 19])

    def asking():
        return (yield from search(speaker.heard(ROOT), Listed(given_answers), closing, width=64))

    found = speaker.answer(asking())
    expected = {}
    for place, answer in enumerate(given_answers):
        after = speaker.log_p(Row((*ROOT.ids, *answer)))
        ended = math.log(float(after[17].exp() + after[19].exp()))
        expected[(place, place + 1)] = speaker.chain(answer, ROOT) + ended
    assert found
    assert [one.log_p for one in found] == sorted((one.log_p for one in found), reverse=True)
    for one in found:
        assert one.log_p == pytest.approx(expected[one.places[0]], abs=1e-4)
    assert found[0].log_p == pytest.approx(max(expected.values()), abs=1e-4)


@given(answers, st.integers(1, 3))
def test_a_narrow_search_holds_no_more_rows_and_always_finishes(given_answers: list[tuple[int, ...]], width: int):
    speaker = Speaker(VOCABULARY)

    def asking():
        return (yield from search(speaker.heard(ROOT), Listed(given_answers), torch.tensor([19]), width=width))

    assert speaker.answer(asking())
    assert max(speaker.rounds) <= width
