"""Wordings of help desk messages: problems by category, moods, urgency, wishes."""

from __future__ import annotations

from deg_core.datagen.documents.builder import Labels, Statements

PROBLEMS: dict[str, tuple[str, ...]] = {
    "billing": (
        "<I was charged|You took|My card shows> {charged} <instead of|when it should be|although we had agreed on> "
        "{expected}<| on invoice {invoice_no}>. ",
        "<The same amount|{charged}> has been <taken|debited> twice<| from my account>. ",
        "Invoice {invoice_no} <lists|has> {charged}, <but my plan costs|the price on your site was> {expected}. ",
        "I do not understand <the position|the extra> of {charged} on <my last bill|invoice {invoice_no}>. ",
        "<There is|I see> a <fee|charge> on my <statement|bill> that nobody can explain to me. ",
        "<My last bill|Your last bill> is <simply |>wrong. ",
    ),
    "delivery": (
        "<My parcel|The {product}> <has not come|never arrived>, <the tracking|parcel no.> {tracking_no} <has not "
        "moved for days|says delivered, yet nothing is here>. ",
        "<It was promised for|You promised delivery on> {promised_date} and <I am still waiting|nothing came>. ",
        "<I ordered|My order was for> {quantity} {product} and <only one was in the box|the box was empty>. ",
        "The courier <left the package|put it> <in the rain|with a neighbour who is away|at the wrong house>. ",
        "<I have waited|I've been waiting> {waiting_days} days for <my {product}|the parcel>. ",
        "You sent <me |>a {product} in the wrong <size|colour>. ",
        "Where is my {product}? ",
    ),
    "defect": (
        "The {product} <stopped working|broke|died> <on {problem_date}|after a week|the second time we used it>. ",
        "<My|The> {product}<|, serial {serial_no},> <makes a grinding noise|does not switch on|leaks|overheats>. ",
        "The {product} <shows|keeps showing> error {error_code} and <switches itself off|nothing helps>. ",
        "<It|The {product}> arrived <with a crack|damaged|scratched all over>. ",
        "{quantity} of the {product} <are faulty|do not work>. ",
        "The <hinge|battery|handle|display> of the {product} has <snapped|come off|gone dark>. ",
    ),
    "login": (
        "I cannot <log in|sign in|get into my account><|, it says {error_code}>. ",
        "<My password is refused|The reset mail never comes><| since {problem_date}>. ",
        "Your site <says|claims> my account {customer_no} is locked. ",
        "The code you text me <does not arrive|is always wrong>, so I am shut out<| of my account>. ",
    ),
    "cancel": (
        "<I want to|Please let me|I would like to> <end|stop|terminate> <my subscription|the {plan} plan|our "
        "contract>. ",
        "<Please cancel|Cancel> order {order_no}<|, I no longer need the {product}>. ",
        "<We are moving|I hardly use it>, so I <give notice for|am ending> <my contract|the {plan} plan>. ",
    ),
    "howto": (
        "How <do I|can I> <connect|pair|set up> the {product}<| with my telephone| with a second screen>? ",
        "Which <cleaner|battery|cable> <fits|is right for> the {product}? ",
        "Is there a <manual|guide> for the {product}<| in French>? ",
        "<I cannot find|Where is> the setting for <the language|night mode> <on|in> the {product}. ",
        "Does the {product} also work <with the {plan} plan|abroad|without an app>? ",
    ),
    "praise": (
        "<I just wanted to say|A quick note>: the {product} is <wonderful|a joy|excellent>. ",
        "{agent_name} <was so helpful|sorted everything out in minutes>. ",
        "<Great service|What a lovely surprise>, the {product} came <a day early|with a handwritten card>. ",
        "<We love|The whole family loves> the {product}. ",
    ),
    "wish": (
        "<It would be great|Would you consider it|Could you make it possible> if the {product} <came in green|had a "
        "longer cable|had a dark mode>. ",
        "<An idea|A suggestion>: <sell refills|offer a bigger size|add a search box> for the {product}. ",
        "<I miss|What I miss is> a way to <sort my orders|export the figures|mute the {product}>. ",
    ),
    "outage": (
        "<Nothing works|Everything is down|The service is dead> since {problem_date}<|, we get {error_code}>. ",
        "Our whole <office|shop> is <offline|without service><| on the {plan} plan>. ",
        "The <site|app|line> has been down <all morning|for hours>, for all {quantity} of us. ",
        "We cannot reach <any of your servers|the service> at all<|; the page shows {error_code}>. ",
    ),
    "privacy": (
        "<Please delete|I want you to erase> <all my data|everything you hold about me>. ",
        "Which <data|information> do you <keep|hold> about <me|customer {customer_no}>? ",
        "<I never agreed to|Stop sending me> your newsletter, <please remove my address|take my data off the list>. ",
    ),
    "address": (
        "<We have moved|I have a new address>: {sender_address}. ",
        "Please change <my name|the bank details> on account {customer_no}. ",
        "<My new telephone number is|You have an old number for me, the right one is> {sender_phone}. ",
    ),
}

MOODS: dict[str, tuple[str, ...]] = {
    "angry": (
        "<This is outrageous!|THIS IS A DISGRACE.|I am absolutely furious.|How dare you treat people like this!> ",
        "<I have had enough of you lot!|What kind of clowns work there?!|Unbelievable!!! Nobody cares!> ",
        "<You should be ashamed.|I am sick of your excuses!> ",
    ),
    "annoyed": (
        "<This is rather disappointing.|I am not pleased.|That is not what I expect from you.> ",
        "<It is getting tiresome.|Honestly, this could have been avoided.|I had expected better.> ",
        "<I find this annoying.|A little more care would not hurt.> ",
    ),
    "neutral": (
        "<For your information.|Details below.|> ",
        "<I am writing about the following.|This concerns the matter named above.> ",
        "<Please see below.|> ",
    ),
    "friendly": (
        "<You have always been so helpful, thank you!|I know you are busy, so take heart!|Hope you are all well.> ",
        "<Thanks a million in advance, you lovely people.|I'm sure we'll sort it out together :)> ",
        "<No hard feelings, these things happen.|Warm greetings to the team!> ",
    ),
    "worried": (
        "<I am really afraid of losing everything.|I hardly slept because of this.|I am so worried.> ",
        "<What if it happens again? It frightens me.|Please tell me my money is safe, I am scared.> ",
    ),
    "joking": (
        "<My cat could pack better, and she has no thumbs.|I am growing a beard while I wait, and I am a woman of "
        "seventy.> ",
        "<If it gets any slower it will go backwards, ha ha.|At this point it is a very expensive paperweight, but my "
        "paper has never been so calm.> ",
    ),
}

LABELS: Labels = {
    "order_no": {"en": ("Order", "Order no.", "Order number", "Order ID", "Order #")},
    "ticket_no": {"en": ("Ticket", "Case", "Ticket ID", "Case no.")},
    "customer_no": {"en": ("Customer no.", "Account", "Customer ID", "My account")},
    "serial_no": {"en": ("Serial", "S/N", "Serial no.")},
    "tracking_no": {"en": ("Tracking", "Parcel no.", "Shipment")},
    "invoice_no": {"en": ("Invoice", "Bill no.")},
    "error_code": {"en": ("Error", "Error code", "Code shown")},
    "product": {"en": ("Product", "Item", "Article", "Regarding")},
    "plan": {"en": ("Plan", "Subscription", "Tariff")},
    "quantity": {"en": ("Pieces affected", "Units affected")},
    "charged": {"en": ("Amount charged", "Charged")},
    "expected": {"en": ("Agreed price", "Should be")},
    "refund_amount": {"en": ("Refund requested", "Claim")},
    "price": {"en": ("Price paid", "Purchase price")},
    "order_date": {"en": ("Ordered on", "Order date", "Bought")},
    "delivery_date": {"en": ("Delivered", "Arrived on")},
    "promised_date": {"en": ("Promised for", "Announced delivery")},
    "problem_date": {"en": ("Since", "Problem since")},
    "deadline": {"en": ("Answer needed by", "Deadline")},
    "sent_date": {"en": ("Date", "Sent", "Received")},
    "sender_name": {"en": ("Name", "Customer", "From", "Contact name")},
    "sender_email": {"en": ("E-mail", "Email", "Reply to")},
    "sender_phone": {"en": ("Phone", "Tel.", "Call me on")},
    "sender_company": {"en": ("Company", "Organisation")},
    "sender_city": {"en": ("City", "Town")},
    "sender_address": {"en": ("Address", "Postal address")},
    "agent_name": {"en": ("Assigned to", "Agent", "Handled by")},
    "desk_email": {"en": ("To", "Mailbox")},
    "desk_name": {"en": ("Shop", "Brand", "Provider")},
    "desk_phone": {"en": ("Hotline", "Our line")},
    "waiting_days": {"en": ("Days waiting",)},
}

STATEMENTS: Statements = {
    "wish": {
        "refund": {
            "en": (
                "<I want my money back|Please refund me|Refund me> <in full|{refund_amount}|the {charged}>. ",
                "<Please pay back|I expect you to return> {refund_amount}. ",
                "<All I want is a refund.|Just give me my money back.>",
            )
        },
        "replace": {
            "en": (
                "<Please send me|I would like|Send> <a new one|another one|a working one><| instead>.",
                "Can you <exchange|swap> it<| for one that works>?",
            )
        },
        "repair": {
            "en": (
                "<Can you|Could somebody> <mend|repair|fix> it<|, please>?",
                "I would like to have it <repaired|mended><| rather than get a new one>.",
            )
        },
        "info": {
            "en": (
                "<Could you explain that to me?|I would just like to know what is going on.|A short explanation is "
                "enough.>",
                "Please <let me know|tell me> <how this can be|what the facts are>.",
            )
        },
        "call": {
            "en": (
                "<Please ring me|Call me|Can somebody phone me><| on {sender_phone}>.",
                "<I would rather talk about it|It is easier to explain by phone>: {sender_phone}.",
            )
        },
        "cancel": {
            "en": (
                "<Please confirm the end of the contract|Please cancel everything>.",
                "<I want out|I want to cancel>.",
            )
        },
        "discount": {
            "en": (
                "<Something off the next bill would be fair.|I think a discount is in order.|What can you take off "
                "the price for the trouble?>",
            )
        },
        "none": {"en": ("<You need not do anything.|No reply needed.|Nothing to be done on your side.>",)},
    },
    "urgency": {
        0: {"en": ("<There is no hurry at all.|Whenever you find the time.|It can wait, really.|Take your time.>",)},
        1: {
            "en": (
                "<I'd be glad to hear from you in the next couple of weeks.|In the normal run of things is fine.|Some "
                "time this month would be good.>",
            )
        },
        2: {
            "en": (
                "<I need this settled this week.|Please see to it in the next few days.|It should be done before the "
                "weekend.|Please settle this by {deadline}.>",
            )
        },
        3: {
            "en": (
                "<I need an answer by tomorrow.|It has to be sorted today or tomorrow at the latest.|Please reply "
                "within 24 hours.>",
            )
        },
        4: {
            "en": (
                "<This is an emergency, act now!|Drop everything, we are losing money by the minute.|I need help "
                "RIGHT NOW.|URGENT: people are standing here and cannot work.>",
            )
        },
    },
    "satisfaction": {
        0: {"en": ("<The worst company I ever dealt with.|One star is too many.|I regret every penny.>",)},
        1: {"en": ("<All in all I am not satisfied.|Not good enough.|My impression of you is rather poor.>",)},
        2: {"en": ("<It is neither good nor bad.|I have no opinion of your shop yet.|So far it has been average.>",)},
        3: {"en": ("<Otherwise I am quite happy with you.|On the whole I am satisfied.|By and large a good shop.>",)},
        4: {"en": ("<Best shop in the world.|I could not be happier.|Ten out of ten, I tell everybody about you.>",)},
    },
    "angry": {
        True: {"en": ("<I am angry, and rightly so.|You have made me very angry.|I am boiling.>",)},
        False: {"en": ("<I am not cross, by the way.|Don't worry, I am not angry.|I stay calm.>",)},
    },
    "attachment": {
        True: {
            "en": (
                "<I have attached a photo.|A picture is attached.|See the attached screenshot.|Find the receipt in "
                "the attachment.|PFA the invoice.>",
            )
        },
        False: {
            "en": (
                "<I can send photos if you need them.|Shall I send a picture?|Sorry, I have no photo.|My scanner is "
                "broken, so no papers with this.>",
            )
        },
    },
    "contacted": {
        True: {
            "en": (
                "<This is my third mail about it|I wrote to you last week already|I have called twice before>, <but "
                "nobody answered|with no result so far|and nothing happened>.",
                "<As I told your colleague on the phone|As I wrote before>, I need help with this.",
            )
        },
        False: {
            "en": (
                "<This is the first time I write to you.|I have not told anybody about it yet.|I have never contacted "
                "you before.>",
            )
        },
    },
    "legal": {
        True: {
            "en": (
                "<My lawyer will write next.|Otherwise I go to court.|I will report you to the consumer "
                "authority.|You will hear from my solicitor.>",
            )
        },
        False: {
            "en": (
                "<I do not want to make a legal matter of it.|Let us settle this between us.|There is no need "
                "for lawyers here.>",
            )
        },
    },
    "leaving": {
        True: {
            "en": (
                "<If this goes on I will buy elsewhere.|Your rival {rival} already sent me an offer, and I'll "
                "take it.|I am switching to somebody else.|You are about to lose a customer.>",
            )
        },
        False: {
            "en": ("<I'll stay with you, of course.|You keep me as a customer.|I have no plans to go anywhere else.>",)
        },
    },
    "callback": {
        True: {"en": ("<Please call me back.|Give me a ring.|Could somebody phone me, please?|Kindly call.>",)},
        False: {
            "en": ("<Please answer by mail only.|Do not call, I am at work.|No calls please.|An e-mail will do.>",)
        },
    },
    "solved": {
        True: {
            "en": (
                "<Update: it works again, thanks.|In the meantime the matter is settled.|You may close the "
                "ticket, all is fine now.>",
            )
        },
        False: {"en": ("<It is still not settled.|The matter is open as before.|So far nothing has been solved.>",)},
    },
    "warranty": {
        True: {
            "en": (
                "<It is still under warranty.|The guarantee has not run out yet.|I am within the two-year guarantee.>",
            )
        },
        False: {
            "en": ("<I know the warranty is over.|The guarantee ran out last year.|It is out of warranty, sadly.>",)
        },
    },
}
