"""How days and points in time are written. A numeric style is only used for days that it cannot confuse."""

from __future__ import annotations

import datetime as dt
import random

from deg_core.datagen.documents.lexicon import words

MONTHS = {
    "en": words("January February March April May June July August September October November December"),
    "de": words("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    "fr": words("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    "es": words("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
}
_SHORT = {
    "en": words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
    "de": words("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
}
_WEEKDAYS = {
    "en": words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "de": words("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
}

_STYLES = {
    "en": (
        "iso",
        "iso",
        "d_month_y",
        "d_month_y",
        "month_d_y",
        "month_d_y",
        "d_mon_y",
        "d_mon_y",
        "mon_d_y",
        "dash_mon",
        "ordinal",
        "slash_mdy",
        "slash_dmy",
        "dotted",
        "ymd_slash",
    ),
    "de": ("dotted", "dotted", "d_month_y", "d_month_y", "d_mon_y", "iso"),
    "fr": ("slash_dmy", "d_month_y", "d_month_y", "dotted", "iso"),
    "es": ("slash_dmy", "de_month_de", "de_month_de", "iso"),
}
_NUMERIC = {"slash_mdy", "slash_dmy", "dotted"}
WORDY = {"d_month_y", "month_d_y", "d_mon_y", "mon_d_y", "ordinal", "de_month_de"}


def draw_date_style(rng: random.Random, lang: str, *, wordy: bool = False) -> str:
    """A date style that goes with the language; ``wordy`` asks for one with the month's name."""
    styles = [style for style in _STYLES[lang] if not wordy or style in WORDY]
    return rng.choice(styles)


def confusable(day: dt.date, style: str) -> bool:
    """Whether the numeric style lets this day be read in two ways."""
    return style in _NUMERIC and day.day <= 12 and day.day != day.month


def settle(day: dt.date, style: str) -> dt.date:
    """The same day, moved into the second half of its month where the style would be ambiguous."""
    return day.replace(day=day.day + 13) if confusable(day, style) else day


def _ordinal(day: int) -> str:
    if 10 < day < 14:
        return f"{day}th"
    return f"{day}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th') }"


def write_date(day: dt.date, style: str, lang: str) -> str:
    """The day in one of the styles; month names in the language where it has them."""
    long = MONTHS[lang][day.month - 1]
    short = _SHORT.get(lang, _SHORT["en"])[day.month - 1]
    stop = "." if lang == "de" else ""
    forms = {
        "iso": f"{day:%Y-%m-%d}",
        "d_month_y": f"{day.day}{stop} {long} {day.year}",
        "month_d_y": f"{long} {day.day}, {day.year}",
        "d_mon_y": f"{day.day}{stop} {short} {day.year}",
        "mon_d_y": f"{short} {day.day}, {day.year}",
        "dash_mon": f"{day.day:02d}-{_SHORT['en'][day.month - 1]}-{day.year}",
        "ordinal": f"{_ordinal(day.day)} {long} {day.year}",
        "slash_mdy": f"{day.month:02d}/{day.day:02d}/{day.year}",
        "slash_dmy": f"{day.day:02d}/{day.month:02d}/{day.year}",
        "dotted": f"{day.day:02d}.{day.month:02d}.{day.year}",
        "ymd_slash": f"{day:%Y/%m/%d}",
        "de_month_de": f"{day.day} de {long} de {day.year}",
    }
    return forms[style]


def weekday(day: dt.date, lang: str) -> str:
    """The name of the weekday (English where the language has no list)."""
    return _WEEKDAYS.get(lang, _WEEKDAYS["en"])[day.weekday()]


def draw_clock_style(rng: random.Random, lang: str) -> str:
    """A style for the time of day that goes with the language."""
    return rng.choice(("24", "24", "24", "ampm", "AMPM") if lang == "en" else ("24",))


def write_clock(time: dt.time, style: str, *, seconds: bool = False) -> str:
    """The time of day: "16:20", "16:20:05", "4:20 pm"."""
    if style == "24":
        return f"{time:%H:%M:%S}" if seconds else f"{time:%H:%M}"
    half = "am" if time.hour < 12 else "pm"
    hour = time.hour % 12 or 12
    return f"{hour}:{time.minute:02d} {half.upper() if style == 'AMPM' else half}"


def write_moment(moment: dt.datetime, date_style: str, clock_style: str, lang: str) -> str:
    """A date-time: ISO with a T where the date is ISO and the clock has 24 hours, else "date, time"."""
    day = write_date(moment.date(), date_style, lang)
    clock = write_clock(moment.time(), clock_style, seconds=moment.second != 0)
    joint = " " if date_style in ("iso", "ymd_slash", "slash_mdy", "slash_dmy") else ", "
    return f"{day}{joint}{clock}"


def draw_day(rng: random.Random, first: dt.date, last: dt.date) -> dt.date:
    """A day between two days, both included."""
    return first + dt.timedelta(days=rng.randrange((last - first).days + 1))
