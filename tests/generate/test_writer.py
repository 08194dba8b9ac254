"""Where a text ends: by the model's wish, a pattern's end, maxLength, or the budget; and what it is then."""

from __future__ import annotations

from typing import Any

import pytest

from deg_core.engine.writer import Written
from deg_core.errors import FillError
from tests.generate.writing import end_of_turn, generated, tokenizer, wishes, write


def spelled(text: str) -> list[int]:
    """One token a byte."""
    single = {piece: token for token, piece in enumerate(tokenizer().pieces()) if piece and len(piece) == 1}
    return [single[bytes([byte])] for byte in text.encode()]


def outcome(wanted: str, budget: int = 60, **keywords: Any) -> Any:
    """What comes of a model that wants this text and then the end of its turn."""
    return write(generated(**keywords), budget, wishes(*spelled(wanted)))


def test_the_model_ends_it():
    assert outcome("Hello there") == Written("Hello there", 12, "stop")
    assert outcome("") == Written("", 1, "stop")


def test_characters_over_several_tokens():
    assert outcome("日本 é 😀!") == Written("日本 é 😀!", len("日本 é 😀!".encode()) + 1, "stop")


def test_the_end_is_passed_over_until_the_text_may_end():
    found = outcome("abc", minLength=6)
    assert isinstance(found, Written)
    assert found.text.startswith("abc")
    assert len(found.text) == 6
    assert found.finish == "stop"


def test_white_space_at_the_end_is_not_of_the_text():
    assert outcome("abc \n ") == Written("abc", 7, "stop")
    assert outcome("abc ", minLength=4).text == "abc "
    assert outcome("abc ", pattern=r"\s$").text == "abc "
    assert outcome("abc ", pattern="^a").text == "abc"


def test_white_space_does_not_run_on():
    a, newline, b = (spelled(char)[0] for char in "a\nb")
    found = write(generated(), 30, wishes(a, *[[newline, b]] * 11))
    assert found == Written("a\n\n\n\nb\n\n\n\nb", 13, "stop")
    assert write(generated(), 30, wishes([spelled(" ")[0], b], a)) == Written("ba", 3, "stop")
    assert write(generated(), 30, wishes(a, [spelled("\r")[0], b], [spelled("\x07")[0], a])).text == "aba"


def test_a_pattern_overrules_that():
    assert outcome("  x", pattern="^ {6}x$").text == " " * 6 + "x"
    assert outcome("a\r", pattern="^a\\rb$").text == "a\rb"


def test_a_pattern_ends_it():
    assert outcome("2024 and more", pattern="^[0-9]{4}$") == Written("2024", 4, "stop")
    found = outcome("year: 7", pattern="^[0-9]{4}$")
    assert found.text.isdigit()
    assert len(found.text) == 4


def test_what_does_not_fit_ends_it():
    assert outcome("a headline that goes on", maxLength=10) == Written("a headline", 10, "max_length")
    token = max(
        (t for t, piece in enumerate(tokenizer().pieces()) if piece and piece.isalpha()),
        key=lambda t: len(tokenizer().pieces()[t]),
    )
    whole = tokenizer().pieces()[token].decode()
    found = write(generated(maxLength=len(whole) + 3), 60, wishes(*spelled("ab "), token, *spelled(" "), token))
    assert found == Written("ab " + whole, 4, "max_length")
    found = write(generated(maxLength=len(whole) + 2), 60, wishes(*spelled("ab "), [token, end_of_turn()]))
    assert found == Written("ab", 3, "max_length")  # nothing shorter is put in the place of the word


def test_at_a_limit_it_goes_back_to_its_last_whole_sentence():
    assert outcome("One. Two is it! And three", maxLength=20).text == "One. Two is it!"
    assert outcome("One. Two is it, and so on", maxLength=20).text == "One. Two is it, and"
    assert outcome("One. Two is it! And three", budget=20) == Written("One. Two is it!", 20, "length")
    assert outcome("One. Two is it! And three", maxLength=20, minLength=16).text == "One. Two is it! And"
    assert outcome("One. Two is it! And three", maxLength=20, pattern="A").text == "One. Two is it! And"
    assert outcome("これ。それです。あれは", maxLength=10).text == "これ。それです。"
    assert outcome("It costs 3.50 in all, no more", maxLength=20).text == "It costs 3.50 in all"
    assert outcome("He said “Stop.” Then he", maxLength=19).text == "He said “Stop.”"


def test_a_text_that_the_model_ends_keeps_all_sentences():
    assert outcome("One. Two is it! And three", maxLength=25).text == "One. Two is it! And three"


def test_the_budget_ends_it():
    assert outcome("abcdefgh", budget=5) == Written("abcde", 5, "length")
    assert outcome("abcd", budget=5) == Written("abcd", 5, "stop")
    assert outcome("abcde", budget=5) == Written("abcde", 5, "length")
    assert outcome("ab日本", budget=4) == Written("ab", 2, "length")  # no character is begun that cannot be finished


def test_the_budget_is_kept_for_what_is_still_needed():
    """The pattern's end is written while there is time for it."""
    assert outcome("a" * 50, budget=10, pattern="^a+bcd$").text == "aaaaaaabcd"
    assert outcome("a" * 50, maxLength=8, pattern="^a+bcd$").text == "aaaaabcd"
    assert outcome("So it is. And so on and on", budget=20, pattern=r"\.$").text == "So it is. And so on."
    found = outcome("So it is now. And so on and on", budget=20, pattern=r"\.$")
    assert found == Written("So it is now.", 20, "length")


@pytest.mark.parametrize(
    ("keywords", "budget", "says"),
    [
        (
            {"minLength": 9},
            4,
            ["budget of 4 tokens", "x-max-tokens", "'aaaa'", "4 characters", "minLength 9", "raise it"],
        ),
        ({"pattern": "^a+bcdefgh$"}, 5, ["budget of 5 tokens", "'aaaaa'", "pattern '^a+bcdefgh$'"]),
        ({"pattern": "^(?=.)a+$", "maxLength": 0}, 9, ["no text meets"]),
        (
            {"pattern": r"^(?=a)a(b)\1$", "maxLength": 2},
            9,
            ["no token can follow", "'a'", r"pattern '^(?=a)a(b)\\1$'"],
        ),
    ],
)
def test_errors_say_what_is_missing(keywords: dict[str, Any], budget: int, says: list[str]):
    found = outcome("a" * 50, budget, **keywords)
    assert isinstance(found, FillError)
    assert found.pointer == "/x"
    for part in says:
        assert part in found.message, found.message


def test_a_long_text_is_shown_by_its_end():
    found = outcome("x" * 70 + "y" * 9, 79, minLength=80)
    assert isinstance(found, FillError)
    assert "'…" + "x" * 50 + "y" * 9 + "'" in found.message


def test_control_tokens_other_than_the_end_are_never_taken():
    start = tokenizer().control("<|im_start|>")
    found = write(generated(), 9, wishes([start, *spelled("ok")[:1]], *spelled("k")))
    assert found == Written("ok", 3, "stop")
    assert outcome("<|im_end|>").text == "<|im_end|>"
