"""Plain text and spans from TEI-annotated documents, with white space as a reader would see it."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

_SPACE = " \t\r\n\f\v\u00a0"


@dataclass(frozen=True, slots=True)
class Mark:
    """An element and where its text stands, white space and line breaks at its ends left out."""

    tag: str
    attributes: dict[str, str]
    start: int
    end: int
    depth: int


def plain(root: ElementTree.Element) -> tuple[str, list[Mark]]:
    """The text of ``root`` and the marks of all elements in it, in document order.

    ``lb`` is a line break; any other run of white space is one space, since the file's own layout means nothing.
    """
    out: list[str] = []
    pending = ""
    raw: list[tuple[ElementTree.Element, int, int, int]] = []

    def put(text: str | None) -> None:
        nonlocal pending
        for letter in text or "":
            if letter in _SPACE:
                pending = pending or " "
            else:
                if pending and out:
                    out.append(pending)
                pending = ""
                out.append(letter)

    def walk(node: ElementTree.Element, depth: int) -> None:
        nonlocal pending
        for child in node:
            if child.tag.rpartition("}")[2] == "lb":
                pending = "\n"
            start, place = len(out), len(raw)
            raw.append((child, start, start, depth))
            put(child.text)
            walk(child, depth + 1)
            raw[place] = (child, start, len(out), depth)
            put(child.tail)

    put(root.text)
    walk(root, 0)
    text = "".join(out)
    marks = []
    for node, start, end, depth in raw:
        while start < end and text[start] in _SPACE:
            start += 1
        while end > start and text[end - 1] in _SPACE:
            end -= 1
        attributes = {key.rpartition("}")[2]: value for key, value in node.attrib.items()}
        marks.append(Mark(str(node.tag).rpartition("}")[2], attributes, start, end, depth))
    return text, [mark for mark in marks if mark.end > mark.start]


def parse(xml: str) -> ElementTree.Element | None:
    """The root element, or None when the text is not XML."""
    try:
        return ElementTree.fromstring(xml)
    except ElementTree.ParseError:
        return None
