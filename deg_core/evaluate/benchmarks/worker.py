"""The measured side of a benchmark: one engine in a process of its own, on the cores that it is given.

``python -m deg_core.evaluate.benchmarks.worker SETTINGS`` reads one JSON object a line from standard input and answers
each with one; the other side is `deg_core.evaluate.benchmarks.workers`. Times are taken here, around the work alone.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any, Final

from deg_core.errors import DegError, FillError, RuntimeLimitError

if TYPE_CHECKING:
    from deg_core.engine.engine import FillResult, Model
    from deg_core.evaluate.predictor import Predictor

Message = dict[str, Any]


def main() -> None:
    """Serve requests until standard input ends. The first line that is written says what was loaded."""
    settings = json.loads(sys.argv[1])
    if settings["cores"]:
        os.sched_setaffinity(0, settings["cores"])
    # Libraries print what they like; the answers have a way of their own.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        engine = ENGINES[settings["engine"]](settings)
    except DegError as error:
        _say(answers, {"error": error.code, "message": error.message})
        return
    _say(answers, {"loaded": engine.about()})
    for line in sys.stdin:
        request = json.loads(line)
        operation: Callable[[Message], Message] = getattr(engine, request.pop("do"))
        try:
            _say(answers, operation(request))
        except DegError as error:
            _say(answers, {"error": error.code, "message": error.message})


def _say(stream: IO[str], answer: Message) -> None:
    stream.write(json.dumps(answer) + "\n")
    stream.flush()


def timed_fill(predictor: Predictor, request: Message, *, before: Callable[[], None] | None = None) -> Message:
    """Fill one schema and write the value as JSON: seconds, the value, where its texts came from, tokens.

    What cannot be filled has its time, and an ``error`` instead of a value. ``before`` runs untimed.
    """
    if before is not None:
        before()
    gc.collect()
    gc.disable()
    start = perf_counter()
    try:
        made = predictor.predict(request["context"], request["schema"])
        text = json.dumps(made.value, ensure_ascii=False)
    except (FillError, RuntimeLimitError) as error:
        return {"seconds": perf_counter() - start, "error": error.code, "message": error.message}
    finally:
        gc.enable()
    seconds = perf_counter() - start
    return {
        "seconds": seconds,
        "value": json.loads(text),
        "spans": {pointer: list(span) for pointer, span in made.spans.items()},
        "tokens": made.tokens,
    }


class DegEngine:
    """A deg checkpoint."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        import torch

        from deg_core.engine.load import load_model
        from deg_core.evaluate.predictor import ModelPredictor

        torch.set_num_threads(settings["threads"])
        ckpt, base = settings["ckpt"], settings.get("base_model")
        name = Path(ckpt) if Path(ckpt).is_dir() else ckpt
        where: dict[str, Any] = {"device": settings.get("device"), "compute": settings.get("compute")}
        self.model: Model = load_model(name, base_model=base, **where)
        self.predictor = ModelPredictor(self.model)

    def about(self) -> Message:
        import torch

        from deg_core.kernels.native.library import level

        return {
            "name": self.model.model_id,
            "compute": self.model.compute,
            "version": torch.__version__,
            "native_kernels": level(),
            "fingerprint": self.predictor.fingerprint,
        }

    def fill(self, request: Message) -> Message:
        """One fill of a schema that was not compiled and a text that was not read before."""
        return timed_fill(self.predictor, request, before=self._forget)

    def sizes(self, request: Message) -> Message:
        """What one token costs: int8 multiply-adds in all projections, and floats of state that are kept of it."""
        body = self.model.body
        projections = body.family.projections(body.config).values()
        macs = sum(each.rows * each.columns for each in projections if each.quantize)
        geometry = body.geometry
        return {
            "int8_macs": macs if self.model.compute == "int8" else 0,
            "state_floats": geometry.kv_floats_per_token + geometry.hidden_size,
        }

    def peak(self, request: Message) -> Message:
        """Int8 operations a second of the best large products on these cores, by whose product it is."""
        from deg_core.evaluate.benchmarks.machine import int8_peaks

        return {"operations": int8_peaks(seconds=request.get("seconds", 1.0))}

    def batch(self, request: Message) -> Message:
        """The same jobs one by one and together: seconds of each, and whether every result is the same."""
        from deg_core.engine.engine import Job, fill_many

        jobs = [Job(job["context"], job["schema"]) for job in request["jobs"]]
        alone, together = [], []
        results: dict[str, list[FillResult | DegError]] = {}
        for _ in range(request["rounds"]):
            self._forget()
            start = perf_counter()
            results["alone"] = [fill_many(self.model, [job])[0] for job in jobs]
            alone.append(perf_counter() - start)
            self._forget()
            start = perf_counter()
            results["together"] = fill_many(self.model, jobs)
            together.append(perf_counter() - start)
        same = sum(map(_same, results["alone"], results["together"]))
        failed = sum(isinstance(result, DegError) for result in results["together"])
        return {"alone": alone, "together": together, "same": same, "failed": failed}

    def memory(self, request: Message) -> Message:
        """Resident memory that one fill of a text of ``tokens`` takes at its highest, in bytes above what was there."""
        from deg_core.engine.memory import context_bytes
        from deg_core.evaluate.benchmarks.machine import give_back, peak_bytes, reset_peak, resident_bytes

        text = self._text(request["text"], request["tokens"])
        tokens = len(self.model.renderer.trunk(text).ids)
        # Weights are mapped when they are first used, and libraries set themselves up: that is not the fill's.
        timed_fill(self.predictor, {"context": request["text"], "schema": request["schema"]})
        self._forget()
        gc.collect()
        give_back()
        exact = reset_peak()
        before = resident_bytes()
        done = timed_fill(self.predictor, {"context": text, "schema": request["schema"]})
        return {
            "text_tokens": tokens,
            "peak": max(0, peak_bytes() - before),
            "exact": exact,
            "reserved": context_bytes(self.model.body, tokens),
            "seconds": done["seconds"],
            "error": done.get("error"),
            "message": done.get("message"),
        }

    def _text(self, sample: str, tokens: int) -> str:
        """``sample`` again and again, numbered, cut to so many tokens."""
        parts, number = [sample], 1
        while self.model.renderer.count("\n\n".join(parts)) < tokens:
            more = len(parts)
            parts += [f"Copy {number + k}\n\n{sample}" for k in range(more)]
            number += more
        text = "\n\n".join(parts)
        offsets = self.model.renderer.trunk(text).offsets
        return text[: offsets[min(tokens, len(offsets)) - 1][1]]

    def _forget(self) -> None:
        """Empty what a fill could profit from of an earlier one: texts, plans, patterns, encoded lines."""
        from deg_core.contract.compiler import forget_plans
        from deg_core.contract.patterns import forget_patterns
        from deg_core.rendering.layout import Renderer

        self.model.cache.clear()
        self.model.renderer = Renderer(self.model.body.family, self.model.renderer.tokenizer)
        forget_plans()
        forget_patterns()


class LlamaEngine:
    """llama.cpp on a GGUF file. With ``reuse_prefix`` it keeps the last prompt, so what two prompts in a row share at
    their start is read once; where one prompt is asked again and again that would be all of it."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        from deg_core.evaluate.peers.llama_cpp import LlamaCppPredictor, LlamaServer

        reuse = settings["reuse_prefix"]
        self.server = LlamaServer(Path(settings["gguf"]), threads=settings["threads"], reuse_prefix=reuse)
        self.predictor = LlamaCppPredictor(self.server, wording=settings["wording"])

    def about(self) -> Message:
        return {
            "name": f"llama.cpp, {self.predictor.wording}",
            "version": self.server.version,
            "sha256": self.server.sha256,
            "fingerprint": self.predictor.fingerprint,
        }

    def fill(self, request: Message) -> Message:
        """One answer; JSON contexts are rendered as deg renders them."""
        from deg_core.contract.request import render_context

        return timed_fill(self.predictor, {**request, "context": render_context(request["context"])})


ENGINES: Final[dict[str, Callable[[Mapping[str, Any]], DegEngine | LlamaEngine]]] = {
    "deg": DegEngine,
    "llama.cpp": LlamaEngine,
}


def _same(one: FillResult | DegError, other: FillResult | DegError) -> bool:
    """Bit for bit: values with every probability."""
    if isinstance(one, DegError) or isinstance(other, DegError):
        return str(one) == str(other)
    return one.as_dict() == other.as_dict()


if __name__ == "__main__":
    main()
