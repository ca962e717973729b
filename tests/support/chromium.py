"""The headless Chromium that pages are tested in."""

import contextlib
import importlib.util
import shutil

__all__ = ["chromium", "missing"]


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
        browser = driver.chromium.launch(executable_path=_PROGRAM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()
