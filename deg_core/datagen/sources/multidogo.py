"""MultiDoGO: what customers of five kinds of service say, as single messages and as conversations so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft, Span
from deg_core.datagen.intents import Intent, ask_intent, ask_yes_no, parse_intents
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import slot
from deg_core.records.record import Record

SOURCE = "multidogo"
DOMAINS = ("airline", "fastfood", "finance", "insurance", "media")

COMMON = parse_intents("""
[talk]
openinggreeting = greeting = the customer says hello
closinggreeting = goodbye = the customer says goodbye
confirmation = confirmation = the customer says yes or agrees
rejection = rejection = the customer says no or declines
thankyou = thanks = the customer says thank you
contentonly = gives information = the customer only gives details that were asked for
outofdomain = off topic = the customer says something that is not about the service
""")
INTENTS = {
    "airline": parse_intents("""
[task]
bookflight = book flight = the customer wants to book a flight
changeseatassignment = change seat = the customer wants another seat
getboardingpass = boarding pass = the customer wants a boarding pass
getseatinfo = seat information = the customer asks which seat they have
"""),
    "fastfood": parse_intents("""
[task]
orderpizzaintent = order pizza = the customer orders pizza
orderdrinkintent = order drink = the customer orders something to drink
ordersaladintent = order salad = the customer orders a salad
orderburgerintent = order burger = the customer orders a burger
orderdessertintent = order dessert = the customer orders a dessert
ordersideintent = order side dish = the customer orders a side dish
orderbreakfastintent = order breakfast = the customer orders breakfast
"""),
    "finance": parse_intents("""
[task]
reportlostcard = lost card = the customer reports a lost or stolen card
updateaddress = change address = the customer wants a new address on file
transfermoney = transfer money = the customer wants to move money
checkbalance = check balance = the customer asks how much is in the account
disputecharge = dispute charge = the customer says that a charge is wrong
replacecard = replace card = the customer wants a new card
closeaccount = close account = the customer wants an account closed
getroutingnumber = routing number = the customer asks for the routing number
orderchecks = order checks = the customer wants paper checks
checkoffereligibility = offers = the customer asks whether an offer is open to them
"""),
    "insurance": parse_intents("""
[task]
getproofofinsurance = proof of insurance = the customer wants proof of insurance
checkclaimstatus = claim status = the customer asks about a claim
reportbrokenphone = broken phone = the customer reports a damaged phone
"""),
    "media": parse_intents("""
[task]
startserviceintent = start service = the customer wants cable, internet or phone service
getinformationintent = ask about service = the customer asks about service or plans
viewbillsintent = see bill = the customer asks about the bill
upgradeserviceintent = upgrade = the customer wants a better plan
transferserviceintent = move service = the customer wants the service at a new address
cancelserviceintent = cancel service = the customer wants to stop the service
"""),
}
SLOTS = {
    "name": slot("name|customer name|full name|caller", "name of the customer|who is writing?"),
    "email_address": slot("email|email address|mail", "email address of the customer, as typed|which address?"),
    "phone_number": slot("phone|phone number|contact number", "phone number of the customer|number to call"),
    "phonenumber": slot("phone|phone number|callback number", "phone number for the order|number to call"),
    "booking_confirmation_number": slot(
        "booking reference|confirmation number|booking number|pnr",
        "confirmation number of the booking|reference of the flight booking",
    ),
    "start_date": slot(
        "departure date|start date|travel date|flight date", "day of departure|when does the customer fly?"
    ),
    "end_date": slot("return date|end date", "day of return|when does the customer fly back?"),
    "departure_city": slot(
        "departure city|origin|from city|leaving from", "city the flight leaves from|where does it start?"
    ),
    "arrival_city": slot("arrival city|destination|to city|going to", "city the flight goes to|where to?"),
    "seat_type": slot(
        "seat type|seat preference|kind of seat", "kind of seat: aisle, window, middle|which seat is wanted?"
    ),
    "number_of_passengers": slot("passengers|number of passengers|travellers", "how many people fly", kind="integer"),
    "new_seat_number": slot("new seat|new seat number", "seat the customer wants to move to"),
    "old_seat_number": slot("old seat|current seat|old seat number", "seat the customer has now"),
    "flight_number": slot("flight number|flight", "number of the flight"),
    "departure_time": slot("departure time|leaving at", "time of departure"),
    "arrival_time": slot("arrival time|arrives at", "time of arrival"),
    "price": slot("price|amount|fare", "price named", kind="number"),
    "food_item": slot("food|food item|dish|item ordered", "food that is ordered|what does the customer want to eat?"),
    "drink_item": slot("drink|beverage|drink ordered", "drink that is ordered|what does the customer want to drink?"),
    "quantity": slot(
        "quantity|how many|count|number of items", "how many are ordered|number of items as said", kind="integer"
    ),
    "size": slot("size|portion|portion size", "size of the item|small, medium, large or as said"),
    "ingredient": slot("ingredient|topping|extra", "topping or ingredient asked for|what should be in it?"),
    "excluded_ingredient": slot("without|excluded ingredient|leave out", "what must not be in it", opaque=True),
    "address": slot("address|delivery address|street address", "address of the customer|where to deliver or send?"),
    "payment_type": slot("payment|payment method|pay by", "how the customer pays|cash, card or as said"),
    "ssn": slot("ssn|last four of ssn|social security digits", "digits of the social security number"),
    "card_number": slot("card number|card digits|card", "number of the card, as typed"),
    "account_number": slot("account number|account|account digits", "number of the account|which account?"),
    "target_account_number": slot("target account|receiving account", "account the money goes to"),
    "charge_date": slot("charge date|date of charge", "day of the disputed charge"),
    "charge_amount": slot("charge amount|disputed amount", "how much was charged", kind="number"),
    "charge_time": slot("charge time|time of charge", "time of the disputed charge"),
    "transferamount": slot("transfer amount|amount to transfer|sum", "how much money to move", kind="number"),
    "lastuseddate": slot("last used on|last use date", "day the card was last used"),
    "lastusedtime": slot("last used at|last use time", "time the card was last used"),
    "replacement_reason": slot("reason|replacement reason|why replaced", "why a new card is needed, as said"),
    "car_year": slot("car year|model year|year of car", "model year of the car", kind="integer"),
    "car_model": slot("car model|model", "model of the car"),
    "car_brand": slot("car brand|make|car make", "brand of the car|who made the car?"),
    "claimid": slot("claim id|claim number|claim", "number of the claim"),
    "policyid": slot("policy id|policy number|policy", "number of the insurance policy"),
    "datacategoryvalues": slot("data plan|data volume|data amount", "data plan or volume wanted, such as 10 GB"),
    "current_zipcode": slot("zip|zip code|postal code", "ZIP code of the customer"),
    "current_city": slot("city|customer city|current city", "city of the customer|where does the customer live?"),
    "service_type": slot("service|service type|kind of service", "service wanted: cable, internet, phone"),
    "username": slot("user name|username|login", "login name of the customer"),
    "date": slot("date|day", "day named"),
    "account_id": slot("account id|account", "id of the account"),
}
# Slots worth asking for in each domain although nobody filled them.
ABSENT = {
    "airline": (
        "name",
        "email_address",
        "phone_number",
        "booking_confirmation_number",
        "start_date",
        "end_date",
        "departure_city",
        "arrival_city",
        "seat_type",
        "number_of_passengers",
        "flight_number",
    ),
    "fastfood": ("name", "address", "phonenumber", "payment_type", "size", "quantity", "drink_item", "food_item"),
    "finance": (
        "name",
        "ssn",
        "card_number",
        "account_number",
        "charge_date",
        "charge_amount",
        "address",
        "transferamount",
        "lastuseddate",
    ),
    "insurance": (
        "name",
        "ssn",
        "car_year",
        "car_model",
        "car_brand",
        "claimid",
        "policyid",
        "email_address",
        "phone_number",
    ),
    "media": ("datacategoryvalues", "current_zipcode", "current_city", "service_type", "username", "ssn"),
}
# Several of these in one text are an order of several items, not one field.
MANY = frozenset(("food_item", "drink_item", "quantity", "ingredient", "size"))
LEADS = ("", "", "", "Customer: ", "customer: ", "Client: ", "> ", "- ", "C: ", "Visitor: ")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    intents: tuple[str, ...]
    marks: tuple[tuple[str, int, int], ...]


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: of each conversation one message and one part up to some message."""
    tally = Tally() if tally is None else tally
    for domain in DOMAINS:
        talks: dict[str, list[_Line]] = {}
        for part in ("train", "dev"):
            for row in json_lines(Path(path) / f"{domain}_{part}.jsonl"):
                line = _line(row, tally)
                if line is not None:
                    talks.setdefault(row["conversationId"], []).append(line)
        for key, lines in talks.items():
            for record in (_single(domain, key, lines), _so_far(domain, key, lines)):
                if record is not None:
                    yield record


def _line(row: Mapping[str, Any], tally: Tally) -> _Line | None:
    """One sentence with its marks as character spans; None when words and labels do not pair up."""
    text, labels = row["utterance"], row["slot_labels"].split()
    words = text.split()
    if len(words) != len(labels) or not words:
        tally["labels do not fit the words"] += 1
        return None
    marks: list[tuple[str, int, int]] = []
    place, before = 0, "O"
    for word, label in zip(words, labels, strict=True):
        start = text.index(word, place)
        place = start + len(word)
        if label != "O":
            if label == before:
                marks[-1] = (label, marks[-1][1], place)
            else:
                marks.append((label, start, place))
        before = label
    return _Line(text, tuple(row["intent"].split("<div>")), tuple(marks))


def _single(domain: str, key: str, lines: Sequence[_Line]) -> Record | None:
    """One message, rather one with slots or a task than small talk."""
    draft = Draft(SOURCE, f"{domain}/{key}/one", key, f"{domain} support", "", "message")
    rng = draft.rng
    # A bare number means nothing without the question it answers.
    readable = [line for line in lines if any(letter.isalpha() for letter in line.text)]
    if not readable:
        return None
    weights = [3.0 if line.marks else 1.5 if line.intents[0] in INTENTS[domain] else 0.35 for line in readable]
    line = rng.choices(readable, weights)[0]
    lead = rng.choice(LEADS)
    draft.context = lead + line.text
    pool = COMMON | INTENTS[domain]
    if len(line.intents) == 1 and line.intents[0] in pool:
        if rng.random() < 0.7:
            ask_intent(draft, pool, line.intents[0], high=12)
        if rng.random() < 0.3:
            ask_yes_no(draft, pool, line.intents[0])
    _ask_slots(draft, domain, [(tag, start + len(lead), end + len(lead)) for tag, start, end in line.marks])
    return draft.record()


def _so_far(domain: str, key: str, lines: Sequence[_Line]) -> Record | None:
    """All that the customer has said up to some message."""
    draft = Draft(SOURCE, f"{domain}/{key}/talk", key, f"{domain} conversation", "", "conversation")
    rng = draft.rng
    if len(lines) < 2:
        return None
    count = rng.randint(2, len(lines)) if rng.random() < 0.6 else len(lines)
    lead, gap = rng.choice(LEADS), rng.choice(("\n", "\n", "\n", " / ", "\n\n"))
    marks: list[tuple[str, int, int]] = []
    text = ""
    for line in lines[:count]:
        text += (gap if text else "") + lead
        marks += [(tag, start + len(text), end + len(text)) for tag, start, end in line.marks]
        text += line.text
    draft.context = text
    tasks = {intent for line in lines[:count] for intent in line.intents if intent in INTENTS[domain]}
    pool: dict[str, Intent] = {name: item for other in DOMAINS for name, item in INTENTS[other].items()}
    if len(tasks) == 1 and rng.random() < 0.6:
        ask_intent(draft, pool, next(iter(tasks)), high=12)
    if len(tasks) == 1 and rng.random() < 0.25:
        ask_yes_no(draft, pool, next(iter(tasks)))
    _ask_slots(draft, domain, marks)
    return draft.record()


def _ask_slots(draft: Draft, domain: str, marks: Sequence[tuple[str, int, int]]) -> None:
    """Each slot that was filled once, or the last time it was; and some that were not."""
    rng = draft.rng
    places: dict[str, list[Span]] = {}
    for tag, start, end in marks:
        places.setdefault(tag, []).append((start, end))
    for tag, spans in places.items():
        texts = {draft.context[slice(*span)] for span in spans}
        if tag not in SLOTS or (tag in MANY and len(texts) > 1) or len(texts) > 2:
            continue
        draft.extract(SLOTS[tag], spans[-1], alternatives=spans[:-1])
    absent = [tag for tag in ABSENT[domain] if tag not in places]
    for tag in rng.sample(absent, min(len(absent), rng.choice((0, 1, 1, 2, 3)))):
        draft.extract(SLOTS[tag], None)
