"""The list of checks, by kind of plugin. A check is imported when it runs, so listing them loads no model code.

The order is the order in which they run. A ``vital`` check that fails ends the run: what comes after it would only fail
for the same reason.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from deg_core.conformance.report import PAGE
from deg_core.plugins.registry import Kind

_HERE: Final = "deg_core.conformance."


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: a function of a case that raises ``CheckFailed`` or ``NotApplicable``."""

    name: str
    kind: Kind
    path: str
    promise: str
    vital: bool = False

    @property
    def function(self) -> Callable[[Any], None]:
        """The check itself, imported now."""
        module, _, attribute = self.path.partition(":")
        found: Callable[[Any], None] = getattr(importlib.import_module(_HERE + module), attribute)
        return found

    @property
    def page(self) -> str:
        """Where the check is explained."""
        return f"{PAGE}#{self.kind.value.replace(' ', '-')}-{self.name}"


_VITAL: Final = frozenset({"protocol-version", "interface", "weights", "shapes", "runs"})
_VERSION: Final = "protocol-version", "interface:protocol_version", "the class was built for a protocol of this deg"
_ALL_THERE: Final = "the class has all that the protocol names, callable as deg calls it"


def _checks(kind: Kind, *lines: tuple[str, str, str]) -> tuple[Check, ...]:
    return tuple(
        Check(name=name, kind=kind, path=path, promise=promise, vital=name in _VITAL) for name, path, promise in lines
    )


FAMILY: Final = _checks(
    Kind.FAMILY,
    _VERSION,
    ("interface", "interface:family_interface", _ALL_THERE),
    ("weights", "family_weights:weights", "weights are of the declared sizes, and a pass over them is finite"),
    ("sizes", "family_weights:sizes", "layers and their states are of the sizes that geometry() declares"),
    ("projections", "family_weights:projections", "linear() is asked for all declared projections and no others"),
    ("inputs-unchanged", "family_layers:inputs_unchanged", "no layer function writes to what it is given"),
    ("layer-rows", "family_layers:layer_rows", "a row of a layer function has its own bits, whatever its neighbours"),
    ("whole-text", "family_states:whole_text", "a fork sees what one pass over text and fork sees"),
    ("chunks", "family_states:chunks", "a text may be cut anywhere and read in pieces"),
    ("forks", "family_states:forks", "a fork has the same bits alone, among others, reordered, on 1, 2 and 5 threads"),
    ("neighbours", "family_states:neighbours", "nothing that goes wrong in one row reaches another"),
    ("trunk-unchanged", "family_states:trunk_unchanged", "nothing that continues a trunk changes it"),
    ("trunk-threads", "family_states:trunk_threads", "a text is read to the same bits, on 1, 2 and 5 threads"),
    ("steps", "family_states:steps", "a row that is kept and continued has the same bits alone and among others"),
    ("steps-are-forks", "family_states:steps_are_forks", "a step of one token is a fork of one token"),
    ("unwritten-memory", "family_states:unwritten_memory", "no memory is read before it is written"),
    ("gradients", "family_training:gradients", "gradients reach the inputs, the trunk and every projection"),
    ("adapters", "family_training:adapters", "adapters merged into the weights do what they did beside them"),
    ("reload", "family_files:reload", "configuration, tokenizer and prepared weights come back as they were saved"),
    ("chat-turns", "family_tokens:chat_turns", "the turns around a text are ids of the vocabulary and end as they say"),
    ("tokenizer", "family_tokens:tokenizer", "ids, offsets, pieces and text agree with one another"),
    ("user-text", "family_tokens:user_text", "no text that a user can write becomes a control token"),
    ("transformers", "family_reference:transformers", "hidden states are those of the published implementation"),
)

HEAD: Final = _checks(
    Kind.HEAD,
    _VERSION,
    ("interface", "interface:head_interface", _ALL_THERE),
    ("shapes", "head_outputs:shapes", "logits are fp32 and of the shape that the mode needs"),
    ("start", "head_parameters:start", "where a head starts follows from its generator alone"),
    ("forks", "head_outputs:forks", "a fork has the same bits whatever was asked before, after or beside it"),
    ("threads", "head_outputs:same_bits_on_threads", "logits have the same bits on 1, 2 and 5 threads"),
    ("prepare", "head_outputs:prepare", "prepare() is pure, and what it gives is only read"),
    ("region", "head_outputs:region", "a region is honoured, at its edges too"),
    ("loss", "head_training:loss", "the loss is one finite number, lower for the gold than for anything else"),
    ("gradients", "head_training:gradients", "gradients reach every parameter and the hidden states"),
    ("training-form", "head_training:training_form", "the head says the same in training as in serving"),
    ("reload", "head_parameters:reload", "saved tensors bring the same head back"),
    ("optional", "head_parameters:optional", "a head without its optional tensors is as if they were zero"),
    ("asks", "language_head:asks", "a head that speaks asks as the protocol allows and answers in its mode's form"),
    ("answers-alone", "language_head:answers_alone", "such an answer has the same bits alone, after and beside others"),
    ("copies", "language_head:copies", "what such a head extracts stands in the text"),
)

ARRAY_DECODER: Final = _checks(
    Kind.ARRAY_DECODER,
    _VERSION,
    ("interface", "interface:decoder_interface", _ALL_THERE),
    ("runs", "decoder_checks:runs", "every array that has room is decoded to a tuple of whole numbers"),
    ("ascending", "decoder_checks:ascending", "positions come in ascending order"),
    ("distinct", "decoder_checks:distinct", "no position is given twice"),
    ("inside-region", "decoder_checks:inside_region", "every position is a token of the region"),
    ("bounds", "decoder_checks:bounds", "there are at least min_items and at most max_items positions"),
    ("shortage", "decoder_checks:shortage", "a region with too little room is a FillError, never a short answer"),
    ("pure", "decoder_checks:pure", "the same outputs give the same positions, and are only read"),
    ("region-only", "decoder_checks:region_only", "logits outside the region have no say"),
    ("count", "decoder_checks:count", "the count is used exactly when needs_count says so"),
)

#: How a kind is called on a command line.
KIND_NAMES: Final = {kind.value.replace(" ", "-"): kind for kind in (Kind.FAMILY, Kind.HEAD, Kind.ARRAY_DECODER)}

CATALOGUE: Final[dict[Kind, tuple[Check, ...]]] = {
    Kind.FAMILY: FAMILY,
    Kind.HEAD: HEAD,
    Kind.ARRAY_DECODER: ARRAY_DECODER,
}
