"""Ways to lay out label and value pairs that any kind of document can use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deg_core.datagen.documents.builder import length
from deg_core.datagen.documents.facts import Sheet

Shape = Callable[[Sheet, Sequence[str]], None]


def present(sheet: Sheet, keys: Sequence[str]) -> list[str]:
    """Those of the keys that the sheet holds, in the given order."""
    return [key for key in keys if sheet.has(key)]


def tag(label: str, joint: str = "_") -> str:
    """A label as an identifier."""
    words = re.findall(r"\w+", label.lower())
    return joint.join(words) or "field"


def colon(sheet: Sheet, keys: Sequence[str]) -> None:
    """``Label: value``, one a line."""
    mark = sheet.rng.choice((": ", ": ", ": ", ":  ", " : ", " - ", " = ", ":"))
    for key in present(sheet, keys):
        sheet.put(sheet.label(key))
        sheet.raw(mark)
        sheet.line(f"{{{key}}}")


def padded(sheet: Sheet, keys: Sequence[str]) -> None:
    """Labels padded to a column, values after it."""
    here = present(sheet, keys)
    stop = sheet.rng.choice(("", ":", ""))
    width = max((len(sheet.label(key)) for key in here), default=0) + sheet.rng.randrange(2, 6)
    for key in here:
        sheet.cell(sheet.label(key) + stop, width + len(stop))
        sheet.line(f"{{{key}}}")


def dotted(sheet: Sheet, keys: Sequence[str]) -> None:
    """Labels, a run of dots, values."""
    width = sheet.rng.randrange(24, 36)
    for key in present(sheet, keys):
        label = sheet.label(key)
        sheet.put(label + " ")
        sheet.raw("." * max(3, width - len(label)) + " ")
        sheet.line(f"{{{key}}}")


def stacked(sheet: Sheet, keys: Sequence[str]) -> None:
    """The label on one line and the value on the next."""
    for key in present(sheet, keys):
        sheet.line(sheet.label(key))
        sheet.line(f"{sheet.rng.choice(('', '', '  '))}{{{key}}}")


def bullets(sheet: Sheet, keys: Sequence[str]) -> None:
    """A list with bold labels, as in Markdown."""
    bullet = sheet.rng.choice(("- **{}:** ", "* {}: ", "- {}: ", "• {} – ", "- **{}** "))
    for key in present(sheet, keys):
        sheet.put(bullet.format(sheet.label(key)))
        sheet.line(f"{{{key}}}")


def table(sheet: Sheet, keys: Sequence[str]) -> None:
    """A Markdown table of two columns."""
    sheet.raw("| | |\n|---|---|\n")
    for key in present(sheet, keys):
        sheet.raw("| ")
        sheet.put(sheet.label(key))
        sheet.raw(" | ")
        sheet.put(f"{{{key}}}")
        sheet.raw(" |\n")


def inline(sheet: Sheet, keys: Sequence[str]) -> None:
    """Everything in a line or two, divided by a mark."""
    mark = sheet.rng.choice(("; ", " | ", ", ", " · ", " // "))
    here = present(sheet, keys)
    for at, key in enumerate(here):
        sheet.put(f"{sheet.label(key)}{sheet.rng.choice((' ', ': '))}{{{key}}}")
        sheet.raw(mark if at + 1 < len(here) else "\n")


def json_object(sheet: Sheet, keys: Sequence[str]) -> None:
    """A JSON object, indented or on one line; amounts stay strings as the page writes them."""
    here = present(sheet, keys)
    gap, end = sheet.rng.choice((("  ", "\n"), ("  ", "\n"), ("", " ")))
    sheet.raw("{" + end.strip(" "))
    for at, key in enumerate(here):
        sheet.raw(f'{gap}"{tag(sheet.label(key))}": "')
        sheet.put(f"{{{key}}}")
        sheet.raw('"' + ("," if at + 1 < len(here) else "") + end)
    sheet.raw("}\n")


def yaml_map(sheet: Sheet, keys: Sequence[str]) -> None:
    """``key: value`` with identifiers for labels."""
    for key in present(sheet, keys):
        sheet.raw(f"{tag(sheet.label(key))}: ")
        sheet.line(f"{{{key}}}")


def xml(sheet: Sheet, keys: Sequence[str]) -> None:
    """One element a fact."""
    for key in present(sheet, keys):
        name = tag(sheet.label(key), sheet.rng.choice(("", "_", "-")))
        sheet.raw(f"  <{name}>")
        sheet.put(f"{{{key}}}")
        sheet.raw(f"</{name}>\n")


def csv(sheet: Sheet, keys: Sequence[str]) -> None:
    """A header line and a value line; values with the separator in them are quoted."""
    here = present(sheet, keys)
    mark = sheet.rng.choice((";", ";", "\t", "|"))
    sheet.raw(mark.join(tag(sheet.label(key)) for key in here) + "\n")
    for at, key in enumerate(here):
        sheet.put(f"{{{key}}}")
        sheet.raw(mark if at + 1 < len(here) else "\n")


def _head(label: str, style: str) -> str:
    """The label of a column: as it is, as an identifier, in capitals or in camel case."""
    name = tag(label)
    if style == "camel":
        first, *others = name.split("_")
        return first + "".join(word.title() for word in others)
    return {"label": label.rstrip(":"), "snake": name, "capitals": name.upper(), "run on": name.replace("_", "")}[style]


def row(sheet: Sheet, keys: Sequence[str]) -> None:
    """The labels on one line and the values in the same order on the next: an export, a wide table or columns."""
    rng = sheet.rng
    here = present(sheet, keys)
    style = rng.choice(("label", "label", "snake", "capitals", "run on", "camel"))
    heads = [_head(sheet.label(key), style) for key in here]
    form = rng.choice(("marks", "marks", "quoted", "bars", "columns"))
    if form == "columns":
        lengths = [length(sheet.expand(f"{{{key}}}")) for key in here]
        gap = rng.randrange(2, 5)
        widths = [max(len(head), taken) + gap for head, taken in zip(heads, lengths, strict=True)]
        sheet.raw("".join(head.ljust(width) for head, width in zip(heads, widths, strict=True)).rstrip() + "\n")
        for key, width in zip(here, widths, strict=True):
            sheet.cell(f"{{{key}}}", width)
        sheet.raw("\n")
        return
    mark = {"marks": rng.choice((";", ";", "\t", "|", " ; ")), "quoted": rng.choice((",", ";")), "bars": " | "}[form]
    around = {"marks": ("", ""), "quoted": ('"', '"'), "bars": ("", "")}[form]
    edges = ("| ", " |") if form == "bars" else ("", "")
    sheet.raw(edges[0] + mark.join(around[0] + head + around[1] for head in heads) + edges[1] + "\n")
    if form == "bars" and rng.random() < 0.7:
        sheet.raw("|" + "---|" * len(here) + "\n")
    sheet.raw(edges[0])
    for at, key in enumerate(here):
        sheet.raw((mark if at else "") + around[0])
        sheet.put(f"{{{key}}}")
        sheet.raw(around[1])
    sheet.raw(edges[1] + "\n")


def table_row(sheet: Sheet) -> None:
    """A layout of any kind of document: some of its labelled facts as one :func:`row`, in any order."""
    labelled: dict[str, str] = {}
    for key in sheet.rng.sample(list(sheet.labels), len(sheet.labels)):
        if sheet.has(key):
            labelled.setdefault(tag(sheet.label(key)), key)
    keys = list(labelled.values())
    count = min(len(keys), sheet.rng.randrange(3, 17))
    row(sheet, keys[:count] if sheet.rng.random() < 0.5 else sorted(keys[:count], key=list(sheet.labels).index))


def two_columns(sheet: Sheet, left: Sequence[str], right: Sequence[str]) -> None:
    """Two blocks side by side, as a page scanner reads them; an item is a template."""
    width = sheet.rng.randrange(34, 48)
    for at in range(max(len(left), len(right))):
        first = left[at] if at < len(left) else ""
        if at < len(right):
            sheet.cell(first, width)
            sheet.line(right[at])
        else:
            sheet.line(first)


PAIRS: tuple[Shape, ...] = (colon, colon, padded, padded, dotted, stacked, bullets, table, inline)
DATA: tuple[Shape, ...] = (json_object, yaml_map, xml, csv)


def pairs(sheet: Sheet, keys: Sequence[str], *, shuffle: bool = True, data: bool = False) -> None:
    """The facts of ``keys`` that are there, in a drawn shape and (with ``shuffle``) a drawn order."""
    order = list(keys)
    if shuffle:
        sheet.rng.shuffle(order)
    sheet.rng.choice(DATA if data else PAIRS)(sheet, order)
