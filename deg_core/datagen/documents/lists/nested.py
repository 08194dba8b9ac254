"""How lists with inner lists look: a part for each outer item, with its inner items below."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.model import Entry, ListKind
from deg_core.datagen.documents.lists.writers import FORMS, best_line, label

NestedForm = Callable[[Sheet, ListKind, Sequence[Entry], Sequence[str], Sequence[str]], None]


def _child(kind: ListKind) -> ListKind:
    if kind.child is None:
        raise ValueError(f"the list {kind.name!r} has no inner list")
    return kind.child


def _parts(names: Sequence[str], marks: Sequence[tuple[str, str]], gaps: Sequence[str], *, held: bool) -> NestedForm:
    """A heading line an outer item, between two marks, and one of the flat ways ``names`` for its inner items."""

    def write(
        sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str], inner_keys: Sequence[str]
    ) -> None:
        child, (before, after) = _child(kind), sheet.rng.choice(marks)
        name, gap = sheet.rng.choice(names), sheet.rng.choice(gaps)
        templates = kind.one_liners(sheet.lang, held_out=held)
        for number, entry in enumerate(entries, 1):
            sheet.raw((gap if number > 1 else "") + before.format(number))
            sheet.put(best_line(sheet, templates, entry, keys))
            sheet.raw(after + "\n")
            if entry.inner:
                FORMS[name](sheet, child, entry.inner, inner_keys)
            else:
                sheet.line(sheet.rng.choice(child.none))

    return write


def _labelled(
    sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str], inner_keys: Sequence[str]
) -> None:
    """Labelled lines for the outer item, a word for the inner list, and its items as bullets."""
    rng, child = sheet.rng, _child(kind)
    word, mark, name = rng.choice(child.headings), rng.choice((": ", " = ", " - ")), rng.choice(("joined", "templated"))
    word = sheet.choose(word)
    for at, entry in enumerate(entries):
        sheet.raw("\n" if at else "")
        for key in keys:
            if sheet.has(f"{entry.prefix}/{key}"):
                sheet.put(label(sheet, kind, key))
                sheet.raw(mark)
                sheet.line(f"{{{entry.prefix}/{key}}}")
        if entry.inner:
            sheet.line(f"{word}:")
            FORMS[name](sheet, child, entry.inner, inner_keys)
        else:
            sheet.line(f"{word}: {rng.choice(('none', '-', 'nothing'))}")


def _told(names: Sequence[str], *, held: bool) -> NestedForm:
    """A sentence for the outer item and sentences for what is in it, a paragraph each."""

    def write(
        sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str], inner_keys: Sequence[str]
    ) -> None:
        child, name = _child(kind), sheet.rng.choice(names)
        templates = kind.held_sentences if held else kind.sentences
        for entry in entries:
            text = best_line(sheet, templates, entry, keys, stop=".")
            sheet.put(text if text.startswith("{") else text[0].upper() + text[1:])
            sheet.raw(" ")
            if entry.inner:
                FORMS[name](sheet, child, entry.inner, inner_keys)
            else:
                sheet.line(sheet.rng.choice(child.none))

    return write


def _objects(
    sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str], inner_keys: Sequence[str]
) -> None:
    """JSON with an array inside each object."""
    child = _child(kind)
    word = shapes.tag(sheet.rng.choice(child.names))
    sheet.raw("[\n")
    for number, entry in enumerate(entries):
        sheet.raw("  {")
        for key in keys:
            if sheet.has(f"{entry.prefix}/{key}"):
                sheet.raw(f'"{shapes.tag(label(sheet, kind, key))}": "')
                sheet.put(f"{{{entry.prefix}/{key}:bare}}")
                sheet.raw('", ')
        sheet.raw(f'"{word}": ')
        FORMS["objects"](sheet, child, entry.inner, inner_keys)
        sheet.raw("  }" + ("," if number + 1 < len(entries) else "") + "\n")
    sheet.raw("]\n")


def _outline(
    sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str], inner_keys: Sequence[str]
) -> None:
    """Held out: 1, 1.1, 1.2 and so on."""
    child = _child(kind)
    for number, entry in enumerate(entries, 1):
        sheet.raw(f"{number} ")
        sheet.line(best_line(sheet, kind.held_lines, entry, keys))
        for inner_number, inner in enumerate(entry.inner, 1):
            sheet.raw(f"{number}.{inner_number} ")
            sheet.line(best_line(sheet, child.held_lines, inner, inner_keys))


def _yaml(
    sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str], inner_keys: Sequence[str]
) -> None:
    """Held out: YAML with an inner list."""
    child = _child(kind)
    word = shapes.tag(sheet.rng.choice(child.names))
    for entry in entries:
        mark = "- "
        for key in keys:
            if sheet.has(f"{entry.prefix}/{key}"):
                sheet.raw(f"{mark}{shapes.tag(label(sheet, kind, key))}: ")
                sheet.line(f"{{{entry.prefix}/{key}}}")
                mark = "  "
        sheet.raw(f"  {word}:" + ("\n" if entry.inner else " []\n"))
        for inner in entry.inner:
            mark = "    - "
            for key in inner_keys:
                if sheet.has(f"{inner.prefix}/{key}"):
                    sheet.raw(f"{mark}{shapes.tag(label(sheet, child, key))}: ")
                    sheet.line(f"{{{inner.prefix}/{key}}}")
                    mark = "      "


_MARKS = (("", ":"), ("## ", ""), ("{}. ", ""), ("** ", " **"), ("", ""), ("--- ", " ---"))
NESTED: Mapping[str, NestedForm] = {
    "parts_lines": _parts(("templated", "joined"), _MARKS, ("\n", "", "\n\n"), held=False),
    "parts_table": _parts(("columns", "bars"), _MARKS, ("\n", "\n\n"), held=False),
    "labelled": _labelled,
    "told": _told(("prose",), held=False),
    "nested_objects": _objects,
    "held_parts": _parts(
        ("held_templated", "leaders"), (("=== ", " ==="), ("(", ")"), ("{}) ", " >")), ("\n", "- - -\n"), held=True
    ),
    "held_told": _told(("held_prose",), held=True),
    "outline": _outline,
    "nested_yaml": _yaml,
}
NESTED_HELD_OUT = frozenset(("held_parts", "held_told", "outline", "nested_yaml"))


def draw_nested(rng: random.Random, *, held_out: bool) -> str:
    """The name of a way to write a list with inner lists."""
    return rng.choice([name for name in NESTED if (name in NESTED_HELD_OUT) == held_out])
