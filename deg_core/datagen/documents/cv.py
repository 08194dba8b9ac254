"""CVs: a person, work, schools, skills."""

from __future__ import annotations

import datetime as dt
import random

from deg_core.datagen.documents import names
from deg_core.datagen.documents.dates import draw_day
from deg_core.datagen.documents.declare import ask, choice, decide, declare, flag, labelled, markdown, say_rest, script
from deg_core.datagen.documents.facts import Sheet, add_address, new_sheet
from deg_core.datagen.documents.job_fields import JOBS, LANGUAGES
from deg_core.datagen.documents.kind import Kind

_JOBS = "job old_job wanted"
_FIRMS = "firm old_firm school referee"

DECLARED = declare(
    ask("person", "string", "name|full name|candidate|applicant name", "name of the applicant", labels="Name|Applicant|Curriculum vitae of", near="referee boss", weight=2),
    ask("email", "email", "email|email address|contact email", "e-mail address of the applicant", labels="E-mail|Mail", near="referee_email link", weight=1.5),
    ask("phone", "string", "phone|phone number|mobile", "telephone number of the applicant", labels="Phone|Mobile|Tel.", near="referee_phone", weight=1.3),
    ask("address", "string", "address|home address", "home address of the applicant", labels="Address", near="city firm_city", weight=1.1),
    ask("city", "string", "city|town|place of residence", "town where the applicant lives", labels="Lives in|Town", near="firm_city born_in"),
    ask("born_in", "string", "place of birth|birthplace", "place of birth", labels="Born in|Place of birth", near="city firm_city", weight=0.8),
    ask("link", "uri", "portfolio|website|profile url", "web page of the applicant", labels="Web|Portfolio|Profile", near="email"),
    ask("born", "date", "date of birth|birth date|born", "day of birth", labels="Date of birth|Born", near="since graduated available", weight=1.3),
    ask("since", "date", "current job since|start of current job", "day on which the present job began", labels="Since|In this post since", near="born graduated available old_until", weight=1.2),
    ask("old_until", "date", "previous job until|end of previous job", "day on which the earlier job ended", labels="Earlier post until", near="since born graduated"),
    ask("graduated", "date", "graduation date|degree date|graduated", "day of graduation", labels="Graduated|Degree awarded", near="born since available"),
    ask("available", "date", "available from|earliest start", "day from which the applicant could start", labels="Available from|Earliest start", near="born since graduated", weight=1.2),
    ask("job", "string", "current job title|current position|job title", "present job of the applicant", labels="Current position|Now working as|Present post", near=_JOBS, weight=1.8),
    ask("firm", "string", "current employer|current company|employer", "present employer", labels="Current employer|At", near=_FIRMS, weight=1.7),
    ask("firm_city", "string", "current work city|workplace", "town of the present employer", labels="Place of work", near="city born_in", weight=0.7),
    ask("old_job", "string", "previous job title|previous position|last position", "job before the present one", labels="Earlier position|Before that", near=_JOBS, weight=1.3),
    ask("old_firm", "string", "previous employer|previous company", "employer before the present one", labels="Earlier employer|Previously at", near=_FIRMS, weight=1.3),
    ask("wanted", "string", "desired position|applying for|target role", "position the applicant applies for", labels="Applying for|Objective", near=_JOBS, other_party=True, weight=1.1),
    ask("school", "string", "university|school|college", "school or university attended", labels="University|Education at|School", near=_FIRMS, weight=1.4),
    ask("degree", "string", "degree|qualification|highest degree", "degree or qualification", labels="Degree|Qualification", near="skill job", weight=1.4),
    ask("grade", "number", "grade|final grade|gpa", "final grade", labels="Final grade|Grade", near="years children notice", weight=0.8),
    ask("skill", "string", "main skill|key skill|top skill", "skill that is named first of all", labels="Strongest in|Key skill", near="language hobby", weight=1.2),
    ask("hobby", "string", "hobby|interest|pastime", "hobby", labels="Hobby|Leisure", near="skill", weight=0.9),
    ask("language", "string", "native language|mother tongue", "mother tongue", labels="Mother tongue|Native language", near="other_language", weight=1.1),
    ask("other_language", "string", "second language|foreign language", "foreign language the applicant knows", labels="Also speaks|Foreign language", near="language", weight=1.1),
    ask("referee", "string", "reference person|referee|reference", "person who can be asked about the applicant", labels="Referee|Reference", near="person boss", other_party=True, weight=1.2),
    ask("referee_email", "email", "referee email|reference email", "e-mail address of the referee", labels="Referee's e-mail", near="email", other_party=True),
    ask("referee_phone", "string", "referee phone|reference phone", "telephone number of the referee", labels="Referee's phone", near="phone", other_party=True),
    ask("years", "integer", "years of experience|experience years", "years of experience that are named", labels="Years of experience", near="notice children team", weight=1.3),
    ask("team", "integer", "people led|team size", "number of people the applicant leads", labels="People led", near="years notice children"),
    ask("notice", "integer", "notice period weeks|notice weeks", "period of notice in weeks", labels="Notice (weeks)", near="years team children"),
    ask("children", "integer", "children|number of children", "number of children", labels="Children", near="years team notice", weight=0.6),
    choice("field", "field|sector|profession group", "field of work", {key: (label, "", ()) for key, label in (("it", "IT and software"), ("health", "health care"), ("trade", "skilled trades"), ("sales", "sales and retail"), ("gastro", "hospitality"), ("finance", "finance"), ("teaching", "education"), ("logistics", "logistics"), ("law", "legal"), ("arts", "arts"))}, weight=1.8),
    choice("family", "marital status|family status", "family status", {"single": ("single", "", ("<Single|Unmarried>.",)), "married": ("married", "", ("<Married|Husband and wife since youth>.",)), "divorced": ("divorced", "", ("<Divorced|Divorced since last year>.",)), "widowed": ("widowed", "", ("<Widowed|Lost the spouse years ago>.",))}, unknown=True, weight=1),
    choice("level", "education level|schooling", "level of education", {"apprentice": ("vocational "
                                                                                       "training|apprenticeship", "", ("<Trained on the job|Completed an apprenticeship>.",)), "bachelor": ("bachelor", "", ("<Bachelor's studies completed|Holds a bachelor>.",)), "master": ("master", "", ("<Master's studies completed|Holds a master's degree>.",)), "doctor": ("doctorate", "", ("<Doctorate in 2019|Wrote a doctoral thesis>.",))}, weight=1.2),
    choice("state", "job status|employment status", "whether the applicant works at present", {"working": ("employed", "", ("<In employment, not under notice|Employed>.",)), "seeking": ("unemployed|looking for work", "", ("<Out of work since spring|Looking for work>.",)), "self": ("self-employed", "", ("<Self-employed|Runs a business alone>.",)), "leave": ("on leave", "", ("<On parental leave|Taking a sabbatical>.",))}, weight=1.2),
    flag("licence", "driving licence|has driving licence", "does the applicant hold a driving licence?", ("<Driving licence class B|Full clean driving licence>.",), ("<No driving licence|Does not drive>.",), unknown=True, weight=1.3),
    flag("move", "willing to relocate|relocation possible", "would the applicant move?", ("<Ready to move|Relocation "
                                                                                          "no problem>.",), ("<Wishes to stay in the area|Cannot relocate>.",), unknown=True, weight=1.2),
    flag("leader", "leadership experience|has led people", "has the applicant led people?", ("<Has led a crew|Led "
                                                                                             "people for years>.",), ("<Has not led people so far|Never managed anyone>.",), implied_by="team", unknown=True),
    flag("permit", "work permit|right to work", "may the applicant work without a further permit?", ("<Work permit held|Citizen, no permit needed>.",), ("<Needs a work permit|Visa required>.",), unknown=True),
)


def world(rng: random.Random, lang: str, wordy: bool) -> Sheet:
    """Person, jobs, schools, skills and wishes of one applicant."""
    sheet = new_sheet(rng, labels=DECLARED.labels, statements=DECLARED.statements, lang=lang, wordy=wordy)
    field = rng.choice(tuple(JOBS))
    titles, skills, degrees, _ = JOBS[field]
    jobs = rng.sample(titles, 3)
    person = names.person(rng, titled=0.05)
    referee = names.person(rng, titled=0.3)
    sheet.text("person", person)
    add_address(sheet, "home", "en")
    if sheet.maybe(0.5):
        sheet.set("address", "{home_address}", composite=True)
    elif sheet.maybe(0.5):
        sheet.facts["city"] = sheet.facts["home_city"]
    tongues = rng.sample(LANGUAGES, 2)
    sheet.texts(0.75, job=jobs[0], firm=names.company(rng), email=names.email(rng, person, f"{names.slug(names.surname(rng))}.example.com"))
    sheet.texts(0.5, phone=names.phone(rng), old_job=jobs[1], old_firm=names.company(rng), school=rng.choice((f"University of {names.place_name(rng)}", f"{names.place_name(rng)} College", f"{names.surname(rng)} Institute", f"FH {names.place_name(rng)}")), degree=rng.choice(degrees), skill=rng.choice(skills), language=tongues[0], other_language=tongues[1])
    sheet.texts(0.3, born_in=names.place_name(rng), firm_city=names.place_name(rng), wanted=jobs[2], hobby=rng.choice(("choir singing", "beekeeping", "long-distance swimming", "chess", "baking bread", "rock climbing", "amateur theatre", "birdwatching", "gliding")), referee=referee, link=names.url(rng, names.domain(rng, person), "", "/work"))
    if sheet.has("referee"):
        sheet.texts(0.5, referee_email=names.email(rng, referee, names.domain(rng, names.shop(rng))), referee_phone=names.phone(rng))
    born = draw_day(rng, dt.date(1962, 1, 1), dt.date(2003, 1, 1))
    for key, share, low, high in (("born", 0.45, 0, 0), ("graduated", 0.3, 8000, 9400), ("old_until", 0.3, 9500, 10400), ("since", 0.4, 10500, 11000), ("available", 0.4, 11600, 12000)):
        if sheet.maybe(share):
            sheet.day(key, born + dt.timedelta(days=rng.randint(low, high)))
    for key, share, low, high in (("years", 0.45, 2, 30), ("team", 0.25, 2, 40), ("notice", 0.25, 2, 13), ("children", 0.15, 1, 5)):
        if sheet.maybe(share):
            sheet.number(key, rng.randrange(low, high))
    decide(sheet, DECLARED, share=0.5, state="working" if sheet.has("job") or sheet.has("firm") else rng.choice(("seeking", "self")))
    if sheet.has("team"):
        sheet.decisions.pop("leader", None)
    sheet.decisions["field"] = field
    return sheet


def _known(sheet: Sheet) -> None:
    if any(piece.kind == "open" and piece.text in ("job", "old_job") for piece in sheet.pieces):
        sheet.stated.add("field")


_WORK = (("{job}<| at {firm}><|, {firm_city}><|, since {since}>", "<Since {since}:|Now:> {job}<|, {firm}>"), ("<Before that|Earlier|Previously>: {old_job}<|, {old_firm}><| (until {old_until})>", "{old_job} at {old_firm}"), ("{degree}<|, {school}><|, {graduated}><|, grade {grade}>", "{school}<|, {graduated}>"))
_REST = (("<Strongest in|Knows> {skill}.", "Skills: above all {skill}."), ("{years} years of experience<|, leads "
                                                                           "{team} people>.", "<With|Having> {years} "
                                                                                              "years in the trade."), ("<Mother tongue|Native speaker of> {language}<|, also speaks {other_language}>.", "{language} native, {other_language} fluent."), ("Leads a team of {team}.",), ("<Free|Available|Can start> from {available}<|, notice {notice} weeks>.",), ("{notice} weeks of notice.",), ("<Spare time|Likes>: {hobby}.", "Enjoys {hobby}."), ("{children} children.",), ("<Reference|Referee|Ask>: {referee}<|, {referee_email}><|, {referee_phone}>.",), ("<Born|Born on> {born}<| in {born_in}>.", "Born in {born_in}."), ("<Applying for|Wants to become> {wanted}.",))


def resume(sheet: Sheet) -> None:
    """The usual CV with sections."""
    sheet.line("<CURRICULUM VITAE|CV|Résumé|>")
    sheet.line("{person}")
    sheet.any("{address}\n", "{city}\n", "")
    for key in ("email", "phone", "link"):
        sheet.any(f"<|{ {'email': 'E-mail', 'phone': 'Tel', 'link': 'Web'}[key] }: >{{{key}}}\n", "")
    sheet.blank()
    sheet.line("<WORK|Experience|Career>")
    for group in _WORK[:2]:
        sheet.any(*[f"<- |>{text}\n" for text in group])
    sheet.line("<EDUCATION|Studies|Training>")
    sheet.any(*[f"{text}\n" for text in _WORK[2]])
    sheet.line("<OTHER|Further facts|Personal>")
    script((), _REST, end="\n")(sheet)
    _known(sheet)


def cover(sheet: Sheet) -> None:
    """A short letter of application."""
    sheet.put("<Dear Sir or Madam|To the hiring team|Hello>,\n\n")
    sheet.any("my name is {person} and I <apply for|would like> the post of {wanted}. ", "I am {person}<|, from "
                                                                                         "{city}>. ")
    sheet.any("<At present|Today> I am {job}<| at {firm}><|, since {since}>. ", "I work at {firm}. ", "")
    sheet.any("Before that I was {old_job}<| at {old_firm}><| until {old_until}>. ", "I used to work for {old_firm}. ", "")
    sheet.any("I studied at {school}<|, degree: {degree}><| ({graduated})>. ", "I have a {degree}. ", "")
    sheet.any("What I do best is {skill}. ", "")
    sheet.any("I can start on {available}. ", "")
    sheet.any("You can ask {referee}<|, {referee_email}><|, {referee_phone}> about me. ", "")
    sheet.any("In my free time: {hobby}. ", "")
    sheet.any("{language} is my mother tongue<|, and I speak {other_language}>. ", "")
    say_rest(sheet, end=" ")
    sheet.blank()
    sheet.any("<Yours|Regards>, {person}<|\n{phone}><|\n{email}><|\n{address}>")
    _known(sheet)


def profile(sheet: Sheet) -> None:
    """A recruiter's summary in the third person."""
    sheet.any("<Candidate|Profile>: {person}<|, {city}><|, {email}>. ", "{person} <could be|is> a good match. ")
    sheet.any("<Works as|Currently> {job}<| with {firm}>. ", "With {firm} at present. ", "")
    sheet.any("<Was|Formerly> {old_job}<| with {old_firm}>. ", "")
    sheet.any("<Holds|Has> a {degree}<| from {school}>. ", "<Went to|Studied at> {school}. ", "")
    script((), _REST)(sheet)
    sheet.any("<Reach them on|Call> {phone}.", "")
    _known(sheet)


def listed(sheet: Sheet) -> None:
    """Labels and values."""
    labelled(("<Applicant data|Application form|CV at a glance>",), DECLARED.facts)(sheet)
    _known(sheet)


def data(sheet: Sheet) -> None:
    """An export from an applicant tool."""
    labelled((), DECLARED.facts, data=True)(sheet)
    _known(sheet)


def page(sheet: Sheet) -> None:
    """A Markdown CV."""
    markdown(("{person}",), DECLARED.facts[1:])(sheet)
    _known(sheet)


KIND = Kind(name="cv", domains=("CV", "application", "cover letter"), pool=DECLARED.pool(), world=world,
            layouts={"resume": resume, "cover": cover, "profile": profile, "listed": listed, "data": data, "page": page}, wordy=frozenset(("resume", "cover", "profile")), exact=frozenset(("data",)))
