"""Reading the raw files of public data sets: gzip or plain, text or JSON, found by their stem."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias
from xml.etree import ElementTree

from deg_core.errors import RecordError

Tally: TypeAlias = Counter[str]
"""How many rows a converter left out, by reason."""


def read_text(path: Path) -> str:
    """The text of ``path`` or of ``path`` with ``.gz`` appended, as UTF-8, line ends kept.

    Raises:
        RecordError: neither is there.
    """
    if path.is_file():
        data = path.read_bytes()
    elif (packed := path.with_name(path.name + ".gz")).is_file():
        data = gzip.decompress(packed.read_bytes())
    else:
        raise RecordError(f"{path}: not found, nor with .gz appended; give the folder that holds the data set's files")
    return data.decode("utf-8-sig")


def read_json(path: Path) -> Any:
    """The one JSON value in ``path``."""
    return json.loads(read_text(path))


def json_lines(path: Path) -> Iterator[Any]:
    r"""One JSON value a line, cut at ``\n`` only."""
    for line in read_text(path).split("\n"):
        if line.strip():
            yield json.loads(line)


def table(path: Path, *, delimiter: str = ",", quoted: bool = True) -> Iterator[dict[str, str]]:
    """Rows of a CSV or TSV file with a header; ``quoted`` False reads quotes as ordinary characters."""
    text = read_text(path)
    if quoted:
        yield from csv.DictReader(text.splitlines(keepends=True), delimiter=delimiter)
        return
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    header = lines[0].split(delimiter)
    for line in lines[1:]:
        yield dict(zip(header, line.split(delimiter), strict=False))


def tagged_text(element: ElementTree.Element) -> tuple[str, list[tuple[str, int, int]]]:
    """The text of an element, and ``(tag, start, end)`` of each descendant in document order (namespaces dropped)."""
    parts: list[str] = []
    spans: list[tuple[str, int, int]] = []
    length = 0

    def put(text: str | None) -> None:
        nonlocal length
        if text:
            parts.append(text)
            length += len(text)

    def walk(node: ElementTree.Element) -> None:
        put(node.text)
        for child in node:
            start, place = length, len(spans)
            spans.append((str(child.tag).rpartition("}")[2], start, start))
            walk(child)
            spans[place] = (spans[place][0], start, length)
            put(child.tail)

    walk(element)
    return "".join(parts), spans


def merged(text: str, spans: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Neighbouring ``(tag, start, end)`` tokens of one tag, with only white space between them, as one part."""
    out: list[tuple[str, int, int]] = []
    for tag, start, end in spans:
        if out and out[-1][0] == tag and not text[out[-1][2] : start].strip():
            out[-1] = (tag, out[-1][1], end)
        else:
            out.append((tag, start, end))
    return out


def separated(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """``span`` without separators and brackets at its ends ("Road," stands for "Road")."""
    found = re.match(r"[\s,;:(\[#\"'-]*", text[slice(*span)])
    start = span[0] + (found.end() if found else 0)
    return start, start + len(text[start : span[1]].rstrip(" ,;:)]\"'-\n\t"))
