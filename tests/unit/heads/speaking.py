"""A language model for tests of language heads: its next token follows from a row's tokens by a hash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from deg_core.protocols.language import Asking, Heard, Open, Request, Step


@dataclass(frozen=True, eq=False)
class Row:
    """The tokens that were read; ``blank`` says behind which text."""

    ids: tuple[int, ...]
    blank: bool = False


class Speaker:
    """Answers requests as the engine would; ``rounds`` are the numbers of requests that it got."""

    def __init__(self, vocabulary: int, *, sharpness: float = 2.0) -> None:
        self.vocabulary, self.sharpness = vocabulary, sharpness
        self.rounds: list[int] = []

    def log_p(self, row: Row) -> Tensor:
        """Log-probabilities [V] after a row."""
        seed = hash((row.ids, row.blank)) % 2**31
        generator = torch.Generator().manual_seed(seed)
        return torch.log_softmax(torch.randn(self.vocabulary, generator=generator) * self.sharpness, dim=0)

    def heard(self, row: Row) -> Heard:
        return Heard(self.log_p(row), row)

    def answer(self, asking: Asking) -> Any:
        """What a question comes to. A row may be stepped in one round only."""
        gone: set[int] = set()
        kept: list[object] = []  # so that no id is used twice
        requests: Sequence[Request] = next(asking)
        while True:
            self.rounds.append(len(requests))
            rows, stepped = [], set()
            for request in requests:
                if isinstance(request, Open):
                    rows.append(Row(request.ids, request.blank))
                    continue
                assert isinstance(request, Step)
                assert isinstance(request.row, Row)
                assert id(request.row) not in gone
                stepped.add(id(request.row))
                kept.append(request.row)
                rows.append(Row((*request.row.ids, request.token), request.row.blank))
            gone |= stepped
            try:
                requests = asking.send([self.heard(row) for row in rows])
            except StopIteration as stop:
                return stop.value

    def chain(self, ids: Sequence[int], after: Row) -> float:
        """The log-probability of ``ids`` behind a row, by the chain rule."""
        total = 0.0
        for length, token in enumerate(ids):
            total += float(self.log_p(Row((*after.ids, *ids[:length]), after.blank))[token])
        return total
