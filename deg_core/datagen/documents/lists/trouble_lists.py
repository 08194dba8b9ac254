"""Lists of what went wrong and what was said: timelines, systems, contacts with a helpdesk."""

from __future__ import annotations

import datetime as dt

from deg_core.datagen.documents import names
from deg_core.datagen.documents.declare import ask, choice, declare
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.invention import clock, decided, shared
from deg_core.datagen.documents.lists.model import ListKind, bars, rows

_HAPPENED = bars("""
    first alarm | the pump stopped | staff left the building | the fire service arrived | power came back |
    the line was shut down | {g} called the hotline | a second leak was found | the area was cordoned off |
    backup server took over | customers were told | all clear given | the valve was replaced | logs were saved |
    the supplier {s} answered | a reset failed | traffic was sent to {t} | the door was forced open
""")


def _step(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    clock(sheet, f"{p}/time", 6 + at % 17)
    sheet.text(
        f"{p}/what",
        rng.choice(_HAPPENED).format(g=names.given_name(rng), s=names.surname(rng), t=names.place_name(rng)),
    )
    if shared(sheet, "who", 0.5):
        sheet.text(f"{p}/who", names.person(rng))
    if shared(sheet, "day", 0.35):
        sheet.day(f"{p}/day", dt.date(2026, 3, 14) + dt.timedelta(days=at))


STEPS = ListKind(
    name="timeline",
    homes=("incident", "news", "support"),
    declared=declare(
        ask("time", "string", "time|clock time|at", "time of day, as written", labels="Time|At"),
        ask("what", "string", "event|what|description|entry", "what happened", labels="Event|What|Entry"),
        ask("who", "string", "who|reported by|person|by", "who did or reported it", labels="Who|By"),
        ask("day", "date", "date|day", "day of the event", labels="Date|Day"),
    ),
    invent=_step,
    lead=("time", "what"),
    names=bars("timeline | event log | log | log entries | chronology | sequence of events"),
    nouns=bars(
        "what happened, one entry for each event | the timeline in order | log entries | events with their time"
    ),
    one=bars("one event | a log entry | a step"),
    lines=rows("""
        {time} {what}<| ({who})>
        {time} - {what}
        {day}, {time}: {what}
        {what} at {time}
        {time} | {who} | {what}
        {what}
    """),
    held_lines=rows("""
        ({time}) >> {what}
        {who} @ {time}: {what}
        {what} // {day}
        {what}
    """),
    sentences=rows("""
        at {time} {what}<|, says {who}>.
        {what} at {time}<| on {day}>.
        {who} noted at {time}: {what}.
        {what}.
    """),
    held_sentences=rows("""
        the clock showed {time}: {what}.
        {what}, as {who} wrote at {time}.
        {what} ({day}).
        {what}.
    """),
    headings=rows("""
        <Timeline|Log|What happened|Chronology|Sequence of events>
    """),
    none=rows("""
        No events were logged.
        <The log is empty.|Nothing happened after that.>
    """),
    plain={"what": ("events|steps|log entries",), "time": ("times|clock times",)},
    rest=rows("""
        End of log
        Signed: {person}
    """),
)

_STATE = {
    "up": ("working|up|operational|ok", "", ()),
    "slow": ("degraded|slow|limited", "", ()),
    "down": ("down|failed|not working|broken", "", ()),
}

_STATE_WORDS = {
    "up": ("running again", "no fault found", "ok"),
    "slow": ("very slow", "works in part", "limited"),
    "down": ("does not start", "out of order", "dead"),
}

_SYSTEMS = bars("""
    mail server | till {n} | lift {n} | web shop | pump {n} | door control | camera {n} | heating |
    booking system | printer {n} | router {t} | cash machine {t} | conveyor {n} | database | phone line {n} |
    fire door {n}
""")


def _system(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(f"{p}/name", rng.choice(_SYSTEMS).format(n=rng.randrange(1, 60), t=names.place_name(rng)))
    state = rng.choice(tuple(_STATE))
    decided(sheet, f"{p}/state", state, _STATE_WORDS[state])
    if shared(sheet, "site", 0.5):
        sheet.text(f"{p}/site", names.place_name(rng))
    if shared(sheet, "minutes", 0.5):
        sheet.number(f"{p}/minutes", rng.randrange(3, 900), after=rng.choice((" min", " minutes")))
    if shared(sheet, "serial", 0.4):
        sheet.text(f"{p}/serial", names.code(rng))


SYSTEMS = ListKind(
    name="systems",
    homes=("incident", "support"),
    declared=declare(
        ask(
            "name",
            "string",
            "system|device|name|component|equipment",
            "name of the system or device",
            labels="System|Device|Name",
        ),
        ask("site", "string", "site|location|place", "where it stands", labels="Site|Location"),
        ask(
            "minutes",
            "integer",
            "minutes|downtime minutes|outage minutes",
            "how long it was out, in minutes",
            labels="Outage|Downtime",
        ),
        ask("serial", "string", "serial number|asset number|id", "serial or asset number", labels="Serial no.|Asset"),
        choice("state", "state|status|condition", "whether it works", _STATE),
    ),
    invent=_system,
    lead=("name",),
    names=bars("systems | devices | affected systems | device list | systems checked"),
    nouns=bars("each system with its state | what was affected, one entry each | all devices on the list"),
    one=bars("a system | one device"),
    lines=rows("""
        {name}: {state}<|, {minutes}>
        {name} ({site}), {state}
        {name}, {serial}, {minutes}
        {name} | {site} | {state}
        {name} - {serial}
        {name}
    """),
    held_lines=rows("""
        {state} >> {name}
        {serial} {name} / {minutes}
        {site}: {name}
        {name}
    """),
    sentences=rows("""
        {name}<| in {site}>: {state}<|, {minutes} in all>.
        {name} (no. {serial}) <was out for|stood still for> {minutes}.
        {name} is in {site}.
        {name} is affected.
    """),
    held_sentences=rows("""
        we looked at {name}, {state}.
        {minutes} without {name}.
        {site} has {name}.
        we looked at {name}.
    """),
    headings=rows("""
        <Affected systems|Devices|Equipment concerned|State of the systems>
    """),
    none=rows("""
        No <system|device> is affected.
        <Affected systems: none.|Nothing was damaged.>
    """),
    plain={"name": ("affected devices|names of systems|systems",), "serial": ("serial numbers|asset numbers",)},
    rest=rows("""
        Hotline: {small}
        Stock of spare parts: {small}
    """),
)

_CHANNEL = {
    "phone": ("phone|call", "", ()),
    "mail": ("email|mail", "", ()),
    "chat": ("chat|messenger", "", ()),
    "visit": ("in person|visit|on site", "", ()),
}

_CHANNEL_WORDS = {
    "phone": ("called", "by phone"),
    "mail": ("wrote an e-mail", "by mail"),
    "chat": ("in the chat", "chat window"),
    "visit": ("came by", "at the counter"),
}

_SAID = bars("""
    asked for a refund | was told to wait | sent photos | got a new password | complained about the delay |
    accepted the offer | wanted to speak to {g} | received a voucher | gave the serial number |
    cancelled the visit | confirmed the address | asked about {t}
""")


def _contact(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.day(f"{p}/day", dt.date(2026, 1, 13) + dt.timedelta(days=3 * at + rng.randrange(3)))
    sheet.text(f"{p}/note", f"customer {rng.choice(_SAID)}".format(g=names.given_name(rng), t=names.place_name(rng)))
    if shared(sheet, "agent", 0.6):
        sheet.text(f"{p}/agent", rng.choice((names.given_name(rng), names.person(rng))))
    if shared(sheet, "channel", 0.6):
        channel = rng.choice(tuple(_CHANNEL))
        decided(sheet, f"{p}/channel", channel, _CHANNEL_WORDS[channel])
    if shared(sheet, "case", 0.4):
        sheet.text(f"{p}/case", names.code(rng, "T", "CASE"))


CONTACTS = ListKind(
    name="contacts",
    homes=("support",),
    declared=declare(
        ask("day", "date", "date|contact date|on|day", "day of the contact", labels="Date|Day"),
        ask("note", "string", "note|summary|what was said|text", "what was said or done", labels="Note|Summary"),
        ask("agent", "string", "agent|handled by|employee", "who dealt with it", labels="Agent|Handled by"),
        ask("case", "string", "ticket|case number|ticket number", "number of the ticket", labels="Ticket|Case"),
        choice("channel", "channel|by|medium", "how the customer got in touch", _CHANNEL),
    ),
    invent=_contact,
    lead=("day", "note"),
    names=bars("contact history | contacts | interactions | history | previous tickets | notes"),
    nouns=bars("earlier contacts, one entry each | the history of the case | every contact with the customer"),
    one=bars("one contact | an entry of the history"),
    lines=rows("""
        {day}: {note}<| ({agent})>
        {day} {channel} - {note}
        {note} - {agent}, {day}
        {case} {day} {note}
        {note}
    """),
    held_lines=rows("""
        {agent} / {day} >> {note}
        {case}: {note}
        {note} // {channel}
        {note}
    """),
    sentences=rows("""
        on {day} the {note}<|, {channel}>.
        {agent} noted on {day}: {note}.
        the {note} ({case}).
        the {note}, {channel}.
        the {note}.
    """),
    held_sentences=rows("""
        the file says for {day}: {note}.
        {agent} had it on the desk: {note}.
        {note}.
    """),
    headings=rows("""
        <History|Earlier contacts|Contact log|What happened so far>
    """),
    none=rows("""
        There was no contact before.
        <History: empty.|This is the first contact.>
    """),
    plain={"note": ("notes|summaries",), "day": ("contact dates|days of contact",)},
    rest=rows("""
        Reply within {small} days
        Queue: {small}
    """),
)

TROUBLE_LISTS = (
    STEPS,
    SYSTEMS,
    CONTACTS,
)
