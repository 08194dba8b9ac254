"""Labels and statements of receipts, in four languages."""

from __future__ import annotations

from deg_core.datagen.documents.builder import Labels, Statements

LABELS: Labels = {
    "receipt_no": {
        "en": ("Receipt no.", "Receipt #", "Rcpt", "Ticket", "Chk", "Check #", "Bill no."),
        "de": ("Beleg-Nr.", "Bon-Nr.", "Bon"),
        "fr": ("Ticket n°",),
        "es": ("Ticket n.º", "Factura simplificada"),
    },
    "transaction": {
        "en": ("Trans", "Transaction", "TRX", "Trans. ID", "TXN"),
        "de": ("Trans.-Nr.", "TA-Nr."),
        "fr": ("N° transaction",),
        "es": ("Transacción", "Operación"),
    },
    "terminal": {"en": ("Terminal", "TID", "Term."), "de": ("Terminal-ID",), "fr": ("TPE",), "es": ("Terminal",)},
    "register": {
        "en": ("Till", "Register", "Reg", "POS", "Lane"),
        "de": ("Kasse",),
        "fr": ("Caisse",),
        "es": ("Caja",),
    },
    "auth_code": {
        "en": ("Auth", "Auth code", "Approval", "Appr."),
        "de": ("Genehmigungs-Nr.", "AID-Code"),
        "fr": ("Autorisation",),
        "es": ("Autorización",),
    },
    "loyalty_no": {
        "en": ("Member", "Loyalty card", "Club card no.", "Rewards #"),
        "de": ("Kundenkarte",),
        "fr": ("Carte de fidélité",),
        "es": ("Tarjeta cliente",),
    },
    "table_no": {"en": ("Table", "Tbl"), "de": ("Tisch",), "fr": ("Table",), "es": ("Mesa",)},
    "branch": {"en": ("Store", "Branch", "Shop no.", "St#"), "de": ("Filiale",), "fr": ("Magasin",), "es": ("Tienda",)},
    "cashier": {
        "en": ("Cashier", "Served by", "Your server", "Clerk", "Operator"),
        "de": ("Es bediente Sie", "Kassierer/in", "Bediener"),
        "fr": ("Servi par", "Caissier"),
        "es": ("Le atendió", "Cajero"),
    },
    "card_last4": {
        "en": ("Card ending", "Card ****", "Acct ending", "Card no. xxxx xxxx xxxx"),
        "de": ("Karte endet auf", "Karte ****"),
        "fr": ("Carte ****",),
        "es": ("Tarjeta ****",),
    },
    "moment": {
        "en": ("Date/time", "Time", "Sold", "Date"),
        "de": ("Datum/Zeit", "Datum"),
        "fr": ("Date",),
        "es": ("Fecha",),
    },
    "day": {"en": ("Date", "Day", "Purchase date"), "de": ("Datum",), "fr": ("Date",), "es": ("Fecha",)},
    "return_by": {
        "en": ("Return by", "Exchange until", "Returns accepted until"),
        "de": ("Umtausch bis",),
        "fr": ("Échange jusqu'au",),
        "es": ("Devolución hasta",),
    },
    "return_days": {
        "en": ("Return period (days)",),
        "de": ("Umtauschfrist (Tage)",),
        "fr": ("Délai de retour (jours)",),
        "es": ("Plazo de devolución (días)",),
    },
    "total": {
        "en": ("TOTAL", "Total", "Amount", "Total due", "TOTAL TO PAY", "Balance"),
        "de": ("SUMME", "Gesamt", "Zu zahlen", "Total"),
        "fr": ("TOTAL", "Total TTC"),
        "es": ("TOTAL", "Total a pagar"),
    },
    "subtotal": {
        "en": ("Subtotal", "Sub-total", "Net", "SUBTL"),
        "de": ("Zwischensumme", "Netto"),
        "fr": ("Sous-total", "Total HT"),
        "es": ("Subtotal", "Base"),
    },
    "tax_amount": {"en": ("Tax", "VAT", "Sales tax", "GST"), "de": ("MwSt", "USt"), "fr": ("TVA",), "es": ("IVA",)},
    "tax_rate": {"en": ("VAT rate", "Tax rate"), "de": ("MwSt-Satz",), "fr": ("Taux TVA",), "es": ("Tipo IVA",)},
    "discount": {
        "en": ("Discount", "Coupon", "You saved", "Promo", "Multi-buy saving"),
        "de": ("Rabatt", "Sie sparen"),
        "fr": ("Remise",),
        "es": ("Descuento",),
    },
    "tip": {"en": ("Tip", "Gratuity", "Service"), "de": ("Trinkgeld",), "fr": ("Pourboire",), "es": ("Propina",)},
    "cash_given": {
        "en": ("Cash", "Cash tendered", "Tendered", "CASH GIVEN", "Paid"),
        "de": ("Gegeben", "Bar gegeben"),
        "fr": ("Espèces reçues", "Reçu"),
        "es": ("Entregado", "Efectivo"),
    },
    "change": {
        "en": ("Change", "CHANGE DUE", "Change given"),
        "de": ("Rückgeld", "Zurück"),
        "fr": ("Rendu", "Monnaie"),
        "es": ("Cambio",),
    },
    "points": {
        "en": ("Points earned", "Points today", "You earned"),
        "de": ("Punkte heute",),
        "fr": ("Points gagnés",),
        "es": ("Puntos ganados",),
    },
    "points_total": {
        "en": ("Points balance", "Your points", "Points total"),
        "de": ("Punktestand",),
        "fr": ("Solde de points",),
        "es": ("Saldo de puntos",),
    },
    "shop_vat": {
        "en": ("VAT no.", "Tax ID", "VAT Reg", "ABN"),
        "de": ("St.-Nr.", "USt-IdNr."),
        "fr": ("N° TVA", "SIRET"),
        "es": ("NIF", "CIF"),
    },
    "shop_phone": {"en": ("Tel", "Phone", "Ph."), "de": ("Tel.",), "fr": ("Tél.",), "es": ("Tel.",)},
    "shop_web": {"en": ("Web", "Visit", "Online"), "de": ("Web",), "fr": ("Site",), "es": ("Web",)},
    "shop_email": {"en": ("E-mail", "Write to us"), "de": ("E-Mail",), "fr": ("Courriel",), "es": ("Correo",)},
    "shop_name": {
        "en": ("Shop", "Merchant", "Store name", "Vendor"),
        "de": ("Händler", "Geschäft"),
        "fr": ("Commerçant",),
        "es": ("Comercio",),
    },
    "shop_address": {"en": ("Address", "Where"), "de": ("Adresse",), "fr": ("Adresse",), "es": ("Dirección",)},
}


STATEMENTS: Statements = {
    "payment_method": {
        "cash": {
            "en": ("<CASH|Cash|PAID CASH|Payment: cash>",),
            "de": ("<BAR|Bar bezahlt>",),
            "fr": ("Payé en espèces",),
            "es": ("PAGADO EN EFECTIVO",),
        },
        "debit": {
            "en": ("<DEBIT|Debit card|EFT debit>", "Paid by <debit card|bank card>"),
            "de": ("<girocard|EC-Karte>",),
            "fr": ("Carte de débit",),
            "es": ("Tarjeta de débito",),
        },
        "credit": {
            "en": ("<VISA|MASTERCARD|VISA CREDIT|AMEX>", "Paid by <credit card|Mastercard>"),
            "de": ("<VISA|Mastercard> Kreditkarte",),
            "fr": ("Carte de crédit VISA",),
            "es": ("Tarjeta de crédito VISA",),
        },
        "phone": {
            "en": ("<APPLE PAY|GOOGLE PAY>", "Paid with <a phone|Apple Pay|Google Pay>"),
            "de": ("Apple Pay",),
            "fr": ("Apple Pay",),
            "es": ("Google Pay",),
        },
        "gift": {
            "en": ("<GIFT CARD REDEEMED|Voucher>", "Paid with a <gift card|voucher>"),
            "de": ("Gutschein eingelöst",),
            "fr": ("Carte cadeau",),
            "es": ("Tarjeta regalo",),
        },
        "account": {
            "en": ("<CHARGED TO ACCOUNT|On account|House account>",),
            "de": ("Auf Rechnung",),
            "fr": ("Mis en compte",),
            "es": ("A cuenta",),
        },
    },
    "serving": {
        "in": {
            "en": ("<EAT IN|Dine-in|For here>",),
            "de": ("Im Haus",),
            "fr": ("Sur place",),
            "es": ("Para tomar aquí",),
        },
        "out": {
            "en": ("<TAKE AWAY|TO GO|Takeout>",),
            "de": ("Außer Haus",),
            "fr": ("À emporter",),
            "es": ("Para llevar",),
        },
        "delivery": {
            "en": ("<DELIVERY|Delivered to your door|Driver order>",),
            "de": ("Lieferung",),
            "fr": ("Livraison",),
            "es": ("A domicilio",),
        },
    },
    "refund": {
        True: {
            "en": ("<*** REFUND ***|RETURN OF GOODS|Refund: money given back to customer>",),
            "de": ("RETOURE - Auszahlung an Kunden",),
            "fr": ("REMBOURSEMENT",),
            "es": ("DEVOLUCIÓN",),
        },
        False: {"en": ("<SALE|Sale|Purchase>",), "de": ("VERKAUF",), "fr": ("VENTE",), "es": ("VENTA",)},
    },
    "contactless": {
        True: {
            "en": ("<Contactless|CONTACTLESS|Tap>", "<Card tapped|Held to reader>"),
            "de": ("Kontaktlos",),
            "fr": ("Sans contact",),
            "es": ("Sin contacto",),
        },
        False: {
            "en": ("<Chip & PIN|CHIP READ|PIN verified|Card inserted>",),
            "de": ("Chip + PIN",),
            "fr": ("Puce + code",),
            "es": ("Chip y PIN",),
        },
    },
    "returns": {
        True: {
            "en": (
                "<Returns|Exchanges> accepted with <this|the> receipt.",
                "<Changed your mind? Bring it back with this receipt.|You may return unworn goods.>",
            ),
            "de": ("Umtausch nur gegen Vorlage dieses Bons.",),
            "fr": ("Échange possible sur présentation du ticket.",),
            "es": ("Se admiten devoluciones con este ticket.",),
        },
        False: {
            "en": (
                "<ALL SALES FINAL|No returns|No refunds or exchanges>",
                "Sale goods cannot be <returned|exchanged>.",
            ),
            "de": ("Kein Umtausch.",),
            "fr": ("Ni repris ni échangé.",),
            "es": ("No se admiten cambios ni devoluciones.",),
        },
    },
    "copy": {
        True: {
            "en": ("<*** COPY ***|DUPLICATE|Reprint|DUPLICATE RECEIPT>",),
            "de": ("*** KOPIE ***",),
            "fr": ("DUPLICATA",),
            "es": ("COPIA",),
        },
        False: {
            "en": ("<ORIGINAL|Original receipt|CUSTOMER ORIGINAL>",),
            "de": ("ORIGINAL",),
            "fr": ("ORIGINAL",),
            "es": ("ORIGINAL",),
        },
    },
}
