"""Strings with a format: candidate spans of emails, URIs and UUIDs, and the checks of JSON Schema (SPEC 3, 4)."""

from __future__ import annotations

import datetime as dt
import ipaddress
import re

from deg_core.contract.parsers.result import Span

_LOCAL = r"[A-Za-z0-9_+%&-]+(?:[.'][A-Za-z0-9_+%&-]+){0,20}"
_LOCAL_BEFORE = re.compile(rf"(?<![A-Za-z0-9_+%&-]){_LOCAL}$")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN_AFTER = re.compile(
    rf"(?:{_LABEL}\.){{1,12}}(?:[A-Za-z]{{2,63}}|xn--[A-Za-z0-9-]{{1,58}}[A-Za-z0-9])(?![\w@])(?!-\w)(?!\.\w)"
)
_PLAIN_SCHEMES = "mailto|tel|urn|doi|sips?|xmpp|geo|news|data|magnet|sms|callto|info|tag|isbn"
_URI_START = re.compile(
    rf"(?<![A-Za-z0-9+.\-])(?:[A-Za-z][A-Za-z0-9+.\-]{{1,30}}://|(?:{_PLAIN_SCHEMES}):)(?=[^\s<>\"])"
)
_URI_BODY = re.compile(r"[^\s<>\"\u201c\u201d\u00ab\u00bb`{}|\\^]{1,4000}")
_UUID = re.compile(r"(?<![\w-])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![\w-])")
_CLOSERS = {")": "(", "]": "["}

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_EMAIL = re.compile(
    rf"(?=.{{1,254}}\Z)(?:(?=[^@\"]{{1,64}}@){_ATOM}(?:\.{_ATOM})*|\"(?:[^\"\\\x00-\x1f\x7f-\uffff]|\\[ -~]){{0,62}}\")"
    rf"@(?:{_LABEL}(?:\.{_LABEL})*"
    r"|\[(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|IPv6:(?P<ip6>[0-9A-Fa-f:.]{2,45}))\])"
)
_PCHAR = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
_URI = re.compile(
    r"[A-Za-z][A-Za-z0-9+.\-]*:"
    rf"(?://(?:(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{{2}})*@)?"
    r"(?:\[(?:(?P<ip6>[0-9A-Fa-f:.]{2,45})|v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+)\]"
    r"|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)"
    rf"(?::\d*)?(?:/{_PCHAR}*)*|/(?:{_PCHAR}+(?:/{_PCHAR}*)*)?|{_PCHAR}+(?:/{_PCHAR}*)*|)"
    rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt](?P<h>[0-9]{2}):(?P<m>[0-9]{2}):(?P<s>[0-9]{2})(?:\.[0-9]+)?"
    r"(?:[Zz]|(?P<sign>[+-])(?P<oh>[0-9]{2}):(?P<om>[0-9]{2}))"
)


def find_emails(text: str) -> list[Span]:
    """Spans of e-mail addresses in document order: a plain local part and a domain with a top level. Linear."""
    spans = []
    at = text.find("@")
    while at >= 0:
        local = _LOCAL_BEFORE.search(text, max(0, at - 65), at)
        domain = _DOMAIN_AFTER.match(text, at + 1, at + 256) if local is not None else None
        if local is not None and domain is not None and at - local.start() <= 64:
            before = text[local.start() - 1 : local.start()] if local.start() else ""
            if not (before.isalnum() or before == "@"):
                spans.append((local.start(), domain.end()))
        at = text.find("@", at + 1)
    return spans


def find_uris(text: str) -> list[Span]:
    """Spans of absolute URIs in document order, without the punctuation of the sentence around them. Linear.

    A URI inside another (in a query, behind an archive's address) is not offered on its own.
    """
    spans: list[Span] = []
    taken = 0
    for match in _URI_START.finditer(text):
        if match.start() < taken:
            continue
        body = _URI_BODY.match(text, match.start())
        if body is not None:
            end = _uri_end(text, match.start(), body.end())
            if end > match.end():
                spans.append((match.start(), end))
                taken = end
    return spans


def _uri_end(text: str, start: int, end: int) -> int:
    depth = {
        closer: text.count(opener, start, end) - text.count(closer, start, end) for closer, opener in _CLOSERS.items()
    }
    while end > start:
        char = text[end - 1]
        if char in ".,;:!?'*_\u2019\u2026":
            end -= 1
        elif char in _CLOSERS and depth[char] < 0:
            depth[char] += 1
            end -= 1
        elif char in "([":
            depth[")" if char == "(" else "]"] -= 1
            end -= 1
        else:
            break
    return end


def find_uuids(text: str) -> list[Span]:
    """Spans of UUIDs in their 8-4-4-4-12 form, in document order."""
    return [match.span() for match in _UUID.finditer(text)]


def _is_date(text: str) -> bool:
    if _DATE.fullmatch(text) is None:
        return False
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_date_time(text: str) -> bool:
    match = _DATE_TIME.fullmatch(text)
    if match is None or not _is_date(match["date"]):
        return False
    hour, minute, second = int(match["h"]), int(match["m"]), int(match["s"])
    east, off = int(match["oh"] or 0), int(match["om"] or 0)
    if hour > 23 or minute > 59 or second > 60 or east > 23 or off > 59:
        return False
    # A leap second is the last second of a UTC day, whatever the local clock shows.
    shift = (east * 60 + off) * (-1 if match["sign"] == "-" else 1)
    return second < 60 or (hour * 60 + minute - shift) % 1440 == 1439


def _is_email(text: str) -> bool:
    return _holds(_EMAIL.fullmatch(text))


def _is_uri(text: str) -> bool:
    return text.isascii() and _holds(_URI.fullmatch(text))


def _holds(match: re.Match[str] | None) -> bool:
    """Whether the whole matched, and an IPv6 address in it is one."""
    if match is None or match["ip6"] is None:
        return match is not None
    try:
        ipaddress.IPv6Address(match["ip6"])
    except ValueError:
        return False
    return True


def _is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


_CHECKS = {"date": _is_date, "date-time": _is_date_time, "email": _is_email, "uri": _is_uri, "uuid": _is_uuid}


def check_format(name: str, text: str) -> bool:
    """Whether a string has a format: date and date-time (RFC 3339), email (RFC 5321), uri (RFC 3986), uuid (RFC 4122).

    ValueError for any other name.
    """
    check = _CHECKS.get(name)
    if check is None:
        raise ValueError(f"format: {name!r} is none of {', '.join(_CHECKS)}")
    return check(text)
