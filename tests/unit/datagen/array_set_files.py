"""A few invented rows in the file format of each public data set that gives arrays, for the converters' tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.unit.datagen.set_files import Writer, grobid, ingredients, put, rows_of


def ingredients_lists(folder: Path) -> None:
    ingredients(folder)


def mams_terms(folder: Path) -> None:
    terms = (
        '<aspectTerm from="4" to="8" term="soup" polarity="negative"/>'
        '<aspectTerm from="26" to="32" term="waiter" polarity="positive"/>'
    )
    text = "<text>The soup was thin but the waiter {n} was kind.</text>"
    good = f"<sentence>{text}<aspectTerms>{terms}</aspectTerms></sentence>"
    late = '<aspectTerm from="400" to="410" term="soup" polarity="negative"/>'
    outside = f"<sentence><text>Hm.</text><aspectTerms>{late}</aspectTerms></sentence>"
    for part in ("train", "val"):
        rows = "".join(good.format(n=number) for number in range(8))
        put(folder / f"ATSA_{part}.xml", f"<sentences>{rows}{outside}</sentences>")


def grobid_lists(folder: Path) -> None:
    grobid(folder)
    bibl = (
        '<bibl><author>I. Brandt {n}</author>, <title level="a">Warm stones and walls, part {n}</title>, '
        '<title level="j">J. Stone</title> <biblScope type="vol">4{n}</biblScope> (<date>20{n}</date>)</bibl>'
    )
    many = "".join(bibl.format(n=number) for number in range(11, 40))
    put(folder / "citation.jsonl", rows_of([{"id": "c1", "xml": f"<citations>{many}</citations>"}]))
    name = "<persName><forename>Ilka{n}</forename> <surname>Brandt{n}</surname>,</persName>"
    lines = [
        {"id": f"n{number}", "xml": f"<tei><author>{name.format(n=number)} {name.format(n=number + 50)}</author></tei>"}
        for number in range(6)
    ]
    put(folder / "name.jsonl", rows_of([*lines, {"id": "one", "xml": f"<tei>{name.format(n=1)}</tei>"}]))
    place = (
        '<affiliation><orgName type="institution">University of {t}</orgName>, <address><settlement>{t}</settlement>'
        "</address></affiliation>"
    )
    both = f"<tei>{place.format(t='Ostwick')} {place.format(t='Lornby')}</tei>"
    put(folder / "affiliation_address.jsonl", rows_of([{"id": "a1", "xml": both}]))


def wikitables(folder: Path) -> None:
    tables = []
    for number in range(8):
        rows = [[f"Mill {at}", f"{1890 + at}", "3.5" if at % 3 else "", "yes, always"] for at in range(2, 12)]
        rows.append(["Total", "", "28", ""])
        header = ["Name", "Built", "Height (m)", "Open"]
        tables.append({"id": f"t{number}", "header": header, "rows": rows, "questions": []})
    tables.append({"id": "small", "header": ["A", ""], "rows": [["1", "2"]], "questions": []})
    put(folder / "train.jsonl", rows_of(tables))


def taskmaster4(folder: Path) -> None:
    def shown(items: list[dict[str, Any]]) -> list[dict[str, str]]:
        order = json.dumps({"order_id": "1", "menu_items": items})
        return [
            {"name": "api_response", "value": "get_order_details", "context": "r"},
            {"name": "response", "value": order, "context": "r"},
        ]

    def dialogue(key: str, said: str, items: list[dict[str, Any]]) -> dict[str, Any]:
        turns = [(0, "user", said, shown(items)), (1, "assistant", "Is the order right?", []), (2, "user", "yes", [])]
        return {
            "conversation_id": key,
            "utterances": [
                {"index": at, "speaker": who, "text": text, "annotations": notes} for at, who, text, notes in turns
            ],
        }

    oat = {"menu_item_name": "Mocha", "attributes": [{"attribute_id": "milk-options", "option": "Oat Milk"}]}
    decaf = {"menu_item_name": "Latte", "attributes": [{"attribute_id": "caffeine", "option": "Decaf"}]}
    dialogues = [
        dialogue(f"d{number}", f"One mocha with oat milk and a decaf latte for {number}", [oat, decaf])
        for number in range(8)
    ]
    dialogues.append(dialogue("unsaid", "The usual, please", [oat]))
    dialogues.append(dialogue("empty", "Nothing today", []))
    for name in ("data_00", "data_03", "data_05"):
        rows = [{**row, "conversation_id": f"{name}-{row['conversation_id']}"} for row in dialogues]
        put(folder / f"{name}.json", json.dumps(rows))


ARRAY_WRITERS: dict[str, Writer] = {
    writer.__name__: writer for writer in (ingredients_lists, mams_terms, grobid_lists, wikitables, taskmaster4)
}
