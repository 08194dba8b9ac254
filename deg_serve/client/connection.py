"""What both clients share: where the server is, what stands on every request, and what a reply means."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import metadata
from typing import Any, Final, TypeVar

import httpx
import msgspec

from deg_serve.client.calls import Call
from deg_serve.client.errors import (
    BadReplyError,
    ClientError,
    KeyMissingError,
    KeyWrongError,
    ReplyError,
    TimedOutError,
    UnreachableError,
    kind_of,
    problems_in,
)
from deg_serve.client.retries import REPEATABLE, seconds_of

T = TypeVar("T")

DEFAULT_URL: Final = "http://127.0.0.1:8790"
URL_ENVIRONMENT: Final = "DEG_BASE_URL"
KEY_ENVIRONMENT: Final = "DEG_API_KEY"
TIMEOUT: Final = httpx.Timeout(90.0, connect=5.0)  # the server's own limit is 60 s, and it tells more than ours
_SHOWN: Final = 200


def server_url(given: str | None, environment: Mapping[str, str] = os.environ) -> httpx.URL:
    """The server's root: what is given, else ``DEG_BASE_URL``, else this machine's port 8790.

    A path is kept as a prefix, for servers behind a proxy; a final ``/v1`` is left out, since other clients of the
    decision routes want it there. Raises ValueError for what is no HTTP address.
    """
    text = given or environment.get(URL_ENVIRONMENT) or DEFAULT_URL
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL as error:
        raise ValueError(f"the base URL {text!r} cannot be read: {error}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"the base URL {text!r} is not of the form http://HOST:PORT or https://HOST/PREFIX")
    if url.query or url.fragment:
        raise ValueError(f"the base URL {text!r} has a query or a fragment; leave out what begins at ? or #")
    return url.copy_with(path=url.path.rstrip("/").removesuffix("/v1") + "/")


def headers_with(api_key: str | None, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What stands on every request. The key is what is given, else ``DEG_API_KEY``; "" sends none whatever the
    environment says. Raises ValueError, without quoting it, for a key that no header can hold."""
    key = (environment.get(KEY_ENVIRONMENT, "") if api_key is None else api_key).strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        source = KEY_ENVIRONMENT if api_key is None else "api_key"
        raise ValueError(f"{source} is not a key: printable ASCII characters without spaces are")
    headers = {"content-type": "application/json", "accept": "application/json", "user-agent": f"deg-fill/{_version()}"}
    return headers | ({"authorization": f"Bearer {key}"} if key else {})


def receive(call: Call[T], response: httpx.Response) -> T:
    """What the reply says. Raises ReplyError, BadReplyError, and FillError for a value that the caller's type does not
    accept."""
    ident = response.headers.get("x-request-id")
    if response.status_code in call.fine:
        try:
            return call.read(response.content)
        except (ValueError, msgspec.ValidationError) as error:
            if response.is_success:
                place = f"{response.request.method} {response.request.url}"
                message = f"{place} was answered with something that is no reply of deg: {error}"
                raise BadReplyError(message, status=response.status_code, request_id=ident) from error
    raise _refusal(response, ident)


def lost(error: httpx.RequestError, call: Call[Any]) -> ClientError:
    """The error of a request that got no reply."""
    place = f"{call.method} {error.request.url}"
    reason = str(error) or type(error).__name__
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return UnreachableError(f"{place}: no connection ({reason}); is the server running there?", repeatable=True)
    if isinstance(error, httpx.TimeoutException):
        return TimedOutError(f"{place}: no reply within the client's timeout ({reason})")
    return UnreachableError(f"{place}: the connection broke before the reply was complete ({reason})")


def _refusal(response: httpx.Response, ident: str | None) -> ReplyError:
    status = response.status_code
    code, message, problems = _told(response)
    if reason := response.headers.get("x-deg-reason"):
        message = f"{message} {reason}"
    final = response.headers.get("x-should-retry", "").lower() == "false"
    kind = kind_of(code or "", status, known_form=code is not None)
    if kind is KeyWrongError and "authorization" not in response.request.headers:
        kind = KeyMissingError  # the Decisions wire has one code for both
    return kind(
        message,
        status=status,
        code=code or f"http_{status}",
        problems=problems,
        request_id=ident,
        repeatable=status in REPEATABLE and not final,
        retry_after=seconds_of(response.headers),
    )


def _told(response: httpx.Response) -> tuple[str | None, str, list[Any]]:
    """Code, message and problems in an error's body. The code is None where the body is not in the form of one of
    deg's wires: proxies answer with pages of their own."""
    status = response.status_code
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        shown = " ".join(response.text.split())[:_SHOWN]
        return None, f"{status} {response.reason_phrase}" + (f": {shown}" if shown else ""), []
    error, detail = body.get("error"), body.get("detail")
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        problems: list[Any] = problems_in(detail)
        if not problems and isinstance(error.get("param"), str):
            problems = [{"loc": [error["param"]], "msg": error["message"]}]
        return str(error.get("code") or f"http_{status}"), error["message"], problems
    if isinstance(detail, dict) and isinstance(detail.get("message"), str):
        return str(detail.get("error_type") or f"http_{status}"), detail["message"], []
    if isinstance(detail, list) and (problems := problems_in(detail)):
        said = "; ".join(f"{'/'.join(map(str, found['loc']))}: {found['msg']}" for found in problems)
        return f"http_{status}", said, problems
    if isinstance(detail, str):
        return f"http_{status}", detail, []
    return None, f"{status} {response.reason_phrase}: {json.dumps(body, ensure_ascii=False)[:_SHOWN]}", []


def _version() -> str:
    try:
        return metadata.version("deg-fill")
    except metadata.PackageNotFoundError:
        return "unknown"
