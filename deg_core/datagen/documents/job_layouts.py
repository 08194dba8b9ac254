"""How job advertisements look: sections, lists, prose, posts, small ads."""

from __future__ import annotations

from collections.abc import Mapping

from deg_core.datagen.documents import names, shapes
from deg_core.datagen.documents.facts import Sheet, Writer
from deg_core.datagen.documents.job_words import LABELS

_SAID = (
    "work_place",
    "contract",
    "load",
    "seniority",
    "pay_period",
    "visa",
    "licence",
    "letter",
    "starters",
    "car",
    "urgency",
)


_FACTS = (
    "department",
    "location",
    "job_ref",
    "boss",
    "start_date",
    "apply_by",
    "hours",
    "holidays",
    "years",
    "team_size",
    "language",
    "degree",
    "skill",
    "nice_skill",
    "bonus",
    "openings",
    "travel",
    "contract_end",
    "interview_day",
    "hq",
    "agency",
    "address",
    "staff",
    "posted",
)


_CONTACT = ("recruiter", "email", "phone", "link")


def written(sheet: Sheet) -> None:
    """What follows from what has been written: the field of work, and remote work from the work model."""
    sheet.stated.add("sector")
    if "work_place" in sheet.stated:
        sheet.decisions["remote"] = sheet.decisions["work_place"] in ("remote", "hybrid")
        sheet.stated.add("remote")


def rest(sheet: Sheet, *, end: str = "\n", bullet: str = "") -> None:
    """All statements that have not been made, in a drawn order."""
    keys = [key for key in _SAID if key in sheet.decisions and key not in sheet.stated]
    sheet.rng.shuffle(keys)
    for key in keys:
        sheet.raw(bullet)
        sheet.say(key, end=end)
    written(sheet)


def pay(sheet: Sheet, *, end: str = " ") -> None:
    """The pay range in one sentence, with its period where it is known."""
    per = {
        "year": "<per year|a year|p.a.|annually>",
        "month": "<per month|a month|monthly>",
        "hour": "<per hour|an hour|/h>",
        "day": "<a day|per day>",
    }
    period = ""
    if "pay_period" in sheet.decisions and sheet.has("pay_min") and sheet.maybe(0.6):
        period = " " + per[sheet.decisions["pay_period"]]
        sheet.stated.add("pay_period")
    if sheet.any(
        f"<We pay|Pay:|Salary:|You earn> {{pay_min}} <to|-|up to> {{pay_max}}{period}.",
        f"<The pay is|Salary> between {{pay_min}} and {{pay_max}}{period}.",
    ) or sheet.any(
        f"<We pay|Pay:|You earn> {{pay_min}}{period}<| to begin with>.", f"<From|At least> {{pay_min}}{period}."
    ):
        sheet.raw(end)
    sheet.any(f"<On signing you get|Signing bonus:> {{bonus}}.{end}", "")


def wants(sheet: Sheet, *, end: str = " ") -> None:
    """What is asked of applicants, in sentences."""
    for options in (
        (
            "<You know|You are at home in|We expect> {skill}<|; {nice_skill} is a plus>.",
            "{skill} is <a must|essential><|, {nice_skill} <would be nice|is welcome>>.",
        ),
        (
            "<You bring|We ask for> {years} years <of experience|in the trade>.",
            "<At least|Minimum> {years} years of <practice|experience>.",
        ),
        ("<You speak|We work in|Fluent> {language}.", "Without {language} it will not work."),
        ("<You hold a|Required:> {degree}.", "We ask for a {degree}."),
    ):
        if sheet.maybe(0.9) and sheet.any(*options):
            sheet.raw(end)


def offers(sheet: Sheet, *, end: str = " ") -> None:
    """Conditions, in sentences."""
    group = [
        ("<You get|There are> {holidays} days <off|of holiday|of paid leave> <a year|>.",),
        ("The week has {hours} hours.", "{hours} hours a week."),
        (
            "<The team counts|You join a team of> {team_size} people.",
            "{team_size} colleagues <wait for|look forward to> you.",
        ),
        ("<We are|The company has> {staff} people<| in all>.",),
        ("You report to {boss}.", "Your boss will be {boss}."),
        ("About {travel} % of the time you travel.", "Travel: {travel} %."),
        ("{openings} <positions are open|people are sought>.",),
        ("The job is with <our|the> {department} <team|department>.",),
        ("<We start|The job begins|Start:> on {start_date}.", "<Your first day|Start>: {start_date}."),
        ("The contract ends on {contract_end}.",),
        ("Our head office is in {hq}.", "(Headquarters: {hq}.)"),
    ]
    sheet.rng.shuffle(group)
    for options in group:
        if sheet.maybe(0.85) and sheet.any(*options):
            sheet.raw(end)


def apply_lines(sheet: Sheet, *, end: str = " ") -> None:
    """How and until when to apply."""
    group = [
        ("<Apply by|Applications until|Closing date:> {apply_by}.", "We take applications until {apply_by}."),
        (
            "<Send your papers to|Mail> {email}.",
            "Apply <to|with> {recruiter}, {email}.",
            "Write to {recruiter} at {email}.",
        ),
        ("<Apply online at|More and application:> {link} .",),
        (
            "<Questions?|For questions:> {recruiter}, {phone}.",
            "Call {phone}.",
            "{recruiter} <answers your questions|looks forward to hearing from you>.",
        ),
        ("Please quote {job_ref}.", "Reference: {job_ref}."),
        ("Interviews <are on|take place on> {interview_day}.",),
        ("<Recruiting is done by|Handled for us by> {agency}.",),
    ]
    sheet.rng.shuffle(group)
    for options in group:
        if sheet.any(*options):
            sheet.raw(end)


def classic(sheet: Sheet) -> None:
    """Title, employer, three sections with bullets, how to apply."""
    sheet.any("{title}<| (m/f/d)><| - {department}>\n", "<We are hiring:|Wanted:|Join us as> {title}\n")
    sheet.any("{employer}, {location}\n", "<at|with> {employer} in {location}\n")
    sheet.any("<Posted|Published> {posted}\n", "")
    sheet.say("formality")
    sheet.blank()
    sheet.line("<Your profile|What you bring|Requirements>:")
    bullet = sheet.rng.choice(("- ", "* ", "• "))
    for key in ("skill", "nice_skill", "language", "degree", "years"):
        if sheet.has(key):
            sheet.raw(bullet)
            sheet.any(
                {
                    "skill": "<Good command of|Solid> {skill}",
                    "nice_skill": "<Ideally also|A plus:> {nice_skill}",
                    "language": "<Fluent|Good> {language}",
                    "degree": "{degree}",
                    "years": "<At least |>{years} years <of experience|in a similar job>",
                }[key]
                + "\n"
            )
    sheet.blank()
    sheet.line("<What we offer|Our offer|Conditions>:")
    pay(sheet, end="\n")
    offers(sheet, end="\n")
    rest(sheet, bullet=bullet if sheet.maybe(0.5) else "")
    sheet.blank()
    apply_lines(sheet, end="\n")
    sheet.any("{employer} · {address}\n", "")


def label_list(sheet: Sheet) -> None:
    """A portal's list of labels and values, then statements."""
    sheet.line("{title}")
    shapes.pairs(sheet, ("employer", "pay_min", "pay_max", *_FACTS, *_CONTACT))
    rest(sheet)


def prose(sheet: Sheet) -> None:
    """A paragraph or two in sentences."""
    sheet.say("formality", end=" ")
    sheet.any(
        "{employer} <is looking for|seeks|needs> a {title} <in|for its site in> {location}. ",
        "<For|At> {employer} in {location} we are <hiring|looking for> a {title}. ",
        "Would you like to be {title} at {employer} in {location}? ",
    )
    parts: list[Writer] = [wants, offers, pay]
    sheet.rng.shuffle(parts)
    for part in parts:
        part(sheet)
    rest(sheet, end=" ")
    sheet.blank()
    apply_lines(sheet)


def social_post(sheet: Sheet) -> None:
    """A post on a network, short, with hashtags."""
    sheet.any(
        "<Job alert!|We're hiring!|Anyone?> {title} @ {employer}, {location}. ",
        "My <team|boss> at {employer} <seeks|needs> a {title} (in {location}). ",
    )
    pay(sheet)
    rest(sheet, end=" ")
    sheet.any("<Must know|Needs> {skill}. ", "")
    sheet.any("<Until|Deadline> {apply_by}! ", "Start {start_date}. ", "")
    sheet.any("<PM me or write to|DM or> {email}", "{link}", "ask {recruiter}, {phone}", "")
    sheet.put(" #<jobs|hiring|newjob|work>")


def mail_from_recruiter(sheet: Sheet) -> None:
    """A recruiter writes to a candidate."""
    candidate = names.given_name(sheet.rng)
    sheet.text("candidate", candidate)
    sheet.any("Subject: {title} <in|at> {location}\n", "Subject: <an opening|new role>: {title}\n")
    sheet.blank()
    sheet.line("<Hi|Hello|Dear> {candidate},")
    sheet.any(
        "<I am writing for|On behalf of|My client is> {employer}<|, based in {location}>. They <look for|want> "
        "a {title}<| in {location}>. ",
        "{employer} <has|have> an opening for a {title} in {location}. ",
    )
    for part in (offers, pay, wants):
        if sheet.maybe(0.9):
            part(sheet)
    rest(sheet, end=" ")
    sheet.blank()
    apply_lines(sheet)
    sheet.line()
    sheet.line("<Best|Kind regards|Cheers>,")
    sheet.any("{recruiter}<|, {agency}>\n", "{agency}\n", "{employer}\n")


def markdown(sheet: Sheet) -> None:
    """Markdown as in a repository of vacancies."""
    sheet.line("# {title}")
    sheet.line("**{employer}** - {location}")
    sheet.blank()
    shapes.bullets(sheet, (*_FACTS[2:], *_CONTACT))
    sheet.line("## <About the job|Conditions>")
    pay(sheet, end="\n")
    rest(sheet, bullet="- ")


def newspaper(sheet: Sheet) -> None:
    """A small ad in a newspaper, abbreviated."""
    sheet.put("{title}<| wanted| sought>, {location}. ")
    sheet.any("<Exp.|Experience> {years} yrs. ", "")
    sheet.any("{skill} <a must|req'd>. ", "")
    sheet.any("{hours} hrs/wk. ", "")
    pay(sheet)
    rest(sheet, end=" ")
    sheet.any("Start {start_date}. ", "")
    sheet.any(
        "<Apply|Appl.> by {apply_by} <to|:> {employer}<|, {address}><|, {email}>. ",
        "{employer}<|, {address}><|, tel. {phone}>. ",
    )
    sheet.any("<Box|Ref> {job_ref}.", "")


def german(sheet: Sheet) -> None:
    """A German advertisement."""
    sheet.line("{title} (m/w/d)")
    sheet.line("{employer}, {location}")
    sheet.blank()
    sheet.say("formality")
    sheet.any(
        "<Wir suchen|Gesucht wird> zum {start_date} <Verstärkung|Unterstützung><| für unser Team {department}>.\n",
        "<Wir suchen Verstärkung|Werden Sie Teil unseres Teams><| ({department})>.\n",
    )
    shapes.pairs(
        sheet,
        (
            "years",
            "skill",
            "nice_skill",
            "language",
            "degree",
            "hours",
            "holidays",
            "pay_min",
            "pay_max",
            "team_size",
            "boss",
            "apply_by",
            "contract_end",
            "bonus",
            "staff",
            "hq",
            "job_ref",
            "posted",
        ),
    )
    rest(sheet)
    sheet.blank()
    sheet.any("<Fragen beantwortet|Ihr Kontakt>: {recruiter}<|, Tel. {phone}>\n", "")
    sheet.any("<Bewerbung an|Senden Sie Ihre Unterlagen an>: {email}\n", "Bewerben Sie sich unter {link}\n", "")
    sheet.any("{employer}, {address}\n", "")


def data(sheet: Sheet) -> None:
    """A feed entry: JSON, YAML, XML or CSV, and a free text."""
    keys = [key for key in LABELS if sheet.has(key)]
    sheet.rng.shuffle(keys)
    tags: dict[str, str] = {}
    for key in keys:
        tags.setdefault(shapes.tag(sheet.label(key)), key)
    sheet.rng.choice(shapes.DATA)(sheet, list(tags.values()))
    sheet.raw(sheet.rng.choice(("text: ", "description: ", "# ")))
    rest(sheet, end=" ")


def table_row(sheet: Sheet) -> None:
    """A vacancy as one line of a table, under a line of labels, and a free text."""
    shapes.table_row(sheet)
    if sheet.maybe(0.5):
        rest(sheet, end=" ")


def notice_board(sheet: Sheet) -> None:
    """Held out: a paper on a notice board, line by line."""
    sheet.line("<!! WE NEED YOU !!|STAFF WANTED|HELP WANTED>")
    sheet.line("as {title}")
    sheet.any("<here in|in> {location}<| ({department})>\n")
    for key, text in (
        ("pay_min", "{pay_min}<| up to {pay_max}> <on the table|in your pocket>"),
        ("hours", "{hours} h/week"),
        ("start_date", "first day {start_date}"),
        ("holidays", "{holidays} days free"),
        ("years", "{years} years in the trade at least"),
        ("language", "you talk {language}"),
        ("skill", "you can do {skill}"),
        ("team_size", "we are {team_size} in the team"),
    ):
        if sheet.has(key):
            sheet.any(text + "\n", text.replace("<| up to {pay_max}>", "") + "\n")
    rest(sheet)
    sheet.any("<come in, ask for|ask> {recruiter}<|, or ring {phone}>\n", "ring {phone}\n", "")
    sheet.any("<before|until> {apply_by}\n", "")
    sheet.line("<yours,|>")
    sheet.line("{employer}")
    sheet.any("{address}\n", "")


def interview_talk(sheet: Sheet) -> None:
    """Held out: an employer tells a radio reporter about the vacancy."""
    sheet.line("Q: <You have a vacancy?|Who are you looking for?>")
    sheet.any("A: Yes, {employer} <needs|is after> a {title}, <down in|over in> {location}.\n")
    sheet.line("Q: <And what must one know?|Whom do you have in mind?>")
    sheet.raw("A: ")
    wants(sheet)
    sheet.line()
    sheet.line("Q: <What do you pay?|And in return?>")
    sheet.raw("A: ")
    pay(sheet)
    offers(sheet)
    rest(sheet, end=" ")
    sheet.line()
    sheet.line("Q: <How does one apply?|Where do people write to?>")
    sheet.raw("A: ")
    apply_lines(sheet)
    sheet.put("<Don't be shy.|That's all.>")


LAYOUTS: Mapping[str, Writer] = {
    "classic": classic,
    "label_list": label_list,
    "prose": prose,
    "social_post": social_post,
    "mail_from_recruiter": mail_from_recruiter,
    "markdown": markdown,
    "newspaper": newspaper,
    "german": german,
    "data": data,
    "table_row": table_row,
    "notice_board": notice_board,
    "interview_talk": interview_talk,
}
