"""Invented people, companies, places, e-mail addresses and numbers that look like the real thing.

Nothing here names a real customer: people and companies are put together from parts, web and mail addresses use
reserved domains only, telephone numbers use ranges kept for fiction where a country has them.
"""

from __future__ import annotations

import random
import re
import unicodedata

_GIVEN = """Ada Aino Akira Alba Aleksander Alice Amara Ana Andrei Anneke Anouk Arjun Astrid Ayşe Babak Bao Beatriz Ben
Bilal Birgit Björn Bruno Camille Carla Carlos Carmen Cem Chidi Chiara Chloe Claudia Daniel Dara Dilara Dmitri Dora
Edith Eero Elena Elias Eliska Emeka Emil Emma Enzo Esra Esther Fatima Felix Femi Finn Fiona Francesca Frida Gabor
George Giulia Grace Greta Hana Hanna Hector Helga Henrik Hiro Hugo Ibrahim Ines Ingrid Irina Isaac Ivan Jakob Jamila
Jana Jelena Joana João Jonas Jorge Julia Jun Kaito Karim Karin Kate Kemal Kenji Klara Kofi Lars Laura Lea Leila Leo
Liam Lina Linh Lorenz Lucia Luis Magda Maja Malik Marco Maria Marta Mateo Matti Maya Mehmet Mei Mia Milan Mina Mira
Mohamed Nadia Naomi Nico Nia Nils Nina Noah Nora Ola Oleg Olga Omar Oskar Otto Paula Pavel Pedro Petra Priya Quinn
Rafael Rana Raúl Rebecca Renate Rita Rosa Ruth Sami Samuel Sanna Sara Selma Sergio Sofia Stefan Sven Tariq Tessa
Theo Thomas Tilda Tomas Uma Ursula Vera Viktor Vikram Wanda Wei Xenia Yara Yasmin Yuki Yusuf Zoe Žofie""".split()
_FAMILY = """Abara Ackermann Adeyemi Aho Albrecht Almeida Amsel Andersen Arslan Banerjee Barros Bauer Becker Berg
Bianchi Blanc Boateng Bosch Brandt Brennan Brunner Calder Castell Chandra Chen Cohen Conti Cordes Costa Dahl Dekker
Delgado Demir Dietz Doyle Dubois Dunmore Eberhart Ekström Engel Eriksen Farkas Faure Fehr Ferrari Fischer Fontaine
Forsyth Friis Fuchs Gallo García Gerber Gruber Haas Halloran Hansen Harders Hartmann Haugen Heikkinen Herrera Hofer
Holm Horvat Hoyle Huang Iversen Jansen Jensen Jovanović Kaplan Karlsson Kaur Keller Khan Kim Kirchner Koch Kowalski
Kruger Kuhn Laine Lang Larsen Leclerc Lehtonen Lindqvist Lopes Lund MacRae Marchetti Marek Marín Martel Mbeki Meyer
Mohr Molnar Moreau Moretti Müller Nakamura Navarro Neumann Nguyen Nilsson Novak Nowak Nyström O'Connell Oduya Okafor
Okonkwo Olsen Ortega Osei Öztürk Park Patel Pellegrini Pereira Petrov Pham Pohl Popescu Quist Raman Rasmussen Reuter
Ricci Riedel Rivera Roche Romano Rossi Roth Ruiz Saito Salonen Santos Sato Sauer Schmitz Schuster Serra Sharma Silva
Sokolov Sommer Sørensen Steiner Stone Suzuki Szabo Tanaka Thorne Torres Turner Urban Vance Vargas Vogel Voss Wagner
Walsh Weber Wendt Whitlock Wieland Wong Yıldız Young Zander Zeller Ziegler""".split()
_TITLES = ("Dr.", "Dr", "Prof.", "Mr.", "Ms.", "Mrs.", "Mr", "Ms")

_STARTS = """Al An Ar Bal Ber Bor Bran Cal Cor Dal Del Dor El Er Fal Fen Gal Gar Hal Hol Ister Jor Kal Kel Kor Lan
Lin Lor Mar Mel Mor Nal Nor Or Pel Quen Ral Riv Sal Ser Sol Tal Tor Ul Val Ver Vol Wen Wil Yar Zel Zor""".split()
_MIDDLES = ["a", "e", "i", "o", "u", "an", "en", "or", "ar", "el", "in", "is", "ov", "ad", "eb", "im", ""]
_ENDS = """bach berg bridge brook by dale den dorf feld field ford ham heim holt hurst ington ka land low mark mere
mond na nia nis now ra ran rath rick ridge ros sen stad stein stone tal tis ton va vale vik ville wald wick wood
worth""".split()

_COMPANY_WORDS = """Amber Anchor Apex Arctic Atlas Aurora Beacon Birch Blue Brass Bright Cedar Circle Clear Cobalt
Compass Copper Coral Crown Delta Drift Eagle East Echo Ember Falcon Fern Fjord Flint Forge Fox Garnet Glade Golden
Granite Green Grove Harbour Hazel Heron High Horizon Iron Ivory Jade Juniper Kestrel Lantern Larch Linden Lunar Maple
Meadow Meridian Mill Moss Nimbus North Oak Ocean Olive Onyx Orchard Osprey Otter Pebble Pine Pioneer Polar Prairie
Quarry Quartz Raven Red River Rowan Sable Saffron Salt Silver Slate Solar Sparrow Spruce Steel Stone Summit Swift
Tamarack Thistle Tidal Timber Topaz Union Urban Velvet Vertex Violet Walnut West Willow Winter Wren Zephyr""".split()
_TRADES = """Analytics Bakery Bikes Books Brewing Cables Carpets Catering Ceramics Cleaning Clinic Coffee Components
Consulting Copies Dental Design Digital Drinks Electric Energy Engineering Events Fabrics Farms Films Fitness Flooring
Flowers Foods Freight Furniture Gardens Glass Hardware Heating Holdings Home Imports Instruments Interiors Joinery
Kitchens Labs Legal Lighting Logistics Machines Marine Media Mobility Motors Music Networks Office Optics Outdoor
Packaging Paints Paper Partners Pharma Plastics Plumbing Press Print Printing Properties Repairs Robotics Roofing
Security Services Software Solutions Sports Stationery Storage Studio Supplies Systems Tea Technologies Textiles Tiles
Timber Tools Toys Trading Travel Uniforms Wines Works Workshop""".split()
_FORMS = {
    "en": ("Ltd", "Ltd.", "Inc.", "Inc", "LLC", "LLP", "PLC", "& Co.", "Group", "", "", "Co-op"),
    "de": ("GmbH", "GmbH", "AG", "GmbH & Co. KG", "e.K.", "UG", "KG", "OHG"),
    "fr": ("SARL", "SAS", "SA", "et Fils"),
    "es": ("S.L.", "S.A.", "S.L.U."),
}

_STREET = {
    "en": "Street Road Lane Avenue Way Drive Close Court Terrace Square Crescent Hill Row Quay".split(),
    "de": "straße weg allee gasse platz ring damm ufer straße straße".split(),
    "fr": ("rue de", "rue du", "avenue de", "boulevard", "place", "chemin de"),
    "es": ("Calle", "Calle de", "Avenida", "Plaza", "Paseo de"),
}
_STREET_NAMES = """Mill Station Church Park Garden Bridge School Market Chapel Castle Forest Lake River Harbour Abbey
Orchard Bakery Tower Spring Brewery Windmill Meadow Quarry Ferry Granary Foundry Tannery""".split()
_STREET_DE = """Mühlen Bahnhof Kirch Park Garten Brücken Schul Markt Linden Birken Eichen Wald See Hafen Kloster Rosen
Ziegel Berg Tal Brunnen Feld Wiesen Ahorn Buchen Schiller Goethe""".split()
_STREET_FR = "l'Église Moulin Lavoir Tilleuls Vignes Port Marché Lilas Pont Château Jardin Four".split()
_STREET_ES = "Molino Mayor Río Iglesia Olivo Fuente Jardín Puerto Sol Luna Olmo Rosal".split()

_RESERVED = ("example", "example", "test", "example.com", "example.org", "example.net", "example.com")


def place_name(rng: random.Random) -> str:
    """An invented town."""
    name = rng.choice(_STARTS) + rng.choice(_MIDDLES) + rng.choice(_ENDS)
    prefix = rng.choice(("", "", "", "", "", "", "Bad ", "New ", "Port ", "St. ", "Upper ", "North "))
    return prefix + name


def surname(rng: random.Random) -> str:
    """A family name from the list, a double one, or one put together."""
    roll = rng.random()
    if roll < 0.12:
        return rng.choice(_STARTS) + rng.choice(_MIDDLES) + rng.choice(_ENDS)
    if roll < 0.18:
        return f"{rng.choice(_FAMILY)}-{rng.choice(_FAMILY)}"
    if roll < 0.21:
        return rng.choice(("van der ", "de ", "von ", "di ", "Al-", "Mc")) + rng.choice(_FAMILY)
    return rng.choice(_FAMILY)


def given_name(rng: random.Random) -> str:
    return rng.choice(_GIVEN)


def person(rng: random.Random, *, titled: float = 0.0) -> str:
    """A full name; ``titled`` is the chance of a title before it."""
    given = given_name(rng)
    roll = rng.random()
    if roll < 0.06:
        given = f"{given} {rng.choice('ABCDEFGHJKLMNPRST')}."
    elif roll < 0.09:
        given = f"{given}-{given_name(rng)}"
    name = f"{given} {surname(rng)}"
    return f"{rng.choice(_TITLES)} {name}" if rng.random() < titled else name


def company(rng: random.Random, lang: str = "en") -> str:
    """A company's name, with or without a legal form."""
    form = rng.choice(_FORMS[lang] if rng.random() < 0.8 else _FORMS[rng.choice(list(_FORMS))])
    stem = rng.choice(_STARTS) + rng.choice(_MIDDLES) + rng.choice(("ta", "ra", "ix", "on", "is", "ex", "o", "ia"))
    word, trade = rng.choice(_COMPANY_WORDS), rng.choice(_TRADES)
    core = rng.choice(
        (
            f"{word} {trade}",
            f"{word} {trade}",
            f"{word}{trade.lower()}",
            f"{surname(rng)} {trade}",
            f"{surname(rng)} & {surname(rng)}",
            f"{stem} {trade}",
            stem,
            f"{place_name(rng)} {trade}",
            f"{word} & {rng.choice(_COMPANY_WORDS)}",
            f"{given_name(rng)}'s {trade}",
            f"{surname(rng)} & {rng.choice(('Sons', 'Daughters', 'Partners', 'Söhne'))}",
        )
    )
    return f"{core} {form}".strip()


def slug(text: str, joint: str = "-") -> str:
    """Lower-case ASCII letters and digits of a name, joined."""
    folded = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return joint.join(re.findall(r"[a-z0-9]+", folded.lower())) or "info"


def domain(rng: random.Random, name: str) -> str:
    """A reserved domain that goes with a company's name."""
    words = slug(name).split("-")
    short = rng.choice((words[0], "-".join(words[:2]), "".join(words[:2]), "-".join(words[:2])))
    return f"{short}.{rng.choice(_RESERVED)}"


def email(rng: random.Random, who: str, host: str) -> str:
    """An address of a person, or of a desk when ``who`` is a role such as "billing"."""
    parts = [part for part in slug(who).split("-") if part not in ("dr", "prof", "mr", "ms", "mrs")]
    if len(parts) < 2:
        return f"{parts[0]}@{host}"
    first, last = parts[0], parts[-1]
    local = rng.choice((f"{first}.{last}", f"{first[0]}.{last}", f"{first}{last[0]}", f"{first}_{last}", last, first))
    return f"{local}{rng.choice(('', '', '', '', str(rng.randrange(2, 99))))}@{host}"


def url(rng: random.Random, host: str, *paths: str) -> str:
    """A web address on a host; ``paths`` are candidates for what follows."""
    scheme = rng.choice(("https://", "https://", "https://www.", "http://"))
    return f"{scheme}{host}{rng.choice(paths) if paths else ''}"


def phone(rng: random.Random) -> str:
    """A telephone number in one of several national ways of writing."""
    d = "".join(rng.choice("0123456789") for _ in range(12))
    return rng.choice(
        (
            f"(555) 01{d[0]}-{d[1:5]}",
            f"+1 555-01{d[0]}-{d[1:5]}",
            f"+44 20 7946 0{d[:3]}",
            f"020 7946 0{d[:3]}",
            f"+49 30 23125 {d[:3]}",
            f"0{d[1:4].replace('0', '4')} / {d[4:10]}",
            f"+33 1 99 00 {d[:2]} {d[2:4]}",
            f"+41 44 {d[:3]} {d[3:5]} {d[5:7]}",
            f"+34 9{d[:2]} {d[2:5]} {d[5:8]}",
            f"07700 900{d[:3]}",
        )
    )


def street(rng: random.Random, lang: str) -> str:
    """Street and house number in the order of the language."""
    number = rng.choice((str(rng.randrange(1, 200)), str(rng.randrange(1, 60)), f"{rng.randrange(1, 90)}{rng.choice('abc')}"))
    if lang == "de":
        name = rng.choice(_STREET_DE) + rng.choice(_STREET["de"])
        if rng.random() < 0.35:
            name = name.replace("straße", rng.choice(("str.", "str.", "strasse")))
        return f"{name} {number}"
    if lang == "fr":
        return f"{number}{rng.choice(('', ','))} {rng.choice(_STREET['fr'])} {rng.choice(_STREET_FR)}"
    if lang == "es":
        return f"{rng.choice(_STREET['es'])} {rng.choice(_STREET_ES)}{rng.choice((',', ''))} {number}"
    name = rng.choice((rng.choice(_STREET_NAMES), surname(rng), rng.choice(_COMPANY_WORDS)))
    unit = rng.choice(("", "", "", "", f", Unit {rng.randrange(1, 30)}", f", Suite {rng.randrange(100, 900)}", f", Flat {rng.randrange(1, 20)}"))
    return f"{number} {name} {rng.choice(_STREET['en'])}{unit}"


def postcode(rng: random.Random, lang: str) -> str:
    """A postcode as the language's countries have them."""
    if lang == "en":
        first, second, third, fourth = (rng.choice("ABCDEFGHJKLMNPRSTUVWXY") for _ in range(4))
        return f"{first}{second}{rng.randrange(1, 20)} {rng.randrange(1, 9)}{third}{fourth}"
    if lang == "de":
        return str(rng.randrange(10000, 99999)) if rng.random() < 0.8 else str(rng.randrange(1000, 9700))
    return f"{rng.randrange(1000, 96000):05d}"


def state(rng: random.Random) -> str:
    """The abbreviation of a state, before a five-digit postcode."""
    return rng.choice(("OR", "ME", "OH", "VT", "NM", "CA", "TX", "WA", "Oregon", "Ohio"))


def digits(rng: random.Random, count: int) -> str:
    """A run of digits without a leading zero."""
    return rng.choice("123456789") + "".join(rng.choice("0123456789") for _ in range(count - 1))


def code(rng: random.Random, *prefixes: str) -> str:
    """An identifier: one of many common patterns, with one of the prefixes where the pattern has one."""
    prefix = rng.choice(prefixes) if prefixes else "".join(rng.choice("ABCDEFGHKLMNPRSTVWXZ") for _ in range(2))
    year = rng.randrange(2022, 2028)
    letters = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(3))
    return rng.choice(
        (
            digits(rng, rng.randrange(5, 9)),
            f"{prefix}-{digits(rng, rng.randrange(3, 7))}",
            f"{prefix}{digits(rng, rng.randrange(4, 8))}",
            f"{prefix}-{year}-{digits(rng, 4)}",
            f"{prefix}/{year}/{digits(rng, 3)}",
            f"{year}-{digits(rng, 4)}",
            f"{year % 100}{digits(rng, 5)}",
            f"{letters}-{digits(rng, 5)}",
            f"{digits(rng, 3)}-{digits(rng, 6)}",
            f"{prefix} {digits(rng, 3)}.{digits(rng, 3)}",
            f"{letters[0]}{digits(rng, 4)}-{letters[1]}",
            f"#{digits(rng, rng.randrange(4, 6))}",
        )
    ).removeprefix("#")


def tax_id(rng: random.Random) -> str:
    """A VAT or tax number in one of several countries' forms."""
    return rng.choice(
        (
            f"DE{digits(rng, 9)}",
            f"GB {digits(rng, 3)} {digits(rng, 4)} {digits(rng, 2)}",
            f"FR{digits(rng, 11)}",
            f"ATU{digits(rng, 8)}",
            f"NL{digits(rng, 9)}B01",
            f"ESB{digits(rng, 8)}",
            f"{digits(rng, 2)}-{digits(rng, 7)}",
            f"CHE-{digits(rng, 3)}.{digits(rng, 3)}.{digits(rng, 3)}",
            f"{digits(rng, 2)}/{digits(rng, 3)}/{digits(rng, 5)}",
        )
    )


def iban(rng: random.Random) -> str:
    """An account number in IBAN form (check digits are not computed), spaced or not."""
    country, length = rng.choice((("DE", 20), ("AT", 18), ("ES", 22), ("CH", 19), ("BE", 14)))
    raw = country + digits(rng, length)
    return raw if rng.random() < 0.3 else " ".join(raw[at : at + 4] for at in range(0, len(raw), 4))


def bic(rng: random.Random) -> str:
    letters = "".join(rng.choice("ABCDEFGHKLMNOPRSTUVWX") for _ in range(4))
    return f"{letters}{rng.choice(('DE', 'AT', 'ES', 'GB', 'FR'))}{rng.choice(('FF', 'MM', 'HH', '2L'))}{rng.choice(('', 'XXX'))}"


def shop(rng: random.Random) -> str:
    """The name over a shop's door, without a legal form."""
    word, trade = rng.choice(_COMPANY_WORDS), rng.choice(_TRADES)
    return rng.choice(
        (
            f"{word} {trade}",
            f"The {word} {rng.choice(_COMPANY_WORDS)}",
            f"{given_name(rng)}'s {trade}",
            f"{surname(rng)} {trade}",
            f"{rng.choice(('Café', 'Bistro', 'Casa', 'Haus', 'Chez'))} {given_name(rng)}",
            f"{place_name(rng)} {trade}",
            f"{word}{rng.choice(('mart', 'shop', 'store', 'point', 'corner'))}",
        )
    )
