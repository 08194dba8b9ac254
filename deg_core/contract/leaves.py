"""Reading strings, numbers and booleans: which mode each gets and which keywords constrain it (SPEC 2 to 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from deg_core.contract.arithmetic import Bounds, is_number, plain
from deg_core.contract.jsonvalue import show
from deg_core.contract.keywords import DATE_FORMATS, FORMATS, NUMBER_KEYWORDS
from deg_core.contract.nodes import LeafNode, Site
from deg_core.contract.plan import JSONValue, Mode

if TYPE_CHECKING:
    from deg_core.contract.schema import Reader

_FORMAT_LENGTHS: Final[dict[str, tuple[int, int | None]]] = {
    "date": (10, 10),
    "date-time": (20, None),
    "uuid": (36, 36),
}
"""Least and most characters of the formats that fix them."""
MAX_LEVELS: Final = 11
"""An integer with at most this many admissible values is judged; any other number is copied (SPEC 3)."""


def count(value: JSONValue) -> int | None:
    """The value of a counting keyword (minLength, maxItems, ...); None when it is absent or malformed."""
    if not is_number(value) or value < 0 or value != int(value):
        return None
    return int(value)


# Extensions


def generates(reader: Reader, site: Site) -> bool:
    """Whether ``x-generate`` is true; anything but true and false is reported."""
    value = site.schema.get("x-generate", False)
    if isinstance(value, bool):
        return value
    rule = "generate-after" if isinstance(value, dict) and "after" in value else "generate-value"
    reader.problems.add(site.at("x-generate"), rule, found=show(value))
    return False


def max_tokens(reader: Reader, site: Site, *, generates: bool) -> int | None:
    """The value of ``x-max-tokens``, which stands only where ``x-generate`` applies."""
    if "x-max-tokens" not in site.schema:
        return None
    value = site.schema["x-max-tokens"]
    tokens = count(value)
    if not tokens:
        reader.problems.add(site.at("x-max-tokens"), "max-tokens-value", found=show(value))
    if not generates:
        reader.problems.add(site.at("x-max-tokens"), "max-tokens-place")
    return tokens or None


def refuse_extensions(reader: Reader, site: Site, found: str, *, levels: bool = False) -> None:
    """Report the extensions of a site where none applies; ``levels`` says that x-levels is dealt with elsewhere."""
    if generates(reader, site):
        advice = "; decide what is chosen, generate only what is written" if found == "an enum" else ""
        reader.problems.add(site.at("x-generate"), "generate-place", found=found, advice=advice)
    max_tokens(reader, site, generates=False)
    if not levels and "x-levels" in site.schema:
        reader.problems.add(site.at("x-levels"), "levels-place", found=found)


# Strings


def read_string(reader: Reader, site: Site, *, nullable: bool) -> LeafNode:
    """A string: copied, parsed as a date, or with ``x-generate`` written."""
    written = generates(reader, site)
    tokens = max_tokens(reader, site, generates=written)
    if "x-levels" in site.schema:
        reader.problems.add(site.at("x-levels"), "levels-place", found="a string")
    constraints = string_constraints(reader, site)
    name = format_name(reader, site)
    _check_format_length(reader, site, name)
    if written and (nullable or "format" in site.schema):
        found = "a string with format" if "format" in site.schema else "a nullable string"
        advice = "" if "format" in site.schema else "; generated text is always there, so drop null"
        reader.problems.add(site.at("x-generate"), "generate-place", found=found, advice=advice)
    copied = Mode.DATE if name in DATE_FORMATS else Mode.SPAN
    return LeafNode(
        mode=Mode.GENERATE if written else copied,
        json_type="string",
        nullable=nullable,
        title=site.text("title"),
        description=site.text("description"),
        format=name,
        constraints=constraints,
        max_tokens=tokens if written else None,
    )


def string_constraints(reader: Reader, site: Site) -> tuple[tuple[str, JSONValue], ...]:
    """minLength, maxLength and pattern, checked against each other and for being usable."""
    found: list[tuple[str, JSONValue]] = []
    low, high = count(site.schema.get("minLength")), count(site.schema.get("maxLength"))
    if low is not None:
        found.append(("minLength", low))
    if high is not None:
        found.append(("maxLength", high))
    if low is not None and high is not None and low > high:
        reader.problems.add(site.at("minLength"), "length-empty", low=low, high=high)
    pattern = site.text("pattern")
    if pattern is not None:
        found.append(("pattern", pattern))
        why = reader.work.pattern_problem(pattern, site.at("pattern"))
        if why is not None:
            reader.problems.add(site.at("pattern"), "pattern", found=show(pattern), why=why)
    return tuple(found)


def format_name(reader: Reader, site: Site) -> str | None:
    """The supported format of a string; None when there is none, or when it was reported."""
    name = site.text("format")
    if name is None or name in FORMATS:
        return name
    reader.problems.add(site.at("format"), "format", found=show(name), hint=reader.problems.hint(name, FORMATS))
    return None


def _check_format_length(reader: Reader, site: Site, name: str | None) -> None:
    """Report length limits that no text of the format meets."""
    if name not in _FORMAT_LENGTHS:
        return
    least, most = _FORMAT_LENGTHS[name]
    low, high = count(site.schema.get("minLength")), count(site.schema.get("maxLength"))
    wanted = str(least) if least == most else f"at least {least}"
    for keyword, broken in (
        ("minLength", low is not None and most is not None and low > most),
        ("maxLength", high is not None and high < least),
    ):
        if broken:
            reader.problems.add(site.at(keyword), "format-length", format=name, wanted=wanted)


# Booleans


def read_boolean(reader: Reader, site: Site, *, nullable: bool) -> LeafNode:
    """A boolean is judged; a nullable one is a choice of true, false and null."""
    refuse_extensions(reader, site, "a boolean")
    title, description = site.text("title"), site.text("description")
    if not nullable:
        return LeafNode(mode=Mode.NOUL, json_type="boolean", title=title, description=description)
    return LeafNode(
        mode=Mode.CHOICE,
        json_type="enum",
        nullable=True,
        title=title,
        description=description,
        options=(True, False, None),
        option_descriptions=(None, None, None),
    )


# Numbers


def number_constraints(reader: Reader, site: Site) -> dict[str, int | float]:
    """The numeric keywords in their order, exclusive bounds as numbers (draft-04 has them as flags)."""
    schema = site.schema
    found = {keyword: plain(schema[keyword]) for keyword in NUMBER_KEYWORDS if is_number(schema.get(keyword))}
    if found.get("multipleOf", 1) <= 0:
        del found["multipleOf"]
    if reader.draft == "draft-04":
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            found.pop(exclusive, None)
            if schema.get(exclusive) is True and bound in found:
                found[exclusive] = found.pop(bound)
    return {keyword: found[keyword] for keyword in NUMBER_KEYWORDS if keyword in found}


def read_number(reader: Reader, site: Site, kind: str, *, nullable: bool) -> LeafNode:
    """A number: judged when it is an integer with 2 to 11 admissible values, else copied (SPEC 3)."""
    constraints = number_constraints(reader, site)
    bounds = Bounds.of(constraints)
    admitted = bounds.integers() if kind == "integer" else None
    size = None if admitted is None else _size(admitted)
    if size is not None and size < 2:
        found = "no integer" if size == 0 else f"only {admitted[0]}" if admitted else "one integer"
        advice = "; leave the field out" if size == 1 else ""
        reader.problems.add(site.loc, "integer-levels", found=found, advice=advice)
    elif size is None and bounds.empty():
        reader.problems.add(site.loc, "number-empty", bounds=_words(constraints))
    judged = size is not None and 2 <= size <= MAX_LEVELS
    refuse_extensions(reader, site, f"a {kind}" if kind == "number" else "an integer", levels=True)
    levels = tuple(admitted) if judged and admitted is not None else ()
    labels = _labels(reader, site, kind, levels)
    return LeafNode(
        mode=Mode.SCORE if judged else Mode.NUMBER,
        json_type=kind,
        nullable=nullable,
        title=site.text("title"),
        description=site.text("description"),
        levels=levels,
        level_labels=labels,
        constraints=() if judged else tuple(constraints.items()),
    )


def _size(admitted: range) -> int:
    """The length of a range of any size (len() stops at 2**63)."""
    return max(0, (admitted.stop - admitted.start + admitted.step - 1) // admitted.step)


def _words(constraints: dict[str, int | float]) -> str:
    return ", ".join(f"{keyword} {show(value)}" for keyword, value in constraints.items())


def _labels(reader: Reader, site: Site, kind: str, levels: tuple[int, ...]) -> tuple[str | None, ...]:
    """The label of each level, from ``x-levels``."""
    blank: tuple[str | None, ...] = (None,) * len(levels)
    if "x-levels" not in site.schema:
        return blank
    given = site.schema["x-levels"]
    if not levels:
        found = "an integer with other bounds" if kind == "integer" else f"a {kind}"
        reader.problems.add(site.at("x-levels"), "levels-place", found=found)
        return blank
    if not isinstance(given, dict):
        reader.problems.add(site.at("x-levels"), "levels-value", found=show(given))
        return blank
    place = {str(level): index for index, level in enumerate(levels)}
    labels = list(blank)
    for key, label in given.items():
        loc = (*site.at("x-levels"), key)
        if key not in place:
            reader.problems.add(loc, "levels-key", found=show(key), allowed=", ".join(place))
        if not isinstance(label, str) or not label.strip():
            reader.problems.add(loc, "levels-label", found=show(label))
        elif key in place:
            labels[place[key]] = label
    return tuple(labels)
