"""Labels and statements of job advertisements."""

from __future__ import annotations

from deg_core.datagen.documents.builder import Labels, Statements

LABELS: Labels = {
    "title": {"en": ("Position", "Job title", "Role", "Vacancy", "We are looking for"), "de": ("Stelle", "Position")},
    "employer": {"en": ("Employer", "Company", "Who we are", "Organisation"), "de": ("Arbeitgeber", "Unternehmen")},
    "agency": {"en": ("Recruitment by", "Agency"), "de": ("Personalvermittlung",)},
    "location": {"en": ("Location", "Place of work", "Where", "Based in"), "de": ("Arbeitsort", "Einsatzort")},
    "hq": {"en": ("Head office", "Headquarters"), "de": ("Hauptsitz",)},
    "address": {"en": ("Address", "Office address"), "de": ("Anschrift",)},
    "job_ref": {"en": ("Reference", "Ref.", "Job ID", "Vacancy no.", "Req. ID"), "de": ("Kennziffer", "Referenz")},
    "department": {"en": ("Department", "Team", "Unit"), "de": ("Abteilung", "Team")},
    "boss": {"en": ("Reports to", "Line manager", "Reporting line"), "de": ("Berichtet an",)},
    "recruiter": {"en": ("Contact", "Your contact", "Questions to", "Recruiter"), "de": ("Ansprechpartner", "Kontakt")},
    "email": {"en": ("Apply to", "E-mail", "Applications to"), "de": ("Bewerbung an", "E-Mail")},
    "phone": {"en": ("Phone", "Tel.", "Call"), "de": ("Telefon",)},
    "link": {"en": ("Apply online", "Link", "Apply at"), "de": ("Online bewerben",)},
    "apply_by": {
        "en": ("Closing date", "Apply by", "Deadline", "Applications until", "Closes"),
        "de": ("Bewerbungsfrist", "Bewerbung bis"),
    },
    "start_date": {"en": ("Start", "Start date", "Starting", "Begins"), "de": ("Beginn", "Eintritt")},
    "posted": {"en": ("Posted", "Published", "Date posted"), "de": ("Veröffentlicht am",)},
    "interview_day": {"en": ("Interviews", "Interview date"), "de": ("Vorstellungsgespräche am",)},
    "contract_end": {"en": ("Limited until", "Contract ends"), "de": ("Befristet bis",)},
    "pay_min": {"en": ("Salary from", "Pay from", "Minimum pay"), "de": ("Gehalt ab",)},
    "pay_max": {"en": ("Salary up to", "Pay up to", "Maximum pay"), "de": ("Gehalt bis",)},
    "bonus": {"en": ("Signing bonus", "Welcome bonus"), "de": ("Willkommensprämie",)},
    "hours": {"en": ("Hours per week", "Weekly hours"), "de": ("Wochenstunden",)},
    "holidays": {"en": ("Days of holiday", "Annual leave (days)", "Vacation days"), "de": ("Urlaubstage",)},
    "years": {"en": ("Years of experience", "Experience (years)"), "de": ("Berufserfahrung (Jahre)",)},
    "team_size": {"en": ("Team size", "People in the team"), "de": ("Teamgröße",)},
    "staff": {"en": ("Employees", "Staff in all"), "de": ("Mitarbeitende",)},
    "openings": {"en": ("Openings", "Positions"), "de": ("Anzahl Stellen",)},
    "skill": {"en": ("Must have", "Required", "You need"), "de": ("Erforderlich",)},
    "nice_skill": {"en": ("Nice to have", "A plus", "Welcome"), "de": ("Von Vorteil",)},
    "language": {"en": ("Language", "Languages", "You speak"), "de": ("Sprache",)},
    "degree": {"en": ("Education", "Qualification", "Training"), "de": ("Ausbildung",)},
    "travel": {"en": ("Travel (%)", "Time on the road, percent"), "de": ("Reiseanteil (%)",)},
}


STATEMENTS: Statements = {
    "work_place": {
        "remote": {
            "en": (
                "<Fully remote|100% remote|Work from anywhere>.",
                "<You work from home|There is no office to come to>, always.",
                "Work model: remote",
            ),
            "de": ("100 % Homeoffice.",),
        },
        "hybrid": {
            "en": (
                "<Two|Three> days a week <at home|from home>, the rest with us.",
                "Hybrid <working|set-up>.",
                "Work model: hybrid",
            ),
            "de": ("<Zwei|Drei> Tage pro Woche Homeoffice möglich.",),
        },
        "onsite": {
            "en": (
                "<On site only|No home office>.",
                "<This job cannot be done from home|You work at our premises every day>.",
                "Work model: on-site",
            ),
            "de": ("Kein Homeoffice, Arbeit vor Ort.",),
        },
        "field": {
            "en": (
                "You are <on the road|with customers> <most of the week|every day>.",
                "Work model: field",
                "Your desk is the passenger seat: you visit customers all day.",
            ),
            "de": ("Sie sind täglich beim Kunden unterwegs.",),
        },
    },
    "contract": {
        "permanent": {
            "en": (
                "<Permanent contract|Permanent position|Unlimited contract>.",
                "Contract: permanent",
                "A job for good, with no end date.",
            ),
            "de": ("Unbefristeter Vertrag.",),
        },
        "fixed": {
            "en": (
                "<Fixed-term contract|Temporary contract|Limited contract><| until {contract_end}>.",
                "Contract: fixed term",
                "<Parental leave cover|The post ends with the project>.",
            ),
            "de": ("Befristeter Vertrag.",),
        },
        "freelance": {
            "en": ("<On a freelance basis|As a freelancer|You invoice us by the day>.", "Contract: freelance"),
            "de": ("Auf freiberuflicher Basis.",),
        },
        "intern": {
            "en": ("<Internship for students|This is an internship>.", "Contract: internship"),
            "de": ("Praktikum für Studierende.",),
        },
        "apprentice": {
            "en": ("<Apprenticeship|You learn the trade with us in three years>.", "Contract: apprenticeship"),
            "de": ("Ausbildungsplatz, drei Jahre.",),
        },
        "volunteer": {
            "en": ("<Volunteer post|Unpaid, for the good cause>.", "Contract: volunteer"),
            "de": ("Ehrenamtlich.",),
        },
    },
    "load": {
        "full": {"en": ("<Full time|Full-time job>.", "Working time: full"), "de": ("Vollzeit.",)},
        "part": {"en": ("<Part time|Part-time job>.", "<Mornings only|Half days>."), "de": ("Teilzeit.",)},
        "shift": {"en": ("<Early, late and night shifts|Shift work|Rotating shifts>.",), "de": ("Schichtarbeit.",)},
        "mini": {
            "en": ("<A few hours now and then|By the hour, as needed|Casual work, some hours a week>.",),
            "de": ("Auf Stundenbasis.",),
        },
    },
    "seniority": {
        "entry": {
            "en": ("<No experience needed|For beginners|Graduates welcome, we train you>.", "Level: <junior|entry>"),
            "de": ("Für Berufseinsteiger.",),
        },
        "mid": {
            "en": (
                "<You have done this before for a few years|Some years in the trade expected>.",
                "Level: <mid|professional>",
            ),
            "de": ("Einige Jahre Berufserfahrung erwünscht.",),
        },
        "senior": {
            "en": ("<You are an old hand|You have seen it all and work without guidance>.", "Level: senior"),
            "de": ("Langjährige Erfahrung, selbstständige Arbeitsweise.",),
        },
        "lead": {
            "en": (
                "<You lead a team|You are the boss of the crew|You will have people reporting to you>.",
                "Level: <lead|management>",
            ),
            "de": ("Sie führen ein Team.",),
        },
    },
    "pay_period": {
        "year": {"en": ("Pay is <per year|annual><, gross|>.",), "de": ("Angaben pro Jahr, brutto.",)},
        "month": {"en": ("Pay is <per month|monthly><, gross|>.",), "de": ("Angaben pro Monat, brutto.",)},
        "hour": {"en": ("Pay is <per hour|hourly>.",), "de": ("Angaben pro Stunde.",)},
        "day": {"en": ("Pay is <per day|a day rate>.",), "de": ("Angaben pro Tag.",)},
    },
    "visa": {
        True: {
            "en": ("<We sponsor visas|We help you with the work permit|Visa sponsorship available>.",),
            "de": ("Wir unterstützen beim Visum.",),
        },
        False: {
            "en": ("<No visa sponsorship|You must already have the right to work here|We cannot help with visas>.",),
            "de": ("Eine Arbeitserlaubnis muss vorliegen; beim Visum können wir nicht helfen.",),
        },
    },
    "licence": {
        True: {
            "en": ("<Driving licence required|You must hold a driving licence|No licence, no job: you will drive>.",),
            "de": ("Führerschein erforderlich.",),
        },
        False: {"en": ("<No driving licence needed|You need not drive>.",), "de": ("Führerschein nicht nötig.",)},
    },
    "letter": {
        True: {
            "en": (
                "Send <a cover letter and CV|CV, letter and papers>.",
                "<A cover letter is a must|Please include a letter of motivation>.",
            ),
            "de": ("Bitte mit Anschreiben.",),
        },
        False: {
            "en": ("<No cover letter needed|Just your CV, no letter|A CV is enough>.",),
            "de": ("Ohne Anschreiben.",),
        },
    },
    "starters": {
        True: {
            "en": ("<Career changers welcome|From another trade? Apply anyway>.",),
            "de": ("Quereinsteiger willkommen.",),
        },
        False: {"en": ("<Only trained people|We cannot take career changers>.",), "de": ("Keine Quereinsteiger.",)},
    },
    "car": {
        True: {
            "en": ("<You get a company car|Company car, private use included|A van comes with the job>.",),
            "de": ("Mit Dienstwagen.",),
        },
        False: {"en": ("<You use your own car|There is no company car>.",), "de": ("Kein Dienstwagen.",)},
    },
    "urgency": {
        0: {
            "en": ("<We are in no hurry and wait for the right person|The search stays open until we find you>.",),
            "de": ("Wir suchen in Ruhe.",),
        },
        1: {
            "en": ("<We fill the post in the usual time|The usual process of some two months>.",),
            "de": ("Besetzung im üblichen Verfahren.",),
        },
        2: {
            "en": ("<We hope to fill the post in the next few weeks|You should be able to begin within weeks>.",),
            "de": ("Besetzung in den nächsten Wochen.",),
        },
        3: {"en": ("<Immediate start|We need you NOW|To be filled at once>.",), "de": ("Ab sofort.",)},
    },
    "formality": {
        0: {
            "en": (
                "<Hey you! Fancy working with a bunch of lovely weirdos?|Sup! Cool gig here, no suits, no nonsense.>",
            ),
            "de": ("Hey du! Bock auf einen coolen Job?",),
        },
        1: {
            "en": ("<We look forward to your application.|Get to know us.>",),
            "de": ("Wir freuen uns auf Ihre Bewerbung.",),
        },
        2: {
            "en": (
                "<Applications are respectfully invited from duly qualified persons.|Candidates are "
                "requested to submit the prescribed documents.>",
            ),
            "de": ("Bewerbungen sind unter Beifügung der erforderlichen Unterlagen einzureichen.",),
        },
    },
}
