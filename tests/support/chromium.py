"""The headless Chromium that pages are tested in."""

import contextlib
import importlib.util
import shutil

from tests.support.children import HANG

__all__ = ["chromium", "missing", "new_context"]


_MILLISECONDS = 1000.0 * HANG
_PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def missing():
    """Why pages cannot be tested here, in words; ``None`` if they can."""
    if _PROGRAM is None:
        return "there is no Chromium"
    return None if importlib.util.find_spec("playwright") else "there is no playwright"


@contextlib.contextmanager
def chromium():
    """The browser, for as long as it is needed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = driver.chromium.launch(executable_path=_PROGRAM, args=arguments, timeout=_MILLISECONDS)
        yield browser
        browser.close()


def new_context(browser, **options):
    """A context of the browser, in which whatever is waited for may take as long as the machine needs."""
    context = browser.new_context(**options)
    context.set_default_timeout(_MILLISECONDS)
    return context
