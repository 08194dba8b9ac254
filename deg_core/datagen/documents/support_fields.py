"""What a message to a help desk can be asked."""

from __future__ import annotations

from deg_core.datagen.documents.fields import Field, Option, Pool

_IDS = ("ticket_no", "order_no", "customer_no", "serial_no", "tracking_no", "invoice_no")
_DAYS = ("order_date", "delivery_date", "problem_date", "deadline", "sent_date", "promised_date")
_AMOUNTS = ("charged", "expected", "refund_amount", "price")

_FACTS = (
    Field(key="sender_name", type="string", names=("sender name", "customer name", "sender", "from name", "writer"), vague=("name",), de=("Absender",),
          nouns=("name of the customer who writes", "who wrote the message"), near=("agent_name",), group="sender", weight=2),
    Field(key="sender_email", type="email", names=("sender email", "customer email", "reply address"), vague=("email",), de=("Absender E Mail",),
          nouns=("e-mail address of the customer",), near=("desk_email",), group="sender", weight=1.4),
    Field(key="sender_phone", type="string", names=("phone", "callback number", "customer phone"), de=("Telefon",), nouns=("telephone number of the customer",),
          hints=("Number on which the customer can be reached",), near=("desk_phone", "order_no", "customer_no"), group="sender", weight=1.3),
    Field(key="sender_company", type="string", names=("company", "customer company", "organisation"), de=("Firma",), nouns=("company the customer writes for",), near=("desk_name",), group="sender"),
    Field(key="sender_city", type="string", names=("city", "customer city", "location"), de=("Ort",), nouns=("town of the customer",), near=("sender_company", "desk_name"), group="sender", weight=0.8),
    Field(key="sender_address", type="string", implied_by=('sender_street',), names=("delivery address", "customer address"), vague=("address",), nouns=("postal address of the customer",), near=("sender_city", "sender_email"), group="sender", weight=0.8),
    Field(key="agent_name", type="string", names=("agent", "agent name", "support agent", "addressed to"), de=("Sachbearbeiter",), nouns=("name of the person at the help desk", "member of staff who is named"),
          near=("sender_name",), group="desk", other_party=True, weight=1.2),
    Field(key="desk_email", type="email", names=("support email", "recipient email", "sent to"), nouns=("e-mail address of the help desk",), near=("sender_email",), group="desk", other_party=True),
    Field(key="desk_name", type="string", names=("shop", "company addressed", "provider", "seller"), nouns=("company the message is sent to",), near=("sender_company", "agent_name"), group="desk", other_party=True, weight=1.2),
    Field(key="desk_phone", type="string", names=("support phone", "hotline"), nouns=("telephone number of the help desk",), near=("sender_phone",), group="desk", other_party=True, weight=0.8),
    Field(key="order_no", type="string", names=("order number", "order id", "order no"), vague=("number", "reference"), de=("Bestellnummer",), nouns=("number of the order",), near=_IDS, weight=2),
    Field(key="ticket_no", type="string", names=("ticket number", "case id", "ticket id"), vague=("reference",), de=("Ticketnummer",), nouns=("number of the support ticket",), near=_IDS, weight=1.3),
    Field(key="customer_no", type="string", names=("customer number", "account number", "customer id"), vague=("account",), de=("Kundennummer",), nouns=("customer number",), near=_IDS, weight=1.2),
    Field(key="serial_no", type="string", names=("serial number", "device serial", "serial no"), de=("Seriennummer",), nouns=("serial number of the device",), near=_IDS),
    Field(key="tracking_no", type="string", names=("tracking number", "parcel number", "shipment id"), de=("Sendungsnummer",), nouns=("tracking number of the parcel",), near=_IDS),
    Field(key="invoice_no", type="string", names=("invoice number", "bill number"), de=("Rechnungsnummer",), nouns=("number of the invoice that is mentioned",), near=_IDS),
    Field(key="error_code", type="string", names=("error code", "error message code", "error"), de=("Fehlercode",), nouns=("error code that is shown",), near=("order_no", "serial_no", "ticket_no")),
    Field(key="product", type="string", names=("product", "product name", "item", "article"), de=("Produkt", "Artikel"), nouns=("product the message is about",), near=("desk_name", "plan"), weight=1.8),
    Field(key="plan", type="string", names=("plan", "subscription", "tariff"), de=("Tarif",), nouns=("plan or subscription the customer has",), near=("product",), weight=0.8),
    Field(key="quantity", type="integer", names=("quantity", "units affected", "number of pieces"), nouns=("how many pieces are affected",), near=("waiting_days", "charged"), weight=0.8),
    Field(key="waiting_days", type="integer", names=("days waiting", "waiting days"), nouns=("number of days the customer has waited",), near=("quantity",), weight=0.8),
    Field(key="charged", type="number", names=("amount charged", "charged amount", "amount billed"), vague=("amount",), nouns=("amount that was charged",), near=_AMOUNTS, weight=1.3),
    Field(key="expected", type="number", names=("amount expected", "correct amount", "agreed price"), vague=("amount",), nouns=("amount that should have been charged",), near=_AMOUNTS),
    Field(key="refund_amount", type="number", names=("refund amount", "refund requested", "amount claimed"), vague=("amount",), nouns=("amount the customer wants back",), near=_AMOUNTS),
    Field(key="price", type="number", names=("price paid", "purchase price", "price"), nouns=("what the customer paid for the product",), near=_AMOUNTS),
    Field(key="order_date", type="date", names=("order date", "ordered on", "date of purchase"), de=("Bestelldatum",), nouns=("day of the order",), near=_DAYS, weight=1.3),
    Field(key="delivery_date", type="date", names=("delivery date", "delivered on", "arrival date"), de=("Lieferdatum",), nouns=("day on which the goods arrived",), near=_DAYS),
    Field(key="promised_date", type="date", names=("promised date", "announced delivery date"), nouns=("day for which delivery was promised",), near=_DAYS),
    Field(key="problem_date", type="date", names=("problem since", "incident date", "failed on"), nouns=("day on which the trouble began",), near=_DAYS),
    Field(key="deadline", type="date", names=("deadline", "answer by", "needed by"), de=("Frist",), nouns=("day by which the customer wants a solution",), hints=("Until when does the customer give us time?",), near=_DAYS, weight=1.3),
    Field(key="sent_date", type="date", names=("sent date", "message date", "date sent"), vague=("date",), nouns=("day on which the message was sent",), near=_DAYS),
)

_DECISIONS = (
    Field(key="category", type="choice", names=("category", "topic", "department", "issue type", "intent"), de=("Kategorie", "Abteilung"), nouns=("what the message is about", "subject of the request"), weight=3,
          options=(
              Option("billing", ("billing", "payments"), ("wrong charges, invoices, payments",)), Option("delivery", ("delivery", "shipping"), ("late, lost or wrong parcels",)),
              Option("defect", ("defect", "broken product", "warranty"), ("a product that does not work or arrived damaged",)), Option("login", ("account access", "login"), ("cannot sign in, password, locked account",)),
              Option("cancel", ("cancellation", "contract end"), ("ending a contract or an order",)), Option("howto", ("how-to question", "usage question"), ("how something is done or set up",)),
              Option("praise", ("praise", "compliment"), ("thanks and good words only",)), Option("wish", ("feature request", "suggestion"), ("an idea for improving the product",)),
              Option("outage", ("outage", "service down"), ("the service does not work for them at all",)), Option("privacy", ("privacy", "data protection"), ("access to or deletion of personal data",)),
              Option("address", ("change of details", "address change"), ("new address, name or bank details",)))),
    Field(key="wish", type="choice", names=("requested action", "customer wants", "desired resolution", "next step"), nouns=("what the customer asks for",), weight=2,
          options=(
              Option("refund", ("refund", "money back"), ("the money back",)), Option("replace", ("replacement", "exchange"), ("another, working piece",)), Option("repair", ("repair",), ("the same piece mended",)),
              Option("info", ("information", "an answer"), ("only an explanation",)), Option("call", ("call back", "phone call"), ("to be telephoned",)), Option("cancel", ("cancel", "termination"), ("the contract or order ended",)),
              Option("discount", ("discount", "compensation"), ("something off the price for the trouble",)), Option("none", ("nothing", "no action"), ("nothing needs to be done",)))),
    Field(key="tone", type="choice", names=("tone", "mood", "customer mood", "emotion"), de=("Stimmung",), nouns=("tone of the message", "mood of the writer"), weight=1.8,
          options=(
              Option("angry", ("angry", "furious"), ("shouts, accuses",)), Option("annoyed", ("annoyed", "irritated"), ("displeased but controlled",)), Option("neutral", ("neutral", "matter-of-fact"), ("plain, no feeling shown",)),
              Option("friendly", ("friendly", "kind"), ("warm and patient",)), Option("worried", ("worried", "anxious"), ("afraid of consequences",)), Option("joking", ("joking", "humorous"), ("makes light of it",)))),
    Field(key="urgency", type="scale", names=("urgency", "priority", "urgency level"), de=("Dringlichkeit",), nouns=("how urgent it is by the writer's words",), weight=2.2,
          levels=(("no hurry", "can wait"), ("soon", "in the normal run"), ("within days", "this week"), ("within a day", "today or tomorrow"), ("at once", "emergency, now"))),
    Field(key="satisfaction", type="scale", names=("satisfaction", "sentiment", "happiness"), nouns=("how satisfied the customer sounds",), weight=1.3,
          levels=(("very dissatisfied", "very negative"), ("dissatisfied", "negative"), ("neutral",), ("satisfied", "positive"), ("very satisfied", "very positive"))),
    Field(key="angry", type="boolean", names=("is angry", "customer angry", "angry"), nouns=("is the writer angry?",), weight=1.4),
    Field(key="attachment", type="boolean", names=("attachment mentioned", "has attachment", "photo attached"), nouns=("does the writer say that something is attached?",), weight=1.4),
    Field(key="contacted", type="boolean", implied_by=("ticket_no",), names=("contacted before", "repeat contact", "follow up"), nouns=("has the writer been in touch about this before?",), weight=1.3, unknown=True),
    Field(key="legal", type="boolean", names=("legal threat", "threatens legal action", "lawyer mentioned"), nouns=("does the writer threaten with lawyers or authorities?",), weight=1.2),
    Field(key="leaving", type="boolean", names=("churn risk", "threatens to leave"), nouns=("does the writer say they will go to another supplier?",), weight=1.2),
    Field(key="callback", type="boolean", names=("wants callback", "call requested"), nouns=("does the writer ask to be called?",), weight=1.1),
    Field(key="solved", type="boolean", names=("solved", "resolved"), nouns=("has the matter been settled already?",), weight=1.1),
    Field(key="warranty", type="boolean", names=("under warranty", "in warranty"), nouns=("is the product still under warranty, by the writer's words?",), unknown=True, weight=0.9),
)

POOL = Pool(fields=(*_FACTS, *_DECISIONS), groups={"sender": ("sender", "customer", "from", "contact"), "desk": ("recipient", "company", "support", "to")})
