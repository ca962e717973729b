"""All pages that fatcube writes, from phone to wide screen, light and dark, by keyboard; and the checks of it themselves."""

from html.parser import HTMLParser
import itertools
import re

import pytest

from fatcube.reports.glossary import TERMS, in_heading
from tests.support.page_checks import ALL, SOME, checked, contact_sheets, problems
from tests.support.result_pages import PAGES

pytestmark = pytest.mark.xdist_group("browser")  # one browser, not one for each worker

MOST_BYTES = 1_500_000
MANY_RECORDS = {"curves"}  # more than a thousand


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of each command, of a part of what is stored."""
    return written(tmp_path_factory.mktemp("pages"), whole=False)


def written(folder, whole):
    for name, write in PAGES.items():
        write(folder / f"{name}.html", whole)
    return [folder / f"{name}.html" for name in PAGES]


@pytest.mark.parametrize("number", range(len(SOME)))
def test_pages(browser, pages, number):
    """Every page at one width, and so half of them in the dark: what differs is in what all of them share."""
    assert problems(browser, pages[number :: len(SOME)], SOME[number : number + 1], tabs=40) == []


@pytest.mark.long(stays="tests/fatcube/reports/test_pages.py::test_pages")
def test_pages_at_every_width_and_theme(browser, pages):
    assert checked(browser, pages, ALL, "reports") == []


@pytest.mark.long(stays="tests/fatcube/reports/test_pages.py::test_pages")
def test_pages_of_all_that_is_stored(browser, tmp_path):
    found = written(tmp_path, whole=True)
    sizes = {file.stem: file.stat().st_size for file in found}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES and name not in MANY_RECORDS} == {}
    assert problems(browser, found, SOME[:1]) == []


class Texts(HTMLParser):
    """The texts of a page outside of scripts and styles, with the element that each stands in."""

    def __init__(self, text):
        super().__init__()
        self.found, self.within = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "link", "input", "br", "path", "rect"):
            self.within.append(tag)

    def handle_endtag(self, tag):
        if tag in self.within:
            while self.within.pop() != tag:
                pass

    def handle_data(self, data):
        if not {"script", "style"} & set(self.within):
            self.found.append((self.within[-1] if self.within else "", data))


def test_no_page_shows_backquotes_or_is_large(pages):
    for file in pages:
        content = file.read_text(encoding="utf-8")
        assert [text for _, text in Texts(content).found if "`" in text] == [], file.stem
        assert len(content.encode()) <= MOST_BYTES, file.stem


def test_every_figure_says_what_is_seen(pages):
    """Catches a sentence that is missing, or that does not depend on the data."""
    said = [
        text
        for file in pages
        for text in re.findall(r"<figcaption><h2>.*?</h2><p>(.*?)</p>", file.read_text(encoding="utf-8"))
    ]
    assert len(said) > 20 and len(set(said)) > 0.9 * len(said)
    assert all(re.search(r"\d.*\.$", text) for text in said), [text for text in said if not re.search(r"\d.*\.$", text)]


def test_terms_lead_to_their_meaning(pages):
    """Every mark of a term leads to one place on the page, and every place is led to."""
    for file in pages:
        content = file.read_text(encoding="utf-8")
        leads, places = re.findall(r'href="#(term-[^"]*)"', content), re.findall(r'<dt id="(term-[^"]*)"', content)
        assert set(leads) == set(places) and len(places) == len(set(places)), file.stem
        assert places or file.stem in ("view", "board")


#: Words of the manual's reference that a newcomer to networks-on-chip does not know.
NEW = """
    beat beats bisection circuit circuits collective credit credits crossbar dateline deadlock diameter dimension-order flit flits
    half-duplex header headers hop hops lane lanes latency message NAND2 packet router&model routing saturated simplex step
    store-and-forward trailer turn turns up-down virtual&channel virtual&channels virtual&cut-through wormhole message&class degree
    lockstep dataflow Fmax COMB LUT
""".split()


@pytest.mark.parametrize("word", [word.replace("&", " ") for word in NEW])
def test_words_that_are_new_to_a_reader_are_explained(word):
    assert in_heading(word) is not None


def test_the_glossary():
    slugs = [term.slug for term in TERMS]
    assert len(slugs) == len(set(slugs))
    assert all(term.meaning.endswith(".") for term in TERMS)
    words = list(itertools.chain.from_iterable((term.name, *term.words) for term in TERMS))
    assert len(words) == len(set(words))
    found = in_heading("cycles, lockstep")
    assert found is not None and found.name in ("cycle", "lockstep")
    assert in_heading("nothing of it") is None


# The checks see what they are for: each of these pages has one fault.

SOUND = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body {{ color: #222; background: #fff; font: 16px sans-serif; }} {style}</style></head>
<body><main><h1>A page</h1><p>A text, and <a href="#x">a link</a> in it.</p><p id="x">The place.</p>{body}</main></body></html>"""
WIDE = f"<table><tr>{'<td>cell number one</td>' * 12}</tr></table>"
FAULTS = {
    "none": ("", "", ""),
    "a table wider than a phone": ("", WIDE, "scrolls sideways"),
    "a head that runs into the next one": (
        "th { display: inline-block; width: 60px; white-space: nowrap; }",
        "<table><thead><tr><th><button>a long head</button></th><th>b</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
        "runs into the next one",
    ),
    "an option in two lines": ("", f"<p>{'a word and ' * 3}<code>run --from-one-node</code></p>" * 40, "a line ends within --from"),
    "a text that is too pale": ("", '<p style="color: #949494">A pale text.</p>', "contrast 3.0"),
    "a pale text in a drawing": (
        "",
        '<svg width="200" height="50" role="img" aria-label="a drawing"><rect width="200" height="50" fill="#222"/>'
        '<text x="10" y="30" fill="#666">pale</text></svg>',
        "contrast 2.",
    ),
    "a script that logs": ("", "<script>console.log('hello')</script>", "console: hello"),
    "a script that fails": ("", "<script>throw new Error('failed')</script>", "error: failed"),
    "a picture without a text": ("", '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', "axe image-alt"),
    "a division that is clicked": ("", '<div onclick="1">press</div>', "does what no key does"),
    "a division with a listener": (
        "",
        "<div id=\"press\">press</div><script>document.getElementById('press').addEventListener('click', () => 1)</script>",
        "does what no key does",
    ),
    "a button that Tab does not reach": (
        "",
        "<button onfocus=\"document.querySelector('a').focus()\">one</button><button>two</button>",
        "Tab does not reach",
    ),
    "a focus that is not seen": ("a:focus { outline: 0; }", "", "no focus is seen"),
    "a table that is cut in print": (
        "@media print { div { overflow: auto; } }",
        f'<div style="overflow: auto" tabindex="0">{WIDE}</div>',
        "print: cut",
    ),
    "a text that is too pale in print": ("@media print { p { color: #ccc; } }", "", "print: contrast"),
    "a page that loads": ("", '<img alt="a picture" src="http://localhost:9/none.png">', "it loads http"),
}  # fmt: skip


@pytest.fixture(scope="module")
def seen(browser, tmp_path_factory):
    """The problems of each page, by its fault."""
    folder = tmp_path_factory.mktemp("faults")
    for number, (style, body, _) in enumerate(FAULTS.values()):
        (folder / f"{number}.html").write_text(SOUND.format(style=style, body=body), encoding="utf-8")
    found = problems(browser, [folder / f"{number}.html" for number in range(len(FAULTS))], SOME[:1])
    return {fault: [one for one in found if one.startswith(f"{number}, ")] for number, fault in enumerate(FAULTS)}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_seen(seen, fault):
    """On the page that has the fault, and on no other."""
    _, _, expected = FAULTS[fault]
    assert (seen[fault] == []) if fault == "none" else any(expected in one for one in seen[fault]), seen[fault]


def test_what_is_dark_in_the_dark_only(browser, tmp_path):
    """Catches a check that looks at one theme only."""
    style = "@media (prefers-color-scheme: dark) { p { color: #ccc; } }"
    (tmp_path / "page.html").write_text(SOUND.format(style=style, body=""), encoding="utf-8")
    found = problems(browser, [tmp_path / "page.html"], [(400, "light"), (400, "dark")])
    assert any("dark" in one for one in found) and not any("light" in one for one in found)


def test_contact_sheets(browser, tmp_path):
    from PIL import Image

    (tmp_path / "page.html").write_text(SOUND.format(style="", body=""), encoding="utf-8")
    pictures = {}
    problems(browser, [tmp_path / "page.html"], SOME, pictures=pictures)
    paths = contact_sheets(pictures, tmp_path / "sheets")
    assert sorted(path.name for path in paths) == ["1280-dark.png", "400-light.png"]
    assert all(min(Image.open(path).size) > 50 for path in paths)
    many = {(400, "light", f"page {number:2}"): pictures[400, "light", "page"] for number in range(30)}
    paths = contact_sheets(many, tmp_path / "many")
    assert [path.name for path in paths] == ["400-light.png", "400-light-2.png"]
