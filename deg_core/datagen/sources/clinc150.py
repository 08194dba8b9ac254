"""CLINC150: short requests, one of 150 intents in ten domains, and some that fit none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import OTHER, Intent, ask_intent, ask_yes_no, parse_intents, worded
from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.wording import slot, spell
from deg_core.records.record import Record

SOURCE = "clinc150"
OUT_OF_SCOPE = "oos"

INTENTS = parse_intents("""
[banking]
freeze_account = the user wants an account locked for a while
routing = routing number = the user asks for the bank's routing number
pin_change = change pin = the user wants another PIN
bill_due = bill due date = the user asks when a bill must be paid
pay_bill = the user wants a bill paid
account_blocked = the user asks why an account is locked
interest_rate = the user asks what interest an account pays
min_payment = minimum payment = the user asks for the smallest payment allowed on a bill
bill_balance = the user asks how much the bills come to
transfer = transfer money = the user wants to move money between accounts
order_checks = the user wants paper checks
balance = account balance = the user asks how much money is in an account
spending_history = the user asks how much was spent on something
transactions = the user asks for recent payments
report_fraud = the user reports payments they did not make
[credit cards]
replacement_card_duration = the user asks how long a replacement card takes
expiration_date = the user asks when a card runs out
damaged_card = the user's card is broken
improve_credit_score = the user asks how to get a better credit score
report_lost_card = the user's card is lost or stolen
card_declined = the user asks why a card was refused
credit_limit_change = the user wants a higher or lower limit
apr = annual percentage rate = the user asks for the yearly rate of a card
redeem_rewards = the user wants to use reward points
credit_limit = the user asks how much a card allows
rewards_balance = the user asks how many reward points there are
application_status = the user asks whether a card application went through
credit_score = the user asks for their credit score
new_card = the user wants to apply for a card
international_fees = the user asks what using a card abroad costs
[kitchen and dining]
food_last = how long food lasts = the user asks how long food keeps
confirm_reservation = the user wants to be sure that a table is booked
how_busy = the user asks how crowded a restaurant is
ingredients_list = the user asks what goes into a dish
calories = the user asks how many calories food has
nutrition_info = nutrition facts = the user asks what nutrients food has
recipe = the user asks how to make a dish
restaurant_reviews = the user asks how good a restaurant is
restaurant_reservation = the user wants a table booked
meal_suggestion = the user asks what to cook or eat
restaurant_suggestion = the user asks where to eat
cancel_reservation = the user wants a table booking dropped
ingredient_substitution = the user asks what to use instead of an ingredient
cook_time = cooking time = the user asks how long to cook something
accept_reservations = accepts reservations = the user asks whether a restaurant takes bookings
[home]
what_song = the user asks which song is playing
play_music = the user wants music to start
todo_list_update = change to do list = the user wants something put on or taken off the to-do list
reminder = check reminders = the user asks what they wanted to be reminded of
reminder_update = set reminder = the user wants to be reminded of something
calendar_update = change calendar = the user wants an event added to or taken off the calendar
order_status = the user asks where an order is
update_playlist = the user wants a song added to a playlist
shopping_list = check shopping list = the user asks what is on the shopping list
calendar = check calendar = the user asks what is on the calendar
next_song = the user wants to skip to another song
order = order something = the user wants something bought
todo_list = check to do list = the user asks what is on the to-do list
shopping_list_update = change shopping list = the user wants something put on or taken off the shopping list
smart_home = the user wants lights, heating or devices at home changed
[auto and commute]
current_location = the user asks where they are
oil_change_when = when to change oil = the user asks when the oil must be changed
oil_change_how = how to change oil = the user asks how to change the oil
uber = ride service = the user wants a ride booked
traffic = the user asks about traffic on the way
tire_pressure = the user asks about air in the tires
schedule_maintenance = the user wants a date for car service
gas = fuel level = the user asks how much fuel is left
mpg = fuel economy = the user asks how far the car goes on a gallon
distance = the user asks how far or how long a way is
directions = the user asks how to get somewhere
last_maintenance = the user asks when the car was last serviced
gas_type = fuel type = the user asks which fuel the car needs
tire_change = change tire = the user asks how to change a tire
jump_start = the user asks how to start a car with an empty battery
[travel]
plug_type = the user asks which sockets a country has
travel_notification = travel notice = the user tells the bank about a trip
translate = translation = the user asks how to say something in another language
flight_status = the user asks whether a flight is on time
international_visa = visa = the user asks whether a visa is needed
timezone = time zone = the user asks which time zone a place is in
exchange_rate = the user asks what one currency is worth in another
travel_suggestion = the user asks what to see or do somewhere
travel_alert = travel warning = the user asks whether a place is safe to travel to
vaccines = the user asks which shots a trip needs
lost_luggage = the user's bags are missing
book_flight = the user wants a flight
book_hotel = the user wants a hotel room
carry_on = carry on rules = the user asks what may go into hand luggage
car_rental = the user wants to rent a car
[utility]
weather = the user asks about the weather
alarm = the user wants to be woken at a time
date = the user asks which day it is
find_phone = the user cannot find the phone
share_location = the user wants to send their position to somebody
timer = the user wants a timer set
make_call = the user wants to phone somebody
calculator = calculation = the user wants numbers worked out
definition = the user asks what a word means
measurement_conversion = unit conversion = the user asks what a measure is in other units
flip_coin = the user wants a coin tossed
spelling = the user asks how a word is spelled
time = the user asks what time it is
roll_dice = the user wants dice rolled
text = send text = the user wants a text message sent
[work]
pto_request_status = leave request status = the user asks whether asked-for time off was approved
next_holiday = the user asks when the next public holiday is
insurance_change = change insurance = the user wants other insurance
insurance = the user asks about the insurance they have
meeting_schedule = meetings today = the user asks which meetings they have
payday = the user asks when wages are paid
taxes = the user asks about taxes
income = the user asks how much they earn
rollover_401k = pension rollover = the user wants to move a retirement account
pto_balance = leave balance = the user asks how much time off is left
pto_request = ask for leave = the user wants time off
w2 = tax form = the user asks for the yearly wage form
schedule_meeting = the user wants a meeting set up
direct_deposit = the user wants wages paid into an account
pto_used = leave taken = the user asks how much time off they have taken
[small talk]
who_made_you = the user asks who built the assistant
meaning_of_life = the user asks what life is for
who_do_you_work_for = the user asks whom the assistant works for
do_you_have_pets = the user asks whether the assistant has animals
what_are_your_hobbies = your hobbies = the user asks what the assistant likes to do
fun_fact = the user wants to hear something curious
what_is_your_name = your name = the user asks what the assistant is called
where_are_you_from = the user asks where the assistant comes from
goodbye = the user says goodbye
thank_you = thanks = the user says thank you
greeting = the user says hello
tell_joke = the user wants a joke
are_you_a_bot = the user asks whether the assistant is a machine
how_old_are_you = your age = the user asks how old the assistant is
what_can_i_ask_you = what can i ask = the user asks what the assistant can do
[assistant settings]
change_speed = change speech speed = the user wants the assistant to talk faster or slower
user_name = my name = the user asks what the assistant calls them
whisper_mode = the user wants the assistant to whisper
yes = the user agrees
change_volume = the user wants the sound louder or quieter
no = the user disagrees
change_language = the user wants the assistant to use another language
repeat = the user wants the last words said again
change_accent = the user wants the assistant to speak with another accent
cancel = the user wants to stop what was begun
sync_device = the user wants a device paired or unpaired
change_user_name = change my name = the user wants to be called something else
change_ai_name = rename assistant = the user wants to give the assistant another name
reset_settings = the user wants all settings as they were at first
maybe = the user is not sure
""")
DOMAINS = {
    name: Intent(name, f"the request is about {name}")
    for name in dict.fromkeys(item.group for item in INTENTS.values())
}
DOMAIN = slot(
    "domain|area|department|topic|team|subject",
    "subject area of the request|which area does it belong to?|the team that should answer",
)


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows of unknown labels are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    folder = Path(path)
    parts = read_json(folder / "train_val.json")
    for part in sorted(parts):
        for number, (text, label) in enumerate(parts[part]):
            if not text.strip() or (label not in INTENTS and label != OUT_OF_SCOPE):
                tally["unknown intent or no text"] += 1
                continue
            draft = Draft(SOURCE, f"{part}/{number:05d}", text.strip().lower(), "assistant request", text, "request")
            if label == OUT_OF_SCOPE:
                _ask_out_of_scope(draft)
            else:
                _ask(draft, label)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, label: str) -> None:
    rng = draft.rng
    if rng.random() < 0.85:
        ask_intent(draft, INTENTS, label, high=20)
    if rng.random() < 0.3:
        ask_intent(draft, DOMAINS, INTENTS[label].group, item=DOMAIN, high=10)
    if not draft.fields or rng.random() < 0.3:
        ask_yes_no(draft, INTENTS, label)


def _ask_out_of_scope(draft: Draft) -> None:
    """Nothing fits: the last resort is right among any labels, and every yes/no is no."""
    rng = draft.rng
    labels = rng.sample(sorted(INTENTS), rng.randint(2, 12))
    options = [pair for pair in worded([INTENTS[label] for label in labels], rng) if isinstance(pair[0], str)]
    other = spell(rng.choice((*OTHER, "out of scope", "not supported")), rng.choice(("snake", "spaced", "title")))
    if len(options) >= 2 and other not in [value for value, _ in options]:
        intent = slot("intent|category|label|skill", "which of these does the user want?|intent of the request")
        draft.choose(intent, [*options, (other, None)], other)
    item = INTENTS[rng.choice(labels)]
    draft.decide(slot(f"is {item.words}", f"is the request about {item.words}?"), answer=False)
