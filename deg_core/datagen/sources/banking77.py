"""Banking77: questions to an online bank, one of 77 intents each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import ask_intent, ask_yes_no, parse_intents
from deg_core.datagen.raw import Tally, table
from deg_core.records.record import Record

SOURCE = "banking77"

INTENTS = parse_intents("""
[cards]
card_arrival = the customer waits for an ordered card that has not come
card_delivery_estimate = the customer asks how long a new card takes to come
card_linking = the customer wants a card they hold, or found again, in the app
card_not_working = the customer's card does not work at all
card_acceptance = the customer asks where the card can be used
card_about_to_expire = the customer's card runs out soon
card_swallowed = a cash machine has kept the card
activate_my_card = the customer wants to switch on a new card
compromised_card = somebody else seems to use the customer's card details
lost_or_stolen_card = the customer's card is gone
contactless_not_working = paying by tapping the card fails
getting_spare_card = the customer wants a second card, also for somebody else
order_physical_card = the customer asks how to get a plastic card sent
get_physical_card = find card pin = the customer asks where to find the PIN of the card
visa_or_mastercard = the customer asks which card network they can have
virtual_card_not_working = the customer's virtual card is refused
getting_virtual_card = the customer wants a virtual card
get_disposable_virtual_card = the customer wants a virtual card for single use
disposable_card_limits = the customer asks how many throw-away cards or payments are allowed
apple_pay_or_google_pay = the customer wants to pay with a phone wallet
[PIN and access]
change_pin = the customer wants another PIN
pin_blocked = too many wrong PINs were entered
passcode_forgotten = the customer cannot get into the app without the passcode
lost_or_stolen_phone = the customer's phone is gone
[card payments]
card_payment_fee_charged = the customer was charged a fee for paying by card
card_payment_not_recognised = there is a card payment the customer did not make
card_payment_wrong_exchange_rate = a purchase in another currency was converted at a wrong rate
declined_card_payment = a card payment was refused
pending_card_payment = a card payment is still shown as pending
reverted_card_payment? = a card payment was undone and the money came back
transaction_charged_twice = the same payment was taken two times
extra_charge_on_statement = the statement shows a small charge the customer cannot explain
request_refund = the customer wants money for a purchase back
Refund_not_showing_up = a promised refund is not in the account
direct_debit_payment_not_recognised = there is a direct debit the customer did not agree to
[cash]
atm_support = the customer asks which cash machines can be used
cash_withdrawal_charge = the customer was charged for taking out cash
cash_withdrawal_not_recognised = there is a cash withdrawal the customer did not make
declined_cash_withdrawal = the cash machine refused to pay out
pending_cash_withdrawal = a cash withdrawal is still shown as pending
wrong_amount_of_cash_received = the machine paid out less or more than was asked for
wrong_exchange_rate_for_cash_withdrawal = cash abroad was converted at a wrong rate
[top-ups]
automatic_top_up = the customer asks about adding money automatically
pending_top_up = money added is still shown as pending
top_up_by_bank_transfer_charge = the customer asks what adding money by bank transfer costs
top_up_by_card_charge = the customer asks what adding money by card costs
top_up_by_cash_or_cheque = the customer wants to add money with cash or a cheque
top_up_failed = adding money did not work
top_up_limits = the customer asks how much money can be added
top_up_reverted = money that was added was taken back
topping_up_by_card = the customer wants to add money with a card
verify_top_up = the customer asks about a code that confirms adding money
[transfers]
balance_not_updated_after_bank_transfer = a transfer was made but the balance is the same
balance_not_updated_after_cheque_or_cash_deposit = paid-in cash or cheque is not in the balance
beneficiary_not_allowed = the bank does not let the customer pay this receiver
cancel_transfer = the customer wants to stop a transfer already made
declined_transfer = a transfer was refused
failed_transfer = a transfer did not go through for no known reason
pending_transfer = a transfer is still shown as pending
receiving_money = the customer asks how to get money or a salary paid in
transfer_fee_charged = the customer was charged for a transfer
transfer_into_account = the customer asks how to move money into the account
transfer_not_received_by_recipient = the receiver says that the money has not come
transfer_timing = the customer asks how long a transfer takes
[currencies and countries]
exchange_charge = the customer asks what changing currencies costs
exchange_rate = the customer asks which rate is used and how it is set
exchange_via_app = the customer wants to change currencies in the app
fiat_currency_support = the customer asks which currencies can be held and exchanged
supported_cards_and_currencies = the customer asks which cards or currencies can be used to add money
country_support = the customer asks in which countries the bank works
[identity and account]
age_limit = the customer asks how old one must be
edit_personal_details = the customer wants to change a name, address or other detail
terminate_account = the customer wants to close the account
unable_to_verify_identity = proving who they are does not work
verify_my_identity = the customer asks how to prove who they are
verify_source_of_funds = the customer asks about showing where money comes from
why_verify_identity = the customer asks why they must prove who they are
""")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows of unknown labels are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(table(Path(path) / "train.csv")):
        text, label = row["text"].strip(), row["category"]
        if label not in INTENTS or not text:
            tally["unknown intent or no text"] += 1
            continue
        draft = Draft(SOURCE, f"{number:05d}", text.lower(), "banking support", text, "message")
        if draft.rng.random() < 0.85:
            ask_intent(draft, INTENTS, label, high=20)
        if not draft.fields or draft.rng.random() < 0.4:
            ask_yes_no(draft, INTENTS, label)
        record = draft.record()
        if record is not None:
            yield record
