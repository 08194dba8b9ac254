"""`AsyncClient`: the server's routes as coroutines."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from deg_core.contract.request import Context
from deg_core.contract.result import FillResult
from deg_serve.client import calls
from deg_serve.client.calls import LATEST, Call, FillOptions
from deg_serve.client.connection import TIMEOUT, headers_with, lost, receive, server_url
from deg_serve.client.errors import ClientError, ReplyError
from deg_serve.client.retries import Retries
from deg_serve.wire.decisions import DecisionsQuestion, DecisionsReply, InputItem
from deg_serve.wire.health import Health
from deg_serve.wire.models import ModelList
from deg_serve.wire.systemone import SystemOneQuestion, SystemOneReply

T = TypeVar("T")


class AsyncClient:
    """A deg server. Belongs to one event loop; ``close`` it, or use it in an ``async with`` statement.

    Every call raises a `deg_serve.client.ClientError`: `ReplyError` with the class of the server's code, or
    `UnreachableError`, `TimedOutError`, `BadReplyError`.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: float | httpx.Timeout = TIMEOUT,
        retries: Retries = Retries(),  # noqa: B008 - it is frozen
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """``base_url`` is ``DEG_BASE_URL`` or this machine's port 8790 by default, ``api_key`` is ``DEG_API_KEY``.
        ``timeout`` (seconds, or httpx's own) bounds each attempt; ``transport`` is httpx's, for certificates and
        proxies of your own. Raises ValueError for an address or a key that cannot be used.
        """
        self._retries = retries
        self._http = httpx.AsyncClient(
            base_url=server_url(base_url), headers=headers_with(api_key), timeout=timeout, transport=transport
        )

    async def fill(
        self,
        context: Context,
        schema: Mapping[str, Any] | type,
        *,
        model: str = LATEST,
        **options: Unpack[FillOptions],
    ) -> FillResult:
        """Fill ``schema`` from ``context``, as `deg_core.engine.engine.Model.fill` does in process: with a Pydantic
        model, msgspec Struct, dataclass or TypedDict as the schema, ``value`` is an instance of it.

        Raises also `deg_core.SchemaError` and `deg_core.RequestError` for what cannot be sent, and
        `deg_core.FillError` where the type itself refuses the filled value.
        """
        return await self._send(calls.fill(context, schema, model, options))

    async def decisions(
        self,
        input: str | Sequence[InputItem | Mapping[str, Any]],
        questions: Sequence[DecisionsQuestion | Mapping[str, Any]],
        *,
        model: str = LATEST,
        **options: Unpack[FillOptions],
    ) -> DecisionsReply:
        """Answers to ``questions``, in their order. ``input`` is a text or a list of items; items and questions are
        the types of `deg_serve.wire.decisions`, or the same as dicts."""
        return await self._send(calls.decisions(input, questions, model, options))

    async def systemone(
        self,
        state: Context,
        questions: Mapping[str, SystemOneQuestion | Mapping[str, Any]],
        *,
        model: str = LATEST,
        **options: Unpack[FillOptions],
    ) -> SystemOneReply:
        """Answers to ``questions`` (`deg_serve.wire.systemone`, or the same as dicts), by id."""
        return await self._send(calls.systemone(state, questions, model, options))

    async def models(self) -> ModelList:
        """The names that requests may use."""
        return await self._send(calls.models())

    async def health(self) -> Health:
        """Whether the server takes work. A server that is draining is no error here."""
        return await self._send(calls.health())

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def _send(self, call: Call[T]) -> T:
        failed = 0
        while True:
            try:
                return receive(call, await self._http.request(call.method, call.path, content=call.body))
            except httpx.RequestError as cause:
                error: ClientError = lost(cause, call)
                error.__cause__ = cause
            except ReplyError as cause:
                error = cause
            failed += 1
            pause = self._retries.pause(error, failed)
            if pause is None:
                raise error
            await sleep(pause)
