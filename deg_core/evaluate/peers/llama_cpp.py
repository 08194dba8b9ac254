"""The peer: the untuned backbone's GGUF writing the whole JSON object under llama.cpp's grammar (SPEC 11).

Same records, same fields, greedy decoding, the model's own chat template; its answers go through the same scoring.
Where it could be treated in two ways, it is treated in the better one: every field is asked for, null is allowed
wherever deg may say null, texts and arrays are capped so that a repetition does not cost the other fields, a value that
breaks a bound costs its own field only, and dates and numbers are compared as values.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FillPlan
from deg_core.errors import CheckpointError, FillError, PluginError, RuntimeLimitError
from deg_core.evaluate.peers.answer_schema import (
    LONGEST_ARRAY,
    LONGEST_TEXT,
    answer_schema,
    answer_tokens,
    without_omitted,
)
from deg_core.evaluate.peers.prompts import VERSION, WORDINGS, Wording, messages
from deg_core.evaluate.predictor import Prediction
from deg_core.evaluate.runner import run
from deg_core.plugins.checkpoint import file_sha256
from deg_core.records import Record

CONTEXT_TOKENS = 8192
_TOO_LONG = "exceed_context_size_error"


class LlamaServer:
    """One loaded GGUF. ``threads`` defaults to the cores that this process may use. ``reuse_prefix`` keeps the last
    prompt and reads only what differs from it at the end; otherwise nothing of earlier requests is kept."""

    def __init__(
        self,
        gguf: Path,
        *,
        threads: int | None = None,
        context_tokens: int = CONTEXT_TOKENS,
        reuse_prefix: bool = False,
    ) -> None:
        llama = _library()
        if not gguf.is_file():
            raise CheckpointError(f"{gguf}: there is no such GGUF file")
        self.sha256 = file_sha256(gguf)
        self.version = str(getattr(llama, "__version__", "unknown"))
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        params = llama.CommonParams()
        params.model.path = str(gguf)
        params.n_ctx = context_tokens
        params.n_parallel = 1
        params.n_gpu_layers = 0
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads or cores
        params.verbosity = 0
        params.cache_ram_mib = 0  # no prompt but the last one
        self.reuse_prefix = reuse_prefix
        self._server = llama.Server(params)

    def chat(self, prompt: list[dict[str, str]], schema: Mapping[str, Any], max_tokens: int) -> dict[str, Any]:
        """The reply to ``prompt``, greedy, constrained to ``schema`` by llama.cpp's own converter. Raises
        ValueError when the converter refuses the schema."""
        reply: dict[str, Any] = self._server.handle_chat_completions(
            {
                "messages": prompt,
                "json_schema": schema,
                "max_tokens": max_tokens,
                "temperature": 0,
                "cache_prompt": self.reuse_prefix,
            }
        )
        return reply


class LlamaCppPredictor:
    """A predictor that has the JSON written. ``refused`` counts schemas that llama.cpp's converter did not take as
    they were; these are asked with types and enums only."""

    def __init__(self, server: LlamaServer, *, wording: Wording = "schema", name: str = "llama.cpp") -> None:
        self.server = server
        self.wording = wording
        self.refused = 0
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def fingerprint(self) -> str:
        """Covers the weights, llama.cpp's version, the wording and the caps."""
        parts = (
            self.server.sha256,
            self.server.version,
            self.wording,
            str(VERSION),
            str(LONGEST_TEXT),
            str(LONGEST_ARRAY),
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def predict(self, context: str, schema: Mapping[str, Any]) -> Prediction:
        plan = compile_schema(schema)
        prompt = messages(self.wording, context, schema, plan)
        reply = self._constrained(prompt, plan)
        if "error" in reply:
            problem = reply["error"]
            if isinstance(problem, dict) and problem.get("type") == _TOO_LONG:
                raise RuntimeLimitError(f"llama.cpp: {problem.get('message')}")
            raise FillError(f"llama.cpp answered with an error: {problem}")
        choice, usage = reply["choices"][0], reply.get("usage", {})
        try:
            value = json.loads(choice["message"]["content"] or "")
        except ValueError as error:
            cut = " (cut at the token limit)" if choice.get("finish_reason") == "length" else ""
            raise FillError(f"the answer is not JSON{cut}: {error}") from None
        tokens = (int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0)))
        return Prediction(without_omitted(plan, value), tokens=tokens)

    def _constrained(self, prompt: list[dict[str, str]], plan: FillPlan) -> dict[str, Any]:
        try:
            return self.server.chat(prompt, answer_schema(plan), answer_tokens(plan))
        except ValueError:
            self.refused += 1
        try:
            return self.server.chat(prompt, answer_schema(plan, simple=True), answer_tokens(plan))
        except ValueError as error:
            raise FillError(f"llama.cpp does not take the schema: {error}") from error


def better_wording(server: LlamaServer, records: Iterable[Record]) -> tuple[Wording, dict[str, float]]:
    """The wording with the higher share of right fields on ``records`` (of the val split, a few dozen), and the share
    of each; equal ones go to the earlier."""
    held_out = list(records)
    shares: dict[str, float] = {}
    for wording in WORDINGS:
        outcomes = run(held_out, LlamaCppPredictor(server, wording=wording))
        fields = [field.right for outcome in outcomes for field in outcome.fields]
        shares[wording] = sum(fields) / len(fields) if fields else 0.0
    return max(WORDINGS, key=lambda wording: shares[wording]), shares


def check_installed() -> None:
    """Raises PluginError, with what to do, where the package is not installed."""
    _library()


def _library() -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise PluginError(
            f"the peer llama.cpp needs the package xllamacpp, which cannot be imported ({error}); "
            "install it with: pip install 'deg-fill[bench]'"
        ) from error
    return xllamacpp
