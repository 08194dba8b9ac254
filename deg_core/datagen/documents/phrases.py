"""Openings, closings and footers that letters and mails of all kinds share."""

from __future__ import annotations

from deg_core.datagen.documents import names
from deg_core.datagen.documents.facts import Sheet

_FOOTERS = (
    "Page <1|2> of <1|2|3>",
    "This message and any files are confidential.",
    "Please consider the environment before printing.",
    "Registered in England and Wales<|, no. 0{n}>.",
    "<Goods remain our property until paid in full.|Terms and conditions overleaf.|E & OE.>",
    "Printed on recycled paper.",
    "<Sent from my phone|Sent from a mobile device>",
    "-- \nfollow us @{handle}",
    "Form {n}/<a|b|c>",
)
_FOOTERS_DE = (
    "Seite 1 von <1|2>",
    "Es gelten unsere Allgemeinen Geschäftsbedingungen.",
    "Gerichtsstand ist der Sitz des Unternehmens.",
)


def greeting(sheet: Sheet, key: str) -> None:
    """An opening line, with the name when it is there."""
    sheet.any(
        f"<Dear|Hello|Hi|Good morning|Good afternoon> {{{key}}},\n",
        f"{{{key}}},\n",
        "<Hello|Hi|Hi there|Good day>,\n",
        "Dear <Sir or Madam|customer|team>,\n",
    )
    if sheet.rng.random() < 0.6:
        sheet.blank()


def closing(sheet: Sheet, *keys: str) -> None:
    """A closing line and the first of the names that is there."""
    sheet.line("<Kind regards|Best regards|Regards|Best wishes|Yours sincerely|Many thanks|Thanks|Cheers|Best>,")
    for key in keys:
        if sheet.has(key):
            sheet.line(f"{{{key}}}")
            return


def footer(sheet: Sheet) -> None:
    """Nothing, or a line that belongs to no question."""
    rng = sheet.rng
    if rng.random() < 0.45:
        return
    sheet.blank()
    text = sheet.choose(rng.choice(_FOOTERS_DE if sheet.lang == "de" else _FOOTERS))
    sheet.line(text.replace("{n}", names.digits(rng, 4)).replace("{handle}", names.slug(names.place_name(rng), "_")))
