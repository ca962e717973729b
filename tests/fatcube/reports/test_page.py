"""Pages: no text in any field becomes markup, and scripts read exactly the data that they are given."""

from html.parser import HTMLParser
import json

import jinja2
import pytest

from fatcube.reports.figure import Axis, Figure, Point, Series
from fatcube.reports.page import page, table_page
from fatcube.reports.table import Marked, Section, TitledTable
from tests.support.chromium import chromium, missing, new_context

pytestmark = pytest.mark.xdist_group("browser")  # one browser, not one for each worker

HARMLESS = "a name"
HOSTILE = (
    "</script></style></title></caption><script>bad()</script><img src='x' onerror=bad()>"
    """ & "quoted" &lt; <b>bold</b>"""
)


def figure(text):
    return Figure(
        name="only",
        title=text,
        x=Axis(text),
        y=Axis(text),
        series=(Series(name=text, points=(Point(x=1, y=2, text=(text,)),), colour="#000000", label=text),),
    )


def table(text):
    return TitledTable(text, text, [text, text], [[text, Marked(text, "good")], [f"schedules/x.json {text}", text]])


def report(text):
    return page(
        "report.html",
        title=text,
        columns=[text],
        sections=[Section(text, [text], [table(text)])],
        figures=[figure(text)],
        data={"rows": [{text: text}], "records": {text: text}},
    )


PAGES = {
    "table": lambda text: table_page(table(text), folder=text, figures=[figure(text)]),
    "reproduce": lambda text: page("reproduce.html", tables=[table(text)], figures=[figure(text)]),
    "report": report,
    "view": lambda text: page("view.html", title=text, data={"network": text}),
}


class Reader(HTMLParser):
    """The elements of a page with the names of their attributes, its text, and the JSON of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text, self.data, self.within = [], "", {}, ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, [name for name, _ in attributes]))
        if tag == "script":
            self.within = dict(attributes).get("id", "script")

    def handle_endtag(self, tag):
        self.elements.append((tag, None))
        if tag == "script":
            self.within = ""

    def handle_data(self, data):
        if self.within not in ("", "script"):
            self.data[self.within] = json.loads(data)
        elif not self.within:
            self.text += data


@pytest.mark.parametrize("name", PAGES)
def test_no_text_becomes_markup(name):
    """Catches a page in which a name, a note or a cell is not escaped, and data that ends its script."""
    hostile, harmless = (Reader(PAGES[name](text)) for text in (HOSTILE, HARMLESS))
    assert hostile.elements == harmless.elements
    # It is shown as it is, as often as any other text is.
    assert hostile.text.count(HOSTILE) == harmless.text.count(HARMLESS) > 0
    assert HOSTILE in json.dumps(list(hostile.data.values()), ensure_ascii=False).replace('\\"', '"') or name in (
        "table",
        "reproduce",
    )


def test_scripts_read_what_they_are_given():
    """Catches keys that are sorted, which are the columns of a table, and letters that are lost."""
    data = {"z": [HOSTILE, "µ\u2028"], "a": {"y": None, "b": 0.1, "c": [True, 10**15]}}
    read = Reader(page("view.html", title="", data=data)).data["data"]
    assert read == data and json.dumps(read) == json.dumps(data)


def test_what_is_no_json_is_refused():
    with pytest.raises(ValueError, match="Out of range float"):
        page("view.html", title="", data={"x": float("nan")})


def test_a_value_that_is_forgotten_is_noticed():
    with pytest.raises(jinja2.UndefinedError, match="'title' is undefined"):
        page("view.html", data={})


def test_evidence_is_linked():
    cells = [["schedules/AAB-d2.json; no fewer: proofs/AAB-d2-*.json", "xschedules/a.json"]]
    text = table_page(TitledTable("", "", ["", ""], cells), folder="fat-cube")
    assert (
        '<a href="fat-cube/schedules/AAB-d2.json">schedules/AAB-d2.json</a>; no fewer: <a href="fat-cube/proofs' in text
    )
    assert "<td>xschedules/a.json</td>" in text
    assert "<a " not in table_page(TitledTable("", "", ["", ""], cells))


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    if missing():
        pytest.skip(f"pages are not tested in a browser, because {missing()}")
    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens a page; in the end none may have complained or loaded anything."""
    complaints, requests, contexts = [], [], []

    def open_page(text):
        contexts.append(new_context(browser, offline=True, viewport={"width": 1200, "height": 900}))
        shown = contexts[-1].new_page()
        shown.on("console", lambda message: complaints.append(message.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        shown.on("request", lambda request: requests.append(request.url))
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        shown.goto((tmp_path / "page.html").as_uri())
        return shown

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_figure_shows_text_as_it_is(opened):
    """Catches what Plotly would take for markup."""
    shown = opened(table_page(table(HOSTILE), figures=[figure(HOSTILE)]))
    place = shown.locator("#figure-only")
    assert place.locator(".gtitle").text_content() == HOSTILE
    assert place.locator(".xtitle").text_content() == place.locator(".legendtext").text_content() == HOSTILE
    place.locator(".point").first.scroll_into_view_if_needed()
    box = place.locator(".point").first.bounding_box()
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.wait_for_selector("#figure-only .hoverlayer .hovertext")
    assert place.locator(".hoverlayer").text_content() == f"{HOSTILE}{HOSTILE}: 1{HOSTILE}: 2"


def test_bars_are_drawn(opened):
    series = [
        Series(name=name, points=(Point(x="OAB", y=1), Point(x="AAS", y=2)), mark="bars", colour="#000000")
        for name in ("lockstep", "dataflow")
    ]
    bars = Figure(name="bars", title="", x=Axis("", "category"), y=Axis(""), series=tuple(series))
    shown = opened(page("reproduce.html", tables=[table(HARMLESS)], figures=[bars, figure(HARMLESS)]))
    assert shown.locator("#figure-bars .barlayer .point").count() == 4
    assert shown.locator("#figure-bars .xtick").all_text_contents() == ["OAB", "AAS"]
    assert shown.locator("#figure-only .scatterlayer .point").count() == 1


def test_rows_are_filtered(opened):
    cells = [["Theorem 4", Marked("wrong: 4", "wrong")], ["Theorem 5", Marked("holds", "good")]]
    shown = opened(table_page(TitledTable("", "", ["where", "verdict"], cells)))
    assert shown.inner_text("#count") == "2 of 2 rows"
    shown.fill("#filter", "WRONG")
    assert shown.inner_text("#count") == "1 of 2 rows"
    assert [row.is_visible() for row in shown.locator("tbody tr").all()] == [True, False]
    assert shown.eval_on_selector_all("tbody td:last-child", "all => all.map(one => one.className)") == [
        "wrong",
        "good",
    ]
