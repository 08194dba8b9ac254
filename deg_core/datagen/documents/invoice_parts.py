"""Parts that several layouts of invoices share: heading, goods, sums, party blocks, statements."""

from __future__ import annotations

from collections.abc import Sequence

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.facts import Sheet

META = (
    "invoice_no",
    "issue_date",
    "order_no",
    "customer_no",
    "delivery_no",
    "delivery_date",
    "due_date",
    "order_date",
    "project",
    "seller_contact",
    "period_start",
    "period_end",
    "terms_days",
    "buyer_contact",
    "buyer_vat",
)


SUMS = ("subtotal", "shipping", "discount", "tax_amount", "total", "paid", "due")


BANK = ("bank", "iban", "bic", "payment_ref")


EXTRAS = (
    "seller_email",
    "seller_phone",
    "seller_web",
    "seller_vat",
    "buyer_email",
    "buyer_phone",
    "paid_date",
    "late_rate",
    "tax_rate",
)


_HEADS = {
    "invoice": {
        "en": ("INVOICE", "Invoice", "TAX INVOICE", "Bill", "Invoice / Facture"),
        "de": ("RECHNUNG", "Rechnung"),
        "fr": ("FACTURE", "Facture"),
        "es": ("FACTURA", "Factura"),
    },
    "credit": {
        "en": ("CREDIT NOTE", "Credit note"),
        "de": ("GUTSCHRIFT", "Rechnungskorrektur (Gutschrift)"),
        "fr": ("AVOIR (note de crédit)",),
        "es": ("FACTURA RECTIFICATIVA (abono)",),
    },
    "proforma": {
        "en": ("PRO FORMA INVOICE", "Pro-forma invoice (not a demand for payment)"),
        "de": ("PROFORMA-RECHNUNG",),
        "fr": ("FACTURE PROFORMA",),
        "es": ("FACTURA PROFORMA",),
    },
    "reminder": {
        "en": ("PAYMENT REMINDER", "Reminder", "Statement of unpaid invoice - reminder"),
        "de": ("MAHNUNG", "Zahlungserinnerung"),
        "fr": ("RAPPEL DE PAIEMENT",),
        "es": ("RECORDATORIO DE PAGO",),
    },
    "deposit": {
        "en": ("DEPOSIT INVOICE", "Advance payment invoice"),
        "de": ("ANZAHLUNGSRECHNUNG", "Abschlagsrechnung"),
        "fr": ("FACTURE D'ACOMPTE",),
        "es": ("FACTURA DE ANTICIPO",),
    },
}


_TABLE = {
    "en": (
        ("Description", "Qty", "Price", "Amount"),
        ("Item", "Quantity", "Unit price", "Total"),
        ("Article", "Pcs", "Each", "Line total"),
    ),
    "de": (("Bezeichnung", "Menge", "Einzelpreis", "Betrag"), ("Artikel", "Anz.", "Preis", "Gesamt")),
    "fr": (("Désignation", "Qté", "P.U.", "Montant"),),
    "es": (("Descripción", "Cant.", "Precio", "Importe"),),
}


def head(sheet: Sheet) -> None:
    """The heading that says what the paper is."""
    kind = sheet.decisions["doc_type"]
    sheet.put(sheet.rng.choice(_HEADS[kind].get(sheet.lang, _HEADS[kind]["en"])))
    sheet.stated.add("doc_type")


def item_places(sheet: Sheet) -> list[int]:
    """The numbers of the goods; none when they have been written in another way, here and now."""
    if sheet.listed():
        return []
    return sorted(int(key.split("/")[1]) for key in sheet.facts if key.startswith("items/") and key.endswith("/name"))


def mark_money(sheet: Sheet) -> None:
    """The currency and the category can be asked once amounts and goods are written."""
    money = sheet.way.money
    written = {piece.text for piece in sheet.pieces if piece.kind == "open"}
    if not any(
        sheet.facts[key].before or sheet.facts[key].after for key in written if "." in f"{sheet.facts[key].value}"
    ):
        return
    if money.mark and not (money.mark in ("kr", "Fr.") or money.mark == "$"):
        sheet.decisions["currency"] = money.currency
        sheet.stated.add("currency")
    elif money.mark == "$" and money.currency == "USD":
        sheet.decisions["currency"] = "USD"
        sheet.stated.add("currency")


def item_table(sheet: Sheet) -> None:
    """The goods as padded columns, as lines with separators, or as sentences in a list."""
    rng = sheet.rng
    items = item_places(sheet)
    columns = rng.choice(_TABLE.get(sheet.lang, _TABLE["en"]))
    style = rng.choice(("columns", "columns", "columns", "bars", "times", "numbered"))
    skus = rng.random() < 0.3
    if not items:
        style = "none"
    if style == "columns":
        widths = (max(len(sheet.facts[f"items/{at}/name"].surface) for at in items) + 3, 8, 13, 12)
        if skus:
            sheet.cell("", 0)
        for name, width, right in zip(columns, widths, (False, True, True, True), strict=True):
            sheet.cell(name, width, right=right)
        sheet.line()
        if rng.random() < 0.5:
            sheet.raw("-" * sum(widths) + "\n")
        for at in items:
            sheet.cell(f"{{items/{at}/name}}", widths[0])
            sheet.cell(f"{{items/{at}/quantity}}", widths[1], right=True)
            sheet.cell(f"{{items/{at}/price}}", widths[2], right=True)
            sheet.cell(f"{{items/{at}/amount}}", widths[3], right=True)
            sheet.line()
    elif style == "bars":
        sheet.raw(" | ".join(columns) + "\n")
        for at in items:
            sheet.line(
                f"{{items/{at}/name}} \u007c {{items/{at}/quantity}} \u007c {{items/{at}/price}} \u007c "
                f"{{items/{at}/amount}}"
            )
    elif style == "times":
        for at in items:
            sheet.line(
                f"{{items/{at}/quantity}} x {{items/{at}/name}}{f' ({{items/{at}/sku}})' if skus else ''} à "
                f"{{items/{at}/price}} = {{items/{at}/amount}}"
            )
    elif style == "numbered":
        for number, at in enumerate(items, 1):
            sheet.raw(f"{number}. ")
            sheet.line(
                f"{{items/{at}/name}}{f', art. {{items/{at}/sku}}' if skus else ''}, {{items/{at}/quantity}} pcs at "
                f"{{items/{at}/price}}, {{items/{at}/amount}}"
            )
    sheet.stated.add("goods_kind")
    mark_money(sheet)


def sums(sheet: Sheet) -> None:
    """The amounts at the foot, in their usual order."""
    keys = shapes.present(sheet, SUMS)
    wide = sheet.rng.choice((0, 22, 30, 40))
    for key in keys:
        rate = " ({tax_rate})" if key == "tax_amount" and sheet.has("tax_rate") else ""
        if wide:
            sheet.cell(sheet.label(key) + rate, wide)
            sheet.line(f"{{{key}}}")
        else:
            sheet.line(f"{sheet.label(key)}{rate}: {{{key}}}")
    mark_money(sheet)


def statements(sheet: Sheet, *, end: str = "\n", skip: Sequence[str] = ()) -> None:
    """Everything decided that has not been said yet, in a drawn order."""
    keys = [
        key
        for key in (
            "payment_method",
            "state",
            "vat_included",
            "reverse_charge",
            "early_offer",
            "has_attachment",
            "partial_allowed",
            "reminder_level",
        )
        if key not in sheet.stated and key not in skip
    ]
    sheet.rng.shuffle(keys)
    for key in keys:
        sheet.say(key, end=end)


def party_block(sheet: Sheet, side: str) -> list[str]:
    lines = [f"{{{side}_name}}"]
    if sheet.has(f"{side}_contact") and sheet.rng.random() < 0.6:
        lines.append(sheet.rng.choice(("attn. ", "c/o ", "", "z. Hd. ")) + f"{{{side}_contact}}")
    if sheet.rng.random() < 0.5:
        lines.append(f"{{{side}_address}}")
    else:
        lines.extend(sheet.facts[f"{side}_block"].surface.split("\n"))
    for suffix, marks in (
        ("email", ("", "E-mail: ", "Mail ")),
        ("phone", ("Tel. ", "Phone: ", "T ")),
        ("vat", ("VAT ID ", "Tax no. ", "USt-IdNr. ")),
        ("web", ("", "Web: ")),
    ):
        if sheet.has(f"{side}_{suffix}") and sheet.rng.random() < 0.75:
            lines.append(sheet.rng.choice(marks) + f"{{{side}_{suffix}}}")
    return lines
