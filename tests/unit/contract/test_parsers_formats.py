"""Emails, URIs, UUIDs and the format checks of JSON Schema: what passes, what does not, what a text offers."""

from __future__ import annotations

import uuid

import pytest

from deg_core.contract.parsers import check_format, find_emails, find_uris, find_uuids

RIGHT = [
    ("email", "a@b.co"),
    ("email", "no-reply@parcel-redelivery-88.example"),
    ("email", "first.last+tag@sub.domain.example"),
    ("email", "o'brien@mail.example"),
    ("email", "x_y%z@mail.example"),
    ("email", "reply_to=a@mail.example"),
    ("email", '"joe bloggs"@mail.example'),
    ("email", "joe@[127.0.0.1]"),
    ("email", "joe@[IPv6:::1]"),
    ("email", "joe@localhost"),
    ("uri", "https://example.org"),
    ("uri", "https://example.org/a/b?x=1&y=%20#top"),
    ("uri", "http://user:pw@example.org:8080/"),
    ("uri", "ftp://ftp.example.org/file.txt"),
    ("uri", "mailto:a@b.example"),
    ("uri", "urn:isbn:0451450523"),
    ("uri", "tel:+1-816-555-1212"),
    ("uri", "http://[2001:db8::7]/c=GB?one"),
    ("uri", "file:///etc/hosts"),
    ("uri", "https://example.org/a_(b)"),
    ("uri", "about:blank"),
    ("uuid", "3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3"),
    ("uuid", "3F2C1A94-70D8-4B1E-9C55-0A6BE1D7F2C3"),
    ("uuid", "00000000-0000-0000-0000-000000000000"),
    ("date", "2026-05-03"),
    ("date", "2024-02-29"),
    ("date", "0001-01-01"),
    ("date-time", "2026-05-03T14:05:00Z"),
    ("date-time", "2026-05-03t14:05:00z"),
    ("date-time", "2026-05-03T14:05:00.123456789Z"),
    ("date-time", "2026-05-03T14:05:00+02:00"),
    ("date-time", "2026-05-03T14:05:00-00:00"),
    ("date-time", "1998-12-31T23:59:60Z"),
    ("date-time", "1998-12-31T15:59:60.123-08:00"),
]
WRONG = [
    ("email", ""),
    ("email", "a"),
    ("email", "@b.co"),
    ("email", "a@"),
    ("email", "a@b@c.co"),
    ("email", ".a@b.co"),
    ("email", "a.@b.co"),
    ("email", "a..b@c.co"),
    ("email", "a b@c.co"),
    ("email", "joe@[IPv6:1::2::3]"),
    ("uri", "http://[::ffff:01.2.3.4]"),
    ("uri", "http://[::::]/"),
    ("email", "a@b_c.co"),
    ("email", "a@-b.co"),
    ("email", "a@b.co "),
    ("email", "a@b.co\n"),
    ("email", "x" * 65 + "@b.co"),
    ("email", "joe@[127.0.0.300]"),
    ("email", "m\u00fcller@firma.example"),
    ("uri", ""),
    ("uri", "www.example.org"),
    ("uri", "/just/a/path"),
    ("uri", "//example.org/a"),
    ("uri", "1http://a"),
    ("uri", "https://exa mple.org"),
    ("uri", "https://example.org/%zz"),
    ("uri", "https://example.org/<a>"),
    ("uri", "https://example.org/\u00fc"),
    ("uri", "http://[::1"),
    ("uri", "https://example.org:port/"),
    ("uri", "https://example.org\n"),
    ("uuid", "3f2c1a9470d84b1e9c550a6be1d7f2c3"),
    ("uuid", "{3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3}"),
    ("uuid", "3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2cg"),
    ("uuid", "3f2c1a94-70d8-4b1e-9c550-a6be1d7f2c3"),
    ("uuid", "3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3\n"),
    ("date", "2026-5-3"),
    ("date", "2026-02-30"),
    ("date", "20260503"),
    ("date", "2026-W18-7"),
    ("date", "2026-05-03Z"),
    ("date", "2026-05-03\n"),
    ("date", "\u0662\u0660\u0662\u0666-05-03"),
    ("date-time", "2026-05-03"),
    ("date-time", "2026-05-03 14:05:00Z"),
    ("date-time", "2026-05-03T14:05Z"),
    ("date-time", "2026-05-03T14:05:00"),
    ("date-time", "2026-05-03T24:00:00Z"),
    ("date-time", "2026-05-03T14:60:00Z"),
    ("date-time", "2026-05-03T14:05:60Z"),
    ("date-time", "2026-05-03T14:05:00+24:00"),
    ("date-time", "2026-05-03T14:05:00+2:00"),
    ("date-time", "2026-05-03T14:05:00.Z"),
    ("date-time", "2026-02-30T14:05:00Z"),
    ("date-time", "1998-12-31T23:58:60Z"),
]


@pytest.mark.parametrize(("name", "text"), RIGHT)
def test_right(name: str, text: str) -> None:
    assert check_format(name, text)


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_wrong(name: str, text: str) -> None:
    assert not check_format(name, text)


def test_every_generated_uuid_passes() -> None:
    assert all(check_format("uuid", str(uuid.UUID(int=value))) for value in (0, 1, 2**64, 2**128 - 1))


def test_an_unknown_format_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="ipv4"):
        check_format("ipv4", "127.0.0.1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to help@loft.example.", ["help@loft.example"]),
        ("<h.voss@voss-timber.example>", ["h.voss@voss-timber.example"]),
        ("mailto:termine@waermehof.example", ["termine@waermehof.example"]),
        ("from=billing@cairnfold.example reply", ["billing@cairnfold.example"]),
        ('"mail":"itziar@oyarzunh.example"}', ["itziar@oyarzunh.example"]),
        ("a@x.example, b@y.example;c@z.example", ["a@x.example", "b@y.example", "c@z.example"]),
        ("'bob@x.example'", ["bob@x.example"]),
        ("o'brien@x.example", ["o'brien@x.example"]),
        ("(a@x.example)", ["a@x.example"]),
        ("m\u00fcller@firma.example", []),
        ("@handle and x @ y", []),
        ("user@host", []),
        ("a@b@c.example", []),
        ("a@x.example-", ["a@x.example"]),
        ("first.last@x.example's", ["first.last@x.example"]),
    ],
)
def test_emails_of_a_text(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in find_emails(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://a.example/x.", ["https://a.example/x"]),
        ("see (https://a.example/x_(y)).", ["https://a.example/x_(y)"]),
        ("<https://a.example/l>; rel=", ["https://a.example/l"]),
        ('href="https://a.example/shop">', ["https://a.example/shop"]),
        ("URL:https://a.example/p", ["https://a.example/p"]),
        ("https://a.example/stop . Do", ["https://a.example/stop"]),
        ("https://a.example, https://b.example!", ["https://a.example", "https://b.example"]),
        ("[link](https://a.example/q?x=1&y=2)", ["https://a.example/q?x=1&y=2"]),
        ("**https://a.example/b**", ["https://a.example/b"]),
        ("ORGANIZER;CN=X:mailto:a@b.example", ["mailto:a@b.example"]),
        ("urn:isbn:0451450523 and tel:+1-816", ["urn:isbn:0451450523", "tel:+1-816"]),
        ("https://web.example/https://b.example/", ["https://web.example/https://b.example/"]),
        ("www.example.org, a: b, 12:30", []),
        ("http:// nothing", []),
        ("https://a.example/caf\u00e9", ["https://a.example/caf\u00e9"]),
    ],
)
def test_uris_of_a_text(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in find_uris(text)] == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("id=3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3;", 1),
        ("urn:uuid:3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3", 1),
        ("x3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3", 0),
        ("3f2c1a94-70d8-4b1e-9c55-0a6be1d7f2c3-1", 0),
        ("3f2c1a94-70d8-4b1e-9c55", 0),
    ],
)
def test_uuids_of_a_text(text: str, count: int) -> None:
    assert len(find_uuids(text)) == count
