"""What a request will take, and what is free: refused with the numbers before any work is done (SPEC 12.1).

A text's cost grows with its length alone: keys and values, hidden states, and what each head keeps per token. Forks are
run in passes whose size follows from what is free; how they are split changes no bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import psutil
import torch

from deg_core.contract.plan import FieldPlan
from deg_core.engine.control_group import free_in_groups
from deg_core.errors import RuntimeLimitError
from deg_core.runtime.body import Body
from deg_core.runtime.fork import FORK_TOKENS
from deg_core.runtime.prefill import DEVICE_CHUNK

FLOAT: Final = 4  # bytes
HEAD_FLOATS: Final = 3 * 257 + 64  # per token: keys and unary logits of two span pointers and the anchor's; a link
SPAN_BYTES: Final = 128 * 8 * 3  # per token while one span is decoded: a band of scores and its copies
PASS_BYTES: Final = 192 * 2**20  # one chunk of reading and one pass of forks on a CPU, whatever the length
DEVICE_FORK_TOKENS: Final = 16384  # the most tokens of one pass of forks on a GPU
OUTPUT_BYTES: Final = 3 * 2**10  # of one query until it is decoded, whatever its context: its tokens and what it says
OUTPUT_FLOATS: Final = 2  # that wait for decoding per query about the context and context token, on the host
PIECE: Final = 2**18  # characters of a long text that are counted at once
FORK_FRACTION: Final = 0.25  # of what is free may go into one pass of forks
FEWEST_FORK_TOKENS: Final = 256
SHORTEST_FORK: Final = 8  # tokens: "FIELD", a pointer, "KIND", a kind and "ANSWER:" are never fewer


def free_bytes() -> int:
    """Memory that this process may still take: the machine's, or its control groups' when those have less."""
    free = max(0, int(psutil.virtual_memory().available))
    grouped = free_in_groups()
    return free if grouped is None else min(free, grouped)


def free_for(body: Body) -> int:
    """Memory that is free where the body runs; on a GPU with what torch holds there and does not use."""
    if body.device.type == "cpu":
        return free_bytes()
    free, _ = torch.cuda.mem_get_info(body.device)
    return free + torch.cuda.memory_reserved(body.device) - torch.cuda.memory_allocated(body.device)


def context_bytes(body: Body, tokens: int) -> int:
    """What reading ``tokens`` and keeping them takes where the body runs, the largest moment of decoding included; that
    one is on the host."""
    geometry, on_host = body.geometry, body.device.type == "cpu"
    kept = body.dtype.itemsize * (geometry.kv_floats_per_token + geometry.hidden_size) + FLOAT * HEAD_FLOATS
    return pass_bytes(body) + tokens * (kept + (SPAN_BYTES if on_host else 0))


def pass_bytes(body: Body) -> int:
    """What one chunk of reading takes, whatever the length of the text; with the states of all state layers, before the
    chunk and after it."""
    states = 2 * FLOAT * body.geometry.state_floats_per_row
    return states + (PASS_BYTES if body.device.type == "cpu" else DEVICE_CHUNK * _token_bytes(body))


def _token_bytes(body: Body) -> int:
    """What a token of a pass takes while it goes through a layer."""
    geometry = body.geometry
    wide = geometry.hidden_size * 16 + (geometry.query_heads + 2 * geometry.kv_heads) * geometry.head_dim * 4
    return wide * FLOAT


def check_text(body: Body, text: str, count: Callable[[str], int], *, readings: int = 1) -> None:
    """Raises RuntimeLimitError when ``readings`` bodies cannot each hold ``text`` in what is free; ``count`` gives the
    tokens of a text. A long one is counted in pieces only until it is known not to fit: counting all of it takes
    memory, too, and long."""
    least = 0
    for start in range(0, len(text) if len(text) > PIECE else 0, PIECE):
        # Where a piece ends a token may be cut in two, and ``count`` adds what stands around a text.
        least += max(0, count(text[start : start + PIECE]) - count("") - 1)
        check_memory(body, least, readings=readings, exact=False)
    check_memory(body, count(text), readings=readings)


def check_memory(body: Body, tokens: int, *, readings: int = 1, exact: bool = True) -> None:
    """Raises RuntimeLimitError when ``readings`` bodies cannot each hold a text of ``tokens`` (at least so many, where
    not ``exact``) in what is free."""
    need, free = readings * context_bytes(body, tokens), free_for(body)
    if need > free:
        once = pass_bytes(body)
        fits = max(0, (free // readings - once) * tokens // max(1, need // readings - once))
        raise RuntimeLimitError(
            f"the text has {'' if exact else 'at least '}{tokens:,} tokens, which take {need / 2**20:,.0f} MiB; "
            f"{free / 2**20:,.0f} MiB are free, enough for about {fits:,} tokens. Split the text, or free memory"
        )


def check_fields(body: Body, fields: Iterable[FieldPlan], count: Callable[[str], int]) -> None:
    """Raises RuntimeLimitError for a field whose own text (title, description, options) is so long that asking for it
    does not fit in what is free. ``count`` gives the tokens of a text."""
    free, each = free_for(body), _token_bytes(body)
    for field in fields:
        told = [field.title, field.description, *map(str, field.options), *field.option_descriptions]
        text = "\n".join(part for part in (*told, *field.level_labels) if part)
        if len(text.encode("utf-8", "surrogatepass")) * each <= free:
            continue  # no token is shorter than a byte
        tokens = count(text)
        if tokens * each > free:
            raise RuntimeLimitError(
                f"the field {field.pointer} is described in {tokens:,} tokens, which take "
                f"{tokens * each / 2**20:,.0f} MiB at once; {free / 2**20:,.0f} MiB are free. Describe it more shortly"
            )


def check_outputs(queries: int, pointing: int, tokens: int) -> None:
    """Raises RuntimeLimitError when the outputs of one round of ``queries``, of which ``pointing`` are about each of
    ``tokens`` of the context, cannot wait for decoding in what is free."""
    need, free = queries * OUTPUT_BYTES + pointing * tokens * OUTPUT_FLOATS * FLOAT, free_bytes()
    if need > free:
        raise RuntimeLimitError(
            f"the items of the schema's arrays ask {queries:,} queries at once, whose outputs on a text of {tokens:,} "
            f"tokens take {need / 2**20:,.0f} MiB; {free / 2**20:,.0f} MiB are free. Bound the arrays (maxItems, or "
            "the option max_items), or split the text"
        )


def fork_token_budget(body: Body) -> int:
    """Tokens of one pass of forks, from what is free now. A fork has a state of its own in the state layer that runs,
    however short it is."""
    most = FORK_TOKENS if body.device.type == "cpu" else DEVICE_FORK_TOKENS
    one_layer = body.geometry.state_floats_per_row // max(1, body.geometry.layers.count("state"))
    per_token = _token_bytes(body) + FLOAT * one_layer // SHORTEST_FORK
    affordable = int(free_for(body) * FORK_FRACTION) // per_token
    return max(FEWEST_FORK_TOKENS, min(most, affordable))


def kept_bytes(prepared: Mapping[Any, object]) -> int:
    """Bytes of the tensors that heads keep of a context."""

    def size(value: object) -> int:
        if isinstance(value, torch.Tensor):
            return value.numel() * value.element_size()
        if isinstance(value, Mapping):
            return sum(map(size, value.values()))
        return sum(map(size, value)) if isinstance(value, (tuple, list)) else 0

    return size(prepared)
