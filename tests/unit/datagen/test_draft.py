"""Drafts: what is asked becomes a schema, a value and spans that agree, in many wordings."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.datagen.draft import Draft, occurrences
from deg_core.datagen.intents import Intent, ask_intent, ask_yes_no, neighbours, worded
from deg_core.datagen.raw import merged, separated
from deg_core.datagen.readings import read_typed
from deg_core.datagen.tei import parse, plain
from deg_core.datagen.wording import Slot, key_words, slot, spell
from deg_core.records import check_record

WHO = slot("name|customer name", "name of the customer")
COUNT = slot("guests|party size", "how many come", kind="integer")
DAY = slot("day|visit date", kind="date")
INTENTS = {
    name: Intent(name.replace("_", " "), f"the user wants {name.replace('_', ' ')}", group)
    for group, names in (("food", ("soup", "bread_roll", "tea")), ("rest", ("bed", "quiet_room", "blanket", "pillow")))
    for name in names
}


def _draft(number: int, context: str = "Ilka comes with 6 people on 3 May 2021, says Ilka.") -> Draft:
    return Draft("t", str(number), "group", "note", context, "note")


@given(st.integers(0, 100_000))
def test_any_draw_gives_a_record_that_holds(number: int) -> None:
    draft = _draft(number)
    draft.extract(WHO, (0, 4), alternatives=[(0, 4), (45, 49), (5, 9)])
    draft.extract(COUNT, (16, 24))
    draft.extract(DAY, (27, 39))
    draft.extract(slot("phone"), None)
    draft.extract(slot("deposit", kind="number"), None)
    draft.decide(slot("urgent"), number % 2 == 0)
    draft.rate(slot("mood"), 2, low=1, high=4, labels={1: "low", 4: "high"})
    draft.choose(slot("kind"), [("a", None), ("b", "second"), (None, None)], None)
    ask_intent(draft, INTENTS, "soup")
    ask_yes_no(draft, INTENTS, "soup")
    record = draft.record()
    assert record is not None
    assert check_record(record) == []
    assert json.loads(json.dumps(record.schema)) == record.schema
    texts = {record.context[slice(*span)] for span in record.spans.values()}
    assert "Ilka" in texts
    assert texts & {"6", "6 people"}
    assert texts & {"3 May 2021"}


def test_the_uid_decides_everything() -> None:
    def make() -> object:
        draft = _draft(7)
        draft.extract(WHO, (0, 4))
        ask_intent(draft, INTENTS, "tea")
        return draft.record()

    assert make() == make()


def test_styles_and_null_forms_vary() -> None:
    schemas = []
    for number in range(300):
        draft = _draft(number)
        draft.extract(WHO, (0, 4))
        draft.extract(slot("phone number"), None)
        record = draft.record()
        assert record is not None
        schemas.append(record.schema)
    names = Counter(name for schema in schemas for name in schema["properties"])
    assert {"customer_name", "customerName", "phone_number", "phoneNumber", "Phone Number"} <= set(names)
    forms = Counter(
        "union" if isinstance(leaf.get("type"), list) else "branches" if {"anyOf", "oneOf"} & set(leaf) else "optional"
        for schema in schemas
        for name, leaf in schema["properties"].items()
        if "phone" in name.lower()
    )
    assert set(forms) == {"union", "branches", "optional"}
    assert forms["union"] > forms["branches"]


def test_opaque_slots_are_always_described() -> None:
    for number in range(60):
        draft = _draft(number)
        draft.extract(slot("q1", "Who comes?", opaque=True), (0, 4))
        record = draft.record()
        assert record is not None
        assert "description" in next(iter(record.schema["properties"].values()))


def test_names_that_collide_drop_the_later_field() -> None:
    draft = _draft(1)
    draft.extract(slot("name"), (0, 4))
    draft.extract(slot("name"), None)
    record = draft.record()
    assert record is not None
    assert len(record.schema["properties"]) == 1


def test_spans_lose_what_the_extractor_trims() -> None:
    draft = _draft(3, "Road, Ostwick,  here")
    assert draft.extract(slot("place"), (4, 15))
    assert draft.fields[0].span == (6, 13)
    assert not draft.extract(slot("nothing"), (14, 16))


def test_empty_draft_and_bad_options() -> None:
    assert _draft(1).record() is None
    with pytest.raises(ValueError, match="must be distinct"):
        _draft(1).choose(WHO, [("a", None), ("a", None)], "a")
    with pytest.raises(ValueError, match="hold 'c'"):
        _draft(1).choose(WHO, [("a", None), ("b", None)], "c")


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("6 people", "integer", 6),
        ("five guests", "integer", 5),
        ("5 adults and 1 child", "integer", None),
        ("some", "integer", None),
        ("3 May 2021", "date", "2021-05-03"),
        ("03/04/2021", "date", None),
        ("next Friday", "date", None),
        ("ilka@ostwick.example", "email", "ilka@ostwick.example"),
        ("ilka at ostwick", "email", None),
        ("Ostwick", "text", None),
    ],
)
def test_typed_readings(text: str, kind: str, value: object) -> None:
    context = f"It says: {text} there"
    reading = read_typed(context, (9, 9 + len(text)), kind)
    assert (reading[0] if reading else None) == value


@pytest.mark.parametrize(
    ("case", "spelled"),
    [("snake", "party_size"), ("camel", "partySize"), ("pascal", "PartySize"), ("title", "Party Size"),
     ("sentence", "Party size"), ("spaced", "party size"), ("kebab", "party-size"), ("upper", "PARTY_SIZE")],
)  # fmt: skip
def test_spell(case: str, spelled: str) -> None:
    assert spell("party size", case) == spelled


def test_occurrences_cut_no_words() -> None:
    assert occurrences("tea for team tea.", "tea") == [(0, 3), (13, 16)]
    assert occurrences("team", "tea", words=False) == [(0, 3)]
    assert occurrences("a (b) c", "(b)") == [(2, 5)]


def test_choices_hold_the_answer_once_and_no_two_alike() -> None:
    others = 0
    for number in range(300):
        draft = _draft(number)
        ask_intent(draft, INTENTS, "bread_roll")
        for item in draft.fields:
            options = item.schema.get("enum") or [
                branch["const"] for branch in (item.schema.get("oneOf") or item.schema.get("anyOf"))
            ]
            assert options.count(item.value) == 1
            assert len(set(map(str, options))) == len(options)
            others += any(word in str(item.value).lower() for word in ("other", "none", "else", "unknown", "no"))
    assert 0 < others < 60


def test_neighbours_and_wordings() -> None:
    from random import Random

    rng = Random(1)
    for count in range(1, 7):
        labels = neighbours(INTENTS, "soup", rng, count)
        assert len(set(labels)) == count
        assert "soup" not in labels
    assert all(len({value for value, _ in worded(list(INTENTS.values()), rng)}) == len(INTENTS) for _ in range(40))


def test_key_words_and_marks() -> None:
    from random import Random

    assert key_words("Who is it?", Random(0)) == "answer"
    assert set(key_words("Who built the old mill?", Random(0)).split()) <= {"built", "old", "mill"}
    assert merged("a b, c", [("X", 0, 1), ("X", 2, 3), ("X", 5, 6)]) == [("X", 0, 3), ("X", 5, 6)]
    assert separated(" (Road), ", (0, 9)) == (2, 6)


def test_tei_text_and_marks() -> None:
    root = parse("<r>\n\t<a>One<lb/> two </a>\n\n <b n='1'><lb/>three</b></r>")
    assert root is not None
    text, marks = plain(root)
    assert text == "One\ntwo three" or text == "One\ntwo\nthree"
    assert [text[mark.start : mark.end] for mark in marks] == ["One\ntwo", "three"]
    assert parse("<r>") is None


def test_slots_from_text() -> None:
    assert slot("a | b|", "x|y", kind="date", opaque=True) == Slot(("a", "b"), ("x", "y"), "date", True)
