"""How receipts look: till rolls, mails, slips, notes, scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.facts import Sheet, Writer
from deg_core.datagen.documents.invoice_parts import mark_money
from deg_core.datagen.documents.receipt_words import LABELS

_SUMS = ("subtotal", "discount", "tax_amount", "tip", "total", "cash_given", "change")


_CODES = (
    "receipt_no",
    "transaction",
    "terminal",
    "register",
    "auth_code",
    "loyalty_no",
    "table_no",
    "branch",
    "cashier",
    "card_last4",
    "points",
    "points_total",
)


_SAID = ("payment_method", "serving", "refund", "contactless", "returns", "copy")


def _places(sheet: Sheet) -> list[int]:
    """The numbers of the goods; none when they have been written in another way, here and now."""
    if sheet.listed():
        return []
    return sorted(int(key.split("/")[1]) for key in sheet.facts if key.startswith("items/") and key.endswith("/name"))


def _written(sheet: Sheet) -> None:
    sheet.stated.update(("shop_kind", "positions"))
    mark_money(sheet)


def _say_all(sheet: Sheet, *, end: str = "\n", skip: Sequence[str] = ()) -> None:
    keys = [key for key in _SAID if key not in sheet.stated and key not in skip]
    sheet.rng.shuffle(keys)
    for key in keys:
        sheet.say(key, end=end)


def _shop_lines(sheet: Sheet) -> list[str]:
    lines = ["{shop_name}"]
    lines += ["{shop_address}"] if sheet.maybe(0.5) else sheet.facts["shop_block"].surface.split("\n")
    for key in ("shop_phone", "shop_vat", "shop_web", "shop_email"):
        if sheet.has(key) and sheet.maybe(0.85):
            lines.append((sheet.label(key) + sheet.rng.choice((" ", ": "))) + f"{{{key}}}")
    return lines


def till_roll(sheet: Sheet) -> None:
    """A narrow strip: shop on top, items with amounts on the right, codes below."""
    width = sheet.rng.choice((32, 36, 40, 42))
    for line in _shop_lines(sheet):
        if sheet.maybe(0.5):
            sheet.raw(" " * sheet.rng.randrange(2, 10))
        sheet.line(line)
    rule = sheet.rng.choice(("-", "=", "*", ".")) * width
    sheet.raw(rule + "\n")
    for key in ("copy", "refund", "serving"):
        if sheet.maybe(0.7):
            sheet.say(key)
    top = [key for key in (*_CODES, "moment", "day") if sheet.has(key) and sheet.maybe(0.5)]
    shapes.pairs(sheet, top)
    for at in _places(sheet):
        mark = sheet.rng.choice((" A", " *", "", "", " B"))
        if sheet.facts[f"items/{at}/quantity"].value != 1 and sheet.maybe(0.6):
            sheet.line(f"{{items/{at}/name}}")
            sheet.cell(f"  {{items/{at}/quantity}} x {{items/{at}/price:bare}}", width - 9)
        elif sheet.maybe(0.5):
            sheet.cell(f"{{items/{at}/quantity}} {{items/{at}/name}}", width - 9)
        else:
            sheet.cell(f"{{items/{at}/name}}", width - 9)
        sheet.cell(f"{{items/{at}/amount:bare}}", 9, right=True)
        sheet.raw(mark + "\n")
    sheet.raw(rule + "\n")
    for key in shapes.present(sheet, _SUMS):
        rate = " {tax_rate}" if key == "tax_amount" and sheet.has("tax_rate") else ""
        sheet.cell(sheet.label(key) + rate, width - 11)
        sheet.cell(f"{{{key}}}", 11, right=True)
        sheet.line()
    _written(sheet)
    if sheet.maybe(0.6):
        sheet.raw(rule + "\n")
    _say_all(sheet)
    shapes.pairs(sheet, [key for key in (*_CODES, "moment", "day", "return_by", "return_days") if key not in top])
    sheet.line(
        sheet.rng.choice(
            (
                "<THANK YOU|Thank you for shopping with us|Please come again|Have a nice day>",
                "",
                "<Keep this slip|Please retain for your records>",
            )
        )
        if sheet.lang == "en"
        else {"de": "Vielen Dank für Ihren Einkauf", "fr": "Merci de votre visite", "es": "Gracias por su visita"}[
            sheet.lang
        ]
    )


def mail_receipt(sheet: Sheet) -> None:
    """A receipt that came by e-mail, partly in sentences."""
    sheet.any(
        "Subject: <Your receipt|Receipt> from {shop_name}<| (#{receipt_no})>\n",
        "From: {shop_email}\nSubject: your purchase\n",
        "",
    )
    sheet.blank()
    sheet.any(
        "<Thanks for shopping at|Thank you for your purchase at|You paid> {shop_name}<|, {shop_city}>. ",
        "<Here is your receipt|Your digital receipt> from {shop_name}. ",
    )
    sheet.any("<You were with us|The purchase was made> on {moment}. ", "<Bought|Purchased> on {day}. ")
    sheet.blank()
    for at in _places(sheet):
        sheet.line(f"<- |• >{{items/{at}/quantity}} x {{items/{at}/name}}: {{items/{at}/amount}}")
    sheet.blank()
    shapes.pairs(sheet, _SUMS, shuffle=False)
    _written(sheet)
    sheet.blank()
    _say_all(sheet, end=" ")
    sheet.any("<The card ends in|Card ending> {card_last4}<|, approval {auth_code}>. ", "")
    sheet.any("You <earned|got> {points} points<|, which makes {points_total}>. ", "")
    sheet.any(
        "<Bring things back by|Returns are possible until> {return_by}. ",
        "You have {return_days} days <to return goods|for returns>. ",
        "",
    )
    sheet.blank()
    shapes.pairs(sheet, ("receipt_no", "transaction", "branch", "loyalty_no", "cashier"))
    sheet.any("{shop_name} · {shop_address}<| · {shop_phone}><| · VAT {shop_vat}>\n", "Questions? {shop_email}\n", "")


def expense_note(sheet: Sheet) -> None:
    """Somebody reports a purchase for their expenses."""
    sheet.any("<Expense claim|For my expenses>: ", "<Hi|Hello>, <receipt from today's trip|here is what I paid>. ", "")
    sheet.any(
        "<Bought|I bought|I paid for> {items/0/name}<| and {items/1/name}> at {shop_name} in {shop_city}<| on "
        "{day}>, {total} in all. ",
        "{shop_name}<|, {shop_address}>, {day}: {total}. ",
        "On {moment} I <spent|paid> {total} at {shop_name}. ",
        "{total} at {shop_name}, {shop_city}. ",
    )
    sheet.any(
        "<That includes|Included is> {tax_amount} <tax|VAT><| ({tax_rate})>. ",
        "<Tax|VAT> {tax_amount}, net {subtotal}. ",
        "",
    )
    sheet.any("<I left|Plus> a tip of {tip}<|, already in the sum>. ", "")
    sheet.any("I <gave|handed over> {cash_given} and got {change} back. ", "")
    sheet.any("A <coupon|voucher> took off {discount}. ", "")
    _say_all(sheet, end=" ", skip=("contactless", "copy"))
    sheet.any("Receipt <no.|number> {receipt_no}<|, till {register}>. ", "<Slip|Ref> {transaction}. ", "")
    sheet.any("{cashier} served <me|us>. ", "")
    sheet.any("<Card used ends in|The card was the one ending in> {card_last4}. ", "")
    sheet.stated.add("shop_kind") if "items/0/name" in {piece.text for piece in sheet.pieces} else None
    mark_money(sheet)


def label_list(sheet: Sheet) -> None:
    """A digital receipt as labels and values."""
    sheet.line("<RECEIPT|Sales receipt|Digital receipt|Till receipt>")
    shapes.pairs(
        sheet,
        ("shop_name", "shop_address", "shop_phone", "shop_vat", "shop_web", "shop_email", "moment", "day", *_CODES),
    )
    sheet.blank()
    for at in _places(sheet):
        sheet.line(f"{{items/{at}/quantity}} x {{items/{at}/name}} @ {{items/{at}/price}} {{items/{at}/amount}}")
    sheet.blank()
    shapes.pairs(sheet, _SUMS, shuffle=False)
    _written(sheet)
    _say_all(sheet)
    shapes.pairs(sheet, ("return_by", "return_days"))


def card_slip(sheet: Sheet) -> None:
    """The slip of a card terminal beside the till's list."""
    sheet.line("{shop_name}")
    sheet.any("{shop_city}\n", "{shop_address}\n")
    shapes.inline(sheet, ("terminal", "transaction", "receipt_no"))
    sheet.say("refund")
    sheet.say("payment_method")
    sheet.say("contactless")
    shapes.padded(sheet, ("card_last4", "auth_code", "moment", "day"))
    sheet.line("<AMOUNT|TOTAL> {total}")
    sheet.any("<incl. tip|TIP> {tip}\n", "")
    mark_money(sheet)
    _say_all(sheet)
    shapes.pairs(sheet, ("cash_given", "change", "register", "cashier", "branch", "points", "loyalty_no"))
    sheet.any("VAT {shop_vat} <Tel|T> {shop_phone}\n", "{shop_web}\n", "")


def markdown(sheet: Sheet) -> None:
    """Markdown, as an expenses tool exports it."""
    sheet.line("## {shop_name}")
    sheet.any("_{shop_address}_\n", "_{shop_city}_\n")
    shapes.bullets(sheet, ("moment", "day", *_CODES))
    sheet.blank()
    goods = _places(sheet)
    if goods:
        sheet.raw("| item | qty | amount |\n|---|---|---|\n")
    for at in goods:
        sheet.line(f"\u007c {{items/{at}/name}} \u007c {{items/{at}/quantity}} \u007c {{items/{at}/amount}} \u007c")
    sheet.blank()
    shapes.bullets(sheet, _SUMS)
    _written(sheet)
    _say_all(sheet)
    shapes.bullets(sheet, ("shop_vat", "shop_phone", "shop_email", "return_by", "return_days"))


def chat_message(sheet: Sheet) -> None:
    """A short message about a purchase, lower case and hasty."""
    sheet.any(
        "just <got|bought> {items/0/quantity} {items/0/name}<| and {items/1/quantity} {items/1/name}> at "
        "{shop_name}, {total} ",
        "{shop_name} {total}<|, {moment}> ",
        "paid {total} at {shop_name} ",
    )
    sheet.any(
        "<gave|handed them> {cash_given}, {change} back ",
        "<saved|coupon> {discount} ",
        "tip {tip} <included|on top> ",
        "",
    )
    sheet.any("({day}) ", "({moment}) ", "")
    sheet.say("payment_method", end=" ")
    sheet.say("serving", end=" ")
    sheet.any("rcpt {receipt_no} ", "<trx|transaction> {transaction} ", "")
    sheet.any("<got|+> {points} points<|, {points_total} now> ", "")
    sheet.say("returns", end=" ")
    mark_money(sheet)


def data(sheet: Sheet) -> None:
    """JSON, YAML, XML or CSV from a till."""
    keys = [key for key in LABELS if sheet.has(key)]
    sheet.rng.shuffle(keys)
    tags: dict[str, str] = {}
    for key in keys:
        tags.setdefault(shapes.tag(sheet.label(key)), key)
    sheet.rng.choice(shapes.DATA)(sheet, list(tags.values()))
    for at in _places(sheet):
        sheet.line(f"item: {{items/{at}/name}}; {{items/{at}/quantity}}; {{items/{at}/amount:bare}}")
    _written(sheet)
    sheet.raw("note: ")
    _say_all(sheet, end=" ")


def table_row(sheet: Sheet) -> None:
    """A purchase as one line of a table, under a line of labels."""
    shapes.table_row(sheet)
    mark_money(sheet)
    if sheet.maybe(0.5):
        _say_all(sheet, end=" ")


def scan(sheet: Sheet) -> None:
    """A scan that lost its columns: words run together in lines, amounts at the end."""
    for line in _shop_lines(sheet):
        sheet.put(line)
        sheet.raw(sheet.rng.choice(("\n", "  ", " ")))
    sheet.line()
    _say_all(sheet, end="  ", skip=("returns",))
    sheet.line()
    for at in _places(sheet):
        sheet.put(f"{{items/{at}/name}} ")
        if sheet.maybe(0.4):
            sheet.put(f"{{items/{at}/quantity}} @ {{items/{at}/price:bare}} ")
        sheet.put(f"{{items/{at}/amount:bare}}")
        sheet.raw(sheet.rng.choice(("\n", "   ", "\n")))
    sheet.line()
    shapes.inline(sheet, _SUMS)
    shapes.inline(sheet, [key for key in ("moment", "day", *_CODES) if sheet.maybe(0.8)])
    sheet.say("returns")
    _written(sheet)


def table_bill(sheet: Sheet) -> None:
    """Held out: a bill laid on the table, with words between the amounts."""
    sheet.line("~ {shop_name} ~")
    sheet.any("<Table|Seat> {table_no}<|, served by {cashier}>\n", "<Your host|Looking after you>: {cashier}\n", "")
    sheet.any("{moment}\n", "{day}\n")
    for at in _places(sheet):
        sheet.line(f"{{items/{at}/quantity}} {{items/{at}/name}} ..... {{items/{at}/amount:bare}}")
    sheet.any(
        "<makes|that is> {subtotal}, then {tax_amount} <tax|VAT>\n", "<tax inside|of which tax> {tax_amount}\n", ""
    )
    sheet.any("<minus|less> {discount} <as promised|for the flyer>\n", "")
    sheet.any("<thank you for|incl.> {tip} <for the crew|for the staff>\n", "")
    sheet.line("<and so to pay|please pay|your bill>: {total}")
    sheet.any("(you gave {cash_given}, we gave back {change})\n", "")
    _say_all(sheet)
    sheet.any("bill {receipt_no}<|, till {register}>\n", "")
    sheet.any("{shop_address}\n", "{shop_city}, {shop_phone}\n", "")
    _written(sheet)


def bank_alert(sheet: Sheet) -> None:
    """Held out: the bank's message about the purchase."""
    sheet.any(
        "<Your card ending|Card> {card_last4} was <used|charged>: {total} at {shop_name}<|, {shop_city}><| on "
        "{moment}>. ",
        "<Payment|Purchase> of {total} at {shop_name}<|, {shop_city}> on {day}. ",
        "{total} spent at {shop_name}<|, {shop_address}>. ",
    )
    sheet.any("<Time|When>: {moment}. ", "<Booked|When>: {day}. ")
    sheet.any("<Approval|Auth.> {auth_code}. ", "")
    sheet.any(
        "<Terminal|Device> {terminal}, <reference|trace> {transaction}. ", "<Reference|Trace> {transaction}. ", ""
    )
    _say_all(sheet, end=" ", skip=("serving", "returns", "copy"))
    sheet.any("<You collected|That brings> {points} points, <balance|now> {points_total}. ", "")
    sheet.any("<Not you? Ring|Question it on> {shop_phone}. ", "")
    mark_money(sheet)


LAYOUTS: Mapping[str, Writer] = {
    "till_roll": till_roll,
    "mail_receipt": mail_receipt,
    "expense_note": expense_note,
    "label_list": label_list,
    "card_slip": card_slip,
    "markdown": markdown,
    "chat_message": chat_message,
    "data": data,
    "table_row": table_row,
    "scan": scan,
    "table_bill": table_bill,
    "bank_alert": bank_alert,
}
