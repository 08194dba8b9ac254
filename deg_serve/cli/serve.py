"""``deg serve``: a checkpoint behind HTTP."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from deg_core.errors import UnsupportedError
from deg_serve.settings import LOOPBACK_HOSTS, MEBIBYTE, ServeSettings

if TYPE_CHECKING:
    from deg_serve.engine import Writing

_EVERYWHERE: Final = ("0.0.0.0", "::", "")
_KEEP_ALIVE: Final = 75  # seconds; clients keep idle connections for 30
_CACHE_MIB: Final = 256


@click.command()
@click.option("--ckpt", default="embedded", show_default=True, help="Checkpoint name or folder.")
@click.option(
    "--base-model", type=click.Path(path_type=Path), help="The backbone's weights, if not its own: a folder or hub id."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8790, show_default=True, help="0 takes a free one.")
@click.option("--compute", help="Arithmetic: int8, fp32 or bf16; the checkpoint's own by default.")
@click.option("--device", help="cpu, the default, or a GPU such as cuda:0.")
@click.option("--threads", type=click.IntRange(1), help="Processor threads; all by default.")
@click.option(
    "--generate",
    default="base",
    show_default=True,
    help="Who writes x-generate texts: base, the backbone without adapters; base+lora:FOLDER, the backbone with the "
    "adapter of that checkpoint; or off, nobody.",
)
@click.option("--null-margin", type=float, default=0.0, show_default=True, help="For requests that name none (nats).")
@click.option("--max-pending", type=click.IntRange(1), default=256, show_default=True, help="Most waiting requests.")
@click.option("--window-ms", type=click.FloatRange(0), default=5.0, show_default=True, help="Wait for company.")
@click.option("--batch-size", type=click.IntRange(1), default=16, show_default=True, help="Most requests of a batch.")
@click.option("--batch-tokens", type=click.IntRange(1), help="Most tokens of a batch; by default what memory allows.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="Seconds.")
@click.option("--max-body-mib", type=click.IntRange(1), default=16, show_default=True, help="Also decompressed.")
@click.option("--api-keys", type=click.Path(path_type=Path), help="File of keys, one a line; also DEG_API_KEYS.")
@click.option("--allowed-host", multiple=True, help="Host name that requests may use; repeatable. '*' is any.")
@click.option("--alias", multiple=True, help="Another model name to accept on every route; repeatable.")
@click.option("--drain-s", type=click.IntRange(1), default=30, show_default=True, help="To finish in after SIGTERM.")
def serve(
    *,
    ckpt: str,
    base_model: Path | None,
    host: str,
    port: int,
    compute: str | None,
    device: str | None,
    threads: int | None,
    generate: str,
    null_margin: float,
    max_pending: int,
    window_ms: float,
    batch_size: int,
    batch_tokens: int | None,
    time_limit: float,
    max_body_mib: int,
    api_keys: Path | None,
    allowed_host: tuple[str, ...],
    alias: tuple[str, ...],
    drain_s: int,
) -> None:
    """Serve a checkpoint over HTTP: POST /v1/fill, /v1/decisions, /v1/systemone; GET /v1/models, /health, /metrics,
    /openapi.json, /docs and, for browsers, a playground at /.

    Without API keys everybody who reaches the address may ask; the default address is this machine's own. SIGTERM and
    Ctrl-C finish what was begun.
    """
    from deg_serve.keys import read_keys

    writing: Writing = "off" if generate == "off" else "base"
    if writing == "base" and generate.partition(":")[0] not in ("base", "base+lora"):
        raise UnsupportedError(f"--generate {generate!r} is not known; allowed: base, base+lora:FOLDER, off")
    _need_extra()
    settings = ServeSettings(
        api_keys=read_keys(api_keys),
        allowed_hosts=_hosts(host, allowed_host),
        aliases=alias,
        time_limit=time_limit,
        max_body_bytes=max_body_mib * MEBIBYTE,
        max_pending=max_pending,
        window=window_ms / 1000,
        batch_size=batch_size,
        batch_tokens=batch_tokens,
    )
    # Whether a text was read before can be told by the time it takes; that is nobody's business but the key's.
    cache = _CACHE_MIB * MEBIBYTE if len(settings.api_keys) < 2 else 0
    model = _load(ckpt, base_model, compute, device, threads, "base" if writing == "off" else generate, cache)
    from deg_core.plugins.manager import get_plugins
    from deg_serve.engine import ModelEngine
    from deg_serve.http.app import create_app

    names = [ckpt] if ckpt in get_plugins().checkpoints else []
    engine = ModelEngine(model, names=names, null_margin=null_margin, writing=writing)
    _log_lines()
    if not settings.api_keys and host not in LOOPBACK_HOSTS:
        click.echo(f"deg: {host} is reachable from outside, and there are no API keys (--api-keys)", err=True)
    _listen(create_app(engine, settings), host, port, drain_s)


def _hosts(host: str, allowed: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names to answer to: those given; else this machine's own and the address, or any where it is all of them."""
    if "*" in allowed or (not allowed and host in _EVERYWHERE):
        return None
    return (*LOOPBACK_HOSTS, *([] if host in _EVERYWHERE else [host]), *allowed)


def _need_extra() -> None:
    try:
        import litestar  # noqa: F401
        import prometheus_client  # noqa: F401
        import uvicorn  # noqa: F401
        import zstandard  # noqa: F401
    except ImportError as error:
        raise UnsupportedError(
            f"serving needs {error.name}, which is not installed: pip install 'deg-fill[serve]'"
        ) from None


def _load(
    ckpt: str,
    base_model: Path | None,
    compute: str | None,
    device: str | None,
    threads: int | None,
    generate: str,
    cache: int,
) -> Any:
    import torch

    from deg_core.engine.load import load_model

    if threads is not None:
        torch.set_num_threads(threads)
    source: str | Path = Path(ckpt) if Path(ckpt).is_dir() else ckpt
    return load_model(
        source, base_model=base_model, compute=compute, device=device, cache_bytes=cache, generate=generate
    )


def _log_lines() -> None:
    """deg's log, one JSON object a line on standard error; uvicorn's only where something is wrong."""
    from deg_serve.http.observe import JsonLines

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("deg_serve", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)


def _listen(app: Any, host: str, port: int, drain: int) -> None:
    import uvicorn

    from deg_serve.http.connection import PatientConnection

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            if self.should_exit:
                return
            for server in self.servers:
                for socket in server.sockets:
                    where, taken = socket.getsockname()[:2]
                    shown = f"[{where}]" if ":" in where else where
                    click.echo(f"deg: listening on http://{shown}:{taken}", err=True)

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=PatientConnection,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=drain,
    )
    # uvicorn drains at SIGTERM and then raises it again; by then there is nothing left to end.
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    server = Server(config)
    with contextlib.suppress(SystemExit):  # how uvicorn ends when it cannot begin
        server.run()
    if not server.started:
        raise UnsupportedError(f"cannot listen on {host}:{port}; the log says why")
    _end()


def _end() -> None:
    """End the process even where the model is still busy with a batch that nobody waits for: its thread cannot be
    stopped, and the interpreter would wait for it."""
    from deg_serve.batcher import THREAD

    if any(thread.name.startswith(THREAD) for thread in threading.enumerate()):
        logging.shutdown()
        sys.stderr.flush()
        os._exit(0)
