"""From a System One body to a fill, and from its result to the answers (SPEC 9.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from deg_core.contract.plan import escape
from deg_core.contract.request import parse_options
from deg_core.contract.result import FillResult
from deg_serve.wire import systemone as wire
from deg_serve.wire.ask import Ask, Loc
from deg_serve.wire.questions import Choice, Extract, Generate, Question, Score, YesNo, schema_of
from deg_serve.wire.systemone_checks import read_body
from deg_serve.wire.texts import as_text


def read(body: bytes, names: Collection[str], array_decoders: Collection[str], model_id: str) -> Ask:
    """The request. Raises WireRefusal, RequestError or UnknownModelError."""
    given = read_body(body, names)
    asked: dict[str, dict[str, Any]] = given["questions"]
    questions = {name: _question(question) for name, question in asked.items()}
    options = parse_options(given.get("options"), array_decoders=array_decoders)

    def reply(result: FillResult | None) -> wire.SystemOneReply:
        answers = {name: _answer(name, asked[name], question, result) for name, question in questions.items()}
        read, written = (result.usage.prompt_tokens, result.usage.generated_tokens) if result is not None else (0, 0)
        usage = wire.SystemOneUsage(input_tokens=read, output_tokens=written)
        return wire.SystemOneReply(model=model_id, answers=answers, usage=usage)

    def schema_loc(loc: Loc) -> Loc:
        if len(loc) < 2:
            return ["questions"]
        return ["questions", loc[1], asked[str(loc[1])]["type"], *loc[2:]]

    return Ask(given["state"], schema_of(questions), options, reply, schema_loc)


def _question(given: dict[str, Any]) -> Question:
    text, criteria = as_text(given.get("instructions")), given.get("criteria")
    match given["type"]:
        case "noul":
            sides = criteria or {}
            return YesNo(text, as_text(sides.get("true")), as_text(sides.get("false")))
        case "choice":
            return Choice(text, tuple((option, as_text(about)) for option, about in given["criteria"].items()))
        case "score":
            return Score(text, tuple(map(as_text, given["criteria"])))
        case "extract":
            return Extract(text, given.get("value_type", "string"), _constraints(given))
        case "generate":
            limit = given.get("max_tokens")
            return Generate(text, _constraints(given) | ({} if limit is None else {"x-max-tokens": limit}))
    raise AssertionError(given["type"])


def _constraints(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in ("minLength", "maxLength", "pattern") if given.get(name) is not None}


def _answer(name: str, given: dict[str, Any], question: Question, result: FillResult | None) -> wire.SystemOneAnswer:
    if isinstance(question, Choice) and len(question.options) == 1:
        (option, _) = question.options[0]
        return wire.ChoiceAnswer(choice=str(option), confidence=1.0, probabilities={str(option): 1.0})
    if isinstance(question, Score) and len(question.levels) == 1:
        return wire.ScoreAnswer(score=0.0, confidence=1.0, legend={"0": given["criteria"][0]}, probabilities={"0": 1.0})
    assert result is not None, "what has more than one outcome is asked"
    value, meta = result.json.get(name), result.meta[f"/{escape(name)}"]
    shares = meta.probabilities or []
    match question:
        case YesNo():
            return wire.NoulAnswer(noul=meta.probability or 0.0)
        case Choice():
            by_option = {str(option): share for (option, _), share in zip(question.options, shares, strict=True)}
            return wire.ChoiceAnswer(choice=value, confidence=meta.confidence or 0.0, probabilities=by_option)
        case Score():
            return wire.ScoreAnswer(
                score=meta.expected or 0.0,
                confidence=score_confidence(shares),
                legend={str(index): level for index, level in enumerate(given["criteria"])},
                probabilities={str(index): share for index, share in enumerate(shares)},
            )
        case Extract():
            return wire.ExtractAnswer(
                value=value,
                span=meta.span,
                confidence=meta.confidence or 0.0,
                null_reason=msgspec.UNSET if meta.null_reason is None else meta.null_reason,
            )
        case Generate():
            return wire.GenerateAnswer(text=value, output_tokens=meta.generated_tokens or 0)


def score_confidence(shares: Sequence[float]) -> float:
    """This wire's confidence in a scale: 1 when one level has everything, 0 when the mass lies as far from the first
    most probable level as it lies from the middle of a uniform scale. 1 for a single level."""
    if len(shares) == 1:
        return 1.0
    peak = max(range(len(shares)), key=lambda index: (shares[index], -index))
    middle = (len(shares) - 1) / 2
    spread = sum(abs(index - middle) for index in range(len(shares))) / len(shares)
    return max(0.0, 1.0 - sum(share * abs(index - peak) for index, share in enumerate(shares)) / spread)
