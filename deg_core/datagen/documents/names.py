"""Invented people, companies, places, e-mail addresses and numbers that look like the real thing.

Nothing here names a real customer: people and companies are put together from parts, web and mail addresses use
reserved domains only, telephone numbers use ranges kept for fiction where a country has them.
"""

from __future__ import annotations

import random
import re
import unicodedata

from deg_core.datagen.documents.lexicon import (
    COMPANY_WORDS,
    ENDS,
    FAMILY,
    FORMS,
    GIVEN,
    MIDDLES,
    RESERVED,
    STARTS,
    STREET,
    STREET_DE,
    STREET_ES,
    STREET_FR,
    STREET_NAMES,
    TITLES,
    TRADES,
)


def place_name(rng: random.Random) -> str:
    """An invented town."""
    name = rng.choice(STARTS) + rng.choice(MIDDLES) + rng.choice(ENDS)
    prefix = rng.choice(("", "", "", "", "", "", "Bad ", "New ", "Port ", "St. ", "Upper ", "North "))
    return prefix + name


def surname(rng: random.Random) -> str:
    """A family name from the list, a double one, or one put together."""
    roll = rng.random()
    if roll < 0.12:
        return rng.choice(STARTS) + rng.choice(MIDDLES) + rng.choice(ENDS)
    if roll < 0.18:
        return f"{rng.choice(FAMILY)}-{rng.choice(FAMILY)}"
    if roll < 0.21:
        return rng.choice(("van der ", "de ", "von ", "di ", "Al-", "Mc")) + rng.choice(FAMILY)
    return rng.choice(FAMILY)


def given_name(rng: random.Random) -> str:
    return rng.choice(GIVEN)


def person(rng: random.Random, *, titled: float = 0.0) -> str:
    """A full name; ``titled`` is the chance of a title before it."""
    given = given_name(rng)
    roll = rng.random()
    if roll < 0.06:
        given = f"{given} {rng.choice('ABCDEFGHJKLMNPRST')}."
    elif roll < 0.09:
        given = f"{given}-{given_name(rng)}"
    name = f"{given} {surname(rng)}"
    return f"{rng.choice(TITLES)} {name}" if rng.random() < titled else name


def company(rng: random.Random, lang: str = "en") -> str:
    """A company's name, with or without a legal form."""
    form = rng.choice(FORMS[lang] if rng.random() < 0.8 else FORMS[rng.choice(list(FORMS))])
    stem = rng.choice(STARTS) + rng.choice(MIDDLES) + rng.choice(("ta", "ra", "ix", "on", "is", "ex", "o", "ia"))
    word, trade = rng.choice(COMPANY_WORDS), rng.choice(TRADES)
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
            f"{word} & {rng.choice(COMPANY_WORDS)}",
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
    return f"{short}.{rng.choice(RESERVED)}"


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
    number = rng.choice(
        (str(rng.randrange(1, 200)), str(rng.randrange(1, 60)), f"{rng.randrange(1, 90)}{rng.choice('abc')}")
    )
    if lang == "de":
        name = rng.choice(STREET_DE) + rng.choice(STREET["de"])
        if rng.random() < 0.35:
            name = name.replace("straße", rng.choice(("str.", "str.", "strasse")))
        return f"{name} {number}"
    if lang == "fr":
        return f"{number}{rng.choice(('', ','))} {rng.choice(STREET['fr'])} {rng.choice(STREET_FR)}"
    if lang == "es":
        return f"{rng.choice(STREET['es'])} {rng.choice(STREET_ES)}{rng.choice((',', ''))} {number}"
    name = rng.choice((rng.choice(STREET_NAMES), surname(rng), rng.choice(COMPANY_WORDS)))
    unit = rng.choice(
        (
            "",
            "",
            "",
            "",
            f", Unit {rng.randrange(1, 30)}",
            f", Suite {rng.randrange(100, 900)}",
            f", Flat {rng.randrange(1, 20)}",
        )
    )
    return f"{number} {name} {rng.choice(STREET['en'])}{unit}"


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
    """A bank identifier of eight or eleven characters."""
    letters = "".join(rng.choice("ABCDEFGHKLMNOPRSTUVWX") for _ in range(4))
    country, place = rng.choice(("DE", "AT", "ES", "GB", "FR")), rng.choice(("FF", "MM", "HH", "2L"))
    return f"{letters}{country}{place}{rng.choice(('', 'XXX'))}"


def shop(rng: random.Random) -> str:
    """The name over a shop's door, without a legal form."""
    word, trade = rng.choice(COMPANY_WORDS), rng.choice(TRADES)
    return rng.choice(
        (
            f"{word} {trade}",
            f"The {word} {rng.choice(COMPANY_WORDS)}",
            f"{given_name(rng)}'s {trade}",
            f"{surname(rng)} {trade}",
            f"{rng.choice(('Café', 'Bistro', 'Casa', 'Haus', 'Chez'))} {given_name(rng)}",
            f"{place_name(rng)} {trade}",
            f"{word}{rng.choice(('mart', 'shop', 'store', 'point', 'corner'))}",
        )
    )
