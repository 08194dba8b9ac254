"""Jobs by field of work, with skills, degrees and departments."""

from __future__ import annotations

JOBS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    # sector: titles, skills, degrees, departments
    "it": (
        (
            "Backend Developer",
            "Data Engineer",
            "Test Automation Engineer",
            "Systems Administrator",
            "UX Designer",
            "Machine Learning Engineer",
            "Support Engineer",
            "Product Owner",
        ),
        ("Python", "Kubernetes", "PostgreSQL", "Rust", "TypeScript", "Terraform", "Figma", "Linux", "Kafka"),
        ("degree in computer science", "bachelor's degree", "MSc in informatics"),
        ("Platform", "Data & Insights", "Customer Tools", "Core Systems", "Infrastructure"),
    ),
    "health": (
        (
            "Staff Nurse",
            "Physiotherapist",
            "Dental Assistant",
            "Ward Manager",
            "Pharmacist",
            "Midwife",
            "Care Assistant",
        ),
        ("wound care", "triage", "ultrasound", "medication rounds", "patient transfer", "dementia care"),
        ("nursing registration", "diploma in physiotherapy", "pharmacy degree"),
        ("Ward 4B", "Day Clinic", "Outpatients", "Intensive Care", "Geriatrics"),
    ),
    "trade": (
        ("Electrician", "Carpenter", "Plumber", "Bicycle Mechanic", "Roofer", "Welder", "Heating Engineer"),
        ("MIG welding", "reading circuit diagrams", "pipe fitting", "dovetail joints", "hydraulics", "CNC milling"),
        ("completed apprenticeship", "journeyman's certificate", "trade certificate"),
        ("Service", "Assembly", "Workshop", "New Builds", "Repairs"),
    ),
    "sales": (
        (
            "Shop Assistant",
            "Key Account Manager",
            "Sales Representative",
            "Store Manager",
            "Florist",
            "Optician's Assistant",
        ),
        ("cold calling", "visual merchandising", "Salesforce", "negotiation", "flower binding", "stocktaking"),
        ("retail training", "commercial apprenticeship", "degree in marketing"),
        ("Retail North", "Export Sales", "Inside Sales", "Flagship Store"),
    ),
    "gastro": (
        ("Sous Chef", "Barista", "Night Porter", "Pastry Chef", "Waiter (m/f/x)", "Hotel Receptionist"),
        ("latte art", "food hygiene", "opera hotel software", "dessert plating", "wine service"),
        ("chef's diploma", "hotel school certificate", "food hygiene certificate"),
        ("Front Desk", "Kitchen", "Banqueting", "Bar"),
    ),
    "finance": (
        ("Payroll Clerk", "Financial Controller", "Tax Adviser", "Accounts Assistant", "Treasury Analyst"),
        ("IFRS", "DATEV", "Excel pivot tables", "VAT returns", "month-end closing", "SAP FI"),
        ("accounting qualification", "degree in business", "chartered accountant status"),
        ("Group Finance", "Payroll", "Tax", "Controlling"),
    ),
    "teaching": (
        ("Maths Teacher", "Kindergarten Teacher", "School Librarian", "Piano Teacher", "Course Coordinator"),
        ("classroom management", "lesson planning", "sign language", "Moodle", "choir conducting"),
        ("teaching certificate", "degree in education", "qualified teacher status"),
        ("Lower School", "Music", "Adult Education", "Library"),
    ),
    "logistics": (
        ("Forklift Driver", "Dispatcher", "Delivery Driver", "Warehouse Supervisor", "Tram Driver"),
        ("forklift operation", "route planning", "SAP EWM", "load securing", "customs papers"),
        ("forklift certificate", "logistics apprenticeship", "class C licence course"),
        ("Inbound", "Night Hub", "Fleet", "Returns"),
    ),
    "law": (
        ("Paralegal", "Contract Manager", "Notary Clerk", "Compliance Officer"),
        ("contract drafting", "land register work", "GDPR", "legal research", "dictation"),
        ("law degree", "paralegal certificate", "notary clerk training"),
        ("Real Estate", "Compliance", "Litigation"),
    ),
}


LANGUAGES = ("German", "English", "French", "Spanish", "Dutch", "Polish", "Italian", "Swedish", "Turkish", "Portuguese")
