"""Checks of any HTML page in a headless Chromium: from phone to wide screen, light and dark, by keyboard.

    python -m tests.support.page_checks FILE.html ... [--all] [--sheets FOLDER]

prints what is wrong with them.
"""

import argparse
from collections import defaultdict
import importlib.resources
import io
import itertools
import os
from pathlib import Path
import sys

from tests.support.chromium import Tab, chromium

__all__ = ["ALL", "SOME", "checked", "contact_sheets", "problems"]


HEIGHTS = {400: 800, 1280: 900, 2560: 1400}
"""Pixels: the widths that pages are shown at, and how high the window is."""
ALL = tuple(itertools.product(HEIGHTS, ("light", "dark")))
"""All combinations of width and theme."""
SOME = ((400, "light"), (1280, "dark"))
"""Those of every day."""

_SHEETS = Path(os.environ.get("FATCUBE_SHEETS", Path(__file__).parents[2] / ".fatcube" / "pages"))
_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_TABS = 150
_PAPER = 700  # pixels: A4 between its margins
_ON_A_SHEET = 24  # pages, which a viewer of pictures can show
_MOST_PIXELS = 2600  # of a page's height on a contact sheet
_SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# What axe-core finds that may depend on width and theme; the rest is looked for once on each page.
_CHANGING = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
_AXE = """async only => {
    const rules = only ? { runOnly: { type: "rule", values: only } } : {};
    const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, ...rules });
    return violations.map(({ id, help, nodes }) => `axe ${id}: ${help}: ${nodes.length} x ${nodes[0].target.join(" ")}`);
}"""


def problems(browser, pages, combinations=ALL, *, pictures=None, tabs=_TABS):
    """The problems of these pages, a line each with the page, the width and the theme.

    Checked are: the page does not scroll sideways; heads of columns do not run into each other;
    no line ends within an option; no message on the console, no error, and nothing that is loaded from elsewhere; axe-core has no violation; every text has a contrast of at least 4.5 to 1, 3 to 1 if it is large; Tab reaches
    every control, and it can be seen there; nothing can be clicked that no key does; and on paper, nothing is cut.

    Parameters
    ----------
    browser
        That of :func:`tests.support.chromium.chromium`.
    pages : list of :class:`~pathlib.Path` or :class:`str`
        Files, or URLs.
    combinations : list of (:class:`int`, :class:`str`)
        Widths and themes.
    pictures : :class:`dict` or ``None``
        Filled with the picture, as PNG, of each page by width, theme and name.
    tabs : :class:`int`
        How many controls, the first ones of each page, are to be reached with the keyboard.
    """
    axe = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    found = []
    tab = Tab(browser, bypass_csp=True)
    tab.page.context.add_init_script(_SCRIPT)
    for name, url in _named(pages):
        tab.forget()
        shown = tab.open(url, height=HEIGHTS[1280])
        shown.evaluate(axe)
        for number, (width, theme) in enumerate(combinations):
            shown.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            shown.emulate_media(color_scheme=theme)
            shown.evaluate(_SETTLED)
            if pictures is not None:
                pictures[width, theme, name] = _picture(shown, width)
            wrong = [*_wrong(shown, _CHANGING if number else None, tabs), *_loud(tab, url)]
            found += [f"{name}, {width} px, {theme}: {one}" for one in wrong]
        shown.set_viewport_size({"width": _PAPER, "height": HEIGHTS[400]})
        shown.emulate_media(media="print", color_scheme="dark")
        shown.evaluate(_SETTLED)
        found += [f"{name}, print: {one}" for one in shown.evaluate("[...pageChecks.cut(), ...pageChecks.contrasts()]")]
    tab.close()
    return found


def checked(browser, pages, combinations, kind, **how):
    """The problems of pages of a kind, as in :func:`problems`; their pictures are kept as contact sheets.

    They lie in a folder of that kind in the one that ``FATCUBE_SHEETS`` names, or in ``.fatcube/pages``.
    """
    pictures = {}
    wrong = problems(browser, pages, combinations, pictures=pictures, **how)
    contact_sheets(pictures, _SHEETS / kind)
    return wrong


def _named(pages):
    """Each page's name, from the folder that all files lie in, and its URL."""
    files = [Path(page).resolve() for page in pages if "://" not in str(page)]
    folder = Path(os.path.commonpath([file.parent for file in files])) if files else None
    for page in pages:
        if "://" in str(page):
            yield str(page), str(page)
        else:
            file = Path(page).resolve()
            yield file.relative_to(folder).with_suffix("").as_posix(), file.as_uri()


def _loud(tab, url):
    """The messages of a page since the last call, and the requests of a local page to other addresses."""
    complaints, requests = tab.forget()
    elsewhere = [asked for asked in requests if not asked.startswith(("file:", "data:", "blob:"))]
    return [*complaints, *(f"it loads {asked}" for asked in elsewhere if url.startswith("file:"))]


def _wrong(shown, rules, tabs):
    """The problems of the page as it is shown now; of axe-core these rules, or all."""
    wrong = [
        *shown.evaluate("pageChecks.sideways()"),
        *shown.evaluate("pageChecks.broken()"),
        *shown.evaluate("pageChecks.collisions()"),
        *shown.evaluate("pageChecks.contrasts()"),
        *shown.evaluate(_AXE, rules),
    ]
    number = shown.evaluate("most => pageChecks.startTabs(most)", tabs)
    for _ in range(number + 1):
        shown.keyboard.press("Tab")
    wrong += shown.evaluate("pageChecks.endTabs()")[:5]
    wrong += shown.evaluate("pageChecks.clicks()")
    shown.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")
    return wrong


def _picture(shown, width):
    height = min(_MOST_PIXELS * max(1, width // 1280), shown.evaluate("document.documentElement.scrollHeight"))
    return shown.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height})


def contact_sheets(pictures, folder, *, across=4, tile=640):
    """Write the pictures of all pages for each width and theme, and return the paths.

    A sheet is WIDTH-THEME.png; where there are more pages than a sheet can have, each further one has a number.
    """
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    pages = defaultdict(dict)
    for (width, theme, name), content in sorted(pictures.items()):
        pages[width, theme][name] = Image.open(io.BytesIO(content)).convert("RGB")
    paths = []
    for (width, theme), images in pages.items():
        for number, names in enumerate(_parts(list(images), _ON_A_SHEET)):
            some = {f"{name}, {width} px, {theme}": images[name] for name in names}
            paths.append(folder / f"{width}-{theme}{f'-{number + 1}' if number else ''}.png")
            _sheet(some, across, min(tile, width)).save(paths[-1])
    return paths


def _sheet(images, across, wide):
    """The images, each ``wide`` pixels and with its title, ``across`` in a row."""
    from PIL import Image, ImageDraw

    tiles = {title: image.resize((wide, round(image.height * wide / image.width))) for title, image in images.items()}
    rows = _parts(list(tiles.items()), across)
    heights = [max(image.height for _, image in row) + 24 for row in rows]
    sheet = Image.new("RGB", (across * (wide + 10), sum(heights)), "#8a5a9e")
    pen = ImageDraw.Draw(sheet)
    for number, row in enumerate(rows):
        top = sum(heights[:number])
        for place, (title, image) in enumerate(row):
            pen.text((place * (wide + 10) + 4, top + 5), title, fill="white")
            sheet.paste(image, (place * (wide + 10), top + 20))
    return sheet


def _parts(items, size):
    """The items in lists of so many."""
    return [items[first : first + size] for first in range(0, len(items), size)]


def main():
    """Check the pages that are named, and exit with status 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--all", action="store_true", help="At all widths, light and dark.")
    parser.add_argument("--sheets", type=Path, help="Folder for contact sheets.")
    given = parser.parse_args()
    pictures = {} if given.sheets else None
    with chromium() as browser:
        found = problems(browser, given.pages, ALL if given.all else SOME, pictures=pictures)
    if pictures:
        contact_sheets(pictures, given.sheets)
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
