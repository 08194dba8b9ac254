"""A headless Chromium, a server with the playground, and a page that must break no rule of its policy."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from deg_core.errors import FillError
from deg_serve.engine import ModelEngine
from deg_serve.settings import ServeSettings
from tests.browser.driving import KEY, PATIENCE_MS, Playground
from tests.fixtures.canned import EVERYTHING, LIST_TEXT, LISTS, TEXT, CannedEngine
from tests.fixtures.serving import PATIENCE, live

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REPORT = (
    "document.addEventListener('securitypolicyviolation', event => "
    "console.error(`policy broken: ${event.violatedDirective} ${event.blockedURI}`))"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder carry the mark ``browser``."""
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium. ``DEG_CHROMIUM`` names its program where it is not on the path.

    Once a module and no longer: while playwright runs, its event loop is that of the thread, and no test in the same
    process could start one.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="the playwright package is not installed")
    program = os.environ.get("DEG_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium on this machine; set DEG_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def engine(tiny_models) -> CannedEngine:
    """The tiny model, but for the texts whose answers are given."""
    lacking = FillError("no value of this kind is in the text", pointer="/total")
    return CannedEngine(
        ModelEngine(tiny_models["int8"]), {TEXT: EVERYTHING, LIST_TEXT: LISTS, "A text without it.": lacking}
    )


@pytest.fixture(scope="session")
def site(engine: CannedEngine) -> Iterator[str]:
    """The base URL of a server without keys."""
    with live(engine, ServeSettings(time_limit=PATIENCE)) as url:
        yield url


@pytest.fixture(scope="session")
def locked_site(engine: CannedEngine) -> Iterator[str]:
    """The base URL of a server that asks for ``KEY``."""
    with live(engine, ServeSettings(time_limit=PATIENCE, api_keys=(KEY,))) as url:
        yield url


@contextmanager
def pages(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages in contexts of their own; at the end none of them may have broken its policy or thrown."""
    contexts, faults = [], []

    def opened(url: str, **settings: Any) -> Any:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, **settings)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(REPORT)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if "olicy" in message.text else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """See `pages`."""
    with pages(browser) as opened:
        yield opened


@pytest.fixture(scope="module")
def open_shared_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """The same, for pages that the tests of a module share, since they only look at them."""
    with pages(browser) as opened:
        yield opened


@pytest.fixture
def playground(open_page: Callable[..., Any], site: str) -> Playground:
    """The playground, ready, with its first example."""
    return Playground(open_page(site))
