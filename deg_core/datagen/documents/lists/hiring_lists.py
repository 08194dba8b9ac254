"""Lists of what employers look for: skills that are asked for, openings."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.declare import ask, choice, declare, flag
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.invention import decided, shared
from deg_core.datagen.documents.lists.model import ListKind, bars, rows

_NEED = {
    "must": ("required|must have|mandatory", "without it nobody is invited", ()),
    "nice": ("nice to have|optional|preferred", "a plus, not a must", ()),
}


_SKILLS = bars("""
    welding | spreadsheet work | Python | fluent German | forklift driving | first aid | bookkeeping |
    customer service | English at B2 | project planning | food hygiene | SQL | night shifts | team leading |
    CAD drawing | cash handling | wound care | public speaking | a clean driving record | photo editing
""")


_NEED_WORDS = {"must": ("a must", "required", "we insist on it"), "nice": ("a plus", "welcome", "would be nice")}


def _skill(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    name = _SKILLS[(7 * at + 2) % len(_SKILLS)]
    sheet.text(f"{p}/name", name if at < len(_SKILLS) else f"{name}, part {at // len(_SKILLS) + 1}")
    need = rng.choice(tuple(_NEED))
    decided(sheet, f"{p}/need", need, _NEED_WORDS[need])
    if shared(sheet, "years", 0.5):
        sheet.number(f"{p}/years", rng.randrange(1, 12), after=rng.choice((" years", " yrs", " years of practice")))
    if shared(sheet, "proof", 0.4):
        sheet.text(
            f"{p}/proof", rng.choice(("certificate", "reference letter", "work sample", "test on the day", "diploma"))
        )


SKILLS = ListKind(
    name="skills",
    homes=("job_ad",),
    alone=frozenset(("job_ad",)),
    declared=declare(
        ask("name", "string", "skill|requirement|what|ability", "what is asked for", labels="Skill|Requirement"),
        ask(
            "years",
            "integer",
            "years|years of experience|experience years",
            "years of experience asked for",
            labels="Years|Practice",
        ),
        ask("proof", "string", "proof|evidence|document", "how it is to be shown", labels="Proof|Shown by"),
        choice("need", "importance|need|required or optional|weight", "whether it is a must or a plus", _NEED),
    ),
    invent=_skill,
    lead=("name",),
    names=bars("requirements | skills | what we ask | qualifications | demands"),
    nouns=bars("one entry for each requirement | the skills that are asked for | what applicants must or should bring"),
    one=bars("a requirement | one skill"),
    lines=rows("""
        {name}: {need}<|, {years}>
        {name}, {years}
        {name} ({proof})<|, {need}>
        {name} - {need}
        {name}
    """),
    held_lines=rows("""
        {need} >> {name}
        {years} of {name}
        {proof} for {name}
        {name}
    """),
    sentences=rows("""
        {name} is {need}<|, with {years}>.
        we <ask for|want to see> {name}<|, {years}>.
        please show {name} by {proof}.
        {name}, {need}.
        {name} counts.
    """),
    held_sentences=rows("""
        you bring {years} of {name}.
        as for {name}, {need}.
        {proof} tells us of {name}.
        you bring {name}.
    """),
    headings=rows("""
        <Requirements|Your profile|What you bring|Skills>
    """),
    none=rows("""
        There are no special requirements.
        <Requirements: none.|Anybody can apply.>
    """),
    plain={"name": ("skills|requirements|required skills",)},
    rest=rows("""
        Send your papers to {person}
        Starting in {town}
    """),
)


def _opening(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(
        f"{p}/title",
        rng.choice(
            (
                "Cook",
                "Night Porter",
                "Data Engineer",
                "Sales Manager",
                "Nurse",
                "Welder",
                "Tax Clerk",
                "Florist",
                "Tram Driver",
                "Web Designer",
                "Physiotherapist",
                "Roofer",
                "Buyer",
                "Baker",
            )
        )
        + rng.choice(("", "", " (m/f/d)", ", level 2")),
    )
    if shared(sheet, "city", 0.7):
        sheet.text(f"{p}/city", names.place_name(rng))
    if shared(sheet, "hours", 0.5):
        sheet.number(f"{p}/hours", rng.choice((10, 15, 20, 30, 35, 38, 40)), after=" hours")
    if shared(sheet, "pay", 0.5):
        sheet.whole_money(f"{p}/pay", Decimal(rng.randrange(18, 110) * 1000))
    if shared(sheet, "ref", 0.4):
        sheet.text(f"{p}/ref", names.code(rng, "JOB", "REF"))
    if shared(sheet, "closing", 0.4):
        sheet.day(f"{p}/closing", dt.date(2026, 6, 13) + dt.timedelta(days=rng.randrange(60)))
    if shared(sheet, "remote", 0.4):
        remote = rng.random() < 0.5
        decided(sheet, f"{p}/remote", remote, ("work from home", "remote") if remote else ("on site", "at our office"))


OPENINGS = ListKind(
    name="openings",
    homes=("job_ad", "news"),
    alone=frozenset(("job_ad",)),
    declared=declare(
        ask("title", "string", "title|job title|position|role", "title of the position", labels="Position|Job|Title"),
        ask("city", "string", "city|place|location", "where the job is", labels="Place|Location"),
        ask("hours", "integer", "hours|weekly hours|hours per week", "hours a week", labels="Hours"),
        ask("pay", "number", "pay|salary|wage", "salary", labels="Pay|Salary"),
        ask("ref", "string", "reference|job number|code", "reference number of the position", labels="Ref."),
        ask("closing", "date", "deadline|apply by|closing date", "last day to apply", labels="Apply by|Closing"),
        flag("remote", "remote|home office", "can it be done from home?|true if remote", (), (), labels="Where"),
    ),
    invent=_opening,
    lead=("title",),
    names=bars("openings | vacancies | jobs | positions | open positions"),
    nouns=bars("one entry for each opening | all vacancies | positions that are open"),
    one=bars("one vacancy | a position"),
    lines=rows("""
        {title}<|, {city}><|, {hours}>
        {title} ({ref}), {pay}
        {title} - {city} - {closing}
        {title}, {remote}
        {title}
    """),
    held_lines=rows("""
        {ref}: {title}
        {city} >> {title} / {pay}
        {title} until {closing}
        {title} // {remote}
        {title}
    """),
    sentences=rows("""
        in {city} we <need|look for> a {title}<|, {hours} a week>.
        a {title} earns {pay}<| ({ref})>.
        apply as {title} by {closing}.
        the {title} is {remote}.
        a {title} is wanted.
    """),
    held_sentences=rows("""
        {city} is short of a {title}.
        {pay} waits for a {title}.
        until {closing} you may apply as {title}.
        be our {title}, {remote}.
        be our {title}.
    """),
    headings=rows("""
        <Further openings|Vacancies|Open positions|We are also looking for>
    """),
    none=rows("""
        There are no <further|other> openings.
        <Vacancies: none at the moment.|No other position is open.>
    """),
    plain={"title": ("job titles|open positions|vacancies",), "city": ("cities|places of work",)},
    rest=rows("""
        Trainees are welcome at any time
        Send papers to {person}
    """),
)

HIRING_LISTS = (SKILLS, OPENINGS)
