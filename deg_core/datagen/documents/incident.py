"""Incident reports: accidents, thefts, technical failures, complaints of neighbours."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, markdown, scale, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.kind import Kind

_DAYS = "day reported due"
_EVENTS = {
    "accident": (("A forklift <hit|scraped> a shelf.", "{victim} slipped on <a wet floor|ice|oil>.", "A ladder gave way under {victim}.", "Two vans collided in the yard."), ("forklift", "ladder", "delivery van", "shelf")),
    "theft": (("<A laptop was|Tools were|Copper cable was> stolen.", "Somebody broke <the lock|a window> and took what was there.", "The till was emptied <overnight|during lunch>."), ("till", "laptop", "padlock", "side door")),
    "fire": (("<A battery caught fire|Smoke came from the switch cabinet>.", "The fryer went up in flames.", "A bin was on fire."), ("fryer", "switch cabinet", "battery charger")),
    "leak": (("Water <ran|dripped> from the ceiling.", "A pipe burst <in the cellar|above the archive>.", "About a drum of solvent leaked out."), ("pipe", "boiler", "solvent drum")),
    "outage": (("<The servers were|Everything was> down.", "The database refused connections.", "A faulty update stopped the tills."), ("database", "router", "payment service", "mail server")),
    "data": (("A list of customers was sent to the wrong <person|address>.", "Somebody opened a phishing mail.", "A USB stick with staff data <is missing|was lost on the train>."), ("mailbox", "USB stick", "customer list")),
    "noise": (("<Loud music|Hammering> <kept the house awake|was heard until three>.", "The dog of the neighbours barked for hours."), ("drill", "loudspeaker", "dog")),
}

DECLARED = declare(
    ask("reporter", "string", "reported by|reporter|author", "person who reports", labels="Reported by|Author|From", near="victim witness handler", weight=1.6),
    ask("victim", "string", "injured person|person affected|victim", "person who was hurt or affected", labels="Person affected|Injured", near="reporter witness handler", other_party=True, weight=1.3),
    ask("witness", "string", "witness|seen by", "person who saw it", labels="Witness|Seen by", near="reporter victim", other_party=True, weight=1.2),
    ask("handler", "string", "assigned to|responsible person|handler", "person who deals with the matter", labels="Assigned to|Handled by|Responsible", near="reporter witness", other_party=True, weight=1.2),
    ask("company", "string", "company|organisation|site operator", "company where it happened", labels="Company|Site operator", near="insurer"),
    ask("insurer", "string", "insurer|insurance company", "insurance company", labels="Insurer", near="company", weight=0.9),
    ask("report_no", "string", "report number|incident number|case number", "number of the report", labels="Report no.|Incident|Case no.|INC", near="policy_no police_no", weight=1.6),
    ask("policy_no", "string", "policy number|insurance policy", "number of the insurance policy", labels="Policy no.|Policy", near="report_no police_no"),
    ask("police_no", "string", "police reference|crime number", "reference of the police", labels="Police ref.|Crime no.", near="report_no policy_no"),
    ask("place", "string", "location|place of incident|site", "where it happened", labels="Where|Location|Place", near="company address", weight=1.5),
    ask("address", "string", "site address|address", "address where it happened", labels="Address|Site address", near="place"),
    ask("thing", "string", "equipment|object involved|system affected", "thing or system that was involved", labels="Equipment|Object|Affected", near="place", weight=1.3),
    ask("phone", "string", "reporter phone|callback number", "telephone number for questions", labels="Phone|Call back", near="report_no policy_no"),
    ask("email", "email", "reporter email|contact email", "e-mail address for questions", labels="E-mail", near="link"),
    ask("link", "uri", "report url|photo link", "web address with photos or logs", labels="Photos|Log|Link", near="email"),
    ask("when", "date-time", "occurred at|incident time|time of incident", "date and time of the incident", labels="When|Occurred|Time of incident", near="reported due", implied_by="day", weight=1.6),
    ask("day", "date", "incident date|date of incident|happened on", "day of the incident", labels="Date of incident|Happened on", near="reported due", implied_by="when", weight=1.4),
    ask("reported", "date", "report date|reported on", "day on which it was reported", labels="Reported|Date of report", near="day due when", weight=1.2),
    ask("due", "date", "follow up date|fix by|due date", "day by which something must be done", labels="Fix by|Due", near="day reported when"),
    ask("cost", "number", "damage|estimated cost|damage amount", "cost of the damage", labels="Damage|Estimated cost", vague="amount", near="excess", weight=1.4),
    ask("excess", "number", "excess|deductible", "part of the cost that the insurer does not pay", labels="Excess|Deductible", vague="amount", near="cost", weight=0.8),
    ask("minutes", "integer", "duration minutes|downtime minutes", "how long it lasted, in minutes", labels="Duration (min)|Downtime (min)", near="people cost"),
    ask("people", "integer", "people affected|number of people", "number of people affected", labels="People affected", near="minutes"),
    choice("sort", "category|incident type|type", "kind of incident", {key: (label, about, ()) for key, label, about in (("accident", "accident", "somebody or something was hit"), ("theft", "theft|burglary", ""), ("fire", "fire", ""), ("leak", "leak|water damage", "a liquid where it should not be"), ("outage", "system outage", "computers do not work"), ("data", "data breach|privacy incident", "data in wrong hands"), ("noise", "noise|nuisance", ""), ("illness", "illness", ""))}, weight=2.2),
    choice("state", "status|case status", "where the case stands", {"open": ("open", "nobody works on it yet", ("<Nobody has looked at it yet|Status: open>.",)), "work": ("in progress|under investigation", "", ("<We are looking into it|The investigation goes on|Status: in progress>.",)), "fixed": ("resolved|fixed", "the cause is removed", ("<The cause has been removed|It has been repaired|Status: resolved>.",)), "closed": ("closed|no action", "nothing more will be done", ("<The file is closed|No further action>.",))}, weight=1.6),
    choice("cause", "cause|root cause", "why it happened", {"human": ("human error", "", ("<Somebody was careless|A wrong switch was thrown|It was a human error>.",)), "wear": ("wear and tear|material failure", "", ("<The part was worn out|Material fatigue>.",)), "weather": ("weather", "", ("<The storm was to blame|Because of the frost>.",)), "intent": ("intent|deliberate act", "", ("<It was done on purpose|There are signs of intent>.",)), "unknown": ("unknown", "not known", ("<Nobody knows why|The cause is unknown>.",))}, weight=1.4, unknown=True),
    flag("hurt", "injuries|anyone hurt|has injuries", "was anybody hurt?", ("<One person was hurt|There was a broken wrist|An ambulance took one colleague away>.",), ("<Nobody was hurt|No injuries>.",), implied_by="victim", unknown=True, weight=1.4),
    flag("police", "police informed|police involved", "was the police told?", ("<The police were called|We informed the police>.",), ("<The police were not called|No police>.",), implied_by="police_no", unknown=True, weight=1.2),
    flag("repeat", "recurring|happened before", "has it happened before?", ("<It is the second time this year|The same thing happened in spring>.",), ("<It never happened before|This was the first time>.",), unknown=True),
    flag("photos", "photos attached|has photos", "are there pictures with the report?", ("<Photos are attached|See "
                                                                                         "pictures enclosed>.",), ("<We have no pictures|No photos were taken>.",), implied_by="link", unknown=True),
    scale("severity", "severity|seriousness|severity level", "how serious it was", [("trivial", ("<A trifle|Hardly "
                                                                                                 "worth a report>.",)), ("minor", ("<Minor|Small damage, work went on>.",)), ("moderate", ("<Work stopped for some hours|Noticeable but limited>.",)), ("major", ("<A serious matter: the hall is closed|Major damage>.",)), ("critical", ("<Critical: lives were in danger|Catastrophic>.",))], weight=1.8),
)


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """People, place, time, damage and consequences of one incident."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    sort = rng.choice(tuple(_EVENTS))
    company = names.company(rng)
    host = names.domain(rng, company)
    reporter = names.person(rng)
    sheet.text("reporter", reporter)
    sheet.text("place", rng.choice((f"hall {rng.randrange(1, 9)}", f"warehouse {names.place_name(rng)}", "the car park", "the loading bay", f"floor {rng.randrange(1, 12)}", f"{names.place_name(rng)} depot", "the staff kitchen", f"gate {rng.choice('ABCD')}", f"platform {rng.randrange(1, 14)}", "the server room")))
    sheet.texts(0.5, company=company, report_no=names.code(rng, "INC", "R", "SI", "A"), thing=rng.choice(_EVENTS[sort][1]), handler=names.person(rng, titled=0.1))
    sheet.texts(0.35, witness=names.person(rng), insurer=f"{names.place_name(rng)} Mutual", policy_no=names.code(rng, "POL", "V"), police_no=names.code(rng, "CR", "P"), phone=names.phone(rng), email=names.email(rng, reporter, host), link=names.url(rng, host, f"/inc/{names.digits(rng, 4)}", "/photos"))
    if sort == "accident":
        sheet.texts(0.6, victim=names.person(rng))
    add_address(sheet, "site", "en")
    if sheet.maybe(0.35):
        sheet.set("address", "{site_address}", composite=True)
    day = draw_day(rng, dt.date(2023, 1, 2), dt.date(2027, 6, 30))
    if sheet.maybe(0.5):
        sheet.moment("when", dt.datetime.combine(day, dt.time(rng.randrange(0, 24), rng.randrange(60))))
    else:
        sheet.day("day", day)
    for key, share, low, high in (("reported", 0.5, 1, 5), ("due", 0.3, 8, 40)):
        if sheet.maybe(share):
            sheet.day(key, day + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (("cost", 0.45, 30, 9000), ("excess", 0.2, 50, 500)):
        if sheet.maybe(share):
            sheet.money(key, Decimal(rng.randrange(low, high)) + Decimal(rng.choice(("0", "0.5"))))
    for key, share, low, high in (("minutes", 0.3, 5, 400), ("people", 0.25, 2, 90)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    decide(sheet, DECLARED)
    if sheet.has("victim"):
        sheet.decisions.pop("hurt", None)
    if sheet.has("police_no"):
        sheet.decisions.pop("police", None)
    sheet.decisions["sort"] = sort
    return sheet


def event(sheet: Sheet) -> None:
    """What happened, in a sentence."""
    sheet.any(*_EVENTS[sheet.decisions["sort"]][0])
    sheet.stated.add("sort")
    sheet.raw(" ")


_MIDDLE = (("<It happened|This was> <in|at> {place}<|, {address}> on {when}.", "<It happened|This was> <in|at> "
                                                                               "{place} on {day}.", "<Place|Where>: {place}."), ("<It concerned|Involved was> the {thing}.",), ("<Hurt was|The person affected is> {victim}.",), ("{witness} <saw it|was there and can confirm it>.",), ("{handler} <is on it|deals with the matter|has taken the case>.",), ("<The damage is put at|It will cost about|Damage:> {cost}<|, of which we bear {excess}>.",), ("<It lasted|We lost> {minutes} minutes.",), ("{people} people were affected.",), ("<Insured with|Our insurer is> {insurer}<|, policy {policy_no}>.", "Policy {policy_no}."), ("<The police have it under|Police reference> {police_no}.",),
           ("<To be put right by|It must be fixed by> {due}.",), ("<Reported on|I report this on> {reported}<| by "
                                                                  "{reporter}>.",), ("<Pictures and logs|More> at "
                                                                                     "{link} .",), ("<For questions|Ask me>: {phone}<| or {email}>.", "Contact: {email}."), ("Our number for it is {report_no}.",))
_TALE = script((), _MIDDLE)


def letter(sheet: Sheet) -> None:
    """A report in sentences, signed."""
    sheet.any("<Incident report|Report|Notice of damage><| {report_no}><|, {company}>\n", "<To whom it may "
                                                                                          "concern|Dear colleagues>,\n")
    sheet.blank()
    event(sheet)
    _TALE(sheet)
    sheet.blank()
    sheet.any("<Signed,|Yours,|> {reporter}<|, {company}>", "{reporter}")


def form(sheet: Sheet) -> None:
    """A form with a free text."""
    labelled(("<INCIDENT FORM|Accident book|Report sheet>", "<Incident|Case> {report_no}"), [key for key in DECLARED.facts if sheet.maybe(0.85)], note=("",))(sheet)
    sheet.raw(sheet.rng.choice(("What happened: ", "Description: ", "Facts: ")))
    event(sheet)


def chat(sheet: Sheet) -> None:
    """A hasty message to a channel."""
    sheet.any("<heads up|hi all|fyi>: ", "[{when}] ", "@{handler} ")
    event(sheet)
    script((), _MIDDLE, keep=0.4)(sheet)
    sheet.any("/ {reporter}", "- {reporter}")


def page(sheet: Sheet) -> None:
    """A Markdown page."""
    markdown(("Incident {report_no}", "<Post-mortem|Incident>: {place}"), DECLARED.facts)(sheet)
    sheet.line("## <Summary|What happened>")
    event(sheet)


KIND = Kind(
    name="incident", domains=("incident report", "accident report", "post_mortem"), pool=DECLARED.pool(), world=world,
    layouts={"letter": letter, "form": form, "chat": chat, "page": page}, wordy=frozenset(("letter", "chat")))
