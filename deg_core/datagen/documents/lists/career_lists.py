"""Lists of a working life: jobs with duties, courses."""

from __future__ import annotations

import datetime as dt

from deg_core.datagen.documents import names
from deg_core.datagen.documents.declare import ask, choice, declare
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.invention import decided, shared
from deg_core.datagen.documents.lists.model import ListKind, bars, rows

_DUTIES = bars("""
    answered customer calls | planned the weekly rota | kept the books | trained new colleagues |
    ran the stockroom | wrote monthly reports | tested new software | led a team of six |
    negotiated with suppliers | looked after the website | organised two trade fairs | repaired machines on site |
    checked deliveries | drafted contracts | cooked for up to ninety guests | managed the budget |
    designed flyers | introduced a ticket system | translated manuals | cared for elderly residents |
    drove the night bus | audited safety records | built dashboards | interviewed candidates |
    migrated the database
""")


def _duty(sheet: Sheet, p: str, at: int) -> None:
    sheet.text(f"{p}/duty", sheet.rng.choice(_DUTIES))


DUTIES = ListKind(
    name="duties",
    homes=("cv",),
    declared=declare(
        ask("duty", "string", "duty|task|responsibility|what was done", "one duty, as written", labels="Duty|Task")
    ),
    invent=_duty,
    lead=("duty",),
    names=bars("duties | tasks | responsibilities | highlights | achievements"),
    nouns=bars("what the person did there, one entry each | duties of the job | responsibilities in this position"),
    one=bars("a duty | one task | a responsibility, as written"),
    lines=rows("""
        {duty}
    """),
    held_lines=rows("""
        {duty}
    """),
    sentences=rows("""
        {duty}.
    """),
    held_sentences=rows("""
        {duty}.
    """),
    headings=rows("""
        Duties
    """),
    none=rows("""
        No duties given.
    """),
    plain={"duty": ("duties",)},
)

_CONTRACT = {
    "full": ("full-time|full time", "", ()),
    "part": ("part-time|part time", "", ()),
    "free": ("freelance|self-employed|contractor", "", ()),
}

_TITLES = bars("""
    Accountant | Sales Assistant | Nurse | Data Analyst | Warehouse Manager | Chef | Teacher | Electrician |
    Project Lead | Software Developer | Bus Driver | Receptionist | Graphic Designer | Lab Technician |
    Carpenter | Legal Clerk | Barista | Product Owner | Gardener | Translator
""")

_CONTRACT_WORDS = {
    "full": ("full-time", "40 hours a week", "full time"),
    "part": ("part-time", "20 hours a week", "half days"),
    "free": ("freelance", "self-employed", "on my own account"),
}


def _job(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(f"{p}/title", rng.choice(("", "", "Senior ", "Junior ", "Deputy ")) + rng.choice(_TITLES))
    sheet.text(
        f"{p}/employer",
        rng.choice(
            (
                names.company(rng),
                names.shop(rng),
                f"{names.place_name(rng)} Hospital",
                f"Town of {names.place_name(rng)}",
            )
        ),
    )
    if shared(sheet, "city", 0.5):
        sheet.text(f"{p}/city", names.place_name(rng))
    start = 2026 - 3 * at - rng.randrange(1, 4)
    if start > 1960:
        sheet.number(f"{p}/start", start)
        if at:
            sheet.number(f"{p}/end", start + rng.randrange(1, 4))
    if shared(sheet, "contract", 0.4):
        contract = rng.choice(("full", "full", "part", "free"))
        decided(sheet, f"{p}/contract", contract, _CONTRACT_WORDS[contract])


JOBS = ListKind(
    name="jobs",
    homes=("cv",),
    declared=declare(
        ask(
            "title",
            "string",
            "title|job title|position|role",
            "title of the job|position held",
            labels="Position|Title|Role",
        ),
        ask(
            "employer",
            "string",
            "employer|company|organisation|where",
            "who the person worked for",
            labels="Employer|Company|At",
        ),
        ask("city", "string", "city|place|location|town", "where the job was", labels="Place|City"),
        ask(
            "start", "integer", "start year|from|start|since", "year in which the job began", labels="From|Since|Start"
        ),
        ask(
            "end",
            "integer",
            "end year|until|to|end",
            "year in which the job ended; missing when it goes on",
            labels="Until|To|End",
        ),
        choice("contract", "contract|employment type|hours", "full-time, part-time or freelance", _CONTRACT),
    ),
    invent=_job,
    lead=("title", "employer"),
    names=bars("jobs | work experience | positions | employment history | experience | career"),
    nouns=bars("""
        one entry for each job | positions held, in the order of the text | work experience with duties |
        employers and jobs
    """),
    one=bars("a job | one position | an employment"),
    lines=rows("""
        {start} - {end}: {title}, {employer}
        {title} at {employer}<|, {city}> ({start} to {end})
        {title}, {employer}<|, {city}><|, since {start}>
        {employer}: {title} ({contract})
        {title}, {employer}
    """),
    held_lines=rows("""
        {employer} / {title} / {start}
        [{start}..{end}] {title} with {employer}
        {title} ({employer})
    """),
    sentences=rows("""
        I <worked|was employed> as {title} at {employer} from {start} to {end}.
        as {title} at {employer}<| in {city}>, {contract}, I learned a lot.
        I <have been|became> {title} at {employer}<| in {start}>.
        {employer} <hired|took> me as {title}.
        from {start} to {end} I was {title}.
        I was {title} from {start}.
        I worked for {employer}.
        I was {title}.
    """),
    held_sentences=rows("""
        my years at {employer} as {title} began in {start}.
        {employer} in {city} made me {title}.
        {employer} had me as {title}.
        the years from {start} to {end} saw me as {title}.
        {title} was my work from {start}.
        I served {employer}.
        I served as {title}.
    """),
    headings=rows("""
        <Work experience|Employment|Career|Positions held|Professional experience>
    """),
    none=rows("""
        No work experience yet.
        <I have not worked anywhere so far.|Employment: none so far.>
    """),
    plain={"employer": ("employers|companies|former employers",), "title": ("job titles|positions held|roles",)},
    child=DUTIES,
    alone=frozenset(("cv",)),
)

_RESULT = {
    "pass": ("passed|completed", "", ()),
    "good": ("distinction|with distinction|merit", "", ()),
    "open": ("ongoing|in progress", "", ()),
}

_COURSES = bars("""
    First aid | Excel for accountants | Forklift licence | Project management | Food hygiene | Spanish B1 |
    Welding basics | Python | Public speaking | Network security | Fire safety | Photo editing | Negotiation |
    Data protection | Scrum master | Sign language | Crane operation | Copywriting
""")

_RESULT_WORDS = {
    "pass": ("passed", "certificate issued"),
    "good": ("with distinction", "top of the class"),
    "open": ("not finished yet", "in progress"),
}


def _course(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(f"{p}/name", f"{rng.choice(_COURSES)}{rng.choice(('', '', ' I', ' II', ' (online)'))}")
    if shared(sheet, "school", 0.7):
        sheet.text(
            f"{p}/school",
            rng.choice(
                (
                    f"{names.place_name(rng)} College",
                    names.company(rng),
                    f"{names.surname(rng)} Academy",
                    f"Chamber of {names.place_name(rng)}",
                )
            ),
        )
    if shared(sheet, "day", 0.6):
        sheet.day(
            f"{p}/day",
            dt.date(2024, 11, 3) - dt.timedelta(days=100 * at + rng.randrange(60)) if at < 60 else dt.date(2000, 1, 17),
        )
    if shared(sheet, "hours", 0.5):
        sheet.number(f"{p}/hours", rng.choice((4, 8, 12, 16, 24, 40, 60, 120)), after=rng.choice((" h", " hours")))
    if shared(sheet, "result", 0.4):
        result = rng.choice(tuple(_RESULT))
        decided(sheet, f"{p}/result", result, _RESULT_WORDS[result])


COURSES = ListKind(
    name="courses",
    homes=("cv",),
    declared=declare(
        ask("name", "string", "course|name|title|certificate", "name of the course", labels="Course|Name|Title"),
        ask(
            "school",
            "string",
            "provider|school|issued by|institution",
            "who gave the course",
            labels="Provider|School|Issued by",
        ),
        ask("day", "date", "date|completed on|issued on", "day it was finished", labels="Date|Completed"),
        ask("hours", "integer", "hours|length hours|duration", "length in hours", labels="Hours|Length"),
        choice("result", "result|outcome|grade", "how it ended", _RESULT),
    ),
    invent=_course,
    lead=("name",),
    names=bars("courses | certificates | further training | trainings | course list"),
    nouns=bars("each course, one entry | further training | certificates held | all courses that are listed"),
    one=bars("a course | one certificate"),
    lines=rows("""
        {name}, {school}<|, {day}>
        {day}: {name} ({school})
        {name} - {hours}
        {name}<: | - >{result}
        {name}, {hours}, {school}, {result}
        {name}
    """),
    held_lines=rows("""
        {school} >> {name}
        {name} // {hours} // {day}
        {result}: {name}
        {name}
    """),
    sentences=rows("""
        <she|he|the applicant> took {name} at {school}<| on {day}>.
        {name} lasted {hours}.
        {name} ended {result}.
        {name} was on {day}.
        {name}.
    """),
    held_sentences=rows("""
        {school} taught {name}.
        {hours} went into {name}.
        there was {name}, {result}.
        {name}.
    """),
    headings=rows("""
        <Courses|Further training|Certificates|Seminars>
    """),
    none=rows("""
        No courses <were taken|are listed>.
        <Further training: none.|No certificates.>
    """),
    plain={"name": ("course names|names of certificates|trainings",)},
    rest=rows("""
        References on request
        Hours in total: {small}
    """),
)


CAREER_LISTS = (JOBS, COURSES)
