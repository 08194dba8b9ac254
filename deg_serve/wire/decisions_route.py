"""From a Decisions body to a fill, and from its result to the answers (SPEC 9.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from deg_core.contract.jsontext import load_json
from deg_core.contract.plan import escape
from deg_core.contract.request import parse_options
from deg_core.contract.result import FieldMeta, FillResult
from deg_serve.wire import decisions as wire
from deg_serve.wire.ask import Ask, Loc
from deg_serve.wire.decisions_errors import convert, refuse
from deg_serve.wire.decisions_input import render_input, render_parts
from deg_serve.wire.fill import unknown_model
from deg_serve.wire.questions import Choice, Extract, Generate, Question, Score, YesNo, schema_of

UNNAMED = "answer"  # what a question without a name is called, as in the records that the heads were trained on


def read(body: bytes, names: Collection[str], array_decoders: Collection[str], model_id: str) -> Ask:
    """The request.

    Raises WireRefusal, RequestError or UnknownModelError at the first mistake; this wire tells one at a time.
    """
    request = convert(load_json(body), wire.DecisionsRequest)
    if request.model not in names:
        raise unknown_model(request.model, names)
    keys = _keys(request.questions)
    questions = {
        key: _question(question, f"questions[{index}]")
        for index, (key, question) in enumerate(zip(keys, request.questions, strict=True))
    }
    options = parse_options(request.options, array_decoders=array_decoders)
    context = render_input(request.input)

    def reply(result: FillResult | None) -> wire.DecisionsReply:
        answers = [_answer(key, question, result) for key, question in zip(keys, request.questions, strict=True)]
        read, written = (result.usage.prompt_tokens, result.usage.generated_tokens) if result is not None else (0, 0)
        usage = wire.DecisionsUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
        return wire.DecisionsReply(model=model_id, answers=answers, usage=usage)

    def schema_loc(loc: Loc) -> Loc:
        return ["questions", keys.index(str(loc[1])), *loc[2:]] if len(loc) > 1 else ["questions"]

    return Ask(context, schema_of(questions), options, reply, schema_loc)


def _keys(questions: Sequence[wire.DecisionsQuestion]) -> list[str]:
    """A property name for each question: its own, else one that no question has."""
    taken: set[str] = set()
    for index, question in enumerate(questions):
        if question.name is None:
            continue
        if question.name in taken:
            where = f"questions[{index}].name"
            raise refuse(f"{where}: two questions have the name {question.name!r}", where, "invalid_value")
        taken.add(question.name)
    keys: list[str] = []
    for question in questions:
        key, number = question.name, 1
        while key is None:
            free = UNNAMED if number == 1 else f"{UNNAMED}_{number}"
            key = None if free in taken else free
            number += 1
        taken.add(key)
        keys.append(key)
    return keys


def _question(question: wire.DecisionsQuestion, where: str) -> Question:
    text = render_parts(question.instructions, f"{where}.instructions")
    match question:
        case wire.PredicateQuestion():
            return YesNo(text)
        case wire.ChoiceQuestion():
            seen: set[tuple[type, str | bool]] = set()
            for index, option in enumerate(question.choices):
                key = (type(option.value), option.value)
                if key in seen:
                    at = f"{where}.choices[{index}].value"
                    raise refuse(f"{at}: {option.value!r} is there twice", at, "invalid_value")
                seen.add(key)
            return Choice(text, tuple((option.value, option.description) for option in question.choices))
        case wire.ScoreQuestion():
            return Score(text, tuple(": ".join(filter(None, (lv.label, lv.description))) for lv in question.levels))
        case wire.ExtractQuestion():
            return Extract(text, question.value_type, _constraints(question))
        case wire.GenerateQuestion():
            limit = {} if question.max_tokens is None else {"x-max-tokens": question.max_tokens}
            return Generate(text, _constraints(question) | limit)


def _constraints(question: wire.ExtractQuestion | wire.GenerateQuestion) -> dict[str, Any]:
    given = {"minLength": question.min_length, "maxLength": question.max_length, "pattern": question.pattern}
    return {keyword: value for keyword, value in given.items() if value is not None}


def _answer(key: str, question: wire.DecisionsQuestion, result: FillResult | None) -> wire.DecisionsAnswer:
    name = question.name
    value: Any = result.json.get(key) if result is not None else None
    meta = result.meta.get(f"/{escape(key)}") if result is not None else None
    match question:
        case wire.PredicateQuestion():
            return wire.PredicateAnswer(name=name, probability=_known(meta).probability or 0.0)
        case wire.ChoiceQuestion():
            alone = len(question.choices) == 1
            shares = [1.0] if alone else _known(meta).probabilities or []
            return wire.ChoiceAnswer(
                name=name,
                choice=question.choices[0].value if alone else value,
                confidence=1.0 if alone else _known(meta).confidence or 0.0,
                probabilities=[
                    wire.OptionProbability(value=option.value, probability=share)
                    for option, share in zip(question.choices, shares, strict=True)
                ],
            )
        case wire.ScoreQuestion():
            alone = len(question.levels) == 1
            shares = [1.0] if alone else _known(meta).probabilities or []
            return wire.ScoreAnswer(
                name=name,
                score=0.0 if alone else _known(meta).expected or 0.0,
                confidence=1.0 if alone else _known(meta).confidence or 0.0,
                probabilities=[
                    wire.LevelProbability(value=index, label=level.label, probability=share)
                    for index, (level, share) in enumerate(zip(question.levels, shares, strict=True))
                ],
            )
        case wire.ExtractQuestion():
            found = _known(meta)
            return wire.ExtractAnswer(
                name=name,
                value=value,
                span=found.span,
                confidence=found.confidence or 0.0,
                null_reason=msgspec.UNSET if found.null_reason is None else found.null_reason,
            )
        case wire.GenerateQuestion():
            return wire.GenerateAnswer(name=name, text=value, output_tokens=_known(meta).generated_tokens or 0)


def _known(meta: FieldMeta | None) -> FieldMeta:
    assert meta is not None, "every question that is asked has its meta"
    return meta
