"""``POST /v1/decisions``: the types of the OpenAI Decisions wire, with deg's ``extract``, ``generate`` and ``options``.

Requests are closed (an unknown key is an error); replies may grow, and their readers ignore what they do not know.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from deg_serve.wire.questions import MAX_LEVELS, MAX_OPTIONS

MAX_QUESTIONS: Final = 400
ALIASES: Final = ("gpt-6-luna",)

# Parts and items of the input


class CacheBreakpoint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Accepted and without effect: what was read is cached by its text."""

    mode: Literal["explicit"]


class InputText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="input_text"):
    """Text."""

    text: str
    prompt_cache_breakpoint: CacheBreakpoint | None = None


class InputImage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="input_image"):
    """An image, which is refused by name: the model reads text."""

    image_url: str
    detail: Literal["low", "high", "auto", "original"] | None = None
    prompt_cache_breakpoint: CacheBreakpoint | None = None


class InputJson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="input_json"):
    """A JSON object or an array of objects."""

    data: dict[str, Any] | list[dict[str, Any]]


class OutputText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="output_text"):
    """What the assistant said."""

    text: str


class Refusal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="refusal"):
    """What the assistant said when it refused."""

    refusal: str


UserPart: TypeAlias = InputText | InputImage | InputJson
Status: TypeAlias = Literal["in_progress", "completed", "incomplete"]


class UserMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message of the user."""

    role: Literal["user"]
    content: str | list[UserPart]
    type: Literal["message"] = "message"


class LeadMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message of the developer or the system."""

    role: Literal["developer", "system"]
    content: str | list[InputText]
    type: Literal["message"] = "message"


class AssistantMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message of the assistant."""

    role: Literal["assistant"]
    content: str | list[OutputText | Refusal]
    phase: Literal["commentary", "final_answer"] | None = None
    type: Literal["message"] = "message"


class FunctionCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call of a function; ``arguments`` is JSON text."""

    type: Literal["function_call"]
    arguments: str
    call_id: str
    name: str
    id: str | None = None
    namespace: str | None = None
    status: Status | None = None


class CustomToolCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call of a tool that takes free text."""

    type: Literal["custom_tool_call"]
    input: str
    call_id: str
    name: str
    id: str | None = None
    namespace: str | None = None
    status: Status | None = None


class ToolOutput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a call of either kind gave back."""

    type: Literal["function_call_output", "custom_tool_call_output"]
    call_id: str
    output: str | list[InputText | InputImage]
    id: str | None = None
    status: Status | None = None


InputItem: TypeAlias = UserMessage | LeadMessage | AssistantMessage | FunctionCall | CustomToolCall | ToolOutput

# Questions

Instructions: TypeAlias = str | list[UserPart]
Text: TypeAlias = Annotated[str, Meta(max_length=1_048_576)]


class PredicateQuestion(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="predicate"
):
    """Is it so?"""

    instructions: Instructions
    name: str | None = None


class ChoiceOption(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One option; ``true`` and ``"true"`` are two."""

    value: str | bool
    description: str = ""


class ChoiceQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="choice"):
    """Which one?"""

    instructions: Instructions
    choices: Annotated[list[ChoiceOption], Meta(min_length=1, max_length=MAX_OPTIONS)]
    name: str | None = None


class Level(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One level of a scale."""

    label: str
    description: str = ""


class ScoreQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="score"):
    """How much? Levels from the lowest."""

    instructions: Instructions
    levels: Annotated[list[Level], Meta(min_length=1, max_length=MAX_LEVELS)]
    name: str | None = None


ValueType: TypeAlias = Literal["string", "number", "integer", "date", "date-time", "email", "uri", "uuid"]


class ExtractQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="extract"):
    """deg: what does the text say? The value is copied from it, or null."""

    instructions: Instructions
    value_type: ValueType = "string"
    pattern: str | None = None
    min_length: int | None = field(default=None, name="minLength")
    max_length: int | None = field(default=None, name="maxLength")
    name: str | None = None


class GenerateQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="generate"):
    """deg: write it, within at most ``max_tokens`` tokens."""

    instructions: Instructions
    pattern: str | None = None
    min_length: int | None = field(default=None, name="minLength")
    max_length: int | None = field(default=None, name="maxLength")
    max_tokens: int | None = None
    name: str | None = None


DecisionsQuestion: TypeAlias = PredicateQuestion | ChoiceQuestion | ScoreQuestion | ExtractQuestion | GenerateQuestion


class CacheOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Accepted and without effect."""

    mode: Literal["implicit", "explicit"] | None = None
    ttl: Literal["30m"] | None = None


class DecisionsRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One request. ``input`` is a text or a list of items (`InputItem`), ``options`` deg's own (SPEC 9)."""

    model: str
    input: Text | list[dict[str, Any]]
    questions: Annotated[list[DecisionsQuestion], Meta(min_length=1, max_length=MAX_QUESTIONS)]
    prompt_cache_key: str | None = None
    prompt_cache_options: CacheOptions | None = None
    safety_identifier: Annotated[str, Meta(max_length=128)] | None = None
    options: dict[str, Any] | None = None


# Reply


class PredicateAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="predicate"):
    """``probability`` that it is so."""

    name: str | None
    probability: float


class OptionProbability(Struct, frozen=True, kw_only=True):
    """One option's share."""

    value: str | bool
    probability: float


class ChoiceAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="choice"):
    """The most probable option, and all of them in the order of the request."""

    name: str | None
    choice: str | bool
    confidence: float
    probabilities: list[OptionProbability]


class LevelProbability(Struct, frozen=True, kw_only=True):
    """One level's share; ``value`` counts from 0."""

    value: int
    label: str
    probability: float


class ScoreAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="score"):
    """``score`` is the expected level."""

    name: str | None
    score: float
    confidence: float
    probabilities: list[LevelProbability]


class ExtractAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="extract"):
    """deg: ``span`` counts code points of the rendered input; ``null_reason`` says why there is no value."""

    name: str | None
    value: str | float | int | None
    span: list[int] | None
    confidence: float
    null_reason: str | msgspec.UnsetType = msgspec.UNSET


class GenerateAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="generate"):
    """deg: a written text."""

    name: str | None
    text: str
    output_tokens: int


DecisionsAnswer: TypeAlias = PredicateAnswer | ChoiceAnswer | ScoreAnswer | ExtractAnswer | GenerateAnswer


class InputTokens(Struct, frozen=True, kw_only=True):
    """Of the tokens read; deg does not tell apart what its cache held."""

    cached_tokens: int = 0
    cache_write_tokens: int = 0


class OutputTokens(Struct, frozen=True, kw_only=True):
    """Of the tokens written; none are hidden."""

    reasoning_tokens: int = 0


class DecisionsUsage(Struct, frozen=True, kw_only=True):
    """Tokens read and written."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_tokens_details: InputTokens = InputTokens()
    output_tokens_details: OutputTokens = OutputTokens()


class DecisionsReply(Struct, frozen=True, kw_only=True):
    """Answers in the order of the questions."""

    model: str
    answers: list[DecisionsAnswer]
    usage: DecisionsUsage
