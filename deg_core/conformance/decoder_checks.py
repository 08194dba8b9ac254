"""What an array decoder gives for a few hundred arrays: corner cases and random ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from deg_core.conformance.decoder_case import Array, DecoderCase, with_other_outside
from deg_core.conformance.report import CheckFailed, NotApplicable
from deg_core.errors import FillError
from deg_core.protocols.head import MAX_COUNT

RESULT = "a tuple of whole numbers"
SHOWN = 8  # positions in one message


def shown(found: Any) -> str:
    """Positions for a message: all of a few, the first of many."""
    if isinstance(found, (tuple, list)) and len(found) > SHOWN:
        return f"{len(found)} positions ({', '.join(map(str, found[:SHOWN]))}, ...)"
    return str(found)


def runs(case: DecoderCase) -> None:
    """A FillError only where room may be short; everywhere else a tuple of plain ints."""
    answered = {id(array) for array, _ in case.decoded}
    for array in case.arrays:
        if id(array) not in answered and array.surely_has_room:
            raise CheckFailed("items where there is room for them", f"a FillError for {array}")
    case.each(RESULT, _wrong_type)


def _wrong_type(array: Array, found: Any) -> str | None:
    if not isinstance(found, tuple):
        return f"a {type(found).__name__}"
    other = next((each for each in found if type(each) is not int), None)
    return None if other is None else f"{other!r}, a {type(other).__name__}, among the positions"


def ascending(case: DecoderCase) -> None:
    """Items are in document order."""
    case.each(
        "positions in ascending order", lambda array, found: None if sorted(found) == list(found) else shown(found)
    )


def distinct(case: DecoderCase) -> None:
    """Two items cannot start at one token: their forks would be the same."""
    case.each("distinct positions", lambda _, found: None if len(set(found)) == len(found) else shown(found))


def inside_region(case: DecoderCase) -> None:
    """An item of a nested array lies in its parent item."""

    def outside(array: Array, found: tuple[int, ...]) -> str | None:
        start, stop = array.region
        bad = [position for position in found if not start <= position < stop]
        return shown(bad) if bad else None

    case.each("positions inside the region [start, end)", outside)


def bounds(case: DecoderCase) -> None:
    """The schema's minItems and maxItems hold in every answer."""

    def broken(array: Array, found: tuple[int, ...]) -> str | None:
        if len(found) < array.min_items or (array.max_items is not None and len(found) > array.max_items):
            return f"{len(found)} positions"
        return None

    case.each("at least min_items and at most max_items positions", broken)


def shortage(case: DecoderCase) -> None:
    """A region of fewer tokens than min_items: deg tells the caller, or drops the item around."""
    for array in case.arrays:
        short = replace(array, min_items=array.room + 1, max_items=None)
        try:
            count = short.count if case.decoder.needs_count else None
            found = case.decoder.decode(short.anchors_P, count, short.region, short.min_items, None)
        except FillError:
            continue
        raise CheckFailed("a FillError where the region has fewer tokens than min_items", f"{shown(found)} for {short}")


def pure(case: DecoderCase) -> None:
    """Asked again in another order, of another instance; logits are as they were."""
    copies = [(array.anchors_P.clone(), array.count.clone()) for array in case.arrays]
    expected = [case.decode(array) for array in case.arrays]
    for array, (anchors, count) in zip(case.arrays, copies, strict=True):
        if not (torch.equal(array.anchors_P, anchors) and torch.equal(array.count, count)):
            raise CheckFailed("logits that are only read", f"they were changed for {array}")
    again = [case.decode(array) for array in case.arrays[::-1]][::-1]
    fresh = [case.decode(array, case.fresh()) for array in case.arrays]
    for name, found in (("asked again in another order", again), ("of another instance", fresh)):
        for array, a, b in zip(case.arrays, found, expected, strict=True):
            if a != b:
                raise CheckFailed(
                    "the same positions for the same outputs", f"{shown(a)} and not {shown(b)}, {name}, for {array}"
                )


def region_only(case: DecoderCase) -> None:
    """Other logits outside the region, high, low, minus infinity or NaN, change nothing."""
    for array, expected in case.decoded:
        if array.room == len(array.anchors_P):
            continue
        for value in (50.0, -torch.inf, torch.nan):
            found = case.decode(with_other_outside(array, value))
            if found != expected:
                raise CheckFailed(
                    "positions that logits outside the region have no say in",
                    f"{shown(found)} and not {shown(expected)} with {value} outside, for {array}",
                )


def count(case: DecoderCase) -> None:
    """With ``needs_count`` the count matters for some array; without it the decoder is given None (every answer of the
    other checks was), and a count that is given all the same changes nothing."""
    if not case.decoder.needs_count:
        for array, expected in case.decoded:
            given = (array.anchors_P, array.count, array.region, array.min_items, array.max_items)
            found = case.decoder.decode(*given)
            if found != expected:
                raise CheckFailed(
                    "needs_count = True of a decoder that uses the count",
                    f"needs_count is False, and a count gives {shown(found)} and not {shown(expected)} for {array}",
                )
        return
    if not case.decoded:
        raise NotApplicable("no array could be decoded")
    for array, expected in case.decoded:
        for likely in (0, 3, MAX_COUNT):
            logits = torch.full_like(array.count, -8.0)
            logits[likely] = 8.0
            if case.decode(replace(array, count=logits)) != expected:
                return
    raise CheckFailed(
        "needs_count = False of a decoder that never uses the count, which costs a fork for each array",
        f"needs_count is True, and no count changes any of {len(case.decoded)} answers",
    )
