"""Where a fork stands: pointers and locator lines of the items around it (SPEC 12.6)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_backbones.llama.model import LlamaFamily
from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import ITEM, Mode
from deg_core.protocols.head import ArrayQuery
from deg_core.rendering.layout import Renderer
from deg_core.rendering.places import LOCATOR_TOKENS, Place, locator_lines, locator_text, placed
from tests.fixtures.tiny import CONTROLS, tiny_tokenizer
from tests.golden.array_cases import CASES, SCHEMA

RENDERER = Renderer(LlamaFamily(), tiny_tokenizer())
PATH = ("rows", ITEM, "goods", ITEM, "*", "0")
HERE, SECOND = Place("/rows", at="Ann"), Place("/rows", index=2)


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        ((), "/rows/*/goods/*/*/0"),
        ((HERE,), "/rows/*/goods/*/*/0"),
        ((SECOND,), "/rows/2/goods/*/*/0"),
        ((SECOND, Place("/rows/2/goods", index=0)), "/rows/2/goods/0/*/0"),
        ((HERE, Place("/rows/*/goods", index=7)), "/rows/*/goods/7/*/0"),
    ],
)
def test_indices_stand_where_items_are_counted(places: tuple[Place, ...], shown: str):
    assert placed(PATH, places) == shown


def test_a_property_that_is_named_as_an_item_is_not_one():
    assert placed(("*", ITEM, "*"), (Place("/*", index=4),)) == "/*/4/*"


def test_one_line_for_each_item_around():
    assert locator_lines([]) == []
    assert locator_lines([HERE, Place("/rows/*/goods", index=0)]) == ['ITEM /rows AT: "Ann"', "ITEM 0 of /rows/*/goods"]


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=200), st.data())
def test_a_locator_is_the_text_from_the_anchor_on(text: str, data: st.DataObject):
    offsets = RENDERER.trunk(text).offsets
    start = data.draw(st.integers(0, len(offsets) - 1))
    stop = data.draw(st.integers(start + 1, len(offsets)))
    found = locator_text(text, offsets, (start, stop))
    last = min(start + LOCATOR_TOKENS, stop) - 1
    assert found == " ".join(text[offsets[start][0] : offsets[last][1]].split())
    (line,) = locator_lines([Place("/rows", at=found)])
    assert json.loads(line.removeprefix("ITEM /rows AT: ")) == found


def test_only_the_first_tokens_matter():
    text = " ".join(f"w{number}" for number in range(100))
    offsets = RENDERER.trunk(text).offsets
    whole = locator_text(text, offsets, (0, len(offsets)))
    assert whole == locator_text(text, offsets, (0, LOCATOR_TOKENS))
    assert whole != locator_text(text, offsets, (0, LOCATOR_TOKENS - 1))


lines = st.text(st.characters(codec="utf-8"), max_size=12)


@given(lines, lines, lines, st.sampled_from([None, 3]))
def test_nothing_that_is_given_begins_a_line_of_its_own(name: str, title: str, at: str, index: int | None):
    """Neither names, nor annotations, nor the text of the document."""
    items: dict[str, Any] = {"type": "object", "properties": {name: {"type": "string", "title": title}}}
    plan = compile_schema({"type": "object", "properties": {name: {"type": "array", "items": items, "title": title}}})
    (array,), (leaf,) = plan.arrays, plan.fields
    offsets = RENDERER.trunk(at).offsets
    words = locator_text(at, offsets, (0, len(offsets))) if at else ""
    places = [Place(placed(array.path, ()), at=words if index is None else None, index=index)]
    titled = bool(title.strip())
    assert shown(RENDERER.fork(leaf, places).ids) == ["FIELD", "ITEM", *["TITLE"] * titled, "KIND", "ANSWER:"]
    wanted = ["ARRAY", *["TITLE"] * titled, "ITEM", "KIND", "ANSWER:"]
    assert shown(RENDERER.array(plan, array, ArrayQuery.ANCHOR).ids) == wanted


def shown(ids: tuple[int, ...]) -> list[str]:
    """The first word of each line; the tokens of a line break are looked for, not the breaks of some other kind."""
    return [line.split(" ")[0] for line in RENDERER.tokenizer.decode(ids).split("\n")]


@pytest.mark.parametrize("name", CASES)
def test_no_fork_of_an_array_holds_a_control_token(name: str):
    plan = compile_schema(SCHEMA)
    pointer, query, places = CASES[name]
    if query is None:
        ids = RENDERER.fork(plan.field(pointer), places).ids
    else:
        (array,) = [array for array in plan.arrays if array.pointer == pointer]
        ids = RENDERER.array(plan, array, query, places).ids
    assert min(ids) >= len(CONTROLS)


def test_the_kept_cases_cover_both_queries_and_all_places():
    queries = {query for _, query, _ in CASES.values()}
    assert queries == {None, *ArrayQuery}
    modes = {compile_schema(SCHEMA).field(pointer).mode for pointer, query, _ in CASES.values() if query is None}
    assert modes == {Mode.NUMBER, Mode.CHOICE, Mode.SPAN, Mode.NOUL}
