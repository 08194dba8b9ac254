"""MTS-Dialog: which section of a medical note a talk between doctor and patient belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import ask_intent, ask_yes_no, parse_intents
from deg_core.datagen.raw import Tally, table
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "mts_dialog"
FILES = ("MTS-Dialog-TrainingSet", "MTS-Dialog-ValidationSet")

SECTION = slot(
    "section|note section|section header|part of note|chart section",
    "section of the medical note this talk belongs to|where in the chart does it go?|topic of the talk",
)
SECTIONS = parse_intents("""
[history]
FAM/SOCHX = family and social history = it is about relatives' illnesses, habits or living conditions
GENHX = history of present illness = it is about how the present complaint began and went on
PASTMEDICALHX = past medical history = it is about earlier illnesses
CC = chief complaint = it is about why the patient came
PASTSURGICAL = past surgical history = it is about earlier operations
ALLERGY = allergies = it is about allergies
MEDICATIONS = medications = it is about medicines the patient takes
IMMUNIZATIONS = immunizations = it is about vaccinations
GYNHX = gynecologic history = it is about pregnancies or periods
[findings]
ROS = review of systems = symptoms are asked about one after the other
EXAM = physical examination = it is about what the doctor finds on examination
IMAGING = imaging = it is about scans or X-rays
LABS = lab results = it is about laboratory values
PROCEDURES = procedures = it is about a procedure that was done
[decisions]
ASSESSMENT = assessment = the doctor sums up what is wrong
DIAGNOSIS = diagnosis = a diagnosis is named
DISPOSITION = disposition = it is about where the patient goes next
PLAN = plan = it is about what will be done
EDCOURSE = emergency department course = it is about what happened in the emergency room
""")
# What two people could file in either place is not put side by side.
_RIVALS = {
    "GENHX": ("CC", "ROS"), "CC": ("GENHX",), "ROS": ("GENHX",), "ASSESSMENT": ("DIAGNOSIS", "PLAN"),
    "DIAGNOSIS": ("ASSESSMENT",), "PLAN": ("ASSESSMENT", "DISPOSITION"), "DISPOSITION": ("PLAN",),
}  # fmt: skip
_LIMIT = 3000


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; very long talks and rare headers are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for file in FILES:
        for row in table(Path(path) / f"{file}.csv"):
            text = "\n".join(line.strip() for line in row["dialogue"].splitlines() if line.strip())
            header = row["section_header"].strip()
            if header not in SECTIONS or not text or len(text) > _LIMIT:
                tally["very long, or another header"] += 1
                continue
            part = file.rpartition("-")[2].lower()
            draft = Draft(SOURCE, f"{part}/{row['ID']}", text[:300].lower(), "medical conversation", text, "talk")
            pool = {name: item for name, item in SECTIONS.items() if name not in _RIVALS.get(header, ())}
            if draft.rng.random() < 0.85:
                ask_intent(draft, pool, header, item=SECTION, high=16)
            if not draft.fields or draft.rng.random() < 0.35:
                ask_yes_no(draft, pool, header)
            record = draft.record()
            if record is not None:
                yield record
