"""Every rule of the schema subset, in one table: what is refused, and the sentence that says so (SPEC 3 to 5).

``python -m deg_core.contract.rules`` prints ``docs/reference/schema_subset.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rule:
    """``says`` is the message, a format string; ``title`` one line for the reference page, empty for
    rules that are not about schemas."""

    says: str
    title: str


_DOCUMENT: Final = {
    "not-json": Rule(
        "{found} is not a JSON value", "Only JSON values: objects, arrays, strings, numbers, booleans, null"
    ),
    "key-not-string": Rule("object keys must be strings, found {found}", "Object keys are strings"),
    "not-finite": Rule("{found} is not a JSON number", "NaN and infinities are not JSON numbers"),
    "integer-size": Rule(
        "an integer of about {found} digits; at most {limit} digits are allowed", "Integers have at most 308 digits"
    ),
    "lone-surrogate": Rule(
        "the string holds the lone surrogate {found} at position {at}, which no text encoding can carry; "
        "write the whole character",
        "Strings hold no lone surrogates",
    ),
    "document-depth": Rule("nested deeper than the limit of {limit} containers", "At most 128 nested containers"),
    "document-size": Rule("the document holds more than the limit of {limit} values", "At most 1,000,000 values"),
    "draft": Rule(
        "$schema names {found}, which is not a draft that deg reads; allowed: {allowed}",
        "`$schema`, when given, names draft-04, -06, -07, 2019-09 or 2020-12 (the default)",
    ),
    "draft-nested": Rule(
        "$schema {found} inside a document of draft {draft}; one document has one draft, named at its root",
        "`$schema` inside the document names the same draft",
    ),
    "malformed": Rule(
        "{keyword} must be {wanted}, found {found}{advice}", "The document is a valid JSON Schema of its draft"
    ),
    "not-a-schema": Rule("a schema must be an object, found {found}", "Every subschema is an object"),
    "nesting": Rule(
        "objects, arrays and references are nested deeper than the limit of {limit}",
        "At most 64 levels of objects, arrays and references",
    ),
    "reads": Rule(
        "the references of the schema unfold to more than the limit of {limit} schemas",
        "At most 50,000 schemas after `$ref`s are followed",
    ),
    "listed": Rule(
        "the schema lists more than the limit of {limit} values to choose from", "At most 250,000 listed values in all"
    ),
    "size": Rule(
        "the schema unfolds to more than the limit of {limit} fields",
        "At most 20,000 fields after `$ref`s are followed",
    ),
}

_TYPES: Final = {
    "root-object": Rule(
        'the root must have "type": "object", found {found}; put the value under a property of an object',
        'The root is `"type": "object"`',
    ),
    "type-missing": Rule(
        'there is no "type" (and no enum, oneOf, anyOf or $ref), so the kind of value is not known; '
        "add one of {allowed}{advice}",
        "Every schema has a `type`, an `enum`, a `oneOf`/`anyOf`, or a `$ref`",
    ),
    "boolean-schema": Rule(
        "the schema {found} says nothing about the value; give an object with a type", "No boolean schemas as fields"
    ),
    "union-type": Rule(
        'type {found} is a union; the only union allowed is [X, "null"]{advice}', 'A union `type` is only `[X, "null"]`'
    ),
    "null-only": Rule(
        'the type is only null, so there is nothing to decide or extract; leave the field out or use [X, "null"]',
        "A field is more than null",
    ),
    "nullable-container": Rule(
        "a nullable {kind} is not supported; drop null and {advice}", "Objects and arrays are not nullable"
    ),
    "unsupported": Rule("{keyword} is not supported: {why}{instead}", "Unsupported keywords (table below)"),
    "unknown-keyword": Rule("unknown keyword {keyword}{hint}", "Unknown keywords are refused"),
    "unknown-extension": Rule(
        "unknown extension {keyword}{hint}; the extensions are x-generate, x-max-tokens and x-levels",
        "No `x-*` keyword but `x-generate`, `x-max-tokens`, `x-levels`",
    ),
    "keyword-type": Rule(
        "{keyword} does not apply to {type}; it applies to {allowed}",
        "A keyword stands only where it applies (table below)",
    ),
}

_CHOICES: Final = {
    "enum-scalar": Rule(
        "enum values must be strings, numbers, booleans or null, found {found}", "`enum` values are scalars"
    ),
    "enum-type": Rule(
        "the value {found} is not of type {type}, so it could never be given", "`enum` values fit the `type`"
    ),
    "enum-duplicate": Rule("{found} is listed already at {first}", "`enum` values are different (1 and 1.0 are equal)"),
    "enum-count": Rule("{found} {values} to choose from; 2 to 255 are allowed{advice}", "A choice has 2 to 255 values"),
    "enum-constraint": Rule(
        "the value {found} does not satisfy {keyword} {limit}, so it could never be given; drop the value or {keyword}",
        "`enum` values satisfy the keywords beside them",
    ),
    "union-form": Rule(
        '{keyword} is allowed in two forms only: [X, {{"type": "null"}}], or branches that are all const or enum; '
        "{found}",
        "`anyOf`/`oneOf` only as the nullable form or the const/enum form",
    ),
    "union-both": Rule(
        "anyOf and oneOf stand beside each other; use one of them", "`anyOf` and `oneOf` are not combined"
    ),
    "union-enum": Rule("enum stands beside {keyword}; use one of them", "`enum` is not combined with `anyOf`/`oneOf`"),
    "union-sibling": Rule(
        "{keyword} beside {union} is not supported; {advice}",
        "Beside `anyOf`/`oneOf` stand annotations (and a fitting `type`)",
    ),
    "branch-keyword": Rule(
        "{keyword} is not supported in a const or enum branch; a branch holds const or enum, type, title and "
        "description",
        "A const/enum branch holds `const` or `enum`, `type` and annotations",
    ),
    "one-of-null": Rule(
        "null matches both branches of oneOf, so null would not be valid; use anyOf or drop one of the two",
        "In `oneOf: [X, {type: null}]`, X itself is not nullable",
    ),
}

_REFS: Final = {
    "ref-remote": Rule(
        "$ref {found} points outside this document; only # and #/... are allowed, so copy the target under $defs",
        "`$ref` is local: `#` or `#/...`",
    ),
    "ref-anchor": Rule(
        "$ref {found} uses an anchor name; write the JSON pointer of the target, such as #/$defs/name",
        "`$ref` is a JSON pointer, not an anchor name",
    ),
    "ref-missing": Rule("$ref {found} does not exist: there is no {part} at {parent}{hint}", "`$ref` targets exist"),
    "ref-pointer": Rule(
        "$ref {found} is not a valid JSON pointer: {why}",
        "`$ref` pointers are well-formed (`~0`, `~1`, percent-escapes)",
    ),
    "ref-cycle": Rule(
        "the schema refers to itself: {cycle}; recursion is not supported, so unfold the levels you need",
        "`$ref` is not recursive",
    ),
    "ref-sibling": Rule(
        "{keyword} beside $ref is not supported: only annotations may stand there; put it in the target, or write the "
        "target out here",
        "Beside `$ref` stand annotations only; they override the target's",
    ),
}

_NUMBERS: Final = {
    "integer-levels": Rule(
        "the bounds admit {found}; an integer needs at least 2 possible values{advice}",
        "Integer bounds admit at least 2 values",
    ),
    "number-empty": Rule("the bounds admit no number: {bounds}", "Number bounds admit a value"),
    "length-empty": Rule(
        "minLength {low} is more than maxLength {high}, so no text fits", "`minLength` <= `maxLength`"
    ),
    "format-length": Rule(
        "a {format} has {wanted} characters, which minLength and maxLength do not admit, so no text fits",
        "`minLength` and `maxLength` admit texts of the `format`",
    ),
    "pattern": Rule(
        "pattern {found} is not a valid regular expression: {why}", "`pattern` is an ECMA-262 regular expression"
    ),
    "pattern-text": Rule(
        "the patterns of the schema have more than the limit of {limit} characters in all",
        "Different patterns have at most 60,000 characters in all, a set or an escape counting as 20",
    ),
    "pattern-time": Rule(
        "pattern {found} takes too long on the listed values; write it without repeats inside repeats",
        "`pattern` is checked against listed values within its time limit",
    ),
    "format": Rule(
        "format {found} is not supported; allowed: date, date-time, email, uri, uuid{hint}",
        "`format` is `date`, `date-time`, `email`, `uri` or `uuid`",
    ),
}

_CONTAINERS: Final = {
    "items-missing": Rule('an array needs "items", the schema of its items', "An array has `items`"),
    "items-tuple": Rule(
        "tuple items (a list of schemas) are not supported; use an object with one property for each place",
        "`items` is one schema, not a list",
    ),
    "items-count": Rule("minItems {low} is more than maxItems {high}, so no array fits", "`minItems` <= `maxItems`"),
    "items-unique": Rule(
        "minItems {low} is more than the {found} different values an item can have, so with uniqueItems no array fits",
        "With `uniqueItems` there are at least `minItems` values to choose from",
    ),
    "required-unknown": Rule(
        "required names {found}, which is not in properties{hint}", "`required` names are in `properties`"
    ),
    "additional-schema": Rule(
        "additionalProperties must be true or false: with a schema the key names would be unknown; "
        "name each key under properties, or use an array of objects with a key and a value",
        "`additionalProperties` is absent, true or false",
    ),
}

_EXTENSIONS: Final = {
    "generate-value": Rule("x-generate must be true or false, found {found}", "`x-generate` is true or false"),
    "generate-after": Rule(
        'x-generate: {{"after": ...}} is not implemented: generated fields are independent of each other; use true',
        '`x-generate: {"after": ...}` is reserved',
    ),
    "generate-place": Rule(
        "x-generate is allowed only on type string without enum or format, and on an array of such strings; "
        "found {found}{advice}",
        "`x-generate` stands on a plain string or an array of plain strings",
    ),
    "max-tokens-place": Rule(
        "x-max-tokens is allowed only on a field with x-generate: true",
        "`x-max-tokens` stands only with `x-generate: true`",
    ),
    "max-tokens-value": Rule(
        "x-max-tokens must be an integer of at least 1, found {found}", "`x-max-tokens` is an integer >= 1"
    ),
    "levels-place": Rule(
        "x-levels is allowed only on an integer whose bounds admit 2 to 11 values; found {found}",
        "`x-levels` stands only on an integer score",
    ),
    "levels-value": Rule(
        'x-levels must be an object such as {{"1": "poor"}}, found {found}',
        "`x-levels` is an object of level and label",
    ),
    "levels-key": Rule(
        "{found} is not an admissible level; the levels are {allowed}", "`x-levels` keys are admissible levels"
    ),
    "levels-label": Rule(
        "a level's label must be a non-empty string, found {found}", "`x-levels` labels are non-empty strings"
    ),
}

# Of requests and JSON texts, not of schemas; they stand here so that every sentence has one home.
_REQUESTS: Final = {
    "key-twice": Rule("the key {found} stands twice in one object; only one can count, so remove the other", ""),
    "number-text": Rule("{found} is {why}", ""),
    "request-body": Rule("the request must be an object, found {found}", ""),
    "request-missing": Rule("{name} is missing", ""),
    "request-unknown": Rule("unknown {noun} {name}{hint}; allowed: {allowed}", ""),
    "request-value": Rule("{name} must be {wanted}, found {found}", ""),
    "request-seed": Rule("temperature above 0 needs a seed, so that the same request gives the same text", ""),
}

RULES: Final[dict[str, Rule]] = {
    **_DOCUMENT,
    **_TYPES,
    **_CHOICES,
    **_REFS,
    **_NUMBERS,
    **_CONTAINERS,
    **_EXTENSIONS,
    **_REQUESTS,
}


def reference_page() -> str:
    """The text of the reference page on the schema subset, made from the tables that the compiler itself reads."""
    # Imported here because the tables of keywords and the collector of problems build on this module's rules.
    from deg_core.contract import keywords

    lines = [_PAGE_HEAD, "## Keywords", "", "| keyword | applies to |", "|---|---|"]
    lines += [f"| `{name}` | {', '.join(types)} |" for name, types in keywords.APPLIES.items()]
    lines += [
        '| `type` | every schema; a name, or `[X, "null"]` |',
        "| `enum` | any scalar type, 2 to 255 different values |",
        '| `anyOf`, `oneOf` | the nullable form `[X, {"type": "null"}]`, or branches that are all `const` or `enum` |',
        "| `$ref` | `#` or `#/...`, not recursive; annotations beside it override the target's |",
        "| `x-generate` | a string without `enum` and `format`, or an array of such strings |",
        "| `x-max-tokens` | where `x-generate` is true |",
        "| `x-levels` | an integer with 2 to 11 possible values |",
        "",
        "Annotations, allowed everywhere: " + ", ".join(f"`{name}`" for name in sorted(keywords.ANNOTATIONS)) + ".",
        "",
        "Formats: " + ", ".join(f"`{name}`" for name in keywords.FORMATS) + ".",
        "",
        "## Unsupported keywords",
        "",
        "| keyword | why | instead |",
        "|---|---|---|",
    ]
    lines += [f"| `{name}` | {entry.why} | {entry.instead} |" for name, entry in keywords.UNSUPPORTED.items()]
    lines += [
        "",
        "## Rules",
        "",
        "Every problem of a schema is one of these.",
        "",
        "| rule | id | message |",
        "|---|---|---|",
    ]
    lines += [
        f"| {rule.title} | `{name}` | {rule.says.replace('|', chr(92) + '|').replace('{{', '{').replace('}}', '}')} |"
        for name, rule in RULES.items()
        if rule.title
    ]
    return "\n".join(lines) + "\n"


_PAGE_HEAD: Final = """\
# The schema subset

<!-- Made by `python -m deg_core.contract.rules`; a test compares. Edit the tables in deg_core/contract instead. -->

deg reads JSON Schema (draft 2020-12, or the draft that `$schema` names: 04, 06, 07, 2019-09) and fills every leaf in
the one way that its type and keywords say:

| schema | mode |
|---|---|
| `enum`; `oneOf`/`anyOf` of `const` and `enum` | `decide.choice` |
| `boolean` | `decide.noul` |
| `["boolean", "null"]` | `decide.choice` of true, false, null |
| `integer` whose bounds admit 2 to 11 values | `decide.score` |
| any other `integer`, every `number` | `extract.number` |
| `string` with format `date` or `date-time` | `extract.date` |
| any other `string` | `extract.span` |
| `string` with `x-generate: true` | `generate` |
| `array` | each item by the item schema; the length comes from the text |
| `object` | each property, in schema order |

How the open corners are read:

- **Null in a choice** is an outcome where JSON Schema accepts it: as an `enum` value, a `const`, or a null branch. It
  stands where it is written. `"type": ["string", "null"]` beside an `enum` without null adds nothing: the enum refuses
  null, so it is no outcome.
- **Equality** is that of JSON Schema: 1 and 1.0 are the same value (listed twice, a duplicate), true and 1 are not.
- **Numbers are decimals**: 0.3 is a multiple of 0.1, and bounds compare by their decimal text.
- **Keywords beside an enum** (`maxLength` beside an `enum` of strings) are checked against every listed value.
- **Branch descriptions** become option descriptions; a branch without a description uses its title.
- **Keywords beside a nullable `anyOf`** count as written in the other branch.
- **Scalar items** without a title and description have those of their array.
- **Definitions that nothing refers to** must be valid JSON Schema, and may use anything that JSON Schema has.
- **Patterns** are ECMA-262 regular expressions, searched anywhere in the text: `\\d`, `\\w` and `\\b` are ASCII,
  `\\p{L}` works, and what only other dialects have (`(?i)`, `(?P<name>...)`, `\\A`, `\\Z`) is refused.
"""

if __name__ == "__main__":
    import sys

    sys.stdout.write(reference_page())
