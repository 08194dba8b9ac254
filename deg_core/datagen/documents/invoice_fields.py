"""What an invoice can be asked."""

from __future__ import annotations

from deg_core.datagen.documents.fields import Field, Pool
from deg_core.datagen.documents.invoice_decisions import DECIDED

_AMOUNTS = ("total", "subtotal", "tax_amount", "shipping", "paid", "due", "discount")


_DAYS = ("issue_date", "due_date", "delivery_date", "order_date", "paid_date", "period_start", "period_end")


_IDS = ("invoice_no", "order_no", "customer_no", "delivery_no", "project")


_IDENTITY = (
    Field(
        key="invoice_no",
        type="string",
        names=("invoice number", "invoice no", "invoice id", "invoice reference"),
        vague=("number", "document number", "id", "reference"),
        de=("Rechnungsnummer", "Rechnungs nr"),
        nouns=("invoice number", "number of the invoice", "identifier of this invoice"),
        hints=("The number that identifies this bill", "Number of the invoice, not of the order"),
        near=_IDS,
        weight=2.2,
    ),
    Field(
        key="order_no",
        type="string",
        names=("order number", "order no", "purchase order", "po number"),
        vague=("reference", "your reference"),
        de=("Bestellnummer", "Auftragsnummer"),
        nouns=("order number", "purchase order number", "number of the order"),
        hints=("Which order does the invoice belong to? (its number)", "PO number, if there is one"),
        near=_IDS,
    ),
    Field(
        key="customer_no",
        type="string",
        names=("customer number", "customer id", "client number", "account number"),
        vague=("number", "client"),
        de=("Kundennummer",),
        nouns=("customer number", "number of the customer"),
        hints=("The number under which the seller keeps the customer",),
        near=_IDS,
    ),
    Field(
        key="delivery_no",
        type="string",
        names=("delivery note number", "delivery note", "packing slip number"),
        de=("Lieferscheinnummer",),
        nouns=("number of the delivery note",),
        near=_IDS,
    ),
    Field(
        key="project",
        type="string",
        names=("project", "project name", "cost centre", "subject"),
        de=("Projekt",),
        nouns=("project or job the invoice is for",),
        near=("order_no", "invoice_no"),
    ),
    Field(
        key="payment_ref",
        type="string",
        names=("payment reference", "remittance reference", "reference for payment"),
        de=("Verwendungszweck",),
        nouns=("reference to quote with the payment",),
        near=_IDS,
    ),
)


_DATES = (
    Field(
        key="issue_date",
        type="date",
        names=("invoice date", "issue date", "date of issue", "issued on"),
        vague=("date", "dated"),
        de=("Rechnungsdatum", "Ausstellungsdatum"),
        nouns=("date of the invoice", "day on which the invoice was issued"),
        near=_DAYS,
        weight=2,
    ),
    Field(
        key="due_date",
        type="date",
        names=("due date", "payment due", "payment deadline", "pay by"),
        vague=("deadline", "date"),
        de=("Fälligkeitsdatum", "Zahlbar bis"),
        nouns=("date by which the invoice must be paid", "due date of the payment"),
        hints=("Last day for payment", "Until when does it have to be paid?"),
        near=_DAYS,
        weight=1.8,
    ),
    Field(
        key="delivery_date",
        type="date",
        implied_by=("period_start",),
        names=("delivery date", "date of supply", "delivered on", "service date"),
        vague=("date",),
        de=("Lieferdatum", "Leistungsdatum"),
        nouns=("date of delivery", "day the goods or services were supplied"),
        near=_DAYS,
        weight=1.4,
    ),
    Field(
        key="order_date",
        type="date",
        names=("order date", "date of order", "ordered on"),
        de=("Bestelldatum",),
        nouns=("date of the order", "day on which the customer ordered"),
        near=_DAYS,
    ),
    Field(
        key="paid_date",
        type="date",
        names=("payment date", "paid on", "date of payment"),
        de=("Zahlungsdatum",),
        nouns=("date on which a payment was received", "day of the payment already made"),
        near=_DAYS,
    ),
    Field(
        key="period_start",
        type="date",
        implied_by=("delivery_date",),
        names=("period start", "service period from", "billing period start"),
        nouns=("first day of the service period",),
        near=_DAYS,
        weight=0.6,
    ),
    Field(
        key="period_end",
        type="date",
        implied_by=("delivery_date",),
        names=("period end", "service period to", "billing period end"),
        nouns=("last day of the service period",),
        near=_DAYS,
        weight=0.6,
    ),
)


_MONEY = (
    Field(
        key="total",
        type="number",
        names=("total", "total amount", "invoice total", "grand total", "gross amount"),
        vague=("amount", "sum"),
        de=("Gesamtbetrag", "Rechnungsbetrag", "Bruttobetrag"),
        nouns=("total of the invoice including tax", "invoice total, tax included", "gross total"),
        hints=("How much is the whole invoice, with tax?", "Sum of everything, VAT included"),
        near=_AMOUNTS,
        group="amounts",
        weight=2.4,
    ),
    Field(
        key="subtotal",
        type="number",
        names=("subtotal", "net amount", "net total", "amount before tax"),
        vague=("net", "amount"),
        de=("Nettobetrag", "Zwischensumme"),
        nouns=("total before tax", "net amount"),
        near=_AMOUNTS,
        group="amounts",
        weight=1.4,
    ),
    Field(
        key="tax_amount",
        type="number",
        names=("tax amount", "vat amount", "tax", "sales tax"),
        vague=("vat",),
        de=("Steuerbetrag", "MwSt Betrag"),
        nouns=("amount of tax", "VAT amount (money, not percent)"),
        near=_AMOUNTS,
        group="amounts",
        weight=1.4,
    ),
    Field(
        key="tax_rate",
        type="number",
        names=("tax rate", "vat rate", "vat percent", "tax percentage"),
        de=("Steuersatz", "MwSt Satz"),
        nouns=("tax rate in percent", "VAT rate (percent)"),
        near=("late_rate", "tax_amount", "early_rate"),
        group="amounts",
    ),
    Field(
        key="shipping",
        type="number",
        names=("shipping cost", "delivery charge", "freight", "postage"),
        de=("Versandkosten",),
        nouns=("charge for shipping", "cost of delivery"),
        near=_AMOUNTS,
        group="amounts",
    ),
    Field(
        key="discount",
        type="number",
        names=("discount", "discount amount", "rebate"),
        de=("Rabatt",),
        nouns=("discount in money", "amount taken off the price"),
        near=_AMOUNTS,
        group="amounts",
    ),
    Field(
        key="paid",
        type="number",
        names=("amount paid", "paid so far", "deposit received", "prepaid"),
        vague=("paid",),
        de=("Anzahlung", "Bereits bezahlt"),
        nouns=("amount already paid", "payment received so far"),
        near=_AMOUNTS,
        group="amounts",
        weight=1.3,
    ),
    Field(
        key="due",
        type="number",
        names=("amount due", "balance due", "outstanding amount", "open balance"),
        vague=("balance", "remaining"),
        de=("Offener Betrag", "Restbetrag"),
        nouns=("amount still to be paid", "balance that is still open"),
        hints=("What is left to pay after the payments received",),
        near=_AMOUNTS,
        group="amounts",
        weight=1.4,
    ),
    Field(
        key="late_rate",
        type="number",
        names=("late fee percent", "late interest rate", "penalty interest"),
        nouns=("interest for late payment in percent",),
        near=("tax_rate", "early_rate", "terms_days"),
    ),
    Field(
        key="early_rate",
        type="number",
        names=("early payment discount", "cash discount percent"),
        de=("Skonto",),
        nouns=("discount for early payment in percent",),
        near=("tax_rate", "late_rate", "terms_days"),
    ),
    Field(
        key="terms_days",
        type="integer",
        names=("payment terms days", "days to pay", "net days", "credit days"),
        de=("Zahlungsziel Tage",),
        nouns=("number of days allowed for payment", "payment term in days"),
        near=("late_rate", "tax_rate"),
    ),
)


def _party(side: str, words: tuple[str, ...], role: str, *, other: bool, de: str) -> tuple[Field, ...]:
    """The fields of one party; ``words`` are names for the role, ``role`` says who it is."""
    against = "buyer" if side == "seller" else "seller"

    def named(*nouns: str) -> tuple[str, ...]:
        return tuple(f"{word} {noun}" for word in words for noun in nouns)

    def rivals(suffix: str) -> tuple[str, ...]:
        return (f"{against}_{suffix}",)

    return (
        Field(
            key=f"{side}_name",
            type="string",
            names=(*words, *named("name")),
            vague=("name", "company"),
            de=(de, f"{de} Name"),
            nouns=(f"name of {role}", f"{role} (name only)"),
            near=(f"{against}_contact",),
            group=side,
            other_party=other,
            weight=1.6,
        ),
        Field(
            key=f"{side}_address",
            type="string",
            names=named("address", "postal address"),
            vague=("address",),
            de=(f"{de} Anschrift",),
            nouns=(f"postal address of {role}", f"full address of {role}, on one line"),
            near=rivals("address"),
            implied_by=(f"{side}_street", f"{side}_block"),
            group=side,
            other_party=other,
        ),
        Field(
            key=f"{side}_street",
            type="string",
            names=named("street", "street address"),
            vague=("street",),
            de=(f"{de} Straße",),
            nouns=(f"street and house number of {role}",),
            near=rivals("street"),
            group=side,
            other_party=other,
            weight=0.6,
        ),
        Field(
            key=f"{side}_city",
            type="string",
            names=named("city", "town"),
            vague=("city", "town"),
            de=(f"{de} Ort",),
            nouns=(f"town of {role}", f"city in {role}'s address"),
            near=rivals("city"),
            group=side,
            other_party=other,
            weight=0.7,
        ),
        Field(
            key=f"{side}_zip",
            type="string",
            names=named("postcode", "zip", "postal code"),
            vague=("zip", "postcode"),
            de=(f"{de} PLZ",),
            nouns=(f"postcode of {role}",),
            near=rivals("zip"),
            group=side,
            other_party=other,
            weight=0.6,
        ),
        Field(
            key=f"{side}_email",
            type="email",
            names=named("email", "email address"),
            vague=("email", "mail"),
            de=(f"{de} E Mail",),
            nouns=(f"e-mail address of {role}",),
            near=rivals("email"),
            group=side,
            other_party=other,
        ),
        Field(
            key=f"{side}_phone",
            type="string",
            names=named("phone", "telephone", "phone number"),
            vague=("phone", "tel"),
            de=(f"{de} Telefon",),
            nouns=(f"telephone number of {role}",),
            near=rivals("phone"),
            group=side,
            other_party=other,
            weight=0.9,
        ),
        Field(
            key=f"{side}_vat",
            type="string",
            names=named("vat id", "tax id", "vat number"),
            vague=("vat id", "tax number"),
            de=(f"{de} USt ID",),
            nouns=(f"VAT or tax number of {role}",),
            near=(*rivals("vat"), "iban", "customer_no"),
            group=side,
            other_party=other,
        ),
        Field(
            key=f"{side}_contact",
            type="string",
            names=named("contact", "contact person"),
            vague=("contact", "contact person"),
            de=(f"{de} Ansprechpartner",),
            nouns=(f"contact person at {role}",),
            near=(*rivals("contact"), f"{side}_name"),
            group=side,
            other_party=other,
        ),
        Field(
            key=f"{side}_web",
            type="uri",
            names=named("website", "url"),
            vague=("website", "homepage"),
            de=(f"{de} Webseite",),
            nouns=(f"web address of {role}",),
            near=(f"{side}_email",),
            group=side,
            other_party=other,
            weight=0.6,
        ),
    )


_BANK = (
    Field(
        key="iban",
        type="string",
        names=("iban", "bank account", "account iban"),
        de=("IBAN",),
        nouns=("IBAN of the account to pay to", "bank account number"),
        near=("bic", "seller_vat", "buyer_vat"),
        group="bank",
    ),
    Field(
        key="bic",
        type="string",
        names=("bic", "swift code", "swift"),
        de=("BIC",),
        nouns=("BIC (SWIFT code) of the bank",),
        near=("iban",),
        group="bank",
    ),
    Field(
        key="bank",
        type="string",
        names=("bank", "bank name", "name of bank"),
        de=("Bank", "Kreditinstitut"),
        nouns=("name of the bank",),
        near=("seller_name",),
        group="bank",
    ),
)


POOL = Pool(
    fields=(
        *_IDENTITY,
        *_DATES,
        *_MONEY,
        *_party("seller", ("seller", "vendor", "supplier", "issuer"), "the seller", other=False, de="Verkäufer"),
        *_party("buyer", ("buyer", "customer", "client", "recipient"), "the customer", other=True, de="Kunde"),
        *_BANK,
        *DECIDED,
    ),
    groups={
        "amounts": ("amounts", "totals", "money", "sums"),
        "seller": ("seller", "vendor", "supplier", "from"),
        "buyer": ("buyer", "customer", "bill to", "client"),
        "bank": ("bank details", "payment details", "bank account"),
    },
)
