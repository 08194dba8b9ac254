"""How numbers and amounts of money are written: separators, currency marks, quantities."""

from __future__ import annotations

import random
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

CURRENCIES = {
    "EUR": ("€", "EUR", "Euro"),
    "USD": ("$", "USD", "US$"),
    "GBP": ("£", "GBP"),
    "CHF": ("CHF", "Fr."),
    "CAD": ("CA$", "CAD"),
    "AUD": ("A$", "AUD"),
    "SEK": ("kr", "SEK"),
    "PLN": ("zł", "PLN"),
}

_SEPARATORS = {
    # name: (thousands, decimal mark)
    "comma": (",", "."),
    "point": (".", ","),
    "space": (" ", ","),
    "apostrophe": ("'", "."),
    "plain_point": ("", "."),
    "plain_comma": ("", ","),
}

_BY_LANG = {
    "en": ("comma", "comma", "comma", "plain_point", "plain_point", "apostrophe", "point"),
    "de": ("point", "point", "point", "plain_comma", "apostrophe"),
    "fr": ("space", "plain_comma", "space", "plain_comma"),
    "es": ("point", "plain_comma", "point"),
}


@dataclass(frozen=True, slots=True)
class MoneyStyle:
    """One page's way of writing money. ``mark`` is the currency sign or code, "" where none is written."""

    separators: str
    currency: str
    mark: str
    leading: bool
    gap: str

    def digits(self, amount: Decimal, places: int = 2) -> str:
        """The digits of a non-negative amount, without a currency mark."""
        thousands, mark = _SEPARATORS[self.separators]
        whole, _, fraction = f"{amount:.{places}f}".partition(".")
        groups: list[str] = []
        while len(whole) > 3 and thousands:
            groups.insert(0, whole[-3:])
            whole = whole[:-3]
        grouped = thousands.join([whole, *groups])
        return f"{grouped}{mark}{fraction}" if fraction else grouped

    def around(self) -> tuple[str, str]:
        """What is written before and after the digits."""
        if not self.mark:
            return "", ""
        return (self.mark + self.gap, "") if self.leading else ("", self.gap + self.mark)


def draw_money_style(rng: random.Random, lang: str) -> MoneyStyle:
    """A way of writing money that goes with the language."""
    currency = rng.choice(
        {
            "en": ["USD", "USD", "GBP", "EUR", "EUR", "CAD", "AUD", "CHF", "SEK", "PLN"],
            "de": ["EUR", "EUR", "EUR", "CHF"],
            "fr": ["EUR", "EUR", "CHF"],
            "es": ["EUR", "EUR", "USD"],
        }[lang]
    )
    separators = rng.choice(_BY_LANG[lang])
    if lang == "en" and currency in ("USD", "GBP", "CAD", "AUD") and separators not in ("comma", "plain_point"):
        separators = "comma"
    mark = rng.choice(CURRENCIES[currency])
    sign = len(mark) == 1 or mark.endswith("$")
    leading = rng.random() < (0.9 if sign and mark not in ("€",) and currency not in ("SEK", "PLN") else 0.35)
    gap = rng.choice(("", "", " ")) if sign else " "
    if not leading and currency != "EUR":
        gap = " "
    return MoneyStyle(separators, currency, mark, leading, gap)


def cents(value: Decimal) -> Decimal:
    """Rounded to cents, half up."""
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def draw_price(rng: random.Random, low: float, high: float) -> Decimal:
    """A price between two bounds, spread evenly over magnitudes, with cents that shops like."""
    raw = low * (high / low) ** rng.random()
    whole = int(raw)
    tail = rng.choice((0, 0, 50, 90, 95, 99, 25, 75, rng.randrange(100), rng.randrange(100)))
    return max(Decimal(whole) + Decimal(tail) / 100, Decimal("0.35"))


def percent(rate: Decimal, style: MoneyStyle) -> str:
    """A tax or discount rate as digits: "19", "7.7", "8,1"."""
    text = f"{rate.normalize():f}"
    return text.replace(".", _SEPARATORS[style.separators][1])
