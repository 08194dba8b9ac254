"""Keys, hosts and origins."""

from __future__ import annotations

from pathlib import Path

import pytest

from deg_core.errors import RequestError
from deg_serve.errors import HostError, KeyMissingError, KeyWrongError
from deg_serve.http.guard import Doorkeeper
from deg_serve.keys import KeyRing, presented_key, read_keys
from deg_serve.settings import LOOPBACK_HOSTS

KEYS = KeyRing(["first-key-1", "second-key-2"])
LOCAL = {"host": "127.0.0.1:8790"}


def test_keys_come_from_the_environment_and_a_file(tmp_path: Path):
    file = tmp_path / "keys"
    file.write_text("# ours\nfrom-the-file\n\n  padded-key  \n", encoding="utf-8")
    environment = {"DEG_API_KEYS": "one-of-two, two-of-two from-the-file"}
    assert read_keys(file, environment) == ("one-of-two", "two-of-two", "from-the-file", "padded-key")
    assert read_keys(None, {}) == ()


@pytest.mark.parametrize("text", ["", "# none\n", "short\n", "two words\n", "schlüssel-mit-umlaut\n"])
def test_a_key_file_that_would_not_protect_is_refused_without_quoting_it(tmp_path: Path, text: str):
    file = tmp_path / "keys"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RequestError) as refused:
        read_keys(file, {})
    assert not text.strip() or text.strip() not in str(refused.value)


def test_a_key_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(RequestError, match="no-such-file"):
        read_keys(tmp_path / "no-such-file", {})


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({"authorization": "Bearer abc"}, "abc"),
        ({"authorization": "bearer   abc "}, "abc"),
        ({"x-api-key": "abc"}, "abc"),
        ({"authorization": "Basic abc"}, None),
        ({"authorization": "Bearer "}, None),
        ({}, None),
    ],
)
def test_how_a_key_is_presented(headers: dict[str, str], key: str | None):
    assert presented_key(headers) == key


def test_only_whole_keys_are_accepted():
    assert KEYS.accepts("first-key-1")
    assert KEYS.accepts("second-key-2")
    for key in ("", "first-key-", "first-key-11", "FIRST-KEY-1", "\udcff"):
        assert not KEYS.accepts(key)


def test_a_server_with_keys_asks_for_one():
    door = Doorkeeper(KEYS, LOOPBACK_HOSTS)
    with pytest.raises(KeyMissingError):
        door.check("/v1/fill", LOCAL)
    with pytest.raises(KeyWrongError):
        door.check("/v1/models", LOCAL | {"authorization": "Bearer nope"})
    door.check("/v1/fill", LOCAL | {"authorization": "Bearer second-key-2"})
    door.check("/health", LOCAL)


def test_a_server_without_keys_ignores_them():
    Doorkeeper(KeyRing([]), LOOPBACK_HOSTS).check("/v1/fill", LOCAL | {"authorization": "Bearer whatever"})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "LOCALHOST:8790", "[::1]:8790"])
def test_own_hosts_are_answered(host: str):
    Doorkeeper(KeyRing([]), LOOPBACK_HOSTS).check("/v1/fill", {"host": host})


@pytest.mark.parametrize("host", ["", "evil.example", "evil.example:8790", "127.0.0.1.evil.example", "[::1", "a b"])
def test_other_hosts_are_not(host: str):
    with pytest.raises(HostError):
        Doorkeeper(KeyRing([]), LOOPBACK_HOSTS).check("/v1/fill", {"host": host})
    Doorkeeper(KeyRing([]), None).check("/v1/fill", {"host": host})


@pytest.mark.parametrize(
    ("origin", "allowed"), [("http://localhost:3000", True), ("https://evil.example", False), ("null", False)]
)
def test_pages_of_other_hosts_are_refused(origin: str, allowed: bool):
    door = Doorkeeper(KeyRing([]), LOOPBACK_HOSTS)
    if allowed:
        door.check("/v1/fill", LOCAL | {"origin": origin})
    else:
        with pytest.raises(HostError):
            door.check("/v1/fill", LOCAL | {"origin": origin})
