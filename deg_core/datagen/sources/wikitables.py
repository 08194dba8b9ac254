"""Wikipedia tables written as text in many ways: an array with one item a row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from deg_core.datagen.array_draft import Cell, Column
from deg_core.datagen.draft import Draft, Span
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "wikitables"

ROWS = slot(
    "rows|entries|records|table|items|results|list|data",
    "one item for each row of the table|the rows, top to bottom|every entry of the table without the header and totals|"
    "all entries of the list",
    opaque=True,
)
VALUES = slot("values|column|entries|list", "the values of one column|every entry, in order", opaque=True)
_MISSING = frozenset(("", "-", "–", "—", "n/a", "na", "tba", "none", "?"))
_TOTALS = re.compile(r"(?:grand |sub)?totals?\b|averages?\b|sum\b", re.I)
_NUMBER = re.compile(r"[-+−]?[\d.,]*\d")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}\.? [A-Z][a-z]+,? \d{4}|[A-Z][a-z]+\.? \d{1,2}, \d{4}")
_VARIANTS = 4
_LONGEST = 6000

Grid = Sequence[Sequence[str]]
Places = list[list[Span]]


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the tables in folder ``path``, each table in several cuts and forms, split by table."""
    tally = Tally() if tally is None else tally
    for row in json_lines(Path(path) / "train.jsonl"):
        header = [_clean(name) for name in row["header"]]
        rows = [[_clean(cell) for cell in cells] for cells in row["rows"] if len(cells) == len(header)]
        usable = [at for at, name in enumerate(header) if re.search("[A-Za-z]", name) and header.count(name) == 1]
        if len(usable) < 2 or len(rows) < 2:
            tally["fewer than two named columns or two rows"] += 1
            continue
        for variant in range(_VARIANTS):
            draft = Draft(SOURCE, f"{row['id']}/{variant}", row["id"], "table", "", "table")
            if not _ask(draft, header, rows, usable):
                tally["rows without a place of their own, or too long"] += 1
                continue
            record = draft.record()
            if record is not None:
                yield record


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("|", "/").replace("\t", " ")).strip()


def _ask(draft: Draft, header: list[str], rows: list[list[str]], usable: list[int]) -> bool:
    rng = draft.rng
    written = sorted(rng.sample(usable, rng.randint(min(3, len(usable)), len(usable))))
    size = min(len(rows), rng.choice((2, 3, 4, 5, 6, 8, 10, 14, 20, 40)))
    first = rng.randrange(len(rows) - size + 1)
    cut = [[row[at] for at in written] for row in rows[first : first + size]]
    names = [header[at] for at in written]
    draft.context, places = rng.choice(FORMS)(rng, names, cut)
    if len(draft.context) > _LONGEST:
        return False
    items = [at for at, row in enumerate(cut) if not _is_total(row)]
    kinds = [_kind(cut[at][column] for at in items) for column in range(len(names))]
    named = [column for column in range(len(names)) if any(_cell(cut[at][column]) for at in items)]
    if not named or not items:
        return False
    cells: list[list[Cell]] = [[_at(cut, places, at, column) for column in range(len(names))] for at in items]
    if rng.random() < 0.15:
        column = rng.choice(named)
        name = names[column]
        item = Slot(
            (_plural(name), *VALUES.names), (f"all values of {name}", f"the column {name}, top to bottom"), opaque=True
        )
        return draft.array(item, [_column(name, kinds[column])], [[row[column]] for row in cells], plain=True)
    asked = rng.sample(named, rng.randint(min(2, len(named)), len(named)))
    if rng.random() < 0.5:
        asked.sort()
    columns = [_column(names[column], kinds[column]) for column in asked]
    return draft.array(ROWS, columns, [[row[column] for column in asked] for row in cells])


def _at(cut: Grid, places: Places, row: int, column: int) -> Cell:
    return places[row][column] if _cell(cut[row][column]) else None


def _cell(text: str) -> bool:
    return text.lower() not in _MISSING and re.search(r"\w", text) is not None


def _is_total(row: Sequence[str]) -> bool:
    return any(_TOTALS.match(cell) for cell in row[:2]) or not any(_cell(cell) for cell in row)


def _kind(cells: Iterator[str]) -> str:
    filled = [cell for cell in cells if _cell(cell)]
    if filled and all(re.fullmatch(r"[-+]?\d{1,3}(?:,?\d{3})*", cell) for cell in filled):
        return "integer"
    if filled and all(_NUMBER.fullmatch(cell) for cell in filled):
        return "number"
    return "date" if filled and all(_DAY.fullmatch(cell) for cell in filled) else "text"


def _column(name: str, kind: str) -> Column:
    words = re.sub(r"[^A-Za-z0-9' ]+", " ", name).strip().lower()
    about = f'what the column "{name}" says'
    return Column(Slot((words,), (f"the {name}", about, f"{name} as in the table"), kind, opaque=len(words) < 3))


def _plural(name: str) -> str:
    words = re.sub(r"[^A-Za-z0-9' ]+", " ", name).strip().lower()
    return f"all {words}"


# -- forms: each writes the rows and says where every cell stands --------------------------------------------------


class _Text:
    """A text that grows, and where its parts stand."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0

    def put(self, text: str) -> Span:
        start = self.length
        self.parts.append(text)
        self.length += len(text)
        return start, self.length

    def __str__(self) -> str:
        return "".join(self.parts)


def _bars(rng: Random, names: Sequence[str], rows: Grid) -> tuple[str, Places]:
    out = _Text()
    out.put("| " + " | ".join(names) + " |\n|" + "---|" * len(names) + "\n")
    places: Places = []
    for row in rows:
        out.put("| ")
        found = []
        for at, cell in enumerate(row):
            found.append(out.put(cell))
            out.put(" |\n" if at + 1 == len(row) else " | ")
        places.append(found)
    return str(out), places


def _separated(rng: Random, names: Sequence[str], rows: Grid) -> tuple[str, Places]:
    """CSV, TSV and the like; a cell that holds the separator is quoted."""
    mark = rng.choice((",", ";", "\t", " ; "))
    out, places = _Text(), []
    out.put(mark.join(f'"{name}"' if mark.strip() and mark in name else name for name in names) + "\n")
    for row in rows:
        found = []
        for at, cell in enumerate(row):
            quote = '"' if mark.strip() and mark in cell else ""
            out.put(quote)
            found.append(out.put(cell))
            out.put(quote + ("\n" if at + 1 == len(row) else mark))
        places.append(found)
    return str(out), places


def _padded(rng: Random, names: Sequence[str], rows: Grid) -> tuple[str, Places]:
    """Columns padded with spaces; long ones are cut by two spaces only."""
    widths = [min(28, max(len(line[at]) for line in (names, *rows))) + 2 for at in range(len(names))]
    out, places = _Text(), []
    if rng.random() < 0.9:
        for name, width in zip(names, widths, strict=True):
            out.put(name + " " * max(2, width - len(name)))
        out.put("\n" + ("-" * min(sum(widths), 100) + "\n" if rng.random() < 0.4 else ""))
    for row in rows:
        found = []
        for cell, width in zip(row, widths, strict=True):
            shown = cell or rng.choice(("-", "—", "n/a"))
            found.append(out.put(shown))
            out.put(" " * max(2, width - len(shown)))
        out.put("\n")
        places.append(found)
    return str(out), places


def _blocks(rng: Random, names: Sequence[str], rows: Grid) -> tuple[str, Places]:
    """A block of labelled lines a row; empty cells are left out or written as nothing."""
    mark, gap, skips = rng.choice((": ", " = ", " - ")), rng.choice(("\n", "\n---\n", "")), rng.random() < 0.6
    out, places = _Text(), []
    for number, row in enumerate(rows, 1):
        if number > 1:
            out.put(gap)
        out.put(f"#{number}\n" if gap == "" else "")
        found = []
        for name, cell in zip(names, row, strict=True):
            if skips and not _cell(cell):
                found.append((out.length, out.length))
                continue
            out.put(name + mark)
            found.append(out.put(cell))
            out.put("\n")
        places.append(found)
    return str(out), places


def _lines(rng: Random, names: Sequence[str], rows: Grid) -> tuple[str, Places]:
    """A line a row, with the column's name before each cell or only before those after the first."""
    bullet, joint, labels = (
        rng.choice(("- ", "* ", "", "{}. ", "• ")),
        rng.choice((", ", "; ", " · ", " / ")),
        rng.random(),
    )
    out, places = _Text(), []
    for number, row in enumerate(rows, 1):
        out.put(bullet.format(number))
        found, begun = [], False
        for at, (name, cell) in enumerate(zip(names, row, strict=True)):
            if not _cell(cell):
                found.append((out.length, out.length))
                continue
            out.put(joint if begun else "")
            out.put(f"{name}: " if labels < 0.5 or at else "")
            found.append(out.put(cell))
            begun = True
        out.put("\n")
        places.append(found)
    return str(out), places


def _objects(rng: Random, names: Sequence[str], rows: Grid) -> tuple[str, Places]:
    """JSON lines; cells with a quotation mark are written with single ones."""
    out, places = _Text(), []
    for row in rows:
        out.put("{")
        found = []
        for at, (name, cell) in enumerate(zip(names, row, strict=True)):
            out.put(("" if at == 0 else ", ") + f'"{name}": "')
            found.append(out.put(cell.replace('"', "'").replace("\\", "/")))
            out.put('"')
        out.put("}\n")
        places.append(found)
    return str(out), places


FORMS: tuple[Callable[[Random, Sequence[str], Grid], tuple[str, Places]], ...] = (
    _bars, _separated, _padded, _padded, _blocks, _lines, _lines, _objects,
)  # fmt: skip
