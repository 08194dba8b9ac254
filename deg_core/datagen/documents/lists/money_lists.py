"""Lists of money that moves: payments, transactions by account."""

from __future__ import annotations

import datetime as dt

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.declare import ask, choice, declare
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.invention import decided, shared
from deg_core.datagen.documents.lists.model import ListKind, bars, rows

_WAYS = {
    "transfer": ("bank transfer|transfer", "", ()),
    "card": ("card|card payment", "", ()),
    "cash": ("cash", "", ()),
    "cheque": ("cheque|check", "", ()),
}

_WAY_WORDS = {
    "transfer": ("bank transfer", "wire", "SEPA"),
    "card": ("Visa", "card", "debit card"),
    "cash": ("cash", "paid at the counter", "in notes"),
    "cheque": ("cheque", "check no. 11"),
}


def _payment(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.day(f"{p}/date", dt.date(2024, 1, 3) + dt.timedelta(days=17 * at + rng.randrange(15)))
    sheet.money(f"{p}/amount", draw_price(rng, 12, 4000))
    if shared(sheet, "way", 0.7):
        way = rng.choice(tuple(_WAYS))
        decided(sheet, f"{p}/way", way, _WAY_WORDS[way])
    if shared(sheet, "ref", 0.6):
        sheet.text(f"{p}/ref", names.code(rng, "P", "TX", "PAY"))
    if shared(sheet, "payer", 0.5):
        sheet.text(f"{p}/payer", names.person(rng))


PAYMENTS = ListKind(
    name="payments",
    homes=("invoice", "lease", "booking", "statement"),
    alone=frozenset(("lease", "booking", "statement")),
    drops=("paid", "due", "paid_date"),
    declared=declare(
        ask(
            "date",
            "date",
            "date|payment date|paid on|day",
            "day of the payment|when it was paid",
            labels="Date|Paid on|Day",
        ),
        ask(
            "amount",
            "number",
            "amount|sum|paid amount|amount paid",
            "how much was paid|amount of the payment",
            labels="Amount|Paid|Sum",
        ),
        ask(
            "ref",
            "string",
            "reference|payment reference|transaction id|receipt number",
            "reference of the payment",
            labels="Reference|Ref.|Receipt no.",
        ),
        ask("payer", "string", "payer|paid by|from", "who paid", labels="Payer|From|Paid by"),
        choice("way", "method|payment method|paid with|means", "how it was paid", _WAYS),
    ),
    invent=_payment,
    lead=("date", "ref"),
    names=bars("payments | payments received | instalments | payment history | payments made"),
    nouns=bars(
        "payments received so far | one entry for each payment | every instalment that was paid | payment history"
    ),
    one=bars("one payment | an instalment | a payment that came in"),
    lines=rows("""
        {date}: {amount}<| from {payer}>
        {date} {amount} ({way})
        {amount} on {date}, ref. {ref}
        {date} | {way} | {amount} | {ref}
        {payer} paid {amount} on {date}
        {date} - {amount}
    """),
    held_lines=rows("""
        got {amount} ({date})
        {ref} = {amount}, {way}, {date}
        {payer}: {amount}, {date}
        {date} {amount}
    """),
    sentences=rows("""
        we received {amount} on {date}<| from {payer}>.
        {payer} paid {amount} by {way} on {date}.
        on {date} there was a payment of {amount}<| ({ref})>.
        {amount} came by {way} on {date}.
    """),
    held_sentences=rows("""
        {date} brought in {amount}.
        the sum of {amount} reached us on {date} (reference {ref}).
        {payer} settled {amount}, {way}, {date}.
    """),
    headings=rows("""
        <Payments so far|Payments received|Payment history|Instalments paid|Paid to date>
    """),
    none=rows("""
        No payment has <been received|arrived> yet.
        <Payments so far: none.|Nothing has been paid so far.>
    """),
    plain={"date": ("payment dates|days of payment",), "amount": ("amounts paid|payment amounts",)},
    rest=rows("""
        Still open: {sum}
        Paid in total {sum}
        Interest {sum}
    """),
)

_SIDES = {
    "in": ("credit|in|incoming|deposit", "money that came in", ()),
    "out": ("debit|out|outgoing|withdrawal", "money that went out", ()),
}

_SORTS = {
    "food": ("groceries|food", "supermarkets and restaurants", ()),
    "home": ("housing|home", "rent, power, water", ()),
    "travel": ("transport|travel", "trains, fuel, tickets", ()),
    "income": ("income|salary and refunds", "wages and refunds", ()),
}

_SIDE_WORDS = {"in": ("CR", "credit", "received", "paid in"), "out": ("DR", "debit", "sent", "paid out")}

_PAYEES = {
    "food": ("{s} Grocers", "{t} Bakery", "Cafe {g}", "Pizzeria {g}", "{s} Supermarket"),
    "home": ("{t} Water Board", "{s} Energy", "rent {t}", "{t} Council Tax", "{s} Broadband"),
    "travel": ("{t} Railways", "{s} Taxi", "petrol {t}", "{t} Parking", "bus pass {t}"),
    "income": ("salary {s} Ltd", "refund {s}", "wages {t} School", "interest", "tax refund {t}"),
}


def _transaction(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sort = rng.choice(("food", "food", "home", "travel", "travel", "income"))
    text = rng.choice(_PAYEES[sort]).format(s=names.surname(rng), t=names.place_name(rng), g=names.given_name(rng))
    sheet.decisions[f"{p}/sort"] = sort
    sheet.day(f"{p}/date", dt.date(2025, 3, 1) + dt.timedelta(days=2 * at + rng.randrange(2)))
    sheet.text(f"{p}/text", text)
    sheet.money(f"{p}/amount", draw_price(rng, 2, 3200))
    side = "in" if sort == "income" else "out"
    decided(sheet, f"{p}/side", side, _SIDE_WORDS[side])
    if shared(sheet, "balance", 0.5):
        sheet.money(f"{p}/balance", draw_price(rng, 20, 9000))
    if shared(sheet, "ref", 0.4):
        sheet.text(f"{p}/ref", names.digits(rng, rng.randrange(6, 11)))


TRANSACTIONS = ListKind(
    name="transactions",
    homes=("statement",),
    alone=frozenset(("statement",)),
    declared=declare(
        ask(
            "date",
            "date",
            "date|booking date|posted on|value date|day",
            "day of the transaction|when it was booked",
            labels="Date|Booked|Posted",
        ),
        ask(
            "text",
            "string",
            "description|payee|details|merchant|counterparty|text",
            "who or what it was for|text of the transaction",
            labels="Description|Details|Payee|Text",
        ),
        ask("amount", "number", "amount|value|sum", "amount of the transaction", labels="Amount|Value|Sum"),
        choice("side", "direction|type|debit or credit|side", "whether money came in or went out", _SIDES),
        ask(
            "balance",
            "number",
            "balance|balance after|running balance",
            "balance after the transaction",
            labels="Balance|New balance",
        ),
        ask("ref", "string", "reference|transaction number|id", "reference number", labels="Ref|Reference|No."),
        choice("sort", "category|kind|spending category", "what the money was for", _SORTS),
    ),
    invent=_transaction,
    lead=("date", "text"),
    clear_from={"sort": "text"},
    names=bars("transactions | entries | movements | bookings | postings | account activity | statement lines"),
    nouns=bars("""
        all transactions, one entry each | account movements in order |
        booked entries without opening and closing balance | every movement on the account
    """),
    one=bars("one transaction | a booking | a movement on the account"),
    lines=rows("""
        {date} {text} {amount} {side}
        {date} {text} {amount}
        {date} | {text} | {amount} | {balance}
        {text}, {date}: {amount}
        {amount} {side} {text} ({date})
        {text} {amount}
    """),
    held_lines=rows("""
        {text} >> {amount} >> {date}
        {date} [{ref}] {text} {side} {amount}
        {side} {amount} / {text}
        {text} = {amount}
    """),
    sentences=rows("""
        on {date} {text}, {amount}<| {side}>.
        {text} <was booked|shows up> on {date} with {amount}<| ({side})>.
        {amount} for {text}.
        {date}: {text}, {amount}, leaving {balance}.
    """),
    held_sentences=rows("""
        the line of {date} reads {text}, {amount}.
        {text} moved {amount} ({side}).
        {text}, {amount}.
    """),
    headings=rows("""
        <Transactions|Account activity|Movements|Your bookings|Entries this month>
    """),
    none=rows("""
        There were no <transactions|movements> in this period.
        <No bookings.|No activity on the account.>
    """),
    plain={
        "text": ("payees|descriptions|counterparties",),
        "amount": ("amounts|transaction amounts",),
        "date": ("booking dates",),
    },
    rest=rows("""
        Opening balance {sum}
        Closing balance {sum}
        Total debits {sum}
        Carried forward {sum}
    """),
)


def _account(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(f"{p}/number", rng.choice((names.iban(rng), names.digits(rng, 8), names.code(rng, "ACC"))))
    sheet.text(
        f"{p}/title",
        rng.choice(
            (
                "Current account",
                "Savings",
                "Joint account",
                "Travel card",
                "Business account",
                "Deposit",
                "Everyday account",
                "Credit card",
                "Holiday fund",
            )
        )
        + f" {at + 1}",
    )
    if shared(sheet, "opening", 0.6):
        sheet.money(f"{p}/opening", draw_price(rng, 50, 9000))


ACCOUNTS = ListKind(
    name="accounts",
    homes=("statement",),
    declared=declare(
        ask("title", "string", "account|account name|name|product", "name of the account", labels="Account|Product"),
        ask("number", "string", "account number|number|iban", "number of the account", labels="Number|Account no."),
        ask(
            "opening",
            "number",
            "opening balance|balance before|start balance",
            "balance at the start",
            labels="Opening balance|Brought forward",
        ),
    ),
    invent=_account,
    lead=("title", "number"),
    names=bars("accounts | account statements | account list | products"),
    nouns=bars("""
        one entry for each account, with its transactions | the accounts of the statement |
        accounts and what was booked on them
    """),
    one=bars("an account | one account of the customer"),
    lines=rows("""
        {title} ({number})<|, opening balance {opening}>
        {title}, no. {number}
        {title}
    """),
    held_lines=rows("""
        Account {number} - {title}
        {title}: {opening}
        {title}
    """),
    sentences=rows("""
        {title} ({number}) <opened with|began at> {opening}.
        the account {title} has the number {number}.
        {title}.
    """),
    held_sentences=rows("""
        then there is {title}, {number}.
        {title} stood at {opening}.
        {title}.
    """),
    headings=rows("""
        <Your accounts|Accounts|Statement of all accounts>
    """),
    none=rows("""
        You hold no account with us.
    """),
    child=TRANSACTIONS,
    alone=frozenset(("statement",)),
)


MONEY_LISTS = (PAYMENTS, TRANSACTIONS, ACCOUNTS)
