"""Wordings of help desk messages: problems by category, moods, urgency, wishes."""

from __future__ import annotations

from deg_core.datagen.documents.builder import Labels

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
        "The <site|app|line> has been down <all morning|for hours>, for all of us. ",
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
