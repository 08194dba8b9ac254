"""Invoices in sentences: mails, letters, text messages, notes."""

from __future__ import annotations

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.invoice_parts import head, item_places, item_table, mark_money, party_block, statements
from deg_core.datagen.documents.phrases import closing, footer, greeting


def prose_mail(sheet: Sheet) -> None:
    """An e-mail that carries the whole invoice in sentences."""
    sheet.any(
        "Subject: <Invoice|Your invoice|Bill> {invoice_no}<| from {seller_name}>\n",
        "From: {seller_name} ({seller_email})\nSubject: invoice {invoice_no}\n",
        "From: {seller_email}\nTo: {buyer_email}\nSubject: your order {order_no}\n",
        "",
    )
    sheet.blank()
    greeting(sheet, "buyer_contact" if sheet.has("buyer_contact") else "buyer_name")
    word = {
        "credit": "credit note",
        "proforma": "pro forma invoice",
        "reminder": "reminder about invoice",
        "deposit": "deposit invoice",
        "invoice": "invoice",
    }[sheet.decisions["doc_type"]]
    sheet.any(
        f"<please find below|here is> our {word} {{invoice_no}} of {{issue_date}}. ",
        f"<this is|herewith> our {word} {{invoice_no}}, <dated|issued on> {{issue_date}}. ",
        f"on {{issue_date}} we <issued|made out> {word} no. {{invoice_no}} to you. ",
    )
    sheet.stated.add("doc_type")
    sheet.any(
        "It <covers|is for> your order {order_no} <of|placed on> {order_date}. ",
        "It belongs to <your order|purchase order> {order_no}. ",
        "You ordered on {order_date}. ",
        "",
    )
    _goods_sentence(sheet)
    _amount_sentences(sheet)
    _day_sentences(sheet)
    statements(sheet, end=" ")
    sheet.blank()
    _pay_to(sheet)
    sheet.any("Your customer number <with us |>is {customer_no}<, please quote it|>. ", "")
    sheet.any(
        "Questions? <Write to|Mail> {seller_email} or <call|ring> {seller_phone}. ",
        "<You can reach us at|Our number is> {seller_phone}. ",
        "",
    )
    sheet.blank()
    closing(sheet, "seller_contact", "seller_name")
    sheet.any("{seller_address}\n", "{seller_block}\n", "")
    sheet.any("VAT <no.|ID> {seller_vat}\n", "")
    footer(sheet)


def _goods_sentence(sheet: Sheet) -> None:
    if sheet.lister is not None:
        sheet.blank()
    items = item_places(sheet)
    if not items:
        sheet.blank()
        sheet.stated.add("goods_kind")
        mark_money(sheet)
        return
    sheet.put("<We have supplied|You bought|It is for|The goods were|Charged are> ")
    for number, at in enumerate(items):
        if number:
            sheet.raw(" and " if number == len(items) - 1 else ", ")
        sheet.put(
            f"{{items/{at}/quantity}} x {{items/{at}/name}}"
            + sheet.rng.choice(
                ("", f" at {{items/{at}/price}}", f" ({{items/{at}/price}} each)", f" for {{items/{at}/amount}}")
            )
        )
    sheet.raw(". ")
    sheet.stated.add("goods_kind")
    mark_money(sheet)


def _amount_sentences(sheet: Sheet) -> None:
    sheet.any(
        "The net <sum|amount> is {subtotal}, <plus|to which we add> {tax_amount} <VAT|tax><| ({tax_rate})>, <so|that "
        "makes> {total} in all. ",
        "<Altogether|In total|All in all> that <comes to|makes> {total}<|, tax of {tax_amount} included>. ",
        "The <total|sum> <comes to|is> {total}<|, of which {tax_amount} is <VAT|tax>>. ",
    )
    sheet.any("<Delivery|Shipping> was {shipping}. ", "{shipping} of <it|this> is <freight|carriage>. ", "")
    sheet.any("<A|Your> discount of {discount} <has been|is already> taken off. ", "")
    if sheet.has("paid", "due"):
        sheet.any(
            "<You have paid|We have received> {paid} <already|so far><| (on {paid_date})>, <so|which leaves> {due} "
            "<is still open|to be paid>. ",
            "{paid} came in<| on {paid_date}>, {due} <remains|is outstanding>. ",
        )
    else:
        sheet.any("We have received {paid}<| on {paid_date}>. ", "")
        sheet.any("The <amount|balance> to pay is {due}. ", "")
    sheet.any("<VAT|Tax> is charged at {tax_rate}. ", "", "")
    mark_money(sheet)


def _day_sentences(sheet: Sheet) -> None:
    sentences = [
        (
            "<Please pay by|Payment is due on|It falls due on|Kindly settle it before> {due_date}. ",
            "<Due|Payable> {due_date}. ",
        ),
        (
            "<The goods left us|We delivered|Everything was delivered> on {delivery_date}<| (delivery note "
            "{delivery_no})>. ",
        ),
        ("The bill <covers|is for> the <time|period> from {period_start} to {period_end}. ",),
        ("Our terms are {terms_days} days<| net>. ", "You have {terms_days} days to pay. "),
        ("<Interest of|After that we charge> {late_rate} % <is charged on late payments|a year>. ",),
        ("It <concerns|is booked under> {project}. ",),
    ]
    sheet.rng.shuffle(sentences)
    for options in sentences:
        sheet.any(*options)


def _pay_to(sheet: Sheet) -> None:
    sheet.any(
        "<Our account|Account>: {iban}<| ({bank})><|, BIC {bic}>. ",
        "<Please send the money to|Pay to> {iban}<| at {bank}><|, BIC {bic}>. ",
        "",
    )
    sheet.any("<Please quote|Reference>: {payment_ref}. ", "")


def sms(sheet: Sheet) -> None:
    """A text message of two or three lines."""
    sheet.any(
        "{seller_name}: <invoice|inv> {invoice_no}<| dated {issue_date}>, {total}. ",
        "<Hi|Hello>, <bill|inv> {invoice_no} <is ready|attached to your account>: {total}. ",
        "Inv {invoice_no} / {total} / {seller_name}. ",
    )
    sheet.any("<Due|Pay by> {due_date}. ", "")
    sheet.any("<Got|Rec'd> {paid}, <left|open>: {due}. ", "<Open|Due>: {due}. ", "")
    sheet.any("<Ref|Cust no> {customer_no}. ", "<Order|PO> {order_no}. ", "")
    statements(sheet, end=" ", skip=("reverse_charge", "vat_included"))
    sheet.any("IBAN {iban} ", "")
    sheet.any("<?|Qs> {seller_phone}", "<Help|Info>: {seller_email}", "{seller_web}", "")
    mark_money(sheet)


def german_letter(sheet: Sheet) -> None:
    """A business letter in German sentences."""
    for line in party_block(sheet, "seller"):
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
    sheet.any(
        "<Die Nettosumme beträgt|Netto sind das> {subtotal}, <zuzüglich|dazu kommen> {tax_amount} Umsatzsteuer<| "
        "({tax_rate})>, <insgesamt|zusammen> {total}. ",
        "<Der Gesamtbetrag beläuft sich auf|Insgesamt ergibt das> {total}<|, darin {tax_amount} Umsatzsteuer>. ",
    )
    sheet.any("Für den Versand <berechnen wir|fallen an> {shipping}. ", "")
    sheet.any(
        "<Ihre Anzahlung von|Bereits gezahlt haben Sie> {paid}<| (am {paid_date})>, <offen bleiben|es verbleiben> "
        "{due}. ",
        "<Zu zahlen sind|Offen sind> {due}. ",
        "",
    )
    sheet.any(
        "<Bitte zahlen Sie bis zum|Der Betrag ist fällig am|Zahlbar bis> {due_date}. ",
        "Zahlungsziel: {terms_days} Tage. ",
        "",
    )
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


def quoted_reply(sheet: Sheet) -> None:
    """The customer asks about an invoice; the supplier's mail is quoted below."""
    sheet.any(
        "From: {buyer_email}\nTo: {seller_email}\nSubject: Re: invoice {invoice_no}\n\n",
        "Re: <your bill|invoice> {invoice_no}\n\n",
        "",
    )
    greeting(sheet, "seller_contact" if sheet.has("seller_contact") else "seller_name")
    sheet.put(
        "<thanks for your mail|we have your bill|I have just opened your invoice>. <Could you check the address?|Can "
        "you tell me who ordered this?|Our accounts team will look at it next week.|It looks fine to me.> "
    )
    sheet.any(
        "<We only ordered|Surely we had> {items/0/quantity} x {items/0/name}<, right|, as far as I can see>? ",
        "<Our number is|Please call me on> {buyer_phone}. ",
        "",
    )
    sheet.say("state", end=" ")
    sheet.blank()
    closing(sheet, "buyer_contact", "buyer_name")
    sheet.any("{buyer_name}, {buyer_address}\n", "{buyer_phone}\n", "")
    sheet.blank()
    sheet.any(
        "> {seller_name} wrote:\n",
        "----- Original message -----\nFrom: {seller_name}\n",
        "> -- {seller_name} <{seller_email}> --\n",
    )
    lines = [
        "> <Please find below|Here is> invoice {invoice_no} <of|dated> {issue_date}<| for order {order_no}>.\n",
        "> Total: {total}<|, VAT {tax_amount}>\n",
    ]
    for line in lines:
        sheet.any(line, line.replace("<| for order {order_no}>", ""), line.replace("<|, VAT {tax_amount}>", ""))
    for key in shapes.present(sheet, ("subtotal", "due_date", "paid", "due", "iban", "customer_no", "delivery_date")):
        sheet.line(f"> {sheet.label(key)}: {{{key}}}")
    for at in item_places(sheet):
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
    sheet.any(
        "On {issue_date} we <billed you|sent you a bill> for {total}. ",
        "Our bill {invoice_no}, made out on {issue_date}, <comes to|is for> {total}. ",
    )
    _goods_sentence(sheet)
    _day_sentences(sheet)
    statements(sheet, end=" ")
    if sheet.has("due"):
        sheet.any(
            "<Received to date|Paid so far>: {paid}. <Still open|Left>: {due}. ", "The open <sum|balance> is {due}. "
        )
    sheet.blank()
    _pay_to(sheet)
    sheet.blank()
    closing(sheet, "seller_contact", "seller_name")
    sheet.any("{seller_name} · {seller_address}<| · {seller_phone}><| · {seller_email}>\n")
    mark_money(sheet)


def memo(sheet: Sheet) -> None:
    """A bookkeeper's note about a paper on the desk."""
    sheet.any("<Note to file|For the books|Memo|Posted today>\n", "")
    sheet.any(
        "{seller_name} <has billed|bills> {buyer_name} {total}, <their|document> no. {invoice_no}, <dated|made "
        "out on> {issue_date}. ",
        "<Bill|Invoice> {invoice_no} from {seller_name} to {buyer_name}<|, for {project}>: {total}, dated "
        "{issue_date}. ",
    )
    sheet.any("<Without tax|Net> {subtotal}, tax {tax_amount}. ", "Tax in it: {tax_amount}. ", "")
    sheet.any(
        "<They sit at|Their address>: {seller_address}. ",
        "<Our|The> address on the <paper|bill>: {buyer_address}. ",
        "",
    )
    _day_sentences(sheet)
    _goods_sentence(sheet)
    statements(sheet, end=" ")
    sheet.any("<Our|The> order was {order_no}<| of {order_date}>. ", "We <run|are> there as {customer_no}. ", "")
    if sheet.has("due"):
        sheet.any("{paid} has gone out<| on {paid_date}>, {due} to go. ", "Open: {due}. ")
    sheet.any("<Their|Supplier's> IBAN: {iban}. ", "")
    sheet.any(
        "<Contact there|They can be reached through>: {seller_contact}<|, {seller_phone}><|, {seller_email}>. ", ""
    )
    mark_money(sheet)


def phone_note(sheet: Sheet) -> None:
    """Held out: what somebody took down on the telephone."""
    sheet.any(
        "<Call from|Rang>: {seller_contact} (<works for|of> {seller_name})<|, back on {seller_phone}>\n",
        "Call from {seller_name}<|, number {seller_phone}>\n",
    )
    sheet.any(
        "<about|re> their bill {invoice_no} - <went out|sent> {issue_date}\n",
        "it's about no. {invoice_no} of {issue_date}\n",
    )
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
