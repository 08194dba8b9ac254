"""Lists of meetings and events: tasks, attendees, sessions."""

from __future__ import annotations

import datetime as dt

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.declare import ask, choice, declare, flag
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.invention import clock, decided, shared, week
from deg_core.datagen.documents.lists.model import ListKind, bars, rows

_URGENCY = {
    "low": ("low|can wait", "", ()),
    "mid": ("medium|normal", "", ()),
    "high": ("high|urgent|critical", "", ()),
}

_URGENCY_WORDS = {
    "low": ("no hurry", "low priority", "when there is time"),
    "mid": ("normal", "medium priority"),
    "high": ("urgent", "top priority", "at once"),
}

_TODO = bars("""
    call the {t} office | send the draft to {g} | order new chairs | check the budget | book the hall in {t} |
    update the price list | invite {g} | repair the printer | write the minutes | ask {s} for a quote |
    renew the insurance | plan the summer party | clean up the shared drive | test the fire alarm |
    pay the deposit to {s} | find a date for {t} | translate the flyer | archive old files | prepare slides |
    visit the site in {t}
""")


def _task(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(
        f"{p}/task", rng.choice(_TODO).format(t=names.place_name(rng), g=names.given_name(rng), s=names.surname(rng))
    )
    if shared(sheet, "owner", 0.85):
        sheet.text(f"{p}/owner", rng.choice((names.person(rng), names.given_name(rng))))
    if shared(sheet, "due", 0.7):
        week(sheet, f"{p}/due", dt.date(2026, 2, 3))
    if shared(sheet, "urgency", 0.45):
        urgency = rng.choice(tuple(_URGENCY))
        decided(sheet, f"{p}/urgency", urgency, _URGENCY_WORDS[urgency])
    if shared(sheet, "done", 0.35):
        done = rng.random() < 0.4
        decided(
            sheet, f"{p}/done", done, ("done", "finished", "closed") if done else ("open", "still to do", "not started")
        )


TASKS = ListKind(
    name="tasks",
    homes=("meeting", "support", "incident"),
    alone=frozenset(("meeting",)),
    declared=declare(
        ask(
            "task",
            "string",
            "task|action|what|to do|action item",
            "what is to be done|the task",
            labels="Task|Action|What",
        ),
        ask(
            "owner",
            "string",
            "owner|assignee|who|responsible|person",
            "who does it|person responsible",
            labels="Who|Owner|Responsible",
        ),
        ask("due", "date", "due date|deadline|until|due", "by when", labels="Due|Deadline|By"),
        choice("urgency", "priority|urgency|importance", "how urgent it is", _URGENCY),
        flag(
            "done",
            "done|finished|completed|closed",
            "is it done already?|true if the task is finished",
            (),
            (),
            labels="Status|State",
        ),
    ),
    invent=_task,
    lead=("task",),
    names=bars("action items | tasks | todos | actions | follow ups | next steps | to do list"),
    nouns=bars("""
        tasks agreed on, one entry each | action items with who does them | what has to be done and by whom |
        next steps
    """),
    one=bars("an action item | one task | a thing to do"),
    lines=rows("""
        {owner}: {task}<| by {due}>
        {task} ({owner}<|, {due}>)
        {task} - {owner} - {due}
        {task}, {urgency}<|, {owner}>
        [{done}] {task}
        {task}<, | - >{done}
        {task}
    """),
    held_lines=rows("""
        @{owner} {task}
        {due} {owner} >> {task}
        {task} // {urgency} // {owner}
        {done}: {task}
        {task}
    """),
    sentences=rows("""
        {owner} will {task}<| by {due}>.
        {owner} <agreed|promised> to {task}, {urgency}.
        somebody has to {task}<| until {due}>.
        to {task} is {urgency}.
        to {task} is {done}.
        we must {task}.
    """),
    held_sentences=rows("""
        it falls to {owner} to {task}.
        by {due} {owner} is to {task}.
        let us {task}, {urgency}.
        the point to {task} is {done}.
        let us {task}.
    """),
    headings=rows("""
        <Action items|Tasks|To do|Next steps|What was agreed>
    """),
    none=rows("""
        No <tasks|action items> <were agreed|came up>.
        <There is nothing to do for anybody.|Next steps: none.>
    """),
    plain={"task": ("tasks|action items|todos",), "owner": ("people responsible|owners|assignees",)},
    rest=rows("""
        Next meeting: {town}
        Minutes taken by {person}
    """),
)

_MARK = {
    "yes": ("present|attended|came", "", ()),
    "no": ("absent|did not come", "", ()),
    "late": ("late|came late", "", ()),
}

_MARK_WORDS = {
    "yes": ("present", "was there"),
    "no": ("apologies", "did not come", "sick"),
    "late": ("came late", "from item 3 on"),
}


def _attendee(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    name = names.person(rng, titled=0.1)
    sheet.text(f"{p}/name", name)
    if shared(sheet, "role", 0.6):
        sheet.text(
            f"{p}/role",
            rng.choice(
                (
                    "chair",
                    "secretary",
                    "treasurer",
                    "guest",
                    "works council",
                    "press",
                    "architect",
                    "head of sales",
                    "caretaker",
                    "parent",
                    "trainee",
                    "auditor",
                )
            ),
        )
    if shared(sheet, "mail", 0.4):
        sheet.text(f"{p}/mail", names.email(rng, name, names.domain(rng, names.shop(rng))))
    if shared(sheet, "phone", 0.3):
        sheet.text(f"{p}/phone", names.phone(rng))
    if shared(sheet, "mark", 0.5):
        mark = rng.choice(("yes", "yes", "no", "late"))
        decided(sheet, f"{p}/mark", mark, _MARK_WORDS[mark])


PEOPLE = ListKind(
    name="attendees",
    homes=("meeting", "event"),
    alone=frozenset(("meeting",)),
    declared=declare(
        ask("name", "string", "name|person|full name|participant", "name of the person", labels="Name|Person"),
        ask("role", "string", "role|function|position", "role of the person", labels="Role|Function"),
        ask("mail", "email", "email|mail|e-mail address", "e-mail address of the person", labels="E-mail|Mail"),
        ask("phone", "string", "phone|telephone|mobile", "telephone number of the person", labels="Phone|Tel."),
        choice("mark", "attendance|presence|was there", "whether the person was there", _MARK),
    ),
    invent=_attendee,
    lead=("name",),
    names=bars("attendees | participants | attendee list | list of participants | people listed | participant list"),
    nouns=bars("""
        everybody who is listed, one entry each | participants | the people on the list |
        contacts with their details
    """),
    one=bars("one person | a participant | a contact"),
    lines=rows("""
        {name} ({role})
        {name}, {role}<|, {mail}>
        {name} <{mail}>
        {name} - {phone}
        {name}<: | - >{mark}
        {name}, tel. {phone}, {mail}
        {name}
    """),
    held_lines=rows("""
        {role}: {name}
        {mail} = {name}
        {mark} // {name}
        {name} [{phone}]
        {name}
    """),
    sentences=rows("""
        {name} <came as|is> {role}<|, {mark}>.
        {name} can be reached at {mail}.
        the number of {name} is {phone}.
        {name}: {mark}.
        {name} <is on the list|took part>.
    """),
    held_sentences=rows("""
        as {role} we have {name}.
        for {name} write to {mail}.
        {name} answers {phone}.
        {name} was {mark}.
        {name} is one of them.
    """),
    headings=rows("""
        <Attendees|Participants|List of participants|Who was there|Attendance>
    """),
    none=rows("""
        Nobody <came|took part|is listed>.
        <The list of participants is empty.|Attendance: none.>
    """),
    plain={
        "name": ("names|participants|names of all people|attendee names",),
        "mail": ("email addresses|mails of participants",),
    },
    rest=rows("""
        Guests welcome
        Seats: {small}
    """),
)

_SORT = {
    "talk": ("talk|lecture", "", ()),
    "shop": ("workshop|hands-on session", "", ()),
    "show": ("concert|performance|show", "", ()),
}

_TALKS = bars("""
    Bees in the city | How {t} got its bridge | The quiet harbour | Songs by {s} | Repair it yourself |
    Bread and salt | Mapping {t} | A night with {g} | Solar for beginners | Letters from {t} | The {s} papers |
    Fermenting | Chess with {g} | Local history of {t} | Robots at work | Winter birds
""")

_SORT_WORDS = {
    "talk": ("talk", "lecture"),
    "shop": ("workshop", "bring your own tools"),
    "show": ("live on stage", "concert"),
}


def _session(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(
        f"{p}/title", rng.choice(_TALKS).format(t=names.place_name(rng), s=names.surname(rng), g=names.given_name(rng))
    )
    clock(sheet, f"{p}/time", 9 + at % 12)
    if shared(sheet, "speaker", 0.7):
        sheet.text(f"{p}/speaker", names.person(rng, titled=0.15))
    if shared(sheet, "room", 0.5):
        sheet.text(
            f"{p}/room",
            rng.choice(
                (
                    "Main hall",
                    "Room 2",
                    "Garden",
                    "Library",
                    f"Room {rng.choice('ABCDE')}{rng.randrange(1, 30)}",
                    "Cellar",
                    "Tent 3",
                )
            ),
        )
    if shared(sheet, "seats", 0.35):
        sheet.number(f"{p}/seats", rng.randrange(8, 400))
    if shared(sheet, "fee", 0.3):
        sheet.money(f"{p}/fee", draw_price(rng, 3, 60))
    if shared(sheet, "sort", 0.4):
        sort = rng.choice(tuple(_SORT))
        decided(sheet, f"{p}/sort", sort, _SORT_WORDS[sort])


SESSIONS = ListKind(
    name="sessions",
    homes=("event", "meeting"),
    alone=frozenset(("meeting",)),
    declared=declare(
        ask("time", "string", "time|start time|starts at|begins", "when it starts, as written", labels="Time|Start"),
        ask("title", "string", "title|session|topic|name", "title of the session", labels="Session|Title|Topic"),
        ask("speaker", "string", "speaker|presenter|with|host", "who presents", labels="Speaker|With"),
        ask("room", "string", "room|place|venue", "where it takes place", labels="Room|Place"),
        ask("seats", "integer", "seats|places|capacity", "number of seats", labels="Seats|Places"),
        ask("fee", "number", "fee|price|ticket price", "what it costs", labels="Fee|Price"),
        choice("sort", "type|format|kind", "what sort of session it is", _SORT),
    ),
    invent=_session,
    lead=("title", "time"),
    names=bars("sessions | programme | schedule | session list | programme points | timetable"),
    nouns=bars("""
        one entry for each session | the programme, point by point | all sessions with time and speaker |
        schedule of the day
    """),
    one=bars("a session | one point of the programme"),
    lines=rows("""
        {time} {title}<|, {speaker}>
        {time} - {title} ({room})
        {title} with {speaker}<|, {room}>
        {title}, {sort}, {fee}
        {time} | {title} | {speaker} | {room}
        {title} - {seats} seats
        {title}
    """),
    held_lines=rows("""
        {room}: {title} @ {time}
        {speaker} >> {title}
        {title} // {sort} // {fee}
        {title}
    """),
    sentences=rows("""
        at {time} {speaker} <speaks on|presents> {title}<| in {room}>.
        {title} <begins|starts> at {time}<| in {room}>.
        {speaker} gives {title}.
        {title} costs {fee}.
        {title} has {seats} places.
        {title} is a {sort}.
        there is {title}.
    """),
    held_sentences=rows("""
        come to {room} at {time} for {title}.
        {title} is the part of {speaker}.
        {fee} lets you into {title}.
        see {title}, {sort}.
        see {title}.
    """),
    headings=rows("""
        <Programme|Schedule|Sessions|Agenda of the day>
    """),
    none=rows("""
        There are no sessions on that day.
        <The programme is not known yet.|Sessions: none.>
    """),
    plain={"title": ("session titles|talks|topics",), "speaker": ("speakers|presenters",)},
    rest=rows("""
        Lunch break
        Doors open early
        Coffee in the foyer
    """),
)

MEETING_LISTS = (
    TASKS,
    PEOPLE,
    SESSIONS,
)
