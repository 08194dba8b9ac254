"""Month and weekday names in English, German, French, Spanish, Italian, Portuguese and Dutch."""

from __future__ import annotations

import unicodedata

_MONTHS = """
january jan janr januar jaenner jänner janner jänn janvier janv enero ene gennaio gen janeiro januari
february feb febr februar feber fevrier fevr fev febrero febbraio febb fevereiro februari
march mar mär mrz märz maerz mars marzo março marco maart mrt
april apr avril avr abril abr aprile
may mai mayo maggio mag maio mei
june jun juni juin junio giugno giu junho
july jul juli juillet juil julio luglio lug julho
august aug augst août agosto ago ag augustus
september sept sep septembre septiembre setiembre set settembre sett setembro
october oct oktober okt octobre octubre ottobre ott outubro out
november nov novembre noviembre novembro
december dec dezember dez décembre déc diciembre dic dicembre dezembro
"""
_ROMAN = "I II III IV V VI VII VIII IX X XI XII"
_WEEKDAYS = """
monday mon mo montag lundi lun lunes lunedì segunda segunda-feira maandag ma
tuesday tue tues tu dienstag di mardi mar martes martedì terça terça-feira dinsdag
wednesday wed weds we mittwoch mi mercredi mer miércoles mié mercoledì quarta quarta-feira woensdag wo
thursday thu thur thurs th donnerstag do jeudi jeu jueves jue giovedì gio quinta quinta-feira donderdag
friday fri fr freitag vendredi ven viernes vie venerdì sexta sexta-feira vrijdag vr
saturday sat sa samstag sonnabend samedi sam sábado sáb sabato sab zaterdag za
sunday sun su sonntag so dimanche dim domingo dom domenica zondag zo
"""


def fold(word: str) -> str:
    """A word without case and accents, so that ``Août`` is ``aout``; ``ß`` and ``ae`` for ``ä`` keep their letters."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


MONTHS: dict[str, int] = {
    fold(name): number for number, line in enumerate(_MONTHS.strip().splitlines(), start=1) for name in line.split()
}
"""Folded month name or abbreviation (without its full stop) to 1..12."""

WEEKDAYS: frozenset[str] = frozenset(fold(name) for name in _WEEKDAYS.split())
"""Folded weekday names and abbreviations (without their full stop)."""

ROMAN_MONTHS: dict[str, int] = {name: number for number, name in enumerate(_ROMAN.split(), start=1)}
LONGEST_NAME = max(map(len, (*MONTHS, *WEEKDAYS)))
COMMON_WORDS = frozenset({"out", "set", "ago", "ag", "gen", "mag"})
"""Month abbreviations that are ordinary English words: they name a month only beside a year of four digits."""
