"""How far a value must beat "not there": the option ``null_margin`` weighed on held-out records (SPEC 9 and 12.1).

Each record is filled once, at the least margin that is looked at, so that nearly every field shows its best valid span.
By how much (nats) that span beats null says what the field would be at any other margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from deg_core.contract.compiler import compile_schema
from deg_core.contract.plan import FieldPlan
from deg_core.contract.request import Options
from deg_core.engine.engine import Model
from deg_core.engine.extract import extract
from deg_core.engine.rounds import RawField
from deg_core.engine.spans import TextSpans
from deg_core.errors import RuntimeLimitError
from deg_core.evaluate.bootstrap import Interval, Resampler, interval
from deg_core.evaluate.comparison import is_absent, right_extract
from deg_core.evaluate.metrics import MODES
from deg_core.evaluate.prune import prune_record
from deg_core.evaluate.scoring import lookup, stands_alone
from deg_core.records import Record

#: Nats, in steps of a quarter.
MARGINS: Final = tuple(step / 4 for step in range(-16, 17))
_LEAST: Final = 1e-300  # a probability that nothing falls under


@dataclass(frozen=True, slots=True)
class Lead:
    """One field: whether the text has its value, whether its best valid span is that value, and by how many nats the
    span beats null; minus infinity where it has no valid span, or one that loses at every margin."""

    mode: str
    present: bool
    right: bool
    nats: float

    def is_right(self, margin: float) -> bool:
        """Whether the field would be right at this margin."""
        taken = self.nats >= margin
        return taken and self.right if self.present else not taken


@dataclass(slots=True)
class Leads:
    """Leads of each record by source; records that were ``too_long`` were not read."""

    sources: dict[str, list[list[Lead]]] = field(default_factory=dict)
    too_long: int = 0

    @property
    def records(self) -> int:
        return sum(map(len, self.sources.values()))

    @property
    def modes(self) -> list[str]:
        """The modes that occur."""
        return sorted({lead.mode for records in self.sources.values() for leads in records for lead in leads})


@dataclass(frozen=True, slots=True)
class Figures:
    """What a margin gives: of the fields whose value is in the text those that are right, of the others those that are
    null, and of all those that are right; None where there is no such field."""

    margin: float
    present_right: Interval | None
    absent_null: Interval | None
    accuracy: Interval | None

    @property
    def balanced(self) -> float:
        """The mean of ``present_right`` and ``absent_null``, whatever the numbers of such fields."""
        known = [each.value for each in (self.present_right, self.absent_null) if each is not None]
        return sum(known) / len(known) if known else 0.0

    def as_dict(self) -> dict[str, Any]:
        rates = {"present_right": self.present_right, "absent_null": self.absent_null, "accuracy": self.accuracy}
        shown = {name: None if rate is None else rate.as_dict() for name, rate in rates.items()}
        return {"margin": self.margin, **shown, "balanced": self.balanced}


def gather(model: Model, records: Iterable[Record], *, on_record: Callable[[], None] | None = None) -> Leads:
    """The leads of every extract field that may be null and stands outside arrays."""
    found = Leads()
    for record in records:
        left = prune_record(record, arrays=False)
        if left is not None:
            _read(model, left, found)
        if on_record is not None:
            on_record()
    return found


def _read(model: Model, record: Record, found: Leads) -> None:
    plan = compile_schema(record.schema)
    if not any(_may_be_null(asked) for asked in plan.fields):
        return
    options = Options(null_margin=MARGINS[0])
    try:
        model.check(record.context, plan, options)
    except RuntimeLimitError:
        found.too_long += 1
        return
    ((read, answers),) = model.read([(record.context, plan)])
    spans = TextSpans(read.layout, options)
    leads = [_lead(model, record, raw, spans) for raw in answers if _may_be_null(raw.field)]
    found.sources.setdefault(record.source, []).append(leads)


def _may_be_null(asked: FieldPlan) -> bool:
    return not asked.mode.decides and stands_alone(asked) and asked.on_null != "forbid"


def _lead(model: Model, record: Record, raw: RawField, spans: TextSpans) -> Lead:
    asked, gold = raw.field, lookup(record.value, raw.field)
    value, meta = extract(asked, raw.logits, spans, model.temperature(asked))
    span = None if meta.span is None else (meta.span[0], meta.span[1])
    right = right_extract(record, asked, asked.pointer, gold, value, span)
    beats = -math.inf
    if span is not None and meta.confidence and meta.p_null is not None:
        beats = math.log(meta.confidence) - math.log(max(meta.p_null, _LEAST))
    return Lead(MODES[asked.mode.value], not is_absent(gold), right, beats)


def weigh(leads: Leads, *, mode: str | None = None, seed: int = 0) -> list[Figures]:
    """The figures at every margin, with 95 % intervals over records; of one mode, or of all."""
    kept = {
        source: [[lead for lead in record if mode in (None, lead.mode)] for record in records]
        for source, records in leads.sources.items()
    }
    return [_at(kept, margin, seed) for margin in MARGINS]


def _at(sources: dict[str, list[list[Lead]]], margin: float, seed: int) -> Figures:
    sampler = Resampler(seed=seed)
    sums = np.zeros((sampler.resamples + 1, 4))
    for source, records in sources.items():
        table = np.array([_counts(record, margin) for record in records], dtype=np.float64)
        sums += sampler.sums(source, table)
    present, hits, absent, nulls = sums.T
    return Figures(margin, interval(hits, present), interval(nulls, absent), interval(hits + nulls, present + absent))


def _counts(record: Sequence[Lead], margin: float) -> tuple[int, int, int, int]:
    """Present fields and those of them that are right, absent ones and those of them that are null."""
    present = [lead.is_right(margin) for lead in record if lead.present]
    absent = [lead.is_right(margin) for lead in record if not lead.present]
    return len(present), sum(present), len(absent), sum(absent)


def best(figures: Sequence[Figures], by: Callable[[Figures], float]) -> float:
    """The margin that ``by`` ranks highest; of equals the one nearest to 0."""
    return max(figures, key=lambda each: (round(by(each), 9), -abs(each.margin))).margin
