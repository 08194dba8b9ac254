"""Invented documents with known answers (SPEC 12.3: training data for all heads)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


def generate(kind: str, seed: int, *, split: Split = "train") -> Record:
    """One record; the same kind, seed and split always give the same one."""
    return make_record(get_kind(kind), seed, split)


def generate_many(
    count: int, seed: int, split: Split = "train", kinds: Sequence[str] | None = None
) -> Iterator[Record]:
    """``count`` records, the kinds in turn; ``seed`` moves the whole series."""
    names = tuple(kinds) if kinds is not None else KINDS
    for name in names:
        get_kind(name)
    for at in range(count):
        yield generate(names[at % len(names)], seed * 1_000_000 + at, split=split)
