"""Numbers: real spellings and their values, what is refused, which candidates a text offers."""

from __future__ import annotations

import pytest

from deg_core.contract.parsers import Parsed, Unparsed, decimal_mark, find_numbers, parse_number

PLAIN = [
    ("0", 0),
    ("7", 7),
    ("42", 42),
    ("007", 7),
    ("2026", 2026),
    ("1234567", 1234567),
    ("3.0", 3.0),
    ("3.14", 3.14),
    ("0.045", 0.045),
    ("0.5", 0.5),
    (".5", 0.5),
    (".10", 0.1),
    (",89", 0.89),
    ("12.50", 12.5),
    ("5931.774", 5931.774),
    ("01802.119", 1802.119),
    ("44.80172", 44.80172),
    ("0.620", 0.62),
    ("0,125", 0.125),
    ("1234.567", 1234.567),
    ("2003-", 2003),
    ("00.50", 0.5),
]
GROUPED = [
    ("1,500.00", 1500.0),
    ("1,234,567", 1234567),
    ("1,234,567.890", 1234567.89),
    ("12,345,678.9", 12345678.9),
    ("1.234,56", 1234.56),
    ("1.234.567", 1234567),
    ("1.234.567,89", 1234567.89),
    ("31.874,6", 31874.6),
    ("1 800,00", 1800.0),
    ("3 400 000", 3400000),
    ("1 284.60", 1284.6),
    ("14 920", 14920),
    ("1\u00a0234,5", 1234.5),
    ("1\u202f234\u202f567,89", 1234567.89),
    ("1\u2009234.5", 1234.5),
    ("1'007.50", 1007.5),
    ("1\u2019234\u2019567.00", 1234567.0),
    ("12'000", 12000),
    ("1_000_000", 1000000),
    ("1,50,000", 150000),
    ("38,74,200", 3874200),
    ("1,24,800.00", 124800.0),
    ("1,23,45,678", 12345678),
    ("412,80", 412.8),
    ("7,5", 7.5),
    ("88,00", 88.0),
    ("1204,5", 1204.5),
    ("1,1240", 1.124),
    ("0,9710", 0.971),
    ("143,8", 143.8),
]
SIGNED = [
    ("-3", -3),
    ("+41", 41),
    ("\u22123.1", -3.1),
    ("\u221240", -40),
    ("\u20135", -5),
    ("-59,00", -59.0),
    ("+4.8", 4.8),
    ("- 12", -12),
    ("-\u00a32,150.00", -2150.0),
    ("\u2212\u20ac15", -15),
    ("$-5.25", -5.25),
    ("(1,234.50)", -1234.5),
    ("($85)", -85),
    ("(\u00a31,200)", -1200),
    ("(-5)", -5),
    ("1,234.50-", -1234.5),
    ("745.00-", -745.0),
    ("minus 4", -4),
    ("Minus 12.5", -12.5),
    ("\uff0d7", -7),
]
MONEY = [
    ("\u00a31,500.00", 1500.0),
    ("\u00a3 318.00", 318.0),
    ("$7.99", 7.99),
    ("US$ 1,200", 1200),
    ("A$34.50", 34.5),
    ("NZ$34.50", 34.5),
    ("R$ 1.234,56", 1234.56),
    ("\u20ac289.00", 289.0),
    ("129,00 \u20ac", 129.0),
    ("1.096,35 \u20ac", 1096.35),
    ("24,90\u20ac", 24.9),
    ("EUR 350", 350),
    ("EUR350", 350),
    ("EUR 2,750,000", 2750000),
    ("USD 214500.00", 214500.0),
    ("CHF 1'234.50", 1234.5),
    ("7,50 EUR", 7.5),
    ("1 190 kr", 1190),
    ("kr 1 699,00", 1699.0),
    ("SEK 1 800,00", 1800.0),
    ("Rs. 1,50,000", 150000),
    ("Rs 38,74,200", 3874200),
    ("Rs.1,50,000/-", 150000),
    ("\u20b94,500", 4500),
    ("\u00a51,150", 1150),
    ("\uffe51,150", 1150),
    ("\u20a6900", 900),
    ("Ksh2,340.00", 2340.0),
    ("Fr. 49.90", 49.9),
    ("149,-", 149),
    ("149.-", 149),
    ("5,-- \u20ac", 5),
    ("12 000 K\u010d", 12000),
    ("49,99 z\u0142", 49.99),
    ("0.045 BTC", 0.045),
    ("61,482 dollars", 61482),
    ("600.000,00 EUR", 600000.0),
    ("20\u00a2", 20),
]
UNITS = [
    ("18%", 18),
    ("12,5 %", 12.5),
    ("0.2\u2030", 0.2),
    ("4.2kg", 4.2),
    ("11.2KG", 11.2),
    ("120km/h", 120),
    ("196\u00b0", 196),
    ("-17.6C", -17.6),
    ("+4.8 \u00b0C", 4.8),
    ("3.4 m", 3.4),
    ("30L", 30),
    ("500 ml", 500),
    ("84,5 N", 84.5),
    ("31.874,6 kWh", 31874.6),
    ("75 m\u00b2", 75),
    ("1,5 h", 1.5),
    ("16 pcs", 16),
    ("90 mins", 90),
    ("2 GB", 2),
    ("5PK", 5),
    ("3rd", 3),
    ("42nd", 42),
    ('27"', 27),
    ("400 \u03bcg/L", 400),
    ("64m", 64),
    ("~5", 5),
    ("\u22482.5", 2.5),
    ("#31", 31),
    ("<5", 5),
    ("3,400\u5186", 3400),
]
SCALED = [
    ("1.5 million", 1500000),
    ("\u00a364m", 64000000),
    ("$1.2bn", 1200000000),
    ("\u20ac612m", 612000000),
    ("12k", 12000),
    ("50K", 50000),
    ("$3.75k", 3750),
    ("2 thousand", 2000),
    ("3 million euros", 3000000),
    ("1.287,5 Mio. EUR", 1287500000),
    ("4,2 Mrd. Euro", 4200000000),
    ("2.5 lakh", 250000),
    ("Rs 3 crore", 30000000),
    ("2 dozen", 24),
    ("N12 billion", 12000000000),
    ("0.3 trillion", 300000000000),
    ("1.2345 million", 1234500),
]
FRACTIONS = [
    ("\u00bd", 0.5),
    ("\u00be", 0.75),
    ("2\u00bd", 2.5),
    ("4\u00bd", 4.5),
    ("1 \u00bc", 1.25),
    ("1/2", 0.5),
    ("3/4", 0.75),
    ("1 1/2", 1.5),
    ("2 3/4 cups", 2.75),
    ("1-1/2", 1.5),
    ("5/8", 0.625),
    ("1\u20442", 0.5),
    ("\u2153", 1 / 3),
    ("-\u00bd", -0.5),
    ("10\u00bdoz", 10.5),
    ("\u00bcin", 0.25),
    ("3 \u00bd oz", 3.5),
    ("1/2oz", 0.5),
    ("100/8", 12.5),
    ("12/5", 2.4),
    ("3/4lb", 0.75),
]
SCIENTIFIC = [
    ("1e3", 1000),
    ("1.5e3", 1500.0),
    ("1.5E-3", 0.0015),
    ("6.02e+23", 6.02e23),
    ("3\u00d710\u207b\u00b3", 0.003),
    ("4.7 x 10^6", 4700000.0),
    ("2\u00b710\u00b3", 2000),
    ("1.0\u00d710^\u22122", 0.01),
]
DIGITS = [
    ("\u0663\u066b\u0665", 3.5),
    ("\u0661\u066c\u0662\u0663\u0664", 1234),
    ("\u0967\u0968\u0969", 123),
    ("\uff11\uff12\uff13", 123),
    ("\u09e7,\u09e8\u09e9,\u09ea\u09eb\u09ec", 123456),
    ("3\u00b74", 3.4),
]
WORDS = [
    ("zero", 0),
    ("one", 1),
    ("three", 3),
    ("Three", 3),
    ("TWELVE", 12),
    ("seventeen", 17),
    ("twenty-one", 21),
    ("thirty five", 35),
    ("ninety-nine", 99),
    ("a hundred", 100),
    ("one hundred and five", 105),
    ("two hundred thirty-four", 234),
    ("nineteen hundred", 1900),
    ("a thousand", 1000),
    ("three thousand two hundred", 3200),
    ("two hundred and five thousand", 205000),
    ("ten thousand and one", 10001),
    ("one thousand and two hundred", 1200),
    ("one million two hundred thousand", 1200000),
    ("two million, three hundred thousand and six", 2300006),
    ("a dozen", 12),
    ("two dozen", 24),
    ("half a dozen", 6),
    ("two and a half", 2.5),
    ("two and a half million", 2500000),
]
VALUES = [
    *PLAIN,
    *GROUPED,
    *SIGNED,
    *MONEY,
    *UNITS,
    *SCALED,
    *FRACTIONS,
    *SCIENTIFIC,
    *DIGITS,
    *WORDS,
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_value(text: str, value: float) -> None:
    read = parse_number(text)
    assert isinstance(read, Parsed), read
    assert read.value == value
    assert type(read.value) is type(value)


LOOSE_SIGN = [("- 12", -12)]  # a dash apart from its digits is as often a bullet: read, but not pointed at


@pytest.mark.parametrize(("text", "value"), [case for case in VALUES if case not in LOOSE_SIGN])
def test_a_written_number_is_among_the_candidates_of_a_sentence(text: str, value: float) -> None:
    sentence = f"Total: {text} ; next"
    values = [parse_number(sentence[a:b]) for a, b in find_numbers(sentence)]
    assert value in [read.value for read in values if isinstance(read, Parsed)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "abc",
        "N/A",
        "-",
        ".",
        "\u00a3",
        "%",
        "5-7",
        "5 to 7",
        "14:05",
        "2026-05-03",
        "03/05/2026",
        "8.0.1",
        "192.168.0.1",
        "12.345.67",
        "1,23,4",
        "1.234.56",
        "INV-2041-A7",
        "3x4",
        "and",
        "a",
        "half",
        "hundred",
        "three four",
        "one zero",
        "twenty twelve",
        "1/0",
        "1 5/2",
        "1996/97",
        "--5",
        "1e999",
        "1" * 500,
        "10\u00b2",
        "5 of 6",
        "\u216b",
    ],
)
def test_refused(text: str) -> None:
    assert isinstance(parse_number(text), Unparsed)


@pytest.mark.parametrize(
    ("text", "decimal", "integer", "value", "rule"),
    [
        ("1,234", None, False, 1234, "comma_groups"),
        ("1.234", None, False, 1.234, "point_decimal"),
        ("3.350", None, False, 3.35, "point_decimal"),
        ("3.350", ",", False, 3350, "document_groups"),
        ("3.350", ".", False, 3.35, "document_decimal"),
        ("1,234", ",", False, 1.234, "document_decimal"),
        ("1,234", ".", False, 1234, "document_groups"),
        ("4.000", None, True, 4000, "integer_groups"),
        ("4.000", ".", True, 4000, "integer_groups"),
        ("11.204", None, True, 11204, "integer_groups"),
        ("EUR 84.200", ",", False, 84200, "document_groups"),
    ],
)
def test_two_conventions(text: str, decimal: str | None, integer: bool, value: float, rule: str) -> None:
    assert parse_number(text, decimal=decimal, integer=integer) == Parsed(value, ambiguous=True, rule=rule)


@pytest.mark.parametrize(
    ("text", "decimal"),
    [("0.045", ","), ("1.234,56", "."), ("12,5", "."), ("1234.567", ","), ("1,234.5", ",")],
)
def test_a_document_mark_never_overrules_an_unmistakable_number(text: str, decimal: str) -> None:
    read = parse_number(text, decimal=decimal)
    assert read == parse_number(text)
    assert not read.ambiguous


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("1.5 million", "multiplier"),
        ("\u00bd", "fraction"),
        ("three", "words"),
        ("(85.00)", "parentheses"),
        ("85.00", None),
    ],
)
def test_rules(text: str, rule: str | None) -> None:
    read = parse_number(text)
    assert isinstance(read, Parsed)
    assert read.rule == rule


def offered(text: str) -> list[str]:
    return [text[a:b] for a, b in find_numbers(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paid \u00a31,500.00 today", ["\u00a31,500.00", "1,500.00"]),
        ("paid 129,00 \u20ac today", ["129,00", "129,00 \u20ac"]),
        ("deposit -\u00a32,150.00", ["-\u00a32,150.00", "\u00a32,150.00", "2,150.00"]),
        ("at -3 \u00b0C", ["-3", "3"]),
        ("is 18%.", ["18", "18%"]),
        ("worth $1.2bn.", ["$1.2", "$1.2bn", "1.2", "1.2bn"]),
        ("INV-2041", ["2041"]),
        ("ref A7 8f2 x_9", []),
        ("4.2kg and 120km/h", ["4.2", "120"]),
        ("5-7 days", ["5", "7"]),
        ("\u00a3700 \u2013 \u00a31,000", ["\u00a3700", "700", "\u00a31,000", "1,000"]),
        ("size 400x16", ["400", "16"]),
        ("mums x2", ["2"]),
        ("1 800,00", ["1", "1 800,00", "800,00"]),
        ("[120,240]", ["120", "120,240", "240"]),
        ('"pos":[44.80172,-0.56311]', ["44.80172", "-0.56311", "0.56311"]),
        ("Loss (1,234.50)", ["(1,234.50)", "1,234.50"]),
        ("note (3)", ["3"]),
        ("4\u00bd cups", ["4\u00bd"]),
        ("100g/3\u00bdoz", ["100", "3\u00bd"]),
        ("N64 A10 N180B", []),
        ("205/55 R16, v9", ["205", "205/55", "55", "R16", "16", "9"]),
        ("R1,500.00", ["R1,500.00", "1,500.00"]),
        ("of \u00a364m, 64m long", ["\u00a364", "\u00a364m", "64", "64"]),
        ("2 million euros", ["2", "2 million", "2 million euros"]),
        ("2003-", ["2003"]),
        ("No.5", ["5"]),
        ("wait 5.", ["5"]),
        ("three of us", ["three"]),
        ("bone, stone, someone", []),
        ("between five and six", ["five", "six"]),
        ("\u671f\u96503\u65e5\u4ee5\u5185", ["3"]),
    ],
)
def test_candidates(text: str, expected: list[str]) -> None:
    assert offered(text) == expected


def test_candidates_come_in_document_order_without_repeats() -> None:
    spans = find_numbers("1 234 567 then three and -\u00a34.50, 1 1/2 and 3.5e6, (12.00) 5%")
    assert spans == sorted(set(spans))


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("12,50 and 7,25", ","),
        ("3.75 kg", "."),
        ("1.234,50", ","),
        ("1,234.50", "."),
        ("Gehalt 3.150 bis 3.600 \u20ac", ","),
        ("no numbers", None),
        ("1.234 and 5,678", None),
        ("at 7.30 on 26.11", None),
        ("3,75 but also 3.75", None),
        ("1.234.567", ","),
    ],
)
def test_decimal_mark_of_a_document(text: str, mark: str | None) -> None:
    assert decimal_mark(text) == mark


@pytest.mark.parametrize(
    ("text", "number", "mark"),
    [
        ("Price EUR 1.145 per person, 12.75 kg", "1.145", ","),
        ("Diesel 1.459 \u20ac/l", "1.459", None),
        ("KWD 1.250", "1.250", None),
        ("Am 03.05.2026 kamen 3.480 g", "3.480", ","),
        ("25.11.2026: quota 1,200 MT", "1,200", None),
    ],
)
def test_decimal_mark_at_a_span(text: str, number: str, mark: str | None) -> None:
    start = text.index(number)
    assert decimal_mark(text, (start, start + len(number))) == mark


def test_half_of_a_large_number_is_not_the_whole() -> None:
    assert find_numbers("half a million people") == [(0, 14)]
    assert parse_number("half a million") == Parsed(500_000, rule="words")
    assert parse_number("half a hundred") == Parsed(50, rule="words")
    assert parse_number("half a dozen") == Parsed(6, rule="words")


@pytest.mark.parametrize(("text", "value"), [("minus two", -2), ("Minus twenty-one", -21), ("-two", -2)])
def test_a_number_in_words_keeps_its_sign(text: str, value: int) -> None:
    assert parse_number(text) == Parsed(value, rule="words")


def test_a_minus_before_words_is_part_of_a_candidate() -> None:
    assert find_numbers("it was minus five degrees") == [(7, 17), (13, 17)]


@pytest.mark.parametrize("text", ["1e-400", "-3e-999"])
def test_what_a_double_would_round_to_zero_is_not_read(text: str) -> None:
    assert parse_number(text) == Unparsed()
