"""Meeting notes, chat transcripts of teams, and news blurbs."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, markdown, say_rest, scale, script
from deg_core.datagen.documents.facts import Sheet, new_sheet
from deg_core.datagen.documents.kind import Kind

_PEOPLE = "chair writer owner absent guest"
_DAYS = "day next due when"
_TOPICS = {
    "budget": ("the budget for next year", "travel costs", "the new price list"), "hiring": ("the open post in the workshop", "two interns", "the shift plan"), "product": ("the release of the app", "the new packaging", "the colour of the lid"), "building": ("the leaking roof", "moving to the second floor", "the noisy lift"),
    "sales": ("the fair in spring", "the lost customer", "the campaign in autumn"), "safety": ("the fire drill", "the slippery stairs", "new helmets"), "club": ("the summer fete", "the membership fee", "the choir trip"),
}

MEETING = declare(
    ask("body", "string", "meeting name|group|committee|team", "group that met", labels="Meeting|Group|Committee", near="place company", weight=1.6),
    ask("company", "string", "company|organisation|club", "organisation", labels="Organisation|Company", near="body"),
    ask("place", "string", "location|room|place|meeting room", "where they met", labels="Place|Room|Where", near="body next_place", weight=1.4),
    ask("next_place", "string", "next location|next meeting place", "where the next meeting is", labels="Next place", near="place", other_party=True, weight=0.9),
    ask("chair", "string", "chair|chairperson|led by|moderator", "who led the meeting", labels="Chair|Chaired by|Lead", near=_PEOPLE, weight=1.6),
    ask("writer", "string", "minutes by|note taker|secretary", "who took the minutes", labels="Minutes|Notes by|Taken by", near=_PEOPLE, weight=1.4),
    ask("owner", "string", "action owner|responsible|assignee", "who has to do the task that was agreed", labels="To do|Responsible|Action", near=_PEOPLE, other_party=True, weight=1.6),
    ask("absent", "string", "absent|excused|apologies", "who could not come", labels="Apologies|Excused|Absent", near=_PEOPLE, other_party=True, weight=1.3),
    ask("guest", "string", "guest|visitor", "guest at the meeting", labels="Guest", near=_PEOPLE, other_party=True),
    ask("task", "string", "action item|task|to do", "task that was agreed", labels="Task|Action item", near="topic", weight=1.5),
    ask("topic", "string", "topic|main topic|agenda item", "topic that was talked about most", labels="Topic|Agenda|Main item", near="task", weight=1.5),
    ask("project_no", "string", "project number|file number|reference", "number of the project or file", labels="Project no.|File", near="code"),
    ask("code", "string", "dial in code|meeting id|access code", "code for dialling in", labels="Meeting ID|Dial-in code", near="project_no"),
    ask("link", "uri", "meeting link|document link|url", "web address of the documents or the call", labels="Documents|Link", near="email code"),
    ask("email", "email", "contact email|email", "e-mail address for comments", labels="Comments to|E-mail", near="link"),
    ask("when", "date-time", "meeting time|date time|started at", "date and time of the meeting", labels="When|Held|Date and time", near="next due", implied_by="day", weight=1.3),
    ask("day", "date", "meeting date|date|held on", "day of the meeting", labels="Date|Held on", near="next due", implied_by="when", weight=1.6),
    ask("next", "date", "next meeting|next meeting date|follow up date", "day of the next meeting", labels="Next meeting|Next time", near="day due when", weight=1.6),
    ask("due", "date", "task deadline|action due|due date", "day by which the task must be done", labels="Due|Until", near="day next when", weight=1.5),
    ask("sum", "number", "amount approved|budget|approved sum", "sum of money that was approved", labels="Approved|Budget", vague="amount", near="spent votes_for", weight=1.4),
    ask("spent", "number", "amount spent|spent so far", "sum spent so far", labels="Spent", vague="amount", near="sum"),
    ask("votes_for", "integer", "votes for|yes votes", "votes in favour", labels="In favour|Votes for", near="votes_against present minutes", weight=1.2),
    ask("votes_against", "integer", "votes against|no votes", "votes against", labels="Against|Votes against", near="votes_for present minutes"),
    ask("present", "integer", "attendees|number present|people present", "number of people present", labels="Present|Attendance", near="votes_for minutes votes_against", weight=1.2),
    ask("minutes", "integer", "duration minutes|length minutes", "length of the meeting in minutes", labels="Length (min)", near="present votes_for"),
    choice("subject", "category|subject|kind of topic", "what it was about", {"budget": ("money|budget", "", ()), "hiring": ("staff", "", ()), "product": ("product", "", ()), "building": ("building and rooms", "", ()), "sales": ("sales and marketing", "", ()), "safety": ("safety", "", ()), "club": ("club life", "", ()), "legal": ("legal matters", "", ())}, weight=1.8),
    choice("outcome", "decision|outcome|result", "what was decided about the main topic", {"yes": ("approved|accepted", "", ("<It was approved|Carried|All agreed in the end>.",)), "no": ("rejected|declined", "", ("<It was turned down|The motion fell>.",)), "later": ("postponed|deferred", "", ("<Put off to the next meeting|No decision yet, more figures are needed>.",)), "split": ("partly approved", "", ("<Half of it was accepted|Approved, but smaller than asked for>.",)), "none": ("not discussed|no decision needed", "", ("<For information only|Nothing had to be decided>.",))}, weight=2),
    choice("style", "meeting format|format", "how they met", {"room": ("in person", "", ("<All in one room|Nobody was on screen>.",)), "video": ("online|video call", "", ("<By video|On screen only>.",)), "mixed": ("hybrid", "", ("<Some in the room, some on screen>.",)), "phone": ("by telephone", "", ("<Over the telephone|A conference call without pictures>.",))}, unknown=True, weight=1.2),
    flag("unanimous", "unanimous|unanimous vote", "was the vote unanimous?", ("<Unanimous|Nobody was against>.",), ("<Not all agreed|By a majority>.",), implied_by="votes_against votes_for", unknown=True, weight=1.1),
    flag("secret", "confidential|is confidential", "are the notes confidential?", ("<Confidential|Not to be passed on>.",), ("<May be shared|Open to all>.",), unknown=True, weight=1.1),
    flag("quorum", "quorum reached|quorate", "were enough people there to decide?", ("<Quorum reached|Enough members were there>.",), ("<No quorum|Too few members to decide>.",), unknown=True),
    scale("heat", "tension|how heated|conflict level", "how heated the talk was", [("calm|harmonious", ("<Calm and friendly|We laughed a lot>.",)), ("lively", ("A lively talk.",)), ("tense", ("<The air was thick|Tense>.",)), ("quarrel|open conflict", ("<People shouted|Two members left the room in anger>.",))], weight=1.3),
)


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Group, people, topics, tasks and votes of one meeting."""
    sheet = new_sheet(rng, labels=MEETING.labels, statements=MEETING.statements, lang=lang, wordy=wordy)
    subject = rng.choice(tuple(_TOPICS))
    people = [rng.choice((names.person(rng), names.person(rng), names.given_name(rng))) for _ in range(5)]
    sheet.text("body", rng.choice((f"{names.place_name(rng)} parish council", "works council", "steering committee", f"board of {names.shop(rng)}", "safety group", "release team", f"friends of {names.place_name(rng)} museum", "heads of department", "Monday round")))
    host = names.domain(rng, names.shop(rng))
    sheet.texts(0.6, chair=people[0], writer=people[1], owner=people[2], topic=rng.choice(_TOPICS[subject]), place=rng.choice((f"room {rng.randrange(1, 400)}", "the canteen", f"Inn {names.surname(rng)}", "the library", "the blue room")), task=rng.choice(("get three offers", "call the landlord", "write to all members", "update the plan", "order new chairs", "check the contract", "count the stock", "draft a letter")))
    sheet.texts(0.35, absent=people[3], guest=people[4], company=names.company(rng), project_no=names.code(rng, "P", "AZ"), code=names.digits(rng, 9), link=names.url(rng, host, "/minutes", "/docs"), email=f"{rng.choice(('office', 'minutes', 'board'))}@{host}", next_place=rng.choice((f"room {rng.randrange(401, 900)}", "the town hall", "the old school")))
    day = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    if sheet.maybe(0.35):
        sheet.moment("when", dt.datetime.combine(day, dt.time(rng.randrange(8, 20), rng.choice((0, 15, 30)))))
    elif sheet.maybe(0.8):
        sheet.day("day", day)
    for key, share, low, high in (("due", 0.5, 4, 20), ("next", 0.5, 21, 60)):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (("sum", 0.4, 100, 990), ("spent", 0.25, 10, 99)):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(low, high)) * rng.choice((1, 1, 10)) + Decimal(rng.choice(("0", "0.5"))))
    for key, share, low, high in (("votes_for", 0.4, 3, 30), ("votes_against", 0.25, 2, 9), ("present", 0.35, 31, 60), ("minutes", 0.25, 61, 150)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    decide(sheet, MEETING, share=0.5)
    sheet.decisions["subject"] = subject
    if sheet.has("votes_against") or sheet.has("votes_for"):
        sheet.decisions.pop("unanimous", None)
    return sheet


def _known(sheet: Sheet) -> None:
    if any(piece.kind == "open" and piece.text == "topic" for piece in sheet.pieces):
        sheet.stated.add("subject")


_LINES = (("<We talked about|Main point:|On the agenda:> {topic}.",), ("{owner} <will|has promised to|is to> {task}<| by {due}>.", "Task: {task}<|, until {due}>.", "{owner} takes care of it until {due}."), ("<Approved were|Budget:> {sum}<|, of which {spent} is spent>.",), ("{spent} <has been spent|is gone> so far.",), ("<Votes|Result>: {votes_for} for<|, {votes_against} against>.",), ("{votes_against} were against.",), ("<Next meeting|We meet again on|See you on> {next}<|, in {next_place}>.",), ("{absent} <sent apologies|could not come|was excused>.",), ("<Guest|As a guest we had>: {guest}.",), ("{present} <people were there|present>.",), ("It took {minutes} minutes.",), ("<Papers are at|See> {link} .",), ("Comments to {email}.",), ("<File|Project> {project_no}.",), ("Dial-in code {code}.",))


def minutes(sheet: Sheet) -> None:
    """Minutes in the usual form."""
    sheet.any("<Minutes|Notes>: {body}<|, {company}><|, {day}>\n", "{body}<|, {when}><|, {place}>\n")
    sheet.any("<Chair|In the chair>: {chair}<|. Minutes: {writer}>\n", "<Minutes|Written> by {writer}\n", "")
    sheet.any("<Held|Met> on {when}<| in {place}>. ", "<Held|Met> on {day}<| in {place}>. ", "<Place|Room>: {place}. ")
    script((), _LINES, end="\n")(sheet)
    _known(sheet)


def mail(sheet: Sheet) -> None:
    """A mail to somebody who was not there."""
    sheet.put("<Hi all|Dear colleagues|Hello>,\n<short notes from|what came out of|here is what we said at> the {body} <meeting|session>")
    sheet.any(" on {day}", " ({when})", "")
    sheet.put(". ")
    sheet.any("{chair} <led|was in the chair>. ", "")
    script((), _LINES)(sheet)
    sheet.any("\n{writer}", "\n<Best|Regards>, {writer}", "")
    _known(sheet)


def transcript(sheet: Sheet) -> None:
    """People talk; roles are named as they speak."""
    chair = sheet.facts["chair"].surface.split()[0] if sheet.has("chair") else "Speaker 1"
    sheet.any("[{body}, {when}]\n", "[{body}, {day}]\n", "[{body}]\n")
    sheet.any(f"{chair}: <I'm> {{chair}}, I am in the chair today.\n".replace("<I'm>", "I'm"), f"{chair}: welcome everybody.\n")
    order = list(_LINES)
    sheet.rng.shuffle(order)
    voices = [chair, "Speaker 2", "Speaker 3"]
    for group in order:
        before = len(sheet.pieces)
        sheet.raw(sheet.rng.choice(voices) + ": ")
        if sheet.maybe(0.8) and sheet.any(*group):
            sheet.raw(" ")
            if sheet.maybe(0.3):
                say_rest(sheet, end=" ", most=1)
            sheet.raw("\n")
        else:
            del sheet.pieces[before:]
    sheet.any("Speaker 2: {writer}, <you write the minutes|thanks for taking notes>.\n", "")
    sheet.raw("Speaker 3: ")
    say_rest(sheet, end=" ")
    _known(sheet)


def listed(sheet: Sheet) -> None:
    """Labels and values."""
    labelled(("<MINUTES|Protocol|Meeting notes>",), MEETING.facts)(sheet)
    _known(sheet)


def page(sheet: Sheet) -> None:
    """A Markdown page."""
    markdown(("{body}",), MEETING.facts[1:])(sheet)
    _known(sheet)


KIND = Kind(name="meeting", domains=("meeting minutes", "meeting notes", "call transcript"), pool=MEETING.pool(), world=world,
            layouts={"minutes": minutes, "mail": mail, "transcript": transcript, "listed": listed, "page": page}, wordy=frozenset(("minutes", "mail", "transcript")))
