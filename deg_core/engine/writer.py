"""One generated text while it is written: which token comes next, and when the text ends (SPEC 4 and 12.3).

A text ends when the model ends it, when the pattern allows nothing more, or at a limit: when what the model would write
next does not fit into maxLength, or when the token budget is used up. Where a limit overruled the model, the text goes
back to the last whole sentence from before that, if it is most of the text. A text that does not meet its constraints
is a FillError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import regex
from torch import Tensor

from deg_core.contract.patterns import PatternTimeout
from deg_core.contract.plan import FieldPlan
from deg_core.engine.constrain import Constraint, Progress, Refused, Vocabulary
from deg_core.engine.sampling import TOP, Sampler
from deg_core.errors import FillError

_SENTENCE: Final = regex.compile(r"[.!?…。！？]+[\"'”’»)\]」』]*(?=\s|\Z|(?<=[。！？]))")

Finish: TypeAlias = Literal["stop", "max_length", "length"]


@dataclass(frozen=True, slots=True)
class Written:
    """A text, the tokens that it took (the end of turn is one), and what ended it: "stop" the model or the pattern,
    "max_length" that nothing more fitted, "length" the token budget."""

    text: str
    tokens: int
    finish: Finish


class Writer:
    """One text. It is given logits until there is a ``result``; ``token`` is what it chose last. ``budget`` is the most
    tokens, ``end`` the id that ends the assistant's turn."""

    def __init__(self, field: FieldPlan, budget: int, sampler: Sampler, vocabulary: Vocabulary, end: int) -> None:
        self.token = end
        self.result: Written | FillError | None = None
        self._field, self._budget, self._sampler = field, budget, sampler
        self._vocabulary, self._end = vocabulary, end
        self._constraint = Constraint(field)
        self._progress = self._constraint.start
        self._tokens = 0
        self._free: int | None = None  # characters that were written before a limit first overruled the model
        try:
            if self._constraint.impossible:
                self._fail(f"no text meets its constraints: {self._limits()}")
            else:
                self._end_if_closed()
        except PatternTimeout as error:
            self._fail(str(error))

    def choose(self, logits_V: Tensor) -> None:
        """Take the first admissible candidate, or end."""
        try:
            chosen = self._next(logits_V)
            if chosen is None:
                self._fail(f"no token can follow {self._so_far()}, which does not meet its constraints yet")
            elif isinstance(chosen, tuple):
                self._go_on(*chosen)
            else:
                self._tokens += chosen == "stop"
                self._finish(chosen)
        except PatternTimeout as error:
            self._fail(f"{error}, after {self._so_far()}")

    def _next(self, logits_V: Tensor) -> tuple[int, Progress] | Finish | None:
        """The next token with the text after it, or what ends the text, or None when nothing is admissible.

        Of the likeliest candidates the first without any objection is taken; failing that, the first of the whole
        vocabulary with the fewest. The token budget objects when too little of it would be left to meet the constraints
        (unless that is so already); tidiness, when white space is odd and only a pattern may want it so.
        """
        constraint, before, left = self._constraint, self._progress, self._budget - self._tokens - 1
        complete, closable = constraint.complete(before), before.need <= left + 1
        second: dict[tuple[bool, bool], tuple[int, Progress]] = {}
        for rank, token in enumerate(self._sampler.order(logits_V, self._tokens)):
            if rank == TOP and any(not late for late, _ in second):
                break
            if token == self._end:
                if complete:
                    return "stop"
                continue
            after = constraint.read(before, self._vocabulary.piece(token, before.held))
            if after is Refused.LONG:
                if complete:
                    return "max_length"
                self._overruled()
            if isinstance(after, Refused) or (after.untidy and constraint.pattern is None):
                continue
            late = closable and after.need > left
            if late:
                if complete:
                    return "length"
                self._overruled()
            if not late and not after.untidy:
                return token, after
            second.setdefault((late, after.untidy), (token, after))
        return second[min(second)] if second else None

    def _go_on(self, token: int, after: Progress) -> None:
        self.token, self._progress = token, after
        self._tokens += 1
        self._end_if_closed()

    def _end_if_closed(self) -> None:
        """End a text that nothing may follow, or for which no token is left."""
        constraint, now = self._constraint, self._progress
        if constraint.complete(now) and constraint.closed(now):
            self._finish("stop" if constraint.most else "max_length")
        elif self._tokens >= self._budget:
            if constraint.holds(now.text):
                self._finish("length")
            else:
                self._fail(
                    f"the budget of {self._budget} tokens (the field's x-max-tokens, else max_new_tokens) was used "
                    f"up at {self._so_far()}; raise it"
                )

    def _overruled(self) -> None:
        if self._free is None:
            self._free = len(self._progress.text)

    def _finish(self, finish: Finish) -> None:
        """End with the text as it stands; where a limit had a say, with its whole sentences; and without white space at
        its end. Each only as far as the constraints allow."""
        text = self._progress.text
        if finish != "stop":
            self._overruled()
        free = -1 if self._free is None else self._free
        ends = [match.end() for match in _SENTENCE.finditer(text) if len(text) <= 2 * match.end() <= 2 * free]
        shorter = (*(text[:place] for place in ends[-1:]), text.rstrip())
        kept = next((one for one in shorter if self._constraint.holds(one)), text)
        self.result = Written(kept, self._tokens, finish)

    def _fail(self, why: str) -> None:
        self.result = FillError(why, pointer=self._sampler.pointer)

    def _so_far(self) -> str:
        text = self._progress.text
        shown = text if len(text) <= 60 else "…" + text[-59:]
        return f"{shown!r} ({len(text)} characters; {self._limits()})"

    def _limits(self) -> str:
        limits = self._field.constraints
        return ", ".join(f"{keyword} {value!r}" for keyword, value in limits) or "no constraints"
