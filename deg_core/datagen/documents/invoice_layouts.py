"""How invoices look: letterheads, columns, mails, text messages, data dumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.invoice_words import LABELS
from deg_core.datagen.documents.phrases import closing, footer, greeting

_META = ("invoice_no", "issue_date", "order_no", "customer_no", "delivery_no", "delivery_date", "due_date", "order_date",
         "project", "seller_contact", "period_start", "period_end", "terms_days", "buyer_contact", "buyer_vat")
_SUMS = ("subtotal", "shipping", "discount", "tax_amount", "total", "paid", "due")
_BANK = ("bank", "iban", "bic", "payment_ref")
_EXTRAS = ("seller_email", "seller_phone", "seller_web", "seller_vat", "buyer_email", "buyer_phone", "paid_date", "late_rate", "tax_rate")
_HEADS = {
    "invoice": {"en": ("INVOICE", "Invoice", "TAX INVOICE", "Bill", "Invoice / Facture"), "de": ("RECHNUNG", "Rechnung"), "fr": ("FACTURE", "Facture"), "es": ("FACTURA", "Factura")},
    "credit": {"en": ("CREDIT NOTE", "Credit note"), "de": ("GUTSCHRIFT", "Rechnungskorrektur (Gutschrift)"), "fr": ("AVOIR (note de crédit)",), "es": ("FACTURA RECTIFICATIVA (abono)",)},
    "proforma": {"en": ("PRO FORMA INVOICE", "Pro-forma invoice (not a demand for payment)"), "de": ("PROFORMA-RECHNUNG",), "fr": ("FACTURE PROFORMA",), "es": ("FACTURA PROFORMA",)},
    "reminder": {"en": ("PAYMENT REMINDER", "Reminder", "Statement of unpaid invoice - reminder"), "de": ("MAHNUNG", "Zahlungserinnerung"), "fr": ("RAPPEL DE PAIEMENT",), "es": ("RECORDATORIO DE PAGO",)},
    "deposit": {"en": ("DEPOSIT INVOICE", "Advance payment invoice"), "de": ("ANZAHLUNGSRECHNUNG", "Abschlagsrechnung"), "fr": ("FACTURE D'ACOMPTE",), "es": ("FACTURA DE ANTICIPO",)},
}
_TABLE = {
    "en": (("Description", "Qty", "Price", "Amount"), ("Item", "Quantity", "Unit price", "Total"), ("Article", "Pcs", "Each", "Line total")),
    "de": (("Bezeichnung", "Menge", "Einzelpreis", "Betrag"), ("Artikel", "Anz.", "Preis", "Gesamt")),
    "fr": (("Désignation", "Qté", "P.U.", "Montant"),),
    "es": (("Descripción", "Cant.", "Precio", "Importe"),),
}


def head(sheet: Sheet) -> None:
    """The heading that says what the paper is."""
    kind = sheet.decisions["doc_type"]
    sheet.put(sheet.rng.choice(_HEADS[kind].get(sheet.lang, _HEADS[kind]["en"])))
    sheet.stated.add("doc_type")


def _items(sheet: Sheet) -> list[int]:
    return sorted(int(key.split("/")[1]) for key in sheet.facts if key.startswith("items/") and key.endswith("/name"))


def mark_money(sheet: Sheet) -> None:
    """The currency and the category can be asked once amounts and goods are written."""
    money = sheet.way.money
    written = {piece.text for piece in sheet.pieces if piece.kind == "open"}
    if not any(sheet.facts[key].before or sheet.facts[key].after for key in written if "." in f"{sheet.facts[key].value}"):
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
    items = _items(sheet)
    columns = rng.choice(_TABLE.get(sheet.lang, _TABLE["en"]))
    style = rng.choice(("columns", "columns", "columns", "bars", "times", "numbered"))
    skus = rng.random() < 0.3
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
            sheet.line(f"{{items/{at}/name}} \u007c {{items/{at}/quantity}} \u007c {{items/{at}/price}} \u007c {{items/{at}/amount}}")
    elif style == "times":
        for at in items:
            sheet.line(f"{{items/{at}/quantity}} x {{items/{at}/name}}{f' ({{items/{at}/sku}})' if skus else ''} à {{items/{at}/price}} = {{items/{at}/amount}}")
    else:
        for number, at in enumerate(items, 1):
            sheet.raw(f"{number}. ")
            sheet.line(f"{{items/{at}/name}}{f', art. {{items/{at}/sku}}' if skus else ''}, {{items/{at}/quantity}} pcs at {{items/{at}/price}}, {{items/{at}/amount}}")
    sheet.stated.add("goods_kind")
    mark_money(sheet)


def sums(sheet: Sheet) -> None:
    """The amounts at the foot, in their usual order."""
    keys = shapes.present(sheet, _SUMS)
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
    keys = [key for key in ("payment_method", "state", "vat_included", "reverse_charge", "early_offer", "has_attachment",
                            "partial_allowed", "reminder_level") if key not in sheet.stated and key not in skip]
    sheet.rng.shuffle(keys)
    for key in keys:
        sheet.say(key, end=end)


def _block(sheet: Sheet, side: str) -> list[str]:
    lines = [f"{{{side}_name}}"]
    if sheet.has(f"{side}_contact") and sheet.rng.random() < 0.6:
        lines.append(sheet.rng.choice(("attn. ", "c/o ", "", "z. Hd. ")) + f"{{{side}_contact}}")
    if sheet.rng.random() < 0.5:
        lines.append(f"{{{side}_address}}")
    else:
        lines.extend(sheet.facts[f"{side}_block"].surface.split("\n"))
    for suffix, marks in (("email", ("", "E-mail: ", "Mail ")), ("phone", ("Tel. ", "Phone: ", "T ")), ("vat", ("VAT ID ", "Tax no. ", "USt-IdNr. ")), ("web", ("", "Web: "))):
        if sheet.has(f"{side}_{suffix}") and sheet.rng.random() < 0.75:
            lines.append(sheet.rng.choice(marks) + f"{{{side}_{suffix}}}")
    return lines


def letterhead(sheet: Sheet) -> None:
    """Seller on top, customer block, details, table, sums, notes, bank details."""
    for line in _block(sheet, "seller"):
        sheet.line(line)
    sheet.blank()
    if sheet.rng.random() < 0.7:
        sheet.line({"en": "<Bill to|Billed to|To|Customer|Sold to>:", "de": "<An|Kunde|Rechnung an>:", "fr": "Client :", "es": "Cliente:"}[sheet.lang])
    for line in _block(sheet, "buyer"):
        sheet.line(line)
    sheet.blank()
    head(sheet)
    if sheet.rng.random() < 0.4 and sheet.has("invoice_no"):
        sheet.line(" {invoice_no}")
        shapes.pairs(sheet, [key for key in _META if key != "invoice_no"])
    else:
        sheet.line()
        shapes.pairs(sheet, _META)
    sheet.blank()
    item_table(sheet)
    sheet.blank()
    sums(sheet)
    sheet.blank()
    statements(sheet)
    shapes.pairs(sheet, (*_BANK, "late_rate"), shuffle=False)
    footer(sheet)


def columns_scan(sheet: Sheet) -> None:
    """Two blocks side by side, then the rest in columns, as a scanner reads a page."""
    head(sheet)
    sheet.line()
    if sheet.rng.random() < 0.5:
        sheet.raw("=" * 60 + "\n")
    left, right = _block(sheet, "seller"), _block(sheet, "buyer")
    left.insert(0, sheet.rng.choice(("FROM", "SELLER", "SUPPLIER")))
    right.insert(0, sheet.rng.choice(("BILL TO", "CUSTOMER", "SOLD TO")))
    if sheet.rng.random() < 0.3:
        left, right = right, left
    shapes.two_columns(sheet, left, right)
    sheet.blank()
    keys = shapes.present(sheet, _META)
    sheet.rng.shuffle(keys)
    shapes.two_columns(sheet, [f"{sheet.label(key)}: {{{key}}}" for key in keys[::2]], [f"{sheet.label(key)}: {{{key}}}" for key in keys[1::2]])
    sheet.blank()
    item_table(sheet)
    sheet.blank()
    sums(sheet)
    sheet.blank()
    statements(sheet)
    shapes.inline(sheet, _BANK)
    footer(sheet)


def prose_mail(sheet: Sheet) -> None:
    """An e-mail that carries the whole invoice in sentences."""
    sheet.any("Subject: <Invoice|Your invoice|Bill> {invoice_no}<| from {seller_name}>\n", "From: {seller_name} ({seller_email})\nSubject: invoice {invoice_no}\n",
              "From: {seller_email}\nTo: {buyer_email}\nSubject: your order {order_no}\n", "")
    sheet.blank()
    greeting(sheet, "buyer_contact" if sheet.has("buyer_contact") else "buyer_name")
    word = {"credit": "credit note", "proforma": "pro forma invoice", "reminder": "reminder about invoice", "deposit": "deposit invoice", "invoice": "invoice"}[sheet.decisions["doc_type"]]
    sheet.any(f"<please find below|here is> our {word} {{invoice_no}} of {{issue_date}}. ", f"<this is|herewith> our {word} {{invoice_no}}, <dated|issued on> {{issue_date}}. ",
              f"on {{issue_date}} we <issued|made out> {word} no. {{invoice_no}} to you. ")
    sheet.stated.add("doc_type")
    sheet.any("It <covers|is for> your order {order_no} <of|placed on> {order_date}. ", "It belongs to <your order|purchase order> {order_no}. ", "You ordered on {order_date}. ", "")
    _goods_sentence(sheet)
    _amount_sentences(sheet)
    _day_sentences(sheet)
    statements(sheet, end=" ")
    sheet.blank()
    _pay_to(sheet)
    sheet.any("Your customer number <with us |>is {customer_no}<, please quote it|>. ", "")
    sheet.any("Questions? <Write to|Mail> {seller_email} or <call|ring> {seller_phone}. ", "<You can reach us at|Our number is> {seller_phone}. ", "")
    sheet.blank()
    closing(sheet, "seller_contact", "seller_name")
    sheet.any("{seller_address}\n", "{seller_block}\n", "")
    sheet.any("VAT <no.|ID> {seller_vat}\n", "")
    footer(sheet)


def _goods_sentence(sheet: Sheet) -> None:
    items = _items(sheet)
    sheet.put("<We have supplied|You bought|It is for|The goods were|Charged are> ")
    for number, at in enumerate(items):
        if number:
            sheet.raw(" and " if number == len(items) - 1 else ", ")
        sheet.put(f"{{items/{at}/quantity}} x {{items/{at}/name}}" + sheet.rng.choice(("", f" at {{items/{at}/price}}", f" ({{items/{at}/price}} each)", f" for {{items/{at}/amount}}")))
    sheet.raw(". ")
    sheet.stated.add("goods_kind")
    mark_money(sheet)


def _amount_sentences(sheet: Sheet) -> None:
    sheet.any("The net <sum|amount> is {subtotal}, <plus|to which we add> {tax_amount} <VAT|tax><| ({tax_rate})>, <so|that makes> {total} in all. ",
              "<Altogether|In total|All in all> that <comes to|makes> {total}<|, tax of {tax_amount} included>. ", "The <total|sum> <comes to|is> {total}<|, of which {tax_amount} is <VAT|tax>>. ")
    sheet.any("<Delivery|Shipping> was {shipping}. ", "{shipping} of <it|this> is <freight|carriage>. ", "")
    sheet.any("<A|Your> discount of {discount} <has been|is already> taken off. ", "")
    if sheet.has("paid", "due"):
        sheet.any("<You have paid|We have received> {paid} <already|so far><| (on {paid_date})>, <so|which leaves> {due} <is still open|to be paid>. ", "{paid} came in<| on {paid_date}>, {due} <remains|is outstanding>. ")
    else:
        sheet.any("We have received {paid}<| on {paid_date}>. ", "")
        sheet.any("The <amount|balance> to pay is {due}. ", "")
    sheet.any("<VAT|Tax> is charged at {tax_rate}. ", "", "")
    mark_money(sheet)


def _day_sentences(sheet: Sheet) -> None:
    sentences = [("<Please pay by|Payment is due on|It falls due on|Kindly settle it before> {due_date}. ", "<Due|Payable> {due_date}. "),
                 ("<The goods left us|We delivered|Everything was delivered> on {delivery_date}<| (delivery note {delivery_no})>. ",),
                 ("The bill <covers|is for> the <time|period> from {period_start} to {period_end}. ",),
                 ("Our terms are {terms_days} days<| net>. ", "You have {terms_days} days to pay. "),
                 ("<Interest of|After that we charge> {late_rate} % <is charged on late payments|a year>. ",),
                 ("It <concerns|is booked under> {project}. ",)]
    sheet.rng.shuffle(sentences)
    for options in sentences:
        sheet.any(*options)


def _pay_to(sheet: Sheet) -> None:
    sheet.any("<Our account|Account>: {iban}<| ({bank})><|, BIC {bic}>. ", "<Please send the money to|Pay to> {iban}<| at {bank}><|, BIC {bic}>. ", "")
    sheet.any("<Please quote|Reference>: {payment_ref}. ", "")


def markdown(sheet: Sheet) -> None:
    """Markdown with headings, a table and bullets."""
    sheet.raw("# ")
    head(sheet)
    sheet.line(" {invoice_no}")
    sheet.blank()
    shapes.table(sheet, [key for key in (*_META, "seller_name", "buyer_name") if key != "invoice_no"])
    sheet.blank()
    sheet.line("## <Items|Positions|What you bought>")
    sheet.raw("| item | qty | price | sum |\n|---|---:|---:|---:|\n")
    for at in _items(sheet):
        sheet.line(f"\u007c {{items/{at}/name}} \u007c {{items/{at}/quantity}} \u007c {{items/{at}/price}} \u007c {{items/{at}/amount}} \u007c")
    sheet.stated.add("goods_kind")
    sheet.blank()
    shapes.bullets(sheet, _SUMS)
    mark_money(sheet)
    sheet.blank()
    sheet.line("## <Notes|Payment|Terms>")
    statements(sheet)
    shapes.bullets(sheet, (*_BANK, *_EXTRAS, "seller_address", "buyer_address"))


def sms(sheet: Sheet) -> None:
    """A text message of two or three lines."""
    sheet.any("{seller_name}: <invoice|inv> {invoice_no}<| dated {issue_date}>, {total}. ", "<Hi|Hello>, <bill|inv> {invoice_no} <is ready|attached to your account>: {total}. ",
              "Inv {invoice_no} / {total} / {seller_name}. ")
    sheet.any("<Due|Pay by> {due_date}. ", "")
    sheet.any("<Got|Rec'd> {paid}, <left|open>: {due}. ", "<Open|Due>: {due}. ", "")
    sheet.any("<Ref|Cust no> {customer_no}. ", "<Order|PO> {order_no}. ", "")
    statements(sheet, end=" ", skip=("reverse_charge", "vat_included"))
    sheet.any("IBAN {iban} ", "")
    sheet.any("<?|Qs> {seller_phone}", "<Help|Info>: {seller_email}", "{seller_web}", "")
    mark_money(sheet)


def german_letter(sheet: Sheet) -> None:
    """A business letter in German sentences."""
    for line in _block(sheet, "seller"):
        sheet.line(line)
    sheet.blank()
    sheet.line("{buyer_name}")
    sheet.line("{buyer_block}")
    sheet.blank()
    sheet.any("{seller_city}, <den |>{issue_date}\n", "{issue_date}\n")
    sheet.blank()
    head(sheet)
    sheet.line(" <Nr. |>{invoice_no}")
    sheet.any("<Ihre Bestellung|Zu Ihrem Auftrag> {order_no}<| vom {order_date}>\n", "Bestellt am {order_date}\n", "")
    sheet.any("Kundennummer<:|> {customer_no}\n", "")
    sheet.blank()
    sheet.any("Sehr geehrte Damen und Herren,\n", "Guten Tag {buyer_contact},\n")
    sheet.blank()
    sheet.put("<für unsere Lieferung|für unsere Leistungen|wir> <erlauben wir uns zu berechnen|berechnen wir Ihnen>:\n")
    item_table(sheet)
    sheet.blank()
    sheet.any("<Die Nettosumme beträgt|Netto sind das> {subtotal}, <zuzüglich|dazu kommen> {tax_amount} Umsatzsteuer<| ({tax_rate})>, <insgesamt|zusammen> {total}. ",
              "<Der Gesamtbetrag beläuft sich auf|Insgesamt ergibt das> {total}<|, darin {tax_amount} Umsatzsteuer>. ")
    sheet.any("Für den Versand <berechnen wir|fallen an> {shipping}. ", "")
    sheet.any("<Ihre Anzahlung von|Bereits gezahlt haben Sie> {paid}<| (am {paid_date})>, <offen bleiben|es verbleiben> {due}. ", "<Zu zahlen sind|Offen sind> {due}. ", "")
    sheet.any("<Bitte zahlen Sie bis zum|Der Betrag ist fällig am|Zahlbar bis> {due_date}. ", "Zahlungsziel: {terms_days} Tage. ", "")
    sheet.any("Die Lieferung <erfolgte|kam> am {delivery_date}<| (Lieferschein {delivery_no})>. ", "")
    sheet.any("Bei Verzug berechnen wir {late_rate} % Zinsen. ", "")
    mark_money(sheet)
    sheet.blank()
    statements(sheet)
    sheet.any("<Bankverbindung|Konto>: {iban}<|, {bank}><|, BIC {bic}>\n", "")
    sheet.any("Verwendungszweck: {payment_ref}\n", "")
    sheet.blank()
    sheet.line("Mit <freundlichen|besten> Grüßen")
    sheet.any("{seller_contact}\n", "{seller_name}\n")


def data(sheet: Sheet) -> None:
    """A data dump: JSON, YAML, XML or CSV, with the statements as a note."""
    keys = [key for key in LABELS if sheet.has(key)]
    sheet.rng.shuffle(keys)
    # labels in a dump are identifiers, so two facts must not share one
    seen: set[str] = set()
    unique = [key for key in keys if (name := shapes.tag(sheet.label(key))) not in seen and not seen.add(name)]  # type: ignore[func-returns-value]
    sheet.rng.choice(shapes.DATA)(sheet, unique)
    mark_money(sheet)
    if sheet.rng.random() < 0.5:
        sheet.raw(sheet.rng.choice(("note: ", "# ", "remarks = ", "")))
        statements(sheet, end=" ")


def quoted_reply(sheet: Sheet) -> None:
    """The customer asks about an invoice; the supplier's mail is quoted below."""
    sheet.any("From: {buyer_email}\nTo: {seller_email}\nSubject: Re: invoice {invoice_no}\n\n", "Re: <your bill|invoice> {invoice_no}\n\n", "")
    greeting(sheet, "seller_contact" if sheet.has("seller_contact") else "seller_name")
    sheet.put("<thanks for your mail|we have your bill|I have just opened your invoice>. <Could you check the address?|Can you tell me who ordered this?|Our accounts team will look at it next week.|It looks fine to me.> ")
    sheet.any("<We only ordered|Surely we had> {items/0/quantity} x {items/0/name}<, right|, as far as I can see>? ", "<Our number is|Please call me on> {buyer_phone}. ", "")
    sheet.say("state", end=" ")
    sheet.blank()
    closing(sheet, "buyer_contact", "buyer_name")
    sheet.any("{buyer_name}, {buyer_address}\n", "{buyer_phone}\n", "")
    sheet.blank()
    sheet.any("> {seller_name} wrote:\n", "----- Original message -----\nFrom: {seller_name}\n", "> -- {seller_name} <{seller_email}> --\n")
    lines = ["> <Please find below|Here is> invoice {invoice_no} <of|dated> {issue_date}<| for order {order_no}>.\n", "> Total: {total}<|, VAT {tax_amount}>\n"]
    for line in lines:
        sheet.any(line, line.replace("<| for order {order_no}>", ""), line.replace("<|, VAT {tax_amount}>", ""))
    for key in shapes.present(sheet, ("subtotal", "due_date", "paid", "due", "iban", "customer_no", "delivery_date")):
        sheet.line(f"> {sheet.label(key)}: {{{key}}}")
    for at in _items(sheet):
        sheet.line(f"> {{items/{at}/quantity}} x {{items/{at}/name}} {{items/{at}/amount}}")
    sheet.stated.update(("goods_kind",))
    mark_money(sheet)
    for key in ("payment_method", "vat_included", "early_offer", "partial_allowed"):
        if key in sheet.decisions:
            sheet.raw("> ")
            if not sheet.say(key):
                sheet.raw("\n")
    sheet.any("> {seller_contact}, {seller_name}\n", "> {seller_name}\n> {seller_address}\n")
    sheet.any("> <Tel.|Phone> {seller_phone}\n", "")


def reminder_letter(sheet: Sheet) -> None:
    """A letter about the bill, mostly in sentences, with the parties at the foot."""
    head(sheet)
    sheet.blank()
    sheet.any("<To|For>: {buyer_name}<|, attn. {buyer_contact}>\n", "{buyer_name}\n{buyer_block}\n")
    sheet.any("<Our reference|Concerning>: {invoice_no}<|, customer {customer_no}>\n", "Re: our invoice {invoice_no}\n")
    sheet.blank()
    greeting(sheet, "buyer_contact" if sheet.has("buyer_contact") else "buyer_name")
    sheet.any("On {issue_date} we <billed you|sent you a bill> for {total}. ", "Our bill {invoice_no}, made out on "
                                                                               "{issue_date}, <comes to|is for> {total}. ")
    _goods_sentence(sheet)
    _day_sentences(sheet)
    statements(sheet, end=" ")
    if sheet.has("due"):
        sheet.any("<Received to date|Paid so far>: {paid}. <Still open|Left>: {due}. ", "The open <sum|balance> is "
                                                                                        "{due}. ")
    sheet.blank()
    _pay_to(sheet)
    sheet.blank()
    closing(sheet, "seller_contact", "seller_name")
    sheet.any("{seller_name} · {seller_address}<| · {seller_phone}><| · {seller_email}>\n")
    mark_money(sheet)


def memo(sheet: Sheet) -> None:
    """A bookkeeper's note about a paper on the desk."""
    sheet.any("<Note to file|For the books|Memo|Posted today>\n", "")
    sheet.any("{seller_name} <has billed|bills> {buyer_name} {total}, <their|document> no. {invoice_no}, <dated|made "
              "out on> {issue_date}. ",
              "<Bill|Invoice> {invoice_no} from {seller_name} to {buyer_name}<|, for {project}>: {total}, dated "
              "{issue_date}. ")
    sheet.any("<Without tax|Net> {subtotal}, tax {tax_amount}. ", "Tax in it: {tax_amount}. ", "")
    sheet.any("<They sit at|Their address>: {seller_address}. ", "<Our|The> address on the <paper|bill>: "
                                                                 "{buyer_address}. ", "")
    _day_sentences(sheet)
    _goods_sentence(sheet)
    statements(sheet, end=" ")
    sheet.any("<Our|The> order was {order_no}<| of {order_date}>. ", "We <run|are> there as {customer_no}. ", "")
    if sheet.has("due"):
        sheet.any("{paid} has gone out<| on {paid_date}>, {due} to go. ", "Open: {due}. ")
    sheet.any("<Their|Supplier's> IBAN: {iban}. ", "")
    sheet.any("<Contact there|They can be reached through>: {seller_contact}<|, {seller_phone}><|, {seller_email}>. ", "")
    mark_money(sheet)


def form_boxes(sheet: Sheet) -> None:
    """Held out: a bilingual form of numbered boxes."""
    number = 0
    sheet.raw("[0] ")
    head(sheet)
    sheet.line()
    for key in shapes.present(sheet, ("seller_name", "seller_address", "seller_vat", "buyer_name", "buyer_address", "buyer_vat", *_META, *_SUMS, "tax_rate", *_BANK, *_EXTRAS)):
        if sheet.rng.random() < 0.12 or key in ("buyer_vat",) and number > 8:
            continue
        number += 1
        other = LABELS[key].get(sheet.rng.choice(("de", "fr", "es")), LABELS[key]["en"])
        sheet.raw(f"[{number}] ")
        sheet.line(f"{sheet.label(key)} / {other[0]}")
        sheet.line(f"     {{{key}}}")
    item_table(sheet)
    number += 1
    sheet.raw(f"[{number}] ")
    sheet.line("<Remarks|Remarks / Bemerkungen>")
    statements(sheet)


def phone_note(sheet: Sheet) -> None:
    """Held out: what somebody took down on the telephone."""
    sheet.any("<Call from|Rang>: {seller_contact} (<works for|of> {seller_name})<|, back on {seller_phone}>\n", "Call from {seller_name}<|, number {seller_phone}>\n")
    sheet.any("<about|re> their bill {invoice_no} - <went out|sent> {issue_date}\n", "it's about no. {invoice_no} of "
                                                                                     "{issue_date}\n")
    sheet.any("sum <on it|in question>: {total}<|, {tax_amount} of it tax>\n")
    sheet.any("<made out to|goes to> {buyer_name}<|, {buyer_address}>\n")
    sheet.any("<wants it|they expect the money> by {due_date}\n", "")
    sheet.any("<says|claims> {paid} arrived<| {paid_date}>, so {due} missing\n", "<says|claims> {due} is missing\n", "")
    sheet.any("<we ordered|our order> under {order_no}<| on {order_date}>\n", "")
    sheet.any("they <shipped|delivered> {delivery_date}\n", "")
    sheet.any("it was for {items/0/quantity} {items/0/name}<| and {items/1/quantity} {items/1/name}>\n")
    statements(sheet)
    sheet.any("account to use {iban}\n", "")
    sheet.any("<write back to|mail> {seller_email}\n", "")
    mark_money(sheet)


def export_row(sheet: Sheet) -> None:
    """Held out: one row of an accounting export with a long header."""
    keys = [key for key in ("invoice_no", "issue_date", "due_date", "seller_name", "seller_vat", "buyer_name", "customer_no", "order_no", "subtotal", "tax_rate",
                            "tax_amount", "total", "paid", "due", "iban", "delivery_date", "seller_city", "buyer_city") if sheet.has(key)]
    heads = {key: key.upper().replace("_", "") if sheet.rng.random() < 0.5 else key for key in keys}
    sheet.raw(";".join(heads[key] for key in keys) + "\n")
    for at, key in enumerate(keys):
        sheet.put(f"{{{key}}}")
        sheet.raw(";" if at + 1 < len(keys) else "\n")
    sheet.raw("#memo;")
    statements(sheet, end=" ")
    mark_money(sheet)


Writer = Callable[[Sheet], None]
LAYOUTS: Mapping[str, Writer] = {
    "letterhead": letterhead, "columns_scan": columns_scan, "prose_mail": prose_mail, "markdown": markdown, "sms": sms,
    "german_letter": german_letter, "data": data, "quoted_reply": quoted_reply, "reminder_letter": reminder_letter, "memo": memo,
    "form_boxes": form_boxes, "phone_note": phone_note, "export_row": export_row,
}
HELD_OUT = frozenset(("form_boxes", "phone_note", "export_row"))
LANGS: Mapping[str, Sequence[str]] = {
    "letterhead": ("en", "en", "en", "en", "en", "de", "fr", "es"), "german_letter": ("de",),
    "data": ("en", "en", "en", "en", "de", "fr"), "markdown": ("en", "en", "en", "de"),
}
