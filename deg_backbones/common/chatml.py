"""ChatML turns as token ids. Control tokens come from here alone, never from text."""

from __future__ import annotations

from deg_core.protocols.tokenizer import Tokenizer

START, END = "<|im_start|>", "<|im_end|>"


def turn(tokenizer: Tokenizer, role: str, text: str) -> list[int]:
    """A whole turn, with the line break after it."""
    opening = [tokenizer.control(START), *tokenizer.encode(f"{role}\n{text}")]
    return [*opening, tokenizer.control(END), *tokenizer.encode("\n")]


def opened(tokenizer: Tokenizer, role: str) -> list[int]:
    """The opening of a turn: what follows is the turn's text."""
    return [tokenizer.control(START), *tokenizer.encode(f"{role}\n")]


def closed(tokenizer: Tokenizer) -> list[int]:
    """The end of a turn that was opened, with the line break after it."""
    return [tokenizer.control(END), *tokenizer.encode("\n")]
