"""``create_app``: one Litestar application around one engine. Nothing is made when this module is imported."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from litestar import Litestar, Request, Response, get, post, route
from litestar.connection import ASGIConnection
from litestar.enums import HttpMethod
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler

from deg_core.contract.result import FillResult
from deg_core.errors import DegError, SchemaError
from deg_serve.batcher import Batcher, Limits
from deg_serve.engine import Engine, Work
from deg_serve.errors import ClientGoneError, MemoryShortError, TimeLimitError
from deg_serve.http.body import read_body
from deg_serve.http.errors import on_deg_error, on_fault, on_http_error
from deg_serve.http.guard import Doorkeeper
from deg_serve.http.observe import Observer, begin
from deg_serve.http.openapi import document
from deg_serve.http.page import page_routes
from deg_serve.http.readers import Reader, Readers
from deg_serve.keys import KeyRing
from deg_serve.settings import ServeSettings
from deg_serve.wire.models import list_models

Result = TypeVar("Result")
AnyRequest = Request[Any, Any, Any]


class Service:
    """What the routes share: the engine, its queue, and how a request goes through both."""

    def __init__(self, engine: Engine, settings: ServeSettings) -> None:
        self.engine = engine
        self.settings = settings
        self.readers = Readers(engine, settings.aliases)
        self.observer = Observer()
        self.loaded = datetime.now(UTC)
        limits = Limits(
            window=settings.window,
            size=settings.batch_size,
            tokens=settings.batch_tokens or engine.batch_tokens,
            pending=settings.max_pending,
        )
        self.batcher: Batcher[Work, FillResult | DegError] = Batcher(engine.run, limits, self.observer.batch)

    async def answer(self, request: AnyRequest, reader: Reader) -> Response[bytes]:
        """Read, check, queue, reply. The whole of it takes at most the time limit."""
        limit = self.settings.time_limit
        try:
            async with asyncio.timeout(limit) as clock:
                reply = await self._answer(request, reader)
        except TimeoutError:
            if not clock.expired():
                raise
            raise TimeLimitError(f"the request took longer than this server's limit of {limit:g} s") from None
        return Response(reply, status_code=200, media_type="application/json")

    async def _answer(self, request: AnyRequest, reader: Reader) -> bytes:
        # The place is taken first: an overloaded server says so before it reads or checks anything.
        async with self.batcher.admit() as place:
            body = await read_body(
                request.receive, request.headers, self.settings.max_body_bytes, silence=self.settings.silence
            )
            ask = await asyncio.to_thread(reader, body)
            result: FillResult | None = None
            if ask.schema is not None:
                try:
                    work = await asyncio.to_thread(self.engine.prepare, ask.context, ask.schema, ask.options)
                except SchemaError as error:
                    raise ask.located(error) from None
                try:
                    done = await _unless_gone(request, place.run(work, work.tokens))
                except MemoryError:
                    raise MemoryShortError(
                        "the memory that is free now is not enough for this request; send it again a little later"
                    ) from None
                if isinstance(done, DegError):
                    raise done
                result = done
                self.observer.tokens(result.usage.prompt_tokens, result.usage.generated_tokens)
        return msgspec.json.encode(ask.reply(result))


async def _unless_gone(request: AnyRequest, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of ``work``, which is cancelled when the client leaves. Raises ClientGoneError."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientGoneError("the client left before its answer was ready")
    finally:
        for task in (working, leaving):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: AnyRequest) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def create_app(engine: Engine, settings: ServeSettings | None = None) -> Litestar:
    """The application. Its lifespan starts the batcher and, at the end, waits for all that was admitted.

    Routes: POST /v1/fill, /v1/decisions, /v1/systemone; GET /v1/models, /health, /metrics, /openapi.json, /docs, and
    the playground at /.
    """
    service = Service(engine, settings or ServeSettings())
    doorkeeper = Doorkeeper(KeyRing(service.settings.api_keys), service.settings.allowed_hosts)
    # Whoever may read the document without a key need not learn the names that the keys' owners use.
    names = None if service.settings.api_keys else service.readers.names
    description = document(engine.model_id, names, engine.array_decoders)

    @post("/v1/fill", status_code=200)
    async def fill(request: AnyRequest) -> Response[bytes]:
        return await service.answer(request, service.readers.fill)

    @post("/v1/decisions", status_code=200)
    async def decisions(request: AnyRequest) -> Response[bytes]:
        return await service.answer(request, service.readers.decisions)

    @post("/v1/systemone", status_code=200)
    async def systemone(request: AnyRequest) -> Response[bytes]:
        return await service.answer(request, service.readers.systemone)

    @get("/v1/models")
    async def models() -> Response[bytes]:
        found = list_models(service.readers.every_name, engine.model_id, service.loaded)
        return Response(msgspec.json.encode(found), media_type="application/json")

    @route("/health", http_method=[HttpMethod.GET, HttpMethod.HEAD])
    async def health() -> Response[dict[str, Any]]:
        draining = service.batcher.draining
        body = {
            "status": "draining" if draining else "ok",
            "model": engine.model_id,
            "batcher": service.batcher.status(),
        }
        return Response(body, status_code=503 if draining else 200, media_type="application/json")

    @get("/metrics")
    async def metrics() -> Response[bytes]:
        text = service.observer.exposition(service.batcher.status())
        return Response(text, media_type="text/plain; version=0.0.4")

    @get("/openapi.json")
    async def openapi() -> Response[dict[str, Any]]:
        return Response(description, media_type="application/json")

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        begin(connection.scope)
        doorkeeper.check(connection.scope["path"], connection.headers)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        service.batcher.start()
        try:
            yield
        finally:
            await service.batcher.close()

    return Litestar(
        [fill, decisions, systemone, models, health, metrics, openapi, *page_routes(description)],
        guards=[guard],
        lifespan=[lifespan],
        before_send=[service.observer.before_send],
        exception_handlers={DegError: on_deg_error, HTTPException: on_http_error, Exception: on_fault},
        openapi_config=None,
        logging_config=None,
        debug=False,
    )
