"""Comparing the arrays of one answered record with its gold (SPEC 12.6, "Order").

Items are compared twice: each with the one at the same position, and each with the one that an alignment gives it. The
alignment is an optimal assignment by the number of right leaves, those in nested arrays included, so the order of items
does not count; of equally good ones it is the one that moves items least. (An alignment that keeps the order would be
the same for answers in the order of the text, which is deg's, but it would take a peer that writes all items in
another order for wrong.) Nested arrays are compared within aligned items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from deg_core.contract.plan import ArrayPlan, FieldPlan, FillPlan, Mode, Path, pointer
from deg_core.contract.shape import Shape
from deg_core.evaluate.assignment import best_assignment
from deg_core.evaluate.comparison import descend, gold_outcome, right_decide, right_extract
from deg_core.evaluate.outcome import ArrayOutcome, LeafCounts
from deg_core.evaluate.predictor import Prediction
from deg_core.records import Record

Concrete: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """The document or one item: its value and its place, item steps being indices."""

    value: Any
    at: Concrete = ()

    def below(self, container: Path, path: Path) -> _Node:
        """What stands at ``path``, which lies in ``container`` with no item step between."""
        steps = path[len(container) :]
        return _Node(descend(self.value, steps), (*self.at, *steps))

    @property
    def items(self) -> list[_Node] | None:
        """The items of a list; None where this is something else."""
        if not isinstance(self.value, list):
            return None
        return [_Node(item, (*self.at, index)) for index, item in enumerate(self.value)]


def score_arrays(record: Record, plan: FillPlan, prediction: Prediction | None) -> tuple[ArrayOutcome, ...]:
    """The outcome of every array of a record, outer ones first. A gold without the array's key has no items.

    Written texts are left out, decide leaves without a gold too. Arrays that hold nothing else are not scored.
    """
    if not plan.arrays:
        return ()
    scoring = _Scoring(record, Shape.of(plan), prediction)
    answer = None if prediction is None else _Node(prediction.value)
    scoring.container((), _Node(record.value), answer, answer)
    return tuple(scoring.outcomes)


@dataclass
class _Scoring:
    record: Record
    shape: Shape
    prediction: Prediction | None
    outcomes: list[ArrayOutcome] = field(default_factory=list)
    _alignments: dict[tuple[Path, Concrete, Concrete], tuple[list[int | None], int]] = field(default_factory=dict)

    def container(
        self, path: Path, gold: _Node | None, aligned: _Node | None, opposite: _Node | None, depth: int = 0
    ) -> None:
        """Score the arrays that stand directly in the document or in one item. ``aligned`` is the answer's item that
        ``gold`` was aligned with, ``opposite`` the one at its position; ``gold`` is None for an item too many."""
        for array in self.shape.arrays(path):
            if self._scored(array):
                below = [None if node is None else node.below(path, array.path) for node in (gold, aligned, opposite)]
                self._array(array, below[0], below[1], below[2], depth)

    def _array(
        self, array: ArrayPlan, gold: _Node | None, aligned: _Node | None, opposite: _Node | None, depth: int
    ) -> None:
        golds = [] if gold is None else gold.items or []
        answers = aligned.items if aligned is not None else None
        others = (opposite.items if opposite is not None else None) or []
        pairs = self._align(array, gold, aligned)[0] if gold is not None and aligned is not None else []
        pairs = pairs or [None] * len(golds)
        if gold is None and not answers:
            return
        place = gold if gold is not None else aligned
        assert place is not None
        self.outcomes.append(
            ArrayOutcome(
                pointer=pointer(place.at),
                depth=depth,
                gold=None if gold is None else len(golds),
                answer=None if answers is None else len(answers),
                leaves=self._leaves(array, golds, answers or [], pairs, others),
            )
        )
        for index, item in enumerate(golds):
            partner = pairs[index]
            match = answers[partner] if answers is not None and partner is not None else None
            other = others[index] if index < len(others) else None
            self.container(array.items, item, match, other, depth + 1)
        for index, item in enumerate(answers or []):
            if index not in pairs:
                self.container(array.items, None, item, None, depth + 1)

    def _leaves(
        self,
        array: ArrayPlan,
        golds: Sequence[_Node],
        answers: Sequence[_Node],
        pairs: Sequence[int | None],
        others: Sequence[_Node],
    ) -> dict[str, LeafCounts]:
        """Counts of the leaves directly in the items, by mode."""
        found: dict[str, LeafCounts] = {}

        def add(leaf: FieldPlan, counts: LeafCounts) -> None:
            found[leaf.mode.value] = found.get(leaf.mode.value, LeafCounts()) + counts

        leaves = self._fields(array)
        for index, item in enumerate(golds):
            partner = pairs[index]
            match = None if partner is None else answers[partner]
            other = others[index] if index < len(others) else None
            for leaf in leaves:
                if self._has_gold(array, leaf, item):
                    aligned = match is not None and self._right(array, leaf, item, match)
                    by_position = other is not None and self._right(array, leaf, item, other)
                    add(leaf, LeafCounts(1, int(match is not None), int(by_position), int(aligned)))
        for index in range(len(answers)):
            if index not in pairs:
                for leaf in leaves:
                    add(leaf, LeafCounts(answer=1))
        return found

    def _align(self, array: ArrayPlan, gold: _Node, answer: _Node) -> tuple[list[int | None], int]:
        """For each gold item its answered one, and the number of leaves that are then right, nested ones included."""
        key = (array.path, gold.at, answer.at)
        if key not in self._alignments:
            golds, answers = gold.items or [], answer.items or []
            right = [[self._similarity(array, one, other) for other in answers] for one in golds]
            # Moving all items as far as can be still weighs less than one leaf.
            scale = max(len(golds), len(answers)) ** 2 + 1
            weights = [[n * scale - abs(i - j) for j, n in enumerate(row)] for i, row in enumerate(right)]
            pairs = best_assignment(weights)
            total = sum(right[i][j] for i, j in enumerate(pairs) if j is not None)
            self._alignments[key] = (pairs, total)
        return self._alignments[key]

    def _similarity(self, array: ArrayPlan, gold: _Node, answer: _Node) -> int:
        leaves = self._fields(array)
        own = sum(self._has_gold(array, leaf, gold) and self._right(array, leaf, gold, answer) for leaf in leaves)
        inner = [nested for nested in self.shape.arrays(array.items) if self._scored(nested)]
        return own + sum(
            self._align(nested, gold.below(array.items, nested.path), answer.below(array.items, nested.path))[1]
            for nested in inner
        )

    def _right(self, array: ArrayPlan, leaf: FieldPlan, gold: _Node, answer: _Node) -> bool:
        wanted, given = gold.below(array.items, leaf.path), answer.below(array.items, leaf.path)
        if leaf.mode.decides:
            return right_decide(wanted.value, given.value)
        assert self.prediction is not None
        found = self.prediction.spans.get(pointer(given.at))
        return right_extract(self.record, leaf, pointer(wanted.at), wanted.value, given.value, found)

    @staticmethod
    def _has_gold(array: ArrayPlan, leaf: FieldPlan, gold: _Node) -> bool:
        """Extract leaves always have one: no value is a gold too."""
        return not leaf.mode.decides or gold_outcome(leaf, gold.below(array.items, leaf.path).value) is not None

    def _fields(self, array: ArrayPlan) -> list[FieldPlan]:
        return [leaf for leaf in self.shape.fields(array.items) if leaf.mode is not Mode.GENERATE]

    def _scored(self, array: ArrayPlan) -> bool:
        """Whether there is anything to score in the array's items."""
        return bool(self._fields(array)) or any(self._scored(inner) for inner in self.shape.arrays(array.items))
