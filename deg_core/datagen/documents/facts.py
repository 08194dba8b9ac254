"""Puts facts on a page: amounts, counts, days and parties, each in the page's own style."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from deg_core.datagen.documents import dates, names
from deg_core.datagen.documents.amounts import MoneyStyle, draw_money_style
from deg_core.datagen.documents.builder import Labels, Page, Statements


@dataclass(frozen=True, slots=True)
class Style:
    """How one page writes amounts, days and times."""

    money: MoneyStyle
    date: str
    clock: str


@dataclass
class Sheet(Page):
    """A page with a style. Create it with :func:`new_sheet`.

    ``lister`` writes the goods of the page instead of its layout (:meth:`listed`).
    """

    style: Style | None = None
    lister: Callable[[Sheet], None] | None = None

    def listed(self) -> bool:
        """Write the goods with ``lister``, once; False when the layout is to write them itself."""
        if self.lister is None:
            return False
        self.lister(self)
        return True

    @property
    def way(self) -> Style:
        if self.style is None:
            raise ValueError("this sheet has no style; create it with new_sheet")
        return self.style

    def money(self, key: str, amount: Decimal) -> None:
        """An amount with its currency mark outside the span."""
        before, after = self.way.money.around()
        self.set(key, self.way.money.digits(amount), float(amount), before=before, after=after)

    def whole_money(self, key: str, amount: Decimal) -> None:
        """A whole amount with its currency mark; a lone group of three digits is not set off by a point or comma."""
        before, after = self.way.money.around()
        digits = self.way.money.digits(amount, 0)
        if digits.count(",") + digits.count(".") == 1:
            digits = self.rng.choice((f"{int(amount)}", f"{int(amount)}", f"{int(amount):,}".replace(",", " ")))
        self.set(key, digits, float(amount), before=before, after=after)

    def number(self, key: str, amount: int | Decimal, *, before: str = "", after: str = "") -> None:
        """A count or a rate; no thousands separators."""
        if isinstance(amount, int):
            self.set(key, str(amount), amount, before=before, after=after)
            return
        text = f"{amount.normalize():f}"
        if self.way.money.digits(Decimal("0.1"), 1) == "0,1":
            text = text.replace(".", ",")
        self.set(key, text, float(amount), before=before, after=after)

    def settle(self, day: dt.date) -> dt.date:
        """The day, moved where the page's date style would make it ambiguous."""
        return dates.settle(day, self.way.date)

    def day(self, key: str, day: dt.date) -> None:
        """A day; with a small chance its weekday is written before it."""
        day = self.settle(day)
        before = ""
        if self.way.date in dates.WORDY and self.lang in ("en", "de") and self.rng.random() < 0.08:
            before = f"{dates.weekday(day, self.lang)}, "
        self.set(key, dates.write_date(day, self.way.date, self.lang), f"{day:%Y-%m-%d}", before=before)

    def moment(self, key: str, moment: dt.datetime) -> None:
        """A point in time without an offset; the contract reads it with the default offset Z."""
        time = moment.time() if self.way.clock == "24" else moment.time().replace(second=0)
        moment = dt.datetime.combine(self.settle(moment.date()), time)
        text = dates.write_moment(moment, self.way.date, self.way.clock, self.lang)
        self.set(key, text, f"{moment:%Y-%m-%dT%H:%M:%S}Z")

    def text(self, key: str, surface: str) -> None:
        """A string that is its own value."""
        self.set(key, surface)

    def texts(self, share: float, **facts: str) -> None:
        """Strings, each there with chance ``share``."""
        for key, surface in facts.items():
            if self.maybe(share):
                self.text(key, surface)

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share


def new_sheet(
    rng: random.Random,
    *,
    labels: Labels,
    statements: Statements,
    lang: str = "en",
    wordy: bool = False,
) -> Sheet:
    """An empty sheet with a drawn style; ``wordy`` asks for month names in dates."""
    style = Style(
        draw_money_style(rng, lang), dates.draw_date_style(rng, lang, wordy=wordy), dates.draw_clock_style(rng, lang)
    )
    return Sheet(rng=rng, lang=lang, labels=labels, statements=statements, style=style)


def draw_lang(rng: random.Random) -> str:
    """Mostly English, some German, French and Spanish."""
    return rng.choices(("en", "de", "fr", "es"), (72, 14, 7, 7))[0]


def add_address(sheet: Sheet, prefix: str, lang: str) -> None:
    """Street, postcode, city, and the address that they make up (on one line, or as a block of lines)."""
    rng = sheet.rng
    sheet.text(f"{prefix}_street", names.street(rng, lang))
    sheet.text(f"{prefix}_city", names.place_name(rng))
    city, code = f"{{{prefix}_city}}", f"{{{prefix}_zip}}"
    if lang == "en" and rng.random() < 0.6:
        sheet.text(f"{prefix}_zip", names.digits(rng, 5))
        town = f"{city}, {names.state(rng)} {code}"
    else:
        sheet.text(f"{prefix}_zip", names.postcode(rng, lang))
        town = rng.choice((f"{city}, {code}", f"{city} {code}")) if lang == "en" else f"{code} {city}"
    joint = rng.choice((", ", ", ", " · ", " / "))
    sheet.set(f"{prefix}_address", f"{{{prefix}_street}}{joint}{town}", composite=True)
    sheet.set(f"{prefix}_block", f"{{{prefix}_street}}\n{town}", composite=True)


def add_company(sheet: Sheet, prefix: str, *, lang: str | None = None, share: float = 0.6) -> None:
    """A company with its address and, each with chance ``share``, e-mail, telephone, web site, tax id, contact."""
    rng, lang = sheet.rng, lang or sheet.lang
    name = names.company(rng, lang)
    host = names.domain(rng, name)
    sheet.text(f"{prefix}_name", name)
    add_address(sheet, prefix, lang)
    person = names.person(rng, titled=0.1)
    if sheet.maybe(share):
        sheet.text(f"{prefix}_contact", person)
    if sheet.maybe(share):
        desk = rng.choice(
            ("info", "billing", "office", "accounts", "hello", "sales", "service", "orders", person, person)
        )
        sheet.text(f"{prefix}_email", names.email(rng, desk, host))
    if sheet.maybe(share):
        sheet.text(f"{prefix}_phone", names.phone(rng))
    if sheet.maybe(share):
        sheet.text(f"{prefix}_vat", names.tax_id(rng))
    if sheet.maybe(share * 0.7):
        sheet.text(f"{prefix}_web", names.url(rng, host, "", "/", "/contact", "/shop"))


def add_person(sheet: Sheet, prefix: str, *, lang: str | None = None, share: float = 0.5, titled: float = 0.05) -> None:
    """A private person with an address and, each with chance ``share``, e-mail and telephone."""
    rng = sheet.rng
    name = names.person(rng, titled=titled)
    sheet.text(f"{prefix}_name", name)
    add_address(sheet, prefix, lang or sheet.lang)
    if sheet.maybe(share):
        host = names.domain(
            rng, rng.choice(("mailbox", "postino", "inboxly", "webpost", "letterbee", names.surname(rng)))
        )
        sheet.text(f"{prefix}_email", names.email(rng, name, host))
    if sheet.maybe(share):
        sheet.text(f"{prefix}_phone", names.phone(rng))


Writer = Callable[[Sheet], None]
"""A layout: writes the facts of a sheet down in one way."""
