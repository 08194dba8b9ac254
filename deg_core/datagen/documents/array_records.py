"""Records that ask for a list of their document as an array, alone or beside other fields."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from deg_core.datagen.documents.builder import Rendered
from deg_core.datagen.documents.distractions import distract
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.fields import Pool
from deg_core.datagen.documents.kind import Kind, alternatives_of, check, pointer_of, value_of
from deg_core.datagen.documents.lists.ask import Unaskable, draw_array
from deg_core.datagen.documents.lists.document import (
    BRIEF,
    Section,
    draw_list,
    draw_section,
    draw_size,
    second_list,
    write_brief,
)
from deg_core.datagen.documents.lists.goods_lists import GOODS
from deg_core.datagen.documents.lists.model import ListKind
from deg_core.datagen.documents.noise import draw_noise
from deg_core.datagen.documents.schemas import Some, draw_schema
from deg_core.errors import RecordError
from deg_core.records.record import Record, Split

ATTEMPTS = 12
SECOND_ASKED_SHARE = 0.4
"""How often another list on the page is asked for too."""
IN_LAYOUT_SHARE = 0.85
"""How often a list that may stand in the kind's own layouts does so."""
OWN_HAND_SHARE = 0.35
"""How often a layout that knows goods writes them in its own way."""
_SCALARS = (0, 0, 0, 1, 2, 3, 3, 4, 5, 6, 8)
"""How many other fields stand beside an array."""
_SUMS = ("total", "subtotal", "tax_amount", "tax_rate", "shipping", "discount", "paid", "due", "cash_given", "change")
_UNSURE = frozenset((
    "discount", "weight", "delivery_date", "arrive_date", "ship_date", "status", "subtotal", "early_rate", "carrier",
))  # fmt: skip
"""What the lines of goods may say something about, so that its absence is not asked for."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What one record is to be: its list and how many items, the layout and language, how many other fields.

    ``native`` says that the items are the goods of the kind's own world, with the sums that go with them.
    """

    asked: ListKind
    count: int
    layout: str
    lang: str
    native: bool
    scalars: int
    held_out: bool


@dataclass(frozen=True, slots=True)
class _Written:
    """A finished page: ``sections`` are the lists that are asked for, ``sure`` whether other fields may be absent."""

    sheet: Sheet
    rendered: Rendered
    sections: Sequence[Section]
    sure: bool


def make_array_record(kind: Kind, seed: int, split: Split) -> Record:
    """A record that asks for a list as an array; the same kind, seed and split always give the same record.

    Raises:
        RecordError: no drawing of this seed gave every item a place of its own.
    """
    for attempt in range(ATTEMPTS):
        rng = random.Random(f"{kind.name}/{split}/{seed}/array/{attempt}")
        try:
            plan = _plan(kind, split, rng)
            return _record(kind, seed, split, plan, _write(kind, plan, rng), rng)
        except Unaskable:
            continue
    raise RecordError(f"no list of {kind.name!r} could be asked for with seed {seed} after {ATTEMPTS} drawings")


def _plan(kind: Kind, split: Split, rng: random.Random) -> _Plan:
    asked = draw_list(rng, kind.name)
    native, count, layout = kind.counted and asked is GOODS, draw_size(rng, asked), BRIEF
    if count and kind.name not in asked.alone and rng.random() < IN_LAYOUT_SHARE:
        fits = [name for name in kind.layout_names(split) if native or "en" in kind.langs.get(name, ("en",))]
        layout = rng.choice(fits)
    lang = rng.choice(list(kind.langs.get(layout, ("en",)))) if native else "en"
    return _Plan(asked, count, layout, lang, native, rng.choice(_SCALARS), split == "test")


def _write(kind: Kind, plan: _Plan, rng: random.Random) -> _Written:
    sheet = _invented(kind, plan, rng)
    root = "items" if plan.native else f"lists/{plan.asked.name}"
    section = draw_section(sheet, plan.asked, root, plan.count, held_out=plan.held_out)
    section.loose = not plan.scalars and plan.lang == "en"
    _laid_out(kind, plan, sheet, section)
    sections, exact, other = [section], plan.layout in kind.exact, None
    if not exact and plan.lang == "en":
        other = second_list(sheet, kind.name, section, held_out=plan.held_out)
        sections += [other] if other is not None and rng.random() < SECOND_ASKED_SHARE else []
        distract(sheet)
    rendered = sheet.finish(noise=None if exact else draw_noise(rng), upper=not exact and rng.random() < 0.035)
    if not rendered.context:
        raise Unaskable("nothing is on the page")
    return _Written(sheet, rendered, sections, plan.native and other is None)


def _invented(kind: Kind, plan: _Plan, rng: random.Random) -> Sheet:
    """The world of the page, without what would stand beside the list as one more item of it."""
    goods = {"goods": plan.count} if plan.native and plan.count else {}
    sheet = kind.world(rng, plan.lang, plan.layout in kind.wordy, **goods)
    sheet.drop(*plan.asked.drops)
    if plan.native and not plan.count:
        sheet.drop(*[key for key in sheet.facts if key.startswith("items/")], *_SUMS)
    return sheet


def _laid_out(kind: Kind, plan: _Plan, sheet: Sheet, section: Section) -> None:
    """Write the page: in one of the kind's layouts, or in one that is made for the list."""
    if plan.layout == BRIEF:
        write_brief(sheet, section, [one.key for one in kind.pool.fields])
        return
    section.headed = not plan.native
    if plan.native and 1 < plan.count <= 6 and sheet.rng.random() < OWN_HAND_SHARE:
        section.leave_to_layout()
    sheet.lister = section if plan.native and not section.written else None
    kind.layouts[plan.layout](sheet)
    if not section.written:
        section.insert(sheet)


def _record(kind: Kind, seed: int, split: Split, plan: _Plan, page: _Written, rng: random.Random) -> Record:
    few = page.sure and 0 < plan.count <= 6 and kind.extra is not None
    extra = tuple(kind.extra(page.sheet)) if few and kind.extra is not None else ()
    schema, asked, arrays = draw_schema(
        rng,
        Pool(fields=(*kind.pool.fields, *extra), groups=kind.pool.groups),
        page.sheet,
        page.rendered,
        some=Some(plan.scalars, absent=page.sure, unsure=_UNSURE),
        arrays=[
            partial(
                draw_array,
                sheet=page.sheet,
                rendered=page.rendered,
                kind=one.kind,
                entries=one.entries,
                section=one.key,
            )
            for one in page.sections
        ],
    )
    record = Record(
        uid=f"generated/{kind.name}/{plan.layout}+{plan.asked.name}.{page.sections[0].form}/{split}/{seed}",
        source="generated",
        split=split,
        domain=rng.choice(kind.domains),
        context=page.rendered.context,
        schema=schema,
        value=value_of(asked) | {one.name: one.value for one in arrays},
        spans={pointer_of(item.path): item.spans[0] for item in asked if item.spans}
        | {pointer_of((one.name,)) + below: span for one in arrays for below, span in one.spans.items()},
        span_alternatives=alternatives_of(asked, page.rendered.context)
        | {pointer_of((one.name,)) + below: spans for one in arrays for below, spans in one.alternatives.items()},
    )
    check(record, asked)
    return record
