"""How messages to a help desk look: mails, forms, tickets, chats, notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.facts import Sheet, Writer
from deg_core.datagen.documents.phrases import closing, footer, greeting
from deg_core.datagen.documents.support_words import MOODS, PROBLEMS

_SAID = (
    "wish",
    "urgency",
    "satisfaction",
    "angry",
    "attachment",
    "contacted",
    "legal",
    "leaving",
    "callback",
    "solved",
    "warranty",
)


_META = (
    "order_no",
    "ticket_no",
    "customer_no",
    "serial_no",
    "tracking_no",
    "invoice_no",
    "product",
    "plan",
    "order_date",
    "delivery_date",
)


def problem(sheet: Sheet) -> None:
    """One or two sentences about the matter; the first decides the category."""
    templates = PROBLEMS[sheet.decisions["category"]]
    sheet.any(*templates)
    if sheet.maybe(0.4) and sheet.decisions["category"] in ("billing", "delivery", "defect", "howto", "praise"):
        # a second sentence must not contradict the first, so only what adds facts
        sheet.any(
            "I <bought|ordered> it on {order_date}<| for {price}>. ",
            "It came on {delivery_date}. ",
            "I paid {price}. ",
            "The order was {order_no}. ",
            "",
        )
    sheet.stated.add("category")
    if sheet.decisions["category"] == "cancel":
        sheet.decisions["wish"] = "cancel"
        sheet.stated.add("wish")


def mood(sheet: Sheet) -> None:
    """A sentence from which the tone can be heard."""
    sheet.put(sheet.rng.choice(MOODS[sheet.decisions["tone"]]))
    sheet.stated.add("tone")
    if sheet.decisions["tone"] in ("angry", "friendly", "joking"):
        sheet.decisions["angry"] = sheet.decisions["tone"] == "angry"
        sheet.stated.add("angry")


def rest(sheet: Sheet, *, end: str = " ", most: int = 9) -> None:
    """The remaining statements in a drawn order."""
    keys = [key for key in _SAID if key not in sheet.stated and key in sheet.decisions]
    if "wish" in keys and "callback" in keys and sheet.decisions["wish"] == "call":
        keys.remove("callback")
        sheet.stated.add("callback") if sheet.decisions["callback"] else None
    sheet.rng.shuffle(keys)
    for key in keys[:most]:
        sheet.say(key, end=end)


def numbers(sheet: Sheet) -> None:
    """Identifiers in a sentence or two."""
    templates = [
        (
            "<My order number is|The order was|It is order> {order_no}. ",
            "Order: {order_no}. ",
            "<Ordered|I ordered> on {order_date} under {order_no}. ",
        ),
        ("<You gave me|Your> ticket {ticket_no}. ", "<Case|Ticket> no. {ticket_no}. "),
        ("<My customer number is|I am customer> {customer_no}. ", "Account {customer_no}. "),
        ("The serial number <is|on the back reads> {serial_no}. ",),
        ("Your bill was {invoice_no}. ",),
        ("The parcel has number {tracking_no}. ",),
        ("<I would be glad to hear by|Please answer by|I give you until> {deadline}. ",),
        ("I <bought|ordered> it on {order_date}. ",),
        ("It <came|was delivered> on {delivery_date}. ",),
    ]
    sheet.rng.shuffle(templates)
    used: set[str] = set()
    for options in templates[: sheet.rng.randrange(1, 6)]:
        before = len(sheet.pieces)
        if "deadline" in options[0] and sheet.decisions.get("urgency") not in (None, 2, 3):
            continue
        sheet.any(*[option for option in options if not any(key in option for key in used)], "")
        used.update(piece.text for piece in sheet.pieces[before:] if piece.kind == "open")


def plain_mail(sheet: Sheet) -> None:
    """An ordinary e-mail with header lines."""
    sheet.any(
        "From: {sender_name} ({sender_email})\n",
        "From: {sender_email}\n",
        "From: {sender_name}\n",
        "",
    )
    sheet.any("To: {desk_email}\n", "")
    sheet.any("<Date|Sent>: {sent_date}\n", "")
    sheet.any(
        "Subject: <order {order_no}|{product}|ticket {ticket_no}|help|a question|your service>\n",
        "Subject: <please read|my order|hello>\n",
    )
    sheet.blank()
    greeting(sheet, "agent_name" if sheet.has("agent_name") else "desk_name")
    parts: list[Writer] = [problem, mood, numbers]
    sheet.rng.shuffle(parts)
    for part in parts:
        part(sheet)
    rest(sheet)
    sheet.blank()
    _sign(sheet)
    footer(sheet)


def _sign(sheet: Sheet) -> None:
    closing(sheet, "sender_name")
    sheet.any("{sender_company}\n", "", "")
    sheet.any(
        "{sender_address}\n",
        "{sender_city}\n",
        "<Tel.|Mobile|Phone> {sender_phone}\n",
        "{sender_phone} / {sender_email}\n",
        "",
    )


def web_form(sheet: Sheet) -> None:
    """What a contact form sends: labels, then a free message."""
    sheet.line("<New message from the contact form|Contact form submission|--- web form ---|Support request>")
    shapes.pairs(
        sheet,
        (
            "sender_name",
            "sender_email",
            "sender_phone",
            "sender_company",
            "sender_city",
            *_META,
            "sent_date",
            "error_code",
            "quantity" if sheet.decisions["category"] in ("defect",) else "sent_date",
        ),
    )
    sheet.line("<Message|Your message|Text|Comment>:")
    problem(sheet)
    mood(sheet)
    rest(sheet)


def ticket_export(sheet: Sheet) -> None:
    """A ticket as a help desk tool shows it, with the agent's notes."""
    sheet.any("<Ticket|Case> {ticket_no}<| - {product}>\n", "<Ticket|Case> opened {sent_date}\n", "")
    shapes.pairs(
        sheet,
        (
            "agent_name",
            "sender_name",
            "sender_email",
            "sender_phone",
            "desk_email",
            "order_no",
            "customer_no",
            "sent_date",
            "plan",
        ),
    )
    sheet.blank()
    sheet.raw("> ")
    problem(sheet)
    mood(sheet)
    sheet.line()
    sheet.raw("> ")
    numbers(sheet)
    rest(sheet)
    sheet.line()
    sheet.any(
        "[internal] <assigned to|with> {agent_name}\n",
        "[internal] <see macro 12|waiting for stock list|language: English>\n",
        "",
    )


def quoted(sheet: Sheet) -> None:
    """A reply of the customer above the desk's earlier answer."""
    if "contacted" in sheet.decisions or sheet.maybe(0.5):
        sheet.decisions["contacted"] = True
        sheet.stated.add("contacted")
    sheet.any(
        "Subject: Re: [{ticket_no}] <your request|your message>\n", "Subject: RE: <your request|our conversation>\n"
    )
    sheet.blank()
    greeting(sheet, "agent_name" if sheet.has("agent_name") else "desk_name")
    problem(sheet)
    mood(sheet)
    rest(sheet)
    sheet.blank()
    _sign(sheet)
    sheet.blank()
    sheet.any(
        "<On {sent_date}|Earlier>, {agent_name} <({desk_email}) |>wrote:\n",
        "----- {desk_name} <wrote|answered> -----\n",
    )
    lines = [
        "<Thank you for your message.|Thanks for getting in touch.>",
        "<We are looking into order {order_no}.|Your ticket is {ticket_no}.|Your case has been opened.>",
        "<You can reach us on {desk_phone}.|We will answer as soon as we can.>",
        "<Could you send us the serial number?|Please keep {tracking_no} at hand.|We need a little more time.>",
        "<Regards, {agent_name}|{desk_name} customer care|The {desk_name} team>",
    ]
    for line in lines:
        sheet.any(f"> {line}\n")


def chat(sheet: Sheet) -> None:
    """A chat with an agent."""
    customer = sheet.facts["sender_name"].surface.split()[0]
    agent = "Agent"
    if sheet.has("agent_name"):
        sheet.line("<You are now chatting with|Connected to> {agent_name}.")
    turns: list[Callable[[], object]] = [
        lambda: problem(sheet),
        lambda: mood(sheet),
        lambda: numbers(sheet),
        lambda: rest(sheet, most=2),
        lambda: rest(sheet, most=9),
    ]
    answers = (
        "<Hello, how can I help?|Hi there, what is it about?>",
        "<Let me have a look.|One moment please.|I see.>",
        "<Could you give me some details?|Which numbers do you have?>",
        "<Thank you, noted.|I have written that down.>",
        "<Is there anything else?|Anything more I should know?>",
    )
    for turn, answer in zip(turns, answers, strict=True):
        sheet.line(f"{agent}: {answer}")
        sheet.raw(f"{customer}: ")
        turn()
        sheet.line()
    sheet.any(
        "Agent: <can I have your name and mail|who am I talking to>?\n" + customer + ": {sender_name}, "
        "{sender_email}\n",
        "Agent: <your full name please|and your name>?\n" + customer + ": {sender_name}\n",
        "",
    )


def text_message(sheet: Sheet) -> None:
    """A short text, lower case, no greeting."""
    sheet.any("{desk_name}? ", "hi {desk_name} ", "")
    problem(sheet)
    sheet.any("order {order_no} ", "<nr|no> {order_no} ", "")
    mood(sheet)
    rest(sheet, most=3)
    sheet.any("- {sender_name}", "{sender_name}<|, {sender_phone}>", "")


def call_note(sheet: Sheet) -> None:
    """An agent's note of a telephone call; the customer is 'caller'."""
    sheet.any("<Call|Phone call> <on|of> {sent_date}, <taken by|agent> {agent_name}\n", "<Call note|Inbound call>\n")
    sheet.any(
        "Caller: {sender_name}<|, {sender_company}><|, {sender_city}><|, tel. {sender_phone}>\n",
        "{sender_name} <rang|called><| about order {order_no}>\n",
    )
    shapes.pairs(sheet, [key for key in _META if sheet.maybe(0.7)])
    sheet.raw("Caller's words: ")
    problem(sheet)
    mood(sheet)
    rest(sheet)


def letter(sheet: Sheet) -> None:
    """A letter on paper with addresses."""
    sheet.line("{sender_name}")
    sheet.line("{sender_block}")
    sheet.blank()
    sheet.line("To {desk_name}" if sheet.maybe(0.3) else "{desk_name}")
    sheet.any("<attn.|for the attention of> {agent_name}\n", "Customer Service\n")
    sheet.any("{sender_city}, {sent_date}\n", "{sent_date}\n", "")
    sheet.blank()
    sheet.any(
        "<Re|Concerning>: <order {order_no}|invoice {invoice_no}|customer no. {customer_no}>\n", "Re: {product}\n"
    )
    sheet.blank()
    greeting(sheet, "agent_name" if sheet.has("agent_name") else "desk_name")
    problem(sheet)
    numbers(sheet)
    sheet.blank()
    mood(sheet)
    rest(sheet)
    sheet.blank()
    closing(sheet, "sender_name")


def json_ticket(sheet: Sheet) -> None:
    """A ticket as data with the message in one value."""
    keys = [
        key
        for key in (
            "sender_name",
            "sender_email",
            "sender_phone",
            "order_no",
            "ticket_no",
            "customer_no",
            "product",
            "plan",
            "sent_date",
            "agent_name",
            "desk_email",
            "serial_no",
            "tracking_no",
        )
        if sheet.has(key)
    ]
    sheet.rng.shuffle(keys)
    sheet.raw("{")
    for key in keys:
        sheet.raw(f'"{shapes.tag(sheet.label(key))}": "')
        sheet.put(f"{{{key}}}")
        sheet.raw('", ')
    sheet.raw('"body": "')
    problem(sheet)
    mood(sheet)
    rest(sheet)
    sheet.raw('"}')


def table_row(sheet: Sheet) -> None:
    """A ticket as one line of a table, under a line of labels, and the message."""
    shapes.table_row(sheet)
    if sheet.maybe(0.6):
        problem(sheet)
        rest(sheet, end=" ")


def review_site(sheet: Sheet) -> None:
    """Held out: a public complaint with a headline."""
    sheet.any(
        '"<My story with|Experience with> {desk_name}" by {sender_name}<|, {sender_city}>\n',
        "{sender_name} about {desk_name}\n",
    )
    sheet.any("<posted|written> {sent_date}\n", "")
    mood(sheet)
    problem(sheet)
    sheet.any(
        "<Bought|Ordered> {order_date}<|, arrived {delivery_date}><|, paid {price}>. ", "<Cost me|I paid> {price}. ", ""
    )
    sheet.any(
        "<For the company|If you read this, dear shop>: it was order {order_no}<|, my mail is {sender_email}>. ", ""
    )
    rest(sheet)
    sheet.line()
    sheet.any(
        "-- <Reply by the owner|Answer of {desk_name}>: please <write to|mail> {desk_email}<|, quoting "
        "{ticket_no}>. {agent_name}\n",
        "-- Reply by the owner: <write to|mail> {desk_email}\n",
        "",
    )


def voicemail(sheet: Sheet) -> None:
    """Held out: a voice message, written down by a machine."""
    sheet.put("<[voice message, 0:47]|Voicemail transcript:|message 3 of 5 -> ")
    sheet.put("<yes hello|hello er|hi this is>, my name is {sender_name}")
    sheet.any(" <calling from|with> {sender_company}", " from {sender_city}", "")
    sheet.any(", <I'm calling about|it's about> my order {order_no}", ", about the {product}", "")
    sheet.put(". ")
    problem(sheet)
    rest(sheet, most=3)
    mood(sheet)
    sheet.any("<you can ring me|my number is|so that's> {sender_phone}. ", "<mail me|or write> at {sender_email}. ", "")
    sheet.any("the number on the <box|label> is {serial_no}. ", "the parcel number is {tracking_no}. ", "")
    rest(sheet)
    sheet.put("<bye|okay bye bye|thanks, bye>.")


LAYOUTS: Mapping[str, Writer] = {
    "plain_mail": plain_mail,
    "web_form": web_form,
    "ticket_export": ticket_export,
    "quoted": quoted,
    "chat": chat,
    "text_message": text_message,
    "call_note": call_note,
    "letter": letter,
    "json_ticket": json_ticket,
    "table_row": table_row,
    "review_site": review_site,
    "voicemail": voicemail,
}
