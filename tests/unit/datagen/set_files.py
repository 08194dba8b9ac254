"""A few invented rows in the file format of each public data set, for the converters' tests."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Writer = Callable[[Path], None]


def put(path: Path, text: str, *, packed: bool = True) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if packed:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(text.encode("utf-8")))
    else:
        path.write_text(text, encoding="utf-8")


def rows_of(rows: Iterable[Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _csv(rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def restaurant8k(folder: Path) -> None:
    rows: list[dict[str, Any]] = []
    for number in range(12):
        text = f"A table for {number + 2} people on Friday, the name is Ilka Brandt"
        rows.append({
            "userInput": {"text": text},
            "context": {"requestedSlots": ["time"]},
            "labels": [
                {"slot": "people", "valueSpan": {"startIndex": 12, "endIndex": text.index(" on")}},
                {"slot": "date", "valueSpan": {"startIndex": text.index("Friday"), "endIndex": text.index(",")}},
                {"slot": "last_name", "valueSpan": {"startIndex": text.index("Brandt"), "endIndex": len(text)}},
            ],
        })  # fmt: skip
    rows.append({"userInput": {"text": "At eight"}, "labels": [{"slot": "time", "valueSpan": {"endIndex": 8}}]})
    rows.append({"userInput": {"text": "Bad"}, "labels": [{"slot": "time", "valueSpan": {"endIndex": 80}}]})
    put(folder / "train.json", json.dumps(rows))


def hwu64(folder: Path) -> None:
    rows = []
    for place in ("cellar", "attic", "garage", "hall", "shed", "loft"):
        text = f"make the lamp in the {place} brighter tonight"
        rows.append({
            "text": text,
            "intent": "iot_hue_lightup",
            "entities": [
                {"start": 21, "end": 21 + len(place), "value": place, "entity": "house_place"},
                {"start": len(text) - 7, "end": len(text), "value": "tonight", "entity": "timeofday"},
            ],
        })  # fmt: skip
    bad = {"text": "hm", "intent": "general_joke", "entities": [{"start": 0, "end": 9, "value": "x", "entity": "date"}]}
    put(folder / "train.jsonl", rows_of([*rows, bad, {"text": "what", "intent": "none_such", "entities": []}]))


def sgd(folder: Path) -> None:
    service = {
        "service_name": "Gardens_1",
        "description": "Book a garden",
        "slots": [
            {"name": "town", "description": "Town of the garden", "is_categorical": False, "possible_values": []},
            {"name": "visit_day", "description": "Day of the visit", "is_categorical": False, "possible_values": []},
            {"name": "has_pond", "description": "Is there a pond", "is_categorical": True,
             "possible_values": ["True", "False"]},
            {"name": "guests", "description": "How many come", "is_categorical": True,
             "possible_values": ["1", "2", "3"]},
            {"name": "season", "description": "Season", "is_categorical": True,
             "possible_values": ["spring", "summer"]},
        ],
        "intents": [
            {"name": "FindGarden", "description": "Find a garden to visit"},
            {"name": "BookGarden", "description": "Book a visit to a garden"},
        ],
    }  # fmt: skip
    other = {**service, "service_name": "Boats_1", "intents": [{"name": "RentBoat", "description": "Rent a boat"}]}
    dialogues = []
    for number in range(8):
        asked = "A garden in Ostwick please"
        offer = "There is one in Ostwick. When do you come?"
        reply = "On Monday, two of us, with a pond"
        state: dict[str, Any] = {"active_intent": "FindGarden", "slot_values": {"town": ["Ostwick"]}}
        later = {
            "active_intent": "BookGarden",
            "slot_values": {"town": ["Ostwick"], "visit_day": ["Monday", "monday"], "guests": ["2"],
                            "has_pond": ["True"], "season": ["dontcare"]},
        }  # fmt: skip
        dialogues.append({
            "dialogue_id": f"9_{number:05d}",
            "services": ["Gardens_1"],
            "turns": [
                {"speaker": "USER", "utterance": asked, "frames": [
                    {"service": "Gardens_1", "state": state, "slots": [
                        {"slot": "town", "start": 12, "exclusive_end": 19}]}]},
                {"speaker": "SYSTEM", "utterance": offer, "frames": [
                    {"service": "Gardens_1", "slots": [{"slot": "town", "start": 16, "exclusive_end": 23},
                                                       {"slot": "town", "start": 5, "exclusive_end": 999}]}]},
                {"speaker": "USER", "utterance": reply, "frames": [
                    {"service": "Gardens_1", "state": later, "slots": [
                        {"slot": "visit_day", "start": 3, "exclusive_end": 9}]}]},
            ],
        })  # fmt: skip
    put(folder / "train" / "dialogues_001.json", json.dumps(dialogues))
    put(folder / "train" / "schema.json", json.dumps([service, other]), packed=False)


def multidogo(folder: Path) -> None:
    said = {
        "airline": ("book me to oslo", "O O O arrival_city", "bookflight"),
        "fastfood": ("two green salads", "quantity food_item food_item", "ordersaladintent"),
        "finance": ("i lost my card", "O O O O", "reportlostcard"),
        "insurance": ("proof for my volvo", "O O O car_brand", "getproofofinsurance"),
        "media": ("i want cable", "O O service_type", "startserviceintent"),
    }
    for domain, (text, labels, intent) in said.items():
        for part in ("train", "dev"):
            rows = []
            for number in range(4):
                head = {"domain": domain, "conversationId": f"{domain}-{part}-{number}", "sentence": 0}
                rows.append({**head, "turn": 0, "utterance": "hello", "slot_labels": "O", "intent": "openinggreeting"})
                rows.append({**head, "turn": 2, "utterance": text, "slot_labels": labels, "intent": intent})
                rows.append({**head, "turn": 4, "utterance": "ilka brandt", "slot_labels": "name name",
                             "intent": "contentonly<div>thankyou"})  # fmt: skip
                rows.append({**head, "turn": 6, "utterance": "a b", "slot_labels": "O", "intent": "thankyou"})
            put(folder / f"{domain}_{part}.jsonl", rows_of(rows))


def ae110k(folder: Path) -> None:
    rows = []
    for brand in ("NORWIK", "Tarnby", "Elsing", "Vexo"):
        title = f"{brand} Men Cotton Hiking Shorts {brand} Model K{len(brand)}7 2Pcs"
        scores: dict[str, Any] = {"Brand Name": {brand: 1}, "Material": {"Cotton": 1}, "Color": {"n/a": 1},
                                  "Model Number": {f"K{len(brand)}7": 1}, "Style": {"Loose": 1}}  # fmt: skip
        rows.append({"input": title, "category": "Shorts", "target_scores": scores})
    put(folder / "train.jsonl", rows_of(rows))


def usaddress(folder: Path) -> None:
    entry = (
        "<AddressString><AddressNumber>{number}</AddressNumber> <StreetName>Old</StreetName> "
        "<StreetName>Mill</StreetName> <StreetNamePostType>Rd.,</StreetNamePostType> <PlaceName>Ostwick,</PlaceName> "
        "<StateName>OH</StateName> <ZipCode>04417</ZipCode></AddressString>"
    )
    for name in ("labeled", "multi_word_state_addresses", "us50_train_tagged"):
        rows = "".join(entry.format(number=number) for number in range(3, 9))
        text = f"<AddressCollection>{rows}<AddressString></AddressString></AddressCollection>"
        put(folder / f"{name}.xml", text, packed=False)


def grobid(folder: Path) -> None:
    tei = '<tei xml:space="preserve"><text xml:lang="en"><front>{}</front></text></tei>'
    header = tei.format(
        "<lb/><docTitle><titlePart>On the Warmth<lb/> of Stones</titlePart></docTitle> <byline><docAuthor>Ilka Brandt"
        "<lb/></docAuthor></byline> <email>ilka@ostwick.example</email> <date>3 May 2021</date> "
        '<note type="submission">Received 1 May 2021</note> <div type="abstract">Stones keep warm.<lb/></div>'
    )
    french = header.replace('xml:lang="en"', 'xml:lang="fr"')
    put(folder / "header.jsonl", rows_of([{"id": "h1", "xml": header}, {"id": "h2", "xml": french}]))
    bibl = (
        '<bibl><author>I. Brandt</author>, <title level="a">Warm stones and walls</title>, <title level="j">J. Stone'
        '</title> <biblScope type="vol">4</biblScope> (<date>2019</date>) <biblScope type="pp">3-9</biblScope></bibl>'
    )
    short = "<bibl><author>X</author></bibl>"
    put(folder / "citation.jsonl", rows_of([{"id": "c1", "xml": f"<citations>{bibl}{short}{bibl}</citations>"}]))
    date = "<dates><date><day>3</day> <month>May</month> <year>2021</year></date></dates>"
    put(folder / "date.jsonl", rows_of([{"id": "d1", "xml": date}, {"id": "d2", "xml": "<dates>"}]))
    affiliation = (
        '<tei><affiliation><orgName type="department">Dept. of Stones</orgName>, <orgName type="institution">Ostwick '
        "University</orgName>, <address><settlement>Ostwick</settlement> <country>Norway</country></address>"
        "</affiliation></tei>"
    )
    put(folder / "affiliation_address.jsonl", rows_of([{"id": "a1", "xml": affiliation}]))
    name = (
        "<tei><author><persName><forename>Ilka</forename> <surname>Brandt</surname>,</persName> <persName><forename>Per"
        "</forename> <middlename>K</middlename>. <surname>Aas</surname></persName></author></tei>"
    )
    put(folder / "name.jsonl", rows_of([{"id": "n1", "xml": name}]))
    thanks = (
        "<acknowledgment>We thank <individual>Per Aas</individual>. Paid by the <fundingAgency>Stone Fund"
        "</fundingAgency>, <grantNumber>SF-77</grantNumber> and <grantNumber>SF-78</grantNumber>.</acknowledgment>"
    )
    put(folder / "acknowledgment.jsonl", rows_of([{"id": 0, "xml": thanks}]))


def e2e(folder: Path) -> None:
    rows = []
    for food in ("English", "Chinese"):
        for rating in ("5 out of 5", "low"):
            rows.append({
                "mr": f"name[The Otter], food[{food}], customer rating[{rating}], area[riverside], familyFriendly[yes]",
                "ref": f"The Otter by the river serves {food} food to families. Customers rate it {rating}.",
            })  # fmt: skip
    rows.append({"mr": "name[Nowhere], near[The Otter]", "ref": "It is close to The Otter."})
    put(folder / "devset.csv", _csv(rows))


def squad2(folder: Path) -> None:
    context = "The Ostwick mill was built in 1822 by Per Aas. Per Aas also built the bridge."
    questions: list[dict[str, Any]] = [
        {"question": "Who built the mill?", "id": "1", "is_impossible": False,
         "answers": [{"text": "Per Aas", "answer_start": 38}, {"text": "Aas", "answer_start": 42}]},
        {"question": "When was the mill built?", "id": "2", "is_impossible": False,
         "answers": [{"text": "1822", "answer_start": 30}]},
        {"question": "Who burnt the mill?", "id": "3", "is_impossible": True, "answers": []},
        {"question": "What stands wrong?", "id": "4", "is_impossible": False,
         "answers": [{"text": "mill", "answer_start": 0}]},
    ]  # fmt: skip
    data = [{"title": f"Mill_{n}", "paragraphs": [{"context": context, "qas": questions}]} for n in range(4)]
    put(folder / "dev_part_a.json", json.dumps({"version": "v2.0", "data": data}))


def policyqa(folder: Path) -> None:
    context = "We collect your address when you order. We keep it for two years."
    questions = [
        {"question": "What do you collect?", "type": "Collection|||x", "id": "1",
         "answers": [{"text": "your address", "answer_start": 11}]},
        {"question": "Do you collect data?", "type": "Collection|||x", "id": "2",
         "answers": [{"text": "collect", "answer_start": 3}]},
    ]  # fmt: skip
    keep = [{"question": "How long do you keep it?", "type": "Retention|||x", "id": "3",
             "answers": [{"text": "two years", "answer_start": 55}]}]  # fmt: skip
    data = [
        {"title": f"shop{n}.example", "paragraphs": [{"context": context, "qas": questions if n % 2 else keep}]}
        for n in range(6)
    ]
    put(folder / "dev.json", json.dumps({"version": "v1.0", "data": data}))


def qed_nq(folder: Path) -> None:
    rows: list[dict[str, Any]] = []
    for number in range(6):
        text = f"Mill {number} was built by Per Aas . It still grinds ."
        start = text.index("Per Aas")
        answers = [[{"start": start, "end": start + 7, "string": "Per Aas"}]]
        rows.append({"id": str(number), "title": f"Mill {number}", "question": f"who built mill {number}",
                     "paragraph": text, "answers": answers})  # fmt: skip
    split = [[{"start": 0, "end": 4, "string": "Mill"}, {"start": 5, "end": 6, "string": "0"}]]
    rows.append({"id": "x", "title": "X", "question": "what", "paragraph": "Mill 0 .", "answers": split})
    put(folder / "dev.jsonl", rows_of(rows))


def banking77(folder: Path) -> None:
    rows = [{"text": f"My new card {n} has not come", "category": "card_arrival"} for n in range(6)]
    rows += [{"text": "May I pay in yen?", "category": "fiat_currency_support"}, {"text": "x", "category": "none_such"}]
    put(folder / "train.csv", _csv(rows))


def clinc150(folder: Path) -> None:
    parts = {
        "train": [["how do i bake a stone", "recipe"], ["is it raining", "weather"], ["", "weather"]],
        "val": [["what do i owe you", "bill_balance"]],
        "oos_train": [["why do stones sleep", "oos"], ["count the clouds", "oos"]],
        "oos_val": [],
    }
    put(folder / "train_val.json", json.dumps(parts))


def boolq(folder: Path) -> None:
    rows = [
        {"question": f"is mill {number} still grinding", "title": f"Mill {number}", "answer": number % 2 == 0,
         "passage": f"Mill {number} grinds on."}
        for number in range(12)
    ]  # fmt: skip
    put(folder / "dev_part_a.jsonl", rows_of([*rows, {**rows[0], "passage": " "}]))


def sms_spam(folder: Path) -> None:
    spam = [{"label": "spam", "text": f"You won {n} prizes! Call 0904412{n}345 now"} for n in range(100, 106)]
    ham = [{"label": "ham", "text": f"See you at {n}, bring bread"} for n in range(12)]
    put(folder / "train.jsonl", rows_of([{"label": "Label", "text": "SMS"}, *spam, *ham]))


def emobank(folder: Path) -> None:
    rows = [
        {
            "id": f"doc{number}_{number}_9",
            "split": "train",
            "V": v,
            "A": a,
            "D": d,
            "text": f"Sentence number {number}.",
        }
        for number, (v, a, d) in enumerate((("4.2", "4.0", "3.9"), ("1.9", "3.1", "2.0"), ("4.9", "3.0", "3.0")))
    ]
    put(folder / "train_dev.jsonl", rows_of([*rows, {**rows[0], "text": "!!"}]))


def probablepeople(folder: Path) -> None:
    person = (
        "<NameCollection><Name><Surname>Brandt,</Surname> <GivenName>Ilka</GivenName> <MiddleInitial>K.</MiddleInitial>"
        "</Name> <Name><Surname>AAS</Surname>\n  </Name><Name><GivenName>Per</GivenName> <And>and</And> "
        "<GivenName>Ilka</GivenName></Name></NameCollection>"
    )
    company = (
        "<NameCollection><Name><CorporationName>Ostwick</CorporationName> <CorporationName>Mills</CorporationName> "
        "<CorporationLegalType>Ltd.</CorporationLegalType></Name></NameCollection>"
    )
    put(folder / "person_labeled.xml", person)
    put(folder / "company_labeled.xml", company)


def ingredients(folder: Path) -> None:
    rows = []
    for number in range(2, 40):
        rows.append({"input": f"{number} tbsp barley flour, finely sifted", "name": "barley flour",
                     "quantity": str(number), "unit": "tbsp", "size": "", "preparation": "finely sifted",
                     "comment": "", "purpose": ""})  # fmt: skip
        rows.append({"input": f"{number} small leaves", "name": "leaf", "quantity": str(number), "unit": "",
                     "size": "small", "preparation": "", "comment": "", "purpose": ""})  # fmt: skip
    for name in ("bbc", "cookstr"):
        put(folder / f"{name}-ingredients-snapshot-2017.csv", _csv(rows))


def dstc8_spans(folder: Path) -> None:
    for service, name, text in (
        ("Buses_1", "to_location", "I go to Ostwick on Monday"),
        ("Events_1", "city_of_event", "Any shows in Ostwick?"),
        ("Homes_1", "area", "A flat in Ostwick"),
        ("RentalCars_1", "pickup_city", "A car in Ostwick"),
    ):
        start = text.index("Ostwick")
        label = {"slot": name, "valueSpan": {"startIndex": start, "endIndex": start + 7}}
        rows = [{"userInput": {"text": text}, "context": {}, "id": f"9_{n:05d}2", "labels": [label]} for n in range(4)]
        bad = {"slot": name, "valueSpan": {"startIndex": 3, "endIndex": 300}}
        rows.append({"userInput": {"text": text}, "context": {}, "id": "9_000990", "labels": [bad]})
        put(folder / f"{service}_train.json", json.dumps(rows))


def nlupp(folder: Path) -> None:
    intents = {
        name: {"description": f"is the intent to ask about {name}?", "domain": ["banking"]}
        for name in ("card", "loan", "refund", "cheque", "pin", "balance")
    }
    put(folder / "ontology.json", json.dumps({"intents": intents, "slots": {}}), packed=False)
    text = "a refund of 40 euros for my card on monday"
    slots = {"date": {"text": "monday", "span": [36, 42]}, "amount_of_money": {"text": "40 euros", "span": [12, 20]},
             "time": {"text": "noon", "span": [0, 4]}}  # fmt: skip
    rows = [{"text": text, "intents": ["card", "refund"], "slots": slots}, {"text": "hello there", "intents": []}]
    for number in range(3):
        put(folder / "banking" / f"fold{number}.json", json.dumps(rows), packed=False)


def mams_absa(folder: Path) -> None:
    sentence = (
        "<sentence><text>The soup was thin but the waiter {n} was kind.</text><aspectCategories><aspectCategory "
        'category="food" polarity="negative"/><aspectCategory category="staff" polarity="positive"/>'
        "</aspectCategories></sentence>"
    )
    vague = (
        '<sentence><text>Hm.</text><aspectCategories><aspectCategory category="miscellaneous" polarity="neutral"/>'
        "</aspectCategories></sentence>"
    )
    for part in ("train", "val"):
        rows = "".join(sentence.format(n=number) for number in range(4))
        put(folder / f"ACSA_{part}.xml", f"<sentences>{rows}{vague}</sentences>")


def wnut17(folder: Path) -> None:
    text = "Ilka\tB-person\nBrandt\tI-person\nsaw\tO\nOstwick\tB-location\n!\tO\n\t\nso\tO\nit\tO\n\t\n"
    put(folder / "train.conll", text)
    put(folder / "dev.conll", text, packed=False)


def btc(folder: Path) -> None:
    text = "Ilka\tB-PER\nBrandt\tI-PER\nleft\tO\nStone\tB-ORG\nFund\tI-ORG\n.\tO\n\nno\tO\n\n"
    put(folder / "train.conll", text)
    put(folder / "dev.conll", text, packed=False)


def uner_ewt(folder: Path) -> None:
    head = "# newdoc id = mail-1\n# sent_id = mail-1-1\n# text = Ilka's mill is in Ostwick.\n"
    rows = "1\tIlka\tB-PER\t-\tx\n2\t's\tO\t-\t-\n3\tmill\tO\t-\t-\n4\tis\tO\t-\t-\n5\tin\tO\t-\t-\n"
    odd = "# text = One two three four.\n1\tOne\tO\t-\t-\n2\tother\tO\t-\t-\n3\tthree\tO\t-\t-\n4\tfour\tO\t-\t-\n\n"
    put(folder / "dev.iob2", head + rows + "6\tOstwick\tB-LOC\t-\tx\n7\t.\tO\t-\t-\n\n" + odd)


def wikigold(folder: Path) -> None:
    text = "Per I-PER\nAas I-PER\nbuilt O\nthe O\nOstwick I-MISC\nBridge I-MISC\nin O\nNorway I-LOC\n. O\n\n"
    put(folder / "wikigold.conll.txt", text * 2)


def sec_filings_ner(folder: Path) -> None:
    text = (
        "-DOCSTART- -X- O O\n\nOSTWICK NNP - I-ORG\nBANK NNP - I-ORG\nlends NN - O\nto TO - O\nBorrower NNP - I-PER\n\n"
    )
    put(folder / "FIN5.txt", text)


def strategyqa(folder: Path) -> None:
    rows = [
        {"qid": f"q{number}", "term": "Stone", "question": "Does a stone float?", "answer": False,
         "facts": ["Stones are heavier than water.", "What is heavier than water sinks."]}
        for number in range(6)
    ]  # fmt: skip
    put(folder / "train.jsonl", rows_of([*rows, {**rows[0], "qid": "empty", "facts": [" "]}]))


def pubmedqa(folder: Path) -> None:
    rows = {
        str(number): {"QUESTION": "Do warm stones help?", "CONTEXTS": ["We tried.", "They did."],
                      "LABELS": ["METHODS", "RESULTS"], "final_decision": decision}
        for number, decision in enumerate(("yes", "no", "maybe", "unsure"))
    }  # fmt: skip
    put(folder / "train.json", json.dumps(rows))


def legalbench_train(folder: Path) -> None:
    row = {"task": "cuad_stone_clause", "licence": "CC BY 4.0", "task_type": "Binary classification",
           "description": "Classify if the clause speaks of stones.", "answers_in_train": ["No", "Yes"],
           "fields": {"text": "The seller delivers stones.", "answer": "Yes", "document_name": "a.pdf"}}  # fmt: skip
    kinds = {**row, "task_type": "3-way classification", "answers_in_train": ["Lease", "Sale", "Gift"],
             "fields": {"text": "The house is given for nothing.", "answer": "Gift"}}  # fmt: skip
    letters = {**row, "answers_in_train": ["A", "B"], "fields": {"text": "x", "answer": "A"}}
    put(folder / "train.jsonl", rows_of([row, kinds, letters]))


def med_nli(folder: Path) -> None:
    head = ["index", "promptID", "pairID", "genre", "sentence1", "sentence2", "gold_label"]
    rows = [["1", "1", "1", "g", 'A "warm" stone lay there.', "A stone lay there.", "entailment"],
            ["2", "2", "2", "g", "No stone lay there.", "No warm thing lay there.", "neutral"],
            ["3", "3", "3", "g", "Only one.", "", "neutral"]]  # fmt: skip
    put(folder / "MED.tsv", "\n".join("\t".join(row) for row in [head, *rows]) + "\n")


def toxic_tweets(folder: Path) -> None:
    rows = []
    for number in range(12):
        votes = [(3, 0, 0), (0, 2, 1), (0, 0, 3)][number % 3]
        names = ("hate_speech", "offensive_language", "neither")
        counts = {name: str(count) for name, count in zip(names, votes, strict=True)}
        rows.append({"count": "3", **counts, "class": str(number % 3), "tweet": f"post {number}"})
    put(folder / "train.jsonl", rows_of(rows))


def complex_lcp(folder: Path) -> None:
    rows = ["id\tcorpus\tsentence\ttoken\tcomplexity"]
    for number, share in enumerate(("0.0", "0.26", "0.5", "0.77", "1.0", "0.375")):
        rows.append(f'{number}\tbiblio\tThe "{number} eolith lay there.\teolith\t{share}')
    rows.append("x\tbiblio\tNothing here.\teolith\t0.5")
    for name in ("single", "multi"):
        put(folder / f"{name}_train.tsv", "\n".join(rows) + "\n")


def onestop_levels(folder: Path) -> None:
    rows = [
        {"article": f"Mill {number}", "level": level, "text": f"A {level} text.\nWith a second part.\n"}
        for number in range(3)
        for level in ("elementary", "intermediate", "advanced")
    ]
    put(folder / "train.jsonl", rows_of(rows))


def mts_dialog(folder: Path) -> None:
    rows = [
        {"ID": str(number), "section_header": header, "section_text": "x",
         "dialogue": f"Doctor: How is it, {number}?\n Patient: It goes.\n"}
        for number, header in enumerate(("ALLERGY", "CC", "PLAN", "OTHER_HISTORY"))
    ]  # fmt: skip
    put(folder / "MTS-Dialog-TrainingSet.csv", _csv(rows))
    put(folder / "MTS-Dialog-ValidationSet.csv", _csv(rows), packed=False)


def authored(folder: Path) -> None:
    good = {"uid": "authored/Z/1", "source": "authored", "split": "val", "domain": "note", "context": "Ilka is in.",
            "schema": {"type": "object", "properties": {"who": {"type": "string"}}}, "value": {"who": "Ilka"},
            "spans": {"/who": [0, 4]}}  # fmt: skip
    put(folder / "Z.jsonl", rows_of([good, good, {**good, "uid": "authored/Z/2", "spans": {}}]), packed=False)


WRITERS: dict[str, Writer] = {
    writer.__name__: writer
    for writer in (
        restaurant8k, hwu64, sgd, multidogo, ae110k, usaddress, grobid, e2e, squad2, policyqa, qed_nq, banking77,
        clinc150, boolq, sms_spam, emobank, probablepeople, ingredients, dstc8_spans, nlupp, mams_absa, wnut17, btc,
        uner_ewt, wikigold, sec_filings_ner, strategyqa, pubmedqa, legalbench_train, med_nli, toxic_tweets,
        complex_lcp, onestop_levels, mts_dialog, authored,
    )
}  # fmt: skip

SKIPS = frozenset(
    ("restaurant8k", "hwu64", "sgd", "multidogo", "ae110k", "usaddress", "grobid", "e2e", "squad2", "policyqa",
     "qed_nq", "banking77", "clinc150", "boolq", "sms_spam", "emobank", "probablepeople", "ingredients", "dstc8_spans",
     "nlupp", "mams_absa", "wnut17", "btc", "uner_ewt", "strategyqa", "pubmedqa", "legalbench_train", "med_nli",
     "complex_lcp", "mts_dialog", "authored")
)  # fmt: skip
"""The sets whose rows above hold at least one that a converter must leave out and count."""
