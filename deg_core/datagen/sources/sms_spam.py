"""SMS Spam Collection: is a text message spam, and what does it want the reader to call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, worded
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "sms_spam"

SPAM = slot(
    "is spam|spam|junk|is advertising|unsolicited|is promotional|block sender|flag spam",
    "is this message spam?|true if it is unsolicited advertising or a scam|Should a filter drop this message?|"
    "whether the message is junk|Was this sent by a business to strangers in order to sell or cheat?",
)
HAM = slot(
    "is personal|legitimate|genuine|is ham|keep|from a friend",
    "is it an ordinary personal message?|true if somebody the reader knows wrote it|"
    "whether the message is genuine and not spam|Should this reach the inbox?",
    opaque=True,
)
VERDICT = slot(
    "label|verdict|message class|category|folder|filter result",
    "what kind of message is it?|result of the spam filter|where should the message go?|class of the text message",
)
PHONE = slot(
    "phone number|number to call|call number|hotline",
    "number that the reader should call|which phone number is given?",
)
LABELS = (
    (Intent("spam", "unsolicited advertising or a scam"), Intent("ham", "an ordinary message")),
    (Intent("spam", "junk sent to many people"), Intent("not spam", "a message meant for the reader")),
    (Intent("junk", "unwanted advertising"), Intent("inbox", "something the reader wants to see")),
    (Intent("advertising", "it sells something or offers a prize"), Intent("personal", "one person writes to another")),
    (Intent("block", "the message should be dropped"), Intent("deliver", "the message should be delivered")),
)
_PHONE = re.compile(r"(?<![\d£.])0\d{9,10}(?!\d)")
_HAM_KEPT = 0.42


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: spam worded twice and ham thinned, so that the two are about balanced."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(json_lines(Path(path) / "train.jsonl")):
        text, label = row["text"].strip(), row["label"]
        if label not in ("ham", "spam") or not text:
            tally["header or empty"] += 1
            continue
        spam = label == "spam"
        for variant in range(2 if spam else 1):
            draft = Draft(SOURCE, f"{number:05d}/{variant}", text.lower(), "text message", text, "message")
            if not spam and draft.rng.random() > _HAM_KEPT:
                continue
            _ask(draft, spam)
            record = draft.record()
            if record is not None:
                yield record


def _ask(draft: Draft, spam: bool) -> None:
    rng = draft.rng
    way = rng.random()
    if way < 0.55:
        draft.decide(_plain(SPAM, rng.random() < 0.5), spam)
    if 0.45 < way < 0.75:
        draft.decide(HAM, not spam)
    if way >= 0.7:
        first, second = rng.choice(LABELS)
        options = worded([first, second], rng)
        draft.choose(VERDICT, options, options[0 if spam else 1][0])
    phones = [match.span() for match in _PHONE.finditer(draft.context)]
    if len({draft.context[slice(*span)] for span in phones}) == 1 and rng.random() < 0.6:
        draft.extract(PHONE, phones[0], alternatives=phones[1:])
    elif not re.search(r"\d{5}", draft.context) and rng.random() < 0.15:
        draft.extract(PHONE, None)


def _plain(item: Slot, opaque: bool) -> Slot:
    return Slot(item.names, item.descriptions, opaque=opaque)
