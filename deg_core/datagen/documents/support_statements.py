"""Sentences that state what holds for a message to a help desk: wishes, urgency, satisfaction, threats, promises."""

from __future__ import annotations

from collections.abc import Sequence

from deg_core.datagen.documents.builder import Statements


def _english(*wordings: str) -> dict[str, Sequence[str]]:
    return {"en": wordings}


STATEMENTS: Statements = {
    "wish": {
        "refund": _english(
            "<I want my money back|Please refund me|Refund me> <in full|{refund_amount}|the {charged}>. ",
            "<Please pay back|I expect you to return> {refund_amount}. ",
            "<All I want is a refund.|Just give me my money back.>",
            "<Kindly send the sum back to my card.|You may keep the thing, but not my money: pay it back.>",
            "<I'd like to be reimbursed.|Please credit what I paid to the account I paid from.>",
        ),
        "replace": _english(
            "<Please send me|I would like|Send> <a new one|another one|a working one><| instead>.",
            "Can you <exchange|swap> it<| for one that works>?",
            "<A fresh one in its place would settle the matter.|I need another of the same kind.>",
            "<Money is not what I am after, I need one that works, so ship one.|Please replace it.>",
        ),
        "repair": _english(
            "<Can you|Could somebody> <mend|repair|fix> it<|, please>?",
            "I would like to have it <repaired|mended><| rather than get a new one>.",
            "<I am attached to it, so please put it right.|Where can I bring it so that it gets mended?>",
            "<Please send a technician to put it in order.|I hope your workshop can bring it back to life.>",
        ),
        "info": _english(
            "<Could you explain that to me?|I would just like to know what is going on.|A short note will do.>",
            "Please <let me know|tell me> <how this can be|what the facts are>.",
            "<What is the reason?|How come?|I am only asking for clarity.>",
            "<I need nothing but an answer.|Shed some light on it, please.>",
        ),
        "call": _english(
            "<Please ring me|Call me|Can somebody phone me><| on {sender_phone}>.",
            "<I would rather talk about it|It is easier to explain by phone>: {sender_phone}.",
            "<Let us talk on the telephone.|I'd like to hear a human voice, so please ring.>",
        ),
        "cancel": _english(
            "<Please confirm the end of the contract|Please cancel everything>.",
            "<I want out|I want to cancel>.",
            "<Consider this my notice.|Please close the account.>",
        ),
        "discount": _english(
            "<Something off the next bill would be fair.|I think a discount is in order.>",
            "<What can you take off the price for the trouble?|A voucher for the bother would be nice.>",
            "<I shall keep it if you meet me on the price.|Knock a bit off and we are friends again.>",
        ),
        "none": _english(
            "<You need not do anything.|No reply needed.|Nothing to be done on your side.>",
            "<I ask for nothing, I only wanted to tell you.|No action required.>",
            "<This is just for your ears.|Do not trouble to answer.>",
        ),
    },
    "urgency": {
        0: _english(
            "<There is no hurry at all.|Whenever you find the time.|It can wait, really.|Take your time.>",
            "<Next month is soon enough.|I am not pressed.|Put it at the bottom of the pile if you like.>",
            "<It has waited a year, it can wait another.|Anytime is fine.>",
        ),
        1: _english(
            "<I'd be glad to hear from you in the next couple of weeks.|In the normal run of things is fine.>",
            "<Some time this month would be good.|Please deal with it when its turn comes.>",
            "<A reply within a fortnight or so would be kind.|No rush, but please don't forget it.>",
        ),
        2: _english(
            "<I need this settled this week.|Please see to it in the next few days.>",
            "<It should be done before the weekend.|Please settle this by {deadline}.>",
            "<We can manage for three or four days, not longer.|By the end of the week it must work.>",
        ),
        3: _english(
            "<I need an answer by tomorrow.|It has to be sorted today or tomorrow at the latest.>",
            "<Please reply within 24 hours.|Tomorrow noon is the latest for me.>",
            "<I travel the day after tomorrow, so please today or tomorrow.|A day, no more.>",
        ),
        4: _english(
            "<This is an emergency, act now!|Drop everything, we are losing money by the minute.>",
            "<I need help RIGHT NOW.|URGENT: people are standing here and cannot work.>",
            "<Every second counts.|Please, this very minute!|Not in an hour: immediately.>",
        ),
    },
    "satisfaction": {
        0: _english(
            "<The worst company I ever dealt with.|One star is too many.|I regret every penny.>",
            "<A complete let-down from start to finish.|I have never been treated so badly.>",
        ),
        1: _english(
            "<All in all I am not satisfied.|Not good enough.|My impression of you is rather poor.>",
            "<I leave with a bad taste.|It falls short of what was promised.>",
        ),
        2: _english(
            "<It is neither good nor bad.|I have no opinion of your shop yet.|So far it has been average.>",
            "<Some things are fine, others are not.|Middling, I would say.>",
        ),
        3: _english(
            "<Otherwise I am quite happy with you.|On the whole I am satisfied.|By and large a good shop.>",
            "<Apart from trifles I am content.|You usually do well.>",
        ),
        4: _english(
            "<Best shop in the world.|I could not be happier.|Ten out of ten, I tell everybody about you.>",
            "<You have a fan for life.|Flawless, as ever.>",
        ),
    },
    "angry": {
        True: _english(
            "<I am angry, and rightly so.|You have made me very angry.|I am boiling.>",
            "<Steam is coming out of my ears.|I could scream.>",
        ),
        False: _english(
            "<I am not cross, by the way.|Don't worry, I am not angry.|I stay calm.>",
            "<I bear no grudge.|No anger on my side.>",
        ),
    },
    "attachment": {
        True: _english(
            "<I have attached a photo.|A picture is attached.|See the attached screenshot.>",
            "<Find the receipt in the attachment.|PFA the invoice.|The scan comes with this mail.>",
            "<Enclosed is a copy of the label.|I am adding two pictures to this message.>",
        ),
        False: _english(
            "<I can send photos if you need them.|Shall I send a picture?|Sorry, I have no photo.>",
            "<My scanner is broken, so no papers with this.|I'll mail the receipt once I find it.>",
            "<I forgot to take a picture.|The papers follow by post next week.>",
        ),
    },
    "contacted": {
        True: _english(
            "<This is my third mail about it|I wrote to you last week already|I have called twice before>, "
            "<but nobody answered|with no result so far|and nothing happened>.",
            "<As I told your colleague on the phone|As I wrote before>, I need help with this.",
            "<My earlier message seems to be lost.|Once more I turn to you in the same matter.>",
            "<Nobody has come back to me since my first mail.|I am still waiting for a reply to my letter.>",
        ),
        False: _english(
            "<This is the first time I write to you.|I have not told anybody about it yet.>",
            "<I have never contacted you before.|Until today I have not bothered you with it.>",
        ),
    },
    "legal": {
        True: _english(
            "<My lawyer will write next.|Otherwise I go to court.|You will hear from my solicitor.>",
            "<I will report you to the consumer authority.|The ombudsman already has a copy.>",
            "<See you before the judge, then.|I shall take legal steps.>",
        ),
        False: _english(
            "<I do not want to make a legal matter of it.|Let us settle this between us.>",
            "<There is no need for lawyers here.|Courts are the last thing I think of.>",
        ),
    },
    "leaving": {
        True: _english(
            "<If this goes on I will buy elsewhere.|I am switching to somebody else.>",
            "<Your rival {rival} already sent me an offer, and I'll take it.|You are about to lose a customer.>",
            "<That was my last order.|From now on I take my business to {rival}.>",
        ),
        False: _english(
            "<I'll stay with you, of course.|You keep me as a customer.>",
            "<I have no plans to go anywhere else.|I shall order from you again.>",
        ),
    },
    "callback": {
        True: _english(
            "<Please call me back.|Give me a ring.|Could somebody phone me, please?|Kindly call.>",
            "<I am best reached by telephone after five, so try then.|Ring me whenever it suits you.>",
        ),
        False: _english(
            "<Please answer by mail only.|Do not call, I am at work.|No calls please.|An e-mail will do.>",
            "<I do not like the telephone, so write.|In writing, please.>",
        ),
    },
    "solved": {
        True: _english(
            "<Update: it works again, thanks.|In the meantime the matter is settled.>",
            "<You may close the ticket, all is fine now.|Your colleague has just put it right.>",
        ),
        False: _english(
            "<It is still not settled.|The matter is open as before.|So far nothing has been solved.>",
            "<Nothing has changed since.|The trouble goes on.>",
        ),
    },
    "warranty": {
        True: _english(
            "<It is still under warranty.|The guarantee has not run out yet.>",
            "<I am within the two-year guarantee.|The warranty card is valid for months to come.>",
        ),
        False: _english(
            "<I know the warranty is over.|The guarantee ran out last year.|It is out of warranty, sadly.>",
            "<It is long past the guarantee.|The two years are over, I admit.>",
        ),
    },
}
