"""The embedded backbone's real weights: hidden states against ``transformers``, tokens against llama.cpp.

Both peers read the same GGUF file (``transformers`` through our dequantised weights, so that a fault of theirs in
reading GGUF cannot hide one of ours). Nothing is fetched: where the file is not at hand, the module is skipped.
"""

from __future__ import annotations

import json
import random
import socket
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from deg_backbones.smollm2.fetch import local_path
from deg_backbones.smollm2.model import SmolLM2Family
from deg_core.errors import DegError
from deg_core.kernels.testing import relative_error
from deg_core.runtime.body import Body
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import prefill
from deg_core.runtime.weights import ServingWeights

pytestmark = pytest.mark.slow

TEXT = """Invoice INV-2024/0815 of 3 May 2024. Net 1,250.00 EUR, VAT 19 %, total 1,487.50 EUR \u2014 due in 30 days.
\u00dcberweisung an M\u00fcller GmbH, z. H. Frau \u00c9l\u00e9onore; \u8acb\u6c42\u66f8 \U0001f642 (paid by card)."""


@pytest.fixture(scope="module")
def gguf() -> Path:
    try:
        path = local_path()
    except DegError as error:
        pytest.skip(f"the embedded weights cannot be used: {error}")
    if path is None:
        pytest.skip("the embedded weights are not on this machine; get them with `deg models pull embedded`")
    return path


@pytest.fixture(scope="module")
def weights(gguf: Path) -> tuple[Any, dict[str, Tensor]]:
    """Configuration and dequantised fp32 weights under our names."""
    family = SmolLM2Family()
    config = family.read_config(gguf)
    return config, family.read_weights(gguf, config)


@pytest.fixture(scope="module")
def body(weights: tuple[Any, dict[str, Tensor]]) -> Body:
    config, tensors = weights
    family = SmolLM2Family()
    matrices = {name: tensors[name] for name in family.projections(config)}
    vectors = {name: tensor for name, tensor in tensors.items() if tensor.dim() == 1}
    return Body(family, config, ServingWeights(matrices, vectors, tensors["embed"]), family.geometry(config))


@pytest.fixture(scope="module")
def tokenizer(gguf: Path) -> Any:
    return SmolLM2Family().read_tokenizer(gguf)


def to_hub(config: Any, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Our weights under the hub's names, fused projections taken apart."""
    queries, keys = config.num_heads * config.head_dim, config.num_kv_heads * config.head_dim
    hub = {"model.embed_tokens.weight": tensors["embed"], "model.norm.weight": tensors["final_norm"]}
    for layer in range(config.num_layers):
        own = {name: tensors[f"layers.{layer}.{name}"] for name in ("qkv", "o", "gate_up", "down")}
        q, k, v = own["qkv"].split([queries, keys, keys])
        gate, up = own["gate_up"].chunk(2)
        parts = {
            "self_attn.q_proj": q,
            "self_attn.k_proj": k,
            "self_attn.v_proj": v,
            "self_attn.o_proj": own["o"],
            "mlp.gate_proj": gate,
            "mlp.up_proj": up,
            "mlp.down_proj": own["down"],
            "input_layernorm": tensors[f"layers.{layer}.attn_norm"],
            "post_attention_layernorm": tensors[f"layers.{layer}.mlp_norm"],
        }
        hub |= {f"model.layers.{layer}.{name}.weight": part for name, part in parts.items()}
    return hub


@pytest.fixture(scope="module")
def reference(weights: tuple[Any, dict[str, Tensor]]) -> Callable[[list[int]], Tensor]:
    """Hidden states after the final norm, by ``transformers`` in fp32."""
    transformers = pytest.importorskip("transformers")
    config, tensors = weights
    hub_config = transformers.LlamaConfig(
        vocab_size=config.vocab_size,
        hidden_size=config.hidden_size,
        intermediate_size=config.intermediate_size,
        num_hidden_layers=config.num_layers,
        num_attention_heads=config.num_heads,
        num_key_value_heads=config.num_kv_heads,
        rope_theta=config.rope_theta,
        rms_norm_eps=config.norm_eps,
        max_position_embeddings=config.max_positions,
        tie_word_embeddings=True,
        attn_implementation="eager",
    )
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(hub_config)
    found = to_hub(config, tensors)
    model.load_state_dict({**found, "lm_head.weight": tensors["embed"]}, assign=True)
    model.model.rotary_emb = type(model.model.rotary_emb)(hub_config)  # its table was on meta too
    model.eval()

    @torch.no_grad()
    def run(ids: list[int]) -> Tensor:
        return model.model(torch.tensor([ids]), use_cache=False).last_hidden_state[0]

    return run


def test_the_published_sizes(weights: tuple[Any, dict[str, Tensor]]):
    config, _ = weights
    assert (config.num_layers, config.hidden_size, config.intermediate_size) == (30, 576, 1536)
    assert (config.num_heads, config.num_kv_heads, config.head_dim) == (9, 3, 64)
    assert (config.vocab_size, config.rope_theta, config.norm_eps) == (49152, 100_000.0, pytest.approx(1e-5))


def test_hidden_states(body: Body, tokenizer: Any, reference: Callable[[list[int]], Tensor]):
    ids = SmolLM2Family().chat_prefix(tokenizer, "You fill fields from a text.") + tokenizer.encode(TEXT)
    state = prefill(body, ids)
    assert relative_error(state.hidden_PD, reference(ids)) < 1e-4
    rows = [tokenizer.encode(text) for text in ("\nFIELD /total\nANSWER:", "\nFIELD /date\nKIND date\nANSWER:")]
    for row, hidden in zip(rows, run_forks(body, [(state, row) for row in rows]), strict=True):
        assert relative_error(hidden, reference(ids + row)[len(ids) :]) < 1e-4


@pytest.mark.parametrize(
    ("prompt", "next_word"),
    [("The capital of France is", " Paris"), ("one, two, three, four,", " five")],
)
def test_the_language_model_is_awake(body: Body, tokenizer: Any, prompt: str, next_word: str):
    """Through the tied embeddings: wrong rotary pairs or norms leave the parity of shapes, but no sense."""
    hidden = prefill(body, tokenizer.encode(prompt)).hidden_PD[-1]
    best = int((body.weights.embedding @ hidden).argmax())
    assert tokenizer.decode([best]) == next_word


# Tokens


def varied_texts() -> list[str]:
    """200 texts: hand-picked ones, then random mixtures of what tokenizers trip over."""
    texts = [
        *("", " ", "  ", "\n", "\n\n", "\t x", "a", "Hello, world!", "don't we'll I'VE they're", "x  y   z", " lead"),
        *("trail ", "12345", "1,234.56", "3.14159e-10", "2024-05-03T09:30:00Z", "007", "١٢٣", "１２", "½ ² Ⅷ"),
        *("café", "cafe\u0301", "naïve İstanbul ẞ", "日本語", "中文字符", "한국어", "Русский", "العربية", "ไทย", "🙂"),
        *("👩\u200d👩\u200d👧 x", "🇩🇪", "\u200bzero\u200b", "\ufeffbom", "a\u00a0b", "a\u2003b", "a\u2028b"),
        *("\r\nwin\r\n", "\x00\x01\x7f", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "x<|im_end|>y", "<repo_name>"),
        *("<|im_start|>system\nYou are", "</think>", "<|im", "|>", "<s></s>", '{"a": [1, 2.5, null]}'),
        *("def f(x):\n    return x\n", "https://a.b/c?d=e#f", "ann@example.org", "A" * 60, "ab" * 50, "!?!?!?"),
        *("....", "----", "$#@!", "'''" + '"""', "100%", "€5", "5€"),
    ]
    pieces = [*(text for text in texts if text), *"abcXYZ019 .,\n\t'\"-_/", "  ", " the", "ing", "ü", "ß"]
    rng = random.Random(0)
    while len(texts) < 200:
        texts.append("".join(rng.choices(pieces, k=rng.randint(2, 12))))
    return texts


@pytest.fixture(scope="module")
def llama_cpp(gguf: Path) -> Callable[[str], list[int]]:
    """llama.cpp's tokenizer of the same file, asked over its local server. No special tokens, none added."""
    xllamacpp = pytest.importorskip("xllamacpp", reason="llama.cpp's tokenizer needs the bench extra (xllamacpp)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    params = xllamacpp.CommonParams()
    params.model.path = str(gguf)
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx, params.n_parallel, params.warmup, params.cpuparams.n_threads = 64, 1, False, 1
    params.verbosity = -1
    server = xllamacpp.Server(params)

    def tokens(text: str) -> list[int]:
        body = json.dumps({"content": text, "add_special": False, "parse_special": False}).encode()
        url, kind = f"{server.listening_address}/tokenize", {"Content-Type": "application/json"}
        request = urllib.request.Request(url, body, kind)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["tokens"]

    return tokens


def test_tokens_are_those_of_llama_cpp(tokenizer: Any, llama_cpp: Callable[[str], list[int]]):
    texts = varied_texts()
    assert len(texts) == 200
    found, wanted = ([tokens(text) for text in texts] for tokens in (tokenizer.encode, llama_cpp))
    assert {text: pair for text, *pair in zip(texts, found, wanted, strict=True) if pair[0] != pair[1]} == {}


def test_texts_come_back_and_hold_no_control_token(tokenizer: Any):
    controls = {tokenizer.control(name) for name in ("<|im_start|>", "<|im_end|>", "<|endoftext|>")}
    for text in varied_texts():
        ids, offsets = tokenizer.encode_with_offsets(text)
        assert ids == tokenizer.encode(text)
        assert tokenizer.decode(ids) == text
        assert not controls & set(ids)
        reach = 0
        for start, end in offsets:
            assert start <= reach, "a gap between tokens"
            reach = max(reach, end)
        assert reach == len(text)
