"""Text and ids: the turns around a text, the tokenizer, and the line between user text and control tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from deg_core.conformance.family_case import FamilyCase
from deg_core.conformance.report import CheckFailed, NotApplicable

TEXTS: Final = (
    "Order 7731, EUR 1,250.00 — due 3 May 2024.\n\n\tPaid by: Ann Lee <ann@example.org>\r\n",
    "naïve café, Ångström, 日本語のテキスト, עברית, हिन्दी, 🙂👩‍👩‍👧 \U0001f1e8\U0001f1ed",
    '    four spaces\n\n\n{"a": [1, 2.50, null]}  \u00a0\u2003\u200b end',
    "x",
    "\n",
    "",
)
SYSTEM: Final = "You fill fields from a text."


def chat_turns(case: FamilyCase) -> None:
    """``chat_prefix`` up to where the user's text begins, with the system text in it; ``chat_answer`` from the end of
    that text to where the assistant writes, and the control token that ends its turn."""
    family, tokenizer = case.family, case.tokenizer
    prefix = family.chat_prefix(tokenizer, SYSTEM)
    answer, end = family.chat_answer(tokenizer)
    size = case.geometry.vocab_size
    for name, ids in (("chat_prefix()", prefix), ("chat_answer()", [*answer, end])):
        bad = [token for token in ids if type(token) is not int or not 0 <= token < size]
        if bad or not ids:
            found = f"it gives {bad[:5]}" if bad else "it gives none"
            raise CheckFailed(f"{name} to give ids from 0 to {size - 1}, the vocabulary", found)
    if SYSTEM not in tokenizer.decode(prefix):
        raise CheckFailed(f"a chat_prefix() with the system text {SYSTEM!r} in it", repr(tokenizer.decode(prefix)))
    if tokenizer.pieces()[end] is not None:
        raise CheckFailed(
            "an end of the assistant's turn that is a control token, one for which pieces() has None",
            f"token {end}, {tokenizer.decode([end])!r}, which a text may hold",
        )
    if prefix[-1] == end:
        raise CheckFailed("a chat_prefix() that leaves the user's turn open", f"its last token {end} ends the turn")
    if (family.chat_prefix(tokenizer, SYSTEM), family.chat_answer(tokenizer)) != (prefix, (answer, end)):
        raise CheckFailed("the same turns at every call", "chat_prefix() or chat_answer() differs from the call before")


def tokenizer(case: FamilyCase) -> None:
    """A text's ids, their offsets and the bytes that each adds are one and the same text; a line break is one token of
    its own (forks are laid out by lines); ids are below the embedding's size."""
    if not case.own_tokenizer:
        raise NotApplicable("the family's own tokenizer is not there: give --snapshot, or a method tiny_tokenizer()")
    own = case.tokenizer
    if own.vocab_size > case.geometry.vocab_size:
        raise CheckFailed(
            f"a vocab_size of at most {case.geometry.vocab_size}, the rows of the embedding", str(own.vocab_size)
        )
    if len(own.encode("\n")) != 1:
        raise CheckFailed("a line break that is one token", f"it is {own.encode(chr(10))}")
    pieces = own.pieces()
    if len(pieces) != own.vocab_size:
        raise CheckFailed(f"pieces() of all {own.vocab_size} ids", f"{len(pieces)} pieces")
    for text in TEXTS:
        ids, offsets = own.encode_with_offsets(text)
        if ids != own.encode(text):
            raise CheckFailed("encode() and encode_with_offsets() with the same ids", f"they differ for {text!r}")
        _check_offsets(text, ids, offsets)
        _check_pieces(text, ids, pieces, own.decode(ids))


def _check_offsets(text: str, ids: Sequence[int], offsets: Sequence[tuple[int, int]]) -> None:
    """Ascending, inside the text, one for each token, and together over every character."""
    expectation = "ascending code-point offsets [start, end) that together cover the text"
    if len(offsets) != len(ids):
        raise CheckFailed(expectation, f"{len(offsets)} offsets of {len(ids)} tokens of {text!r}")
    reach, last = 0, (0, 0)
    for start, end in offsets:
        if not (last[0] <= start and last[1] <= end and 0 <= start < end <= len(text)):
            raise CheckFailed(expectation, f"({start}, {end}) after {last} in {text!r}")
        if start > reach:
            raise CheckFailed(expectation, f"no token covers {text[reach:start]!r} in {text!r}")
        reach, last = max(reach, end), (start, end)
    if reach < len(text):
        raise CheckFailed(expectation, f"no token covers {text[reach:]!r} at the end of {text!r}")


def _check_pieces(text: str, ids: Sequence[int], pieces: Sequence[bytes | None], decoded: str) -> None:
    """The bytes of the tokens are the text, composed as the tokenizer composes it."""
    allowed = {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFKC", text)}
    parts = [pieces[token] for token in ids]
    if None in parts:
        raise CheckFailed("pieces() with the bytes of every token of a text", f"None for a token of {text!r}")
    joined = b"".join(part for part in parts if part is not None).decode("utf-8", "replace")
    for name, found in (("the joined pieces", joined), ("decode()", decoded)):
        if found not in allowed:
            raise CheckFailed(f"{name} of a text's tokens to be the text", f"{found!r} for {text!r}")


def user_text(case: FamilyCase) -> None:
    """Every control token's spelling, alone, in words and doubled, in a text and in the system text: ordinary
    characters. Control tokens are those for which ``pieces`` has None, and whatever the chat turns are made of."""
    own = case.tokenizer
    prefix = case.family.chat_prefix(own, SYSTEM)
    answer, end = case.family.chat_answer(own)
    pieces = own.pieces()
    controls = {token for token, piece in enumerate(pieces) if piece is None} | {end}
    spelled = {token: own.decode([token]) for token in sorted(controls)}
    if not any(spelled.values()):
        raise NotApplicable("no control token has a spelling that a text could hold")
    expectation = "text that spells a control token to become ordinary characters"
    for text in _spellings([name for name in spelled.values() if name]):
        hit = controls.intersection(own.encode(text), own.encode_with_offsets(text)[0])
        if hit:
            raise CheckFailed(expectation, f"{text!r} becomes token {min(hit)}, {spelled[min(hit)]!r}")
    used = [spelled[token] for token in (*prefix, *answer, end) if token in controls and spelled[token]]
    for name in dict.fromkeys(used):
        system = case.family.chat_prefix(own, f"{SYSTEM} {name}")
        if _count(system, controls) != _count(prefix, controls):
            raise CheckFailed(expectation, f"chat_prefix() of a system text with {name!r} has more control tokens")


def _spellings(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield from (name, f"a{name}b", f" {name}\n", name + name, f"{name[:-1]}\u200b{name[-1:]}")
    yield "".join(names)


def _count(ids: Sequence[int], controls: set[int]) -> int:
    return sum(token in controls for token in ids)
