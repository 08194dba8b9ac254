"""How lists look: tables, bullets, lines, blocks, prose and data; a part of the ways is held out for the test split."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.builder import Piece
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.model import Entry, ListKind, placed

Form = Callable[[Sheet, ListKind, Sequence[Entry], Sequence[str]], None]
BAR = "\u007c"


def _cell(sheet: Sheet, entry: Entry, key: str, *, bare: bool = False) -> str:
    """The template of a cell, "" for a fact that the item lacks."""
    full = f"{entry.prefix}/{key}"
    return f"{{{full}{':bare' if bare else ''}}}" if sheet.has(full) else ""


def _length(sheet: Sheet, template: str) -> int:
    return sum(len(piece.text) for piece in sheet.expand(template) if piece.kind in ("lit", "gold"))


def label(sheet: Sheet, kind: ListKind, key: str) -> str:
    """The label of a leaf, the same one throughout the page."""
    memo = f"{kind.name}/{key}"
    if memo not in sheet.labels:
        field = next(one for one in kind.declared.fields if one.key == key)
        entry = dict(kind.declared.labels.get(key) or {"en": [name.capitalize() for name in field.names[:2]]})
        entry |= {lang: abroad.labels[key] for lang, abroad in kind.abroad.items() if key in abroad.labels}
        sheet.labels = {**sheet.labels, memo: entry}
    return sheet.label(memo)


def columns(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """Padded columns under a header line, numbers to the right."""
    rng = sheet.rng
    bare, empty = rng.random() < 0.3, rng.choice(("", "-", "--", ""))
    right = (
        {one.key for one in kind.declared.fields if one.type in ("number", "integer")} if rng.random() < 0.7 else set()
    )
    cells = {(at, key): _cell(sheet, entry, key, bare=bare) for at, entry in enumerate(entries) for key in keys}
    gap = rng.randrange(2, 5)
    widths = {
        key: max([len(label(sheet, kind, key)), *(_length(sheet, cells[at, key]) for at in range(len(entries)))]) + gap
        for key in keys
    }
    numbered = rng.random() < 0.15
    if rng.random() < 0.88:
        sheet.cell("#" if numbered else "", 5 if numbered else 0)
        for key in keys:
            sheet.cell(label(sheet, kind, key), widths[key], right=key in right)
        sheet.line()
        if rng.random() < 0.5:
            sheet.raw(rng.choice("-=_") * min(sum(widths.values()), 90) + "\n")
    for at, _ in enumerate(entries):
        if numbered:
            sheet.raw(f"{at + 1:<5}")
        for key in keys:
            sheet.cell(cells[at, key] or empty, widths[key], right=key in right)
        sheet.line()


def bars(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """A Markdown table."""
    frame = sheet.rng.random() < 0.8
    edge = (f"{BAR} ", f" {BAR}") if frame else ("", "")
    empty = sheet.rng.choice(("", "-", "n/a"))
    sheet.raw(edge[0] + f" {BAR} ".join(label(sheet, kind, key) for key in keys) + edge[1] + "\n")
    if frame:
        sheet.raw(BAR + f"---{BAR}" * len(keys) + "\n")
    for entry in entries:
        sheet.raw(edge[0])
        for at, key in enumerate(keys):
            sheet.put((f" {BAR} " if at else "") + (_cell(sheet, entry, key) or empty))
        sheet.raw(edge[1] + "\n")


def separated(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """CSV with identifiers as header; semicolons or tabs, because amounts hold commas."""
    mark = sheet.rng.choice((";", "\t", "; "))
    sheet.raw(mark.join(shapes.tag(label(sheet, kind, key)) for key in keys) + "\n")
    for entry in entries:
        for at, key in enumerate(keys):
            sheet.raw(mark if at else "")
            sheet.put(_cell(sheet, entry, key, bare=True))
        sheet.raw("\n")


def templated(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """A line an item, in the list's own shapes, with a bullet or a number or nothing before it."""
    _by_templates(
        sheet,
        kind.one_liners(sheet.lang, held_out=False),
        entries,
        keys,
        sheet.rng.choice(("", "", "- ", "* ", "• ", "{}. ", "{}) ", "  ")),
    )


def joined(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """A bullet an item: the leading fact, then the others with or without their labels."""
    rng = sheet.rng
    bullet, joint = (
        rng.choice(("- ", "* ", "• ", "{}. ", "", "- **", "{}) ")),
        rng.choice((", ", "; ", " · ", " / ", " - ", " – ")),
    )
    labelled = rng.random() < 0.6
    for number, entry in enumerate(entries, 1):
        sheet.raw(bullet.format(number))
        here = [key for key in keys if sheet.has(f"{entry.prefix}/{key}")]
        lead = next((key for key in kind.lead if key in here), here[0])
        sheet.put(_cell(sheet, entry, lead) + ("**" if bullet.endswith("**") else ""))
        for key in here:
            if key != lead:
                sheet.raw(joint)
                sheet.put((f"{label(sheet, kind, key)}: " if labelled else "") + _cell(sheet, entry, key))
        sheet.raw("\n")


def blocks(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """A block of labelled lines an item."""
    rng = sheet.rng
    mark, gap = rng.choice((": ", ": ", " = ", " - ", ":  ")), rng.choice(("\n", "---\n", "\n", "* * *\n"))
    for at, entry in enumerate(entries):
        sheet.raw(gap if at else "")
        for key in keys:
            if cell := _cell(sheet, entry, key):
                sheet.put(label(sheet, kind, key))
                sheet.raw(mark)
                sheet.line(cell)


def stacked(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """The leading fact on a line, the others on lines or one line below it."""
    rng = sheet.rng
    indent, together, gap = rng.choice(("  ", "    ", "")), rng.random() < 0.5, rng.choice(("", "\n"))
    for entry in entries:
        here = [key for key in keys if sheet.has(f"{entry.prefix}/{key}")]
        lead = next((key for key in kind.lead if key in here), here[0])
        sheet.line(_cell(sheet, entry, lead))
        rest = [key for key in here if key != lead]
        for at, key in enumerate(rest):
            sheet.raw(indent if not together or not at else ", ")
            sheet.put(f"{label(sheet, kind, key)}{rng.choice((' ', ': '))}{_cell(sheet, entry, key)}")
            sheet.raw("" if together and at + 1 < len(rest) else "\n")
        sheet.raw(gap)


def prose(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """Running text, a sentence or clause an item."""
    starts = (
        ("First, ", "Then ", "Next, ", "Then ", "Also, ", "Finally, "),
        ("", "", "", "", "", ""),
        ("", "And ", "Then ", "", "And ", "Lastly, "),
    )
    _running(sheet, kind.sentences, entries, keys, sheet.rng.choice(starts))


def objects(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """A JSON array of objects with strings, in lines or not; missing facts are left out or null."""
    rng = sheet.rng
    end = rng.choice((("\n", "  "), (" ", "")))
    nulls = rng.random() < 0.3
    sheet.raw("[" + end[0].strip(" "))
    for number, entry in enumerate(entries):
        sheet.raw(end[1] + "{")
        first = True
        for key in keys:
            cell = _cell(sheet, entry, key, bare=True)
            if not cell and not nulls:
                continue
            sheet.raw(("" if first else ", ") + f'"{shapes.tag(label(sheet, kind, key))}": ')
            sheet.put(f'"{cell}"' if cell else "null")
            first = False
        sheet.raw("}" + ("," if number + 1 < len(entries) else "") + end[0])
    sheet.raw("]\n")


def elements(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """An XML element an item."""
    word = shapes.tag(sheet.rng.choice(kind.one).split()[-1])
    inline = sheet.rng.random() < 0.5
    for entry in entries:
        sheet.raw(f"<{word}>" + ("" if inline else "\n"))
        for key in keys:
            if cell := _cell(sheet, entry, key, bare=True):
                name = shapes.tag(label(sheet, kind, key))
                sheet.raw(f"{'' if inline else '  '}<{name}>")
                sheet.put(cell)
                sheet.raw(f"</{name}>" + ("" if inline else "\n"))
        sheet.raw(f"</{word}>\n")


def _in_groups(bullets: Sequence[str], joints: Sequence[str], marks: Sequence[tuple[str, str]]) -> Form:
    """Neighbours that have a fact in common stand under a line that says it once."""

    def write(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
        rng = sheet.rng
        bullet, joint, (before, after) = rng.choice(bullets), rng.choice(joints), rng.choice(marks)
        lead = next((key for key in kind.lead if key in keys), keys[0])
        common = [key for key in keys if key != lead and _groupable(sheet, kind, entries, key)]
        key = rng.choice(common) if common else ""
        rest = [one for one in keys if one not in (lead, key)]
        at = 0
        while at < len(entries):
            group = entries[at : at + (_run(sheet, entries[at:], key) if key else len(entries))]
            if key:
                _said_once(sheet, group, key, before, after)
            for entry in group:
                sheet.raw(bullet)
                sheet.put(_cell(sheet, entry, lead))
                for other in rest:
                    if cell := _cell(sheet, entry, other):
                        sheet.put(joint + cell)
                sheet.raw("\n")
            at += len(group)

    return write


def _groupable(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], key: str) -> bool:
    """Dates, places, people and decisions can be common to items, amounts can not."""
    one = next(one for one in kind.declared.fields if one.key == key)
    return one.type in ("date", "string", "choice") and all(sheet.has(f"{entry.prefix}/{key}") for entry in entries)


def _run(sheet: Sheet, entries: Sequence[Entry], key: str) -> int:
    """How many of the first items go under one line: a drawn number, but never items that are decided differently."""
    size = min(sheet.rng.choice((1, 2, 2, 3, 4)), len(entries))
    answers = [sheet.decisions.get(f"{entry.prefix}/{key}") for entry in entries[:size]]
    return next((at for at, answer in enumerate(answers) if answer != answers[0]), size)


def _said_once(sheet: Sheet, group: Sequence[Entry], key: str, before: str, after: str) -> None:
    """One line with the fact of the first item, which all items of the group take over."""
    first = f"{group[0].prefix}/{key}"
    names = [f"{entry.prefix}/{key}" for entry in group]
    for name in names[1:]:
        sheet.facts[name] = sheet.facts[first]
    sheet.raw(before)
    sheet.pieces.extend(Piece("open", name) for name in names)
    sheet.pieces.append(Piece("gold", sheet.facts[first].surface))
    sheet.pieces.extend(Piece("close", name) for name in reversed(names))
    sheet.raw(after + "\n")


# -- held out ---------------------------------------------------------------------------------------------------------


def held_templated(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """Held out: line shapes and marks that no training document has."""
    _by_templates(
        sheet,
        kind.one_liners(sheet.lang, held_out=True),
        entries,
        keys,
        sheet.rng.choice(("> ", "[ ] ", "({}) ", "-> ", "No. {}: ", "+ ")),
    )


def held_prose(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """Held out: sentences with other wordings."""
    starts = (
        ("To begin with, ", "After that, ", "Moreover, ", "Further, ", "In addition, ", "At the end, "),
        ("", "Besides, ", "", "What is more, ", "", ""),
    )
    _running(sheet, kind.held_sentences, entries, keys, sheet.rng.choice(starts))


def yaml_list(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """Held out: a YAML list."""
    for entry in entries:
        mark = "- "
        for key in keys:
            if cell := _cell(sheet, entry, key):
                sheet.raw(f"{mark}{shapes.tag(label(sheet, kind, key))}: ")
                sheet.line(cell)
                mark = "  "


def leaders(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """Held out: the leading fact, a run of dots, the rest at the right."""
    width, joint = sheet.rng.randrange(26, 40), sheet.rng.choice((" / ", "  ", " | ", ", "))
    for entry in entries:
        here = [key for key in keys if sheet.has(f"{entry.prefix}/{key}")]
        lead = next((key for key in kind.lead if key in here), here[0])
        cell = _cell(sheet, entry, lead)
        sheet.put(cell + " ")
        sheet.raw("." * max(3, width - _length(sheet, cell)) + " ")
        for at, key in enumerate(key for key in here if key != lead):
            sheet.put((joint if at else "") + _cell(sheet, entry, key))
        sheet.raw("\n")


def grid(sheet: Sheet, kind: ListKind, entries: Sequence[Entry], keys: Sequence[str]) -> None:
    """Held out: a table drawn with lines, as a terminal prints it."""
    cells = {(at, key): _cell(sheet, entry, key) for at, entry in enumerate(entries) for key in keys}
    widths = {
        key: max([len(label(sheet, kind, key)), *(_length(sheet, cells[at, key]) for at in range(len(entries)))]) + 1
        for key in keys
    }
    rule = "+" + "+".join("-" * (widths[key] + 1) for key in keys) + "+\n"
    sheet.raw(rule + "".join(f"{BAR} {label(sheet, kind, key):<{widths[key]}}" for key in keys) + f"{BAR}\n" + rule)
    for at, _ in enumerate(entries):
        for key in keys:
            sheet.raw(f"{BAR} ")
            sheet.cell(cells[at, key], widths[key])
        sheet.raw(f"{BAR}\n")
    sheet.raw(rule)


# -- shared -----------------------------------------------------------------------------------------------------------


def _best(sheet: Sheet, templates: Sequence[str], entry: Entry, keys: Sequence[str]) -> str | None:
    """The fitting template among those whose facts are all shown in this document that says the most."""
    fitting = []
    for template in templates:
        chosen = placed(sheet.choose(template), entry.prefix)
        used = {part.split("}")[0].split(":")[0] for part in chosen.split("{")[1:]}
        if used <= {f"{entry.prefix}/{key}" for key in keys} and sheet.fits(chosen):
            fitting.append((len(used), chosen))
    return max(fitting, key=lambda item: item[0])[1] if fitting else None


def _by_templates(
    sheet: Sheet, templates: Sequence[str], entries: Sequence[Entry], keys: Sequence[str], bullet: str
) -> None:
    """One wording for the whole list; an item that lacks a fact of it gets the fullest one that says no more."""
    order = [sheet.choose(template) for template in sheet.rng.sample(templates, len(templates))]
    cut = order[: max(1, sheet.rng.randint(len(order) // 2, len(order)))]
    main = max((entry for entry in entries), key=lambda entry: sum(sheet.has(f"{entry.prefix}/{key}") for key in keys))
    best = _best(sheet, cut, main, keys) or _best(sheet, order, main, keys)
    said = [key for key in keys if best is None or f"{{{main.prefix}/{key}" in best]
    for number, entry in enumerate(entries, 1):
        sheet.raw(bullet.format(number))
        sheet.line(_best(sheet, order, entry, said) or _best(sheet, order, entry, keys) or _rest_of(sheet, entry, keys))


def _running(
    sheet: Sheet, templates: Sequence[str], entries: Sequence[Entry], keys: Sequence[str], starts: Sequence[str]
) -> None:
    rng = sheet.rng
    for at, entry in enumerate(entries):
        start = starts[0] if at == 0 else starts[-1] if at + 1 == len(entries) else rng.choice(starts[1:-1])
        template = best_line(sheet, templates, entry, keys, stop=".")
        text = template if start or template.startswith("{") else template[0].upper() + template[1:]
        sheet.put(start + text)
        sheet.raw("\n\n" if len(entries) > 8 and at % 5 == 4 else " ")
    sheet.raw("\n")


def best_line(sheet: Sheet, templates: Sequence[str], entry: Entry, keys: Sequence[str], *, stop: str = "") -> str:
    """The template that says most about an item, or its facts with commas between them and ``stop`` at the end."""
    drawn = sheet.rng.sample(templates, len(templates))
    return _best(sheet, drawn, entry, keys) or _rest_of(sheet, entry, keys) + stop


def _rest_of(sheet: Sheet, entry: Entry, keys: Sequence[str]) -> str:
    """Every fact of the item with commas between them: what is written when no template fits."""
    return ", ".join(f"{{{entry.prefix}/{key}}}" for key in keys if sheet.has(f"{entry.prefix}/{key}"))


FORMS: Mapping[str, Form] = {
    "columns": columns,
    "bars": bars,
    "separated": separated,
    "templated": templated,
    "joined": joined,
    "blocks": blocks,
    "stacked": stacked,
    "prose": prose,
    "objects": objects,
    "elements": elements,
    "grouped": _in_groups(
        ("- ", "* ", "  ", "• "), (", ", " - ", "; "), (("", ":"), ("## ", ""), ("", ""), ("[", "]"))
    ),
    "held_grouped": _in_groups(("> ", "+ ", "~ "), (" // ", " / ", " .. "), (("== ", " =="), (">>> ", ""), ("", " |"))),
    "held_templated": held_templated,
    "held_prose": held_prose,
    "yaml_list": yaml_list,
    "leaders": leaders,
    "grid": grid,
}
HELD_OUT = frozenset(("held_grouped", "held_templated", "held_prose", "yaml_list", "leaders", "grid"))
_WEIGHTS = {"columns": 3.0, "templated": 3.0, "joined": 2.0, "prose": 2.0, "held_templated": 2.0, "held_prose": 2.0}


def draw_form(rng: random.Random, *, held_out: bool, count: int, lang: str = "en") -> str:
    """The name of a way to write a list; long lists and those in other languages are not written as prose."""
    told = count <= 20 and lang == "en"
    names = [name for name in FORMS if (name in HELD_OUT) == held_out and (told or not name.endswith("prose"))]
    return rng.choices(names, [_WEIGHTS.get(name, 1.0) for name in names])[0]
