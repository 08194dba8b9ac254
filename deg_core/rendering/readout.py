"""The text of a fork for a language model that was never trained on forks: a question in the user's turn, and the
beginning of an answer in the assistant's.

Choices list their options under labels, of which the answer is one::

    Field: /invoice/currency
    Description: the currency of the total
    Options:
    A. CHF
    B. EUR
    Which option is right for this field, going by the text above? Answer with its letter only.

Scales are answered with the level, yes/no fields with yes or no, arrays with the number of their items, and what is
extracted is copied: the answer begins with a quotation mark, which makes a model go on with the text's own words, and
ends at the next one. Nothing here says whether a field may be null, so that a field's outputs do not depend on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Final

from deg_core.contract.plan import ArrayPlan, FieldPlan, FillPlan, Mode, pointer
from deg_core.protocols.family import Family
from deg_core.protocols.head import ArrayQuery, Query
from deg_core.protocols.tokenizer import Tokenizer
from deg_core.rendering.layout import ForkLayout, Renderer
from deg_core.rendering.places import Place, locator_lines, placed
from deg_core.rendering.template import canonical_order, one_line, outcome_count, outcome_line

READOUT_VERSION: Final = 1
QUOTE, NULL = ' "', " null"
BLANK: Final = "N/A"  # a text without content, by which a model's liking for a label is measured
NONE: Final = "none"  # the answer that there is nothing
YES, NO = "yes", "no"

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
    """Labels of so many options: letters; beyond 26 two letters, those that are one token where these suffice. No label
    is the beginning of another."""
    if count <= len(ascii_uppercase):
        return tuple(ascii_uppercase[:count])
    return _pairs(tokenizer, count)


@lru_cache(maxsize=16)
def _pairs(tokenizer: Tokenizer, count: int) -> tuple[str, ...]:
    pairs = [first + second for first in ascii_uppercase for second in ascii_uppercase]
    whole = [pair for pair in pairs if len(tokenizer.encode(pair)) == 1]
    return tuple((whole if len(whole) >= count else pairs)[:count])


def about(name: str, places: Sequence[Place], node: FieldPlan | ArrayPlan) -> list[str]:
    """The lines that say which field or array is meant."""
    lines = [f"Field: {one_line(name)}", *locator_lines(places)]
    for word, text in (("Title", node.title), ("Description", node.description)):
        if line := one_line(text or ""):
            lines.append(f"{word}: {line}")
    return lines


def question_text(field: FieldPlan, places: Sequence[Place], order: Sequence[int], marks: Sequence[str]) -> str:
    """The question of one field, as far as the user's turn goes. Outcome ``order[k]`` stands on line k under
    ``marks[k]``."""
    lines = about(placed(field.path, places), places, field)
    if field.mode is Mode.CHOICE:
        lines.append("Options:")
        lines += [f"{mark}. {outcome_line(field, index)}" for mark, index in zip(marks, order, strict=True)]
        lines.append("Which option is right for this field, going by the text above? Answer with its letter only.")
    elif field.mode is Mode.SCORE:
        lines.append("Levels:")
        lines += [outcome_line(field, i) if i < len(field.levels) else f"{NONE}: the text does not say" for i in order]
        lines.append("Which level is right for this field, going by the text above? Answer with its number only.")
    elif field.mode is Mode.NOUL:
        lines.append(f"Is this so, going by the text above? Answer {YES} or {NO}.")
    else:
        key = next(step for step in reversed(field.path) if isinstance(step, str))
        lines.append(f"Copy {thing(field)} for {one_line(key)} from the text above into a JSON object, or null if it is not there.")
    return "\n".join(lines)


def opening_text(field: FieldPlan) -> str:
    """How the answer of an extract field begins: a JSON object up to where its value stands."""
    key = next(step for step in reversed(field.path) if isinstance(step, str))
    return f"{{{json.dumps(one_line(key), ensure_ascii=False)}:"


def count_text(plan: FillPlan, array: ArrayPlan, places: Sequence[Place]) -> str:
    """The question how many items an array has."""
    lines = about(placed(array.path, places), places, array)
    own = len(array.path) + 1
    inside = (pointer(field.path[own:]) for field in plan.fields if field.path[:own] == array.items)
    if names := ", ".join(one_line(name) for name in inside if name):
        lines.append(f"Each item has: {names}")
    lines.append("How many items are there in the text above? Answer with a number only.")
    return "\n".join(lines)


class ReadoutRenderer(Renderer):
    """Renders the forks of ``queries``, which language heads answer, as questions; all others as ``Renderer`` does."""

    def __init__(self, family: Family, tokenizer: Tokenizer, queries: Collection[Query]) -> None:
        super().__init__(family, tokenizer)
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
        marks = labels(len(order), self.tokenizer) if field.mode is Mode.CHOICE else ()
        opening = opening_text(field) if field.mode.extracts else ""
        return self._layout(question_text(field, places, order, marks), opening, order)

    def array(self, plan: FillPlan, array: ArrayPlan, query: ArrayQuery, places: Sequence[Place] = ()) -> ForkLayout:
        """As of ``Renderer``."""
        if query not in self._queries:
            return super().array(plan, array, query, places)
        return self._layout(count_text(plan, array, places), "", ())

    def _layout(self, question: str, opening: str, order: tuple[int, ...]) -> ForkLayout:
        ids = (*self.tokenizer.encode(question), *self._turn, *self.tokenizer.encode(opening))
        return ForkLayout(ids, (), order)
