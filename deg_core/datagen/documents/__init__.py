"""Invented documents with known answers (SPEC 12.3: training data for all heads)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Literal

from deg_core.datagen.documents import (
    booking,
    cv,
    event,
    incident,
    invoice,
    job_ad,
    lease,
    listing,
    meeting,
    news,
    orders,
    receipt,
    review,
    statement,
    support,
)
from deg_core.datagen.documents.array_records import make_array_record
from deg_core.datagen.documents.kind import Kind, make_record
from deg_core.errors import UnknownNameError
from deg_core.records.record import Record, Split

_KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        invoice.KIND,
        receipt.KIND,
        support.KIND,
        job_ad.KIND,
        orders.ORDER_KIND,
        orders.SHIPPING_KIND,
        booking.KIND,
        lease.KIND,
        incident.KIND,
        event.KIND,
        cv.KIND,
        listing.LISTING_KIND,
        review.REVIEW_KIND,
        statement.KIND,
        meeting.KIND,
        news.KIND,
    )
}
KINDS: tuple[str, ...] = tuple(_KINDS)


def get_kind(name: str) -> Kind:
    """The kind of a name; UnknownNameError names the known ones."""
    if name not in _KINDS:
        raise UnknownNameError(f"there is no document kind {name!r}; known kinds: {', '.join(KINDS)}")
    return _KINDS[name]


Arrays = Literal["only", "some", "none"]
ARRAY_SHARE = 0.35


def generate(kind: str, seed: int, *, split: Split = "train", array: bool = False, layout: str | None = None) -> Record:
    """One record, with ``array`` one that asks for a list; the same arguments always give the same one.

    ``layout`` fixes how a record without a list is written down.
    """
    if array:
        return make_array_record(get_kind(kind), seed, split)
    return make_record(get_kind(kind), seed, split, layout=layout)


def generate_many(
    count: int,
    seed: int,
    split: Split = "train",
    kinds: Sequence[str] | None = None,
    *,
    arrays: Arrays = "some",
    layout: str | None = None,
) -> Iterator[Record]:
    """``count`` records, the kinds in turn; ``seed`` moves the whole series.

    ``arrays`` says which ask for a list: ``only`` such records, about 35 % of them (``some``), or ``none``. ``layout``
    fixes how the records without a list are written down; every kind must have it.
    """
    names = tuple(kinds) if kinds is not None else KINDS
    for name in names:
        get_kind(name)
    for at in range(count):
        number = seed * 1_000_000 + at
        share = {"only": 1.0, "none": 0.0}.get(arrays, ARRAY_SHARE)
        array = random.Random(f"array/{split}/{number}").random() < share
        yield generate(names[at % len(names)], number, split=split, array=array, layout=layout)
