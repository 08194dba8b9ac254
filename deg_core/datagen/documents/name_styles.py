"""How the names of properties and options are spelled: one style for a whole schema."""

from __future__ import annotations

from collections.abc import Callable

_SHORT = {
    "number": ("no", "nr", "num"),
    "invoice": ("inv",),
    "customer": ("cust",),
    "amount": ("amt",),
    "address": ("addr",),
    "telephone": ("tel",),
    "reference": ("ref",),
    "quantity": ("qty",),
    "description": ("desc",),
    "date": ("dt",),
    "identifier": ("id",),
    "department": ("dept",),
    "account": ("acct",),
    "delivery": ("deliv",),
    "document": ("doc",),
    "percentage": ("pct",),
    "minimum": ("min",),
    "maximum": ("max",),
}


def snake_case(words: list[str]) -> str:
    return "_".join(words)


def camel_case(words: list[str]) -> str:
    return words[0] + "".join(word.capitalize() for word in words[1:])


def pascal_case(words: list[str]) -> str:
    return "".join(word.capitalize() for word in words)


def title_case(words: list[str]) -> str:
    return " ".join(word if word.isupper() else word.capitalize() for word in words)


def upper_snake_case(words: list[str]) -> str:
    return "_".join(words).upper()


def short_case(words: list[str]) -> str:
    return "_".join(_SHORT.get(word, (word,))[0] for word in words)


NAME_STYLES: tuple[tuple[float, Callable[[list[str]], str]], ...] = (
    (0.44, snake_case),
    (0.18, camel_case),
    (0.05, pascal_case),
    (0.1, title_case),
    (0.09, short_case),
    (0.04, lambda words: "-".join(words)),
    (0.03, upper_snake_case),
    (0.04, lambda words: " ".join(words)),
    (0.03, lambda words: "".join(words)),
)
