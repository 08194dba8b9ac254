"""usaddress: the parts of postal addresses in the United States."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from deg_core.datagen.draft import Draft, Span
from deg_core.datagen.raw import Tally, merged, read_text, separated, tagged_text
from deg_core.datagen.wording import slot
from deg_core.errors import RecordError
from deg_core.records.record import Record

SOURCE = "usaddress"
FILES = ("labeled.xml", "multi_word_state_addresses.xml", "us50_train_tagged.xml")

SLOTS = {
    "AddressNumber": slot(
        "house number|number|street number|building number|address number", "number of the house on the street"
    ),
    "StreetNamePreDirectional": slot(
        "direction|street direction|pre direction|directional prefix", "compass direction before the street name"
    ),
    "StreetName": slot(
        "street name|street|name of street", "name of the street without type and direction", opaque=True
    ),
    "StreetNamePostType": slot("street type|road type|street suffix|suffix", "kind of street, such as Avenue or Rd"),
    "StreetNamePostDirectional": slot(
        "direction suffix|post direction", "compass direction after the street name", opaque=True
    ),
    "OccupancyType": slot("unit type|occupancy type", "kind of unit: suite, apartment, floor", opaque=True),
    "OccupancyIdentifier": slot(
        "unit number|suite number|apartment number|unit",
        "number or letter of the unit, without the word for it",
        opaque=True,
    ),
    "PlaceName": slot("city|town|place|city name|locality|municipality", "city or town|which city?"),
    "StateName": slot("state|state code|region|us state", "state, as written|which state?"),
    "ZipCode": slot("zip|zip code|postal code|postcode|zipcode", "ZIP code|postal code with all digits shown"),
    "CountryName": slot("country|country name|nation", "country named in the address"),
    "Recipient": slot(
        "recipient|addressee|name|attention|company or person",
        "person or organisation the address is for|who receives it?",
    ),
    "BuildingName": slot("building|building name|complex", "name of the building"),
    "LandmarkName": slot("landmark|landmark name", "landmark that stands for the address"),
    "USPSBoxID": slot(
        "po box number|box number|mailbox number", "number of the post-office box, digits only", opaque=True
    ),
    "SubaddressIdentifier": slot(
        "floor or wing|subaddress", "number or name of the floor or wing, without the word for it", opaque=True
    ),
}
LINE = slot(
    "street address|address line|street line|address line 1|street and number",
    "house number and street together|full street line",
    opaque=True,
)
UNIT = slot(
    "suite|apartment|unit|address line 2|secondary unit", "unit with its word, such as Apt 4 or Suite 200", opaque=True
)
NEVER = (
    slot("phone|telephone|phone number", "phone number at this address"),
    slot("email|email address", "email address of the recipient", kind="email"),
    slot("county|county name", "county"),
    slot("delivery date|ship date", "day of delivery", kind="date"),
    slot("latitude|lat", "latitude of the place", kind="number"),
)
_LINE = frozenset(
    (
        "AddressNumberPrefix",
        "AddressNumber",
        "AddressNumberSuffix",
        "StreetNamePreModifier",
        "StreetNamePreDirectional",
        "StreetNamePreType",
        "StreetName",
        "StreetNamePostType",
        "StreetNamePostDirectional",
        "StreetNamePostModifier",
    )
)
_UNIT = frozenset(("OccupancyType", "OccupancyIdentifier"))
# Parts whose absence is worth asking for, and what makes an absence doubtful because a label may be another one.
_ABSENT = (
    "PlaceName",
    "StateName",
    "ZipCode",
    "CountryName",
    "OccupancyIdentifier",
    "Recipient",
    "USPSBoxID",
    "AddressNumber",
    "StreetNamePostType",
    "BuildingName",
)
_DOUBT = {
    "OccupancyIdentifier": ("SubaddressIdentifier", "OccupancyType"),
    "BuildingName": ("Recipient", "LandmarkName"),
    "Recipient": ("BuildingName", "LandmarkName", "NotAddress"),
    "USPSBoxID": ("USPSBoxType", "USPSBoxGroupID"),
    "StreetNamePostType": ("StreetNamePreType",),
    "CountryName": ("StateName",),
}
LEADS = ("", "", "", "", "", "", "Ship to: ", "Address: ", "Deliver to ", "Office: ", "Location: ", "Mail: ")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``, two wordings of each address; addresses out of order are counted."""
    tally = Tally() if tally is None else tally
    folder, number = Path(path), 0
    for file in FILES:
        try:
            root = ElementTree.fromstring(read_text(folder / file))
        except ElementTree.ParseError as error:
            raise RecordError(f"{folder / file}: not XML: {error}") from error
        for element in root:
            text, spans = tagged_text(element)
            number += 1
            if not text.strip() or not spans:
                tally["empty"] += 1
                continue
            for variant in range(2):
                draft = Draft(SOURCE, f"{number:05d}/{variant}", text.strip().lower(), "postal address", "", "address")
                lead = draft.rng.choice(LEADS)
                draft.context = lead + text
                _ask(draft, [(tag, start + len(lead), end + len(lead)) for tag, start, end in spans])
                record = draft.record()
                if record is not None:
                    yield record


def _ask(draft: Draft, spans: list[tuple[str, int, int]]) -> None:
    rng = draft.rng
    parts_in_order = merged(draft.context, spans)
    tags = {tag for tag, _, _ in spans}
    parts: dict[str, list[Span]] = {}
    for tag, start, end in parts_in_order:
        parts.setdefault(tag, []).append((start, end))
    for item, group, sure in ((LINE, _LINE, "AddressNumber"), (UNIT, _UNIT, "OccupancyIdentifier")):
        whole = _run(parts_in_order, group)
        if sure in parts and whole is not None and rng.random() < 0.35:
            draft.extract(item, separated(draft.context, whole))
    for tag, places in parts.items():
        if tag in SLOTS and len(places) == 1 and rng.random() < 0.75:
            draft.extract(SLOTS[tag], separated(draft.context, places[0]))
    for tag in _ABSENT:
        if tag not in tags and not tags & set(_DOUBT.get(tag, ())) and rng.random() < 0.3:
            draft.extract(SLOTS[tag], None)
    for item in NEVER:
        if rng.random() < 0.06:
            draft.extract(item, None)


def _run(parts: list[tuple[str, int, int]], group: frozenset[str]) -> Span | None:
    """The one unbroken run of parts of ``group``, if there is exactly one and it has two parts or more."""
    places = [index for index, (tag, _, _) in enumerate(parts) if tag in group]
    if len(places) < 2 or places[-1] - places[0] != len(places) - 1:
        return None
    return parts[places[0]][1], parts[places[-1]][2]
