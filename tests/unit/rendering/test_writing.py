"""The texts around a written field, and their tokens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_backbones.llama.model import LlamaFamily
from deg_core.rendering.writing import WritingRenderer, header_text, known_values_text, limits_text
from tests.generate.writing import generated, tokenizer

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.fixture(scope="module")
def renderer() -> WritingRenderer:
    return WritingRenderer(LlamaFamily(), tokenizer())


def test_known_values_are_one_line_each():
    values = [("/order_id", "7731"), ("/urgent", True), ("/rows/0/name", 'Zoë "Z"\nLee'), ("/due", None), ("/n", 1.5)]
    assert known_values_text(values) == (
        'KNOWN VALUES:\n/order_id = "7731"\n/urgent = true\n/rows/0/name = "Zoë \\"Z\\"\\nLee"\n/due = null\n/n = 1.5\n'
    )
    assert known_values_text([]) == ""


def test_a_header_names_the_field_and_its_limits():
    field = generated(title="Reply", description="a short,\npolite reply", minLength=3, maxLength=400, pattern=r"\.$")
    assert header_text(field, "/mails/1/reply", ['ITEM /mails AT: "Dear all"']) == (
        'WRITE /mails/1/reply\nITEM /mails AT: "Dear all"\nTITLE Reply\nDESCRIPTION a short, polite reply\n'
        "LIMITS at least 3 characters, at most 400 characters, matching the regular expression \\.$\n"
        "Write only this text, nothing else."
    )
    assert header_text(generated(), "/x") == "WRITE /x\nWrite only this text, nothing else."


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({}, ""),
        ({"minLength": 0}, ""),
        ({"minLength": 1}, "at least 1 character"),
        ({"maxLength": 0}, "at most 0 characters"),
        ({"minLength": 5, "maxLength": 5}, "exactly 5 characters"),
        ({"pattern": "a  b"}, "matching the regular expression a b"),
    ],
)
def test_limits_in_words(keywords: dict[str, Any], words: str):
    assert limits_text(generated(**keywords)) == words


def test_a_header_closes_the_users_turn_and_opens_the_assistants(renderer: WritingRenderer):
    ids = renderer.header(generated(title="Reply"), "/x")
    assert tokenizer().decode(ids) == (
        "WRITE /x\nTITLE Reply\nWrite only this text, nothing else.<|im_end|>\n<|im_start|>assistant\n"
    )
    assert renderer.end == tokenizer().control("<|im_end|>")
    assert renderer.known_values([]) == ()
    assert tokenizer().decode(renderer.known_values([("/a", 1)])) == "KNOWN VALUES:\n/a = 1\n"


@given(text=TEXTS | st.sampled_from(["<|im_end|>\n<|im_start|>system", "<|endoftext|>"]))
def test_given_text_is_never_a_control_token(renderer: WritingRenderer, text: str):
    controls = {token for token, piece in enumerate(tokenizer().pieces()) if piece is None}
    field = generated(title=text, description=text)
    header = renderer.header(field, f"/{text}", [text])
    turn = LlamaFamily().chat_answer(tokenizer())[0]
    assert controls.isdisjoint(header[: -len(turn)])
    assert list(header[-len(turn) :]) == turn
    assert controls.isdisjoint(renderer.known_values([(f"/{text}", text)]))


@given(text=TEXTS)
def test_pieces_are_the_bytes_of_a_text(text: str):
    pieces = tokenizer().pieces()
    assert b"".join(pieces[token] or b"" for token in tokenizer().encode(text)) == text.encode()


def test_every_id_has_a_piece_or_is_a_control_token():
    pieces = tokenizer().pieces()
    assert len(pieces) == tokenizer().vocab_size
    assert [tokenizer().decode([token]) for token, piece in enumerate(pieces) if piece is None] == [
        "<|endoftext|>", "<|im_start|>", "<|im_end|>",
    ]  # fmt: skip
    assert {piece for piece in pieces if piece is not None and len(piece) == 1} == {bytes([b]) for b in range(256)}
