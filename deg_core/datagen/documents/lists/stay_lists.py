"""Lists of journeys and stays: parts of a journey, guests, rooms, charges."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.declare import ask, choice, declare, flag
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.invention import clock, decided, shared, week
from deg_core.datagen.documents.lists.model import ListKind, bars, rows

_CLASS = {"first": ("first class|first", "", ()), "second": ("second class|economy|standard", "", ())}

_CLASS_WORDS = {"first": ("1st class", "first"), "second": ("2nd class", "economy", "standard seat")}


def _leg(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(f"{p}/start", names.place_name(rng))
    sheet.text(f"{p}/goal", names.place_name(rng))
    sheet.day(f"{p}/day", dt.date(2026, 4, 13) + dt.timedelta(days=2 * at + rng.randrange(2)))
    if shared(sheet, "time", 0.6):
        clock(sheet, f"{p}/time", rng.randrange(5, 23))
    if shared(sheet, "number", 0.7):
        sheet.text(
            f"{p}/number",
            f"{rng.choice(('ICE', 'LX', 'BA', 'RE', 'TGV', 'EW', 'Bus', 'QF'))} {rng.randrange(10, 4000)}",
        )
    if shared(sheet, "seat", 0.4):
        sheet.text(f"{p}/seat", f"{rng.randrange(1, 60)}{rng.choice('ABCDEF')}")
    if shared(sheet, "fare", 0.4):
        sheet.money(f"{p}/fare", draw_price(rng, 9, 700))
    if shared(sheet, "class", 0.35):
        kind = rng.choice(tuple(_CLASS))
        decided(sheet, f"{p}/class", kind, _CLASS_WORDS[kind])


LEGS = ListKind(
    name="legs",
    homes=("booking",),
    alone=frozenset(("booking",)),
    declared=declare(
        ask("start", "string", "from|departure city|origin|start", "where the journey starts", labels="From|Departure"),
        ask("goal", "string", "to|destination|arrival city", "where it goes", labels="To|Destination"),
        ask("day", "date", "date|travel date|departure date|day", "day of travel", labels="Date|Day"),
        ask("time", "string", "time|departure time|leaves at", "time of departure, as written", labels="Time|Departs"),
        ask(
            "number",
            "string",
            "number|train or flight number|service",
            "number of the train, flight or bus",
            labels="Number|Service",
        ),
        ask("seat", "string", "seat|seat number|place", "seat", labels="Seat"),
        ask("fare", "number", "fare|price|cost", "price of this part", labels="Fare|Price"),
        choice("class", "class|travel class|cabin", "class of travel", _CLASS),
    ),
    invent=_leg,
    lead=("start", "number"),
    names=bars("legs | segments | journeys | trips | connections | itinerary"),
    nouns=bars("""
        one entry for each part of the journey | legs of the trip in order | all connections |
        itinerary, leg by leg
    """),
    one=bars("a leg | one connection | part of the journey"),
    lines=rows("""
        {day} {start} - {goal}<|, {time}><|, {number}>
        {number} {start} to {goal}, {day}
        {start} > {goal} {day} {time} seat {seat}
        {start} to {goal}, {class}, {fare}
        {start} to {goal}
    """),
    held_lines=rows("""
        {number}: {start} ==> {goal}
        {day} | {start} / {goal} | {seat}
        {start}..{goal} {fare}
        {start} - {goal}
    """),
    sentences=rows("""
        on {day} you <travel|go> from {start} to {goal}<| with {number}><|, leaving at {time}>.
        {number} takes you from {start} to {goal}<|, seat {seat}>.
        from {start} to {goal} it costs {fare}.
        from {start} to {goal}, {class}.
        from {start} to {goal}.
    """),
    held_sentences=rows("""
        you leave {start} for {goal} on {day}.
        {start} to {goal} is {number}, seat {seat}.
        for {fare} you get from {start} to {goal}.
        then comes {start} to {goal}.
    """),
    headings=rows("""
        <Your journey|Itinerary|Connections|Travel plan>
    """),
    none=rows("""
        No journey <is booked|has been booked>.
    """),
    plain={"goal": ("destinations|arrival cities",), "number": ("train numbers|flight numbers|services",)},
    rest=rows("""
        Booking fee {sum}
        Insurance {sum}
    """),
)

_MEAL = {
    "none": ("none|no meals", "", ()),
    "morning": ("breakfast|breakfast only", "", ()),
    "all": ("full board|all meals", "", ()),
}

_MEAL_WORDS = {
    "none": ("no meals", "eats out"),
    "morning": ("with breakfast", "breakfast"),
    "all": ("full board", "three meals a day"),
}


def _guest(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(f"{p}/name", names.person(rng, titled=0.05))
    if shared(sheet, "age", 0.5):
        sheet.number(f"{p}/age", rng.randrange(2, 90))
    if shared(sheet, "room", 0.5):
        sheet.text(f"{p}/room", f"{rng.randrange(1, 9)}{rng.randrange(10, 60)}")
    if shared(sheet, "nights", 0.4):
        sheet.number(f"{p}/nights", rng.randrange(1, 15))
    if shared(sheet, "meal", 0.5):
        meal = rng.choice(tuple(_MEAL))
        decided(sheet, f"{p}/meal", meal, _MEAL_WORDS[meal])
    if shared(sheet, "birth", 0.3):
        sheet.day(f"{p}/birth", dt.date(rng.randrange(1940, 2018), rng.randrange(1, 13), rng.randrange(13, 28)))


GUESTS = ListKind(
    name="guests",
    homes=("booking", "event"),
    alone=frozenset(("booking",)),
    declared=declare(
        ask("name", "string", "name|guest|guest name|traveller", "name of the guest", labels="Guest|Name|Traveller"),
        ask("age", "integer", "age|age in years", "age of the guest", labels="Age"),
        ask("birth", "date", "date of birth|birthday|born", "date of birth", labels="Born|Date of birth"),
        ask("room", "string", "room|room number", "room of the guest", labels="Room"),
        ask("nights", "integer", "nights|number of nights|stay", "how many nights", labels="Nights"),
        choice("meal", "board|meals|meal plan", "which meals are included", _MEAL),
    ),
    invent=_guest,
    lead=("name",),
    names=bars("guests | travellers | passengers | people | visitors | guest list"),
    nouns=bars("all guests, one entry each | everybody who travels | the guest list | passengers with their details"),
    one=bars("a guest | one traveller"),
    lines=rows("""
        {name}, {age} years
        {name}, room {room}<|, {nights} nights>
        {room}: {name}<| ({age})>
        {name} ({meal})
        {name}, born {birth}
        {name}
    """),
    held_lines=rows("""
        {name} / {age} / {room}
        R{room} {name}
        {meal} for {name}
        {birth} {name}
        {name}
    """),
    sentences=rows("""
        {name} is {age} years old<| and has room {room}>.
        {name} stays {nights} nights<| in room {room}>.
        {name} was born on {birth}.
        {name} has room {room}.
        {name} <booked|wants>: {meal}.
        {name} comes too.
    """),
    held_sentences=rows("""
        room {room} goes to {name}.
        we expect {name} ({age}).
        {name}, {meal}.
        the birthday of {name} is {birth}.
        we expect {name}.
    """),
    headings=rows("""
        <Guests|Travellers|Passengers|Who is coming>
    """),
    none=rows("""
        No guests <are named|have been named>.
        <The guest list is empty.|Travellers: not named yet.>
    """),
    plain={"name": ("guest names|names of travellers|passengers",), "age": ("ages|ages of guests",)},
    rest=rows("""
        Dogs: not allowed
        Cot on request
    """),
)

_WEAR = {
    "new": ("new|as new", "", ()),
    "good": ("good|in good condition", "", ()),
    "bad": ("poor|needs repair|damaged", "", ()),
}

_ROOMS = bars("""
    kitchen | bathroom | bedroom | study | living room | hall | cellar | attic | balcony | garage | guest room |
    pantry | conservatory | utility room | dining room | dressing room
""")

_WEAR_WORDS = {
    "new": ("newly done", "as new"),
    "good": ("well kept", "in good order"),
    "bad": ("needs work", "damp wall", "floor damaged"),
}


def _room(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    name = _ROOMS[(7 * at + 3) % len(_ROOMS)]
    sheet.text(f"{p}/name", name if at < len(_ROOMS) else f"{name} {at // len(_ROOMS) + 1}")
    sheet.number(f"{p}/area", Decimal(rng.randrange(30, 480)) / 10, after=rng.choice((" m2", " sqm", " m²")))
    if shared(sheet, "floor", 0.4):
        sheet.text(f"{p}/floor", rng.choice(("ground floor", "first floor", "basement", "top floor", "second floor")))
    if shared(sheet, "windows", 0.3):
        sheet.number(f"{p}/windows", rng.randrange(1, 6))
    if shared(sheet, "wear", 0.6):
        wear = rng.choice(tuple(_WEAR))
        decided(sheet, f"{p}/wear", wear, _WEAR_WORDS[wear])
    if shared(sheet, "heated", 0.35):
        heated = rng.random() < 0.5
        decided(sheet, f"{p}/heated", heated, ("heated", "with radiator") if heated else ("no heating", "cold"))


ROOMS = ListKind(
    name="rooms",
    homes=("lease",),
    alone=frozenset(("lease",)),
    declared=declare(
        ask("name", "string", "room|name|room name", "name of the room", labels="Room"),
        ask("area", "number", "area|size|square metres|floor area", "size in square metres", labels="Area|Size"),
        ask("floor", "string", "floor|storey|level", "which floor it is on", labels="Floor|Level"),
        ask("windows", "integer", "windows|number of windows", "number of windows", labels="Windows"),
        choice("wear", "condition|state", "condition of the room", _WEAR),
        flag(
            "heated", "heated|has heating", "can the room be heated?|true if there is heating", (), (), labels="Heating"
        ),
    ),
    invent=_room,
    lead=("name",),
    names=bars("rooms | room list | spaces | parts"),
    nouns=bars("one entry for each room | the rooms with their sizes | all rooms of the flat or house"),
    one=bars("a room | one room"),
    lines=rows("""
        {name}: {area}<|, {wear}>
        {name}, {floor}, {area}
        {area} {name}
        {name} - {wear}<| - {heated}>
        {name} with {windows} windows
        {name}
    """),
    held_lines=rows("""
        {area} >> {name}
        {floor}: {name}
        {name} // {wear}
        {name} [{heated}]
        {name}
    """),
    sentences=rows("""
        the {name} <has|measures> {area}<| and is {wear}>.
        the {name} is on the {floor}.
        the {name}, {wear}.
        the {name} is {heated}.
        the {name} has {windows} windows.
        there is the {name}.
    """),
    held_sentences=rows("""
        you get {area} of {name}.
        {floor}: the {name}.
        see the {name}, {wear}.
        the {name} was found {heated}.
        see the {name}.
    """),
    headings=rows("""
        <Rooms|Room by room|List of rooms>
    """),
    none=rows("""
        The rooms are not listed.
    """),
    plain={"name": ("room names|rooms",), "area": ("room sizes|areas",)},
    rest=rows("""
        Parking outside
        Total area on request
    """),
)

_TURNS = {
    "month": ("monthly|every month", "", ()),
    "year": ("yearly|every year|annual", "", ()),
    "once": ("once|one-off", "", ()),
}

_CHARGES = bars("""
    rent | parking space | water | heating | cleaning of stairs | waste collection | internet | storage room |
    garden care | lift | insurance | caretaker | electricity | winter service | cable television | laundry room
""")

_TURN_WORDS = {
    "month": ("a month", "monthly", "per month"),
    "year": ("a year", "yearly"),
    "once": ("once", "one time only"),
}


def _charge(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    name = rng.choice(_CHARGES) if at >= len(_CHARGES) else _CHARGES[(at * 5 + 3) % len(_CHARGES)]
    sheet.text(f"{p}/name", name if at < len(_CHARGES) else f"{name} {at}")
    sheet.money(f"{p}/amount", draw_price(rng, 4, 1500))
    if shared(sheet, "turn", 0.7):
        turn = rng.choice(("month", "month", "month", "year", "once"))
        decided(sheet, f"{p}/turn", turn, _TURN_WORDS[turn])
    if shared(sheet, "due", 0.4):
        week(sheet, f"{p}/due", dt.date(2026, 1, 4))


CHARGES = ListKind(
    name="charges",
    homes=("lease", "booking"),
    alone=frozenset(("lease", "booking")),
    declared=declare(
        ask(
            "name",
            "string",
            "charge|name|what for|item|cost type",
            "what is charged for|name of the charge",
            labels="Charge|For|Item",
        ),
        ask("amount", "number", "amount|cost|sum|fee", "amount of the charge", labels="Amount|Cost|Fee"),
        ask("due", "date", "due date|first due|from", "when it is due first", labels="Due|From"),
        choice("turn", "period|frequency|interval|how often", "how often it is charged", _TURNS),
    ),
    invent=_charge,
    lead=("name",),
    names=bars("charges | fees | costs | service charges | extra costs | additional charges"),
    nouns=bars("each charge with its amount | all fees, one entry each | what has to be paid besides | list of costs"),
    one=bars("one charge | a fee | a cost"),
    lines=rows("""
        {name}: {amount}< |, >{turn}
        {name}: {amount}
        {amount} for {name}<| {turn}>
        {name} {amount} due {due}
        {name} - {amount} - {turn} - {due}
    """),
    held_lines=rows("""
        {name} = {amount} {turn}
        {amount} >> {name}
        {due}: {name}, {amount}
    """),
    sentences=rows("""
        {name} <costs|is charged at> {amount}<| {turn}>.
        for {name} we charge {amount}<|, due {due}>.
        {amount} {turn} goes to {name}.
    """),
    held_sentences=rows("""
        the fee for {name} amounts to {amount}.
        count on {amount} {turn} for {name}.
        {name} takes {amount}, first on {due}.
    """),
    headings=rows("""
        <Charges|Extra charges|Service charges|Costs and fees>
    """),
    none=rows("""
        There are no <further|extra|additional> charges.
        <No fees apply.|Extra costs: none.>
    """),
    plain={"name": ("names of charges|charged services",), "amount": ("amounts|fee amounts",)},
    rest=rows("""
        Sum of charges {sum}
        Deposit {sum}
        Rounding {sum}
    """),
)

STAY_LISTS = (LEGS, GUESTS, ROOMS, CHARGES)
