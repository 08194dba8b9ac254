"""The tables of docs/reference/parity.md: ``python -m tests.parity.tables`` measures all and writes the page."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from deg_core.kernels.testing import relative_error, threads
from deg_core.runtime.body import Body, advance
from deg_core.runtime.fork import run_forks
from deg_core.runtime.prefill import extend, prefill
from tests.fixtures.hybrid import SHAPES, read_body, write_snapshot
from tests.parity import test_hybrid, test_llama
from tests.unit.backbones.test_hybrid_independence import in_int8

TRUNKS = (1, 17, 64, 65, 130)
FORKS = (1, 3, 17, 66)
THREADS = (1, 2, 5)
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "parity.md"
PARITY = ("shape", "trunks", "forks", "token by token", "gradients", "bf16", "transformers' bf16")
INDEPENDENCE = ("shape", "arithmetic", "alone", "reordered", "2 and 5 threads", "in chunks")
INTRODUCTION = """# Parity and independence

Made by `python -m tests.parity.tables`; `tests/parity/test_tables.py` measures rows of it anew. Tiny random models of
every shape, on a CPU. No figure here is from a GPU: nothing of deg has run on one.

**Parity.** The largest relative error against uncached forward passes of `transformers` over the whole text, in fp32:
of trunks of {trunks} tokens; of forks of {forks} tokens behind 70; of a text that is continued token by
token; of the gradient of the embeddings, through all layers. Then the error of deg's bf16, which is the arithmetic of
training, and of `transformers`' own, each against fp32.
"""
BETWEEN = """
**Independence.** Of all forks (lengths {forks}, behind two trunks), how many have the same bits (`torch.equal`
on all hidden states) as when they run together in order: each alone, in reverse order, on more threads. In chunks:
whether a text of 600 tokens that is read in chunks of 64 has the bits of the same text in chunks of 512.
"""


@dataclass(frozen=True)
class Model:
    """A shape as both sides read it."""

    body: Body
    reference: Any
    rounded: Any
    folder: Path
    hybrid: bool


def names() -> list[str]:
    """All shapes."""
    return [*(f"llama {name}" for name in test_llama.SHAPES), *SHAPES]


def load(name: str, folder: Path) -> Model:
    """Write a shape's snapshot and read it."""
    if name in SHAPES:
        write_snapshot(folder, SHAPES[name])
        body = read_body(SHAPES[name].family, folder)
    else:
        test_llama.save_model(folder, **test_llama.SHAPES[name.removeprefix("llama ")])
        body = test_llama.read_body(folder)
    models = [test_hybrid.reference_model(folder, dtype) for dtype in (torch.float32, torch.bfloat16)]
    return Model(body, *models, folder, name in SHAPES)


def tokens(body: Body, count: int) -> list[int]:
    """Random tokens of the model's vocabulary; not the first, which ``transformers`` may take for padding."""
    return torch.randint(1, body.geometry.vocab_size, (count,)).tolist()


def rows_of(body: Body) -> list[list[int]]:
    """Forks of every length."""
    return [tokens(body, length) for length in FORKS]


def parity(name: str) -> tuple[str, ...]:
    """One row of the first table."""
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        model = load(name, Path(folder))
        body, wanted = model.body, model.reference
        ids = tokens(body, 200)

        def error(found: Tensor, read: Sequence[int]) -> float:
            return relative_error(found, test_hybrid.reference(wanted, read)[-len(found) :])

        trunk = max(error(prefill(body, ids[:length]).hidden_PD, ids[:length]) for length in TRUNKS)
        state, rows = prefill(body, ids[:70]), rows_of(body)
        found = run_forks(body, [(state, row) for row in rows])
        forks = max(error(hidden, ids[:70] + row) for hidden, row in zip(found, rows, strict=True))
        steps = []
        for token in ids[70:90]:
            state = extend(body, state, [token])
            steps.append(state.hidden_PD)
        stepped = error(torch.cat(steps), ids[:90])
        exact = test_hybrid.reference(wanted, ids)
        low = [_in_bf16(model, ids), test_hybrid.reference(model.rounded, ids)]
        return (name, *(f"{value:.0e}" for value in (trunk, forks, stepped, _gradients(model))),
                *(f"{relative_error(value, exact):.1e}" for value in low))  # fmt: skip


def _in_bf16(model: Model, ids: Sequence[int]) -> Tensor:
    weights = model.body.family.read_weights(model.folder, model.body.config)
    training = test_hybrid.training_body(model.body, weights, torch.bfloat16, {})
    with torch.no_grad():
        return advance(training, torch.tensor(ids), (len(ids),), [None])[0].float()


def _gradients(model: Model) -> float:
    """The error of the gradient of the embeddings, which goes through every layer."""
    body = model.body
    weights = body.family.read_weights(model.folder, body.config)
    embed = weights["embed"].float().clone().requires_grad_()
    training = test_hybrid.training_body(body, weights | {"embed": embed}, torch.float32, {}, test_hybrid.Traced)
    ids = torch.tensor(tokens(body, 70))
    found, _ = advance(training, ids, (70,), [None])
    pull = torch.randn_like(found)
    (gradient,) = torch.autograd.grad((found * pull).sum(), embed)
    table = model.reference.get_input_embeddings().weight
    hidden = model.reference.model(ids[None], use_cache=False).last_hidden_state[0]
    (expected,) = torch.autograd.grad((hidden * pull).sum(), table)
    return relative_error(gradient, expected)


def independence(name: str) -> list[tuple[str, ...]]:
    """The rows of the second table: in fp32 and in int8."""
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        model = load(name, Path(folder))
        return [
            (name, compute, *_same(model.body if compute == "fp32" else in_int8(model.body, model.folder)))
            for compute in ("fp32", "int8")
        ]


def _same(body: Body) -> tuple[str, ...]:
    states = [prefill(body, tokens(body, length)) for length in (5, 70)]
    rows = [(state, row) for state in states for row in rows_of(body)]
    expected = run_forks(body, rows)

    def count(found: Sequence[Tensor]) -> int:
        return sum(torch.equal(a, b) for a, b in zip(found, expected, strict=True))

    alone, turned = count([run_forks(body, [row])[0] for row in rows]), count(run_forks(body, rows[::-1])[::-1])
    threaded = []
    for number in THREADS[1:]:
        with threads(number):
            threaded.append(count(run_forks(body, rows)))
    ids = tokens(body, 600)
    whole = prefill(body, ids).hidden_PD
    cut = _with_chunk(64, lambda: prefill(body, ids).hidden_PD)
    total = f"/{len(rows)}"
    return f"{alone}{total}", f"{turned}{total}", f"{min(threaded)}{total}", "same" if torch.equal(whole, cut) else "no"


def _with_chunk(size: int, run: Callable[[], Tensor]) -> Tensor:
    from deg_core.runtime import prefill as module

    before = module.CHUNK
    module.CHUNK = size
    try:
        return run()
    finally:
        module.CHUNK = before


def page() -> str:
    """The whole page."""
    from deg_core.evaluate.report import markdown

    lengths = {"trunks": ", ".join(map(str, TRUNKS)), "forks": ", ".join(map(str, FORKS))}
    first = markdown(PARITY, [parity(name) for name in names()])
    second = markdown(INDEPENDENCE, [row for name in names() for row in independence(name)])
    return f"{INTRODUCTION.format(**lengths)}\n{first}\n{BETWEEN.format(**lengths)}\n{second}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
