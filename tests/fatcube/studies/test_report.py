"""The report: what its words and tables say is worked out here again, and its page is used in a headless Chromium."""

import csv
import dataclasses
import functools
import json
from pathlib import Path
import re
from statistics import median
import sys

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Ring
from fatcube.papers.fat_cube.against_silicon import against_silicon
from fatcube.papers.fat_cube.silicon import tables_1_and_2
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.findings import sections
from fatcube.studies.report import page, rows, write_report
from fatcube.studies.report_figures import figures
from fatcube.studies.results import read_records, write_records
from fatcube.studies.study import Study, committed_all_turns
from tests.support.chromium import Tab
from tests.support.commands import run
from tests.support.stored import ROUTERS, small

pytestmark = pytest.mark.xdist_group("browser")  # one browser, not one for each worker

FIGURES = ("area", "time", "bound", "cycles", "fmax")
SMALL = small()
STUDY = Path(__file__).parents[3] / "synth_reports" / "study.jsonl"


@functools.cache
def study(path=SMALL):
    return Study(read_records(path), "ecp5", all_turns=committed_all_turns() if path == STUDY else ())


def papers(given):
    return [against_silicon(given), tables_1_and_2(given)]


# Words and tables


def test_rows_are_the_records():
    found, records = rows(study()), {one["key"]: one for one in read_records(SMALL)}
    assert {row.record for row in found} == records.keys() and len(found) == len(records)
    for row in found:
        measured, how = (records[row.record][part] for part in ("measured", "how"))
        seeds = [mhz for _, mhz in measured["seeds_mhz"]]
        assert len(seeds) >= 3 and median(seeds) == row.fmax_mhz
        assert (row.fmax_low, row.fmax_high) == (min(seeds), max(seeds))
        assert row.cycles == row.predicted_cycles == measured["cycles"]
        assert row.luts == measured["network_comb_equivalents"]
        assert row.microseconds == pytest.approx(row.cycles / row.fmax_mhz)
        assert how["command"] and how["source_revision"] and how["tools"]["pyosys"] and row.seed == how["seed"]


def test_what_is_said_of_dataflow_and_of_counting_again():
    """In the committed study no run takes longer in dataflow, and the text says so; one that does is counted."""
    found = rows(study(STUDY))
    assert all(row.dataflow_cycles <= row.cycles for row in found if row.dataflow_cycles and row.cycles)
    texts = " ".join(text for one in sections(study(STUDY), found) for text in one.paragraphs)
    assert "-33%, and none takes more; on average" in texts
    again = [one["how"]["counted_at_revision"] for one in read_records(STUDY) if "counted_at_revision" in one["how"]]
    assert f"The cycles of {len(again)} were counted again later, at {again[0]}, as" in texts
    longer = [dataclasses.replace(found[0], dataflow_cycles=2 * found[0].cycles), *found[1:]]
    texts = " ".join(text for one in sections(study(STUDY), longer) for text in one.paragraphs)
    assert "1 takes more, up to +100%" in texts


def test_a_fit_of_few_routers_is_not_shown():
    """One with as many routers as terms is exact whatever they are."""
    records = read_records(SMALL)
    found = against_silicon(Study(records[:3], "ecp5"))
    assert found.title == "The ab model against silicon" and found.tables == []
    assert found.paragraphs[0].startswith("Too few different routers were measured for a model of their area")
    assert not any("R²" in text for text in found.paragraphs)
    assert [one.title for one in against_silicon(study(STUDY)).tables] == ["Fits", "What a router is made of"]


def test_a_revision_that_is_not_known():
    records = [{**one, "how": {**one["how"], "source_revision": None}} for one in read_records(SMALL)]
    given = Study(records, "ecp5")
    text = " ".join(sections(given, rows(given))[-1].paragraphs)
    assert "Source revisions: none, as it was no checkout." in text and "None" not in text


def test_tables_1_and_2_without_a_cube():
    one = read_records(SMALL)[0]
    ring = {**one, "parameters": {**one["parameters"], "topology": Ring(4).to_json()}}
    assert tables_1_and_2(Study([ring], "ecp5")).tables == [] != tables_1_and_2(Study([one], "ecp5")).tables


def test_tables_1_and_2():
    given = study(ROUTERS)
    (_, _, columns, first), (_, _, _, second) = tables_1_and_2(given).tables
    cells = {tuple(line[:2]): dict(zip(columns, line)) for line in first}
    fat, thin = cells["fat cube d = 2, m = 2", "d"], cells["hypercube of 8 nodes", "1"]
    assert (fat["printed a = b"], fat["computed a"], fat["a b"], fat["C_R"], fat["C_L"]) == (
        "d (m + f) = 6",
        "6",
        "36",
        "144",
        "4",
    )
    assert (thin["printed a = b"], thin["computed a"], thin["C_R"]) == ("d + 1 = 4", "4", "128")
    router = given.routers[Network(FatCube(2, 2), RouterOptions(ports="d"))]
    assert (fat["router LUTs, turns used"], fat["router FFs, turns used"], fat["record"]) == (
        f"{router.luts:,}",
        str(router.ff),
        router.key,
    )
    # a b and Table 2 say d = 1 for f = 2, m = 2, model 1; so do LUTs, but not links.
    line = next(line for line in second if line[:3] == ["2", "2", "1"])
    assert line[3:7] == ["d = 1", "d = 1", "1, 2, 3, 4", "yes, no, no, no"]
    for d, lut in zip((1, 2, 3, 4), line[8].split(", ")):
        fat, thin = (given.routers[Network(topology)] for topology in (FatCube(d, 2, 2), Hypercube(d + 1)))
        assert lut == ("yes" if fat.luts << d <= thin.luts << d + 1 else "no")
    assert line[11] == "yes, yes, yes, yes" and line[7] == "-, -, -, -"  # and none was measured with all turns


def test_fits_are_those_of_the_model():
    given = study(ROUTERS)
    found = against_silicon(given)
    line = next(line for line in found.tables[0][3] if line[:2] == ["router with the turns used, LUTs", "fuller"])
    assert line[2] == str(len(given.luts.errors)) and line[6] == f"{given.luts.mean:.1%}"
    shares = [[int(cell.rstrip("%")) for cell in line[2:]] for line in found.tables[1][3]]
    assert all(abs(sum(line) - 100) <= 2 for line in shares)
    assert [line[0] for line in found.tables[1][3] if line[-1] != "0%"] == ["b"]


@pytest.fixture(scope="module")
def committed():
    return read_records(STUDY)


def test_the_committed_study_is_what_it_should_be(committed):
    """Read from the records alone."""
    networks = {
        (json.dumps(one["parameters"]["topology"], sort_keys=True), one["parameters"]["ports"]) for one in committed
    }
    assert len(networks) >= 60 and {ports for _, ports in networks} == {"1", "b", "d", "*"}
    assert {topology_from_json(json.loads(topology)).processors for topology, _ in networks} == {8, 16, 32, 64}
    for one in committed:
        measured, how = one["measured"], one["how"]
        assert measured["cycles"] == measured["predicted_cycles"]
        assert how["command"] and how["tools"] and not how["source_revision"].endswith("-dirty")
        if measured.get("fmax_mhz") is not None:
            seeds = [mhz for _, mhz in measured["seeds_mhz"]]
            assert len(seeds) >= 3 and median(seeds) == measured["fmax_mhz"]


def test_the_committed_report_is_of_the_committed_study(committed):
    """Only what is copied or counted: the last digits of fits may depend on the machine."""
    given = study(STUDY)
    text = (STUDY.parent / "report.md").read_text(encoding="utf-8")
    said = {one.title: one for one in sections(given, rows(given), papers(given))}
    for paragraph in said["What it says"].paragraphs:
        assert paragraph.replace("*", r"\*") in text
    for line in said["Tables 1 and 2 of the paper on fat cubes"].tables[0][3]:
        assert f"| {' | '.join(line)} |".replace("*", r"\*") in text.splitlines()


def test_what_copying_costs(committed):
    """Model b against model 1, from the records alone."""
    routers = {}
    for one in committed:
        parameters, measured = one["parameters"], one["measured"]
        shape = json.dumps([parameters[name] for name in ("topology", "width", "buffer_depth")])
        routers.setdefault(shape, {})[parameters["ports"]] = (measured["comb_equivalents"], measured.get("fmax_mhz"))
    pairs = [(both["b"], both["1"]) for both in routers.values() if {"1", "b"} <= both.keys()]
    luts = [copying[0] / plain[0] for copying, plain in pairs]
    clocks = [copying[1] / plain[1] for copying, plain in pairs if copying[1] and plain[1]]
    given = study(STUDY)
    found = against_silicon(given)
    assert (
        f"by {min(luts) - 1:+.0%} to {max(luts) - 1:+.0%}, {sum(luts) / len(luts) - 1:+.0%} on average over "
        f"{len(luts)} pairs, and its Fmax by {min(clocks) - 1:+.0%} to {max(clocks) - 1:+.0%}, "
        f"{sum(clocks) / len(clocks) - 1:+.0%} on average over {len(clocks)}."
    ) in " ".join(found.paragraphs)


def test_pareto_fronts(committed):
    """Every point is held against every other one: none on a front is as large and as slow as another of its group."""
    table = rows(study(STUDY))
    time = next(figure for figure in figures(table) if figure.name == "time")
    fronts = [one for one in time.series if one.mark == "front"]
    found = sorted(number for line in fronts for point in line.points for number in point.rows)
    groups = {}
    for number, row in enumerate(table):
        group = row.processors, row.collective, row.payload_flits, row.width
        groups.setdefault(group, {})[number] = (row.luts, row.microseconds)
    best = {
        number
        for group in groups.values()
        for number, (luts, slow) in group.items()
        if slow is not None
        and not any(
            other != (luts, slow) and other[0] <= luts and other[1] <= slow
            for other in group.values()
            if other[1] is not None
        )
    }
    assert found == sorted(best) and len(fronts) > 10
    for line in fronts:
        assert [point.x for point in line.points] == sorted(point.x for point in line.points)


def test_points_stand_for_their_rows(committed):
    """Catches a point that is hidden with its row shown, or that names another record."""
    table = rows(study(STUDY))
    for figure in figures(table):
        dots = [point for one in figure.series if one.mark == "dots" for point in one.points]
        numbers = sorted(number for point in dots for number in point.rows)
        if figure.name in ("area", "bound"):
            assert numbers == list(range(len(table)))
        assert len(numbers) == len(set(numbers)) >= 100
        for point in dots:
            assert {f"record {table[number].record}" for number in point.rows} == {
                line for line in point.text if line.startswith("record ")
            }


def test_figures_of_nothing_are_left_out():
    table = [dataclasses.replace(row, fmax_mhz=None, microseconds=None) for row in rows(study())]
    assert [figure.name for figure in figures(table)] == ["area", "bound", "cycles"]


def test_written_files(monkeypatch, capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="figures are not tested without Matplotlib")
    status, out, err = run(monkeypatch, capsys, "report", "--results", SMALL, "-o", tmp_path / "out")
    given = study()
    assert (status, out.split(". ")[0]) == (0, f"{len(given.records)} records of {len(given.routers)} routers")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"report.md", "report.html", *(f"report-{name}.png" for name in FIGURES)}
    assert all((tmp_path / "out" / name).read_bytes().startswith(b"\x89PNG") for name in names if name.endswith("png"))
    text = (tmp_path / "out" / "report.md").read_text()
    assert all(f"(report-{name}.png)" in text for name in FIGURES)
    assert all(router.key in text for router in given.routers.values())
    again = {name: (tmp_path / "out" / name).read_bytes() for name in names if name != "report.html"}
    write_report(given, tmp_path / "out", papers=papers(given))
    assert again == {name: (tmp_path / "out" / name).read_bytes() for name in again}


def test_without_matplotlib_nothing_is_written(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not installed
    status, out, err = run(monkeypatch, capsys, "report", "--results", SMALL, "-o", tmp_path / "out")
    assert (status, out, err.splitlines()[-1]) == (
        2,
        "",
        "fatcube: fatcube report needs Matplotlib: pip install 'fatcube[report]'",
    )
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_a_record_holds_ends_the_data(tmp_path):
    records = read_records(SMALL)
    records[0]["how"]["command"] = "</script><b>"
    write_records(tmp_path / "r", records)
    text = page(Study(read_records(tmp_path / "r"), "ecp5"))
    assert "</script><b>" not in text
    assert re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', text.split("<script>")[0]) == []


# The page


@pytest.fixture(scope="module")
def tab(browser, tmp_path_factory):
    """A tab, and the page."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(page(study(), papers=papers(study())), encoding="utf-8")
    found = Tab(browser, offline=True, accept_downloads=True)
    yield found, file.as_uri()
    found.close()


@pytest.fixture
def shown(tab):
    """The page, opened without a network; in the end it may not have complained or loaded anything."""
    opened, address = tab
    yield opened.open(address, width=1400, height=900)
    complaints, requests = opened.forget()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


def points(opened, name):
    """How many points a figure has."""
    return opened.locator(f"#figure-{name} .point").count()


def legend(opened, name):
    """The names in the legend of a figure."""
    return opened.locator(f"#figure-{name} .legend button").all_text_contents()


def column(opened, name):
    """The cells of a column, from top to bottom."""
    index = opened.locator("#table-0 thead .sort").all_text_contents().index(name) + 1
    return opened.eval_on_selector_all(
        "#table-0 tbody tr:not(.more):not([hidden])",
        "(all, index) => all.map(one => one.children[index].textContent)",
        index,
    )


def choose(opened, name, value):
    """Choose one of the values of a column."""
    index = opened.locator("#table-0 thead .sort").all_text_contents().index(name)
    opened.select_option(f"#controls-0 select[data-column='{index}']", value)


def test_figures_are_drawn_and_filtered(shown):
    table = rows(study())
    routers = {(row.network, row.model) for row in table}
    for name in FIGURES:
        assert points(shown, name) == (len(routers) if name in ("area", "fmax") else len(table)), name
    assert legend(shown, "time") == ["Pareto front of all models", *(f"model {model}" for model in "1bd*")]
    choose(shown, "processors", "8")
    choose(shown, "model", "1")
    choose(shown, "collective", "AAS")
    mine = [row for row in table if (row.processors, row.model, row.collective) == (8, "1", "AAS")]
    assert shown.inner_text("#controls-0 output") == f"{len(mine)} of {len(table)} rows" and mine
    assert points(shown, "time") == len(mine) == len(column(shown, "network"))
    assert points(shown, "area") == len({row.network for row in mine})
    assert legend(shown, "bound") == ["the bound", "model 1"]


def test_sentences_of_the_figures():
    """Worked out here again."""
    table = rows(study())
    said = {figure.name: figure.says for figure in figures(table)}
    tight = sum(row.steps == row.lower_bound for row in table)
    assert said["bound"] == f"{tight} of {len(table)} runs take exactly the steps of their lower bound."
    ratios = [row.cycles / row.steps for row in table]
    assert said["cycles"].startswith(
        f"A step takes {min(ratios):.0f} to {max(ratios):.0f} cycles in lockstep, {median(ratios):.0f} in"
    )
    routers = {(row.network, row.model): row for row in table}
    prices = {row.ab for row in routers.values()}
    assert said["area"].startswith(f"Of {len(routers)} routers with {len(prices)} different prices, ")
    ports = [row.ports for row in routers.values()]
    assert said["fmax"].startswith(f"From {min(ports)} to {max(ports)} ports the mean Fmax goes from ")
    assert "Pareto fronts, of" in said["time"]


def test_a_point_says_what_it_is(shown):
    choose(shown, "processors", "8")
    shown.locator("#figure-fmax .point").first.scroll_into_view_if_needed()
    box = shown.locator("#figure-fmax .point").first.bounding_box()
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert re.search(r"record [0-9a-f]{24}", shown.text_content("#figure-fmax .tip"))


def test_table_is_sorted_unfolded_and_downloaded(shown, tmp_path):
    table = rows(study())
    if len(table) > 100:
        shown.click("button:text-is('Show all')")
    for click, reverse in (("ascending", False), ("descending", True)):
        shown.click("#table-0 .sort:text-is('cycles, lockstep')")
        assert shown.get_attribute("#table-0 th:has(.sort:text-is('cycles, lockstep'))", "aria-sort") == click
        assert list(map(int, column(shown, "cycles, lockstep"))) == sorted(
            (row.cycles for row in table), reverse=reverse
        )
    shown.click("#table-0 .unfold >> nth=0")
    record = json.loads(shown.inner_text("#table-0 .more pre"))
    [kept] = [one for one in read_records(SMALL) if one["key"] == column(shown, "record")[0]]
    assert record == kept and {"command", "seed", "source_revision", "tools"} <= record["how"].keys()
    shown.click("#table-0 .unfold >> nth=0")
    assert shown.locator("#table-0 .more").count() == 0
    choose(shown, "collective", "OAB")
    with shown.expect_download() as download:
        shown.click("#controls-0 button:text-is('Download CSV')")
    download.value.save_as(tmp_path / "t.csv")
    with open(tmp_path / "t.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["record"] for line in lines] == column(shown, "record")
    assert {line["record"] for line in lines} == {row.record for row in table if row.collective == "OAB"}
    byte_exact = {row.record: row for row in table}
    assert all(float(line["fmax_mhz"]) == byte_exact[line["record"]].fmax_mhz for line in lines)
