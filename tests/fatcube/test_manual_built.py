"""The manual as it is built: without a warning, from nothing but the checkout, with every command, format and name in it."""

from html.parser import HTMLParser
import importlib
import json
import os
import re
import subprocess
import sys

import pytest
import typer.rich_utils

import fatcube
from fatcube import cli
from fatcube.groundwork.digest import rooms
import fatcube.testing
from tests.support.commands import run
from tests.support.manual import PAGES, ROOT
from tests.support.page_checks import ALL, SOME, checked, problems

pytest.importorskip("sphinx")
pytestmark = pytest.mark.xdist_group("manual")

COMMANDS = list(cli.commands())
SCHEMAS = sorted(path.stem for path in (ROOT / "docs" / "schemas").glob("*.json"))
#: What a page loads by itself, as opposed to links that a reader follows.
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}


#: Elements within a line of text.
_WITHIN = ("a", "code", "em", "span", "strong")


class Page(HTMLParser):
    """The resources that a page loads, its headings, its pictures, its words, and its identifiers."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.levels, self.pictures, self.ids, self.words = [], [], [], set(), []
        self._hidden = 0
        self.feed(path.read_text(encoding="utf-8"))
        self.text = " ".join("".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.add(given.get("id"))
        if tag in LOADED and given.get(LOADED[tag]):
            self.loaded.append(given[LOADED[tag]])
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag == "img":
            self.pictures.append(given)
        self._hidden += tag in ("script", "style")

    def handle_endtag(self, tag):
        self._hidden -= tag in ("script", "style")
        if tag not in _WITHIN:
            self.words.append(" ")

    def handle_data(self, data):
        if not self._hidden:
            self.words.append(data)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the manual, built with the options of ``make docs``, but in one process, which costs less."""
    folder = tmp_path_factory.mktemp("manual")
    [recipe] = re.findall(r"-m sphinx (.*)", (ROOT / "Makefile").read_text())
    options = (
        recipe.replace("build/doctrees", str(folder / "trees"))
        .replace("build/docs", str(folder / "html"))
        .replace("--jobs 2", "--jobs 1")
        .split()
    )
    assert {"--nitpicky", "--fail-on-warning"} <= set(options)
    done = subprocess.run([sys.executable, "-m", "sphinx", *options], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


def test_the_plain_list_has_every_page(built):
    """llms.txt names each page of the manual once, and those that are there."""
    text = (built / "llms.txt").read_text(encoding="utf-8")
    named = re.findall(r"^- \[[^\]]+\]\((\S+)\.html\)", text, re.M)
    assert len(named) == len(set(named)) and {*PAGES} - {"index"} <= {*named}
    assert [page for page in named if not (built / f"{page}.html").is_file()] == []


@pytest.fixture(scope="module")
def pages(built):
    return {path.relative_to(built).as_posix(): Page(path) for path in sorted(built.rglob("*.html"))}


def test_extensions_can_be_run_by_several_processes():
    """Catches the warning with which ``make docs`` would end."""
    found = [path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "extensions").glob("*.py")]
    extensions = [text for text in found if "\ndef setup(" in text]
    assert len(extensions) >= 6 and all('"parallel_read_safe": True' in text for text in extensions)


def test_nothing_is_loaded_from_elsewhere(built, pages):
    """Neither by pages nor by style sheets: it works without a network."""
    assert len(pages) > 60
    for name, page in pages.items():
        assert [one for one in page.loaded if re.match(r"(\w+:)?//", one)] == [], name
    for path in built.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", path.read_text(encoding="utf-8")) == [], (
            path.name
        )


def test_pages_are_small_and_in_order(built, pages):
    for name, page in pages.items():
        assert (built / name).stat().st_size < 1_500_000, name
        if name in ("genindex.html", "search.html", "py-modindex.html"):
            continue
        assert page.levels[0] == 1 and page.levels.count(1) == 1, (name, page.levels)
        assert all(after <= before + 1 for before, after in zip(page.levels, page.levels[1:])), (name, page.levels)
        assert all(picture.get("alt") for picture in page.pictures), (name, page.pictures)


@pytest.mark.parametrize("number", range(len(SOME)))
def test_a_page_of_each_kind_in_a_browser(browser, built, number):
    """Width, console, contrast, axe-core and keyboard, as for the pages of results: each at one width and theme."""
    names = (
        "index",
        "start/design",
        "tasks/topology",
        "results/reports/study",
        "reference/commands/report",
        "reference/api/testing",
    )
    pages = [built / f"{name}.html" for name in names[number :: len(SOME)]]
    assert problems(browser, pages, SOME[number : number + 1], tabs=40) == []


@pytest.mark.long(stays="tests/fatcube/test_manual_built.py::test_a_page_of_each_kind_in_a_browser")
def test_all_pages_in_a_browser(browser, built):
    """At every width, light and dark."""
    assert checked(browser, sorted(built.rglob("*.html")), ALL, "manual", tabs=40) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_is_what_the_help_says(monkeypatch, capsys, pages, command):
    """Every option and every word of its text, as ``--help`` prints them on a line that is wide enough."""
    monkeypatch.setenv("COLUMNS", "2000")
    monkeypatch.setattr(typer.rich_utils, "MAX_WIDTH", 2000)
    status, printed, _ = run(monkeypatch, capsys, *command.split(), "--help")
    assert status == 0
    page = pages[f"reference/commands/{command.replace(' ', '-')}.html"]
    options = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", printed)) - {"--help"}
    assert [one for one in sorted(options) if not re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", page.text)] == []
    cells = [cell for line in printed.splitlines() for cell in re.split(r"[│]|\s{2,}", line)]
    texts = [cell.strip() for cell in cells if re.search(r"[^.]\.$", cell.strip())]
    assert len(texts) >= 2
    texts.remove("Show this message and exit.")
    assert [text for text in texts if " ".join(text.replace("`", "").split()) not in page.text] == []


def test_every_command_is_in_the_list(pages):
    listed = pages["reference/commands/index.html"].text.partition("what it does")[2]
    assert [command for command in COMMANDS if f"fatcube {command}" not in listed] == []


@pytest.mark.parametrize("module", [fatcube, fatcube.testing])
def test_every_public_name_is_described(pages, module):
    ids = set().union(*(page.ids for page in pages.values()))
    assert [name for name in module.__all__ if f"{module.__name__}.{name}" not in ids] == []


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_key_of_a_schema_is_in_its_table(pages, schema):
    text = pages[f"reference/{schema}-files.html"].text
    described = json.loads((ROOT / "docs" / "schemas" / f"{schema}.json").read_text())
    keys = {*described["properties"]}.union(*(one["properties"] for one in described.get("$defs", {}).values()))
    rows = text.partition("From the schema")[2] or text.partition("key value required")[2]
    assert sorted(key for key in keys if not re.search(rf"(?<!\w){key}(?!\w)", rows)) == []
    assert f"{schema}.json" in pages["reference/files.html"].text


def test_every_file_format_has_a_page(pages):
    """Each name of a format that the sources write or read stands in the reference."""
    sources = [path.read_text(encoding="utf-8") for folder in rooms().values() for path in folder.rglob("*.py")]
    formats = {name for text in sources for name in re.findall(r'"(fatcube\.[a-z]+/\d)', text)}
    assert len(formats) >= 10
    described = " ".join(page.text for name, page in pages.items() if not name.startswith("results/reports"))
    assert sorted(name for name in formats if name not in described) == []


def test_a_name_that_is_nowhere_is_reported(monkeypatch):
    """Catches a check of roles that takes any word for a name of the sources."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "extensions"))
    known = importlib.import_module("known_names")._known
    assert all(
        map(known, ("fatcube.noc.topology.Topology", "Topology.degree", "fatcube.schedules.bounds", "wiring.Component"))
    )
    assert not any(
        map(
            known,
            (
                "fatcube.noc.no_such_module.Topology",
                "noc.topology.Topology",
                "fatcube.noc.topology.NoSuchName",
                "NoSuchName",
                "further",
            ),
        )
    )


def test_a_build_that_was_interrupted_is_made_anew(tmp_path):
    """The first build ends before it writes its search index; after a change of one page the next one has all of them in it."""
    pages = {
        "index": "one\n===\n\n.. toctree::\n\n   second\n   third\n",
        "second": "two\n===\n",
        "third": "three\n=====\n",
    }
    for name, text in pages.items():
        (tmp_path / f"{name}.rst").write_text(text)
    (tmp_path / "conf.py").write_text(f"""
import os, sys
from sphinx.builders.html import StandaloneHTMLBuilder

sys.path.insert(0, {str(ROOT / "docs" / "extensions")!r})
extensions = ["whole_builds"]
html_theme = "basic"
finish = StandaloneHTMLBuilder.handle_finish

def ended(builder):
    if "FATCUBE_ENDED" in os.environ:
        raise KeyboardInterrupt
    finish(builder)

StandaloneHTMLBuilder.handle_finish = ended
""")

    def build(**environment):
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "-d", "trees", ".", "built"]
        return subprocess.run(command, cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True)

    assert build(FATCUBE_ENDED="1").returncode != 0
    assert (tmp_path / "built" / "third.html").exists() and not (tmp_path / "built" / "searchindex.js").exists()
    for word in ("second", "other"):
        (tmp_path / "second.rst").write_text(f"{word}\n======\n")
        again = build()
        assert (again.returncode, again.stderr) == (0, "")
        index = (tmp_path / "built" / "searchindex.js").read_text()
        assert all(title in index for title in ("one", word, "three"))
