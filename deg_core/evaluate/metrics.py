"""Outcomes to figures: accuracy by source and mode, its baseline, null handling, calibration error, validity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np

from deg_core.evaluate.array_metrics import summarise_arrays
from deg_core.evaluate.bootstrap import Floats, Interval, Resampler, interval, macro_mean
from deg_core.evaluate.majority import Baseline, Majority, baselines
from deg_core.evaluate.outcome import FieldOutcome, RecordOutcome

BINS = 15
#: Mode -> its name in reports.
MODES = {
    "decide.choice": "choice",
    "decide.noul": "noul",
    "decide.score": "score",
    "extract.span": "span",
    "extract.number": "number",
    "extract.date": "date",
}
_Term = Callable[[FieldOutcome, Baseline | None], float]
_NONE = Baseline(0.0, 0.0)

#: Metric -> what a field adds to the upper and to the lower side of its ratio.
_DECIDED: dict[str, tuple[_Term, _Term]] = {
    "accuracy": (lambda f, b: f.right, lambda f, b: 1),
    "majority": (lambda f, b: (b or _NONE).right, lambda f, b: 1),
    "answered": (lambda f, b: f.answered, lambda f, b: 1),
}
_SCALE: dict[str, tuple[_Term, _Term]] = {
    "mae": (lambda f, b: f.off or 0.0, lambda f, b: f.off is not None),
    "majority_mae": (lambda f, b: (b or _NONE).off, lambda f, b: f.off is not None),
}
_EXTRACTED: dict[str, tuple[_Term, _Term]] = {
    "accuracy": (lambda f, b: f.right, lambda f, b: 1),
    "present_right": (lambda f, b: f.present and f.right, lambda f, b: f.present),
    "absent_null": (lambda f, b: not f.present and f.null, lambda f, b: not f.present),
    "null_precision": (lambda f, b: not f.present and f.null, lambda f, b: f.null),
    "answered": (lambda f, b: f.answered, lambda f, b: 1),
}
_TEXT: dict[str, tuple[_Term, _Term]] = {
    "f1": (lambda f, b: f.f1, lambda f, b: f.present),
    "loose": (lambda f, b: f.loose, lambda f, b: f.present),
}
TERMS: dict[str, dict[str, tuple[_Term, _Term]]] = {
    "choice": _DECIDED,
    "noul": _DECIDED,
    "score": {**_DECIDED, **_SCALE},
    "span": {**_EXTRACTED, **_TEXT},
    "number": _EXTRACTED,
    "date": _EXTRACTED,
}


def summarise(
    outcomes: Sequence[RecordOutcome], train: Majority | None = None, *, resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Every figure of a set of outcomes, as JSON.

    ``sources`` holds for each source its records, validity and modes; ``micro`` the modes over all fields; ``macro``
    the means over sources. The modes are those of fields outside arrays; figures of arrays stand beside them under
    ``arrays`` (`summarise_arrays`). Intervals are 95 % by resampling records within sources. ``train`` are the counts
    behind the majority baselines; a source that it does not know is counted by cross-fitting.
    """
    sampler = Resampler(resamples=resamples, seed=seed)
    constants, origin = baselines(outcomes, train)
    grouped: dict[str, list[int]] = {}
    for index, outcome in enumerate(outcomes):
        grouped.setdefault(outcome.source, []).append(index)
    sources: dict[str, Any] = {}
    sums: dict[str, dict[str, Floats]] = {}
    for source in sorted(grouped):
        own = [outcomes[index] for index in grouped[source]]
        sums[source] = _sums(source, own, [constants[index] for index in grouped[source]], sampler)
        sources[source] = {**_of_records(own), "majority_from": origin[source], "modes": _modes(sums[source], own)}
    together = {name: np.sum([per[name] for per in sums.values()], axis=0) for name in _columns()} if sums else {}
    arrays = summarise_arrays(outcomes, resamples=resamples, seed=seed)
    for source, figures in arrays["sources"].items():
        sources[source]["arrays"] = figures
    return {
        "records": len(outcomes),
        "sources": sources,
        "micro": {
            **_of_records(outcomes),
            "modes": _modes(together, outcomes) if together else {},
            "arrays": arrays["micro"],
        },
        "macro": {"modes": _macro(sums), "arrays": arrays["macro"]},
    }


def _columns() -> list[str]:
    return [f"{mode}/{metric}/{side}" for mode, terms in TERMS.items() for metric in terms for side in "ul"] + [
        "all/accuracy/u",
        "all/accuracy/l",
        "all/records_right/u",
        "all/records_right/l",
    ]


def _sums(
    source: str, outcomes: Sequence[RecordOutcome], constants: Sequence[Mapping[str, Baseline]], sampler: Resampler
) -> dict[str, Floats]:
    """Resampled sums of every side of every ratio."""
    names = _columns()
    place = {name: index for index, name in enumerate(names)}
    table = np.zeros((len(outcomes), len(names)))
    for row, (outcome, known) in enumerate(zip(outcomes, constants, strict=True)):
        for field in outcome.fields:
            mode, constant = MODES[field.mode], known.get(field.pointer)
            for metric, (upper, lower) in TERMS[mode].items():
                table[row, place[f"{mode}/{metric}/u"]] += upper(field, constant)
                table[row, place[f"{mode}/{metric}/l"]] += lower(field, constant)
            table[row, place["all/accuracy/u"]] += field.right
            table[row, place["all/accuracy/l"]] += 1
        if outcome.fields:
            table[row, place["all/records_right/u"]] = all(field.right for field in outcome.fields)
            table[row, place["all/records_right/l"]] = 1
    return dict(zip(names, sampler.sums(source, table).T, strict=True))


def _modes(sums: Mapping[str, Floats], outcomes: Iterable[RecordOutcome]) -> dict[str, Any]:
    """Figures of each mode that occurs."""
    found: dict[str, Any] = {}
    fields = [field for outcome in outcomes for field in outcome.fields]
    for mode, terms in TERMS.items():
        if not sums[f"{mode}/accuracy/l"][0]:
            continue
        figures: dict[str, Any] = {}
        for metric in terms:
            figures[metric] = _shown(interval(sums[f"{mode}/{metric}/u"], sums[f"{mode}/{metric}/l"]))
        if "majority" in terms:
            upper, lower = sums[f"{mode}/accuracy/u"], sums[f"{mode}/accuracy/l"]
            figures["above_majority"] = _shown(interval(upper, lower, minus=sums[f"{mode}/majority/u"]))
        figures["ece"] = expected_calibration_error(field for field in fields if MODES[field.mode] == mode)
        found[mode] = figures
    for metric in ("accuracy", "records_right"):
        figure = _shown(interval(sums[f"all/{metric}/u"], sums[f"all/{metric}/l"]))
        if figure is not None:
            found.setdefault("all", {})[metric] = figure
    return found


def _macro(sums: Mapping[str, Mapping[str, Floats]]) -> dict[str, Any]:
    """Means over sources, each source counting once where it has the figure; ``n`` is the number of sources."""
    found: dict[str, Any] = {}
    pairs = [(mode, metric) for mode, terms in TERMS.items() for metric in terms]
    for mode, metric in [*pairs, ("all", "accuracy"), ("all", "records_right")]:
        mean = macro_mean([(per[f"{mode}/{metric}/u"], per[f"{mode}/{metric}/l"]) for per in sums.values()])
        if mean is not None:
            found.setdefault(mode, {})[metric] = mean.as_dict()
    return found


def _of_records(outcomes: Sequence[RecordOutcome]) -> dict[str, Any]:
    """What is counted by record: how many, how many valid, what went wrong, how long it took."""
    if not outcomes:
        return {"records": 0}
    seconds = [outcome.seconds for outcome in outcomes]
    read = [outcome.tokens for outcome in outcomes if outcome.tokens is not None]
    found = {
        "records": len(outcomes),
        "valid": sum(outcome.valid for outcome in outcomes) / len(outcomes),
        "errors": dict(sorted(Counter(o.error for o in outcomes if o.error is not None).items())),
        "seconds": {"mean": sum(seconds) / len(seconds), "median": median(seconds), "max": max(seconds)},
    }
    if read:
        found["tokens"] = {
            "read": sum(tokens[0] for tokens in read) / len(read),
            "written": sum(tokens[1] for tokens in read) / len(read),
        }
    return found


def expected_calibration_error(fields: Iterable[FieldOutcome], *, bins: int = BINS) -> dict[str, float | int] | None:
    """How far confidence is from accuracy: bins of equal numbers of fields by confidence, the absolute differences of
    their means weighted by size (Naeini et al. 2015, with equal mass). Fields without a confidence are left out; None
    when none is left."""
    pairs = [(field.confidence, field.right) for field in fields if field.confidence is not None]
    if not pairs:
        return None
    sure, right = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))
    return {
        "value": calibration_error(sure, right, bins=bins),
        "confidence": float(sure.mean()),
        "accuracy": float(right.mean()),
        "n": len(pairs),
    }


def calibration_error(sure: Floats, right: Floats, *, bins: int = BINS) -> float:
    """The expected calibration error of confidences [N] and whether each was right [N]; N at least 1."""
    order = np.argsort(sure, kind="stable")
    parts = np.array_split(order, min(bins, len(order)))
    return float(sum(abs(sure[part].mean() - right[part].mean()) * len(part) for part in parts) / len(order))


def _shown(found: Interval | None) -> dict[str, float | int] | None:
    return None if found is None else found.as_dict()
