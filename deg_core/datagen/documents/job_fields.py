"""What a job advertisement can be asked, and its words."""

from __future__ import annotations

from deg_core.datagen.documents.builder import Labels, Statements
from deg_core.datagen.documents.fields import Field, Option, Pool

_DAYS = ("apply_by", "start_date", "posted", "interview_day", "contract_end")
_NUMBERS = ("pay_min", "pay_max", "hours", "holidays", "years", "team_size", "bonus", "staff", "openings")

POOL = Pool(
    fields=(
        Field(key="title", type="string", names=("job title", "position", "role", "title"), de=("Stellenbezeichnung",), nouns=("title of the job", "position that is offered"), near=("employer",), weight=2.2),
        Field(key="employer", type="string", names=("employer", "company", "hiring company", "organisation"), vague=("name",), de=("Arbeitgeber", "Firma"), nouns=("name of the employer", "company that offers the job"), near=("recruiter", "agency"), weight=2),
        Field(key="agency", type="string", names=("recruitment agency", "agency", "staffing company"), nouns=("agency that recruits for the employer",), near=("employer",), other_party=True),
        Field(key="location", type="string", names=("location", "city", "place of work", "work location"), de=("Arbeitsort",), nouns=("town where the work is done",), near=("hq", "employer_city"), weight=1.8),
        Field(key="hq", type="string", names=("headquarters", "head office city"), nouns=("town of the employer's head office",), near=("location",), other_party=True, weight=0.9),
        Field(key="address", type="string", names=("office address", "work address"), vague=("address",), nouns=("address of the workplace",), near=("location",), weight=0.8),
        Field(key="job_ref", type="string", names=("reference number", "job id", "vacancy number", "reference"), de=("Kennziffer", "Referenznummer"), nouns=("reference of the vacancy",), near=("phone", "title"), weight=1.4),
        Field(key="department", type="string", names=("department", "team", "unit"), de=("Abteilung",), nouns=("department or team of the job",), near=("employer", "title"), weight=1.1),
        Field(key="boss", type="string", names=("reports to", "manager", "supervisor"), nouns=("title of the person the job reports to", "who the job reports to"), near=("title", "recruiter"), other_party=True),
        Field(key="recruiter", type="string", names=("contact person", "recruiter", "contact", "hr contact"), de=("Ansprechpartner",), nouns=("person to contact about the job",), near=("employer", "boss"), group="contact", weight=1.5),
        Field(key="email", type="email", names=("application email", "contact email", "apply to"), vague=("email",), de=("Bewerbung an",), nouns=("e-mail address for applications",), near=("link", "privacy_email"), group="contact", weight=1.4),
        Field(key="phone", type="string", names=("phone", "contact phone", "telephone"), de=("Telefon",), nouns=("telephone number for questions",), near=("job_ref", "email"), group="contact"),
        Field(key="link", type="uri", names=("application url", "apply link", "link", "url"), nouns=("web address for applying",), near=("email",), group="contact", weight=1.1),
        Field(key="apply_by", type="date", names=("application deadline", "deadline", "apply by", "closing date"), de=("Bewerbungsfrist",), nouns=("last day for applying",), near=_DAYS, weight=1.8),
        Field(key="start_date", type="date", names=("start date", "starting on", "entry date"), de=("Eintrittsdatum",), nouns=("day on which the work begins",), near=_DAYS, weight=1.6),
        Field(key="posted", type="date", names=("posted on", "publication date", "date posted"), vague=("date",), nouns=("day on which the advertisement was published",), near=_DAYS),
        Field(key="interview_day", type="date", names=("interview date", "interviews on"), nouns=("day of the interviews",), near=_DAYS),
        Field(key="contract_end", type="date", names=("contract end", "end date", "limited until"), de=("Befristet bis",), nouns=("last day of the limited contract",), near=_DAYS),
        Field(key="pay_min", type="number", names=("salary min", "minimum salary", "pay from"), de=("Gehalt ab",), nouns=("lower end of the pay range", "lowest pay named"), near=_NUMBERS, group="pay", weight=1.8),
        Field(key="pay_max", type="number", names=("salary max", "maximum salary", "pay up to"), de=("Gehalt bis",), nouns=("upper end of the pay range", "highest pay named"), near=_NUMBERS, group="pay", weight=1.8),
        Field(key="bonus", type="number", names=("bonus", "signing bonus", "sign on bonus"), nouns=("bonus on signing, in money",), near=_NUMBERS, group="pay"),
        Field(key="hours", type="number", names=("weekly hours", "hours per week", "hours"), de=("Wochenstunden",), nouns=("working hours a week",), near=_NUMBERS, weight=1.3),
        Field(key="holidays", type="integer", names=("vacation days", "days off", "holiday days"), de=("Urlaubstage",), nouns=("days of paid holiday a year",), near=_NUMBERS, weight=1.2),
        Field(key="years", type="integer", names=("years of experience", "experience years", "min experience"), de=("Berufserfahrung Jahre",), nouns=("years of experience that are asked for",), near=_NUMBERS, weight=1.4),
        Field(key="team_size", type="integer", names=("team size", "size of team"), nouns=("number of people in the team",), near=_NUMBERS),
        Field(key="staff", type="integer", names=("company size", "employees", "headcount"), nouns=("number of people the employer has in all",), near=_NUMBERS, other_party=True, weight=0.8),
        Field(key="openings", type="integer", names=("openings", "number of positions", "vacancies"), nouns=("how many people are sought",), near=_NUMBERS, weight=0.8),
        Field(key="skill", type="string", names=("main skill", "required skill", "must have"), nouns=("skill that is required",), near=("nice_skill", "language"), weight=1.2),
        Field(key="nice_skill", type="string", names=("nice to have", "optional skill", "plus"), nouns=("skill that is welcome but not required",), near=("skill",), weight=1),
        Field(key="language", type="string", names=("language", "language required", "working language"), de=("Sprache",), nouns=("language the applicant must speak",), near=("skill", "location"), weight=1.1),
        Field(key="degree", type="string", names=("degree", "education", "qualification"), de=("Abschluss",), nouns=("degree or training that is asked for",), near=("skill", "language"), weight=1.1),
        Field(key="travel", type="integer", names=("travel percent", "travel share"), nouns=("share of working time spent travelling, in percent",), near=_NUMBERS, weight=0.8),
        Field(key="work_place", type="choice", names=("work model", "remote policy", "workplace type"), de=("Arbeitsmodell",), nouns=("where the work is done",), weight=2, unknown=True,
              options=(Option("remote", ("fully remote", "remote"), ("only from home or anywhere",)), Option("hybrid", ("hybrid",), ("partly at home",)), Option("onsite", ("on site", "office"), ("always at the workplace",)),
                       Option("field", ("on the road", "field work"), ("with customers, travelling",)))),
        Field(key="contract", type="choice", names=("contract type", "employment type", "type of contract"), de=("Vertragsart",), nouns=("kind of contract",), weight=2, unknown=True,
              options=(Option("permanent", ("permanent",), ("no end date",)), Option("fixed", ("fixed term", "temporary"), ("ends on a date or after a time",)), Option("freelance", ("freelance", "contractor"), ("self-employed",)),
                       Option("intern", ("internship",), ("for students or learners",)), Option("apprentice", ("apprenticeship",), ("training for a trade",)), Option("volunteer", ("volunteer", "unpaid"), ("without pay",)))),
        Field(key="load", type="choice", names=("working time", "full or part time", "workload"), nouns=("full time or part time",), weight=1.4, unknown=True,
              options=(Option("full", ("full time",), ("about 35 hours and more",)), Option("part", ("part time",), ("less than full time",)), Option("shift", ("shift work",), ("early, late, night",)), Option("mini", ("by the hour", "casual"), ("a few hours now and then",)))),
        Field(key="seniority", type="choice", names=("seniority", "level", "career level"), nouns=("level of the job",), weight=1.8,
              options=(Option("entry", ("entry level", "junior"), ("for beginners",)), Option("mid", ("mid level", "experienced"), ("some years in the trade",)), Option("senior", ("senior",), ("long experience, works alone",)), Option("lead", ("lead", "manager"), ("leads other people",)))),
        Field(key="pay_period", type="choice", names=("pay period", "salary period", "paid per"), nouns=("what period the pay is for",), weight=1.2, unknown=True,
              options=(Option("year", ("per year", "annual"), ("a whole year",)), Option("month", ("per month", "monthly"), ()), Option("hour", ("per hour", "hourly"), ()), Option("day", ("per day", "daily"), ()))),
        Field(key="sector", type="choice", names=("sector", "industry", "field", "job family"), de=("Branche",), nouns=("field of work",), weight=1.6,
              options=(Option("it", ("IT and software", "technology"), ("software, data, systems",)), Option("health", ("health care",), ("nursing, medicine",)), Option("trade", ("skilled trades", "crafts"), ("building, repairing",)), Option("sales", ("sales and retail",), ("selling",)),
                       Option("gastro", ("hospitality",), ("kitchens, hotels",)), Option("finance", ("finance and accounting",), ("books, taxes, money",)), Option("teaching", ("education",), ("schools, training",)), Option("logistics", ("transport and logistics",), ("warehouses, driving",)), Option("law", ("legal",), ("courts, contracts",)))),
        Field(key="remote", type="boolean", names=("remote allowed", "remote possible", "is remote"), nouns=("may the work be done from home, at least partly?",), weight=1.4),
        Field(key="visa", type="boolean", names=("visa sponsorship", "sponsors visa"), nouns=("does the employer help with a visa?",), unknown=True, weight=1.1),
        Field(key="licence", type="boolean", names=("driving licence required", "needs driving licence"), de=("Führerschein nötig",), nouns=("must applicants hold a driving licence?",), unknown=True, weight=1.1),
        Field(key="letter", type="boolean", names=("cover letter required", "needs cover letter"), nouns=("must a cover letter be sent?",), unknown=True, weight=1.1),
        Field(key="starters", type="boolean", names=("open to career changers", "career changers welcome"), nouns=("may people from other trades apply?",), unknown=True, weight=1),
        Field(key="car", type="boolean", names=("company car", "car provided"), nouns=("is a car provided?",), unknown=True, weight=0.8),
        Field(key="urgency", type="scale", names=("hiring urgency", "urgency"), nouns=("how soon somebody is needed",), weight=1.2,
              levels=(("no hurry", "open-ended search"), ("normal",), ("soon", "within weeks"), ("at once", "immediately"))),
        Field(key="formality", type="scale", names=("formality", "style formality"), nouns=("how formal the advertisement sounds",), weight=0.8, levels=(("very casual", "slangy"), ("neutral",), ("very formal", "stiff"))),
    ),
    groups={"contact": ("contact", "application", "apply"), "pay": ("salary", "pay", "compensation")},
)

JOBS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    # sector: titles, skills, degrees, departments
    "it": (("Backend Developer", "Data Engineer", "Test Automation Engineer", "Systems Administrator", "UX Designer", "Machine Learning Engineer", "Support Engineer", "Product Owner"), ("Python", "Kubernetes", "PostgreSQL", "Rust", "TypeScript", "Terraform", "Figma", "Linux", "Kafka"), ("degree in computer science", "bachelor's degree", "MSc in informatics"), ("Platform", "Data & Insights", "Customer Tools", "Core Systems", "Infrastructure")),
    "health": (("Staff Nurse", "Physiotherapist", "Dental Assistant", "Ward Manager", "Pharmacist", "Midwife", "Care Assistant"), ("wound care", "triage", "ultrasound", "medication rounds", "patient transfer", "dementia care"), ("nursing registration", "diploma in physiotherapy", "pharmacy degree"), ("Ward 4B", "Day Clinic", "Outpatients", "Intensive Care", "Geriatrics")),
    "trade": (("Electrician", "Carpenter", "Plumber", "Bicycle Mechanic", "Roofer", "Welder", "Heating Engineer"), ("MIG welding", "reading circuit diagrams", "pipe fitting", "dovetail joints", "hydraulics", "CNC milling"), ("completed apprenticeship", "journeyman's certificate", "trade certificate"), ("Service", "Assembly", "Workshop", "New Builds", "Repairs")),
    "sales": (("Shop Assistant", "Key Account Manager", "Sales Representative", "Store Manager", "Florist", "Optician's Assistant"), ("cold calling", "visual merchandising", "Salesforce", "negotiation", "flower binding", "stocktaking"), ("retail training", "commercial apprenticeship", "degree in marketing"), ("Retail North", "Export Sales", "Inside Sales", "Flagship Store")),
    "gastro": (("Sous Chef", "Barista", "Night Porter", "Pastry Chef", "Waiter (m/f/x)", "Hotel Receptionist"), ("latte art", "food hygiene", "opera hotel software", "dessert plating", "wine service"), ("chef's diploma", "hotel school certificate", "food hygiene certificate"), ("Front Desk", "Kitchen", "Banqueting", "Bar")),
    "finance": (("Payroll Clerk", "Financial Controller", "Tax Adviser", "Accounts Assistant", "Treasury Analyst"), ("IFRS", "DATEV", "Excel pivot tables", "VAT returns", "month-end closing", "SAP FI"), ("accounting qualification", "degree in business", "chartered accountant status"), ("Group Finance", "Payroll", "Tax", "Controlling")),
    "teaching": (("Maths Teacher", "Kindergarten Teacher", "School Librarian", "Piano Teacher", "Course Coordinator"), ("classroom management", "lesson planning", "sign language", "Moodle", "choir conducting"), ("teaching certificate", "degree in education", "qualified teacher status"), ("Lower School", "Music", "Adult Education", "Library")),
    "logistics": (("Forklift Driver", "Dispatcher", "Delivery Driver", "Warehouse Supervisor", "Tram Driver"), ("forklift operation", "route planning", "SAP EWM", "load securing", "customs papers"), ("forklift certificate", "logistics apprenticeship", "class C licence course"), ("Inbound", "Night Hub", "Fleet", "Returns")),
    "law": (("Paralegal", "Contract Manager", "Notary Clerk", "Compliance Officer"), ("contract drafting", "land register work", "GDPR", "legal research", "dictation"), ("law degree", "paralegal certificate", "notary clerk training"), ("Real Estate", "Compliance", "Litigation")),
}
LANGUAGES = ("German", "English", "French", "Spanish", "Dutch", "Polish", "Italian", "Swedish", "Turkish", "Portuguese")

LABELS: Labels = {
    "title": {"en": ("Position", "Job title", "Role", "Vacancy", "We are looking for"), "de": ("Stelle", "Position")}, "employer": {"en": ("Employer", "Company", "Who we are", "Organisation"), "de": ("Arbeitgeber", "Unternehmen")},
    "agency": {"en": ("Recruitment by", "Agency"), "de": ("Personalvermittlung",)}, "location": {"en": ("Location", "Place of work", "Where", "Based in"), "de": ("Arbeitsort", "Einsatzort")}, "hq": {"en": ("Head office", "Headquarters"), "de": ("Hauptsitz",)},
    "address": {"en": ("Address", "Office address"), "de": ("Anschrift",)}, "job_ref": {"en": ("Reference", "Ref.", "Job ID", "Vacancy no.", "Req. ID"), "de": ("Kennziffer", "Referenz")}, "department": {"en": ("Department", "Team", "Unit"), "de": ("Abteilung", "Team")},
    "boss": {"en": ("Reports to", "Line manager", "Reporting line"), "de": ("Berichtet an",)}, "recruiter": {"en": ("Contact", "Your contact", "Questions to", "Recruiter"), "de": ("Ansprechpartner", "Kontakt")}, "email": {"en": ("Apply to", "E-mail", "Applications to"), "de": ("Bewerbung an", "E-Mail")},
    "phone": {"en": ("Phone", "Tel.", "Call"), "de": ("Telefon",)}, "link": {"en": ("Apply online", "Link", "Apply at"), "de": ("Online bewerben",)}, "apply_by": {"en": ("Closing date", "Apply by", "Deadline", "Applications until", "Closes"), "de": ("Bewerbungsfrist", "Bewerbung bis")},
    "start_date": {"en": ("Start", "Start date", "Starting", "Begins"), "de": ("Beginn", "Eintritt")}, "posted": {"en": ("Posted", "Published", "Date posted"), "de": ("Veröffentlicht am",)}, "interview_day": {"en": ("Interviews", "Interview date"), "de": ("Vorstellungsgespräche am",)},
    "contract_end": {"en": ("Limited until", "Contract ends"), "de": ("Befristet bis",)}, "pay_min": {"en": ("Salary from", "Pay from", "Minimum pay"), "de": ("Gehalt ab",)}, "pay_max": {"en": ("Salary up to", "Pay up to", "Maximum pay"), "de": ("Gehalt bis",)}, "bonus": {"en": ("Signing bonus", "Welcome bonus"), "de": ("Willkommensprämie",)},
    "hours": {"en": ("Hours per week", "Weekly hours"), "de": ("Wochenstunden",)}, "holidays": {"en": ("Days of holiday", "Annual leave (days)", "Vacation days"), "de": ("Urlaubstage",)}, "years": {"en": ("Years of experience", "Experience (years)"), "de": ("Berufserfahrung (Jahre)",)},
    "team_size": {"en": ("Team size", "People in the team"), "de": ("Teamgröße",)}, "staff": {"en": ("Employees", "Staff in all"), "de": ("Mitarbeitende",)}, "openings": {"en": ("Openings", "Positions"), "de": ("Anzahl Stellen",)}, "skill": {"en": ("Must have", "Required", "You need"), "de": ("Erforderlich",)},
    "nice_skill": {"en": ("Nice to have", "A plus", "Welcome"), "de": ("Von Vorteil",)}, "language": {"en": ("Language", "Languages", "You speak"), "de": ("Sprache",)}, "degree": {"en": ("Education", "Qualification", "Training"), "de": ("Ausbildung",)}, "travel": {"en": ("Travel (%)", "Time on the road, percent"), "de": ("Reiseanteil (%)",)},
}

STATEMENTS: Statements = {
    "work_place": {
        "remote": {"en": ("<Fully remote|100% remote|Work from anywhere>.", "<You work from home|There is no office to come to>, always.", "Work model: remote"), "de": ("100 % Homeoffice.",)},
        "hybrid": {"en": ("<Two|Three> days a week <at home|from home>, the rest with us.", "Hybrid <working|set-up>.", "Work model: hybrid"), "de": ("<Zwei|Drei> Tage pro Woche Homeoffice möglich.",)},
        "onsite": {"en": ("<On site only|No home office>.", "<This job cannot be done from home|You work at our premises every day>.", "Work model: on-site"), "de": ("Kein Homeoffice, Arbeit vor Ort.",)},
        "field": {"en": ("You are <on the road|with customers> <most of the week|every day>.", "Work model: field", "Your desk is the passenger seat: you visit customers all day."), "de": ("Sie sind täglich beim Kunden unterwegs.",)},
    },
    "contract": {
        "permanent": {"en": ("<Permanent contract|Permanent position|Unlimited contract>.", "Contract: permanent", "A job for good, with no end date."), "de": ("Unbefristeter Vertrag.",)},
        "fixed": {"en": ("<Fixed-term contract|Temporary contract|Limited contract><| until {contract_end}>.", "Contract: fixed term", "<Parental leave cover|The post ends with the project>."), "de": ("Befristeter Vertrag.",)},
        "freelance": {"en": ("<On a freelance basis|As a freelancer|You invoice us by the day>.", "Contract: freelance"), "de": ("Auf freiberuflicher Basis.",)},
        "intern": {"en": ("<Internship for students|This is an internship>.", "Contract: internship"), "de": ("Praktikum für Studierende.",)},
        "apprentice": {"en": ("<Apprenticeship|You learn the trade with us in three years>.", "Contract: apprenticeship"), "de": ("Ausbildungsplatz, drei Jahre.",)},
        "volunteer": {"en": ("<Volunteer post|Unpaid, for the good cause>.", "Contract: volunteer"), "de": ("Ehrenamtlich.",)},
    },
    "load": {
        "full": {"en": ("<Full time|Full-time job>.", "Working time: full"), "de": ("Vollzeit.",)}, "part": {"en": ("<Part time|Part-time job>.", "<Mornings only|Half days>."), "de": ("Teilzeit.",)},
        "shift": {"en": ("<Early, late and night shifts|Shift work|Rotating shifts>.",), "de": ("Schichtarbeit.",)}, "mini": {"en": ("<A few hours now and then|By the hour, as needed|Casual work, some hours a week>.",), "de": ("Auf Stundenbasis.",)},
    },
    "seniority": {
        "entry": {"en": ("<No experience needed|For beginners|Graduates welcome, we train you>.", "Level: <junior|entry>"), "de": ("Für Berufseinsteiger.",)}, "mid": {"en": ("<You have done this before for a few years|Some years in the trade expected>.", "Level: <mid|professional>"), "de": ("Einige Jahre Berufserfahrung erwünscht.",)},
        "senior": {"en": ("<You are an old hand|You have seen it all and work without guidance>.", "Level: senior"), "de": ("Langjährige Erfahrung, selbstständige Arbeitsweise.",)}, "lead": {"en": ("<You lead a team|You are the boss of the crew|You will have people reporting to you>.", "Level: <lead|management>"), "de": ("Sie führen ein Team.",)},
    },
    "pay_period": {
        "year": {"en": ("Pay is <per year|annual><, gross|>.",), "de": ("Angaben pro Jahr, brutto.",)}, "month": {"en": ("Pay is <per month|monthly><, gross|>.",), "de": ("Angaben pro Monat, brutto.",)},
        "hour": {"en": ("Pay is <per hour|hourly>.",), "de": ("Angaben pro Stunde.",)}, "day": {"en": ("Pay is <per day|a day rate>.",), "de": ("Angaben pro Tag.",)},
    },
    "visa": {True: {"en": ("<We sponsor visas|We help you with the work permit|Visa sponsorship available>.",), "de": ("Wir unterstützen beim Visum.",)}, False: {"en": ("<No visa sponsorship|You must already have the right to work here|We cannot help with visas>.",), "de": ("Eine Arbeitserlaubnis muss vorliegen; beim Visum können wir nicht helfen.",)}},
    "licence": {True: {"en": ("<Driving licence required|You must hold a driving licence|No licence, no job: you will drive>.",), "de": ("Führerschein erforderlich.",)}, False: {"en": ("<No driving licence needed|You need not drive>.",), "de": ("Führerschein nicht nötig.",)}},
    "letter": {True: {"en": ("Send <a cover letter and CV|CV, letter and papers>.", "<A cover letter is a must|Please include a letter of motivation>."), "de": ("Bitte mit Anschreiben.",)}, False: {"en": ("<No cover letter needed|Just your CV, no letter|A CV is enough>.",), "de": ("Ohne Anschreiben.",)}},
    "starters": {True: {"en": ("<Career changers welcome|From another trade? Apply anyway>.",), "de": ("Quereinsteiger willkommen.",)}, False: {"en": ("<Only trained people|We cannot take career changers>.",), "de": ("Keine Quereinsteiger.",)}},
    "car": {True: {"en": ("<You get a company car|Company car, private use included|A van comes with the job>.",), "de": ("Mit Dienstwagen.",)}, False: {"en": ("<You use your own car|There is no company car>.",), "de": ("Kein Dienstwagen.",)}},
    "urgency": {0: {"en": ("<We are in no hurry and wait for the right person|The search stays open until we find you>.",), "de": ("Wir suchen in Ruhe.",)}, 1: {"en": ("<We fill the post in the usual time|The usual process of some two months>.",), "de": ("Besetzung im üblichen Verfahren.",)},
                2: {"en": ("<We hope to fill the post in the next few weeks|You should be able to begin within weeks>.",), "de": ("Besetzung in den nächsten Wochen.",)}, 3: {"en": ("<Immediate start|We need you NOW|To be filled at once>.",), "de": ("Ab sofort.",)}},
    "formality": {0: {"en": ("<Hey you! Fancy working with a bunch of lovely weirdos?|Sup! Cool gig here, no suits, no nonsense.>",), "de": ("Hey du! Bock auf einen coolen Job?",)}, 1: {"en": ("<We look forward to your application.|Get to know us.>",), "de": ("Wir freuen uns auf Ihre Bewerbung.",)},
                  2: {"en": ("<Applications are respectfully invited from duly qualified persons.|Candidates are requested to submit the prescribed documents.>",), "de": ("Bewerbungen sind unter Beifügung der erforderlichen Unterlagen einzureichen.",)}},
}
