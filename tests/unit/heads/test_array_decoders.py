"""Where items start, from hand-made logits (SPEC 12.6): runs, peaks, counts, bounds, and what no logits can break."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import Tensor

from deg_core.errors import FillError
from deg_core.plugins import get_plugins
from deg_core.protocols import PROTOCOL_VERSION
from deg_core.protocols.head import MAX_COUNT
from deg_heads.array_decoders import PEAK_RADIUS, CountPeaks, Hybrid, Threshold

DECODERS = [Threshold(), CountPeaks(), Hybrid()]
TOKENS = 40
LOW = -5.0


def anchors(marks: Mapping[int, float], tokens: int = TOKENS) -> Tensor:
    """Logits that are low but at the marked tokens."""
    logits = torch.full((tokens,), LOW)
    for token, logit in marks.items():
        logits[token] = logit
    return logits


def counted(number: int, height: float = 9.0) -> Tensor:
    logits = torch.zeros(MAX_COUNT + 1)
    logits[number] = height
    return logits


def found(
    decoder: Threshold | CountPeaks | Hybrid,
    marks: Mapping[int, float],
    count: int | Tensor = 0,
    *,
    region: tuple[int, int] = (0, TOKENS),
    least: int = 0,
    most: int | None = None,
    tokens: int = TOKENS,
) -> tuple[int, ...]:
    logits = count if isinstance(count, Tensor) else counted(count)
    return decoder.decode(anchors(marks, tokens), logits, region, least, most)


def test_they_are_registered_by_name():
    registry = get_plugins().array_decoders
    assert {decoder.name: type(decoder) for decoder in DECODERS} == {
        name: registry.resolve(name) for name in ("threshold", "count_peaks", "hybrid")
    }
    assert all(decoder.protocol_version[0] == PROTOCOL_VERSION[0] for decoder in DECODERS)
    assert [decoder.needs_count for decoder in DECODERS] == [False, True, True]


# threshold


def test_a_run_of_marked_tokens_is_one_item_at_its_best_token():
    marks = {3: 0.1, 4: 2.0, 5: 1.0, 7: 0.5, 20: 3.0, 21: 0.2}
    assert found(Threshold(), marks) == (4, 7, 20)


def test_a_token_is_marked_above_one_half():
    assert found(Threshold(), {3: 0.0, 9: 1e-6, 15: -1e-6}) == (9,)


def test_of_the_equals_in_a_run_the_first_counts():
    assert found(Threshold(), {3: 1.0, 4: 1.0, 5: 1.0}) == (3,)


def test_runs_at_the_edges_of_the_text():
    assert found(Threshold(), {0: 1.0, TOKENS - 1: 1.0}) == (0, TOKENS - 1)


def test_threshold_asks_nobody_how_many():
    assert Threshold().decode(anchors({3: 1.0}), None, (0, TOKENS), 0, None) == (3,)


def test_too_few_are_filled_up_with_the_best_tokens_that_touch_none():
    marks = {10: 4.0, 11: -0.1, 9: -0.2, 20: -0.5, 21: -0.4, 30: -1.0}
    assert found(Threshold(), marks, least=2) == (10, 21)
    assert found(Threshold(), marks, least=3) == (10, 21, 30)


def test_filling_up_ties_in_text_order():
    assert found(Threshold(), {}, least=3) == (0, 2, 4)
    assert found(Threshold(), {1: 1.0}, least=2) == (1, 3)


def test_too_many_keep_the_highest_in_text_order():
    marks = {3: 1.0, 9: 3.0, 15: 2.0, 21: 2.0, 27: 0.5}
    assert found(Threshold(), marks, most=3) == (9, 15, 21)
    assert found(Threshold(), marks, most=2) == (9, 15)
    assert found(Threshold(), marks, most=0) == ()


# count_peaks


def test_as_many_as_counted_at_the_best_peaks():
    marks = {3: 1.0, 12: -2.0, 20: -1.0, 30: 4.0}
    for count, wanted in ((0, ()), (1, (30,)), (2, (3, 30)), (3, (3, 20, 30)), (4, (3, 12, 20, 30))):
        assert found(CountPeaks(), marks, count) == wanted


@pytest.mark.parametrize("distance", range(1, 2 * PEAK_RADIUS))
def test_a_peak_is_alone_in_its_radius(distance: int):
    near = 10 + distance
    pair = found(CountPeaks(), {10: 5.0, near: 4.0, 30: 1.0}, 2)
    assert pair == ((10, near) if distance > PEAK_RADIUS else (10, 30))


def test_peaks_go_before_better_tokens_on_a_slope():
    slope = {10: 9.0, 11: 8.0, 12: 7.0, 13: 6.0, 14: 5.0, 15: 4.0, 16: 3.0}
    assert found(CountPeaks(), slope | {30: -3.0}, 2) == (10, 30)


def test_too_few_peaks_are_filled_up_outside_every_radius():
    slope = {token: 9.0 - token for token in range(TOKENS)}  # one peak, at token 0
    assert found(CountPeaks(), slope, 4) == (0, 5, 10, 15)


def test_no_room_for_as_many_as_counted_gives_fewer():
    assert found(CountPeaks(), {}, 9, tokens=12, region=(0, 12)) == (0, 5, 10)


def test_the_count_is_taken_within_the_bounds():
    count = torch.zeros(MAX_COUNT + 1)
    count[[0, 2, 5, 9]] = torch.tensor([9.0, 4.0, 3.0, 8.0])
    marks = {token: 1.0 for token in range(0, TOKENS, 5)}
    assert len(found(CountPeaks(), marks, count)) == 0
    assert len(found(CountPeaks(), marks, count, least=1)) == 8  # nine are counted, and eight have room
    assert len(found(CountPeaks(), marks, count, least=1, most=8)) == 2
    assert len(found(CountPeaks(), marks, count, least=3, most=8)) == 5


def test_of_equal_counts_the_smaller():
    marks = {token: 1.0 for token in range(0, TOKENS, 5)}
    assert len(found(CountPeaks(), marks, torch.zeros(MAX_COUNT + 1))) == 0
    assert len(found(CountPeaks(), marks, torch.zeros(MAX_COUNT + 1), least=3)) == 3


def test_beyond_the_top_of_the_count_runs_are_counted():
    """64 means that many or more."""
    tokens = 1000
    marks = {token: 1.0 for token in range(0, tokens, 10)}
    assert len(found(CountPeaks(), marks, MAX_COUNT, region=(0, tokens), tokens=tokens)) == 100
    assert len(found(CountPeaks(), marks, MAX_COUNT, region=(0, tokens), tokens=tokens, most=80)) == 80
    assert len(found(CountPeaks(), marks, 63, region=(0, tokens), tokens=tokens)) == 63
    few = dict(list(marks.items())[:5])
    assert len(found(CountPeaks(), few, MAX_COUNT, region=(0, tokens), tokens=tokens)) == MAX_COUNT


def test_more_than_the_count_can_tell_may_be_wanted():
    tokens = 1000
    many = found(CountPeaks(), {}, 0, region=(0, tokens), tokens=tokens, least=70, most=90)
    assert len(many) == 70
    assert all(b - a > 1 for a, b in pairwise(many))


# hybrid


def test_hybrid_is_threshold_where_something_passes():
    marks = {3: 1.0, 20: -1.0, 30: -2.0}
    assert found(Hybrid(), marks, 3) == found(Threshold(), marks) == (3,)


def test_hybrid_counts_where_nothing_passes():
    marks = {3: -1.0, 12: -0.5, 20: -2.0}
    assert found(Hybrid(), marks, 2) == found(CountPeaks(), marks, 2) == (3, 12)
    assert found(Hybrid(), marks, 0) == ()


def test_hybrid_without_a_mark_and_without_a_count_still_fills_up():
    marks = {3: -1.0, 12: -0.5}
    assert found(Hybrid(), marks, 0, least=1) == (12,)


# Bounds and regions


@pytest.mark.parametrize("decoder", DECODERS, ids=lambda decoder: decoder.name)
def test_only_the_region_counts(decoder: Threshold | CountPeaks | Hybrid):
    marks = {5: 9.0, 12: 3.0, 18: 2.0, 25: 8.0}
    assert found(decoder, marks, 2, region=(10, 22)) == (12, 18)
    assert found(decoder, marks, 1, region=(12, 13), least=1) == (12,)
    masked = anchors(marks)
    masked[:10] = masked[22:] = -math.inf
    assert decoder.decode(masked, counted(2), (10, 22), 0, None) == (12, 18)


@pytest.mark.parametrize("decoder", DECODERS, ids=lambda decoder: decoder.name)
@pytest.mark.parametrize(("region", "room"), [((0, 0), 0), ((7, 7), 0), ((7, 8), 1), ((7, 10), 2), ((7, 12), 3)])
def test_a_region_without_room_says_what_is_missing(
    decoder: Threshold | CountPeaks | Hybrid, region: tuple[int, int], room: int
):
    assert len(found(decoder, {}, 0, region=region, least=room)) == room
    with pytest.raises(FillError, match=rf"minItems {room + 1}: .*only {room} items"):
        found(decoder, {}, 0, region=region, least=room + 1)


@pytest.mark.parametrize("decoder", DECODERS, ids=lambda decoder: decoder.name)
def test_an_empty_text_has_no_items(decoder: Threshold | CountPeaks | Hybrid):
    assert found(decoder, {}, 5, region=(0, 0), tokens=0) == ()


logits = st.lists(
    st.one_of(st.floats(-12, 12, width=32), st.sampled_from([-1.0, 0.0, 1.0, -0.0, -60.0, 60.0])),
    min_size=0,
    max_size=60,
).map(torch.tensor)
counts = st.one_of(
    st.integers(0, MAX_COUNT).map(counted),
    st.integers(0, 2**31).map(lambda seed: torch.randn(MAX_COUNT + 1, generator=torch.Generator().manual_seed(seed))),
)


@given(logits, counts, st.sampled_from(DECODERS), st.data())
def test_whatever_the_logits(marks: Tensor, count: Tensor, decoder: Threshold, data: st.DataObject):
    """Ascending, apart, inside the region, within the bounds, and the same again; or an error that says why not."""
    start = data.draw(st.integers(0, len(marks)))
    stop = data.draw(st.integers(start, len(marks)))
    least = data.draw(st.integers(0, 8))
    most = data.draw(st.one_of(st.none(), st.integers(least, least + 8)))
    before = marks.clone(), count.clone()
    try:
        chosen = decoder.decode(marks, count, (start, stop), least, most)
    except FillError:
        assert stop - start < 3 * least  # each token that is taken rules out two neighbours at most
        return
    assert list(chosen) == sorted(set(chosen))
    assert all(start <= token < stop for token in chosen)
    assert len(chosen) >= least
    assert most is None or len(chosen) <= most
    assert all(b - a > 1 for a, b in pairwise(chosen))
    assert all(torch.equal(a, b) for a, b in zip(before, (marks, count), strict=True))
    assert decoder.decode(marks.clone(), count.clone(), (start, stop), least, most) == chosen
    outside = marks.clone()
    outside[:start], outside[stop:] = 77.0, 77.0
    assert decoder.decode(outside, count, (start, stop), least, most) == chosen


@given(logits, st.integers(0, 20))
def test_no_token_that_is_left_is_a_better_peak(marks: Tensor, wanted: int):
    """Of the first peak there is none better; every further one is a maximum or lies outside all radii."""
    assume(len(marks))
    chosen = CountPeaks().decode(marks, counted(wanted), (0, len(marks)), 0, None)
    if not chosen:
        assert wanted == 0
        return
    assert max(marks[list(chosen)]) == marks.max()
    assert all(b - a > PEAK_RADIUS for a, b in pairwise(chosen))
    assert len(chosen) <= wanted
    free = [t for t in range(len(marks)) if all(abs(t - other) > PEAK_RADIUS for other in chosen)]
    assert len(chosen) == wanted or not free


@given(logits)
def test_threshold_is_the_definition(marks: Tensor):
    """One item for each run of neighbours above one half, at the run's greatest logit."""
    chosen = Threshold().decode(marks, None, (0, len(marks)), 0, None)
    runs: list[list[int]] = []
    for token in [t for t, logit in enumerate(marks.tolist()) if logit > 0]:
        if runs and runs[-1][-1] == token - 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    assert len(chosen) == len(runs)
    for token, run in zip(chosen, runs, strict=True):
        assert token in run
        assert marks[token] == marks[run].max()
