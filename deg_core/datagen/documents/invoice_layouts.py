"""How invoices look: letterheads, columns, Markdown, forms, data dumps; and all layouts by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deg_core.datagen.documents import shapes
from deg_core.datagen.documents.facts import Sheet, Writer
from deg_core.datagen.documents.invoice_labels import LABELS
from deg_core.datagen.documents.invoice_letters import (
    german_letter,
    memo,
    phone_note,
    prose_mail,
    quoted_reply,
    reminder_letter,
    sms,
)
from deg_core.datagen.documents.invoice_parts import (
    BANK,
    EXTRAS,
    META,
    SUMS,
    head,
    item_places,
    item_table,
    mark_money,
    party_block,
    statements,
    sums,
)
from deg_core.datagen.documents.phrases import footer


def letterhead(sheet: Sheet) -> None:
    """Seller on top, customer block, details, table, sums, notes, bank details."""
    for line in party_block(sheet, "seller"):
        sheet.line(line)
    sheet.blank()
    if sheet.rng.random() < 0.7:
        sheet.line(
            {
                "en": "<Bill to|Billed to|To|Customer|Sold to>:",
                "de": "<An|Kunde|Rechnung an>:",
                "fr": "Client :",
                "es": "Cliente:",
            }[sheet.lang]
        )
    for line in party_block(sheet, "buyer"):
        sheet.line(line)
    sheet.blank()
    head(sheet)
    if sheet.rng.random() < 0.4 and sheet.has("invoice_no"):
        sheet.line(" {invoice_no}")
        shapes.pairs(sheet, [key for key in META if key != "invoice_no"])
    else:
        sheet.line()
        shapes.pairs(sheet, META)
    sheet.blank()
    item_table(sheet)
    sheet.blank()
    sums(sheet)
    sheet.blank()
    statements(sheet)
    shapes.pairs(sheet, (*BANK, "late_rate"), shuffle=False)
    footer(sheet)


def columns_scan(sheet: Sheet) -> None:
    """Two blocks side by side, then the rest in columns, as a scanner reads a page."""
    head(sheet)
    sheet.line()
    if sheet.rng.random() < 0.5:
        sheet.raw("=" * 60 + "\n")
    left, right = party_block(sheet, "seller"), party_block(sheet, "buyer")
    left.insert(0, sheet.rng.choice(("FROM", "SELLER", "SUPPLIER")))
    right.insert(0, sheet.rng.choice(("BILL TO", "CUSTOMER", "SOLD TO")))
    if sheet.rng.random() < 0.3:
        left, right = right, left
    shapes.two_columns(sheet, left, right)
    sheet.blank()
    keys = shapes.present(sheet, META)
    sheet.rng.shuffle(keys)
    shapes.two_columns(
        sheet,
        [f"{sheet.label(key)}: {{{key}}}" for key in keys[::2]],
        [f"{sheet.label(key)}: {{{key}}}" for key in keys[1::2]],
    )
    sheet.blank()
    item_table(sheet)
    sheet.blank()
    sums(sheet)
    sheet.blank()
    statements(sheet)
    shapes.inline(sheet, BANK)
    footer(sheet)


def markdown(sheet: Sheet) -> None:
    """Markdown with headings, a table and bullets."""
    sheet.raw("# ")
    head(sheet)
    sheet.line(" {invoice_no}")
    sheet.blank()
    shapes.table(sheet, [key for key in (*META, "seller_name", "buyer_name") if key != "invoice_no"])
    sheet.blank()
    sheet.line("## <Items|Positions|What you bought>")
    goods = item_places(sheet)
    if goods:
        sheet.raw("| item | qty | price | sum |\n|---|---:|---:|---:|\n")
    for at in goods:
        sheet.line(
            f"\u007c {{items/{at}/name}} \u007c {{items/{at}/quantity}} \u007c {{items/{at}/price}} \u007c "
            f"{{items/{at}/amount}} \u007c"
        )
    sheet.stated.add("goods_kind")
    sheet.blank()
    shapes.bullets(sheet, SUMS)
    mark_money(sheet)
    sheet.blank()
    sheet.line("## <Notes|Payment|Terms>")
    statements(sheet)
    shapes.bullets(sheet, (*BANK, *EXTRAS, "seller_address", "buyer_address"))


def data(sheet: Sheet) -> None:
    """A data dump: JSON, YAML, XML or CSV, with the statements as a note."""
    keys = [key for key in LABELS if sheet.has(key)]
    sheet.rng.shuffle(keys)
    # labels in a dump are identifiers, so two facts must not share one
    seen: set[str] = set()
    unique = [key for key in keys if (name := shapes.tag(sheet.label(key))) not in seen and not seen.add(name)]  # type: ignore[func-returns-value]
    sheet.rng.choice(shapes.DATA)(sheet, unique)
    mark_money(sheet)
    if sheet.rng.random() < 0.5:
        sheet.raw(sheet.rng.choice(("note: ", "# ", "remarks = ", "")))
        statements(sheet, end=" ")


def table_row(sheet: Sheet) -> None:
    """A header line and a line of values, and the statements as a note."""
    shapes.table_row(sheet)
    mark_money(sheet)
    if sheet.rng.random() < 0.5:
        sheet.raw(sheet.rng.choice(("note: ", "# ", "")))
        statements(sheet, end=" ")


def form_boxes(sheet: Sheet) -> None:
    """Held out: a bilingual form of numbered boxes."""
    number = 0
    sheet.raw("[0] ")
    head(sheet)
    sheet.line()
    for key in shapes.present(
        sheet,
        (
            "seller_name",
            "seller_address",
            "seller_vat",
            "buyer_name",
            "buyer_address",
            "buyer_vat",
            *META,
            *SUMS,
            "tax_rate",
            *BANK,
            *EXTRAS,
        ),
    ):
        if sheet.rng.random() < 0.12:
            continue
        number += 1
        other = LABELS[key].get(sheet.rng.choice(("de", "fr", "es")), LABELS[key]["en"])
        sheet.raw(f"[{number}] ")
        sheet.line(f"{sheet.label(key)} / {other[0]}")
        sheet.line(f"     {{{key}}}")
    item_table(sheet)
    number += 1
    sheet.raw(f"[{number}] ")
    sheet.line("<Remarks|Remarks / Bemerkungen>")
    statements(sheet)


def export_row(sheet: Sheet) -> None:
    """Held out: one row of an accounting export with a long header."""
    keys = [
        key
        for key in (
            "invoice_no",
            "issue_date",
            "due_date",
            "seller_name",
            "seller_vat",
            "buyer_name",
            "customer_no",
            "order_no",
            "subtotal",
            "tax_rate",
            "tax_amount",
            "total",
            "paid",
            "due",
            "iban",
            "delivery_date",
            "seller_city",
            "buyer_city",
        )
        if sheet.has(key)
    ]
    heads = {key: key.upper().replace("_", "") if sheet.rng.random() < 0.5 else key for key in keys}
    sheet.raw(";".join(heads[key] for key in keys) + "\n")
    for at, key in enumerate(keys):
        sheet.put(f"{{{key}}}")
        sheet.raw(";" if at + 1 < len(keys) else "\n")
    sheet.raw("#memo;")
    statements(sheet, end=" ")
    mark_money(sheet)


LAYOUTS: Mapping[str, Writer] = {
    "letterhead": letterhead,
    "columns_scan": columns_scan,
    "prose_mail": prose_mail,
    "markdown": markdown,
    "sms": sms,
    "german_letter": german_letter,
    "data": data,
    "quoted_reply": quoted_reply,
    "reminder_letter": reminder_letter,
    "memo": memo,
    "table_row": table_row,
    "form_boxes": form_boxes,
    "phone_note": phone_note,
    "export_row": export_row,
}


HELD_OUT = frozenset(("form_boxes", "phone_note", "export_row"))


LANGS: Mapping[str, Sequence[str]] = {
    "letterhead": ("en", "en", "en", "en", "en", "de", "fr", "es"),
    "german_letter": ("de",),
    "data": ("en", "en", "en", "en", "de", "fr"),
    "markdown": ("en", "en", "en", "de"),
}
