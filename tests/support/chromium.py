"""The headless Chromium that pages are tested in."""

import contextlib
import importlib.util
import shutil

from tests.support.children import HANG

__all__ = ["Tab", "chromium", "missing", "new_context"]


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
        # Without a graphics processor, and without the program that does its work where there is none.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-software-rasterizer"]
        browser = driver.chromium.launch(executable_path=_PROGRAM, args=arguments, timeout=_MILLISECONDS)
        yield browser
        browser.close()


def new_context(browser, **options):
    """A context of the browser, in which whatever is waited for may take as long as the machine needs."""
    context = browser.new_context(**options)
    context.set_default_timeout(_MILLISECONDS)
    return context


class Tab:
    """A tab in which documents are opened one after the other, as each in a new one takes three times as long.

    Parameters
    ----------
    browser
        That of :func:`chromium`.
    options
        Those of :func:`new_context`.

    Members
    -------
    page
        What is shown, as Playwright has it.
    complaints, requests : list of str
        Messages and errors on the console, and the addresses of all that was asked for, since the last :meth:`forget`.
    """

    def __init__(self, browser, **options):
        self.page = new_context(browser, **options).new_page()
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, url, *, width=1280, height=800, color_scheme="light", reduced_motion="reduce"):
        """Open a document in a window of this size, with the pointer outside of it; returns :attr:`page`."""
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media="screen", color_scheme=color_scheme, reduced_motion=reduced_motion)
        self.page.goto(url)
        return self.page

    def forget(self):
        """The messages, requests and storage so far, of which the next document knows nothing: return the first two."""
        said = self.complaints.copy(), self.requests.copy()
        self.complaints.clear()
        self.requests.clear()
        if self.page.url.startswith("file:"):
            self.page.evaluate("localStorage.clear()")
        return said

    def close(self):
        """Close it."""
        self.page.context.close()
