"""Sentences that state what holds for an invoice, in four languages."""

from __future__ import annotations

from deg_core.datagen.documents.builder import Statements

STATEMENTS: Statements = {
    "payment_method": {
        "transfer": {
            "en": (
                "Payment <method|type|by>: bank transfer",
                "Please transfer the <amount|sum> to <the account below|our account>.",
                "Kindly <remit|send> payment by <wire|bank transfer>.",
                "<We ask|Please arrange> for payment by transfer<| to our bank>.",
                "Payable by bank <transfer|wire> only.",
            ),
            "de": (
                "Zahlungsart: Überweisung",
                "Bitte überweisen Sie den Betrag auf <unser Konto|das unten genannte Konto>.",
            ),
            "fr": ("Mode de paiement : virement bancaire",),
            "es": ("Forma de pago: transferencia bancaria",),
        },
        "debit": {
            "en": (
                "Payment <method|type>: direct debit",
                "We will <collect|debit> the amount from your <bank |>account<| under the mandate you gave us>.",
                "No need to pay anything yourself, the <sum|amount> is <taken|collected> from your account by direct "
                "debit.",
            ),
            "de": ("Zahlungsart: Lastschrift", "Wir buchen den Betrag von Ihrem Konto ab."),
            "fr": ("Mode de paiement : prélèvement",),
            "es": ("Forma de pago: domiciliación bancaria",),
        },
        "card": {
            "en": (
                "Payment <method|type>: <credit card|card|Visa|Mastercard>",
                "<Charged|Billed> to the <card|Visa card|Mastercard> ending in <4417|0093|2281|7730>.",
                "Please pay by <card|credit card> <online|over the phone|through our pay page>.",
            ),
            "de": ("Zahlungsart: Kreditkarte", "Die Zahlung erfolgt per Kreditkarte."),
            "fr": ("Mode de paiement : carte bancaire",),
            "es": ("Forma de pago: tarjeta",),
        },
        "cash": {
            "en": (
                "Payment <method|type>: cash",
                "<To be paid|Payable> in cash <on collection|at the counter|to the driver>.",
                "Cash <please|only>.",
            ),
            "de": ("Zahlungsart: bar", "Zahlbar in bar bei Abholung."),
            "fr": ("Mode de paiement : espèces",),
            "es": ("Forma de pago: en efectivo",),
        },
        "wallet": {
            "en": (
                "Payment <method|type>: PayPal",
                "Pay with <PayPal|Apple Pay|your online wallet>, the link is in the mail.",
                "<Payment goes|To be paid> through PayPal.",
            ),
            "de": ("Zahlungsart: PayPal",),
            "fr": ("Mode de paiement : PayPal",),
            "es": ("Forma de pago: PayPal",),
        },
        "cheque": {
            "en": (
                "Payment <method|type>: cheque",
                "<Cheques|Checks> payable to {seller_name}.",
                "Please <post|mail> us a <cheque|check>.",
            ),
            "de": ("Zahlungsart: Scheck",),
            "fr": ("Mode de paiement : chèque",),
            "es": ("Forma de pago: cheque",),
        },
        "instalments": {
            "en": (
                "Payment <method|type>: <monthly |>instalments",
                "To be paid in <three|four|six> equal monthly parts<, as agreed|>.",
            ),
            "de": ("Zahlungsart: Ratenzahlung",),
            "fr": ("Mode de paiement : en plusieurs mensualités",),
            "es": ("Forma de pago: a plazos",),
        },
    },
    "state": {
        "open": {
            "en": (
                "Status: <open|unpaid|awaiting payment>",
                "We look forward to <your payment|receiving your payment>.",
                "<No payment has been made yet|Nothing has been paid so far>; there is still time.",
            ),
            "de": ("Status: offen", "Bisher ist keine Zahlung eingegangen; die Frist läuft noch."),
            "fr": ("Statut : à payer",),
            "es": ("Estado: pendiente",),
        },
        "paid": {
            "en": (
                "<PAID IN FULL|Paid in full>, with thanks.",
                "Status: <paid|settled|paid in full>",
                "<Your payment has reached us|We have received the full amount>, nothing <is left|more is owed>.",
                "This invoice <has been|was> settled.",
            ),
            "de": ("Status: bezahlt", "Betrag dankend erhalten."),
            "fr": ("Statut : payée", "Facture acquittée."),
            "es": ("Estado: pagada",),
        },
        "part": {
            "en": (
                "Status: <part-paid|partially paid>",
                "<A first part has|Part of the sum has already> been paid<|, the rest is still open>.",
                "Thank you for the <part payment|deposit>; please <settle|pay> the remainder.",
            ),
            "de": ("Status: teilweise bezahlt", "Ein Teil wurde bereits bezahlt, der Rest ist noch offen."),
            "fr": ("Statut : partiellement payée",),
            "es": ("Estado: pagada en parte",),
        },
        "overdue": {
            "en": (
                "Status: <OVERDUE|overdue|late>",
                "<The time for payment has run out|The payment date has passed> and <we have not been paid|nothing "
                "has reached us>.",
                "Payment is now late.",
            ),
            "de": ("Status: überfällig", "Die Zahlungsfrist ist verstrichen, ein Eingang liegt nicht vor."),
            "fr": ("Statut : en retard",),
            "es": ("Estado: vencida",),
        },
        "disputed": {
            "en": (
                "Status: <disputed|in dispute|on hold: customer objects>",
                "The customer <contests|objects to|does not accept> <this bill|the charge>.",
                "Payment is withheld because the bill is <contested|said to be wrong>.",
            ),
            "de": ("Status: strittig", "Der Kunde widerspricht der Rechnung."),
            "fr": ("Statut : contestée",),
            "es": ("Estado: en disputa",),
        },
        "cancelled": {
            "en": (
                "Status: <void|cancelled|withdrawn>",
                "This <invoice|bill> has been <cancelled|withdrawn>; please do not pay it.",
                "VOID - <replaced by a new bill|do not pay>.",
            ),
            "de": ("Status: storniert", "Diese Rechnung wurde storniert."),
            "fr": ("Statut : annulée",),
            "es": ("Estado: anulada",),
        },
    },
    "vat_included": {
        True: {
            "en": (
                "<All |Item >prices <include|are inclusive of> VAT.",
                "Prices shown with tax.",
                "Unit prices gross, tax included.",
            ),
            "de": ("Alle Preise inkl. MwSt.", "Die Einzelpreise enthalten die gesetzliche Umsatzsteuer."),
            "fr": ("Prix unitaires TTC.",),
            "es": ("Precios con IVA incluido.",),
        },
        False: {
            "en": (
                "<All |Item >prices <exclude VAT|are net of VAT|plus VAT|are before tax>.",
                "Prices shown without tax.",
                "VAT is added to the prices above.",
            ),
            "de": ("Alle Preise zzgl. MwSt.", "Die Einzelpreise sind Nettopreise."),
            "fr": ("Prix unitaires HT.",),
            "es": ("Precios sin IVA.",),
        },
    },
    "reverse_charge": {
        True: {
            "en": (
                "Reverse charge: <VAT|tax> to be accounted for by the <recipient|customer>.",
                "Tax liability <shifts|passes> to the customer (reverse charge).",
            ),
            "de": ("Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).",),
            "fr": ("Autoliquidation de la TVA par le client.",),
            "es": ("Inversión del sujeto pasivo.",),
        },
        False: {
            "en": ("The reverse charge rule does not apply<| here>.",),
            "de": ("Reverse Charge findet keine Anwendung.",),
            "fr": ("L'autoliquidation ne s'applique pas.",),
            "es": ("No procede la inversión del sujeto pasivo.",),
        },
    },
    "early_offer": {
        True: {
            "en": (
                "<Deduct|Take off> {early_rate} % <if you pay|for payment> within <8|10|7> days.",
                "{early_rate}% <off for|discount on> <prompt|early> payment.",
                "Pay <within a week|early> and keep {early_rate} %.",
            ),
            "de": ("Bei Zahlung innerhalb von <8|10|14> Tagen {early_rate} % Skonto.",),
            "fr": ("Escompte de {early_rate} % pour paiement sous huit jours.",),
            "es": ("{early_rate} % de descuento por pronto pago.",),
        },
        False: {
            "en": (
                "<Strictly net|Net cash>, no discount for early payment.",
                "No <deductions|cash discount>, please.",
                "Payable without deduction.",
            ),
            "de": ("Zahlbar ohne Abzug.", "Kein Skonto."),
            "fr": ("Pas d'escompte pour paiement anticipé.",),
            "es": ("Sin descuento por pronto pago.",),
        },
    },
    "has_attachment": {
        True: {
            "en": (
                "<Please find|You will find> the <timesheet|delivery note|itemised list> attached.",
                "<Encl.|Enclosure>: <signed delivery note|timesheet|photos of the work>",
                "The <PDF|file> is attached<| to this message>.",
                "I have attached the <PDF|scan>.",
            ),
            "de": ("Anlage: <Lieferschein|Stundenzettel>", "Im Anhang finden Sie <den Lieferschein|die Aufstellung>."),
            "fr": ("Pièce jointe : bon de livraison.",),
            "es": ("Se adjunta el albarán.",),
        },
        False: {
            "en": (
                "No <enclosures|attachments>.",
                "Sent without attachments.",
                "<Thank you for your business|We appreciate your custom>.",
            ),
            "de": ("Ohne Anlagen.", "Vielen Dank für Ihren Auftrag."),
            "fr": ("Merci de votre confiance.",),
            "es": ("Gracias por su confianza.",),
        },
    },
    "partial_allowed": {
        True: {
            "en": (
                "<You may pay|Payment> in <two|three> parts<| is fine with us|, just tell us>.",
                "<Instalments|Part payments> are possible on request.",
            ),
            "de": ("Ratenzahlung ist auf Wunsch möglich.",),
            "fr": ("Paiement en plusieurs fois possible.",),
            "es": ("Se admite el pago fraccionado.",),
        },
        False: {
            "en": (
                "Part payments <are not accepted|cannot be accepted>.",
                "The full <sum|amount> is due at once; we cannot split it.",
                "No instalments.",
            ),
            "de": ("Teilzahlungen sind nicht möglich.",),
            "fr": ("Le paiement fractionné n'est pas accepté.",),
            "es": ("No se admiten pagos parciales.",),
        },
    },
    "reminder_level": {
        0: {
            "en": (
                "<No hurry|Take your time>, the usual terms apply.",
                "This is for your records<|, in the usual way>.",
            ),
            "de": ("Mit freundlichen Grüßen und Dank für den Auftrag.",),
            "fr": ("Avec nos remerciements.",),
            "es": ("Gracias por su pedido.",),
        },
        1: {
            "en": (
                "<Perhaps it slipped your mind|No doubt an oversight>: our bill is still open. If the money is on "
                "its way, ignore this note.",
                "Just a <gentle|friendly> <nudge|reminder> that this one is still open.",
            ),
            "de": ("Sicher haben Sie es nur übersehen: unsere Rechnung ist noch offen.",),
            "fr": ("Petit rappel amical : notre facture reste ouverte.",),
            "es": ("Le recordamos amablemente que la factura sigue abierta.",),
        },
        2: {
            "en": (
                "<This is our second letter|We have written before> and must now <ask for|insist on> payment "
                "within <seven|ten> days.",
                "Despite our earlier reminder no payment has come in. Please pay <without further delay|now>.",
            ),
            "de": ("Trotz unserer ersten Mahnung ist keine Zahlung eingegangen. Bitte zahlen Sie umgehend.",),
            "fr": ("Malgré notre premier rappel, rien n'a été payé. Réglez sans délai.",),
            "es": ("A pesar de nuestro primer aviso no hemos recibido el pago. Pague sin demora.",),
        },
        3: {
            "en": (
                "<FINAL NOTICE|LAST WARNING>. If the money is not here in <five|seven> days, the <matter goes to "
                "our lawyers|file goes to a collection agency>.",
                "This is the last letter before we <go to court|hand this to debt collectors>.",
            ),
            "de": ("Letzte Mahnung vor Einschaltung eines Inkassobüros.",),
            "fr": ("Dernière mise en demeure avant poursuites.",),
            "es": ("Último aviso antes de acciones legales.",),
        },
    },
}
