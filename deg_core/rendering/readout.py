"""The text of a fork for a language model that was never trained on forks: a question in the user's turn, and the
beginning of an answer in the assistant's.

    Field: /invoice/currency
    Description: the currency of the total
    Options:
    - CHF
    - EUR
    Write the option that is right for currency, going by the text above, into a JSON object.

The answer's beginning is a JSON object up to its value, ``{"currency":``. Behind it comes an option, a level, or words
of the text between quotation marks; asked to copy without that, a small model copies from the beginning of the text.
Choices of many options list them under labels and begin with ``Answer:``, behind which a label comes: spelling all of
them would take too long, while small models do not tell labels apart. Yes/no fields are answered with yes or no, arrays
with the number of their items.

Nothing here says whether a field may be null, so that a field's outputs do not depend on it. Items of arrays are
counted from 1, as people do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from string import ascii_uppercase
from typing import Final

from deg_core.contract.plan import ITEM, ArrayPlan, FieldPlan, FillPlan, JSONScalar, Mode, pointer
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery, Query
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.rendering.layout import ForkLayout, Renderer
from deg_core.rendering.places import Place
from deg_core.rendering.template import canonical_order, one_line, outcome_count, outcome_line

READOUT_VERSION: Final = 1
MOST_WORDED: Final = 12  # options of a choice that is answered with an option's own words
BLANK: Final = "N/A"  # a text without content, by which a model's liking for an answer is measured
YES, NO = "yes", "no"
QUOTE, NULL = ' "', " null"  # what may stand behind the opening of an extract field's answer

_THINGS: Final = {
    "number": "the number",
    "integer": "the whole number",
    "date": "the date",
    "date-time": "the date and time",
    "email": "the e-mail address",
    "uri": "the web address",
    "uuid": "the UUID",
}


def thing(field: FieldPlan) -> str:
    """What an extract field copies."""
    return _THINGS.get(field.json_type if field.mode is Mode.NUMBER else field.format or "", "the words")


def labels(count: int, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Labels of so many options, as they are answered: letters, with the space before them; beyond 26 two letters,
    those that are one token where these suffice. No label is the beginning of another."""
    if count <= len(ascii_uppercase):
        return tuple(f" {letter}" for letter in ascii_uppercase[:count])
    pairs = [f" {first}{second}" for first in ascii_uppercase for second in ascii_uppercase]
    whole = [pair for pair in pairs if len(tokenizer.encode(pair)) == 1]
    return tuple((whole if len(whole) >= count else pairs)[:count])


def answer_texts(field: FieldPlan, order: Sequence[int]) -> list[str]:
    """What is answered in a JSON object for each outcome of a choice or scale, with the space before it."""
    if field.mode is Mode.CHOICE:
        return [f" {_quoted(field.options[index])}" for index in order]
    return [f" {field.levels[index]}" if index < len(field.levels) else NULL for index in order]


def about(node: FieldPlan | ArrayPlan, places: Sequence[Place]) -> list[str]:
    """The lines that say which field or array is meant."""
    arrays = [pointer(node.path[:depth]) for depth, step in enumerate(node.path) if step is ITEM]
    lines = [f"Field: {one_line(node.pointer)}"]
    for array, place in zip(arrays, places, strict=False):
        which = f"the one at {_quoted(place.at or '')}" if place.index is None else place.index + 1
        lines.append(f"Item of {one_line(array)}: {which}")
    for word, text in (("Title", node.title), ("Description", node.description)):
        if line := one_line(text or ""):
            lines.append(f"{word}: {line}")
    return lines


def question_text(field: FieldPlan, places: Sequence[Place], order: Sequence[int], marks: Sequence[str] = ()) -> str:
    """The question of one field, as far as the user's turn goes. Outcome ``order[k]`` stands on line k, under the label
    ``marks[k]`` if there are labels."""
    lines, key = about(field, places), key_of(field)
    if field.mode is Mode.CHOICE:
        lines.append("Options:")
        if marks:
            lines += [f"{mark.strip()}. {outcome_line(field, i)}" for mark, i in zip(marks, order, strict=True)]
            lines.append(f"Which option is right for {key}, going by the text above? Answer with its letters only.")
        else:
            lines += [f"- {outcome_line(field, index)}" for index in order]
            lines.append(f"Write the option that is right for {key}, going by the text above, into a JSON object.")
    elif field.mode is Mode.SCORE:
        lines.append("Levels:")
        lines += [f"- {_level(field, index)}" for index in order]
        lines.append(f"Write the level that is right for {key}, going by the text above, into a JSON object.")
    elif field.mode is Mode.NOUL:
        lines.append(f"Is this so, going by the text above? Answer {YES} or {NO}.")
    else:
        lines.append(
            f"Copy {thing(field)} for {key} from the text above into a JSON object, or null if it is not there."
        )
    return "\n".join(lines)


def _level(field: FieldPlan, index: int) -> str:
    return outcome_line(field, index) if index < len(field.levels) else "null: the text does not say"


def key_of(field: FieldPlan) -> str:
    """The innermost property that the field stands in."""
    return one_line(next(step for step in reversed(field.path) if isinstance(step, str)))


def count_text(plan: FillPlan, array: ArrayPlan, places: Sequence[Place]) -> str:
    """The question how many items an array has."""
    lines = about(array, places)
    own = len(array.path) + 1
    inside = (pointer(field.path[own:]) for field in plan.fields if field.path[:own] == array.items)
    if names := ", ".join(one_line(name) for name in inside if name):
        lines.append(f"Each item has: {names}")
    lines.append("How many items are there in the text above? Answer with a number only.")
    return "\n".join(lines)


class ReadoutRenderer(Renderer):
    """Renders the forks of ``queries``, which language heads answer, as questions; all others as ``Renderer`` does."""

    def __init__(
        self, family: Family, tokenizer: Tokenizer, queries: Collection[Query], *, worded: int = MOST_WORDED
    ) -> None:
        """Choices of at most ``worded`` options are answered with an option's own words, others with a label."""
        super().__init__(family, tokenizer)
        self.worded = worded
        self._labels: dict[int, tuple[str, ...]] = {}
        self._queries = frozenset(queries)
        turn, self.end = family.chat_answer(tokenizer)
        self._turn = tuple(turn)

    def fork(
        self,
        field: FieldPlan,
        places: Sequence[Place] = (),
        *,
        shuffle: Callable[[list[int]], None] | None = None,
        keep_order: bool = False,
    ) -> ForkLayout:
        """As of ``Renderer``. The options of a question stand in canonical order always."""
        if field.mode not in self._queries:
            return super().fork(field, places, shuffle=shuffle, keep_order=keep_order)
        return self.turned(field, places, 0)

    def turned(self, field: FieldPlan, places: Sequence[Place], turn: int) -> ForkLayout:
        """The question with its options turned: the one on line ``turn`` (canonical order) comes first."""
        order = canonical_order(field) if field.mode is Mode.CHOICE else tuple(range(outcome_count(field)))
        order = order[turn:] + order[:turn]
        marks = self.labels(field)
        opening = "Answer:" if marks else "" if field.mode is Mode.NOUL else f"{{{_quoted(key_of(field))}:"
        return self._layout(question_text(field, places, order, marks), opening, order)

    def labels(self, field: FieldPlan) -> tuple[str, ...]:
        """The labels of a choice's options; none where they are answered in their own words."""
        count = len(field.options)
        if field.mode is not Mode.CHOICE or count <= self.worded:
            return ()
        if count not in self._labels:
            self._labels[count] = labels(count, self.tokenizer)
        return self._labels[count]

    def array(self, plan: FillPlan, array: ArrayPlan, query: ArrayQuery, places: Sequence[Place] = ()) -> ForkLayout:
        """As of ``Renderer``."""
        if query not in self._queries:
            return super().array(plan, array, query, places)
        return self._layout(count_text(plan, array, places), "", ())

    def _layout(self, question: str, opening: str, order: tuple[int, ...]) -> ForkLayout:
        ids = (*self.tokenizer.encode(question), *self._turn, *self.tokenizer.encode(opening))
        return ForkLayout(ids, (), order)


def _quoted(value: JSONScalar) -> str:
    return json.dumps(value, ensure_ascii=False)
