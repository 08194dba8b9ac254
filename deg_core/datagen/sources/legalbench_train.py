"""LegalBench: decisions on clauses and rulings, from the few rows each task gives away as examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import Slot
from deg_core.records.record import Record

SOURCE = "legalbench_train"

# Fields of a row that are part of the document, with how they are headed.
_PARTS = ("text", "contract", "Paragraph", "policy", "claim", "citation", "Citation", "issue", "statute",
          "bill_title", "bill_summary", "company_name", "company_description")  # fmt: skip
# Their descriptions say less than what is asked, or the answer is a letter of a list that is not there.
_SKIPPED = re.compile(r"diversity_\d|rule_qa|citation_prediction_open|scalr|maud_|sara_|successor_liability")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows that are no decision on a text are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(json_lines(Path(path) / "train.jsonl")):
        fields = {key: str(value).strip() for key, value in row["fields"].items()}
        options = [str(option) for option in row["answers_in_train"]]
        context = _context(fields)
        answer = fields.get("answer", "")
        if (
            not context
            or answer not in options
            or "classification" not in row["task_type"]
            or _SKIPPED.search(row["task"])
            or any(len(option) < 2 for option in options)
            or len(set(options)) < 2
        ):
            tally["not a decision on a text"] += 1
            continue
        group = fields.get("document_name") or context[:200]
        for variant in range(2):
            draft = Draft(SOURCE, f"{number:04d}/{variant}", group, "legal text", context, "clause")
            _ask(draft, row, fields, options, answer)
            record = draft.record()
            if record is not None:
                yield record


def _context(fields: Mapping[str, str]) -> str:
    parts = [(key, fields[key]) for key in _PARTS if fields.get(key)]
    if len(parts) == 1:
        return parts[0][1]
    return "\n".join(f"{key.replace('_', ' ').capitalize()}: {text}" for key, text in parts)


def _ask(draft: Draft, row: Mapping[str, Any], fields: Mapping[str, str], options: list[str], answer: str) -> None:
    rng = draft.rng
    text = fields.get("question") or row["description"].strip().rstrip(".")
    words = re.sub(r"^(?:cuad|contract_nli|opp115|learned_hands|maud|definition)_", "", row["task"]).replace("_", " ")
    item = Slot((words, f"is {words}", "answer", "decision"), _phrased(text), opaque=True)
    if set(options) == {"Yes", "No"}:
        if rng.random() < 0.85:
            draft.decide(item, answer == "Yes")
        else:
            yes, no = rng.choice((("yes", "no"), ("Yes", "No"), ("applies", "does not apply")))
            draft.choose(item, [(yes, None), (no, None)], yes if answer == "Yes" else no)
        return
    draft.choose(item, [(option, None) for option in options], answer)


def _phrased(text: str) -> tuple[str, ...]:
    """The task as a question, beside the task as it is put."""
    found = re.match(r"(?:Classify|Identify|Determine) (?:if|whether) (.+)$", text)
    return (text, f"whether {found.group(1)}", f"true if {found.group(1)}") if found else (text,)
