"""How many items an array has, by the number that the model would write."""

from __future__ import annotations

from typing import Final

import torch

from deg_core.protocols.head import MAX_COUNT, ArrayQuery
from deg_core.protocols.language import Asking, Open, Question
from deg_heads.readout.base import ReadoutHead
from deg_heads.readout.spelling import normalised, spell

_DIGITS: Final = 10


class CountReadout(ReadoutHead):
    """Log-probabilities of 0 to 64. Items are then addressed by their number: nothing says where in the text they are,
    so small models repeat themselves or lose count."""

    kind = "readout-count"
    modes = frozenset({ArrayQuery.COUNT})
    width = _DIGITS

    def ask(self, question: Question) -> Asking:
        """Logits [65]."""
        encode = self.language.tokenizer.encode
        heard = yield [Open(question.layout.ids, goes_on=True)]
        (log_p,) = yield from spell(heard, [tuple(encode(str(number))) for number in range(MAX_COUNT + 1)])
        return torch.tensor(normalised(log_p))
