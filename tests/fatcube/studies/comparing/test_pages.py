"""Pages of comparisons: the stored ones are those of their records, and titles stay short."""

import dataclasses
import json
from pathlib import Path
import re

import pytest

from fatcube.studies.comparing import pages
from fatcube.studies.comparing.pages import write_page
from fatcube.studies.comparison import Compared

REPORTS = Path(__file__).parents[4] / "synth_reports"


def written(name, file, first=None):
    """The page of a stored comparison, or of its first networks."""
    stored = json.loads((REPORTS / f"{name}.json").read_text())
    parameters = stored["parameters"]
    rows = [Compared.from_json(one) for one in stored["measured"]["networks"][:first]]
    files = tuple(parameters.get("files", ()))[:first]
    write_page(rows, file, parameters.get("processors"), parameters.get("ports", "1"), files=files)
    return file.read_text()


@pytest.mark.parametrize("name", ["compare-16", "compare-24", "compare-64"])
def test_stored_pages(tmp_path, name):
    assert written(name, tmp_path / "page.md") == (REPORTS / f"{name}.md").read_text()


def test_a_title_names_few_networks(tmp_path):
    few, many = (written("compare-16", tmp_path / "page.md", first).partition("\n")[0] for first in (2, None))
    assert few == "# Comparison of 4 × 4 mesh; 4 × 4 torus"
    assert many == "# Comparison of 7 networks of 16 processors"


def test_a_page_begins_with_its_figure(tmp_path):
    """The sentences on limits, one for each network, stand below the table."""
    text = written("compare-16", tmp_path / "page.html")
    assert (
        0 < text.index('id="figures"') < text.index('id="table-0"') < text.index("What limits each network under load")
    )
    assert text.count("Limited by blocking") == 7


def _parts(text, tag):
    return [re.sub("<[^>]*>", "", one) for one in re.findall(f"<{tag}>(.*?)</{tag}>", text)]


def test_a_page_has_the_tables_of_the_terminal(tmp_path):
    """Catches all columns in one table, where those of load, area and clock are out of sight."""
    text = written("compare-16", tmp_path / "page.html")
    tables = ["Graphs and prices", "Steps", "Under load", "Area and clock", "Routers"]
    assert [one for one in _parts(text, "h2") if one in tables] == tables
    assert [text.count(f'id="table-{number}"') for number in range(6)] == [1] * 5 + [0]
    assert text.index(">Steps<") < text.index("best schedule known") < text.index('id="table-1"')
    assert text.index(">Under load<") < text.index("less than 95") < text.index('id="table-2"')
    assert text.index(">Area and clock<") < text.index("the routers in the last table") < text.index('id="table-3"')


def test_a_page_shows_load_against_area(tmp_path):
    """Each network at its accepted load and the area of its routers, as in the record; none without both."""
    stored = json.loads((REPORTS / "compare-16.json").read_text())["measured"]["networks"]
    rows = [Compared.from_json(one) for one in stored]
    [figure] = pages._area_figures(rows)
    assert [(point.x, point.y) for point in figure.series[0].points] == [
        (one["silicon"]["comb"], one["load"]["accepted"]) for one in stored
    ]
    assert [point.name for point in figure.series[0].points] == [row.called for row in rows]
    best = max(rows, key=lambda row: row.load.accepted)
    assert figure.says.startswith(f"{best.called} accepts the highest load, {best.load.accepted:.3f} flits per cycle")
    assert 'id="figure-area"' in written("compare-16", tmp_path / "page.html")
    assert pages._area_figures([dataclasses.replace(row, load=None) for row in rows]) == []
    others = [dataclasses.replace(row, processors=9) for row in rows[:2]]
    assert len(pages._area_figures([*others, *rows[2:]])[0].series[0].points) == 5
