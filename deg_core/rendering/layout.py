"""Token layouts of trunk and forks: ids, where the answer is read, where each outcome ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deg_core.contract.plan import ArrayPlan, FieldPlan, FillPlan, Mode
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.rendering.places import Place
from deg_core.rendering.template import SYSTEM, array_lines, canonical_order, head_lines, outcome_count, outcome_line


@dataclass(frozen=True, slots=True)
class TrunkLayout:
    """A rendered context. ``ids`` are prefix + context + newline; context token t sits at ``first + t`` and covers
    code points ``offsets[t]`` of ``text``."""

    ids: tuple[int, ...]
    first: int
    offsets: tuple[tuple[int, int], ...]
    text: str


@dataclass(frozen=True, slots=True)
class ForkLayout:
    """A rendered query. The answer is read at the last id; outcome line k ends at id ``ends[k]`` and stands for the
    plan's outcome ``order[k]``."""

    ids: tuple[int, ...]
    ends: tuple[int, ...]
    order: tuple[int, ...]


def cover(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """First and last context token (inclusive) that together cover code points [start, end)."""
    first = bisect_right(offsets, start, key=lambda pair: pair[1])
    last = bisect_left(offsets, end, key=lambda pair: pair[0]) - 1
    return first, max(first, last)


class Renderer:
    """Renders with one tokenizer. Lines that recur (a field's in every text) are encoded once."""

    def __init__(self, family: Family, tokenizer: Tokenizer, *, cache_lines: int = 50_000) -> None:
        self.tokenizer = tokenizer
        self._prefix = tuple(family.chat_prefix(tokenizer, SYSTEM))
        (self._newline,) = tokenizer.encode("\n")
        self._lines: dict[str, tuple[int, ...]] = {}
        self._cache_lines = cache_lines

    def trunk(self, text: str) -> TrunkLayout:
        """Layout of a rendered context; it holds the context alone, never the schema (SPEC 12.1)."""
        ids, offsets = self.tokenizer.encode_with_offsets(text)
        return TrunkLayout((*self._prefix, *ids, self._newline), len(self._prefix), tuple(offsets), text)

    def count(self, text: str) -> int:
        """How many tokens a rendered context takes."""
        return len(self._prefix) + len(self.tokenizer.encode(text)) + 1

    def fork(
        self,
        field: FieldPlan,
        places: Sequence[Place] = (),
        *,
        shuffle: Callable[[list[int]], None] | None = None,
        keep_order: bool = False,
    ) -> ForkLayout:
        """Layout of one field, in the array items ``places`` around it.

        Options stand in canonical order unless ``shuffle`` (training) permutes them in place or ``keep_order`` asks
        for the schema's order (checkpoints trained so).
        """
        ids: list[int] = []
        for line in head_lines(field, places):
            ids += self._line(line)
        order = list(range(outcome_count(field)))
        if field.mode is Mode.CHOICE:
            if shuffle is not None:
                shuffle(order)
            elif not keep_order:
                order = list(canonical_order(field))
        ends = []
        if order:
            ids += self._line("OPTIONS:")
        for index in order:
            ids += self._line("- " + outcome_line(field, index))
            ends.append(len(ids) - 1)
        ids += self._line("ANSWER:")[:-1]
        return ForkLayout(tuple(ids), tuple(ends), tuple(order))

    def array(self, plan: FillPlan, array: ArrayPlan, query: ArrayQuery, places: Sequence[Place] = ()) -> ForkLayout:
        """Layout of a query about an array as a whole."""
        ids: list[int] = []
        for line in array_lines(plan, array, query, places):
            ids += self._line(line)
        ids += self._line("ANSWER:")[:-1]
        return ForkLayout(tuple(ids), (), ())

    def _line(self, text: str) -> tuple[int, ...]:
        found = self._lines.get(text)
        if found is None:
            if len(self._lines) >= self._cache_lines:
                self._lines.clear()
            found = (*self.tokenizer.encode(text), self._newline)
            self._lines[text] = found
        return found
